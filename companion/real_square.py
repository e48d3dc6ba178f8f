"""A real square of tiles: a camera, a clip or a folder of pictures, read as simulated ones are.

A thread of its own shows the newest picture to the tile sensor. A camera that is lost, frozen or
dark is told and taken up again (camera/steady.py); a clip or a folder is played at its own times,
once.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from camera.calibrate import load_zones
from camera.dice_sets import load
from camera.health import LIVE, WAITING
from camera.pictures import load_picture
from camera.replay import opened
from camera.source import Frame
from camera.steady import Camera
from camera.tiles import TileWatcher
from companion.actions import Flipped, Report
from companion.calibrating import empty_of
from companion.camera_watch import CameraWatch
from companion.clock import Clock
from companion.config import SquareSettings
from companion.errors import ConfigError
from companion.inbox import Inbox
from companion.learning import Learner
from companion.sensing import Asks, TileSensor
from companion.sensor_rows import source_of, zone_row
from companion.words import say

FINE = (LIVE, WAITING)


class Tiles(Protocol):
    """What a table with a square of tiles tells of it."""

    columns: int
    squares: tuple[str, ...]


class RealSquare(CameraWatch):
    """Watches a real square of tiles; `start` begins, `close` ends.

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
            raise ConfigError(
                say("{path}: expected a square, found none; calibrate first", path=square)
            )
        empty = load_picture(empty_of(square))
        watcher = TileWatcher(zones[0], looks, empty, columns=table.columns)
        self.sensor = TileSensor(watcher, table.squares, inbox, ask)
        self.source = source_of(watcher.name)
        ask.learners[self.source] = Learner(looks, Path(settings.tiles), self.sensor.relearn)
        try:
            opens = open_camera or opened(settings.camera, clock)
        except ConfigError as error:
            raise ConfigError(say("{place}: {why}", place="[square] camera", why=error)) from error
        super().__init__("square", opens, clock, "square")

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
        return row | {"camera": state, "picture_age_s": self.age_s}

    def _see(self, frame: Frame) -> None:
        self.sensor.see(frame)

    def _go_blind(self) -> None:
        self.sensor.blind()
