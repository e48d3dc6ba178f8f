"""How a game is written: a generator that tells its rules in the order of the rule book.

A script yields a *listing*, a function that lays out the offers, and receives the one action that
was accepted. Listing afresh must be free of consequences: it happens again after an adjustment.
A sub-script is a script that returns something to the heading that called it by `yield from`.
"""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from companion.actions import Action
from companion.errors import ConfigError
from companion.offers import Offer
from companion.steps import Cue, Step
from companion.table import Outcome, Player, Table
from companion.words import say, word

T = TypeVar("T")
PLAYER_KEY = re.compile("[a-z0-9_-]+")

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
    fair      widens windows of time to what the sensors at this table can tell apart.
    choices   label of each choice that a person can make, by its name in `Chose`.
    public    what of a step may be shown while the game runs, now that the table lies as it does;
              None for games in which nothing that was seen is ever hidden again.
    fleeting  prefixes of counters (`up.`) whose past values would tell what is hidden again.
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
    public: Callable[[Step, Any], Step] | None = None
    fleeting: tuple[str, ...] = ()
    fair: Callable[[Any, float], Any] = field(default=lambda options, within_s: options)
    labels: Callable[[Table, str, Any], str] = field(
        default=lambda table, choice, value: str(value)
    )

    def table(self, players: tuple[Player, ...], options: msgspec.Struct | None = None) -> Table:
        """Lay out a new table; raise ConfigError if so many people cannot play."""
        if len(players) not in self.seats:
            raise ConfigError(
                say(
                    "{game}: expected {least} to {most} players, got {n}; name them as "
                    "--players ann,bo",
                    game=word(self.title),
                    least=self.seats.start,
                    most=self.seats.stop - 1,
                    n=len(players),
                )
            )
        keys = [player.key for player in players]
        for key in keys:
            if not PLAYER_KEY.fullmatch(key):
                raise ConfigError(
                    say(
                        "{game}: expected a player's key of a-z, 0-9, _ and -, got {key!r}",
                        game=word(self.title),
                        key=key,
                    )
                )
        if len(set(keys)) != len(keys):
            raise ConfigError(
                say(
                    "{game}: expected different players, got {keys}",
                    game=word(self.title),
                    keys=", ".join(keys),
                )
            )
        table: Table = self.setup(players, self.options() if options is None else options)
        return table
