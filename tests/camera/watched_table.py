"""Two zones of a simulated tray, watched frame by frame."""

from collections.abc import Mapping, Sequence

from camera.dice_sets import DiceLooks
from camera.simulated import SimulatedTray
from camera.watch import Sighting, ZoneWatcher
from companion.actions import Report, Rolled
from companion.dice import DiceSet

ZONES = {
    "adventurer": ("white-1", "white-2", "white-3", "white-4", "gold-1", "gold-2"),
    "dragon": ("red-1", "red-2"),
}
WHITE = ZONES["adventurer"][:4]
FRAME_S = 1 / 25


class Table:
    """A simulated tray, watched by the real pipeline."""

    def __init__(self, dice: DiceSet, looks: DiceLooks, seed: int = 1) -> None:
        self.dice, self.now_s = dice, 0.0
        self.tray = SimulatedTray(dice, ZONES, seed=seed)
        self.watchers = {
            name: ZoneWatcher(zone, looks, dice, self.tray.empty())
            for name, zone in self.tray.zones().items()
        }
        self.seen: dict[str, Sighting] = {}
        self.history: list[tuple[str, Sighting]] = []
        self.wait(0.2)

    def wait(self, for_s: float) -> list[Report]:
        """Let the camera run, and return what was reported."""
        reports: list[Report] = []
        until_s = self.now_s + for_s
        while self.now_s < until_s:
            self.now_s += FRAME_S
            frame = self.tray.frame(self.now_s)
            for name, watcher in self.watchers.items():
                self.seen[name] = watcher.see(frame)
                self.history.append((name, self.seen[name]))
                reports += self.seen[name].reports
        return reports

    def wait_until_quiet(self) -> list[Report]:
        return self.wait(max(0.0, self.tray.quiet_after_s() - self.now_s) + 0.3)

    def expect(self, dice: Sequence[str], at_least: int = 1, zone: str = "adventurer") -> None:
        self.watchers[zone].expect(dice, at_least)

    def throw(
        self, faces: Mapping[str, str], *, crooked: Sequence[str] = ()
    ) -> tuple[list[Report], float]:
        rest_s = self.tray.throw(faces, self.now_s, crooked=crooked)
        reports = self.wait_until_quiet()
        self.agree_on_names()
        return reports, rest_s

    def agree_on_names(self) -> None:
        places = {}
        for sighting in self.seen.values():
            for reading in sighting.readings:
                if reading.name is not None:
                    left, top, width, height = reading.box
                    places[reading.name] = (left + width / 2, top + height / 2)
        self.tray.call_as_seen(places)

    def names(self, zone: str = "adventurer") -> dict[str | None, str]:
        return {reading.name: reading.face for reading in self.seen[zone].readings}


def faces_of(report: Report) -> dict[str, str]:
    assert isinstance(report.action, Rolled)
    return report.action.faces
