"""The Pi's own camera, through picamera2: pictures stamped by the sensor.

Wiring: a camera module on the ribbon connector, contacts towards the board's. picamera2 comes from
apt (python3-picamera2) and is loaded only here, when a camera is opened.
"""

import importlib
from typing import Any

import numpy as np

from camera.health import CameraTrouble
from camera.locks import WAIT_S, PiControls
from camera.source import Frame
from camera.stamps import Stamps
from companion.clock import Clock
from companion.field_words import reason
from companion.words import say

BUFFERS = 3  # the sensor fills one while we hold another; with fewer it waits for us
FORMAT = "RGB888"  # in memory the bytes come as blue, green, red: what OpenCV wants


class PiCamera:
    """An open camera: `read` waits for its next picture, a second at most.

    number  which of the Pi's connectors, from 0 on.
    Raises CameraTrouble: `lost` (none there, or no picamera2) or `busy` (another program has it).
    """

    def __init__(
        self,
        number: int,
        clock: Clock,
        *,
        size_px: tuple[int, int] = (1280, 720),
        per_s: int = 30,
    ) -> None:
        self.stamps = Stamps(clock)
        self._number = number
        self._camera = opened(number)
        self.controls = PiControls(self._camera)
        try:
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": size_px, "format": FORMAT},
                    controls={"FrameRate": per_s},
                    buffer_count=BUFFERS,
                    queue=False,
                )
            )
            self._camera.start()
        except Exception as error:  # picamera2 lets through whatever libcamera throws
            self.close()
            raise CameraTrouble(
                "busy",
                say("camera {number}: cannot be started: {why}", number=number, why=reason(error)),
            ) from error

    def read(self) -> Frame:
        """Wait for the next picture; CameraTrouble `lost` when none comes any more."""
        try:
            request = self._camera.capture_request(wait=WAIT_S)
        except Exception as error:
            why = say(
                "camera {number}: no picture any more ({error})",
                number=self._number,
                error=type(error).__name__,
            )
            raise CameraTrouble("lost", say("{why}; is its cable right?", why=why)) from error
        try:
            stamp_s = request.get_metadata()["SensorTimestamp"] / 1e9
            pixels = np.array(request.make_array("main"), np.uint8)
        finally:
            request.release()
        return Frame(self.stamps.at_s(stamp_s), pixels[:, :, :3])

    def close(self) -> None:
        """Stop the camera and give it back."""
        self._camera.close()


def opened(number: int) -> Any:
    """picamera2's object for a camera; CameraTrouble says why there is none."""
    try:
        module = importlib.import_module("picamera2")
    except (ImportError, OSError) as error:
        why = say("no picamera2 ({why}); sudo apt install python3-picamera2", why=reason(error))
        raise CameraTrouble("lost", why) from error
    try:
        return module.Picamera2(number)
    except (IndexError, KeyError) as error:
        raise CameraTrouble(
            "lost", say("camera {number}: none on this connector", number=number)
        ) from error
    except RuntimeError as error:
        raise CameraTrouble(
            "busy",
            say("camera {number}: another program has it: {why}", number=number, why=reason(error)),
        ) from error
