"""Seek again, closely, where something lies that no die explains.

Theory of operation. A die that the seeker hardly saw in the whole picture, because it touches
another one, lies in shadow or has the colour of its floor, often stands out when the network sees
less of the picture, in several sizes. What is no die stays faint in all of them: so it is the mean
of what the sizes tell, as log-odds, that counts.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from camera.canvas import Pixels
from camera.left_parts import Left
from camera.leftover import HINTED
from camera.seek import Floats, Seeker, Seen, chances_of, log_odds
from camera.slant import Slant

SIZES_PX = (22.0, 30.0, 40.0)  # of a die's side, as the network sees it
REACH_SIDES = 3.0  # of the picture around such a place
NEAR_SIDES = 0.9  # of it, where the die's middle is
FAINTEST = 0.05  # what is fainter is nothing; and what that is worth where nothing is seen
CLEAR = 0.3  # from so strange on, whatever lies there is no trick of the light
FOUND, CLEARLY_FOUND = 0.35, 0.2  # mean heat from which it is a die; the same of what is clear
AS_HOT = 0.75  # of a die that lies where the empty tray has nothing
FAINT, COLD = 0.21, 0.2  # what is less strange, and whose mean heat is less, is nothing
SMALLEST, LARGEST = 0.6, 1.7  # of a die's side, that a die may seem to have
SAME_SIDES = 0.5  # nearer than that, two such places are one
DISAGREES = 2.0  # log-odds that one view of a die loses, for a shape that is off by a whole side
Seek = Callable[[Pixels, float], list[Seen]]  # in a part of the picture, so many times its size


class CloserLook(NamedTuple):
    """What was found where something lies: dice, and places (x, y) where there is nothing.

    side_px  of dice.
    """

    dice: list[Seen]
    nothing: list[tuple[int, int]]
    side_px: float

    def is_nothing(self, left: Left) -> bool:
        """True if something lies where nothing was found."""
        near = SAME_SIDES * self.side_px
        return any(math.hypot(left.x - x, left.y - y) < near for x, y in self.nothing)


def seek_closely(
    seeker: Seeker,
    pixels: Pixels,
    slant: Slant,
    left: Sequence[Left],
    known: Sequence[Floats] = (),
    turns: int = 0,
) -> CloserLook:
    """Look at what lies in a tray and is none of the dice that are known, (4, 2) corners each.

    turns  quarter turns to the left after which the picture stands upright.
    """
    look = CloserLook([], [], slant.scale * abs(float(slant.normal[2])) ** 0.5)
    taken = [corners.mean(axis=0) for corners in known]
    seek = partial(seeker.seek_at, least=FAINTEST, turns=turns)
    for one in left:
        if one.is_dark:  # from close by, shadows look like dice, too
            continue
        views = _views(seek, pixels, np.array((one.x, one.y), float), look.side_px, taken)
        told = log_odds(np.array([FAINTEST if view is None else view.heat for view in views]))
        heat = float(chances_of(told.mean()))
        seen = [view for view in views if view is not None]
        if seen and heat >= _enough(one.strange):
            look.dice.append(_best(seen, slant)._replace(heat=max(heat, AS_HOT)))
            taken.append(look.dice[-1].middle)
        elif heat < COLD and one.strange < FAINT and not one.is_cut:
            look.nothing.append((one.x, one.y))
    return look


def _enough(strange: float) -> float:
    """Mean heat from which something so strange is a die; what hardly differs is asked about."""
    if strange <= HINTED:
        return math.inf
    return CLEARLY_FOUND if strange >= CLEAR else FOUND


def _views(
    seek: Seek, pixels: Pixels, place: Floats, side_px: float, taken: Sequence[Floats]
) -> list[Seen | None]:
    """The hottest of what is seen around a place, and none of the dice there, in all sizes."""
    reach = REACH_SIDES * side_px
    low = np.maximum(np.floor(place - reach), 0).astype(int)
    high = np.ceil(place + reach).astype(int) + 1
    part = np.ascontiguousarray(pixels[low[1] : high[1], low[0] : high[0]])
    views = []
    for size in SIZES_PX:
        found = (
            one._replace(corners=np.asarray(one.corners + low, np.float64))
            for one in seek(part, size / side_px)
        )
        near = (
            one for one in found
            if float(np.hypot(*(one.middle - place))) < NEAR_SIDES * side_px
            and SMALLEST * side_px < one.side_px < LARGEST * side_px
            and all(np.hypot(*(one.middle - at)) > SAME_SIDES * side_px for at in taken)
        )  # fmt: skip
        views.append(max(near, key=lambda one: one.heat, default=None))
    return views


def _best(seen: Sequence[Seen], slant: Slant) -> Seen:
    """The view that is surest and looks most like a die that lies flat."""
    corners = np.array([one.corners for one in seen])
    off = slant.disagrees(corners, np.array([one.down for one in seen])).max(axis=1)
    worth = log_odds(np.array([one.heat for one in seen])) - DISAGREES * off
    return seen[int(np.argmax(worth))]
