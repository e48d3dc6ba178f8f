"""What pictures are drawn on: a square with corners (0, 0) and (1, 1)."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]
Point = tuple[float, float]


class Canvas:
    """A face while it is drawn, in units of its side."""

    def __init__(self, side_px: int, body: Colour) -> None:
        self.side_px = side_px
        self.pixels: Pixels = np.full((side_px, side_px, 3), body, np.uint8)

    def _px(self, points: Sequence[Point]) -> npt.NDArray[np.int32]:
        return np.round(np.array(points) * self.side_px).astype(np.int32)

    def area(self, points: Sequence[Point], colour: Colour) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.pixels, [self._px(points)], colour)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """Draw an open line."""
        width_px = max(1, round(width * self.side_px))
        cv2.polylines(self.pixels, [self._px(points)], False, colour, width_px)

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        x, y = self._px([centre])[0]
        cv2.circle(self.pixels, (int(x), int(y)), round(radius * self.side_px), colour, -1)

    def ring(self, centre: Point, radius: float, colour: Colour, width: float) -> None:
        """Draw a circle."""
        x, y = self._px([centre])[0]
        width_px = max(1, round(width * self.side_px))
        cv2.circle(self.pixels, (int(x), int(y)), round(radius * self.side_px), colour, width_px)
