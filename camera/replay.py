"""A clip or a folder of pictures in place of a camera: played once, at its own pace.

What was recorded can be played again by everything that a live camera goes through.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from camera.health import OVER, CameraTrouble
from camera.source import Frame, PictureFolder, Source, VideoFile, check_whole, frames_told
from camera.steady import Camera, opener
from companion.clock import Clock
from companion.errors import ConfigError, PictureError
from companion.field_words import reason
from companion.words import say

LOG = logging.getLogger(__name__)


class Replay:
    """An open recording: `read` waits until its next picture is due.

    is_recorded  nothing of it need be missed: whoever reads it goes at the pace of who looks.
    Raises CameraTrouble when it has been played as far as it is whole, or if it is none.
    """

    is_recorded = True

    def __init__(self, recording: Source, name: str, clock: Clock) -> None:
        self._name = name
        self._frames: Iterator[Frame] = _played(recording, Path(name))
        self._clock = clock
        self._begin_s: float | None = None
        self._count = 0
        self._why_over: str = say("{name}: has been played to its end", name=name)
        self._closing = threading.Event()

    def read(self) -> Frame:
        """Wait for the next picture, in the time of the game."""
        try:
            frame = next(self._frames, None)
        except PictureError as error:  # nothing behind it is played: a roll may have been in it
            self._why_over, frame = str(error), None
        except Exception as error:  # nor can be, whatever it was
            LOG.exception("recording %s", self._name)
            told = say("{path}: broke off: {why}", path=self._name, why=reason(error))
            self._why_over, frame = told, None
        if frame is None:
            raise CameraTrouble(OVER, self._why_over)
        if self._begin_s is None:
            self._begin_s = self._clock.now_s() - frame.at_s
        at_s = self._begin_s + frame.at_s
        self._closing.wait(max(0.0, at_s - self._clock.now_s()))
        return Frame(at_s, self._unlike_the_last(frame).pixels)

    def _unlike_the_last(self, frame: Frame) -> Frame:
        """Mark the corner: codecs repeat a still picture to the bit, as hanging cameras do."""
        self._count += 1
        frame.pixels[0, 0] = self._count % 256
        return frame

    def again(self) -> "Replay":
        """Go on after it was closed."""
        self._closing.clear()
        return self

    def close(self) -> None:
        """Let nobody wait until a picture is due; from any thread."""
        self._closing.set()


def _played(recording: Source, path: Path) -> Iterator[Frame]:
    """Its frames; PictureError in the end if it is cut short."""
    seen = 0
    for frame in recording.frames():
        seen += 1
        yield frame
    check_whole(path, frames_told(path), seen)


def opened(
    device: str, clock: Clock, locked: Mapping[str, float] | None = None
) -> Callable[[], Camera]:
    """What opens a camera, a clip or a folder of pictures of this name.

    locked  what a camera's exposure and so on are held to; see camera/locks.py.
    Raises ConfigError for what is none of them.
    """
    path = Path(device)
    if path.is_dir() or path.is_file():
        source = PictureFolder(path) if path.is_dir() else VideoFile(path)
        recording = Replay(source, device, clock)
        return recording.again
    try:
        return opener(device, clock, locked)
    except ConfigError as error:
        raise ConfigError(
            say(
                "expected /dev/video0, a number, picamera, or a clip or folder of pictures that "
                "is there, got {device!r}",
                device=device,
            )
        ) from error
