"""A camera on USB, through V4L2: one buffer, and the kernel's own time stamp for every picture.

Wiring: any camera that Linux knows as a UVC device. Name it by /dev/v4l/by-id, which stays the same
when others are plugged in.
"""

import os
from pathlib import Path

import cv2
import numpy as np

from camera.health import CameraTrouble
from camera.locks import V4l2Controls
from camera.source import Frame
from camera.stamps import Stamps
from companion.clock import Clock
from companion.words import say

# OpenCV waits ten seconds for a picture unless it is told otherwise before the first one.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")

COMPRESSED = "MJPG"  # raw pictures of this size do not fit through USB 2 at full rate


class V4l2Camera:
    """An open camera: `read` waits for its next picture, a second at most.

    device  path such as /dev/v4l/by-id/usb-...-video-index0, or the number of a /dev/video.
    Raises CameraTrouble: `lost` (not there), `forbidden`, or `busy` (another program has it).
    """

    def __init__(
        self,
        device: str | int,
        clock: Clock,
        *,
        size_px: tuple[int, int] = (1280, 720),
        per_s: int = 30,
    ) -> None:
        self._path = Path(device if isinstance(device, str) else f"/dev/video{device}")
        self.stamps = Stamps(clock)
        check_path(self._path)
        self._camera = cv2.VideoCapture(str(self._path), cv2.CAP_V4L2)
        if not self._camera.isOpened():
            self._camera.release()
            raise CameraTrouble(
                "busy", say("{path}: another program has the camera; stop it", path=self._path)
            )
        self._camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*COMPRESSED))
        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
        self._camera.set(cv2.CAP_PROP_FPS, per_s)
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.controls = V4l2Controls(self._camera)

    def read(self) -> Frame:
        """Wait for the next picture; CameraTrouble `lost` when none comes any more."""
        try:
            is_read, pixels = self._camera.read()
        except cv2.error as error:
            told = say(
                "{path}: its picture cannot be decoded: {why}", path=self._path, why=error.err
            )
            raise CameraTrouble("lost", told) from error
        if not is_read or pixels is None:
            raise CameraTrouble(
                "lost", say("{path}: no picture any more; is it plugged in?", path=self._path)
            )
        stamp_s = self._camera.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return Frame(self.stamps.at_s(stamp_s), np.asarray(pixels, np.uint8))

    def close(self) -> None:
        """Give the camera back."""
        self._camera.release()


def check_path(path: Path) -> None:
    """Raise CameraTrouble where there is no camera, or none for us."""
    if not path.exists():
        raise CameraTrouble("lost", say("{path}: no camera there; is it plugged in?", path=path))
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraTrouble(
            "forbidden", say("{path}: may not be used; add the user to group video", path=path)
        )
