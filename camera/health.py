"""How a camera fares, told from its frames alone: silent, frozen, dark, blurred, too bright.

Theory of operation. Sans-I/O: whoever reads a camera gives every frame's `Look` to a `Watchdog`,
and asks it at any later moment how things stand; time comes in by argument. A sensor's noise makes
every two pictures differ, so equal pictures in a row mean that the camera, or its driver, hangs.
Each trouble has to last `PATIENCE_S` before it is one, and is told within two seconds of its
beginning.
"""

import zlib
from typing import NamedTuple

import cv2
import numpy as np

from camera.source import Frame
from companion.errors import DeviceError

PATIENCE_S = 1.0  # a trouble that is shorter is none: people reach over the lens
DARK = 12.0  # mean grey level of a picture in which no die can be told from the tray
FADED = 16.0  # brighter than this it is day again; the gap keeps twilight from flickering
EVERY_PX = 4  # every fourth pixel of every fourth row tells enough
BURNT = 250  # grey levels from here on hold nothing more
LIVE, WAITING, SILENT, FROZEN, DARK_STATE = "live", "waiting", "silent", "frozen", "dark"

WORDS = {
    LIVE: "",
    WAITING: "no picture yet",
    SILENT: "no picture any more; is the camera plugged in?",
    FROZEN: "the picture stands still; the camera is opened again",
    DARK_STATE: "the picture is dark; is the lens covered, or the light off?",
}


class CameraTrouble(DeviceError):
    """A camera that cannot be opened or read; `state` is a word for it, such as `busy`."""

    def __init__(self, state: str, why: str) -> None:
        super().__init__(why)
        self.state = state


class Look(NamedTuple):
    """What one frame tells of its camera.

    brightness   mean grey level, 0 to 255.
    burnt        share of pixels at the upper end, 0 to 1.
    sharpness    variance of the Laplacian, after Pech-Pacheco et al. 2000; 0 is no edge at all.
    fingerprint  equal for equal pictures.
    """

    at_s: float
    brightness: float
    burnt: float
    sharpness: float
    fingerprint: int


class Condition(NamedTuple):
    """How a camera fares: `live`, or what is wrong, in a word and in words, since when."""

    state: str
    why: str
    since_s: float


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
    )


def sharpness(frame: Frame) -> float:
    """Variance of the Laplacian over the middle of the picture, at full resolution."""
    height, width = frame.pixels.shape[:2]
    middle = frame.pixels[height // 4 : height - height // 4, width // 4 : width - width // 4]
    if middle.size == 0:
        return 0.0
    grey = cv2.cvtColor(np.ascontiguousarray(middle), cv2.COLOR_BGR2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_32F).var())


class Watchdog:
    """Tells how a camera fares from what it gave; see the theory of operation above."""

    def __init__(self, now_s: float, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._begun_s = now_s
        self._seen_s: float | None = None
        self._fingerprint: int | None = None
        self._changed_s = now_s
        self._dark_since_s: float | None = None
        self._failure: Condition | None = None
        self.frames = 0

    def saw(self, look: Look) -> None:
        """Take in a frame; its time must not lie before the last one's."""
        self._failure = None
        self.frames += 1
        self._seen_s = look.at_s
        if look.fingerprint != self._fingerprint:
            self._fingerprint, self._changed_s = look.fingerprint, look.at_s
        limit = DARK if self._dark_since_s is None else FADED
        if look.brightness >= limit:
            self._dark_since_s = None
        elif self._dark_since_s is None:
            self._dark_since_s = look.at_s

    def failed(self, now_s: float, state: str, why: str) -> None:
        """The camera cannot be opened or read, for a reason that is known: `lost`, `busy`."""
        if self._failure is None or self._failure.state != state:
            self._failure = Condition(state, why, now_s)
        self._fingerprint = None

    def condition(self, now_s: float) -> Condition:
        """How the camera fares at this moment."""
        if self._failure is not None:
            return self._failure
        if self._seen_s is None:
            return Condition(WAITING, WORDS[WAITING], self._begun_s)
        if now_s - self._seen_s > self._patience_s:
            return Condition(SILENT, WORDS[SILENT], self._seen_s)
        if self._seen_s - self._changed_s > self._patience_s:
            return Condition(FROZEN, WORDS[FROZEN], self._changed_s)
        dark_s = self._dark_since_s
        if dark_s is not None and self._seen_s - dark_s > self._patience_s:
            return Condition(DARK_STATE, WORDS[DARK_STATE], dark_s)
        return Condition(LIVE, "", self._begun_s)
