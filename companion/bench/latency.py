"""How long from the frame on which rest is declared to the lamp's pin, with everything between.

Whole games are played in the simulated room, with the real camera pipeline, the journal on the
disk and gpiozero's pins. Real time is taken from the moment the declaring frame is handed to the
pipeline until the first pin has been set. In the race the other party's sensor has to be heard
first: there the game's own time between frame and decision is added.
"""

import contextlib
import tempfile
import time
from pathlib import Path
from typing import Any

from companion.actions import Rolled
from companion.app import Companion
from companion.bench.figures import noise, progress, spread
from companion.clock import SimulatedClock
from companion.games import GAMES
from companion.inbox import Inbox
from companion.journal import Journal
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.referee import Referee
from companion.simulation import SimulatedRoom
from companion.steps import Step
from hardware.alerts import Alerts
from hardware.cues import read_cues
from hardware.lamps import Lamps
from hardware.pins import choose_pins


class Stopwatch:
    """Stands between table and lamps, and notes how long each seen roll took to get there."""

    def __init__(self, alerts: Alerts, clock: SimulatedClock) -> None:
        self._alerts = alerts
        self._clock = clock
        self.shown_s = 0.0  # real time at which the frame in hand was given to the pipeline
        self.frame_s = 0.0  # its moment in the game
        self.calm_ms: list[float] = []
        self.race_ms: list[float] = []
        self.in_race = False

    def show(self, step: Step) -> None:
        """Light the lamps, then stop the time."""
        self._alerts.show(step)
        report = step.report
        if isinstance(report.action, Rolled) and report.source.startswith("camera:"):
            spent_s = time.perf_counter() - self.shown_s
            waited_s = self._clock.now_s() - self.frame_s
            times = self.race_ms if self.in_race else self.calm_ms
            times.append((spent_s + waited_s) * 1000)

    def follow(self, counters: dict[str, int], active_seat: int | None) -> None:
        """Pass on."""
        self._alerts.follow(counters, active_seat)

    def refused(self) -> None:
        """Pass on."""
        self._alerts.refused()

    def lamps(self) -> list[dict[str, Any]]:
        """Pass on."""
        return self._alerts.lamps()


def measure(rolls: int) -> dict[str, Any]:
    """Play until so many rolls were seen by the camera."""
    calm_ms: list[float] = []
    race_ms: list[float] = []
    seed = 0
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        journal = Journal(Path(folder) / "latency.sqlite")
        with progress("rolls") as step:
            while len(calm_ms) + len(race_ms) < rolls:
                seed += 1
                watch = play_one(journal, seed, rolls - len(calm_ms) - len(race_ms))
                calm_ms += watch.calm_ms
                race_ms += watch.race_ms
                step(len(calm_ms) + len(race_ms), rolls)
        journal.close()
    figures = {"rolls": len(calm_ms), **spread(calm_ms, "rest_to_lamp", "ms")}
    if race_ms:
        figures |= {"race_rolls": len(race_ms), **spread(race_ms, "race_rest_to_lamp", "ms")}
    return figures | noise()


def play_one(journal: Journal, seed: int, rolls: int) -> Stopwatch:
    """Play a game, or as much of it as is needed."""
    game, clock = GAMES["troll_and_dragon"], SimulatedClock()
    inbox, referee = Inbox(clock), Referee(game, some_players(3))
    alerts = Alerts(Lamps(choose_pins()), read_cues(), clock)  # eyes see the game's own time
    with contextlib.closing(alerts):
        watch = Stopwatch(alerts, clock)
        number = journal.begin(referee)
        companion = Companion(referee, inbox, clock, journal=journal, number=number, alerts=watch)
        room = SimulatedRoom(
            referee, inbox, clock, CameraQuestions(companion), seed=seed, speed=None
        )
        see = room.camera.see

        def timed_see(frame: Any) -> None:
            watch.shown_s, watch.frame_s = time.perf_counter(), frame.at_s
            watch.in_race = referee.table.phase != "grotto"
            see(frame)

        room.camera.see = timed_see  # type: ignore[method-assign]
        companion.begin(room)
        while referee.outcome is None and len(watch.calm_ms) + len(watch.race_ms) < rolls:
            if not companion.decide():
                room.advance(inbox.next_due_s(referee.offers))
        room.close()
    return watch
