"""From the decision to the edge on a pin, while the machine is busy.

A real companion decides in its own thread, with a journal on the disk and alerts on gpiozero's mock
pins. Time is taken from the moment at which a step is durable (the journal's `append` has returned)
until the first pin has changed. Between two decisions everything goes dark again, so that the limit
on flashes holds nothing back. The load: threads that keep the interpreter busy, a thread that works
outside it (as OpenCV does), and processes that keep every core busy.
"""

import contextlib
import hashlib
import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.app import Companion
from companion.bench.figures import noise, progress, spread
from companion.clock import SimulatedClock
from companion.games import GAMES
from companion.inbox import Inbox
from companion.journal import Journal
from companion.players import anything, play_out, some_players
from companion.referee import Referee
from companion.steps import Step
from hardware.alerts import Alerts
from hardware.cues import read_cues
from hardware.lamps import Lamps
from hardware.watched_pins import watched_pins

BUSY_THREADS = 2  # that hold the interpreter: screens are drawn, frames are looked at
APART_S = 20.0  # of the lamps' time between two decisions: everything has been shown
PAUSE_S = 0.02  # real time between two decisions
GOAL_MS = 20.0


class Stopwatch:
    """Notes when a step was durable, and when the first pin changed after that."""

    def __init__(self) -> None:
        self.durable_s = 0.0
        self.first_s: float | None = None

    def edge(self, at_s: float) -> None:
        """A pin has changed."""
        if self.first_s is None:
            self.first_s = at_s

    def start(self) -> None:
        """A step is durable."""
        self.first_s, self.durable_s = None, time.perf_counter()


class TimedJournal(Journal):
    """A journal that starts the stopwatch when a step is on the disk."""

    def __init__(self, path: Path, watch: Stopwatch) -> None:
        super().__init__(path)
        self._watch = watch

    def append(self, number: int, step: Step, referee: Referee) -> None:
        """Keep the step, then start the time."""
        super().append(number, step, referee)
        self._watch.start()


def measure(decisions: int) -> dict[str, Any]:
    """So many decisions on a calm machine, and as many on a busy one."""
    calm_ms = edges_ms(decisions, "calm")
    with load():
        busy_ms = edges_ms(decisions, "busy")
    p99_ms = spread(busy_ms, "busy", "ms")["busy_p99_ms"]
    return {
        "decisions": len(calm_ms),
        **spread(calm_ms, "calm_decision_to_edge", "ms"),
        "busy_decisions": len(busy_ms),
        **spread(busy_ms, "busy_decision_to_edge", "ms"),
        "busy_decision_to_edge_max_ms": round(max(busy_ms), 3),
        "busy_over_goal": sum(one > GOAL_MS for one in busy_ms),
        "goal_met": p99_ms < GOAL_MS,
        **noise(),
    }


def edges_ms(decisions: int, what: str) -> list[float]:
    """Milliseconds from decision to edge, of those decisions that something was told about."""
    watch, seed = Stopwatch(), 0
    times: list[float] = []
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder, progress(what) as step:
        journal = TimedJournal(Path(folder) / "alerts.sqlite", watch)
        while len(times) < decisions:
            seed += 1
            times += game_ms(journal, watch, seed, decisions - len(times))
            step(len(times), decisions)
        journal.close()
    return times


def game_ms(journal: Journal, watch: Stopwatch, seed: int, most: int) -> list[float]:
    """Play a recorded game again through a companion, and time its alerts."""
    game, clock, lamp_clock = GAMES["troll_and_dragon"], SimulatedClock(), SimulatedClock()
    recorded = play_out(game, some_players(3), seed=seed, policy=anything)
    referee, inbox, times = Referee(game, some_players(3)), Inbox(clock), []
    alerts = Alerts(Lamps(watched_pins(watch.edge)), read_cues(), lamp_clock).start()
    companion = Companion(
        referee, inbox, clock, journal=journal, number=journal.begin(referee), alerts=alerts
    )
    with contextlib.closing(alerts):
        for step in recorded.history:
            lamp_clock.advance(APART_S)
            alerts.tick(lamp_clock.now_s())
            time.sleep(PAUSE_S)
            inbox.put(step.report)
            watch.start()
            while companion.decide():
                pass
            if watch.first_s is not None and referee.history[-1].told:
                times.append(1000 * (watch.first_s - watch.durable_s))
            if len(times) >= most:
                break
    return times


@contextlib.contextmanager
def load() -> Iterator[None]:
    """Keep interpreter and cores busy."""
    over = threading.Event()
    threads = [threading.Thread(target=spin, args=(over,)) for _ in range(BUSY_THREADS)]
    threads.append(threading.Thread(target=chew, args=(over,)))
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=burn, daemon=True) for _ in range(os.cpu_count() or 1)]
    for process in processes:
        process.start()
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for process in processes:
            process.terminate()
            process.join()
        for thread in threads:
            thread.join()


def spin(over: threading.Event) -> None:
    """Hold the interpreter."""
    while not over.is_set():
        sum(number & 3 for number in range(2000))


def chew(over: threading.Event) -> None:
    """Work outside the interpreter."""
    block = bytes(1 << 20)
    while not over.is_set():
        hashlib.sha256(block).digest()


def burn() -> None:
    """Keep a core busy until somebody ends this process, or its parent dies."""
    parent = os.getppid()
    while os.getppid() == parent:
        sum(number & 3 for number in range(200_000))
