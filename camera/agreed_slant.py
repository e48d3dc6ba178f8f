"""Tell the slant again from where dice show their lower sides, measured closely.

Most dice of a throw lie flat, so most of them agree on how the camera looks at the floor; one that
leans disagrees, and counts little, as does one that is seen badly. What a die is compared with is
told by the others alone.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from camera.seek import Floats
from camera.slant import FARTHEST, Slant, Slants, nears_under, normals_of

OFF = 0.06  # of a side, by which a way down of an earlier die is off
MOST = 2.0  # times that; what is farther off hardly counts more
FOCALS = (1.0, 1.4, 2.1)  # times the focal length of a slant that is told anew
KNOWN = 0.06  # radians, up to which a slant is known so well that its focal length is right
COARSE, FINE = 0.06, 0.025  # of tangents, between slants that are tried
FAR, NEAR = 7, 2  # so many steps to each side


class Agreed(NamedTuple):
    """The slant that most dice agree on; and those that all but each of them agree on."""

    slant: Slant
    beside: Slants


class Earlier(NamedTuple):
    """Dice that lay flat in earlier pictures: middles of upper sides, ways down (M, 2), pixels."""

    middles: Floats
    ways: Floats


class Ways:
    """Ways down that dice show, and what they say of a slant.

    start    the slant that is told again; `spread`, in radians, is how well it was known. Dice
             stay as large as they look under it.
    middles  (N, 2) of upper sides, in pixels.
    ways     (N, 2) from those to the middles of lower sides, in pixels.
    offs     (N) of a side, how far those are off, each way.
    sure     (N) which of them are dice for sure; only these have a say, if there are any.
    earlier  dice that have a say, too, and of which nothing is told.
    """

    def __init__(
        self, start: Slant, spread: float, middles: Floats, ways: Floats, offs: Floats,
        sure: npt.NDArray[np.bool_], earlier: Earlier | None = None,
    ) -> None:  # fmt: skip
        self._start, self._spread, self._count = start, spread, len(middles)
        heard = (sure if sure.any() else np.ones_like(sure)).astype(np.float64)
        if earlier is not None:
            middles = np.concatenate([middles, earlier.middles])
            ways = np.concatenate([ways, earlier.ways])
            offs = np.concatenate([offs, np.full(len(earlier.ways), OFF)])
            heard = np.concatenate([heard, np.ones(len(earlier.ways))])
        self._middles, self._sides = middles, start.sides(middles)
        self._ways, self._offs, self._heard = ways / self._sides[:, None], offs, heard

    def agreed(self) -> Agreed:
        """Try slants all around, then beside the best: the best of all, and of all others."""
        focal, best = self._nearly()
        tried = best[:, None] + FINE * _around(NEAR)
        costs = self._against(tried.reshape(-1, 2), focal).reshape(len(best), -1, len(best))
        number = np.arange(len(best))
        normals = normals_of(tried[number, costs[number, :, number].argmin(axis=1)])
        scale = float(np.median(self._scales(normals[0], focal)))
        first = Slant(normals[0], scale, focal, self._start.centre)
        scales = self._scales(normals[1:], focal, slice(self._count))
        return Agreed(first, Slants(normals[1:], scales, focal, first.centre))

    def _nearly(self) -> tuple[float, Floats]:
        """The focal length that suits most dice, and the best of slants all around: (1 + N, 2)."""
        guesses = _tangents(self._start.normal) + COARSE * _around(FAR)
        times = FOCALS if self._spread > KNOWN else FOCALS[:1]
        tried = [
            (focal, self._against(guesses, focal)) for focal in self._start.focal * np.array(times)
        ]
        focal, costs = min(tried, key=lambda one: float(one[1][:, 0].min()))
        return float(focal), np.asarray(guesses[costs.argmin(axis=0)], np.float64)

    def around(self, die: int, normals: Floats, focal: float) -> Slants:
        """Slants with other normals (K, 3) under which one die looks as large."""
        return Slants(normals, self._scales(normals, focal, die), focal, self._start.centre)

    def _scales(self, normals: Floats, focal: float, dice: int | slice = slice(None)) -> Floats:
        """Scales with which dice look as large, all on one plane or each on its own."""
        nears = nears_under(normals, self._rays(focal)[dice])
        return np.asarray(self._sides[dice] / nears**1.5, np.float64)

    def _rays(self, focal: float) -> Floats:
        return self._start._replace(focal=focal).rays(self._middles)

    def doubts(self, normals: Floats, focal: float, die: int) -> Floats:
        """What all dice but this one say against slants (K, 3): (K)."""
        return np.asarray(self._against(_tangents(normals), focal)[:, 1 + die], np.float64)

    def _against(self, tangents: Floats, focal: float) -> Floats:
        """What speaks against slants (K, 2): (K, 1 + N), for all dice, then for all but each."""
        normals, rays = normals_of(tangents), self._rays(focal)
        # plane by plane: numpy takes far longer along an axis of two or three
        (x, y), (across, down, up) = rays.T, normals.T[..., None]
        nears = np.maximum(-(across * x + down * y) - up, FARTHEST)
        share = self._start.scale / focal
        longer = nears**-0.5 / (1 - share * nears * up)
        wide = self._ways[:, 0] - longer * (up * x - across)
        high = self._ways[:, 1] - longer * (up * y - down)
        off = (wide**2 + high**2) / self._offs**2
        costs = self._heard * off / (1 + off / MOST**2) / 2
        away = (1 - normals @ self._start.normal) / self._spread**2
        whole = (costs.sum(axis=1) + away)[:, None]
        return np.concatenate([whole, whole - costs[:, : self._count]], axis=1)


def _around(steps: int) -> Floats:
    """Places (K, 2) in a square, so many steps to each side."""
    across, down = np.mgrid[-steps : steps + 1, -steps : steps + 1]
    return np.column_stack([across.ravel(), down.ravel()]).astype(np.float64)


def _tangents(normals: Floats) -> Floats:
    return np.asarray(normals[..., :2] / -normals[..., 2:], np.float64)
