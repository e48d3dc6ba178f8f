"""What may happen now, and why something else may not.

An open offer accepts the actions that fit it. A *closed* one accepts nothing: it lies there to say
why. `refuses` answers None for "accepted", so legality and its reasons come from one place.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from companion.actions import Chose, Entry, Flipped, Rolled, Waited


class Refusal(msgspec.Struct, frozen=True):
    """Why not: a stable code for programs, a sentence for people."""

    code: str
    message: str


NOT_OFFERED = Refusal("not_offered", "That cannot be done now.")
NOT_YOUR_TURN = Refusal("not_your_turn", "It is somebody else's decision now.")
TOO_FEW_DICE = Refusal("too_few_dice", "More dice belong to this roll.")
VALUE_NOT_OFFERED = Refusal("value_not_offered", "That one cannot be chosen now.")
FACE_NOT_EXPECTED = Refusal("face_not_expected", "That cannot turn up there.")


class Roll(msgspec.Struct, frozen=True, tag="roll", tag_field="type"):
    """A player may roll these dice, at least so many of them."""

    player: str
    dice: tuple[str, ...]
    at_least: int = 1
    closed: Refusal | None = None

    def refuses(self, action: Entry) -> Refusal | None:
        """Say why `action` does not fit this offer, or None when it does."""
        if type(action) is not Rolled:
            return NOT_OFFERED
        for die in action.faces:
            if die not in self.dice:
                return NOT_OFFERED
        return TOO_FEW_DICE if len(action.faces) < self.at_least else None

    def concerns(self, action: Entry) -> bool:
        """True if this offer, closed, is the reason why `action` is refused."""
        return type(action) is Rolled and any(die in self.dice for die in action.faces)


class Flip(msgspec.Struct, frozen=True, tag="flip", tag_field="type"):
    """A player may turn up what lies on one of these squares.

    faces  what can turn up, where everybody knows that; empty for anything.
    """

    player: str
    squares: tuple[str, ...]
    closed: Refusal | None = None
    faces: tuple[str, ...] = ()

    def refuses(self, action: Entry) -> Refusal | None:
        """Say why `action` does not fit this offer, or None when it does."""
        if type(action) is not Flipped or action.square not in self.squares:
            return NOT_OFFERED
        return None if not self.faces or action.face in self.faces else FACE_NOT_EXPECTED

    def concerns(self, action: Entry) -> bool:
        """True if this offer, closed, is the reason why `action` is refused."""
        return self.refuses(action) is None


class Choose(msgspec.Struct, frozen=True, tag="choose", tag_field="type"):
    """A player may decide this; with `values`, for one of them.

    also       other ways to say one of the values, understood though not listed for people.
    overtakes  True if the choice counts although dice are already rolling.
    button     True for the choice that the player's one big button makes.
    A closed choice may name values that it speaks of; without any it speaks of all. Such a value
    may be partial: `{"face": "3"}` speaks of every value that is a mapping with that in it.
    """

    player: str
    choice: str
    values: tuple[Any, ...] = ()
    closed: Refusal | None = None
    overtakes: bool = False
    button: bool = False
    also: tuple[Any, ...] = ()

    def refuses(self, action: Entry) -> Refusal | None:
        """Say why `action` does not fit this offer, or None when it does."""
        if type(action) is not Chose or action.choice != self.choice:
            return NOT_OFFERED
        if action.player != self.player:
            return NOT_YOUR_TURN
        fits = has(self.values, action.value) if self.values else action.value is None
        return None if fits or has(self.also, action.value) else VALUE_NOT_OFFERED

    def concerns(self, action: Entry) -> bool:
        """True if this offer, closed, is the reason why `action` is refused."""
        if type(action) is not Chose:
            return False
        mine = action.player == self.player and action.choice == self.choice
        return mine and (not self.values or any(speaks_of(v, action.value) for v in self.values))


def has(values: tuple[Any, ...], value: Any) -> bool:
    """True for one of the values; 1, 1.0 and True are three different ones, inside others too."""
    return any(value == one and same(one, value) for one in values)


def same(one: Any, other: Any) -> bool:
    """True if what is equal is also of one kind, all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return len(one) == len(other) and speaks_of(one, other)
    if isinstance(one, list):
        return all(map(same, one, other)) and len(one) == len(other)
    return bool(one == other)


def speaks_of(partial: Any, value: Any) -> bool:
    """True if a value is this one, or a mapping that holds everything that this one does."""
    if isinstance(partial, dict) and isinstance(value, dict):
        return all(key in value and same(part, value[key]) for key, part in partial.items())
    return same(partial, value)


class Wait(msgspec.Struct, frozen=True, tag="wait", tag_field="type"):
    """The table waits until everything up to this moment of the game is known."""

    until_s: float
    player: str | None = None
    closed: Refusal | None = None

    def refuses(self, action: Entry) -> Refusal | None:
        """Say why `action` does not fit this offer, or None when it does."""
        return None if type(action) is Waited and action.until_s >= self.until_s else NOT_OFFERED

    def concerns(self, action: Entry) -> bool:
        """True if this offer, closed, is the reason why `action` is refused."""
        return type(action) is Waited


Offer = Roll | Flip | Choose | Wait


def accepting(offers: Iterable[Offer], action: Entry) -> Offer | None:
    """The open offer that `action` answers, or None."""
    for offer in offers:
        if offer.closed is None and offer.refuses(action) is None:
            return offer
    return None


def why_not(offers: Sequence[Offer], action: Entry) -> Refusal:
    """The best reason why none of the offers accepts `action`: the game's own words first."""
    for offer in offers:
        if offer.closed is not None and offer.concerns(action):
            return offer.closed
    open_ones = [offer.refuses(action) for offer in offers if offer.closed is None]
    return next((r for r in open_ones if r is not None and r != NOT_OFFERED), NOT_OFFERED)
