"""How the dashboard bears a full room: many viewers of one table, ten steps a second.

A table lies on the desk of a running dashboard; a thread plays the part of the deciding loop and
publishes. The viewers live in a process of their own, and one of them falls asleep for most of the
time. Every message tells when it was published; a viewer notes how old it is on arrival. How late
the publishing thread wakes up, beside an idle machine, shows whether viewers disturb the table.
"""

import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import msgspec

from companion.bench.figures import noise, percentile, spread
from companion.bench.web_paint import first_paint
from companion.bench.web_viewers import Order
from companion.games import GAMES
from companion.players import some_players
from companion.referee import Referee
from companion.snapshot import table_fields
from web.dashboard import create_app
from web.feed import Feed
from web.serve import WebServer
from web.streams import Streams

PATIENCE_S = 60.0  # for the viewers to connect, and to finish
BOARD = "/events?as=page"  # what screens follow; programs follow /api/v1/events
ASLEEP = 0.8  # of the whole time
STATIC = Path(__file__).resolve().parents[2] / "web" / "static"


class Showcase:
    """A desk with a table that nobody plays at; every message tells when it was published."""

    def __init__(self) -> None:
        self.feed = Feed()
        referee = Referee(GAMES["troll_and_dragon"], some_players(4))
        seats = [
            {"key": p.key, "name": p.name, "person": True, "score": 0} for p in referee.players
        ]
        nothing: dict[str, Any] = {name: [] for name in ("told", "lamps", "sources", "questions")}
        self._table = table_fields(referee, 1) | nothing | {"players": seats, "moving": []}
        self.publish_ms: list[float] = []
        self.late_ms: list[float] = []

    def snapshot(self) -> dict[str, Any]:
        """The table as it lies."""
        return dict(self._table)

    def now_s(self) -> float:
        """The machine's clock."""
        return time.monotonic()

    def publish(self, number: int) -> None:
        """Tell everybody the next step."""
        text = f"stamp {number} {time.monotonic():.6f}"
        told = [{"cue": "x", "family": "note", "title": "", "text": text, "step": number}]
        data = {"told": told, "refused": None, "snapshot": self._table | {"step": number}}
        begun_s = time.perf_counter()
        self.feed.publish("table", data, number)
        self.publish_ms.append((time.perf_counter() - begun_s) * 1000)

    def play(self, steps: int, rate: float) -> None:
        """Publish steps at a rate, and note how late the thread woke for each."""
        begun_s = time.monotonic()
        for number in range(steps):
            due_s = begun_s + number / rate
            time.sleep(max(0.0, due_s - time.monotonic()))
            self.late_ms.append((time.monotonic() - due_s) * 1000)
            self.publish(number + 1)


def measure(
    viewers: int, seconds: float, rate: float = 10.0, path: str = BOARD, *, paint: bool = True
) -> dict[str, Any]:
    """Let `viewers` follow for so long at `rate` steps a second, and one more that sleeps."""
    steps = max(2, round(seconds * rate))
    desk: Any = Showcase()
    app = create_app(desk, simulated=True, streams=Streams(viewers + 4))
    idle_ms = waking_late_ms(rate)
    with WebServer(app, port=0) as server:
        urllib.request.urlopen(server.url).close()  # as screens do; templates are compiled now
        before_mb, begun_s = resident_mb(), time.process_time()
        heard = followed(desk, Order(server.url, path, viewers, steps, ASLEEP * seconds), rate)
        after_mb, spent_s = resident_mb(), time.process_time() - begun_s
        painted = first_paint(server.url) if paint else {}
    return {
        **figures_of(desk, heard, viewers, steps),
        "idle_wake_late_p99_ms": round(idle_ms, 3),
        "cpu_share_of_a_core": round(spent_s / seconds, 3),
        "memory_without_viewers_mb": before_mb,
        "memory_mb": after_mb,
        "assets_kb": assets_kb(),
        **painted,
        **noise(),
    }


def followed(desk: Any, order: Order, rate: float) -> dict[str, Any]:
    """Publish while the viewers follow; return what they heard."""
    command = [sys.executable, "-m", "companion.bench.web_viewers"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(order) + b"\n")
        process.stdin.flush()
        until_s = time.monotonic() + PATIENCE_S
        while desk.feed.viewers < order.viewers + 1 and time.monotonic() < until_s:
            time.sleep(0.05)
        desk.play(order.last, rate)
        out, _ = process.communicate(timeout=PATIENCE_S)
    heard: dict[str, Any] = msgspec.json.decode(out)
    return heard


def figures_of(desk: Any, heard: dict[str, Any], viewers: int, steps: int) -> dict[str, Any]:
    """What was heard, and how the publishing thread fared meanwhile."""
    ages_ms = [age * 1000 for age in heard["ages_s"]]
    return {
        "viewers": viewers,
        "steps": steps,
        "heard": len(ages_ms),
        **spread(ages_ms, "publish_to_viewer", "ms"),
        "publish_to_viewer_most_ms": round(max(ages_ms), 3),
        "publish_p99_ms": round(percentile(desk.publish_ms, 0.99), 3),
        "table_wake_late_p99_ms": round(percentile(desk.late_ms, 0.99), 3),
        "bytes_a_message": round(heard["bytes"] / max(1, len(ages_ms))),
        "gaps": heard["gaps"],
        "dropped": desk.feed.dropped,
        "sleeper_connections": heard["slow_connections"],
        "sleeper_heard": heard["slow_heard"],
        "sleeper_gaps": heard["slow_gaps"],
    }


def waking_late_ms(rate: float, times: int = 20) -> float:
    """How late a thread wakes up on this machine while nobody follows, 99th percentile."""
    late = []
    for _ in range(times):
        begun_s = time.monotonic()
        time.sleep(0.5 / rate)
        late.append((time.monotonic() - begun_s - 0.5 / rate) * 1000)
    return percentile(late, 0.99)


def resident_mb() -> float:
    """Memory of this process that lies in the machine's own."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


def assets_kb() -> float:
    """All files that pages may ask for, as they lie on the disk."""
    return round(sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file()) / 1000, 1)
