"""The public state of one game: everything that people could see on the real table."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from companion.actions import Entry
from companion.dice import DiceSet
from companion.errors import IllegalAction
from companion.steps import Cue, Told
from companion.view import View
from companion.words import say

COLOURS = ("amber", "blue", "green", "pink", "violet", "teal")  # of seats, as screens draw them


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person at the table: a key for names of counters (`a-z 0-9 _ -`), a name to show.

    colour  which of COLOURS, or None for the one of the place.
    """

    key: str
    name: str
    colour: int | None = None


class Outcome(msgspec.Struct, frozen=True):
    """Who won and why; several winners share the victory, none is a loss for everybody."""

    winners: tuple[str, ...]
    scores: dict[str, int]
    why: str


@dataclass
class Table:
    """What all games have in common; each game adds its own pieces.

    active  key of the player whose turn it is.
    phase   name of the heading whose decision is waited for.
    at_s    when the latest action happened, in seconds of the game; None where there is no clock.
    told    what the rules told since the latest action was given to them.
    step    number of the step that is being played, or was played last.
    """

    players: tuple[Player, ...]
    dice: DiceSet
    active: str = ""
    phase: str = ""
    at_s: float | None = None
    told: list[Told] = field(default_factory=list)
    step: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.seats = tuple(player.key for player in self.players)
        self.names = {player.key: player.name for player in self.players}
        self.active = self.active or self.seats[0]

    def tell(self, cue: Cue, sentence: str, plural: str | None = None, **values: Any) -> None:
        """Tell everybody something; `n` among the values chooses singular or plural."""
        self.told.append(Told(cue, sentence, plural, values))

    def seat_after(self, player: str) -> str:
        """The player to the left of `player`."""
        return self.seats[(self.seats.index(player) + 1) % len(self.seats)]

    def seats_from(self, player: str) -> tuple[str, ...]:
        """All players in playing order, beginning with `player`."""
        at = self.seats.index(player)
        return self.seats[at:] + self.seats[:at]

    def objects(self, action: Entry, offered: bool) -> IllegalAction | None:
        """Why the pieces themselves cannot have done that, or None.

        Asked before the script gets an action (`offered`: an open offer accepts it), and first of
        all where no offer does. Games with tiles or cards know which of them there are, and which
        must look as they did before. Details named `remedies` are entries that a person can send
        next. Must change nothing, and must not tell what is hidden.
        """
        return None

    @property
    def counters(self) -> dict[str, int]:
        """Every public count under its dotted name (`supply.diamonds`, `pack.ann.gold`)."""
        raise NotImplementedError

    @property
    def scores(self) -> dict[str, int]:
        """What everybody would score now; empty in games that do not count that way."""
        return {}

    @property
    def signs(self) -> dict[str, int]:
        """Further numbers that lamps can follow and that screens show otherwise."""
        return {}

    def adjust(self, counter: str, value: int) -> None:
        """Set a public count by hand; raise through `not_adjustable` where it is only derived."""
        raise NotImplementedError

    def label(self, counter: str) -> str:
        """What people call this count."""
        raise NotImplementedError

    def view(self) -> View:
        """The table as a screen shows it."""
        raise NotImplementedError


def not_adjustable(counter: str) -> IllegalAction:
    """The refusal for a count that follows from others."""
    return IllegalAction(
        "not_adjustable",
        say("{counter} follows from the other counts; adjust those instead.", counter=counter),
    )
