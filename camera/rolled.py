"""Which of the dice that lie in a tray now were rolled, and what is wrong with them.

A die that never moved, or that lies where one lay with the same face, was not touched. One that
shows the face of a die that vanished shortly before, right beside it, or turned the same way, or
with a hand beside it, was pushed, if a hand may have done so, or a thrown die: within so short a
time that nobody can have thrown it, or if it was seen all the way from there. All others were
rolled; whoever throws dice pushes none aside slowly meanwhile. So was one that lies where it lay,
if it was seen to be gone (camera/seen_gone.py) and no hand put it back.
"""

import bisect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from camera.canvas import Pixels
from camera.faces import CERTAIN
from camera.pictures import ANY_PIPS
from camera.seek import Floats
from camera.slant import box_around
from camera.stills import DieReading, doubt_of
from camera.tracks import SAME_DIE_SIDES, SAME_SIDES, Track, apart

UNREAD = "unread"  # kind and face of something that nobody could read
FEW_VOTES = 3  # looks at what is hardly seen
LIKE_DICE = 0.7  # certainty of a reading, from which there is a die for sure
SOMEHOW = 0.4  # certainty from which something that moved is no finger; a cocked die has more
PUSHED_SIDES = 0.9  # a die with the same face this near was pushed, not rolled, ...
PUSHED_S = 0.6  # ... if it lay still again so soon: to pick it up and throw it takes longer
BESIDE_SIDES = 0.3  # so far beside its place a die may be found that nobody saw for a while
SLID_TURN = 0.21  # so was one anywhere that is turned by less, radians, ...
SLID_SIDES = 2.5  # ... or after a longer while one this near ...
SLID_S = 0.79  # ... within the time in which a hand pushes dice; with it beside, one anywhere
TOGETHER_S = 0.4  # dice that come to lie within this were thrown together
STRUCK_S = 0.39  # no die is picked up and lies again sooner: a thrown one struck it away, ...
STRUCK_SIDES = 3.5  # ... if it is this near, or was seen all the way
UNTOLD_S = 1.5  # so long what is hardly seen may hold up the time up to which all is told


@dataclass(frozen=True, eq=False, slots=True)  # two finds are never one, however alike
class LaidDie:
    """A die that lies here, or lay here: where it is followed, and what it shows."""

    track: Track
    reading: DieReading


class Compared(NamedTuple):
    """Which of the dice that lie here were rolled (N); and those that lay here and are no more."""

    moved: list[bool]
    lost: list[LaidDie]


class LyingDie(NamedTuple):
    """A die as it lies, and whether it was rolled."""

    reading: DieReading
    moved: bool


class Throw(NamedTuple):
    """One rest: when all lay, when that was known, whether it can be relied on, all dice.

    doubts    why it is not accepted, in words.
    beside    corners (4, 2) in pixels of what came to lie here too, and may be a die nobody saw.
    within_s  how long before `at_s` the frame before was taken: so much earlier all may have lain.
    """

    at_s: float
    declared_at_s: float
    accepted: bool
    dice: tuple[LyingDie, ...]
    doubts: tuple[str, ...]
    beside: tuple[Floats, ...] = ()
    within_s: float = 0.0


def gap_before(at_s: float, frames: Iterable[tuple[float, Pixels]]) -> float:
    """How long before the first of these frames since then the one before was taken; 0 if none.

    Where that one is not among them, frames were as far apart as they were most since.
    """
    times_s = [then_s for then_s, _ in frames]
    gaps_s = [later - earlier for earlier, later in itertools.pairwise(times_s)]
    number = bisect.bisect_left(times_s, at_s)
    if number in (0, len(times_s)):
        return max(gaps_s, default=0.0) if number == 0 else 0.0
    return gaps_s[number - 1]


def unread(corners: Floats) -> DieReading:
    """Stands for something like a die that nobody could read."""
    return DieReading(UNREAD, UNREAD, 0.0, box_around(corners), corners, (), "unsure")


def told_of(reading: DieReading) -> str:
    """Why a die is asked about, in words."""
    if reading.kind == UNREAD:
        left, top, width, height = reading.box
        return f"something at ({left + width // 2}, {top + height // 2}) that may be a die"
    return doubt_of(reading, "a die" if reading.kind == ANY_PIPS else "")


def is_read(track: Track) -> bool:
    """True if some look was certain of a die here."""
    return any(vote is not None and vote.certainty >= CERTAIN for vote in track.votes)


def is_often_read(track: Track, least: float = 0.0) -> bool:
    """True if most looks, and enough of them, read some die here, with so little certainty."""
    read = sum(vote is not None and vote.certainty >= least for vote in track.votes)
    return not is_hardly_read(track) and 2 * read > len(track.votes)


def is_hardly_read(track: Track) -> bool:
    """True if too few looks were taken at something to tell what it is."""
    return len(track.votes) < FEW_VOTES


def may_be_told(track: Track, known: Sequence[LaidDie], now_s: float) -> bool:
    """True if something that is hardly seen may still turn out to be a die that came to lie here.

    known  dice that lie here: one of them may be found anew in its place.
    """
    is_open = is_hardly_read(track) or is_often_read(track)
    return is_open and now_s - track.since_s < UNTOLD_S and not is_among(track, known)


def came_to_lie(
    dice: Sequence[LaidDie], moved: Sequence[bool], known: Sequence[LaidDie]
) -> list[Track]:
    """What was rolled, and what that struck away; all that lies here if nothing was rolled.

    moved  which of the dice were rolled; `known` are those that lay here before.
    """
    away = [die for die in dice if not is_among(die.track, known, SAME_DIE_SIDES)]
    struck = [die for die in away if die.track.came_from is not None]
    rolled = [die for die, is_moved in zip(dice, moved, strict=True) if is_moved]
    return [die.track for die in dice if not rolled or die in rolled or die in struck]


def count(dice: Sequence[LaidDie]) -> int:
    """So many dice are there for sure; what nobody could read is perhaps none."""
    return sum(die.reading.kind != UNREAD for die in dice)


def are_dice(rolled: Sequence[LaidDie]) -> bool:
    """True if what moved is a roll for sure: fingers may look like something that moved, too."""
    return any(die.reading.certainty >= SOMEHOW for die in rolled)


def has_die(rolled: Sequence[LaidDie]) -> bool:
    """True if one of them is a die for sure, not part of a hand."""
    return any(die.reading.certainty >= LIKE_DICE for die in rolled)


def is_among(track: Track, dice: Sequence[LaidDie], within: float = SAME_SIDES) -> bool:
    """True if it is one of these dice, or lies where one does, within so many sides."""
    return any(
        die.track is track or apart(die.track.corners, track.corners) < within for die in dice
    )


def why_doubted(
    dice: Sequence[LaidDie], moved: Sequence[bool], wanted: int, left_over: Iterable[str], *,
    is_known: bool,
) -> tuple[str, ...]:  # fmt: skip
    """Why a roll is not accepted, in words.

    moved      which of the dice were rolled.
    wanted     how many dice lie here after a roll; `is_known` where somebody said so.
    left_over  what the reader saw beside the dice, in words.
    """
    found = []
    if is_known and len(dice) != wanted:
        found.append(f"expected {wanted} dice, saw {len(dice)}")
    elif not is_known and count(dice) < wanted:
        found.append(f"{wanted} dice lay here before, {count(dice)} do now")
    if not is_known and count(dice) > wanted:  # nobody knows how many lie here
        found += left_over
    rolled = [die.reading for die, is_moved in zip(dice, moved, strict=True) if is_moved]
    return (*found, *(told_of(one) for one in rolled if one.certainty < CERTAIN))


CameAlone = Callable[[LaidDie, Sequence[LaidDie]], bool | None]


def compared(
    known: Sequence[LaidDie], gone: Sequence[LaidDie], now: Sequence[LaidDie],
    came_alone: CameAlone = lambda *_: None,
) -> Compared:  # fmt: skip
    """Tell which dice were rolled since the last rest, and which are none of those.

    known  how the dice lay then.
    gone   dice that vanished before that, perhaps in the dark, and may show up where they lay.
    came_alone  whether one of the dice came to lie with no hand near it; none if nobody can tell.
    """
    stayed = _in_places(now, [*known, *gone], gone, came_alone)
    free = [old for old in (*known, *gone) if old not in stayed.values()]
    rolling = {number: die for number, die in enumerate(now) if number not in stayed}
    lost = [old for old in free if old not in gone]
    pushed = _pushed_somehow(rolling, lost, lambda die: came_alone(die, now))
    thrown = [die for number, die in rolling.items() if number not in pushed]
    back = {n for n, here in stayed.items() if _is_thrown_with(now[n], here, thrown)}
    still = (stayed.keys() | pushed.keys()) - back
    free = [old for old in free if old not in pushed.values()]
    return Compared(
        [number not in still for number in range(len(now))],
        [old for old in free if not is_among(old.track, now)],
    )


def _in_places(
    now: Sequence[LaidDie], lay: Sequence[LaidDie], gone: Sequence[LaidDie], came_alone: CameAlone
) -> dict[int, LaidDie]:  # fmt: skip
    """Which of these dice lie where one lay, by their numbers, and how that one lay."""
    free, found = list(lay), dict[int, LaidDie]()
    for number, die in enumerate(now):
        here = next((old for old in free if old.track is die.track), None) or _in_place(
            die, free, gone, partial(came_alone, die, now)
        )
        if here is not None:
            found[number] = here
            free.remove(here)
    return found


def _pushed_somehow(
    dice: Mapping[int, LaidDie], lost: Sequence[LaidDie],
    came_alone: Callable[[LaidDie], bool | None],
) -> dict[int, LaidDie]:  # fmt: skip
    """Which of these dice a hand pushed or others struck away, and how they lay before."""
    pushed = _pushed(dice, lost, Push(SLID_S, 0.0, came_alone))
    if len(pushed) < len(dice):
        pushed = _pushed(dice, lost, Push(PUSHED_S, STRUCK_S))
        if len(pushed) == len(dice):  # none was thrown that could have struck them
            pushed = _pushed(dice, lost, Push(PUSHED_S, 0.0))
    return pushed


def _is_thrown_with(die: LaidDie, here: LaidDie, thrown: Sequence[LaidDie]) -> bool:
    """True if a die that was gone came back to its place when others were thrown.

    One that flies by it looks like a hand; but nobody puts dice back just as others come to rest.
    """
    if not here.track.has_left or _away_s(here, die) < PUSHED_S:
        return False
    gaps_s = (abs(die.track.since_s - other.track.since_s) for other in thrown)
    return min(gaps_s, default=math.inf) < TOGETHER_S


class Push(NamedTuple):
    """What pushes dice: how long it takes at most to do so slowly, or to strike them away.

    came_alone  as for `compared`.
    """

    slid_s: float
    struck_s: float
    came_alone: Callable[[LaidDie], bool | None] = lambda _: None


def _pushed(
    dice: Mapping[int, LaidDie], lost: Sequence[LaidDie], push: Push
) -> dict[int, LaidDie]:  # fmt: skip
    """Which of these dice were pushed so, and how they lay before."""
    alike = [(n, old) for n, die in dice.items() for old in lost if _is_alike(old, die)]
    free, left, pushed = list(lost), dict(dice), dict[int, LaidDie]()
    for number, old in sorted(alike, key=lambda pair: _how_far(dice[pair[0]], pair[1])):
        if number in left and old in free and _is_pushed(old, left.pop(number), push):
            pushed[number] = old
            free.remove(old)
    return pushed


def _how_far(now: LaidDie, old: LaidDie) -> tuple[bool, float]:
    """Orders dice that one may be: which it was seen to be comes first, then the nearest."""
    return now.track.came_from is not old.track, apart(now.track.corners, old.track.corners)


def _in_place(
    die: LaidDie, free: Sequence[LaidDie], gone: Sequence[LaidDie],
    came_alone: Callable[[], bool | None],
) -> LaidDie | None:  # fmt: skip
    """The die that lay here before, if it shows the same; or nothing certain, so soon after."""
    here = min(free, key=lambda o: apart(die.track.corners, o.track.corners), default=None)
    if here is None:
        return None
    there = die.track.corners, here.track.corners
    is_new = here.track.has_left or apart(*there) > BESIDE_SIDES
    if is_new and _away_s(here, die) >= PUSHED_S and came_alone():
        return None
    if apart(*there) >= SAME_SIDES:  # in a shadow dice are found a little beside where they lie
        is_near = apart(*there) < SAME_DIE_SIDES and turned(*there) < SLID_TURN
        return here if is_near and _is_alike(here, die) else None
    is_hidden = die.reading.certainty < CERTAIN and here not in gone
    was_hidden = here.reading.certainty < CERTAIN  # a finger may have lain over it
    return here if _is_alike(here, die) or is_hidden or was_hidden else None


def _is_alike(one: LaidDie, other: LaidDie) -> bool:
    return (one.reading.kind, one.reading.face) == (other.reading.kind, other.reading.face)


def _away_s(old: LaidDie, now: LaidDie) -> float:
    """How long a die lay nowhere, as far as was seen."""
    return now.track.since_s - old.track.lay_s


def _is_pushed(old: LaidDie, now: LaidDie, push: Push) -> bool:
    """True if a die that lies beside where one lay was pushed there."""
    far = apart(now.track.corners, old.track.corners)
    away_s = _away_s(old, now)
    if push.struck_s and now.track.came_from is old.track:
        return True
    if far < PUSHED_SIDES and away_s < PUSHED_S:
        return True
    if far < STRUCK_SIDES and away_s < push.struck_s:
        return True
    if away_s >= push.slid_s:
        return False
    turn, is_alone = turned(now.track.corners, old.track.corners), push.came_alone(now)
    if turn >= SLID_TURN or is_alone is False:
        return is_alone is False
    return away_s < PUSHED_S or (far < SLID_SIDES and is_alone is None)


def turned(one: Floats, other: Floats) -> float:
    """By how much squares are turned against each other, 0 to pi/4."""
    ways = (one[1] - one[0], other[1] - other[0])
    angle = math.atan2(ways[0][1], ways[0][0]) - math.atan2(ways[1][1], ways[1][0])
    return abs((angle + math.pi / 4) % (math.pi / 2) - math.pi / 4)
