"""What is measured of one camera picture, whatever it shows."""

import zlib
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.source import Frame

EVERY_PX = 4  # every fourth pixel of every fourth row tells enough
BURNT = 250  # grey levels from here on hold nothing more
NOISE_PX = 96  # so many pixels square tell the noise
COLOURED, COLOURS = 2, 0.005  # levels between channels, share of pixels: less is noise or nothing
_UNLIKE_AROUND = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
_OF_MEDIAN = 0.6745  # median of |x| for a normal distribution with standard deviation 1


class Look(NamedTuple):
    """What one frame tells of its camera.

    brightness   mean grey level, 0 to 255.
    burnt        share of pixels at the upper end, 0 to 1.
    sharpness    variance of the Laplacian, after Pech-Pacheco et al. 2000; 0 is no edge at all.
    fingerprint  equal for equal pictures.
    noise        standard deviation of a pixel's noise in grey levels, after Immerkaer 1996.
    is_torn      the lowest rows hold nothing: the rest of the picture was lost on its way.
    """

    at_s: float
    brightness: float
    burnt: float
    sharpness: float
    fingerprint: int
    noise: float = 0.0
    is_torn: bool = False


def look_at(frame: Frame) -> Look:
    """Measure one frame; 1 ms for a picture of 1280x720."""
    grey = cv2.cvtColor(
        np.ascontiguousarray(frame.pixels[::EVERY_PX, ::EVERY_PX]), cv2.COLOR_BGR2GRAY
    )
    return Look(
        frame.at_s,
        float(grey.mean()),
        float((grey >= BURNT).mean()),
        sharpness(frame),
        zlib.crc32(grey.tobytes()),
        noise(frame),
        bool(np.ptp(grey[-1]) == 0 and np.ptp(grey) > 0),
    )


def sharpness(frame: Frame) -> float:
    """Variance of the Laplacian over the middle of the picture, at full resolution."""
    grey = middle_of(frame)
    return 0.0 if grey.size == 0 else float(cv2.Laplacian(grey, cv2.CV_32F).var())


def noise(frame: Frame) -> float:
    """Standard deviation of the noise, in grey levels; edges count for little in a median."""
    grey = middle_of(frame, NOISE_PX)
    if grey.size == 0:
        return 0.0
    unlike_around = cv2.filter2D(grey, cv2.CV_32F, _UNLIKE_AROUND)
    return float(np.median(np.abs(unlike_around))) / (_OF_MEDIAN * 6.0)


def is_grey(pixels: npt.NDArray[np.uint8]) -> bool:
    """True if a picture (H, W, 3) BGR holds no colours, as of a camera that sees in the dark."""
    blue, green, red = cv2.split(np.ascontiguousarray(pixels[::EVERY_PX, ::EVERY_PX]))
    apart = cv2.max(cv2.absdiff(blue, green), cv2.absdiff(green, red))
    return bool(np.count_nonzero(apart > COLOURED) < COLOURS * apart.size)


def middle_of(frame: Frame, most_px: int | None = None) -> npt.NDArray[np.uint8]:
    """The middle quarter of a picture, or so much of its corner, grey, at full resolution."""
    height, width = frame.pixels.shape[:2]
    middle = frame.pixels[height // 4 : height - height // 4, width // 4 : width - width // 4]
    middle = middle[:most_px, :most_px]
    if middle.size == 0:
        return np.zeros((0, 0), np.uint8)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(middle), cv2.COLOR_BGR2GRAY), np.uint8)
