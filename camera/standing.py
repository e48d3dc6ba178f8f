"""How a camera that stands still looks at its tray, remembered from roll to roll.

Several dice in one picture tell the slant together; one alone that leans looks like any die seen
from the side. So the slant of earlier pictures is kept, and a die is compared with that. Single
dice tell it too, if three throws of them agree, each lying elsewhere. A camera that was moved is
noticed in the same ways: by dice that agree with each other and not with what is remembered. Until
then the tray tells it, by its straight edges or by an outline that somebody drew.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from camera.halves import Halves, Picture
from camera.seek import Floats
from camera.slant import Outline, Slant
from camera.vanishing import slants_seen

TOGETHER = 3  # dice that agree, from which a picture tells the slant
KEPT = 9  # pictures that are remembered
ALIKE = 0.11  # of a side, by which ways down of flat dice differ at most
MOVED = 0.16  # the same, from which several dice no longer fit what is remembered
LONELY = 3  # throws of fewer dice that must agree to tell how the camera looks
ELSEWHERE_SIDES = 0.35  # a die that lies farther away was thrown anew


class Sight(NamedTuple):
    """Middles of upper sides and ways down of dice in one picture, (N, 2) pixels; their slant."""

    middles: Floats
    downs: Floats
    slant: Slant

    def apart(self, slant: Slant) -> Floats:
        """How much they (N) differ from dice that lie flat under a slant, in sides."""
        sides, expected = (one.sides(self.middles)[:, None] for one in (self.slant, slant))
        gaps = self.downs / sides - slant.down(self.middles) / expected
        return np.asarray(np.hypot(gaps[:, 0], gaps[:, 1]), np.float64)

    def off(self, slant: Slant) -> float:
        """How much most of them do."""
        return float(np.median(self.apart(slant)))


class Standing:
    """Remembers one camera's slant, for pictures of one size.

    drawn  what the empty tray tells of it, one slant for each lens; None until it was looked at.
    """

    def __init__(self) -> None:
        self.drawn: Sequence[Slant] | None = None
        self._looked: tuple[Picture | None, Sequence[Slant]] = (None, ())
        self._size: tuple[int, ...] = ()
        self._kept: deque[Sight] = deque(maxlen=KEPT)
        self._lonely: deque[Sight] = deque(maxlen=LONELY)
        self._best: Slant | None = None

    @property
    def slant(self) -> Slant | None:
        """What is remembered; None as long as nothing is."""
        return self._best

    def expected(
        self, picture: Picture, empty: Picture | None, dice: Sequence[Outline]
    ) -> Sequence[Slant]:
        """What the tray tells, by straight edges in a picture.

        empty  the tray without dice, if it is known: looked at once. A picture with dice tells of
               itself only, for the camera may be moved, or a hand may be in its way.
        dice   outlines of what else has edges.
        """
        drawn = self.drawn
        if drawn is None and empty is not None:
            drawn = self.drawn = slants_seen(Halves.of(empty).pixels)
        if drawn is None and self._looked[0] is not picture:
            self._looked = picture, slants_seen(Halves.of(picture).pixels, dice)
        return self._looked[1] if drawn is None else drawn

    def forget(self) -> None:
        """Forget all: what was seen up to now was seen badly."""
        self._best = None
        self._kept.clear()
        self._lonely.clear()

    def saw(self, sight: Sight, size: tuple[int, ...]) -> None:
        """Take note of the dice of one picture of so many pixels."""
        if size != self._size:
            self._size = size
            self.forget()
        apart = sight.apart(sight.slant)
        agreeing = apart < ALIKE
        if agreeing.sum() >= max(TOGETHER, 0.75 * len(apart)):
            flat = Sight(sight.middles[agreeing], sight.downs[agreeing], sight.slant)
            self._take(flat)
        elif len(apart) < TOGETHER and (self._best is None or sight.off(self._best) > MOVED):
            self._hear(sight)

    def _take(self, sight: Sight) -> None:
        """Remember dice that tell the slant together."""
        if self._best is not None and sight.off(self._best) > MOVED:
            self._kept.clear()
        if self._kept and not _is_elsewhere(sight, self._kept[-1]):
            return
        self._lonely.clear()
        self._kept.append(sight)
        self._settle()

    def _hear(self, sight: Sight) -> None:
        """A few dice tell something new: they lean, or that is how the camera looks."""
        if self._lonely and not _is_elsewhere(sight, self._lonely[-1]):
            return
        self._lonely.append(sight)
        told = [one.slant for one in self._lonely]
        if len(told) == LONELY and any(
            all(one.off(slant) < ALIKE for one in self._lonely) for slant in told
        ):
            self._kept.clear()
            self._kept.extend(self._lonely)
            self._lonely.clear()
            self._settle()

    def _settle(self) -> None:
        """Choose, of the slants that pictures told, the one that explains all of them best."""
        slants = [sight.slant for sight in self._kept]
        costs = [sum(sight.off(slant) for sight in self._kept) for slant in slants]
        self._best = slants[int(np.argmin(costs))]


def may_be_used(slant: Slant, sight: Sight) -> bool:
    """False if several dice agree with each other and not with a slant: the camera was moved."""
    if len(sight.middles) < TOGETHER or sight.off(sight.slant) > ALIKE:
        return True
    return sight.off(slant) <= MOVED


def _is_elsewhere(one: Sight, other: Sight) -> bool:
    """True if dice lie otherwise than in another picture."""
    if len(one.middles) != len(other.middles):
        return True
    gaps = one.middles[:, None] - other.middles[None]
    nearest = np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1)
    return bool((nearest > ELSEWHERE_SIDES * one.slant.scale).any())
