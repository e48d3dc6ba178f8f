"""Where frames come from: a live camera, a clip, a folder of pictures.

Every source hands out frames with their own capture time; the rest of the pipeline knows no clock.
The simulated tray (camera/simulated.py) makes the same frames.
"""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from camera.folder_times import in_order, times_of
from companion.clock import Clock
from companion.errors import DeviceError, PictureError

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
FOLDER_PER_S = 30.0


class Frame(NamedTuple):
    """One picture: when it was taken, in seconds, and (H, W, 3) uint8 in BGR order."""

    at_s: float
    pixels: npt.NDArray[np.uint8]


def use_one_core() -> None:
    """Let OpenCV use one core: sharing out pictures as small as ours costs more than it saves."""
    cv2.setNumThreads(1)


class Source(Protocol):
    """Whatever hands out frames."""

    def frames(self) -> Iterator[Frame]:
        """Hand out frames in order of their time."""
        ...


def read_picture(path: Path) -> npt.NDArray[np.uint8]:
    """Read a picture file as BGR; raise PictureError if it is none."""
    try:
        coded = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise PictureError(f"{path}: expected a picture, got {error.strerror}") from error
    try:
        pixels = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    except cv2.error as error:
        raise PictureError(f"{path}: expected a picture, got {error.err}") from error
    if pixels is None:
        raise PictureError(f"{path}: expected a picture, got {coded.size} bytes of something else")
    return np.asarray(pixels, np.uint8)


class VideoFile:
    """A clip, replayed at its own frame times."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def frames(self) -> Iterator[Frame]:
        """Hand out every frame; raise PictureError if the file is no clip."""
        if not self.path.is_file():
            raise PictureError(f"{self.path}: expected a clip, found no such file")
        clip = cv2.VideoCapture(str(self.path))
        try:
            yield from self._decoded(clip)
        finally:
            clip.release()

    def _decoded(self, clip: cv2.VideoCapture) -> Iterator[Frame]:
        per_s = clip.get(cv2.CAP_PROP_FPS) if clip.isOpened() else 0.0
        if not per_s > 0:
            raise PictureError(f"{self.path}: expected a clip, got something without frames")
        number = 0
        while (answer := clip.read())[0]:
            yield Frame(number / per_s, np.asarray(answer[1], np.uint8))
            number += 1
        if number == 0:
            raise PictureError(f"{self.path}: expected a clip, got no frame that can be decoded")


class PictureFolder:
    """The pictures of a folder, at their own times; see camera/folder_times.py.

    per_s  pictures a second where neither `times.csv` nor their names tell their times.
    """

    def __init__(self, folder: Path, per_s: float = FOLDER_PER_S) -> None:
        self.folder, self.per_s = folder, per_s

    def frames(self) -> Iterator[Frame]:
        """Hand out every picture; raise PictureError for a file that only looks like one."""
        if not self.folder.is_dir():
            raise PictureError(f"{self.folder}: expected a folder of pictures, found none")
        found = [p for p in self.folder.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES]
        pictures = in_order(found)
        for at_s, path in zip(times_of(pictures, self.per_s), pictures, strict=True):
            yield Frame(at_s, read_picture(path))


class LiveCamera:
    """A camera of the machine: only ever its newest frame, so that nothing read is stale.

    Wiring: any V4L2 camera; `device` 0 is /dev/video0. A thread empties the camera's queue, for
    drivers hand out their oldest picture first. Raises DeviceError when there is no camera.
    """

    def __init__(
        self, device: int, clock: Clock, *, size_px: tuple[int, int] = (1280, 720), per_s: int = 30
    ) -> None:
        self._camera = cv2.VideoCapture(device)
        if not self._camera.isOpened():
            raise DeviceError(f"camera {device}: expected /dev/video{device}; is it plugged in?")
        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
        self._camera.set(cv2.CAP_PROP_FPS, per_s)
        self._newest: Frame | None = None
        self._arrived = threading.Condition()
        self._is_open = True
        self._clock, self._device = clock, device
        self._thread = threading.Thread(target=self._empty_queue, name="camera", daemon=True)
        self._thread.start()

    def _empty_queue(self) -> None:
        while self._is_open:
            is_read, pixels = self._camera.read()
            with self._arrived:
                if not is_read:
                    self._is_open = False
                else:
                    self._newest = Frame(self._clock.now_s(), np.asarray(pixels, np.uint8))
                self._arrived.notify_all()

    def frame(self, timeout_s: float = 1.0) -> Frame:
        """Wait for a frame that nobody has taken yet; raise DeviceError when none comes."""
        with self._arrived:
            self._arrived.wait_for(
                lambda: self._newest is not None or not self._is_open, timeout=timeout_s
            )
            newest, self._newest = self._newest, None
        if newest is None:
            raise DeviceError(f"camera {self._device}: no picture in {timeout_s} s; unplugged?")
        return newest

    def frames(self) -> Iterator[Frame]:
        """Hand out the newest frame for as long as the camera gives any."""
        while self._is_open:
            yield self.frame()

    def close(self) -> None:
        """Stop the thread and give the camera back."""
        self._is_open = False
        self._thread.join(timeout=2.0)
        self._camera.release()
