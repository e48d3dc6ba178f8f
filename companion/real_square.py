"""A real square of tiles: a camera, a clip or a folder of pictures, read as simulated ones are.

A thread of its own shows the newest picture to the tile sensor. A camera that is lost, frozen or
dark is told and taken up again (camera/steady.py); a clip or a folder is played at its own times,
once.
"""

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from camera.calibrate import load_zones
from camera.dice_sets import load
from camera.health import LIVE, SILENT, WAITING
from camera.pictures import load_picture
from camera.replay import opened
from camera.source import Frame
from camera.steady import Camera, SteadyCamera
from camera.tiles import TileWatcher
from companion.actions import Flipped, Report
from companion.calibrating import empty_of
from companion.clock import Clock
from companion.config import SquareSettings
from companion.errors import CompanionError, ConfigError, DeviceError
from companion.inbox import Inbox
from companion.learning import Learner
from companion.sensing import Asks, TileSensor, source_of, zone_row

LOG = logging.getLogger(__name__)
WAIT_S = 0.5  # for a picture, before the camera counts as blind
FINE = (LIVE, WAITING)


class Tiles(Protocol):
    """What a table with a square of tiles tells of it."""

    columns: int
    squares: tuple[str, ...]


class RealSquare:
    """Watches a real square of tiles; `start` begins, `close` ends.

    seen_s       capture time of the latest picture that was looked at.
    open_camera  what opens the camera; told by the settings unless given.
    Raises ConfigError or PictureError for a square, an empty picture or learnt tiles that cannot be
    read: they are made by `companion calibrate` and `companion enrol`.
    """

    def __init__(
        self,
        table: Tiles,
        settings: SquareSettings,
        inbox: Inbox,
        clock: Clock,
        ask: Asks,
        *,
        open_camera: Callable[[], Camera] | None = None,
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
        try:
            opens = open_camera or opened(settings.camera, clock)
        except ConfigError as error:
            raise ConfigError(f"[square] camera: {error}") from error
        self._clock, self.seen_s = clock, clock.now_s()
        self.camera = SteadyCamera("square", opens, clock)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="square", daemon=True)

    def start(self) -> "RealSquare":
        """Begin to watch; returns at once, whether there is a camera or not."""
        self.camera.start()
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop watching; may be called twice."""
        self._over.set()
        self.camera.close()
        if self._thread.is_alive():
            self._thread.join(3.0)

    def decided(self, report: Report | None) -> None:
        """A tile that was tapped, or answered for, is not reported once more."""
        action = None if report is None else report.action
        if report is not None and isinstance(action, Flipped) and report.source != self.source:
            self.sensor.answered({action.square: action.face})

    def row(self, silent: list[str]) -> dict[str, Any]:
        """How the camera and the square fare, for the screens."""
        state, why, _ = self.camera.condition()
        trouble = self.trouble or ("" if state in FINE else why)
        name = self.sensor.watchers[0].name
        sighting = self.sensor.sightings.get(name)
        seen = "starting" if sighting is None else sighting.state
        advice = self.camera.advice()
        row = zone_row(name, seen, silent, [], trouble=trouble, advice=advice)
        row |= {"moving": False} if trouble or sighting is None else {}
        age_s = int(max(0.0, self._clock.now_s() - self.seen_s))
        return row | {"camera": state, "picture_age_s": age_s}

    # --- the thread -------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._over.is_set():
            try:
                frame = self.camera.frame(WAIT_S)
            except DeviceError:
                self.sensor.blind()
                continue
            if self.camera.condition().state in (LIVE, SILENT):  # it just gave one, if a late one
                self._look(frame)
            else:
                self.sensor.blind()

    def _look(self, frame: Frame) -> None:
        """Show one picture to the sensor; what cannot be read of it ends nothing."""
        try:
            self.sensor.see(frame)
            self.trouble = ""
        except CompanionError as error:
            self._is_troubled(str(error))
        except Exception as error:  # one picture must not end the watch over a whole evening
            LOG.exception("the square")
            self._is_troubled(f"this picture cannot be read: {error}")
        self.seen_s = frame.at_s

    def _is_troubled(self, why: str) -> None:
        if why != self.trouble:
            LOG.warning("the square: %s", why)
        self.trouble = why
