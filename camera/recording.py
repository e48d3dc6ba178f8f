"""Keep frames as a clip that plays at their own times.

A clip knows one rate only, and a camera drops frames: so a frame is repeated until the next one is
due, and one that comes too early for the rate takes the place of none. `write` answers which frame
of the clip holds a picture, so that exact times can be kept beside it.
"""

from pathlib import Path
from types import TracebackType
from typing import Self

import cv2

from camera.source import Frame, frames_in, frames_told
from companion.errors import ConfigError, PictureError
from companion.words import say

PER_S = 30.0
LONGEST_GAP_S = 60.0  # a longer silence is cut short


class ClipWriter:
    """Writes one clip; raises ConfigError if the file cannot be written, at the latest at its end.

    code   MJPG (lossy, small) or FFV1 (lossless).
    """

    def __init__(self, path: Path, code: str = "MJPG") -> None:
        self.path, self._code = path, code
        self._writer: cv2.VideoWriter | None = None
        self._last: Frame | None = None
        self._begin_s = 0.0
        self.count = 0

    def write(self, frame: Frame) -> int | None:
        """Add a frame; its number in the clip, from 0, or None if there was no room for it."""
        if self._last is None:
            self._open(frame)
        elif frame.pixels.shape != self._last.pixels.shape:
            raise PictureError(
                f"{self.path}: expected pictures of one size, {self._last.pixels.shape[:2]}, got "
                f"{frame.pixels.shape[:2]}; record again"
            )
        if self._last is not None and frame.at_s - self._last.at_s > LONGEST_GAP_S:
            self._begin_s += frame.at_s - self._last.at_s - LONGEST_GAP_S
        due = round((frame.at_s - self._begin_s) * PER_S)
        if due < self.count:
            return None
        assert self._writer is not None
        while self._last is not None and self.count < due:
            self._put(self._last)
        self._put(frame)
        self._last = frame
        return self.count - 1

    def _open(self, frame: Frame) -> None:
        self._begin_s = frame.at_s
        height, width = frame.pixels.shape[:2]
        code = cv2.VideoWriter.fourcc(*self._code)
        self._writer = cv2.VideoWriter(str(self.path), code, PER_S, (width, height))
        if not self._writer.isOpened():
            raise ConfigError(f"{self.path}: {self._code} cannot be written; is the disk full?")

    def _put(self, frame: Frame) -> None:
        assert self._writer is not None
        self._writer.write(frame.pixels)
        self.count += 1

    def close(self) -> None:
        """Finish the clip; ConfigError if not all of it is in the file. May be called twice."""
        if self._finished():
            self._check_written()

    def _finished(self) -> bool:
        """Finish the file; False if there was none, or it was finished before."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.release()
        return writer is not None

    def _check_written(self) -> None:
        """Raise ConfigError where frames are missing: OpenCV says nothing when a disk is full."""
        if frames_told(self.path) == self.count:
            return
        written = frames_in(self.path)
        if written < self.count:
            raise ConfigError(
                say(
                    "{path}: expected {n} frame, got {written} written; the disk may be full: make "
                    "room, or record for a shorter time",
                    "{path}: expected {n} frames, got {written} written; the disk may be full: "
                    "make room, or record for a shorter time",
                    path=self.path,
                    n=self.count,
                    written=written,
                )
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self._finished()  # what went wrong before is what counts
