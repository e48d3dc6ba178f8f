"""A table in a real room: a camera over the simulated trays, and an owner's settings for it."""

import queue
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.enrol_dice import Teacher
from camera.health import CameraTrouble
from camera.simulated import SimulatedTray
from camera.source import Frame
from camera.tray import TrayWatcher
from camera.tray_readers import KnownTrays
from companion.actions import Report
from companion.app import Companion
from companion.clock import RealClock, SimulatedClock
from companion.config import CameraSettings, DiceSettings, ZoneSettings
from companion.games import GAMES
from companion.inbox import Inbox
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.real_room import RealRoom
from companion.real_trays import RealTrays
from companion.referee import Referee

GROTTO = GAMES["troll_and_dragon"]
ADVENTURE = GAMES["roll_for_adventure"]
LIMIT_S = 20.0
FRAME_S = 0.06  # as many pictures a second as a slow camera takes
THROWN = {"white-1": "troll", "white-2": "key", "white-3": "door", "white-4": "diamond"}
CROSSED = ((0, 0), (90, 90), (90, 0), (0, 90))
KINDS = {"adventurer": ("white", "gold"), "dragon": ("red",)}


def referee_of(game: Any = GROTTO) -> Referee:
    return Referee(game, some_players(3), game.options())


def enrolled(tray: SimulatedTray) -> DiceLooks:
    """What an owner teaches: every face of every kind, one die at a time, in these very trays."""
    dice, teacher, at_s = referee_of().table.dice, Teacher(), 0.0
    for kind, members in dice.kinds().items():
        shown = {face: die.name for die in reversed(members) for face in die.faces}
        for face, name in shown.items():
            for _ in range(5):
                rest_s = tray.throw({name: face}, at_s)
                teacher.show(kind, face, tray.frame(rest_s + 0.1).pixels, face)
                at_s = tray.take_out([name], rest_s + 0.2) + 0.1
    return teacher.learnt([])


def settings_of(taught: Path, tray: SimulatedTray, **more: Any) -> CameraSettings:
    """Two zones, as an owner would write them."""
    zones = {
        name: ZoneSettings(corners=zone.corners, sides=zone.size_sides, dice=KINDS[name])
        for name, zone in tray.zones().items()
    }
    files = {"looks": str(taught / "looks"), "empty": str(taught / "empty.png")}
    return CameraSettings(**{"device": "0", "zones": zones, **files, **more})


class Lens:
    """A camera that gives what the test puts before it, and fails when it is told to."""

    def __init__(self) -> None:
        self.given: queue.Queue[Frame | None] = queue.Queue()
        self.opened = 0
        self.is_there = True

    def open(self) -> "Lens":
        if not self.is_there:
            raise CameraTrouble("lost", "no camera there; is it plugged in?")
        self.opened += 1
        return self

    def read(self) -> Frame:
        frame = self.given.get(timeout=LIMIT_S)
        if frame is None:
            raise CameraTrouble("lost", "no picture any more; is it plugged in?")
        return frame

    def close(self) -> None:
        pass


class Table:
    """A table in a real room with a camera over its trays; decided in this thread."""

    def __init__(
        self,
        settings: CameraSettings,
        clock: RealClock | SimulatedClock,
        open_camera: Any = None,
        game: Any = GROTTO,
        known: KnownTrays | None = None,
    ) -> None:
        self.referee, self.clock = referee_of(game), clock
        self.inbox = Inbox(clock)
        self.companion = Companion(
            self.referee, self.inbox, clock, journal=None, number=1, simulated=False
        )
        self.room = RealRoom(self.referee, self.inbox, clock, DiceSettings())
        ask = CameraQuestions(self.companion)
        dice = self.referee.table.dice
        self.trays = RealTrays(
            dice, settings, self.inbox, clock, ask, open_camera=open_camera, known=known
        )
        self.room.trays = self.trays.start()
        self.companion.begin(self.room)

    @property
    def rows(self) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in self.room.sources()}

    @property
    def reports(self) -> list[Report]:
        return [step.report for step in self.referee.history]

    def decides(self) -> None:
        while self.companion.decide():
            pass

    def until(self, what: Callable[[], Any]) -> None:
        """Decide until something holds; what holds never is a failure."""
        clock = RealClock()
        while not what():
            assert clock.now_s() < LIMIT_S, self.rows
            self.inbox.wait(0.01)
            self.decides()


class Driven(Table):
    """The same on a clock that the test owns, frame by frame."""

    def __init__(
        self,
        settings: CameraSettings,
        tray: SimulatedTray,
        game: Any = GROTTO,
        known: KnownTrays | None = None,
    ) -> None:
        self.lens, self.tray = Lens(), tray
        super().__init__(settings, SimulatedClock(), self.lens.open, game, known)

    def goes_on(self, for_s: float) -> None:
        """Let the camera run; every frame is looked at before the next one is taken."""
        until_s = self.clock.now_s() + for_s
        while self.clock.now_s() < until_s:
            self.clock.advance(FRAME_S)
            frame = self.tray.frame(self.clock.now_s())
            self.lens.given.put(frame)
            self.until(lambda: self.trays.seen_s >= self.clock.now_s())
            self.decides()

    def throws(self, faces: dict[str, str], **how: Any) -> float:
        rest_s = self.tray.throw(faces, self.clock.now_s(), **how)
        self.goes_on(self.tray.quiet_after_s() - self.clock.now_s() + 0.4)
        return rest_s


def with_something_brown(tray: SimulatedTray, at_px: tuple[int, int], from_s: float) -> None:
    """From then on something as large as a die lies there that is like none of them."""
    taken = tray.frame

    def frame(at_s: float) -> Frame:
        seen = taken(at_s)
        if at_s >= from_s:
            y, x = np.ogrid[: seen.pixels.shape[0], : seen.pixels.shape[1]]
            there = (x - at_px[0]) ** 2 + (y - at_px[1]) ** 2 < 17**2
            seen.pixels[there] = seen.pixels[there] // 5 + np.array([32, 48, 64], np.uint8)
        return seen

    tray.frame = frame  # type: ignore[method-assign]


def faces_seen(watcher: TrayWatcher, pixels: Pixels) -> list[str]:
    """The faces that a watcher reads in a picture of its camera, rolled or not."""
    return [one.face for one in watcher._live.reader.read(pixels[watcher._cut], None)]
