"""How a camera that stands still looks at its tray, remembered from roll to roll.

Several dice in one picture tell the slant together; one alone that leans looks like any die seen
from the side. So the slant of earlier pictures is kept, and a die is compared with that. A camera
that was moved is noticed: dice that agree with each other and not with what is remembered replace
it, and so do single dice that do so three times, each time lying elsewhere.
"""

from collections import deque
from typing import NamedTuple

import numpy as np

from camera.seek import Floats
from camera.slant import Slant

TOGETHER = 3  # dice that agree, from which a picture tells the slant
KEPT = 9  # pictures that are remembered
ALIKE = 0.11  # of shape and way down, by which flat dice differ at most
MOVED = 0.16  # the same, from which several dice no longer fit what is remembered
LONELY = 3  # throws of fewer dice that must agree to say that the camera was moved
ELSEWHERE_SIDES = 0.5  # a die that lies farther away was thrown anew


class Sight(NamedTuple):
    """Upper sides (N, 4, 2) and ways down (N, 2) of dice in one picture, and their slant."""

    corners: Floats
    downs: Floats
    slant: Slant

    def off(self, slant: Slant) -> float:
        """How much most of them differ from dice that lie flat under a slant."""
        return float(np.median(slant.disagrees(self.corners, self.downs).max(axis=1)))


class Standing:
    """Remembers one camera's slant, for pictures of one size."""

    def __init__(self) -> None:
        self._size: tuple[int, ...] = ()
        self._kept: deque[Sight] = deque(maxlen=KEPT)
        self._lonely: deque[Sight] = deque(maxlen=LONELY)
        self._best: Slant | None = None

    @property
    def slant(self) -> Slant | None:
        """What is remembered; None as long as nothing is."""
        return self._best

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
        apart = sight.slant.disagrees(sight.corners, sight.downs).max(axis=1)
        agreeing = apart < ALIKE
        if agreeing.sum() >= max(TOGETHER, 0.75 * len(apart)):
            flat = Sight(sight.corners[agreeing], sight.downs[agreeing], sight.slant)
            self._take(flat)
        elif self._best is not None and len(apart) < TOGETHER and sight.off(self._best) > MOVED:
            self._doubt(sight)

    def _take(self, sight: Sight) -> None:
        """Remember dice that tell the slant together."""
        if self._best is not None and sight.off(self._best) > MOVED:
            self._kept.clear()
        if self._kept and not _is_elsewhere(sight, self._kept[-1]):
            return
        self._lonely.clear()
        self._kept.append(sight)
        self._settle()

    def _doubt(self, sight: Sight) -> None:
        """A few dice do not fit: they lean, or the camera was moved."""
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
    return len(sight.corners) < TOGETHER or sight.off(slant) <= MOVED


def _is_elsewhere(one: Sight, other: Sight) -> bool:
    """True if dice lie otherwise than in another picture."""
    if len(one.corners) != len(other.corners):
        return True
    gaps = one.corners.mean(axis=1)[:, None] - other.corners.mean(axis=1)[None]
    nearest = np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1)
    side_px = np.sqrt(np.abs(np.linalg.det(one.slant.shapes(one.corners.mean(axis=1)))) ** 0.5)
    return bool((nearest > ELSEWHERE_SIDES * side_px).any())
