"""What changes from frame to frame in a tray's picture, and whether it may be a die that flies."""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.seek import Floats, side_px

SHRINK, DIFFERENT, CELLS = 4, 9, 3  # what counts as a change of the picture
NOISIEST = 18  # that much noise of a camera in little light is no change
LATELY, ENOUGH = 90, 30  # frames, one of which at least shows noise alone, wherever one looks
TILE = 20  # cells that are as noisy as each other
BEYOND = 1.7  # times the least of what was strongest in each of these frames: more is a change
IS_WHOLE = 0.4  # of the picture changes: that is the light
LEAST, MOST = 0.15, 5.0  # upper sides of dice that a blurred die in flight is large
AROUND_SIDES = 1.2  # of a die that lies: its shadow and its sides belong to it


class Changes:
    """Compares every grey frame with the one before."""

    def __init__(self) -> None:
        self._small: Pixels | None = None
        self._changed: Pixels | None = None
        self._strongest: deque[Pixels] = deque(maxlen=LATELY)

    def sees(self, grey: Pixels) -> bool:
        """True if the picture differs from the frame before."""
        size = (max(1, grey.shape[1] // SHRINK), max(1, grey.shape[0] // SHRINK))
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        before, self._small, self._changed = self._small, small, None
        if before is None or before.shape != small.shape:
            self._strongest.clear()
            return True
        apart_by = np.asarray(cv2.absdiff(small, before), np.uint8)
        self._changed = np.asarray(cv2.inRange(apart_by, (DIFFERENT + 1,), (255,)), np.uint8)
        self._strongest.append(_strongest(apart_by))
        if len(self._strongest) >= ENOUGH and cv2.countNonZero(self._changed) >= CELLS:
            self._changed[apart_by <= self._noise(apart_by.shape)] = 0
        return cv2.countNonZero(self._changed) >= CELLS

    def _noise(self, shape: tuple[int, ...]) -> Pixels:
        """By how much each cell may differ though nothing moves."""
        least = np.min(self._strongest, axis=0)
        tiles = np.clip(BEYOND * least, DIFFERENT, NOISIEST).astype(np.uint8)
        cells = tiles.repeat(TILE, axis=0).repeat(TILE, axis=1)
        return np.asarray(cells[: shape[0], : shape[1]], np.uint8)

    def fly_beside(self, lying: Sequence[Floats]) -> bool:
        """True if something of the size of a die moves, not at the edge, beside those that lie.

        lying  their corners (4, 2) in pixels, at least one.
        """
        if self._changed is None or cv2.countNonZero(self._changed) > IS_WHOLE * self._changed.size:
            return False
        changed = cv2.dilate(self._changed, np.ones((3, 3), np.uint8))
        side = float(np.median([side_px(corners) for corners in lying])) / SHRINK
        for corners in lying:
            x, y = (round(float(v)) for v in corners.mean(axis=0) / SHRINK)
            cv2.circle(changed, (x, y), max(1, round(AROUND_SIDES * side)), (0,), -1)
        height, width = changed.shape
        for left, top, wide, high, area in cv2.connectedComponentsWithStats(changed)[2][1:]:
            is_inside = left > 0 and top > 0 and left + wide < width and top + high < height
            if is_inside and LEAST * side**2 < area < MOST * side**2:
                return True
        return False


def _strongest(apart_by: Pixels) -> Pixels:
    """By how much two pictures differ at most in each tile."""
    rows, columns = (np.arange(0, n, TILE) for n in apart_by.shape)
    by_row = np.maximum.reduceat(apart_by, rows, axis=0)
    return np.asarray(np.maximum.reduceat(by_row, columns, axis=1), np.uint8)
