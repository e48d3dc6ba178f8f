"""Second looks at dice with pips: each upper side cut out, and seen from straight above.

What was read in the whole picture is looked at once more by the network that knows no pips, unless
the whole picture was clear: one question for all dice. (Of 824 dice in clear pictures, photographs
and rasterised ones, that look doubted one, which had been read rightly.) Only where it leaves a
doubt, a side is read anew, by itself.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.faces import CERTAIN
from camera.halves import Halves, Picture
from camera.pip_look import CUT
from camera.pip_readings import PipReading
from camera.pip_votes import upright_patches, votes
from camera.pips import read_dice
from camera.seek import Floats, side_px

SIDE_PX = 64  # a die's edge where upper sides are read anew
AROUND_SIDES = 0.4  # of floor that is cut out with it
AGREED = 0.5  # of the network for a face that was read, from which both looks agree
SURELY_NONE = 0.97  # of the network, from which a side on which nobody read a face has none
FROM_BOTH_SIDES = 0.4  # of a side: nearer than that, two readings are of one die
SPARE_PX = AROUND_SIDES * SIDE_PX
TILE_PX = round(SIDE_PX + 2 * SPARE_PX)
SQUARE = np.array([(0.0, 0), (SIDE_PX, 0), (SIDE_PX, SIDE_PX), (0, SIDE_PX)]) + SPARE_PX
ALONE = slice(round(SPARE_PX - 0.12 * SIDE_PX), round(SPARE_PX + 1.12 * SIDE_PX))  # hardly floor
Place = tuple[Floats, PipReading | None]  # corners (4, 2) of an upper side, and what was read there


def doubted(
    picture: Picture, places: Sequence[Place], *, accepted: bool = False
) -> dict[int, Floats]:
    """Look at places once more; give those, by number, that are in doubt then.

    Each with the chances (7) of none and of the faces one to six, by that look.
    accepted  True if nothing at all was in doubt in the picture: what was read surely there stands.
    """
    asked = [row for row, (_, one) in enumerate(places) if not (accepted and _is_sure(one))]
    chances = votes_on(picture, [places[row] for row in asked])
    told = zip(asked, chances, strict=True)
    return {row: chance for row, chance in told if not _bears_out(places[row][1], chance)}


def votes_on(picture: Picture, places: Sequence[Place]) -> Floats:
    """Look at places by the network alone: chances of none and of the faces one to six, (N, 7)."""
    if not places:
        return np.zeros((0, 7))
    grey = Halves.of(picture).grey
    return votes(upright_patches(grey, np.array([corners for corners, _ in places])))


def _is_sure(one: PipReading | None) -> bool:
    return one is not None and one.certainty >= CERTAIN


def _bears_out(one: PipReading | None, chances: Floats) -> bool:
    if one is None:
        return bool(chances[0] >= SURELY_NONE)
    # a die that lies badly is thrown once more, whatever it shows
    return bool(one.flaw) or (_is_sure(one) and bool(chances[one.face] >= AGREED))


def read_anew(pixels: Pixels, corners: Floats) -> PipReading | None:
    """Read the upper side with these corners (4, 2) by itself; None where no face is seen.

    The box of the reading is meaningless; its upper face is where it is in the picture.
    """
    move: Floats = np.asarray(
        cv2.getPerspectiveTransform(corners.astype(np.float32), SQUARE.astype(np.float32)),
        np.float64,
    )
    upper = cv2.warpPerspective(
        pixels, move, (TILE_PX, TILE_PX), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    whole = np.asarray(upper, np.uint8)
    for part, cut_px in ((whole, 0), (whole[ALONE, ALONE], ALONE.start)):
        one = _middle_of(part)
        if one is not None:
            return _laid_back(one, move, float(cut_px))
    return None


def _laid_back(one: PipReading, move: Floats, cut_px: float) -> PipReading:
    """Give a reading its upper face as it lies in the picture that a side was cut out of."""
    if one.upper is None:
        return one
    back = np.linalg.inv(move)
    x, y, w = back @ (*(one.upper.at + cut_px), 1.0)
    at = np.array([x, y]) / w
    onto = (back[:2, :2] - at[:, None] * back[2, :2]) / w
    shape = onto @ one.upper.shape @ onto.T
    upper = replace(one.upper, at=at, shape=shape, axes=onto @ one.upper.axes)
    return replace(one, upper=upper)


def _middle_of(upper: Pixels) -> PipReading | None:
    """Read the die in the middle of a small picture, which may show sides of it, and others."""
    middle = SQUARE - SQUARE.mean(axis=0) + len(upper) / 2
    readings = [one for one in read_dice(upper).readings if is_in(one, middle)]
    # what reaches over the edge has pips of a side, or of another die
    return next((one for one in readings if one.flaw != CUT), None)


def is_in(one: PipReading, corners: Floats) -> bool:
    """True if the middle of a reading is in the middle of an upper side."""
    between = corners.mean(axis=0) - one.middle
    return float(np.hypot(*between)) < FROM_BOTH_SIDES * max(1.0, side_px(corners))
