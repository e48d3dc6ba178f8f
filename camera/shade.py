"""Tell a dark die from a shadow: all dice of a picture throw theirs alike.

What is darker than the empty tray, with the floor's own hue, may be a shadow of a die that was
read, or a grey one beside it. Under one lamp the others then throw theirs as far and to the same
side, and as deep. Where they do not, something lies there.
"""

from collections.abc import Sequence

import numpy as np

from camera.edges import stretches
from camera.patches import Singles
from camera.seek import Floats
from camera.slant import Slant

NOISE = 30.0  # is added to sums of three channels: in the dark, noise tells nothing
HERE_SIDES, THERE_SIDES = 0.35, 0.25  # around the middle of a place, and where a shadow may lie
HERE_SHARE, THERE_SHARE = 0.15, 0.5  # of that, which no die may cover
FARTHEST = 5.0  # half diagonals, from a die to the end of its shadow


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

    def _away(self, place: Floats) -> list[tuple[int, Floats]]:
        """Dice near a place, and where it lies from them, in half diagonals."""
        away = np.einsum("ni,nij->nj", place - self._feet, np.linalg.inv(self._ways))
        return [(number, way) for number, way in enumerate(away) if np.hypot(*way) < FARTHEST]

    def _others(self, thrown: tuple[int, Floats]) -> float | None:
        """What is left of the light, mostly, as far from all dice but this one; None if unseen."""
        number, way = thrown
        places = np.delete(self._feet + way @ self._ways, number, axis=0)
        kept = [self._at(place, THERE_SIDES, THERE_SHARE) for place in places]
        seen = [share for share in kept if share is not None]
        return float(np.median(seen)) if seen else None

    def _at(self, place: Floats, reach_sides: float, least: float) -> float | None:
        """What is left of the light around a place, if it is seen."""
        x, y = np.round((place + 0.5) * self._scale - 0.5).astype(int).tolist()
        reach = max(1, int(reach_sides * self._side))
        if min(x, y) < reach:
            return None
        part = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
        free = self._free[part]
        if free.size < (2 * reach + 1) ** 2 or free.mean() < least:
            return None
        return float((self._kept[part] * free).sum() / free.sum())
