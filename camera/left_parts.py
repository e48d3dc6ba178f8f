"""Parts of a picture that differ from the empty tray: as large as a die, or cut by an edge.

What the picture's edge leaves of a die may be thin, and is less strange than a whole one: half of
what is around it is not in the picture. So that the glow of a lamp is none, light has to change
there from one pixel to the next, as at the edge of a body.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

DIFFERENT = 0.16  # share of the floor's light by which a body differs from it
CUT_DIFFERENT = 0.1  # the same of what the edge has cut
LEAST_SIDES = 0.3  # across; what is smaller is fluff
CUT_SIDES = 0.2  # the same of what the edge has cut
SHARP = 0.14  # logarithm of light, by which that changes there from a pixel to the next
MOST_SIDES = 2.0  # across what is left of a die, with its walls; an arm goes on

Singles = npt.NDArray[np.float32]
_AROUND = np.ones((5, 5), np.uint8)


class Left(NamedTuple):
    """Something that lies in a tray: its place in pixels, and how strange it is there.

    strange  share of the floor's light by which it differs, at most.
    is_dark  whether only a lack of light tells of it.
    is_cut   whether it may be what the edge of the picture has left of a die.
    """

    x: int
    y: int
    strange: float
    is_dark: bool = False
    is_cut: bool = False


def told_at(x: int, y: int) -> str:
    """What is doubtful about a place where something lies."""
    return f"something at ({x}, {y}) that was not in the empty tray"


def told_cut(x: int, y: int) -> str:
    """The same of a place where it may be a die that the edge of the picture cuts."""
    return f"something at ({x}, {y}) that may be a die, cut by the edge: throw this one again"


def told_left(left: Left) -> str:
    """The same of what is left there."""
    return (told_cut if left.is_cut else told_at)(left.x, left.y)


class _Part(NamedTuple):
    """A part that is strange all over; `width` and `height` in sides, `at` a place in the map."""

    at: tuple[float, float]
    width: float
    height: float
    strange: float
    is_at_edge: bool
    mask: npt.NDArray[np.bool_]

    @property
    def is_cut(self) -> bool:
        return self.is_at_edge and max(self.width, self.height) <= MOST_SIDES

    def left(self, times: int) -> Left:
        x, y = (round(2**times * v) for v in self.at)
        return Left(x, y, self.strange, is_cut=self.is_cut)


def large(strange: Singles, times: int, side: float) -> list[Left]:
    """What is about as large as a die and strange all over.

    strange  how strange each place is (H, W), of pictures that were halved so many times.
    side     of a die, in its pixels.
    """
    return [part.left(times) for part in _large(strange, side)]


def cut(
    strange: Singles, steps: Callable[[], Singles], times: int, side: float
) -> list[Left]:  # fmt: skip
    """What the edge of the picture may have left of a die, where nothing `large` is.

    steps  gives logarithms by which light changes from each place (H, W) to its neighbours; asked
           only where something is left.
    """
    thin = [
        part for part in _parts(strange, CUT_DIFFERENT, CUT_SIDES, side)
        if part.is_cut and max(part.width, part.height) >= LEAST_SIDES
    ]  # fmt: skip
    known = [part.mask for part in _large(strange, side)] if thin else []
    thin = [part for part in thin if not any((part.mask & mask).any() for mask in known)]
    if not thin:
        return []
    is_sharp = steps() > SHARP
    return [part.left(times) for part in thin if is_sharp[_around(part.mask)].any()]


def _around(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), _AROUND) > 0, np.bool_)


def _large(strange: Singles, side: float) -> list[_Part]:
    return list(_parts(strange, DIFFERENT, LEAST_SIDES, side))


def _parts(
    strange: Singles, least: float, least_sides: float, side: float
) -> Iterator[_Part]:  # fmt: skip
    """What is connected, all over as strange as that, and that large across."""
    is_odd = strange > least
    if not is_odd.any():
        return
    count, marks, boxes, middles = cv2.connectedComponentsWithStats(is_odd.astype(np.uint8))
    size = strange.shape[::-1]
    for number in range(1, count):
        low, across = boxes[number][:2], boxes[number][2:4]
        width, height = (across / side).tolist()
        if min(width, height) < least_sides:
            continue
        mask = marks == number
        is_at_edge = bool((low == 0).any() or (low + across == size).any())
        x, y = middles[number].tolist()
        yield _Part((x, y), width, height, float(strange[mask].max()), is_at_edge, mask)
