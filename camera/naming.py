"""Which dice lie where: names for the dice that moved, after what lay there before.

Sans-I/O: readings in, named readings out. Dice that did not move keep their names and were not
rolled. Dice of a kind are interchangeable, so those that moved take the names that are awaited,
their own first. A die that was only pushed, or that nobody awaits, keeps its name and is no roll.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from camera.find import Body
from camera.put_aside import Aside, put_aside
from companion.dice import DiceSet

SAME_PLACE = 0.16  # sides; a die that was not touched is found again within 0.05
SAME_ANGLE = 0.20  # radians
TO_A_HAIR = 0.08  # sides, and radians
TURNED = 0.8  # certainty from which a die that shows another face in its place was turned
NUDGED_SIDES = 0.8  # a die that was pushed is looked for so near to where it lay ...
PUSHED_SIDES = 2.5  # ... and so far, if nobody awaits it and it was not picked up


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
    """Readings with their names, and which of them are dice that were rolled.

    among  dice that were rolled or were not: more of a kind were moved than are awaited, or some
           that lie beside where they lay were out of sight. None of `rolled` is of such a kind.
    """

    readings: tuple[Reading, ...]
    rolled: frozenset[str]
    among: frozenset[str] = frozenset()


def is_same_place(
    one: Body, other: Body, within: float = SAME_PLACE, angle: float = SAME_ANGLE
) -> bool:
    """True if a die lies exactly where another one lay."""
    turned = abs((one.angle - other.angle + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    return _apart(one, other) <= within and turned <= angle


def never_left(
    before: Sequence[Reading], after: Sequence[Reading], left: Collection[str]
) -> set[str]:
    """Names of dice in `left` that lie to a hair as they lay: they were only out of sight.

    A camera that is pushed, and swings back, sees the floor of the tray where dice lie. One die of
    a hundred thousand comes to rest like that when it is thrown.
    """
    return {
        old.name
        for old in before
        if old.name is not None and old.name in left
        and any(
            new.face == old.face and is_same_place(old.body, new.body, TO_A_HAIR, TO_A_HAIR)
            for new in after
        )
    }  # fmt: skip


def name_dice(
    before: Sequence[Reading],
    after: Sequence[Reading],
    left: Collection[str],
    awaited: Sequence[str],
    dice: DiceSet,
    loose: Collection[str] = (),
    still: Collection[int] = (),
    picked_up: Collection[str] = (),
    taken_up: Collection[str] = (),
    *,
    unseen: bool = False,
) -> Named:
    """Give names to what lies in a zone now.

    before     what lay there at the last rest, with names.
    after      what lies there now, without.
    left       names of dice that were away from their place in between.
    awaited    names that a roll may consist of now.
    loose      names of dice of which nobody could tell which were rolled: others may take them.
    still      numbers in `after` of dice that were not rolled, wherever they lie.
    picked_up  names in `left` of dice that were away for longer than it takes to push them.
    taken_up   names of awaited dice that lay here before the last rest, and were taken up.
    unseen     nobody could see them for a while: what seems pushed, or turned where it lay, may
               have been rolled.
    """
    kept = _unmoved(before, after, left, awaited if unseen else ())
    lost = [reading for number, reading in enumerate(before) if number not in kept.values()]
    moved = [number for number in range(len(after)) if number not in kept]
    moves = _Moves(left, awaited, dice, still, picked_up, unseen, taken_up)
    had = {new: before[old].name for new, old in kept.items()}
    names = {new: name for new, name in had.items() if name not in loose}
    groups = _by_kind(moved, after, lost)
    pushed: dict[int, str | None] = {}
    for group in groups:
        pushed |= _pushed(group, after, len(_free_names(group, names.values(), moves)), moves)
        pushed |= _moved_along(group, after, pushed, moves)
    aside = _aside(
        [n for n in moved if n not in still and n not in pushed],
        after,
        [one for one in lost if one.name not in pushed.values()],
        moves,
    )
    rolled, among = set[str](), set[str]()
    for group in groups:
        found = _of_one_kind(group, after, names, pushed | aside.surely, aside.perhaps, moves)
        names, rolled, among = names | found.names, rolled | found.rolled, among | found.among
    for number in [n for n in had if n not in names]:
        kind = after[number].kind
        names |= _spare_names(kind, [number], names, dice, (had[number], *loose))
    known = {new: before[old] for new, old in kept.items()}
    shown = (_as_known(known.get(n), reading) for n, reading in enumerate(after))
    named = tuple(reading._replace(name=names.get(n)) for n, reading in enumerate(shown))
    return Named(named, frozenset(rolled), frozenset(among))


def blocked_again(
    readings: Sequence[Reading], among: Collection[str], awaited: Collection[str], dice: DiceSet
) -> tuple[Reading, ...]:
    """Names for what nobody rolled of those `among`: of their kind, one that nobody awaits.

    A blocked die that was put aside may have got the name of one that is in a hand.
    """
    blocked = DiceSet.of(die for die in dice if die.name not in awaited)
    names = {number: reading.name for number, reading in enumerate(readings)}
    again = [n for n, name in names.items() if name in among and name in awaited]
    for kind in dict.fromkeys(readings[n].kind for n in again):
        mine = [n for n in again if readings[n].kind == kind]
        names |= _spare_names(kind, mine, names, blocked)
    return tuple(one._replace(name=names[number]) for number, one in enumerate(readings))


class _Moves(NamedTuple):
    """What is known of how dice moved and what the table awaits, as `name_dice` was told it."""

    left: Collection[str]
    awaited: Sequence[str]
    dice: DiceSet
    still: Collection[int]
    picked_up: Collection[str]
    unseen: bool
    taken_up: Collection[str]


class _Moved(NamedTuple):
    """Dice of one kind that moved: their numbers, and those that lie no more where they lay."""

    kind: str
    dice: Sequence[int]
    gone: Sequence[Reading]


class _OfKind(NamedTuple):
    """What became of the dice of one kind that moved."""

    names: dict[int, str | None]
    rolled: set[str]
    among: set[str]


def _by_kind(
    moved: Sequence[int], after: Sequence[Reading], lost: Sequence[Reading]
) -> list[_Moved]:
    return [
        _Moved(
            kind,
            [n for n in moved if after[n].kind == kind],
            [one for one in lost if one.kind == kind and one.name is not None],
        )
        for kind in dict.fromkeys(after[n].kind for n in moved)
    ]


def _of_one_kind(
    group: _Moved,
    after: Sequence[Reading],
    used: Mapping[int, str | None],
    not_rolled: Mapping[int, str | None],
    perhaps_not: Collection[int],
    moves: _Moves,
) -> _OfKind:
    """Name the dice of a kind that moved; `not_rolled` have their names already."""
    names = {n: name for n, name in not_rolled.items() if n in group.dice}
    free = [n for n in _free_names(group, used.values(), moves) if n not in names.values()]
    thrown = [n for n in group.dice if n not in names and n not in moves.still]
    taken = _take_names(thrown, after, group.gone, free)
    near = _near_awaited(group, after, names, moves.awaited) if moves.unseen else []
    near += [n for n in thrown if n in perhaps_not]
    names |= taken
    unnamed = [n for n in group.dice if n not in names]
    names |= _spare_names(group.kind, unnamed, {**used, **names}, moves.dice)
    doubted = _doubted(thrown, taken, [n for n in near if n not in moves.still])
    among = {name for n in doubted if (name := names.get(n)) is not None}
    return _OfKind(names, set() if doubted else set(taken.values()), among)


def _aside(
    moved: Sequence[int], after: Sequence[Reading], lost: Sequence[Reading], moves: _Moves
) -> Aside:
    """Which of the dice that moved were put aside; what was lost and is awaited was taken up."""
    blocked = {
        one.name: (one.kind, one.face)
        for one in lost if one.name is not None and one.name not in moves.awaited
    }  # fmt: skip
    held = {one.name for one in lost if one.name in moves.awaited} | set(moves.taken_up)
    return put_aside({n: (after[n].kind, after[n].face) for n in moved}, blocked, len(held))


def _as_known(known: Reading | None, seen: Reading) -> Reading:
    """An untouched die shows what it showed, unless it is seen better now or was turned."""
    if known is None or _is_turned(known, seen):
        return seen
    if known.kind == seen.kind and known.certainty < seen.certainty:
        return seen
    return seen._replace(
        kind=known.kind, face=known.face, certainty=known.certainty, choices=known.choices
    )


def _apart(one: Body, other: Body) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def _unmoved(
    before: Sequence[Reading],
    after: Sequence[Reading],
    left: Collection[str],
    doubted: Collection[str],
) -> dict[int, int]:
    """Which dice lie as they lay: numbers in `after`, and those in `before`.

    Those in `doubted` may have been thrown unseen, and must lie there to a hair.
    """
    kept: dict[int, int] = {}
    for old_number, old in enumerate(before):
        for number, new in enumerate(after):
            if number in kept or not is_same_place(old.body, new.body):
                continue
            is_same_kind = new.kind == old.kind or new.certainty < TURNED
            is_other = old.name in doubted and not _is_untouched(old, new)
            if is_same_kind and not is_other and old.name not in left:
                kept[number] = old_number
            break
    return kept


def _is_untouched(old: Reading, new: Reading) -> bool:
    is_same_face = new.face == old.face or new.certainty < TURNED
    return is_same_face and is_same_place(old.body, new.body, TO_A_HAIR, TO_A_HAIR)


def _is_turned(known: Reading, seen: Reading) -> bool:
    """True if an untouched die shows another face for sure; what people said is not doubted."""
    return known.face != seen.face and seen.certainty >= TURNED and known.certainty < 1.0


def _free_names(group: _Moved, used: Collection[str | None], moves: _Moves) -> list[str]:
    """Awaited names that moved dice may take: first of those that lay here, then the others."""
    dice = moves.dice
    mine = [n for n in moves.awaited if n not in used and n in dice and dice[n].kind == group.kind]
    were_here = {reading.name for reading in group.gone}
    return sorted(mine, key=lambda name: name not in were_here)


def _pushed(
    group: _Moved, after: Sequence[Reading], room: int, moves: _Moves
) -> dict[int, str | None]:
    """Find dice that were pushed, not rolled: the same face near by.

    One that was never seen away from its place is looked for beside it only. When more dice moved
    than are awaited, those that nobody awaits must be among them.
    """
    pushed: dict[int, str | None] = {}
    for old in group.gone:
        must_be = old.name not in moves.awaited and len(group.dice) - len(pushed) > room
        if not must_be and old.name in moves.left:
            continue
        is_far = must_be and old.name not in moves.picked_up
        near = [
            (_apart(old.body, after[n].body), n)
            for n in group.dice
            if n not in pushed and after[n].face == old.face
            and _apart(old.body, after[n].body)
            <= (PUSHED_SIDES if is_far or (must_be and n in moves.still) else NUDGED_SIDES)
        ]  # fmt: skip
        if near:
            pushed[min(near)[1]] = old.name
    return pushed


def _moved_along(
    group: _Moved, after: Sequence[Reading], pushed: Mapping[int, str | None], moves: _Moves
) -> dict[int, str | None]:
    """Name dice that are known not to be rolled, however far they lie from where they lay."""
    gone = [old for old in group.gone if old.name not in pushed.values()]
    named: dict[int, str | None] = {}
    for number in (n for n in group.dice if n in moves.still and n not in pushed):
        body, alike = after[number].body, [o for o in gone if o.face == after[number].face]
        if alike:  # awaited ones are rather in a hand
            old = min(alike, key=lambda o: (o.name in moves.awaited, _apart(o.body, body)))
            named[number] = old.name
            gone.remove(old)
    return named


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


def _near_awaited(
    group: _Moved,
    after: Sequence[Reading],
    pushed: Mapping[int, str | None],
    awaited: Collection[str],
) -> list[int]:
    """Dice that seem pushed, or turned where they lay, and that the table awaits."""
    lay = [old.body for old in group.gone if old.name in awaited]
    return [
        n for n in group.dice
        if pushed.get(n) in awaited
        or (n not in pushed and any(is_same_place(body, after[n].body) for body in lay))
    ]  # fmt: skip


def _doubted(thrown: Sequence[int], taken: Mapping[int, str], nudged: Sequence[int]) -> list[int]:
    """Dice of which nobody can tell whether they were rolled, if any of their kind was."""
    is_sure = not taken or (len(thrown) == len(taken) and not nudged)
    return [] if is_sure else [*thrown, *nudged]


def _spare_names(
    kind: str,
    numbers: Sequence[int],
    names: Mapping[int, str | None],
    dice: DiceSet,
    first: Sequence[str | None] = (),
) -> dict[int, str | None]:
    """Give names that are left over; `first` come first."""
    used = set(names.values())
    spare = [die.name for die in dice if die.kind == kind and die.name not in used]
    spare.sort(key=lambda name: first.index(name) if name in first else len(first))
    return dict(zip(numbers, spare, strict=False))
