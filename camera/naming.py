"""Which dice lie where: names for the dice that moved, after what lay there before.

Sans-I/O: readings in, named readings out. Dice that did not move keep their names and were not
rolled. Dice of a kind are interchangeable, so those that moved take the names that are awaited,
their own first. A die that was only pushed, or that nobody awaits, keeps its name and is no roll.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from camera.find import Body
from companion.dice import DiceSet

SAME_PLACE = 0.16  # sides; a die that was not touched is found again within 0.05
SAME_ANGLE = 0.20  # radians
TURNED = 0.8  # certainty from which a die that shows another face in its place was turned
PUSHED_SIDES = 2.5  # a die that nobody awaits is looked for so far from where it lay


class Reading(NamedTuple):
    """One die as it was read.

    name       None where no name of its kind is left.
    certainty  0 to 1, that kind and face are right.
    body       where it lies in the zone.
    box        left, top, width, height in picture pixels, around the whole die.
    choices    faces it may show, likeliest first.
    """

    name: str | None
    kind: str
    face: str
    certainty: float
    body: Body
    box: tuple[int, int, int, int]
    choices: tuple[str, ...] = ()


class Named(NamedTuple):
    """Readings with their names, and which of them are dice that were rolled."""

    readings: tuple[Reading, ...]
    rolled: frozenset[str]


def is_same_place(one: Body, other: Body) -> bool:
    """True if a die lies exactly where another one lay."""
    turned = abs((one.angle - other.angle + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    return _apart(one, other) <= SAME_PLACE and turned <= SAME_ANGLE


def name_dice(
    before: Sequence[Reading],
    after: Sequence[Reading],
    left: Collection[str],
    awaited: Sequence[str],
    dice: DiceSet,
) -> Named:
    """Give names to what lies in a zone now.

    before   what lay there at the last rest, with names.
    after    what lies there now, without.
    left     names of dice that were away from their place in between.
    awaited  names that a roll may consist of now.
    """
    kept = _unmoved(before, after, left)
    lost = [reading for number, reading in enumerate(before) if number not in kept.values()]
    moved = [number for number in range(len(after)) if number not in kept]
    names: dict[int, str | None] = {new: before[old].name for new, old in kept.items()}
    rolled: set[str] = set()
    for kind in dict.fromkeys(after[number].kind for number in moved):
        mine = [number for number in moved if after[number].kind == kind]
        gone = [reading for reading in lost if reading.kind == kind and reading.name is not None]
        used = {name for name in names.values() if name is not None}
        free = _free_names(kind, gone, used, awaited, dice)
        pushed = _pushed(mine, after, gone, left, awaited, len(free))
        names |= pushed
        rest = [number for number in mine if number not in pushed]
        taken = _take_names(rest, after, gone, free)
        names |= taken
        rolled |= set(taken.values())
        spare = _spare_names(kind, set(names.values()), dice)
        names |= dict(zip([n for n in rest if n not in taken], spare, strict=False))
    named = [reading._replace(name=names.get(n)) for n, reading in enumerate(after)]
    for new, old in kept.items():
        known, seen = before[old], after[new]
        if not _is_turned(known, seen) and known.certainty >= seen.certainty:
            named[new] = named[new]._replace(
                kind=known.kind, face=known.face, certainty=known.certainty, choices=known.choices
            )
    return Named(tuple(named), frozenset(rolled))


def _apart(one: Body, other: Body) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def _unmoved(
    before: Sequence[Reading], after: Sequence[Reading], left: Collection[str]
) -> dict[int, int]:
    """Which dice lie as they lay: numbers in `after`, and those in `before`."""
    kept: dict[int, int] = {}
    for old_number, old in enumerate(before):
        for number, new in enumerate(after):
            if number in kept or not is_same_place(old.body, new.body):
                continue
            is_same_kind = new.kind == old.kind or new.certainty < TURNED
            if is_same_kind and old.name not in left:
                kept[number] = old_number
            break
    return kept


def _is_turned(known: Reading, seen: Reading) -> bool:
    """True if an untouched die shows another face for sure; what people said is not doubted."""
    return known.face != seen.face and seen.certainty >= TURNED and known.certainty < 1.0


def _free_names(
    kind: str,
    gone: Iterable[Reading],
    used: Collection[str],
    awaited: Sequence[str],
    dice: DiceSet,
) -> list[str]:
    """Awaited names that moved dice may take: first of those that lay here, then the others."""
    mine = [n for n in awaited if n not in used and n in dice and dice[n].kind == kind]
    were_here = {reading.name for reading in gone}
    return sorted(mine, key=lambda name: name not in were_here)


def _pushed(
    mine: Sequence[int],
    after: Sequence[Reading],
    gone: Sequence[Reading],
    left: Collection[str],
    awaited: Sequence[str],
    room: int,
) -> dict[int, str | None]:
    """Find dice that were pushed, not rolled: the same face near by.

    One that was never seen away from its place is looked for beside it only. When more dice moved
    than are awaited, those that nobody awaits must be among them.
    """
    pushed: dict[int, str | None] = {}
    for old in gone:
        is_awaited = old.name in awaited
        must_be = not is_awaited and len(mine) - len(pushed) > room
        if not must_be and old.name in left:
            continue
        reach = PUSHED_SIDES if must_be else 0.8
        near = [
            (_apart(old.body, after[n].body), n)
            for n in mine
            if n not in pushed and after[n].face == old.face
        ]
        if near and min(near)[0] <= reach:
            pushed[min(near)[1]] = old.name
    return pushed


def _take_names(
    rest: Sequence[int], after: Sequence[Reading], gone: Sequence[Reading], free: Sequence[str]
) -> dict[int, str]:
    """Give the free names to dice that were rolled; each to the nearest where it lay before."""
    lay = {reading.name: reading.body for reading in gone}
    taken: dict[int, str] = {}
    for name in free[: len(rest)]:
        open_numbers = [n for n in rest if n not in taken]
        old = lay.get(name)
        nearest = open_numbers[0]
        if old is not None:
            nearest = min(open_numbers, key=lambda n: _apart(old, after[n].body))
        taken[nearest] = name
    return taken


def _spare_names(kind: str, used: Collection[str | None], dice: DiceSet) -> list[str]:
    return [die.name for die in dice if die.kind == kind and die.name not in used]
