"""Seek again, closely, where something lies that no die explains.

Theory of operation. A die that the seeker hardly saw in the whole picture, because it touches
another one, lies in shadow or has the colour of its floor, often stands out when the network sees
less of the picture, in several sizes. What is no die stays faint in all of them: so it is the mean
of what the sizes tell, as log-odds, that counts.
"""

import math
from collections.abc import Sequence

import numpy as np

from camera.canvas import Pixels
from camera.seek import Floats, Seeker, Seen
from camera.slant import Slant

SIZES_PX = (22.0, 30.0, 40.0)  # of a die's side, as the network sees it
REACH_SIDES = 3.0  # of the picture around such a place
NEAR_SIDES = 0.6  # of it, where the die's middle is
FAINTEST = 0.05  # what is fainter is nothing; and what that is worth where nothing is seen
FOUND = 0.35  # mean heat from which it is a die
AS_HOT = 0.75  # of a die that lies where the empty tray has nothing
DISAGREES = 2.0  # log-odds that one view of a die loses, for a shape that is off by a whole side


def seek_closely(
    seeker: Seeker, pixels: Pixels, slant: Slant, places: Sequence[tuple[int, int]]
) -> list[Seen]:
    """What may be the upper sides of dice at some places (x, y) of a picture, one each at most."""
    side_px = slant.scale * abs(float(slant.normal[2])) ** 0.5
    found = [_at(seeker, pixels, slant, np.array(place, float), side_px) for place in places]
    return [seen for seen in found if seen is not None]


def _at(seeker: Seeker, pixels: Pixels, slant: Slant, place: Floats, side_px: float) -> Seen | None:
    reach = REACH_SIDES * side_px
    low = np.maximum(np.floor(place - reach), 0).astype(int)
    high = np.ceil(place + reach).astype(int) + 1
    part = np.ascontiguousarray(pixels[low[1] : high[1], low[0] : high[0]])
    views = [_nearest(seeker, part, place - low, size / side_px, side_px) for size in SIZES_PX]
    seen = [view for view in views if view is not None]
    told = [_log_odds(FAINTEST if view is None else view.heat) for view in views]
    heat = 1 / (1 + math.exp(-sum(told) / len(told)))
    if not seen or heat < FOUND:
        return None
    corners = np.array([one.corners + low for one in seen])
    off = slant.disagrees(corners, np.array([one.down for one in seen])).max(axis=1)
    worth = [_log_odds(one.heat) - DISAGREES * far for one, far in zip(seen, off, strict=True)]
    best = int(np.argmax(worth))
    return seen[best]._replace(corners=corners[best], heat=max(heat, AS_HOT))


def _nearest(
    seeker: Seeker, part: Pixels, place: Floats, scale: float, side_px: float
) -> Seen | None:
    """The hottest of what is seen around a place."""
    found = [
        one for one in seeker.seek_at(part, scale, FAINTEST)
        if float(np.hypot(*(one.middle - place))) < NEAR_SIDES * side_px
    ]  # fmt: skip
    return max(found, key=lambda one: one.heat, default=None)


def _log_odds(chance: float) -> float:
    return math.log(max(chance, 1e-4) / max(1 - chance, 1e-4))
