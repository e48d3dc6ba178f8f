"""A camera that comes back by itself: unplugged, busy, frozen or dark, it is told and tried again.

Theory of operation. One thread opens the camera, reads it, measures every picture and keeps the
newest; what goes wrong closes the camera, and it is opened again after a pause that grows. How the
camera fares is asked at any time from any thread, and follows from the clock as well: when a read
hangs, the silence is noticed all the same.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from camera.health import (
    FROZEN,
    LIVE,
    OVER,
    SILENT,
    CameraTrouble,
    Condition,
    Watchdog,
    look_at,
)
from camera.locks import held, set_up
from camera.picamera import PiCamera
from camera.source import Frame
from camera.v4l2 import V4l2Camera
from companion.clock import Clock
from companion.errors import ConfigError, DeviceError
from companion.words import fact, say

LOG = logging.getLogger(__name__)
PAUSES_S = (0.1, 1.0)  # first and longest pause between two tries
USED_TO_LIGHT = 15  # pictures until a camera has found good values by itself, half a second
SET_UP_S = 10.0  # that, twice, may take so long: three pictures a second
CLOSE_S = 3.0  # a read takes a second at most
READER_S = 2.0  # so long a recording waits for whoever looks at it
PI = "picamera"


class Camera(Protocol):
    """An open camera."""

    def read(self) -> Frame:
        """Wait for the next picture; raise CameraTrouble when none comes."""
        ...

    def close(self) -> None:
        """Give the camera back."""
        ...


def opener(
    device: str, clock: Clock, locked: Mapping[str, float] | None = None
) -> Callable[[], Camera]:
    """What opens the camera of this name: `picamera`, `picamera:1`, `/dev/...`, or `0`.

    locked  what its exposure and so on are held to; see camera/locks.py.
    Raises ConfigError for a name of no camera.
    """
    kind, _, number = device.partition(":")
    values = locked or {}
    if kind == PI and (number or "0").isdigit():
        return lambda: held(PiCamera(int(number or "0"), clock), values)
    if device.isdigit():
        return lambda: held(V4l2Camera(int(device), clock), values)
    if device.startswith("/dev/"):
        return lambda: held(V4l2Camera(device, clock), values)
    raise ConfigError(
        say(
            "camera: expected /dev/..., a number, or {other}, got {device!r}",
            other=PI,
            device=device,
        )
    )


class SetUp(NamedTuple):
    """What a camera was held to, and what it saw under that."""

    values: dict[str, float]  # nothing if it has none
    frame: Frame | None  # None where nothing was locked


class SteadyCamera:
    """The newest frame of a camera, and how it fares; see the theory of operation above."""

    def __init__(
        self,
        name: str,
        open_camera: Callable[[], Camera],
        clock: Clock,
        *,
        pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:
        self.name = name
        self._open = open_camera
        self._clock = clock
        self._pauses_s = pauses_s
        self._watchdog = Watchdog(clock.now_s())
        self._newest: Frame | None = None
        self._finding = ""
        self._recording: Any = None  # the camera, if it is one
        self._is_to_lock = False
        self._locked: dict[str, float] = {}  # by a set-up since; it outlives a lost camera
        self._found: SetUp | None = None
        self._arrived = threading.Condition()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)

    def start(self) -> Self:
        """Begin to look, in a thread; returns at once, whether there is a camera or not."""
        self._thread.start()
        return self

    def frame(self, timeout_s: float = 1.0) -> Frame:
        """Wait for a frame that nobody has taken yet; DeviceError says why none comes."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._newest or self._closing.is_set(), timeout_s)
            newest, self._newest = self._newest, None
            self._arrived.notify_all()
        if newest is None:
            raise self._error(say("no picture in {seconds} s", seconds=timeout_s))
        return newest

    def condition(self) -> Condition:
        """How the camera fares now; from any thread."""
        with self._arrived:
            told = self._watchdog.condition(self._clock.now_s())
            if told.state == SILENT and self._is_recorded:  # it waits for whoever looks at it
                return Condition(LIVE, "", told.since_s)
            return told

    def advice(self) -> str:
        """What would make its pictures better, in words; from any thread."""
        with self._arrived:
            return self._finding or self._watchdog.advice()

    def set_up(self, timeout_s: float = SET_UP_S) -> SetUp:
        """Let the camera find good values by itself, and hold it to them; see what it sees then.

        Raises DeviceError where too few pictures come for that; it is held to what it was before.
        """
        with self._arrived:
            if self._is_recorded:
                return SetUp({}, None)
            self._is_to_lock, self._found = True, None
            self._arrived.wait_for(
                lambda: self._found is not None or self._closing.is_set(), timeout_s
            )
            self._is_to_lock, found = False, self._found
        if found is None:
            raise self._error(
                say(
                    "too few pictures in {seconds} s to find exposure and focus by; give it more "
                    "light, then try again",
                    seconds=timeout_s,
                )
            )
        return found

    def _error(self, why: str) -> DeviceError:
        """Say what is wrong with the camera; `why`, where that is not known."""
        return DeviceError(say("{place}: {why}", place=self.name, why=self.condition().why or why))

    def row(self) -> dict[str, Any]:
        """The same for the screens."""
        state, why, since_s = self.condition()
        return {"name": self.name, "state": state, "why": why, "since_s": round(since_s, 1)}

    def close(self) -> None:
        """Stop looking and give the camera back; may be called twice."""
        self._closing.set()
        with self._arrived:
            self._arrived.notify_all()
        if self._recording is not None:
            self._recording.close()  # its next picture may be due in a minute
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # The thread

    @property
    def _is_recorded(self) -> bool:
        return self._recording is not None

    def _run(self) -> None:
        pause_s = self._pauses_s[0]
        while not self._closing.is_set():
            if self._try_once():
                pause_s = self._pauses_s[0]
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, self._pauses_s[1])

    def _try_once(self) -> bool:
        """Open the camera and look through it until something is wrong; True if it was well."""
        was_well = False
        try:
            camera = self._opened()
            self._recording = camera if getattr(camera, "is_recorded", False) else None
            try:
                while not self._closing.is_set():
                    state = self._take(camera.read())
                    if self._is_to_lock:
                        camera = self._set_up(camera)
                    self._finding = getattr(camera, "finding", "")
                    was_well = was_well or state == LIVE
                    if state == FROZEN:
                        break
                    if self._is_recorded:
                        self._wait_for_reader()
            finally:
                camera.close()
        except CameraTrouble as trouble:
            self._failed(trouble.state, str(trouble))
        except Exception as error:  # a driver's surprise must not end the thread
            LOG.exception("camera %s", self.name)
            said = say("{place}: its driver failed ({why})", place=self.name, why=fact(error))
            self._failed("lost", said)
        return was_well

    def _opened(self) -> Any:
        """Open the camera, held to what it was set up to since it was opened first."""
        camera: Any = self._open()
        return held(getattr(camera, "unlocked", camera), self._locked) if self._locked else camera

    def _set_up(self, camera: Any) -> Any:
        """Let a camera get used to the light, and hold it to what it finds.

        Once nobody waits for that any more, it is held to what it was before.
        """
        bare, former = getattr(camera, "unlocked", camera), getattr(camera, "values", {})
        controls = getattr(bare, "controls", None)
        if controls is None:
            self._is_set_up(SetUp({}, None))
            return camera
        controls.free()
        if self._got_used(bare) is not None:
            values = set_up(controls)
            locked = held(bare, values)
            frame = self._got_used(locked)  # pictures under way were not taken with these values
            if frame is not None and self._is_set_up(SetUp(values, frame)):
                return locked
        if not former:
            controls.free()
        return held(bare, former)

    def _got_used(self, camera: Any) -> Frame | None:
        """The picture of a camera used to what has changed; None once nobody waits for it."""
        frame = None
        for _ in range(USED_TO_LIGHT):
            if not self._is_to_lock or self._closing.is_set():
                return None
            frame = camera.read()
            self._take(frame)
        return frame

    def _is_set_up(self, found: SetUp) -> bool:
        """Tell whoever waits for it; False if nobody does."""
        with self._arrived:
            if not self._is_to_lock or self._closing.is_set():
                return False
            self._is_to_lock, self._locked, self._found = False, found.values, found
            self._arrived.notify_all()
            return True

    def _take(self, frame: Frame) -> str:
        look = look_at(frame)
        with self._arrived:
            self._watchdog.saw(look)
            self._newest = frame
            self._arrived.notify_all()
            return self._watchdog.condition(look.at_s).state

    def _wait_for_reader(self) -> None:
        """Nothing of a recording is missed, however slow the machine is that looks at it."""
        with self._arrived:
            self._arrived.wait_for(lambda: not self._newest or self._closing.is_set(), READER_S)

    def _failed(self, state: str, why: str) -> None:
        with self._arrived:
            if self._watchdog.condition(self._clock.now_s()).state != state:
                LOG.log(logging.INFO if state == OVER else logging.WARNING, "%s", why)
            self._watchdog.failed(self._clock.now_s(), state, why)
            self._newest = None  # what was seen before the trouble is no news any more
            self._arrived.notify_all()
