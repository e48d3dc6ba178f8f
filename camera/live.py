"""Watch a tray of symbol dice, frame by frame, and tell each roll once.

Theory of operation. While something changes in the picture, dice are sought in every frame. Dice
that lie as they lay in the frames before have come to rest (camera/lying.py), whatever shadows,
lamps and hands do around them; the time of rest is the first frame in which all of them lay so.
Dice where dice lay before, with the same faces, were not touched. The others were rolled, unless
one shows the face of a die that vanished right beside it: that one was pushed.
While dice are missing and something still moves, others are waited for: perhaps they are in a hand.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.lying import cut_around, drift
from camera.seek import Floats, Seeker
from camera.settle import Phase, Settler
from camera.source import Frame
from camera.stills import CERTAIN, DieReading, StillReader, Top, find_tops

SETTLE_S = 0.05  # so long dice must lie: three frames of 30 a second
CALM_S = 0.4  # so long nothing may move before what is missing is taken for gone
STILL_SIDES, STILL_SHARE = 0.012, 0.55  # from frame to frame; see camera/lying.py
SAME_SIDES = 0.16  # an untouched die is found again within half of that
PUSHED_SIDES = 0.9  # a die with the same face this near was pushed, not rolled
KEPT = 20  # frames that are looked back at
SHRINK, DIFFERENT, CELLS = 4, 9, 3  # what counts as a change of the picture


class LyingDie(NamedTuple):
    """A die as it lies, and whether it was rolled."""

    reading: DieReading
    moved: bool


class Throw(NamedTuple):
    """One roll: when it lay, when that was known, whether it can be relied on, all dice."""

    at_s: float
    declared_at_s: float
    accepted: bool
    dice: tuple[LyingDie, ...]
    doubts: tuple[str, ...]


class LiveTray:
    """Tells the rolls of one camera's pictures.

    looks  the learnt set of the dice.
    empty  the tray without dice, if there is a picture of it.
    """

    def __init__(
        self, looks: DiceLooks, empty: Pixels | None = None, seeker: Seeker | None = None
    ) -> None:
        self._seeker = seeker or Seeker()
        self._reader = StillReader(looks, seeker=self._seeker)
        self._empty = empty
        self._settler = Settler(SETTLE_S, at_least=2)
        self._past: deque[tuple[float, Pixels]] = deque(maxlen=KEPT)
        self._small: Pixels | None = None
        self._changed_s = -1.0
        self._known: tuple[DieReading, ...] | None = None  # at the last rest
        self._anchor: list[Top] = []

    @property
    def phase(self) -> Phase:
        """What the tray does, as of the last frame."""
        return self._settler.phase

    @property
    def dice(self) -> tuple[DieReading, ...]:
        """The dice as they lay at the last rest."""
        return self._known or ()

    def see(self, frame: Frame) -> Throw | None:
        """Take in one frame; give the roll that came to rest, once that is known."""
        grey = np.asarray(cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        is_changed = self._changes(grey)
        if is_changed:
            self._changed_s = frame.at_s
        self._past.append((frame.at_s, grey))
        is_known = self._settler.phase in (Phase.STILL, Phase.EMPTY)
        if is_known and not is_changed and frame.at_s - self._changed_s > CALM_S:
            self._settler.update(frame.at_s, differs=False)
            return None
        found = find_tops(self._seeker, frame.pixels, self._empty, precise=False)
        tops = [top for top in found.tops if _is_die(top)]
        differs = not self._lies_as_before(tops, grey)
        if is_known and self._is_as_known(tops):
            self._settler.update(frame.at_s, differs=False)
            self._anchor = tops
            return None
        settled = self._settler.update(frame.at_s, differs=differs)
        self._anchor = tops
        return self._declared(frame, tops) if settled.is_due else None

    def _changes(self, grey: Pixels) -> bool:
        """True if the picture differs from the frame before."""
        size = (grey.shape[1] // SHRINK, grey.shape[0] // SHRINK)
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        before, self._small = self._small, small
        if before is None or before.shape != small.shape:
            return True
        apart = cv2.absdiff(small, before)
        return int(np.count_nonzero(apart > DIFFERENT)) >= CELLS

    def _lies_as_before(self, tops: Sequence[Top], grey: Pixels) -> bool:
        """True if the same dice lie where they lay in the frame before."""
        if len(tops) != len(self._anchor) or len(self._past) < 2:
            return False
        before = self._past[-2][1]
        for top in tops:
            if not any(_apart(top.corners, other.corners) < SAME_SIDES for other in self._anchor):
                return False
            if not lies_still(before, grey, top.corners):
                return False
        return True

    def _is_as_known(self, tops: Sequence[Top]) -> bool:
        """True if nothing lies where nothing lay, though something may be hidden."""
        return all(
            any(_apart(top.corners, die.corners) < SAME_SIDES for die in self._known or ())
            for top in tops
        ) and len(tops) == len(self._known or ())

    def _declared(self, frame: Frame, tops: Sequence[Top]) -> Throw | None:
        """Judge what lies here now that it lies still."""
        is_calm = frame.at_s - self._changed_s > CALM_S
        known = self._known
        if known is not None and len(tops) < len(known) and not is_calm:
            return None  # some are in a hand, or under it
        look = self._reader.read(frame.pixels, empty=self._empty)
        moved = _moved(known or (), look.readings)
        if known is None or (not any(moved) and (is_calm or len(look.readings) == len(known))):
            self._take(look.readings)
            return None
        if not any(moved):
            return None
        rolled = [die for die, is_moved in zip(look.readings, moved, strict=True) if is_moved]
        if any(die.certainty < CERTAIN for die in rolled) and not is_calm:
            return None  # perhaps a later frame is clearer, or it is no die
        at_s = max(self._rest_of(die.corners) for die in rolled)
        self._take(look.readings)
        dice = tuple(LyingDie(d, m) for d, m in zip(look.readings, moved, strict=True))
        accepted = look.accepted or all(die.certainty >= CERTAIN for die in rolled)
        return Throw(at_s, frame.at_s, accepted, dice, look.doubts)

    def _take(self, readings: tuple[DieReading, ...]) -> None:
        self._known = readings
        self._settler.declare(empty=not readings)

    def _rest_of(self, corners: Floats) -> float:
        """Time of the first frame since which a die lies as it does now."""
        now = self._past[-1][1]
        since_s = self._past[-1][0]
        for at_s, grey in list(self._past)[-2::-1]:
            if not lies_still(grey, now, corners, loose=2.0):
                break
            since_s = at_s
        return since_s


def lies_still(before: Pixels, now: Pixels, corners: Floats, loose: float = 1.0) -> bool:
    """True if a die lies in both frames, in the same place."""
    seen = drift(cut_around(before, corners), cut_around(now, corners))
    return seen.sides < loose * STILL_SIDES and seen.explained > STILL_SHARE


def _is_die(top: Top) -> bool:
    return top.seen.heat >= 0.5


def _apart(one: Floats, other: Floats) -> float:
    """How far two upper sides are from each other, in sides."""
    side_px = float(np.hypot(*(one[1] - one[0])))
    return float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))) / max(1.0, side_px)


def _moved(known: Sequence[DieReading], now: Sequence[DieReading]) -> list[bool]:
    """Which dice were rolled, since the last rest."""
    free = list(known)
    moved = [True] * len(now)
    for number, die in enumerate(now):
        here = min(free, key=lambda old: _apart(die.corners, old.corners), default=None)
        if here is None or _apart(die.corners, here.corners) >= SAME_SIDES:
            continue
        if (die.kind, die.face) == (here.kind, here.face) or die.certainty < CERTAIN:
            moved[number] = False
            free = [old for old in free if old is not here]
    for number, die in enumerate(now):
        if not moved[number]:
            continue
        near = [o for o in free if (o.kind, o.face) == (die.kind, die.face)]
        here = min(near, key=lambda old: _apart(die.corners, old.corners), default=None)
        if here is not None and _apart(die.corners, here.corners) < PUSHED_SIDES:
            moved[number] = False
            free = [die for die in free if die is not here]
    return moved
