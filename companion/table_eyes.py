"""What the cameras of a table see just now, for whoever sets zones or teaches faces.

In a simulated room that is the picture of its stage. In a real one it is the newest picture of the
running camera; where the game in play needs none, the camera is opened for a moment.
"""

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from camera.source import Frame
from companion.camera_command import one_picture, set_up_camera
from companion.config import CameraSettings, SquareSettings
from companion.errors import CompanionError, IllegalAction
from companion.house_desk import HouseDesk

TRAYS, SQUARE = "trays", "square"
FRESH_S = 1.0  # so long a picture counts for which a camera was opened


@dataclass
class TableEyes:
    """The cameras of a table, by name (`trays`, `square`); safe from any thread."""

    desk: HouseDesk
    camera: CameraSettings
    square: SquareSettings
    simulated: bool
    _taken: dict[str, tuple[float, Frame]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def names(self) -> list[str]:
        """The cameras there are."""
        if self.simulated:
            return [name for name in (TRAYS, SQUARE) if self.stage(name) is not None]
        wanted = {TRAYS: self.camera.device, SQUARE: self.square.camera}
        return [name for name, device in wanted.items() if device]

    def frame(self, name: str) -> Frame:
        """The newest picture of a camera; raises IllegalAction `no_picture` with the reason."""
        if name not in self.names():
            raise IllegalAction("no_camera", "There is no such camera.")
        if self.simulated:
            return self._staged(name)
        frame = self._of_room(name)
        return self._opened(name) if frame is None else frame

    def set_up(self, name: str) -> tuple[dict[str, float], Frame]:
        """Let a real camera find good values by itself, and lock them; nothing if it has none.

        With what it sees under them: the newest picture may have been taken before.
        Raises CompanionError where it gives no pictures.
        """
        watching = getattr(self.room(), name, None)
        if watching is None:
            device = self.camera.device if name == TRAYS else self.square.camera
            locked, frame = set_up_camera(device)
            return locked or {}, frame
        values, seen = watching.camera.set_up()
        return values, self.frame(name) if seen is None else seen

    def stage(self, name: str) -> Any:
        """What the simulated camera looks at; None where there is none."""
        square = getattr(self.room(), "square", None)
        if name == SQUARE:
            return getattr(square, "tray", None)
        return None if square is not None else getattr(self.room(), "tray", None)

    def room(self) -> Any:
        """The room of the game in play, or None."""
        try:
            return self.desk.companion.room
        except IllegalAction:
            return None

    def _staged(self, name: str) -> Frame:
        companion, stage = self.desk.companion, self.stage(name)
        try:
            frame: Frame = companion.call(lambda: stage.frame(companion.clock.now_s()))
        except IllegalAction:
            raise
        except CompanionError as error:  # the game is being laid out afresh just now
            raise IllegalAction("no_picture", str(error)) from error
        return frame

    def _of_room(self, name: str) -> Frame | None:
        """The newest picture of a camera that is watched just now."""
        watching = getattr(self.room(), name, None)
        source = watching if name == TRAYS else getattr(watching, "sensor", None)
        if watching is None:
            return None
        newest: Frame | None = getattr(source, "newest", None)
        if newest is None:
            raise IllegalAction("no_picture", "This camera shows nothing just now.")
        return newest

    def _opened(self, name: str) -> Frame:
        """A picture of a camera that nobody watches, opened for a moment."""
        with self._lock:
            at_s, frame = self._taken.get(name, (float("-inf"), None))
            if frame is None or time.monotonic() - at_s > FRESH_S:
                device = self.camera.device if name == TRAYS else self.square.camera
                try:
                    frame = one_picture(device)
                except CompanionError as error:
                    raise IllegalAction("no_picture", str(error)) from error
                self._taken[name] = (time.monotonic(), frame)
            return frame
