"""A look through the machine's camera: what it gives in two seconds."""

from pathlib import Path

import msgspec

from camera.health import Look, look_at
from camera.source import LiveCamera
from companion.clock import RealClock
from companion.errors import DeviceError

FRAMES = 30
LIMIT_S = 2.0


class CameraLooks(msgspec.Struct, frozen=True):
    """What the frames of a camera told, in order; `why` says what went wrong, or is empty."""

    looks: tuple[Look, ...] = ()
    why: str = ""


def first_camera() -> Path | None:
    """The first camera of this machine that gives pictures."""
    return next(iter(sorted(Path("/dev").glob("video[0-9]*"))), None)


def look_through() -> CameraLooks:
    """Take some frames from the first camera of this machine."""
    path = first_camera()
    if path is None:
        return CameraLooks(why="there is no /dev/video*")
    clock = RealClock()
    try:
        camera = LiveCamera(int(path.name.removeprefix("video")), clock)
    except (DeviceError, ValueError) as error:
        return CameraLooks(why=str(error))
    looks: list[Look] = []
    try:
        while len(looks) < FRAMES and clock.now_s() < LIMIT_S:
            looks.append(look_at(camera.frame()))
    except DeviceError as error:
        return CameraLooks(tuple(looks), str(error))
    finally:
        camera.close()
    return CameraLooks(tuple(looks))
