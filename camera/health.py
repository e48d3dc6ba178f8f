"""How a camera fares, told from its frames alone: silent, frozen, dark, and what makes it bad.

Theory of operation. Sans-I/O: whoever reads a camera gives every frame's `Look` to a `Watchdog`,
and asks it at any later moment how things stand; time comes in by argument. A sensor's noise makes
every two pictures differ, so equal pictures in a row mean that the camera, or its driver, hangs.
Each trouble has to last `PATIENCE_S` before it is one, and is told within two seconds of its
beginning. What only makes pictures worse than they could be (`camera.advice`) ends nothing.
"""

from typing import NamedTuple

from camera.advice import Advice
from camera.measures import Look, look_at, sharpness
from companion.errors import DeviceError
from companion.words import mark

__all__ = ["CameraTrouble", "Condition", "Look", "Watchdog", "look_at", "sharpness"]

PATIENCE_S = 1.0  # a trouble that is shorter is none: people reach over the lens
DARK = 12.0  # mean grey level of a picture in which no die can be told from the tray
FADED = 16.0  # brighter than this it is day again; the gap keeps twilight from flickering
LIVE, WAITING, SILENT, FROZEN, DARK_STATE = "live", "waiting", "silent", "frozen", "dark"
OVER = "over"  # how a camera fares whose clip has been played

WORDS = {
    LIVE: "",
    WAITING: mark("no picture yet"),
    SILENT: mark("no picture any more; is the camera plugged in?"),
    FROZEN: mark("the picture stands still; the camera is opened again"),
    DARK_STATE: mark("the picture is dark; is the lens covered, or the light off?"),
}


class CameraTrouble(DeviceError):
    """A camera that cannot be opened or read; `state` is a word for it, such as `busy`."""

    def __init__(self, state: str, why: str) -> None:
        super().__init__(why)
        self.state = state


class Condition(NamedTuple):
    """How a camera fares: `live`, or what is wrong, in a word and in words, since when."""

    state: str
    why: str
    since_s: float


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
        self._advice = Advice()
        self.frames = 0

    def saw(self, look: Look, *, missed: int | None = None) -> None:
        """Take in a frame; its time must not lie before the last one's.

        missed  pictures that should have come before it; None tells it from the times.
        """
        self._failure = None
        self._advice.saw(look, missed)
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

    def advice(self) -> str:
        """What would make its pictures better, in words; empty if they are good."""
        return self._advice.told()

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
