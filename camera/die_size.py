"""How large dice are in a picture, so that nobody has to measure them by hand."""

from functools import cache
from threading import Lock

import numpy as np

from camera.canvas import Pixels
from camera.seek import Seeker
from camera.upper_sides import SURE_HEAT, find_tops

_seeker = cache(Seeker)
_SEEKING = Lock()  # one seeker, in one thread at a time


def die_px_in(pixels: Pixels) -> float | None:
    """How wide dice are in a picture (H, W, 3) uint8 BGR, in pixels; None where none is seen.

    The middle one of all that are seen counts, so one thing that is no die hardly matters.
    """
    with _SEEKING:
        tops = find_tops(_seeker(), pixels, None).tops
    sides_px = [top.seen.side_px for top in tops if top.seen.heat >= SURE_HEAT]
    return round(float(np.median(sides_px)), 1) if sides_px else None
