"""What the tray looks like beneath dice that are shown one by one: told by the other pictures.

A die lies elsewhere in each of them, and all else stays: of pictures that are alike, taken in the
same light by a camera that stood still, the middle of every pixel shows the tray without dice.
"""

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.halves import Halves
from camera.pictures import load_picture
from companion.errors import PictureError

SMALL_PX = (32, 24)  # to which pictures are shrunk to be compared
LIKE = 7  # pictures that are laid over each other; a die at one place in three of them does no harm
FEW = 5  # fewer tell nothing


class LessonTrays:
    """Trays without dice, for pictures of one die each; files that are no picture are passed over.

    paths  all pictures, of one or several set-ups.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = list(paths)

    def empty_of(self, path: Path) -> Pixels | None:
        """Give the tray that one of the pictures shows, as (H, W, 3) uint8 BGR, without the die.

        None where too few pictures have its size. Where the camera was moved it is none's tray.
        """
        if path not in self._small:
            return None
        shape, mine = self._small[path]
        apart = {
            other: float(cv2.norm(mine, small, cv2.NORM_L1))
            for other, (size, small) in self._small.items()
            if size == shape and other != path
        }
        if len(apart) < FEW:
            return None
        return _middle([load_picture(one) for one in sorted(apart, key=apart.__getitem__)[:LIKE]])

    @cached_property
    def _small(self) -> dict[Path, tuple[tuple[int, ...], Pixels]]:
        """Each picture's shape, and what it shows, shrunk; made when it is first wanted."""
        found = {}
        for path in self._paths:
            with suppress(PictureError):
                pixels = load_picture(path)
                small = cv2.resize(pixels, SMALL_PX, interpolation=cv2.INTER_AREA)
                found[path] = (pixels.shape, np.asarray(small, np.uint8))
        return found


def _middle(pictures: list[Pixels]) -> Pixels:
    """The middle of each pixel; of half the size, which is fine enough for a floor and takes less.

    That is how dice are sought as well.
    """
    height, width = pictures[0].shape[:2]
    middle = np.median([Halves(one).at(1) for one in pictures], axis=0)
    return np.asarray(cv2.resize(middle.astype(np.uint8), (width, height)), np.uint8)
