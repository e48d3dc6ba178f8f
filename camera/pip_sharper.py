"""Second looks at soft pictures: where a look leaves doubts, the picture is sharpened.

Theory of operation. Out of focus, the pips of a 5 or a 6 run into each other. What a lens took
from fine detail can be given back in part, at the price of more noise: so the picture as it is
comes first, and nothing that was seen in it may be contradicted by the sharpened one.
"""

from dataclasses import replace

import cv2
import numpy as np

from camera.pip_blobs import Pixels
from camera.pip_doubts import are_about_faces, may_lean
from camera.pip_look import NAMED
from camera.pip_readings import Look, PipReading

SPREAD_PX, TIMES = 2.0, 2.0  # of detail that is added once more, and how often
SAME_SIDES = 0.5  # of a box: nearer than that, two readings are of one die
FINE_PX = (1.0, 3.0)  # spreads between and below which detail is compared
SOFT = 0.5  # of the next finer detail that is left of the finest, in soft pictures
SURE = 0.8  # certainty of readings that no sharper picture would change
DOUBTED = 0.85  # most that a reading is worth that is not relied on: it is asked about
WORTH_MORE = 0.6  # dice that a doubtful look at a sharpened picture must see more


def sharpened(grey: Pixels) -> Pixels:
    """Give a grey picture, uint8, with more of its fine detail."""
    soft = cv2.GaussianBlur(grey, (0, 0), SPREAD_PX)
    return np.asarray(cv2.addWeighted(grey, 1 + TIMES, soft, -TIMES, 0))


def may_help(plain: Look) -> bool:
    """False where a sharpened picture would be looked at for nothing: all is read, or may lean."""
    is_read = all(one.certainty > SURE or one.flaw for one in plain.readings)
    return not (is_read and (may_lean(plain.doubts) or _are_about_flaws(plain)))


def is_soft(grey: Pixels) -> bool:
    """Tell whether a grey picture, uint8, has much less of the finest detail than of the next."""
    fine, coarse = (cv2.GaussianBlur(grey, (0, 0), spread_px) for spread_px in FINE_PX)
    finest = cv2.mean(cv2.absdiff(grey, fine))[0]
    return finest < SOFT * cv2.mean(cv2.absdiff(fine, coarse))[0]


def better(plain: Look, sharp: Look, worth_more: float = WORTH_MORE) -> Look:
    """Give the one of two looks at a picture to rely on; `plain` was in doubt.

    worth_more  dice that the other one must see more, or see better, if it is in doubt too.
    """
    if sharp.accepted and _bears_out(sharp, plain):
        return sharp
    if _worth(sharp) <= _worth(plain) + worth_more:
        return plain
    return doubted(sharp, plain.doubts)


def doubted(look: Look, doubts: tuple[str, ...]) -> Look:
    """Give a look that is not relied on, for these doubts and its own."""
    unsure = [replace(one, certainty=min(one.certainty, DOUBTED)) for one in look.readings]
    told = (*doubts, *(one for one in look.doubts if one not in doubts))
    return replace(look, readings=tuple(unsure), accepted=False, doubts=told)


def _bears_out(sharp: Look, plain: Look) -> bool:
    """Tell whether the same dice were read in both pictures, and only their faces were in doubt.

    Whatever else lies there, or how a die lies, is not seen better in either.
    """
    if not are_about_faces(plain.doubts) or any(one.flaw for one in plain.readings):
        return False
    return len(plain.readings) == len(sharp.readings) and all(
        any(_is_same(one, other) for other in sharp.readings) for one in plain.readings
    )


def _are_about_flaws(look: Look) -> bool:
    """Tell whether all doubts, one at least, are about how dice lie that were read."""
    flaws = {NAMED[one.flaw].format(one.face) for one in look.readings if one.flaw}
    return bool(look.doubts) and flaws.issuperset(look.doubts)


def _is_same(one: PipReading, other: PipReading) -> bool:
    near_px = SAME_SIDES * max(*one.box[2:], *other.box[2:])
    return one.face == other.face and float(np.hypot(*(one.middle - other.middle))) < near_px


def _worth(look: Look) -> float:
    """Tell how many dice a look sees; one that it doubts counts against it."""
    return sum(2 * one.certainty - 1 for one in look.readings)
