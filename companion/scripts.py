"""How a game is written: a generator that tells its rules in the order of the rule book.

A script yields a *listing*, a function that lays out the offers, and receives the one action that
was accepted. Listing afresh must be free of consequences: it happens again after an adjustment.
A sub-script is a script that returns something to the heading that called it by `yield from`.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from companion.actions import Action
from companion.errors import ConfigError
from companion.offers import Offer
from companion.steps import Cue
from companion.table import Outcome, Player, Table

T = TypeVar("T")

Listing = Callable[[], Sequence[Offer]]
SubScript = Generator[Listing, Action, T]
Script = SubScript[Outcome]


@dataclass(frozen=True)
class Game:
    """Everything that the companion has to know about one game.

    setup     lays out a table for players and options.
    play      the script.
    options   a frozen msgspec struct with a default for everything.
    revision  rises whenever old journals would play differently.
    choices   label of each choice that a person can make, by its name in `Chose`.
    """

    key: str
    title: str
    seats: range
    setup: Callable[[tuple[Player, ...], Any], Any]
    play: Callable[[Any], Script]
    options: type[msgspec.Struct]
    cues: tuple[Cue, ...]
    phases: Mapping[str, str]
    choices: Mapping[str, str]
    revision: int = 1
    labels: Callable[[Table, str, Any], str] = field(
        default=lambda table, choice, value: str(value)
    )

    def table(self, players: tuple[Player, ...], options: msgspec.Struct | None = None) -> Table:
        """Lay out a new table; raise ConfigError if so many people cannot play."""
        if len(players) not in self.seats:
            raise ConfigError(
                f"{self.title}: expected {self.seats.start} to {self.seats.stop - 1} players, "
                f"got {len(players)}; name them as --players ann,bo"
            )
        keys = [player.key for player in players]
        if len(set(keys)) != len(keys):
            raise ConfigError(f"{self.title}: expected different players, got {', '.join(keys)}")
        table: Table = self.setup(players, self.options() if options is None else options)
        return table
