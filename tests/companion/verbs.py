"""What people do at a table, as words that tests can say.

    at = Troll("ann", "bo", "cy", end_mode="both")
    at.white("D D T K")                       # all four white dice, in order
    at.roll("white-1 troll", "white-2 troll") # these dice
    at.choose("ann", "leave", at_s=12.5)

Every verb answers with the names of the cues that were told. Letters for faces: T troll, D diamond,
K key, O door; g0 g1 g2 for the gold dice; X dragon, - blank.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from companion.actions import Action, Adjusted, Chose, Correct, Report, Rolled, Undo, Waited
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.offers import Choose, Offer, Roll
from companion.protocol import checked_options
from companion.referee import Referee
from companion.scripts import Game
from companion.steps import Step
from companion.table import Player

LETTERS = {
    "T": "troll",
    "D": "diamond",
    "K": "key",
    "O": "door",
    "g0": "blank",
    "g1": "gold1",
    "g2": "gold2",
    "X": "dragon",
    "-": "blank",
}
WHITE = ("white-1", "white-2", "white-3", "white-4")
GOLD = ("gold-1", "gold-2")
RED = ("red-1", "red-2")


def faces_of(words: tuple[str, ...]) -> dict[str, str]:
    """Read `("white-1 troll", "white-2 D")`."""
    pairs = (word.split() for word in words)
    return {die: LETTERS.get(face, face) for die, face in pairs}


def in_order(dice: tuple[str, ...], letters: str) -> dict[str, str]:
    """Read `"D D T K"` for these dice, one after another."""
    return dict(zip(dice, (LETTERS[letter] for letter in letters.split()), strict=True))


class AtTable:
    """A referee, and the verbs of the people around the table."""

    def __init__(self, game: Game, seats: tuple[str, ...], options: dict[str, Any]) -> None:
        players = [Player(seat, seat.capitalize()) for seat in seats]
        self.referee = Referee(game, players, checked_options(game.options, options))
        self.step = Step(0, Report(Undo()), self.referee.opening)

    @property
    def table(self) -> Any:
        """The table of the game; a new one after undo, correction and refusal."""
        return self.referee.table

    @property
    def phase(self) -> str:
        """Name of the heading whose decision is waited for."""
        return self.referee.table.phase

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.referee.table.active

    @property
    def cues(self) -> list[str]:
        """Names of the cues that the latest step told."""
        return [told.cue.name for told in self.step.told]

    @property
    def said(self) -> str:
        """The sentences of the latest step."""
        return " ".join(told.text for told in self.step.told)

    def count(self, counter: str) -> int:
        """One public count."""
        return self.referee.table.counters[counter]

    def apply(self, entry: Any, at_s: float | None = None) -> list[str]:
        """Report an entry; return the cues that it told."""
        self.step = self.referee.apply(Report(entry, at_s=at_s, source="test"))
        return self.cues

    def roll(self, *dice: str, at_s: float | None = None) -> list[str]:
        """Roll these dice: `roll("white-1 troll", "white-2 key")`."""
        return self.apply(Rolled(faces_of(dice)), at_s)

    def choose(
        self, player: str, choice: str, value: Any = None, at_s: float | None = None
    ) -> list[str]:
        """Let a player decide."""
        return self.apply(Chose(player, choice, value), at_s)

    def wait(self, until_s: float) -> list[str]:
        """Let the table know that everything up to this moment is known."""
        return self.apply(Waited(until_s))

    def adjust(self, counter: str, value: int, at_s: float | None = None) -> list[str]:
        """Set a count by hand."""
        return self.apply(Adjusted(counter, value), at_s)

    def undo(self) -> list[str]:
        """Take back what was accepted last."""
        return self.apply(Undo())

    def correct(self, step: int, action: Action, *, drop_later: bool = False) -> list[str]:
        """Replace the action of an earlier step."""
        return self.apply(Correct(step, action, drop_later))

    def open_offers(self, kind: type[Offer]) -> list[Any]:
        """The open offers of one kind."""
        return [o for o in self.referee.offers if type(o) is kind and o.closed is None]

    def choices(self) -> set[str]:
        """Names of the choices that are open."""
        return {offer.choice for offer in self.open_offers(Choose)}

    def rollers(self) -> dict[str, tuple[str, ...]]:
        """Who may roll which dice."""
        return {offer.player: offer.dice for offer in self.open_offers(Roll)}

    @contextmanager
    def refused(self, code: str) -> Iterator[None]:
        """What is done inside is refused with this code, and changes nothing."""
        before = everything(self.referee)
        with pytest.raises(IllegalAction) as refusal:
            yield
        assert refusal.value.code == code
        assert refusal.value.message.endswith((".", "!"))
        assert everything(self.referee) == before


class Troll(AtTable):
    """A table of Troll & Dragon."""

    def __init__(self, *seats: str, **options: Any) -> None:
        super().__init__(GAMES["troll_and_dragon"], seats or ("ann", "bo", "cy"), options)
        self.diamonds, self.gold = 60, 50

    def adjust(self, counter: str, value: int, at_s: float | None = None) -> list[str]:
        """Set a count by hand, and remember what the box holds from now on."""
        cues = super().adjust(counter, value, at_s)
        [told] = [told for told in self.step.told if told.cue.name == "adjusted"]
        more = value - told.values["before"]
        if counter.endswith(".gold"):
            self.gold += more
        else:
            self.diamonds += more
        return cues

    def audit(self) -> None:
        """No piece has appeared or vanished."""
        counts = self.referee.table.counters
        assert min(counts.values()) >= 0
        diamonds = sum(n for name, n in counts.items() if name.endswith(".diamonds"))
        gold = sum(n for name, n in counts.items() if name.endswith(".gold"))
        assert (diamonds, gold) == (self.diamonds, self.gold)

    def white(self, letters: str, at_s: float | None = None) -> list[str]:
        """Roll all four white dice: `white("D D T K")`."""
        return self.apply(Rolled(in_order(WHITE, letters)), at_s)

    def golden(self, letters: str, at_s: float | None = None) -> list[str]:
        """Roll both gold dice: `golden("g1 g2")`."""
        return self.apply(Rolled(in_order(GOLD, letters)), at_s)

    def red(self, letters: str, at_s: float | None = None) -> list[str]:
        """Roll the red dice that are asleep: `red("X -")`."""
        return self.apply(Rolled(in_order(self.table.cavern.asleep, letters)), at_s)

    def aside(self, die: str) -> list[str]:
        """The adventurer sets a key or a door aside."""
        return self.choose(self.active, "set_aside", die)

    def leave(self, at_s: float | None = None) -> list[str]:
        """The adventurer says that she is leaving."""
        return self.choose(self.active, "leave", at_s=at_s)

    def enter(self, roll: str = "K O D T", at_s: float | None = None) -> list[str]:
        """Go straight into the cavern with the diamonds of one roll."""
        self.white(roll, at_s)
        letters = roll.split()
        self.aside(WHITE[letters.index("K")])
        return self.aside(WHITE[letters.index("O")])

    def treasure(self, place: str) -> tuple[int, int]:
        """Diamonds and gold in one place."""
        counts = self.table.counters
        return counts[f"{place}.diamonds"], counts.get(f"{place}.gold", 0)

    def pack(self, seat: str) -> tuple[int, int]:
        """Diamonds and gold in somebody's pack."""
        return self.treasure(f"pack.{seat}")


def everything(referee: Referee) -> tuple[Any, ...]:
    """All that can be known about a game: equal before and after what changes nothing."""
    return (*the_table(referee), referee.number, tuple(referee.history), referee.undoable)


def the_table(referee: Referee) -> tuple[Any, ...]:
    """All that lies on the table, without how it came there."""
    table = referee.table
    return (
        table.active,
        table.phase,
        dict(table.counters),
        tuple(referee.offers),
        msgspec.json.encode(table.view(), enc_hook=str),
        referee.outcome,
    )
