"""Dice of which the edge of the picture has left half or less.

The seeker knows dice whose middle is in the picture. Where a picture goes on beyond its edge as it
ends there, what is left of a die becomes whole enough for it.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from camera.halves import Halves, halvings
from camera.seek import LARGE_PX, SMALL_PX, WORK_PX, Floats, Seeker, sides_of

LIKE_ONE = 0.3  # heat; what lies at the edges of trays without dice has had 0.25 at most
WITHIN = 0.35  # of a side from the edge: what lies farther inside the seeker knows by itself
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
    scale = min(max(WORK_PX / size.max(), SMALL_PX / side), LARGE_PX / side)
    near, share = picture.near(halvings(1 / scale))
    margin = math.ceil(share * side)
    wider = np.pad(near, ((margin, margin), (margin, margin), (0, 0)), "edge")
    places = []
    for seen in seeker.seek_at(wider, scale / share, LIKE_ONE, turns):
        middle = (seen.middle - margin + 0.5) / share - 0.5
        is_large = SMALLER * side < seen.side_px / share < LARGER * side
        if is_large and _is_at_edge(middle, side, size) and _is_beside(middle, corners, side):
            x, y = np.clip(middle, 0, size - 1).round().astype(int)
            places.append((int(x), int(y)))
    return places


def _is_at_edge(middle: Floats, side: float, size: Floats) -> bool:
    return bool(min(middle.min(), (size - 1 - middle).min()) < WITHIN * side)


def _is_beside(middle: Floats, corners: Floats, side: float) -> bool:
    """Whether no die that was read reaches there."""
    x, y = middle.tolist()
    inside = [cv2.pointPolygonTest(top.astype(np.float32), (x, y), True) for top in corners]
    return max(inside) < -BESIDE * side


def told_cut(x: int, y: int) -> str:
    """What is doubtful about such a place."""
    return f"something at ({x}, {y}) that may be a die, cut by the edge: throw this one again"
