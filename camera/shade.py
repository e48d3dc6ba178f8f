"""Tell a dark die from a shadow: all dice of a picture throw theirs alike.

What is darker than the empty tray, with the floor's own hue, may be a shadow of a die that was
read, or a grey one beside it. Under one lamp the others then throw theirs as far and to the same
side, and as deep. Where they do not, something lies there; where they do, nothing does.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from camera.edges import stretches
from camera.patches import Singles
from camera.seek import Floats
from camera.slant import Slant

NOISE = 30.0  # is added to sums of three channels: in the dark, noise tells nothing
HERE_SIDES, THERE_SIDES = 0.35, 0.25  # around the middle of a place, and where a shadow may lie
HERE_SHARE, THERE_SHARE = 0.15, 0.5  # of that, which no die may cover
FARTHEST = 5.0  # half diagonals, from a die to the end of its shadow
SHADED, ALIKE = 0.75, 0.16  # of the light, left in a shadow at most; by which two shadows differ


class Shade:
    """How much of the floor's light each place keeps, beside dice that throw shadows.

    now, lit  (H, W) sums of the channels: as it is, and of the bare floor in the same light.
    free      (H, W) 1 where no die is known to lie, else 0.
    dice      corners (4, 2) of upper sides, in pixels of the whole picture.
    scale     of the pictures, to the whole one.
    """

    def __init__(
        self, now: Singles, lit: Singles, free: Singles, slant: Slant, dice: Sequence[Floats],
        scale: float,
    ) -> None:  # fmt: skip
        self._kept, self._free = np.minimum((now + NOISE) / (lit + NOISE), 1.0), free
        self._scale = scale
        self._side = scale * slant.scale * abs(float(slant.normal[2])) ** 0.5
        middles = np.array(dice).reshape(-1, 4, 2).mean(axis=1)
        self._feet = middles + slant.down(middles)
        self._ways = stretches(slant, self._feet)

    def lacking(self, place: Floats) -> float:
        """Share of light that is missing around a place (2,) and that no die's shadow takes away.

        That is 0 where it cannot be told: where dice cover it, or nobody else's shadow is seen.
        """
        kept = self._at(place, HERE_SIDES, HERE_SHARE)
        expected = [] if kept is None else list(filter(None, map(self._others, self._away(place))))
        return max(0.0, min(expected) - kept) if expected and kept is not None else 0.0

    def is_thrown(self, place: Floats) -> bool:
        """True if a die throws its shadow on a place (2,), as others throw theirs beside them."""
        kept = self._at(place, HERE_SIDES, HERE_SHARE)
        if kept is None or kept > SHADED:
            return False
        return any(self._is_alike(place, thrown) for thrown in self._away(place))

    def _is_alike(self, place: Floats, thrown: tuple[int, Floats]) -> bool:
        """True if it is as dark, part by part, as far from another die as from this one.

        Beside others it may fall on a wall, or be hidden.
        """
        mine = self._part(place, HERE_SIDES)
        theirs = [self._part(other, HERE_SIDES) for other in self._beside_others(thrown)]
        gaps = [_apart(mine, one) for one in theirs if mine is not None and one is not None]
        return min((gap for gap in gaps if gap is not None), default=math.inf) < ALIKE

    def _away(self, place: Floats) -> list[tuple[int, Floats]]:
        """Dice near a place, and where it lies from them, in half diagonals."""
        away = np.einsum("ni,nij->nj", place - self._feet, np.linalg.inv(self._ways))
        return [(number, way) for number, way in enumerate(away) if np.hypot(*way) < FARTHEST]

    def _others(self, thrown: tuple[int, Floats]) -> float | None:
        """What is left of the light, mostly, as far from all dice but this one; None if unseen."""
        kept = [self._at(place, THERE_SIDES, THERE_SHARE) for place in self._beside_others(thrown)]
        seen = [share for share in kept if share is not None]
        return float(np.median(seen)) if seen else None

    def _beside_others(self, thrown: tuple[int, Floats]) -> Floats:
        """Places (N, 2) that lie from all dice but one as a place does from that."""
        number, way = thrown
        return np.asarray(np.delete(self._feet + way @ self._ways, number, axis=0))

    def _at(self, place: Floats, reach_sides: float, least: float) -> float | None:
        """What is left of the light around a place, if it is seen."""
        part = self._part(place, reach_sides)
        if part is None or part.free.mean() < least:
            return None
        return float((part.kept * part.free).sum() / part.free.sum())

    def _part(self, place: Floats, reach_sides: float) -> "_Part | None":
        """What is around a place, if all of that is in the picture."""
        x, y = np.round((place + 0.5) * self._scale - 0.5).astype(int).tolist()
        reach = max(1, int(reach_sides * self._side))
        if min(x, y) < reach:
            return None
        part = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
        free = self._free[part]
        return None if free.size < (2 * reach + 1) ** 2 else _Part(self._kept[part], free)


class _Part(NamedTuple):
    """Squares of one size: what is left of the light, and 1 where no die is known to lie."""

    kept: Singles
    free: Singles


def _apart(one: _Part, other: _Part) -> float | None:
    """How much light differs between two squares, where both are free of dice; None if nowhere."""
    free = one.free * other.free
    if free.mean() < HERE_SHARE:
        return None
    return float((np.abs(one.kept - other.kept) * free).sum() / free.sum())
