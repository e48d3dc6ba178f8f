"""Where a mirrored lamp hides what a die shows."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels

BURNT = 248  # of the brightest colour, from which a camera tells nothing more
WASHED = 0.8  # of the brightest colour, that all have where a lamp is mirrored
PALE, LIGHT = 0.6, 100  # the same of a face that may look so in bright light, and its grey level
INNER = slice(8, 32)  # of what is cut out: all but its edges


def is_burnt(pixels: Pixels) -> npt.NDArray[np.bool_]:
    """Where (..., 3) a lamp is mirrored, or so much light falls that colours are lost."""
    brightest = pixels.max(axis=-1)
    return np.asarray((brightest >= BURNT) & (pixels.min(axis=-1) >= WASHED * brightest))


def is_pale(patches: Mapping[str, Mapping[str, Pixels]], kind: str, face: str) -> bool:
    """True if a learnt face is light and has hardly any colour, as that of a white die."""
    colour = np.median(patches[kind][face][:, INNER, INNER], axis=(0, 1, 2))
    return bool(colour.min() >= PALE * colour.max() and colour.max() >= LIGHT)
