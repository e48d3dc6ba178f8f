"""Pictures that people show to be learnt from: sent in as a file, or taken once nothing moves."""

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.cutouts import as_jpeg, at_most
from camera.uploads import clean_picture

LONGEST_PX = 1600  # side of a picture that is sent in; a telephone's has twice as many
SHRUNK = 4
DIFFERENT = 18  # levels of 255, in a picture shrunk so far: beyond the noise of a camera
MOVED = 0.0015  # share of such a picture that differs once something has moved
THUMB_PX = 96


def picture_from(data: bytes) -> Pixels:
    """Decode a JPEG, PNG or WebP picture, made smaller where it is large.

    Raises PictureError for anything that is no whole picture; see camera/uploads.py.
    """
    decoded = cv2.imdecode(np.frombuffer(clean_picture(data), np.uint8), cv2.IMREAD_COLOR)
    return at_most(np.asarray(decoded, np.uint8), LONGEST_PX)


def has_moved(before: Pixels, now: Pixels) -> bool:
    """True if two pictures of a camera differ by more than its noise."""
    if before.shape != now.shape:
        return True
    apart = cv2.absdiff(_shrunk(before), _shrunk(now))
    return float((apart > DIFFERENT).mean()) > MOVED


def thumbnail(pixels: Pixels) -> bytes:
    """A small JPEG of a picture."""
    return as_jpeg(at_most(pixels, THUMB_PX), 85)


def _shrunk(pixels: Pixels) -> Pixels:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    size = (max(1, grey.shape[1] // SHRUNK), max(1, grey.shape[0] // SHRUNK))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
