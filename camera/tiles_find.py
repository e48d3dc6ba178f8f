"""Find the tiles of a square: one at most near the middle of each of its squares.

Foreground, flat picture and the fitting of a square outline are those of the dice (camera/ground.py
and camera/find.py). Only squares that look different from before are searched again. What fits no
tile is reported: a hand on the square is not a tile, and no rest either.
"""

from collections.abc import Mapping
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.calibrate import Floats, Pixels, ZoneView
from camera.find import Body, body_of, fitted
from camera.ground import FIND_PX, Ground, flat_px
from camera.square import Lattice, square_names

CHANGED = 5.0  # of 255, mean of a square: noise stays below 2, another side of a tile is above 15
EMPTY = 0.2  # of a tile: less foreground than this is fluff, or the rim of a neighbour
FITS = 0.53  # tiles among crowding neighbours reach 0.57, what is covered all over 0.4
STRAY = 0.16  # of a tile: so much in one place that no tile explains is a hand, or a thing
_NEAR = 0.56  # sides around the middle of a square in which its tile shows
_STARTS = (-0.2, 0.0, 0.2)  # radians
_PLACE_PX = 28
_OFF = np.zeros(2)


class Laid(NamedTuple):
    """What lies on the squares.

    bodies   the tile on each square that has one.
    fresh    squares that look different from the last time that was kept.
    foreign  how much there is in one place that is no tile, in tiles.
    """

    bodies: Mapping[str, Body]
    fresh: frozenset[str]
    foreign: float

    @property
    def is_clear(self) -> bool:
        """True if nothing but tiles lies there."""
        return self.foreign < STRAY


class SquareFinder:
    """Finds the tiles of one square; `empty` is a picture of it without any."""

    def __init__(self, view: ZoneView, lattice: Lattice, empty: Pixels) -> None:
        self._ground = Ground(view, empty, is_packed=True)
        self._view = view
        self._starts = {name: lattice.middle(name) for name in square_names(lattice.columns)}
        self._cells = {name: _cell(middle) for name, middle in self._starts.items()}
        self._kept: dict[str, tuple[Pixels, Body | None]] = {}

    def find(self, pixels: Pixels) -> Laid:
        """Find the tiles in a picture (H, W, 3) uint8 BGR; raise PictureError for anything else."""
        self._view.check(pixels)
        flat = self._ground.flat(pixels)
        fresh = frozenset(name for name in self._cells if self._is_fresh(name, flat))
        bodies = {n: b for n, (_, b) in self._kept.items() if b is not None and n not in fresh}
        if not fresh:
            return Laid(bodies, fresh, 0.0)
        mask = self._ground.foreground(flat)
        share = np.asarray(mask > 0, np.float32)
        foreign = 0.0
        for name in sorted(fresh):
            body, left_over = self._fit(share, name)
            foreign = max(foreign, left_over)
            if body is not None:
                bodies[name] = body
        foreign = max(foreign, self._unexplained(mask, bodies))
        found = Laid(bodies, fresh, foreign)
        if found.is_clear:
            self._keep(flat, found)
        return found

    def forget(self, squares: frozenset[str]) -> None:
        """Look at these squares again the next time, whether they have changed or not."""
        for name in squares:
            self._kept.pop(name, None)

    def _is_fresh(self, name: str, flat: Pixels) -> bool:
        if name not in self._kept:
            return True
        before, _ = self._kept[name]
        return float(cv2.norm(flat[self._cells[name]], before, cv2.NORM_L1)) > CHANGED * before.size

    def _keep(self, flat: Pixels, found: Laid) -> None:
        for name in found.fresh:
            self._kept[name] = (flat[self._cells[name]].copy(), found.bodies.get(name))

    def _fit(self, share: npt.NDArray[np.float32], name: str) -> tuple[Body | None, float]:
        """Fit a tile to the foreground of a square; return it, or how much lies there unexplained.

        A tile's outline stands out from the ground around it; where a hand covers both, none does.
        """
        there = float(share[self._cells[name]].sum()) / FIND_PX**2
        if there < EMPTY:
            return None, 0.0
        x, y = flat_px(self._starts[name]) - 0.5
        tried = [fitted(share, np.array([x, y, angle, 0.0])) for angle in _STARTS]
        best = max(tried, key=lambda square: float(square[3]))
        if best[3] < FITS:
            return None, there
        return body_of(best, _OFF)._replace(fit=1.0), 0.0  # crowded, perhaps, but never leaning

    def _unexplained(self, mask: npt.NDArray[np.uint8], bodies: Mapping[str, Body]) -> float:
        """How much lies in one place on the ground between the tiles, in tiles."""
        rest = (mask > 0).astype(np.uint8)
        for body in bodies.values():
            outline = np.round(flat_px(body.corners(1.1)) - 0.5).astype(np.int32)
            cv2.fillConvexPoly(rest, outline, (0,))
        near = cv2.boxFilter(rest, cv2.CV_16U, (_PLACE_PX, _PLACE_PX), normalize=False)
        return float(np.max(near)) / FIND_PX**2


def _cell(middle: Floats) -> tuple[slice, slice]:
    """Rows and columns of the flat picture in which the tile of a square shows."""
    x0, y0 = np.round(flat_px(middle - _NEAR)).astype(int)
    x1, y1 = np.round(flat_px(middle + _NEAR)).astype(int)
    return slice(int(y0), int(y1)), slice(int(x0), int(x1))
