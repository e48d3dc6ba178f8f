"""A real square of tiles: a camera, a clip or a folder of pictures, read as simulated ones are.

A thread of its own shows every frame to the tile sensor. A camera that is unplugged is said to be
lost and tried again; a clip or a folder is played at its own pace, once.
"""

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from camera.calibrate import load_zones
from camera.dice_sets import load
from camera.pictures import load_picture
from camera.source import Frame, LiveCamera, PictureFolder, VideoFile
from camera.tiles import TileWatcher
from companion.actions import Flipped, Report
from companion.calibrating import empty_of
from companion.clock import Clock
from companion.config import SquareSettings
from companion.errors import ConfigError, DeviceError, PictureError
from companion.inbox import Inbox
from companion.learning import Learner
from companion.sensing import Asks, TileSensor, source_of, source_row, zone_row

LOG = logging.getLogger(__name__)
AGAIN_S = 2.0  # real time between two tries of a camera that is lost
FOLDER_FRAMES_PER_S = 25.0


class Tiles(Protocol):
    """What a table with a square of tiles tells of it."""

    columns: int
    squares: tuple[str, ...]


class RealSquare:
    """Watches a real square of tiles; `start` begins, `close` ends.

    Raises ConfigError or PictureError for a square, an empty picture or learnt tiles that cannot be
    read: they are made by `companion calibrate` and `companion enrol`.
    """

    def __init__(
        self, table: Tiles, settings: SquareSettings, inbox: Inbox, clock: Clock, ask: Asks
    ) -> None:
        square = Path(settings.square)
        zones, looks = load_zones(square), load(Path(settings.tiles))
        if not zones:
            raise ConfigError(f"{square}: expected a square, found none; calibrate first")
        empty = load_picture(empty_of(square))
        watcher = TileWatcher(zones[0], looks, empty, columns=table.columns)
        self.sensor = TileSensor(watcher, table.squares, inbox, ask)
        self.source = source_of(watcher.name)
        ask.learners[self.source] = Learner(looks, Path(settings.tiles), self.sensor.relearn)
        self.trouble = ""
        self._camera, self._inbox, self._clock = settings.camera, inbox, clock
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="square", daemon=True)

    def start(self) -> "RealSquare":
        """Begin to watch."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop watching; may be called twice."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(3.0)

    def decided(self, report: Report | None) -> None:
        """A tile that was tapped, or answered for, is not reported once more."""
        action = None if report is None else report.action
        if report is not None and isinstance(action, Flipped) and report.source != self.source:
            self.sensor.answered({action.square: action.face})

    def row(self, silent: list[str]) -> dict[str, Any]:
        """How the camera fares, for the screens."""
        sighting = self.sensor.sightings.get(self.sensor.watchers[0].name)
        if self.trouble or sighting is None:
            state = "lost" if self.trouble else "ok"
            row = source_row(self.source, "Camera, square", state, self.trouble or "starting")
            return row | {"moving": False, "dice": []}
        return zone_row(self.sensor.watchers[0].name, sighting.state, silent, [])

    def _watch(self) -> None:
        """Show frames to the sensor, and try again for as long as a live camera is lost."""
        while not self._over.is_set():
            try:
                for frame in self._frames():
                    self.sensor.see(frame)
                    self.trouble = ""
                    if self._over.is_set():
                        return
                if not is_live(self._camera):
                    return
            except (DeviceError, PictureError) as error:
                if not self.trouble:
                    LOG.warning("the square: %s", error)
                self.trouble = str(error)
            self._over.wait(AGAIN_S)

    def _frames(self) -> Iterator[Frame]:
        """Frames in the time of the game: as they come, or at the pace at which they were taken."""
        if is_live(self._camera):
            camera = LiveCamera(device_number(self._camera), self._clock)
            try:
                yield from camera.frames()
            finally:
                camera.close()
            return
        begin_s = self._clock.now_s()
        for frame in recorded(Path(self._camera)).frames():
            at_s = begin_s + frame.at_s
            self._over.wait(max(0.0, at_s - self._clock.now_s()))
            yield Frame(at_s, frame.pixels)


def is_live(camera: str) -> bool:
    """True for a device: its number, or its path."""
    return camera.isdigit() or camera.startswith("/dev/video")


def device_number(camera: str) -> int:
    """The number of a camera that is named as `0` or `/dev/video0`."""
    number = camera.removeprefix("/dev/video")
    if not number.isdigit():
        raise ConfigError(f"[square] camera: expected 0 or /dev/video0, got {camera!r}")
    return int(number)


def recorded(path: Path) -> VideoFile | PictureFolder:
    """A clip, or a folder of pictures."""
    return PictureFolder(path, FOLDER_FRAMES_PER_S) if path.is_dir() else VideoFile(path)
