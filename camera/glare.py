"""Where a mirrored lamp hides what a die shows."""

import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.patches import resized, rims_of

BURNT = 248  # of the brightest colour, from which a camera tells nothing more
WASHED = 0.8  # of the brightest colour, that all have where a lamp is mirrored
PALE, LIGHT = 0.6, 100  # the same of a face that may look so in bright light, and its grey level


def is_burnt(pixels: Pixels) -> npt.NDArray[np.bool_]:
    """Where (..., 3) a lamp is mirrored, or so much light falls that colours are lost."""
    brightest = pixels.max(axis=-1)
    return np.asarray((brightest >= BURNT) & (pixels.min(axis=-1) >= WASHED * brightest))


def is_pale(patches: Pixels) -> bool:
    """True if a learnt face (N, S, S, 3) is light and has hardly any colour, as of a white die."""
    colour = np.median(rims_of(np.array([resized(one) for one in patches])), axis=0)
    return bool(colour.min() >= PALE * colour.max() and colour.max() >= LIGHT)
