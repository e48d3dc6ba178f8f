"""A picture in half its size, a quarter, and so on, for all who look at it coarsely."""

import math
from functools import cached_property

import cv2
import numpy as np

from camera.canvas import Pixels

LEAST_PX = 8  # of the shorter side; smaller pictures are not made


class Halves:
    """A picture (H, W, 3) uint8 in all its sizes, each made once, when it is first wanted.

    An odd row or column at the end is left out. Halves are much faster to make than other sizes.
    Place (x, y) becomes (x - 0.5) / 2 and so on.
    """

    def __init__(self, pixels: Pixels) -> None:
        self._sizes = [pixels]

    @classmethod
    def of(cls, picture: "Pixels | Halves") -> "Halves":
        """Give what was made before of this picture, or begin."""
        return picture if isinstance(picture, Halves) else cls(picture)

    @property
    def pixels(self) -> Pixels:
        """The picture itself."""
        return self._sizes[0]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture itself."""
        return self.pixels.shape[1], self.pixels.shape[0]

    @cached_property
    def grey(self) -> Pixels:
        """The picture without colours (H, W); nobody changes it."""
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), np.uint8)

    def at(self, times: int) -> Pixels:
        """The picture halved so often, or as often as it is large enough for."""
        while len(self._sizes) <= times:
            last = self._sizes[-1]
            height, width = (n // 2 for n in last.shape[:2])
            if min(height, width) < LEAST_PX:
                break
            whole = last[: 2 * height, : 2 * width]
            half = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
            self._sizes.append(np.asarray(half, np.uint8))
        return self._sizes[min(times, len(self._sizes) - 1)]

    def near(self, times: int) -> tuple[Pixels, float]:
        """The same, and its scale."""
        half = self.at(times)
        return half, 0.5 ** min(times, len(self._sizes) - 1)


Picture = Pixels | Halves


def halvings(larger: float) -> int:
    """How often to halve a picture that shows things so many times larger than they are wanted."""
    return math.floor(math.log2(max(1.0, larger)))
