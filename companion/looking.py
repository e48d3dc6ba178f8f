"""A camera, clip or simulated tray with the pipeline that reads it: what two commands look with."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.clock import Clock
from companion.config import CameraSettings, load_config
from companion.errors import ConfigError, DeviceError

if TYPE_CHECKING:
    from camera.calibrate import Zone
    from camera.sights import Eyes, Sight
    from camera.source import Frame
    from camera.steady import Camera

SIMULATED, FIRST = "simulated", Path("/dev/video0")
SETTINGS = Path("companion.toml")
WAIT_S = 0.25  # for a frame, before how the camera fares is told without one
FPS_OVER_S = 2.0


class Moment(NamedTuple):
    """One frame and what it told; without a frame, how the camera fares.

    age_s   from capture until it had been read.
    health  `state`, `why` and `since_s` of the camera.
    """

    at_s: float
    frame: "Frame | None"
    fps: float
    age_s: float
    sights: "tuple[Sight, ...]"
    health: dict[str, Any]

    def values(self) -> dict[str, Any]:
        """Give it as plain values, ready for JSON."""
        return {
            "at_s": round(self.at_s, 3),
            "fps": round(self.fps, 1),
            "age_ms": round(1000 * self.age_s, 1),
            "health": self.health,
            "zones": [{"zone": s.zone, "state": s.state, "asked": s.asked, "dice": list(s.dice)}
                      for s in self.sights],
        }  # fmt: skip


def chosen_source(named: str | None) -> str:
    """Give the source that is named, else the first camera, else the simulated tray."""
    return named or (str(FIRST) if FIRST.exists() else SIMULATED)


def camera_settings(path: Path | None = None) -> CameraSettings:
    """The camera of a settings file; by default of that in this folder, where there is one."""
    return load_config(path or (SETTINGS if SETTINGS.is_file() else None)).camera


def as_at_table(
    device: str | None, learnt: Path | None, settings: CameraSettings
) -> tuple[str, Path | None, CameraSettings | None]:
    """Which source is looked through, with which learnt set, and in whose zones.

    The table's own camera, which is the one to take where none is named, is looked through as in
    its games: with its learnt set, its zones, and held to what it was locked to.
    """
    name = device or settings.device or chosen_source(None)
    if not is_of_table(name, settings):
        return name, learnt, None
    looks = Path(settings.looks)
    return name, learnt or (looks if looks.is_dir() else None), settings


def dice_told(name: str, learnt: Path | None, settings: CameraSettings | None) -> str:
    """Which dice are read, in English: that a learnt set is not there must not go unnoticed."""
    if name == SIMULATED:
        return "simulated dice"
    if learnt is not None:
        return f"dice of the learnt set {learnt}"
    if settings is None:
        return "pip dice (--set names a learnt set)"
    return f"pip dice (no learnt set in {settings.looks})"


def is_of_table(device: str, settings: CameraSettings) -> bool:
    """True if this is the camera that the settings name."""
    return bool(settings.device) and named(device) == named(settings.device)


def named(device: str) -> str:
    """One name for a camera, however it is called: a link of /dev/v4l/by-id is followed."""
    path = f"/dev/video{device}" if device.isdigit() else device
    return str(Path(path).resolve()) if path.startswith("/") else path


def moments(
    name: str,
    learnt: Path | None,
    clock: Clock,
    settings: CameraSettings | None = None,
) -> Iterator[Moment]:
    """Look through a source until it is over; ConfigError for what is none.

    learnt    folder of a learnt set of symbol dice; None reads pip dice.
    settings  whose zones are looked at; the whole picture without.
    """
    from camera.health import OVER
    from camera.source import use_one_core
    from camera.steady import SteadyCamera

    use_one_core()
    opens, eyes = pipeline(name, learnt, clock, settings)
    times_s: list[float] = []
    last = Moment(clock.now_s(), None, 0.0, 0.0, (), {})
    with SteadyCamera(name, opens, clock) as camera:
        while True:
            try:
                frame = camera.frame(WAIT_S)
            except DeviceError:
                row = camera.row()
                if row["state"] == OVER:
                    yield last._replace(frame=None, health=row)
                    return
                yield Moment(clock.now_s(), None, 0.0, 0.0, last.sights, row)
                continue
            sights = eyes.see(frame)
            times_s = [t for t in times_s if frame.at_s - t < FPS_OVER_S] + [frame.at_s]
            age_s = max(0.0, clock.now_s() - frame.at_s)
            last = Moment(frame.at_s, frame, rate(times_s), age_s, sights, camera.row())
            yield last


def rate(times_s: list[float]) -> float:
    """Frames a second from their times."""
    lasted_s = times_s[-1] - times_s[0]
    return (len(times_s) - 1) / lasted_s if lasted_s > 0 else 0.0


def check_lasts(clip: Path) -> None:
    """Raise ConfigError for a single picture, in which nothing can come to rest."""
    from camera.source import PICTURE_SUFFIXES

    if clip.is_file() and clip.suffix.lower() in PICTURE_SUFFIXES:
        raise ConfigError(
            f"{clip}: expected a clip or a folder of pictures, got one picture; "
            "`companion read` reads it"
        )


def pipeline(
    name: str, learnt: Path | None, clock: Clock, settings: CameraSettings | None = None
) -> "tuple[Callable[[], Camera], Eyes]":
    """What opens a source, and what reads it."""
    if name == SIMULATED:
        if learnt is not None:
            raise ConfigError("--set: expected a camera or a clip, got simulated; leave out --set")
        return simulated(clock)
    from camera.locks import values_beside
    from camera.pictures import load_picture
    from camera.replay import opened
    from camera.sights import LiveEyes
    from companion.symbol_reading import learnt_set

    check_lasts(Path(name))
    shown = "" if settings is None else settings.empty
    zones = places(settings) if settings is not None and settings.zones else None
    bare = load_picture(shown) if Path(shown).is_file() else None
    looks = None if learnt is None else learnt_set(learnt)
    return opened(name, clock, values_beside(shown)), LiveEyes(looks, bare, zones=zones)


def places(settings: CameraSettings) -> "Callable[[tuple[int, int]], list[Zone]]":
    """The zones of the settings, in pictures of a size."""
    from companion.tray_zones import zone_in

    return lambda size_px: [zone_in(size_px, name, settings) for name in settings.zones]


def simulated(clock: Clock) -> "tuple[Callable[[], Camera], Eyes]":
    """Trays of the main game in which dice are thrown every few seconds, and their readers."""
    from camera.replay import Replay
    from camera.sights import SimulatedEyes, SimulatedThrows
    from companion.games import GAMES
    from companion.players import some_players
    from companion.referee import Referee

    game = GAMES["troll_and_dragon"]
    dice = Referee(game, some_players(2), game.options()).table.dice
    kinds = {"adventurer": ("white", "gold"), "dragon": ("red",)}
    zones = {z: tuple(d.name for d in dice if d.kind in named) for z, named in kinds.items()}
    source = SimulatedThrows(dice, zones)
    replay = Replay(source, SIMULATED, clock)
    return replay.again, SimulatedEyes(source, dice, zones)
