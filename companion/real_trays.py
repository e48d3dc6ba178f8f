"""Real trays of dice: a camera, a clip or a folder of pictures, read as simulated trays are.

Theory of operation. One thread takes the newest picture of the camera and shows it to the watchers
of all zones; what they report goes to the inbox with the time at which it was captured, and every
picture moves their watermark on. A camera that is lost, frozen or dark shows nothing that can be
trusted: the watchers wait, the inbox finds them silent, and dice that lie there when it is back are
no roll if the table went on without it. How large a picture is, its first frame tells; until then
the zones wait for nobody, and nobody for them.
"""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from camera.calibrate import Pixels
from camera.dice_sets import DiceLooks, load
from camera.health import LIVE
from camera.learnt import learnt_for
from camera.locks import values_beside
from camera.pictures import load_picture
from camera.replay import opened
from camera.source import Frame, use_one_core
from camera.steady import Camera
from camera.tray import Eyes, TrayWatcher
from camera.tray_pips import has_pips
from camera.tray_readers import KnownTrays, parts_of, share_tray
from companion.camera_watch import CameraWatch
from companion.clock import Clock
from companion.config import CameraSettings
from companion.dice import DiceSet
from companion.errors import ConfigError, PictureError
from companion.inbox import Inbox
from companion.learning import Learner
from companion.offers import Offer
from companion.relearning import Relearning
from companion.sensing import Asks, CameraSensor
from companion.sensor_rows import source_of, zone_row
from companion.tray_zones import dice_by_zone, zone_has_size, zone_in
from companion.words import say


class RealTrays(CameraWatch):
    """Watches real trays; `start` begins, `close` ends.

    wired        dice that a receiver reports: each die has one source.
    open_camera  what opens the camera; told by the settings unless given.
    known        who read these zones in earlier games: how a tray lies is known from the first
                 roll on, as long as its zone is where it was.
    Raises ConfigError or PictureError for settings, learnt dice or an empty picture that do not
    fit.
    """

    def __init__(
        self,
        dice: DiceSet,
        settings: CameraSettings,
        inbox: Inbox,
        clock: Clock,
        ask: Asks,
        *,
        wired: Collection[str] = (),
        open_camera: Callable[[], Camera] | None = None,
        known: KnownTrays | None = None,
    ) -> None:
        self._dice, self._settings = dice, settings
        self._inbox, self._ask = inbox, ask
        self._known: KnownTrays = {} if known is None else known
        self.zones, self._learnt = zones_and_learnt(settings, dice, wired)
        self._looks = self._fitting(self._learnt)
        empty = Path(settings.empty) if settings.empty else None
        self._eyes = {name: self._eyes_for(names) for name, names in self.zones.items()}
        self._empty = load_picture(empty) if empty is not None and empty.is_file() else None
        self.reading: Callable[[bool], None] = lambda is_reading: None  # the light must be steady
        self.sensor: CameraSensor | None = None
        self.watchers: list[TrayWatcher] = []
        self.newest: Frame | None = None  # for whoever sets the zones
        self._offers: Sequence[Offer] = ()
        self._lock = threading.Lock()
        try:
            locked = values_beside(settings.empty)
            opens = open_camera or opened(settings.device, clock, locked)
        except ConfigError as error:
            raise ConfigError(say("{place}: {why}", place="[camera] device", why=error)) from error
        super().__init__("camera", opens, clock, "trays")
        self._relearning = Relearning("trays", self._relearn)

    def start(self) -> Self:
        """Begin to watch; returns at once, whether there is a camera or not."""
        use_one_core()
        if self._learnt is not None:
            learner = Learner(self._learnt, Path(self._settings.looks), self._relearning.hand_on)
            self._ask.learners |= {source_of(zone): learner for zone in self.zones}
        return super().start()

    def close(self) -> None:
        """Stop watching and give the camera back; may be called twice."""
        super().close()
        self._relearning.close()

    def expect(self, offers: Sequence[Offer]) -> None:
        """Tell the watchers which dice the table awaits."""
        with self._lock:
            self._offers = offers
            if self.sensor is not None:
                self.sensor.expect(offers)

    def answered(self, source: str, faces: Mapping[str, str]) -> None:
        """The table knows what these dice show; no zone but `source` reports them once more."""
        with self._lock:
            if self.sensor is not None and not source.startswith(source_of("")):
                self.sensor.answered(faces)

    def rows(self, silent: list[str]) -> list[dict[str, Any]]:
        """How the camera and each of its zones fare, for the screens."""
        state, why, _ = self.camera.condition()
        trouble = self.trouble or ("" if state == LIVE else why)
        advice = self.camera.advice()
        rows = []
        for name, dice in self.zones.items():
            row = zone_row(name, self._state_of(name), silent, dice, advice=advice)
            lost = {"state": "lost", "detail": trouble, "moving": False} if trouble else {}
            rows.append(row | lost | {"camera": state, "picture_age_s": self.age_s})
        return rows

    def _fitting(self, learnt: DiceLooks | None) -> DiceLooks | None:
        """What was learnt of the dice that are watched; ConfigError where a face is missing."""
        if learnt is None:
            return None
        seen = (self._dice[name] for names in self.zones.values() for name in names)
        taught = DiceSet.of(die for die in seen if not has_pips(die))
        where = f"[camera] looks: {self._settings.looks}"
        return learnt_for(learnt, taught.kinds(), where)

    def _of(self, names: Sequence[str]) -> DiceSet:
        return DiceSet.of(self._dice[die] for die in names)

    def _eyes_for(self, names: Sequence[str]) -> Eyes:
        return Eyes.of(self._looks, self._of(names))

    def _relearn(self, learnt: DiceLooks) -> None:
        """Read with this from the next picture on: the table answered a question.

        In a thread of its own: the table is not to wait for it.
        """
        self._looks = self._fitting(learnt)
        for watcher in self.watchers:
            if self._looks is not None:
                watcher.relearn(self._looks)

    def _state_of(self, zone: str) -> str:
        sighting = None if self.sensor is None else self.sensor.sightings.get(zone)
        return "starting" if sighting is None else sighting.state

    # --- the thread -------------------------------------------------------------------------------

    def _see(self, frame: Frame) -> None:
        self.newest = frame
        self._sensor_for(frame.pixels).see(frame)

    def _go_blind(self) -> None:
        if self.sensor is not None:
            self.sensor.blind()

    def _sensor_for(self, pixels: Pixels) -> CameraSensor:
        """The watchers of this camera's pictures, made when the first one comes."""
        if self.sensor is None:
            watchers = [self._watcher(name, names, pixels) for name, names in self.zones.items()]
            self.watchers = watchers
            with self._lock:
                self.sensor = CameraSensor(watchers, self.zones, self._inbox, self._ask)
                self.sensor.reading = lambda is_reading: self.reading(is_reading)
                self.sensor.expect(list(self._offers))
        return self.sensor

    def _watcher(self, name: str, names: Sequence[str], pixels: Pixels) -> TrayWatcher:
        height, width = pixels.shape[:2]
        zone = zone_in((width, height), name, self._settings)
        if self._empty is not None and self._empty.shape != pixels.shape:
            raise PictureError(
                say(
                    "[camera] empty: expected a picture of {width} x {height} pixels, got {wide} "
                    "x {high}; take it with this camera",
                    width=width,
                    height=height,
                    wide=self._empty.shape[1],
                    high=self._empty.shape[0],
                )
            )
        eyes = self._eyes[name]
        for part in parts_of(eyes.reader):
            sort = zone, type(part)
            if sort in self._known:
                share_tray(self._known[sort], part)
            self._known[sort] = part
        is_to_scale = zone_has_size(self._settings, name)
        return TrayWatcher(
            zone, self._looks, self._of(names), self._empty, eyes, is_to_scale=is_to_scale
        )


def zones_and_learnt(
    settings: CameraSettings, dice: DiceSet, wired: Collection[str]
) -> tuple[dict[str, tuple[str, ...]], DiceLooks | None]:
    """Which dice each zone watches, and all that was learnt, where any of it is needed.

    Where nothing was learnt, pip dice are watched all the same, and the others are entered on a
    screen, unless a zone names them.
    """
    zones = dice_by_zone(settings, dice, wired)
    seen = DiceSet.of(dice[name] for names in zones.values() for name in names)
    taught = DiceSet.of(die for die in seen if not has_pips(die))
    folder = Path(settings.looks)
    named = {word for zone in settings.zones.values() for word in zone.dice}
    is_named = any(die.name in named or die.kind in named for die in taught)
    if not folder.exists() and not is_named and any(map(has_pips, seen)):
        left = {zone: tuple(n for n in names if n not in taught) for zone, names in zones.items()}
        return {zone: names for zone, names in left.items() if names}, None
    if not taught.dice:
        return zones, None
    return zones, load(folder)
