"""What the commands of `companion dice` share: settings, the game's dice, who is heard."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape

from companion.config import Config, LearntDice, game_named
from companion.dice import DiceSet, Die
from companion.dice_file import dice_file, keep, read
from companion.dice_station import SimulatedHand, Station
from companion.errors import ConfigError, DeviceError
from companion.wiring import dice_of
from companion.words import fact, row_of, say, word
from hardware.dice_health import DieHealth

LISTEN_S = 3.0


@dataclass
class Case:
    """The dice of one game and the file in which is kept what is learnt about them.

    hand  plays with simulated dice, of which nothing is kept; None for real ones.
    """

    title: str
    dice: DiceSet
    file: Path
    station: Station
    hand: SimulatedHand | None
    out: Console

    def keep(self, change: Callable[[LearntDice], LearntDice]) -> None:
        """Keep what was learnt; simulated dice are forgotten."""
        if self.hand is not None:
            self.out.print("[dim]Simulated: nothing is kept.[/dim]")
            return
        keep(self.file, change(read(self.file)))
        self.out.print(f"[dim]Kept in {escape(str(self.file))}.[/dim]", soft_wrap=True)

    def die_of_game(self, name: str) -> Die:
        """A die of the game by its name; ConfigError lists those there are."""
        if name in self.dice:
            return self.dice[name]
        known = ", ".join(die.name for die in self.dice) or "none"
        raise ConfigError(
            say(
                "expected a die of {game} ({known}), got {name!r}; or say --game",
                game=word(self.title),
                known=known,
                name=name,
            )
        )

    def die_heard(self, own: str) -> DieHealth:
        """A smart die that is in reach; DeviceError lists those that are."""
        self.station.wait_until_heard(LISTEN_S)
        die = self.station.die(own)
        if die is not None and die.heard_at_s:
            return die
        troubles = [one for health in self.station.health() for one in health.troubles()[:1]]
        heard = [d.die for health in self.station.health() for d in health.dice if d.heard_at_s]
        asleep = say("pick it up: it may be asleep")
        why = row_of(troubles) if troubles and not heard else asleep
        raise DeviceError(
            say(
                "{own} is not heard (in reach: {heard}); {why}",
                own=own,
                heard=fact(", ".join(heard)) if heard else word("none"),
                why=why,
            )
        )

    @contextlib.contextmanager
    def open(self, *, idle: bool = True) -> Iterator[Station]:
        """Listen while the block runs; `idle`: the simulated hand does only what it is told."""
        with contextlib.ExitStack() as stack:
            if self.hand is not None:
                self.hand.is_idle = idle
                stack.enter_context(self.hand)
            yield stack.enter_context(self.station.open())


def case_for(
    config: Config, path: Path | None, game: str, port: str, out: Console, *, simulated: bool
) -> Case:
    """Put together what was set; the game of the settings unless another is named."""
    chosen = game_named(game or config.table.game)
    dice = dice_of(chosen)
    hand = SimulatedHand(dice) if simulated else None
    settings = config.dice if hand is None else hand.settings()
    if port and hand is None:
        settings = msgspec.structs.replace(settings, port=port)
    station = Station(settings, dice)
    return Case(chosen.title, dice, dice_file(path), station, hand, out)
