"""Dice of which the edge of the picture has left half or less.

The seeker knows dice whose middle is in the picture. Where a picture is mirrored beyond its edge,
what is left of a die becomes whole enough for it. Mirrored shadows and walls look like dice, too,
above all in the corners of a picture; but they hardly stand out from what is around them. Where
the seeker sees nothing at the edges, even faintly, nobody looks beyond them: that is so in more
than half of the pictures without such dice.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from camera.halves import Halves, halvings
from camera.leftover import stand_out
from camera.seek import LARGE_PX, SMALL_PX, WORK_PX, Floats, Seeker, sides_of

FAINT = 0.04  # heat at an edge of the picture as it is, below which nothing is left of a die there
LIKE_ONE = 0.35  # heat; what stands out at the edges of trays without dice had more in 1 of 100
WITHIN = 0.35  # of a side from the edge: what lies farther inside the seeker knows by itself
BEYOND = 0.45  # of a side: what is farther outside is the image of a whole die
SMALLER, LARGER = 0.5, 2.0  # times as large as the other dice
BESIDE = 0.3  # of a side from the upper sides of other dice


def cut_off(
    seeker: Seeker, picture: Halves, dice: Sequence[Floats], turns: int = 0
) -> list[tuple[int, int]]:
    """Where in the picture the rest of a die lies at its edge, beside these dice (4, 2)."""
    if not dice:
        return []
    corners = np.array(dice)
    side, size = float(np.median(sides_of(corners))), np.array(picture.size_px)
    faint = (one.middle for one in seeker.seek(picture, FAINT, turns))
    if not any(_is_near_edge(at, side, size) and _is_beside(at, corners, side) for at in faint):
        return []
    scale = min(max(WORK_PX / size.max(), SMALL_PX / side), LARGE_PX / side)
    near, share = picture.near(halvings(1 / scale))
    margin = math.ceil(share * side)
    wider = np.pad(near, ((margin, margin), (margin, margin), (0, 0)), "reflect")
    places = []
    for seen in seeker.seek_at(wider, scale / share, LIKE_ONE, turns):
        middle = (seen.middle - margin + 0.5) / share - 0.5
        is_large = SMALLER * side < seen.side_px / share < LARGER * side
        if (
            is_large and _is_at_edge(middle, side, size) and _is_beside(middle, corners, side)
            and stand_out(wider, seen.corners[None])[0]
        ):  # fmt: skip
            x, y = np.clip(middle, 0, size - 1).round().astype(int)
            places.append((int(x), int(y)))
    return places


def _is_near_edge(middle: Floats, side: float, size: Floats) -> bool:
    """Whether it lies at an edge of the picture, or in a corner."""
    return bool(_gaps(middle, side, size).min() < BEYOND)


def _is_at_edge(middle: Floats, side: float, size: Floats) -> bool:
    """Whether it lies at one edge of the picture, and not in a corner."""
    gaps = _gaps(middle, side, size)
    return bool(-BEYOND < gaps.min() < WITHIN < gaps.max())


def _gaps(middle: Floats, side: float, size: Floats) -> Floats:
    """How many sides it is from the nearer edge across and down (2,); outside below 0."""
    return np.asarray(np.minimum(middle, size - 1 - middle) / side, np.float64)


def _is_beside(middle: Floats, corners: Floats, side: float) -> bool:
    """Whether no die that was read reaches there."""
    x, y = middle.tolist()
    inside = [cv2.pointPolygonTest(top.astype(np.float32), (x, y), True) for top in corners]
    return max(inside) < -BESIDE * side
