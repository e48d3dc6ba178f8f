"""Whether something moves in a zone: cheap enough for every frame.

A zone is compared in a quarter of its size, where noise averages out and a die that moves by half a
pixel still shows. Changes of the light as a whole are no motion.
"""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from camera.calibrate import Floats, Pixels, ZoneView, map_points
from camera.find import Body

SHRINK = 4
DIFFERENT = 9  # of 255; noise is below 5 after averaging 16 pixels
_CELLS = 2  # so many must differ
_WIDE = 0.4  # so much of the zone must differ before it may be the light


class MotionWatch:
    """Compares the frames of one zone; `empty` is its picture without dice, if there is one."""

    def __init__(self, view: ZoneView, empty: Pixels | None) -> None:
        self._view = view
        left, top, right, bottom = view.bounds_px()
        width, height = (max(1, (right - left) // SHRINK), max(1, (bottom - top) // SHRINK))
        self._size = (width, height)
        self._rows = slice(top, top + height * SHRINK)
        self._columns = slice(left, left + width * SHRINK)
        self._offset = np.array([left, top])
        self._mask = self._zone_mask()
        self._area = cv2.countNonZero(self._mask)
        self._empty = None if empty is None else self.small(empty)

    def small(self, pixels: Pixels) -> Pixels:
        """Cut the zone out of a picture and shrink it."""
        zone = pixels[self._rows, self._columns]
        half = (2 * self._size[0], 2 * self._size[1])  # halving twice is the fastest way
        halved = cv2.resize(zone, half, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(halved, self._size, interpolation=cv2.INTER_AREA), np.uint8)

    def differs(self, small: Pixels, anchor: Pixels) -> bool:
        """True if something other than the light as a whole differs between two small pictures."""
        changed = self._changed(small, anchor)
        if changed < _CELLS or changed < _WIDE * self._area:
            return changed >= _CELLS
        seen, before = (p[self._mask > 0].astype(np.float32) + 1.0 for p in (small, anchor))
        gain = np.median(seen / before, axis=0)
        channels: Any = (*gain.tolist(), 0.0)
        lit = cv2.multiply(anchor, channels)
        return self._changed(small, np.asarray(lit, np.uint8)) >= _CELLS

    def _changed(self, one: Pixels, other: Pixels) -> int:
        """Count the cells of the zone that differ."""
        same = cv2.inRange(cv2.absdiff(one, other), (0, 0, 0), (DIFFERENT,) * 3)
        return cv2.countNonZero(cv2.subtract(self._mask, same))

    def empty_places(self, small: Pixels, bodies: Sequence[Body], anchor: Pixels) -> list[int]:
        """Numbers of those dice in whose place the bare floor is seen.

        anchor   small picture in which all these dice lay in their places.
        """
        if self._empty is None:
            return []
        bare = []
        for number, body in enumerate(bodies):
            left, top, right, bottom = self._place(body)
            here = (slice(top, bottom), slice(left, right))
            floor, die, now = (p[here].astype(np.int16) for p in (self._empty, anchor, small))
            stands_out = np.abs(die - floor).sum(axis=2).mean()
            if np.abs(now - floor).sum(axis=2).mean() < 0.35 * stands_out:
                bare.append(number)
        return bare

    def _place(self, body: Body) -> tuple[int, int, int, int]:
        """Where the middle of a die's upper side is in small pictures."""
        corners = self._small_px(self._view.to_px(body.corners(0.6)))
        low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
        left, top = np.clip(low, 0, np.array(self._size) - 1).astype(int)
        right, bottom = np.clip(high, (left + 1, top + 1), None).astype(int)
        return int(left), int(top), int(right), int(bottom)

    def _zone_mask(self) -> npt.NDArray[np.uint8]:
        """Mark the floor, and what rises above it."""
        width, depth = self._view.zone.size_sides
        floor = np.array([(0, 0), (width, 0), (width, depth), (0, depth)])
        points = np.vstack([floor, map_points(self._view.rise, floor)])
        hull = cv2.convexHull(self._small_px(self._view.to_px(points)).astype(np.float32))
        mask = np.zeros(self._size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), (255,))
        return mask

    def _small_px(self, points: Floats) -> Floats:
        return np.asarray((points - self._offset) / SHRINK - 0.5, np.float64)
