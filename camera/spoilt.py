"""A camera with a fault, on purpose: what it gives, and how it fares, as of a real one.

Between a simulated tray and whoever reads its pictures. Seed and calls decide everything. Its
pictures are measured by the same watchdog as those of a real camera, and one that stands still is
not handed on once that is noticed.
"""

import math
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from camera.health import FROZEN, Watchdog, look_at
from camera.source import Frame
from companion.words import mark

Pixels = npt.NDArray[np.uint8]
GONE = {
    "unplugged": ("lost", mark("the camera is gone; is it plugged in?")),
    "busy": ("busy", mark("another program has the camera; stop it")),
}
FLICKER_HZ = 7.3  # against the frames, as the light of a bad lamp does


class SpoiltCamera:
    """Gives the frames of another camera, spoilt.

    frame   takes the picture of a moment.
    seed    chance of what is lost, torn, or noisy.
    faults  name -> how much of it; what is in there spoils the next picture.
    """

    def __init__(self, frame: Callable[[float], Frame], *, seed: int, start_s: float = 0.0) -> None:
        self._frame = frame
        self._rng = np.random.default_rng([seed, 3])
        self._watchdog = Watchdog(start_s)
        self._last: Frame | None = None
        self._missed = 0
        self.faults: dict[str, float] = {}
        self.trouble = ""

    def read(self, at_s: float) -> Frame | None:
        """The picture of this moment; None if there is none, or none that can be trusted."""
        gone = next((name for name in GONE if name in self.faults), None)
        if gone is not None:
            self._watchdog.failed(at_s, *GONE[gone])
            self.trouble = GONE[gone][1]
            return None
        if self._is_missed(at_s):
            self._missed += 1
            self.trouble = self._watchdog.condition(at_s).why
            return None
        frame = self._spoil(self._frame(at_s))
        self._watchdog.saw(look_at(frame), missed=self._missed)
        self._last, self._missed = frame, 0
        state, self.trouble, _ = self._watchdog.condition(at_s)
        return None if state == FROZEN else frame

    @property
    def advice(self) -> str:
        """What would make its pictures better, in words."""
        return self._watchdog.advice()

    def _is_missed(self, at_s: float) -> bool:
        slow = self.faults.get("slow")
        if slow is not None and self._last is not None and at_s - self._last.at_s < 1 / slow - 1e-6:
            return True
        return bool(self._rng.random() < self.faults.get("dropped", 0.0))

    def _spoil(self, frame: Frame) -> Frame:
        if "frozen" in self.faults and self._last is not None:
            return Frame(frame.at_s, self._last.pixels)
        pixels = frame.pixels
        for name, much in self.faults.items():
            if name in SPOILING:
                pixels = SPOILING[name](pixels, much, frame.at_s, self._rng)
        return Frame(frame.at_s, pixels)


def dark(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Leave this share of the light."""
    return np.asarray(cv2.convertScaleAbs(pixels, alpha=much), np.uint8)


def flicker(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Let the light go up and down by this share."""
    level = 1 + much * math.sin(2 * math.pi * FLICKER_HZ * at_s)
    return np.asarray(cv2.convertScaleAbs(pixels, alpha=level), np.uint8)


def moved(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Shift the picture by so many pixels, to the right and half as many down."""
    shift = np.array([[1, 0, much], [0, 1, much / 2]], np.float64)
    height, width = pixels.shape[:2]
    edge: Any = cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpAffine(pixels, shift, (width, height), borderMode=edge), np.uint8)


def blurred(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Blur it, with a standard deviation of so many pixels; much of it in a smaller picture."""
    shrink, (height, width) = max(1, int(much / 2)), pixels.shape[:2]
    size = (max(1, width // shrink), max(1, height // shrink))
    small = pixels if shrink == 1 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), much / shrink)
    return np.asarray(soft if shrink == 1 else cv2.resize(soft, (width, height)), np.uint8)


def noisy(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Add noise, with a standard deviation of so many grey levels."""
    grey = (much * rng.standard_normal(pixels.shape[:2], np.float32)).astype(np.int16)
    return np.asarray(cv2.add(pixels, cv2.merge([grey] * 3), dtype=cv2.CV_8U), np.uint8)


def glare(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Let a lamp shine into the lens: white, as wide as this share of the picture."""
    height, width = pixels.shape[:2]
    radius = round(much * width / 2)
    return np.asarray(
        cv2.circle(pixels.copy(), (width // 3, height // 2), radius, (255, 255, 255), -1), np.uint8
    )


def covered(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Lay a sleeve over this share of the picture, from the left and from the right."""
    spoilt, width = pixels.copy(), pixels.shape[1]
    half = round(much * width / 2)
    spoilt[:, :half] = spoilt[:, width - half :] = (70, 60, 120)
    return spoilt


def torn(pixels: Pixels, much: float, at_s: float, rng: np.random.Generator) -> Pixels:
    """Lose the lower part of this share of the pictures: it comes grey."""
    if rng.random() >= much:
        return pixels
    spoilt = pixels.copy()
    spoilt[int(rng.integers(pixels.shape[0])) :] = 128
    return spoilt


Spoil = Callable[[Pixels, float, float, np.random.Generator], Pixels]
SPOILING: dict[str, Spoil] = {
    "dark": dark,
    "brighter": dark,
    "flicker": flicker,
    "bumped": moved,
    "blurred": blurred,
    "noisy": noisy,
    "glare": glare,
    "covered": covered,
    "torn": torn,
}
