"""A look through the machine's camera: what it gives in two seconds."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import msgspec

from camera.health import Look, look_at
from camera.steady import PI, Camera, opener
from companion.clock import Clock, RealClock
from companion.errors import DeviceError

FRAMES = 30
LIMIT_S = 2.0
BY_ID = "v4l/by-id/*-video-index0"


class CameraLooks(msgspec.Struct, frozen=True):
    """What the frames of a camera told, in order; `why` says what went wrong, or is empty.

    values  what it is set to just now; see camera/locks.py.
    """

    looks: tuple[Look, ...] = ()
    why: str = ""
    values: dict[str, float] = {}


def first_camera(dev: Path = Path("/dev"), *, has_picamera: bool | None = None) -> str:
    """The camera that a table would take: on USB, else the Pi's own, else any; empty for none.

    On a Pi some of /dev/video* are no cameras, but parts of its picture processor.
    """
    on_usb = sorted(dev.glob(BY_ID))
    if on_usb:
        return str(on_usb[0])
    any_video = sorted(dev.glob("video[0-9]*"))
    if has_picamera is None:
        has_picamera = importlib.util.find_spec("picamera2") is not None
    if has_picamera and any_video:
        return PI
    return str(any_video[0]) if any_video else ""


def look_through() -> CameraLooks:
    """Take some frames from the first camera of this machine."""
    name, clock = first_camera(), RealClock()
    if not name:
        return CameraLooks(why="there is no /dev/video*")
    return looks_of(opener(name, clock), clock)


def looks_of(open_camera: Callable[[], Camera], clock: Clock) -> CameraLooks:
    """Take some frames from a camera; one that cannot be opened says why."""
    looks: list[Look] = []
    values: dict[str, float] = {}
    try:
        camera = open_camera()
        try:
            until_s = clock.now_s() + LIMIT_S
            while len(looks) < FRAMES and clock.now_s() < until_s:
                looks.append(look_at(camera.read()))
            controls = getattr(camera, "controls", None)
            values = {} if controls is None else controls.values()
        finally:
            camera.close()
    except DeviceError as error:
        return CameraLooks(tuple(looks), str(error))
    return CameraLooks(tuple(looks), values=values)
