"""Move the square that stands for an upper side to where the picture shows its edges.

The colours just inside and just outside each edge are compared at a few points; where the square
lies right, they differ along all four. A little noise or a symbol moves such a square hardly.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.seek import Floats
from camera.slant import Slant

BESIDE = 0.07  # of half a side: how far inside and outside colours are compared
ENOUGH = 42.0  # difference of colours, summed, from which an edge counts whole
POINTS = 9  # compared along each edge
SIZES = (0.94, 0.97, 1.0, 1.03, 1.06)
_STEPS = ((0.07, 0.07), (0.035, 0.035), (0.018, 0.018))  # of half a side; radians
_NEAR: Floats = np.array([(x, y, a) for x in (-1, 0, 1) for y in (-1, 0, 1) for a in (-1, 0, 1)])
_ALONG = np.linspace(-0.8, 0.8, POINTS)


def _perimeter(size: float) -> npt.NDArray[np.complex128]:
    """Points along the edges of a square with corners at 1, i, -1 and -i, complex numbers."""
    edge = (size + 1j * _ALONG) * (1 + 1j) / 2
    return np.concatenate([edge * 1j**turn for turn in range(4)])


_INSIDE, _OUTSIDE = _perimeter(1 - BESIDE), _perimeter(1 + BESIDE)
_BOTH = np.concatenate([_INSIDE, _OUTSIDE])


class Outline:
    """One square while it is moved.

    stretch  (2, 2) takes the unit circle to the ellipse on which the corners lie, in pixels.
    """

    def __init__(self, pixels: Pixels, stretch: Floats, corners: Floats) -> None:
        self._stretch = stretch
        self.middle = corners.mean(axis=0)
        unit = (corners - self.middle) @ np.linalg.inv(stretch)
        whole = (unit[:, 0] + 1j * unit[:, 1]) * np.array([1, -1j, -1, 1j])
        self.angle, self.size = float(np.angle(whole.sum())), 1.0
        reach = 1.35 * float(np.linalg.norm(stretch, 2)) + 3
        low = np.clip(np.floor(self.middle - reach), 0, None).astype(int)
        high = np.ceil(self.middle + reach).astype(int)
        part = pixels[low[1] : max(high[1], low[1] + 2), low[0] : max(high[0], low[0] + 2)]
        soft = cv2.GaussianBlur(part, (0, 0), 0.8) if part.size else np.zeros((2, 2, 3), np.uint8)
        self._soft = np.asarray(soft, np.int16).reshape(-1, 3)
        self._shape, self._low = soft.shape[:2], low

    def fit(self) -> None:
        """Move and turn the square to where its edges are seen best."""
        for step, turn in _STEPS:
            for _ in range(2):
                places = self.middle + step * (_NEAR[:, :2] @ self._stretch)
                angles = self.angle + turn * _NEAR[:, 2]
                scores = self.scores(places, angles, self.size) - 0.004 * np.abs(_NEAR).sum(axis=1)
                best = int(np.argmax(scores))
                self.middle, self.angle = places[best], float(angles[best])
                if best == len(_NEAR) // 2:
                    break

    def scores(self, places: Floats, angles: Floats, size: float) -> Floats:
        """How clearly edges are seen along squares (K): 0 to 1."""
        turned = size * _BOTH[None] * np.exp(1j * angles)[:, None]
        x = turned.real * self._stretch[0, 0] + turned.imag * self._stretch[1, 0]
        y = turned.real * self._stretch[0, 1] + turned.imag * self._stretch[1, 1]
        x += (places[:, :1] - self._low[0]) + 0.5
        y += (places[:, 1:] - self._low[1]) + 0.5
        columns = np.clip(x.astype(np.int32), 0, self._shape[1] - 1)
        rows = np.clip(y.astype(np.int32), 0, self._shape[0] - 1)
        seen = self._soft[rows * self._shape[1] + columns]
        half = len(_INSIDE)
        apart = np.abs(seen[:, :half] - seen[:, half:]).sum(axis=2)
        return np.asarray(np.minimum(apart, ENOUGH).mean(axis=1) / ENOUGH, np.float64)

    def score(self, size: float) -> float:
        """How clearly edges are seen with another size."""
        return float(self.scores(self.middle[None], np.array([self.angle]), size)[0])

    @property
    def corners(self) -> Floats:
        """The corners (4, 2), clockwise."""
        unit = self.size * np.exp(1j * (self.angle + np.arange(4) * math.pi / 2))
        return np.asarray(self.middle + np.column_stack((unit.real, unit.imag)) @ self._stretch)


def stretch_at(slant: Slant, middle: Floats) -> Floats:
    """The symmetric (2, 2) matrix that shapes squares there."""
    spread, axes = np.linalg.eigh(slant.shapes(middle[None])[0])
    return np.asarray(axes @ np.diag(np.sqrt(np.maximum(spread, 1e-9))) @ axes.T, np.float64)


def fitted(pixels: Pixels, slant: Slant, tops: Sequence[Floats]) -> list[Floats]:
    """Measure upper sides (4, 2) again, all as squares of one size on one plane."""
    outlines = [Outline(pixels, stretch_at(slant, t.mean(axis=0)), t) for t in tops]
    for outline in outlines:
        outline.fit()
    totals = [sum(outline.score(size) for outline in outlines) for size in SIZES]
    size = SIZES[int(np.argmax(totals))]
    if size != 1.0:
        for outline in outlines:
            outline.size = size
            outline.fit()
    return [outline.corners for outline in outlines]
