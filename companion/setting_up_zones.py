"""Where trays and squares lie in the picture, as the set-up page sets it.

What is set on the picture of a real camera stands in `zones.toml` (a tray) or where `companion
calibrate` keeps it (the square), and counts from the moment in which a game is taken up with it. So
does what is set of a simulated camera: it reads where it was told to, until the service ends. While
trays or the square are emptied for their picture, the game in play stands still.
"""

import contextlib
import re
import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from camera.calibrate import Zone, load_zones
from camera.corners import zone_from_taps
from camera.cutouts import as_jpeg
from camera.dice_sets import load_if_any
from camera.die_size import die_px_in
from camera.left_in import check_bare
from camera.locks import file_beside, save_values
from camera.pictures import save_picture
from camera.source import Frame
from companion import calibrating
from companion.apart import Showing
from companion.config import ZONES_FILE, CameraSettings, ZoneSettings
from companion.config import load_zones as load_learnt
from companion.dice import DiceSet
from companion.errors import CompanionError, IllegalAction
from companion.simulated_tray import zones_of
from companion.table_eyes import SQUARE, TRAYS, TableEyes
from companion.taking_up import TakesUp
from companion.tray_zones import WHOLE, dice_by_zone, zone_in
from companion.words import say
from companion.zones_file import keep_zones

QUALITY = 85
NAME, MOST_ZONES = re.compile("[a-z0-9_-]{1,24}"), 12
COLUMNS = 7  # of a square, where no game with one is in play
SPACING = 1.16  # as `companion calibrate` has it
SIMULATED_ACROSS = 17.5  # dice, where nothing is said about the size of a simulated zone
Corners = Sequence[tuple[float, float]]


class ZoneBench(TakesUp):
    """Everything about zones that the set-up page can do; safe from any thread.

    home  folder in which `zones.toml` lies.
    """

    counts_simulated = True

    def __init__(self, eyes: TableEyes, home: Path) -> None:
        super().__init__(eyes.desk, simulated=eyes.simulated)
        self.eyes, self._file = eyes, home / ZONES_FILE
        self._set: dict[tuple[str, str], dict[str, ZoneSettings]] = {}  # by game and camera
        self._lock = threading.RLock()
        self._showing = Showing(eyes.desk, "cameras")

    # --- looking ----------------------------------------------------------------------------------

    def look(self) -> dict[str, Any]:
        """The cameras with their zones."""
        self._showing.look()
        with self._lock:
            return {
                "simulated": self.eyes.simulated,
                "cameras": [self._camera(name) for name in self.eyes.names()],
                "kinds": list(self._dice().kinds()),
                "changed": self.is_changed,
                "may_take_up": self.may_take_up,
                "game_waits": self._showing.is_on,
                "may_wait": not self._simulated and self._is_going_on(),
            }

    def picture(self, camera: str) -> bytes:
        """What a camera sees, as JPEG; raises IllegalAction where it shows nothing."""
        self._showing.look()
        return as_jpeg(self.eyes.frame(camera).pixels, QUALITY)

    def _camera(self, name: str) -> dict[str, Any]:
        row: dict[str, Any] = {"camera": name, "width": 0, "height": 0, "trouble": "", "zones": []}
        row["seen_die_px"] = None
        row["die_px"] = self.eyes.camera.die_px if name == TRAYS and not self._simulated else 0
        row["may_empty"] = name == TRAYS and not self._simulated
        try:
            frame = self.eyes.frame(name)
        except IllegalAction as error:
            return row | {"trouble": error.message}
        if row["may_empty"] and not row["die_px"]:
            row["seen_die_px"] = die_px_in(frame.pixels)
        width, height = size_of(frame)
        zones = [self._zone(name, zone, frame) for zone in self._settings(name, frame)]
        return row | {"width": width, "height": height, "zones": zones}

    def _zone(self, camera: str, name: str, frame: Frame) -> dict[str, Any]:
        zone, size = self._settings(camera, frame)[name], size_of(frame)
        row: dict[str, Any] = {
            "zone": name,
            "dice": list(zone.dice),
            "sides": zone.sides,
            "trouble": "",
        }
        corners = zone.corners or whole(size)
        try:
            placed = self._placed(camera, name, zone, frame)
            corners, size_sides = placed.corners, [round(v, 1) for v in placed.size_sides]
            is_known = zone.sides or camera == SQUARE or self._simulated or self.eyes.camera.die_px
            row["size"] = size_sides if is_known else None
        except CompanionError as error:
            row |= {"trouble": str(error), "size": None}
        kept = camera == TRAYS and not self._simulated and name in load_learnt(self._file).zones
        may_drop = kept or (self._simulated and name in self._set_of(camera))
        return row | {"corners": [[round(x, 1), round(y, 1)] for x, y in corners],
                      "may_drop": may_drop}  # fmt: skip

    def _settings(self, camera: str, frame: Frame) -> dict[str, ZoneSettings]:
        """The zones of a camera as they are set now."""
        if self._simulated:
            return self._where_they_lie(camera) | self._set_of(camera)
        if camera == SQUARE:
            path = Path(self.eyes.square.square)
            zones = load_zones(path) if path.is_file() else ()
            if not zones:
                return {SQUARE: ZoneSettings(inset(size_of(frame)))}
            return {zones[0].name: ZoneSettings(zones[0].corners, sides=zones[0].size_sides)}
        return self.eyes.camera.zones or {WHOLE: ZoneSettings()}

    def _where_they_lie(self, camera: str) -> dict[str, ZoneSettings]:
        """The zones of a simulated camera, with the kinds of dice that are thrown there."""
        thrown = zones_of(self._game(), self._dice()) if camera == TRAYS else {}
        kinds = {die.name: die.kind for die in self._dice()}
        return {
            name: ZoneSettings(
                zone.corners,
                sides=zone.size_sides,
                dice=tuple(dict.fromkeys(kinds[die] for die in thrown.get(name, ()))),
            )
            for name, zone in self.eyes.stage(camera).zones().items()
        }

    def _set_of(self, camera: str) -> dict[str, ZoneSettings]:
        """What was set here about the zones of a simulated camera, in the game in play."""
        return self._set.get((self._game(), camera), {})

    def _placed(self, camera: str, name: str, zone: ZoneSettings, frame: Frame) -> Zone:
        """A zone as it lies in the picture; ConfigError or PictureError where it cannot be."""
        if camera == SQUARE and not self._simulated:
            corners, columns = list(zone.corners), self._columns()
            return zone_from_taps(corners, frame.pixels, columns=columns, spacing=SPACING)
        die_px = self.eyes.camera.die_px
        if self._simulated and zone.sides is None:
            die_px = size_of(frame)[0] / SIMULATED_ACROSS
        settings = CameraSettings(die_px=die_px, zones={name: zone})
        return zone_in(size_of(frame), name, settings)

    # --- doing ------------------------------------------------------------------------------------

    def wait(self) -> dict[str, Any]:
        """Let the game in play wait while somebody empties or moves trays."""
        if self._simulated:
            raise IllegalAction("simulated", "At simulated trays nobody has to wait.")
        self._showing.begin()
        return self.look()

    def go_on(self) -> dict[str, Any]:
        """Let the game in play go on."""
        self._showing.let_go()
        return self.look()

    def close(self) -> None:
        """Nothing is shown any more; may be called twice."""
        self._showing.end()

    def _make_way(self) -> None:
        self._showing.let_go()  # the game that is taken up is to be played

    def set_zone(
        self,
        camera: str,
        name: str,
        corners: Corners,
        sides: tuple[float, float] | None,
        dice: Sequence[str],
    ) -> dict[str, Any]:
        """Set where a zone lies; raises IllegalAction `bad_setup` for what cannot be."""
        with self._lock:
            frame = self.eyes.frame(camera)
            placed = tuple((float(x), float(y)) for x, y in corners)
            zone = ZoneSettings(placed, sides=sides, dice=tuple(dice))
            self._check_name(name, self._settings(camera, frame))
            with refusing():
                self._placed(camera, name, zone, frame)
                if self._simulated:
                    self._set_simulated(camera, frame, self._set_of(camera) | {name: zone})
                elif camera == SQUARE:
                    self._calibrate(zone, frame)
                else:
                    self._keep_zone(name, zone)
            return self.look()

    def _check_name(self, name: str, known: Collection[str]) -> None:
        """Raise IllegalAction for a new zone with a name that does not fit, or one too many."""
        if name in known:
            return
        if not NAME.fullmatch(name) or len(known) >= MOST_ZONES:
            told = say(
                "Expected a name of small letters, digits, _ and -, and at most {n} zones.",
                n=MOST_ZONES,
            )
            raise IllegalAction("bad_setup", told)

    def drop_zone(self, camera: str, name: str) -> dict[str, Any]:
        """Forget what was set here about a zone."""
        with self._lock:
            learnt = load_learnt(self._file)
            known = self._set_of(camera) if self._simulated else learnt.zones
            if name not in known or (camera != TRAYS and not self._simulated):
                raise IllegalAction("no_zone", "Nothing was set here about this zone.")
            if self._simulated:
                rest = {one: zone for one, zone in known.items() if one != name}
                self._set_simulated(camera, self.eyes.frame(camera), rest)
            else:
                rest = {one: zone for one, zone in learnt.zones.items() if one != name}
                with refusing():
                    keep_zones(self._file, msgspec.structs.replace(learnt, zones=rest))
                    others = {o: z for o, z in self.eyes.camera.zones.items() if o != name}
                    self._use(msgspec.structs.replace(self.eyes.camera, zones=others))
            return self.look()

    def set_die_px(self, camera: str, die_px: float) -> dict[str, Any]:
        """Say how many pixels wide a die is in the middle of the picture."""
        with self._lock:
            if camera != TRAYS or self._simulated:
                raise IllegalAction("no_die_px", "Only real trays are measured in dice.")
            with refusing():
                learnt = load_learnt(self._file)
                keep_zones(self._file, msgspec.structs.replace(learnt, die_px=die_px))
                self._use(msgspec.structs.replace(self.eyes.camera, die_px=die_px))
            return self.look()

    def keep_empty(self, camera: str) -> dict[str, Any]:
        """Lock the camera, and keep its picture of the empty trays; the game waits for dice."""
        with self._lock:
            if camera != TRAYS or self._simulated:
                raise IllegalAction("no_empty", "Only of real trays an empty picture is kept.")
            self._showing.begin()
            with refusing():
                looks = load_if_any(Path(self.eyes.camera.looks))
                check_bare(self.eyes.frame(camera).pixels, camera, looks)  # before it is locked
                values, frame = self.eyes.set_up(camera)
                check_bare(frame.pixels, camera, looks)
                save_picture(self.eyes.camera.empty, frame.pixels)
                if values:
                    save_values(values, file_beside(self.eyes.camera.empty))
                self._use(self.eyes.camera)
            return self.look()

    def _set_simulated(self, camera: str, frame: Frame, zones: dict[str, ZoneSettings]) -> None:
        """Let a simulated camera look there once the game is taken up; no `zones`: as it was."""
        die_px = size_of(frame)[0] / SIMULATED_ACROSS
        lie = self._where_they_lie(camera)
        settings = CameraSettings(die_px=die_px, zones=lie | zones)
        if camera == TRAYS:
            dice_by_zone(settings, self._dice())
        at, sets = (self._game(), camera), self._desk.devices.setdefault("sets", {})
        self._set[at] = zones
        self._desk.devices["sets"] = {k: one for k, one in sets.items() if k != at} | (
            {at: settings} if zones else {}
        )
        self.is_changed = True

    def _keep_zone(self, name: str, zone: ZoneSettings) -> None:
        """Keep a tray; dice that are in two zones, or in none that there are, are refused."""
        learnt, camera = load_learnt(self._file), self.eyes.camera
        changed = msgspec.structs.replace(camera, zones=camera.zones | {name: zone})
        dice_by_zone(changed, self._dice())
        keep_zones(self._file, msgspec.structs.replace(learnt, zones=learnt.zones | {name: zone}))
        self._use(changed)

    def _use(self, camera: CameraSettings) -> None:
        self.eyes.camera, self.is_changed = camera, True
        self._desk.devices["camera"] = camera

    def _calibrate(self, zone: ZoneSettings, frame: Frame) -> None:
        """Keep the square as `companion calibrate` does, with a picture of it without tiles."""
        self._showing.begin()
        said = ";".join(f"{x:.2f},{y:.2f}" for x, y in zone.corners)
        path = Path(self.eyes.square.square)
        empty = calibrating.empty_of(path)
        save_picture(empty, frame.pixels)
        quiet = Console(quiet=True)
        calibrating.calibrate(empty, said, path, quiet, columns=self._columns(), spacing=SPACING)
        self.is_changed = True

    def _columns(self) -> int:
        try:
            return getattr(self._desk.companion.referee.table, "columns", COLUMNS)
        except IllegalAction:
            return COLUMNS

    def _game(self) -> str:
        try:
            return self._desk.companion.referee.game.key
        except IllegalAction:
            return ""

    def _dice(self) -> DiceSet:
        try:
            return self._desk.companion.referee.table.dice
        except IllegalAction:
            return DiceSet.of(())


@contextlib.contextmanager
def refusing() -> Iterator[None]:
    """What does not fit, as a refusal of the page."""
    try:
        yield
    except IllegalAction:
        raise
    except (CompanionError, OSError) as error:
        raise IllegalAction("bad_setup", str(error)) from error


def size_of(frame: Frame) -> tuple[int, int]:
    """Width and height of a picture."""
    height, width = frame.pixels.shape[:2]
    return width, height


def whole(size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    """The corners of all of a picture."""
    width, height = map(float, size)
    return ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))


def inset(size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    """Corners to begin with, well inside a picture."""
    width, height = size
    left, top = width // 6, height // 6
    right, low = float(width - left), float(height - top)
    return ((float(left), float(top)), (right, float(top)), (right, low), (float(left), low))
