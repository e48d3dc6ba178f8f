"""Telling screens and console: what each step told, and how lamps and sensors fare meanwhile."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console

from companion.around import News, Room
from companion.words import spelled
from hardware.alerts import Alerts
from web.feed import Feed

MIRROR_S = 0.1  # how often screens hear how lamps and sensors are


class Teller:
    """Tells the console what is told to the screens."""

    def __init__(self, feed: Feed, console: Console, *, quiet: bool) -> None:
        self._feed = feed
        self._console = console
        self._quiet = quiet
        self._troubles: dict[str, str] = {}  # label of what is lost, and why

    def publish(
        self, kind: str, data: dict[str, Any], number: int | None, *, keeps_past: bool = True
    ) -> None:
        """Send a message on, and print the sentences of a step."""
        self._feed.publish(kind, data, number, keeps_past=keeps_past)
        if kind == "sensing" and not self._quiet:
            self._say_troubles(data["sources"])
        if kind == "table" and not self._quiet:
            for row in data["told"]:
                self._console.print(f"{row['step']:>5}  {row['text']}", markup=False)
            if data["refused"]:
                self._console.print(
                    f"       {data['refused']['message']}", style="dim", markup=False
                )

    def _say_troubles(self, rows: list[dict[str, Any]]) -> None:
        """Print what is lost, once, and when it is back."""
        now = {row["label"]: row["detail"] for row in rows if row["state"] == "lost"}
        said = [f"{label}: {why}" for label, why in now.items() if self._troubles.get(label) != why]
        said += [f"{label}: it is back" for label in self._troubles if label not in now]
        self._troubles = now
        for words in said:
            self._console.print(f"       {words}", style="yellow", markup=False)


@contextlib.contextmanager
def mirror(alerts: Alerts, room: Room, news: News, alive: Callable[[], None]) -> Iterator[None]:
    """Show on the screens how lamps shine and sensors fare, ten times a second, when it changed."""
    over = threading.Event()
    looks: dict[str, Callable[[], dict[str, Any]]] = {
        "lamps": lambda: {"lamps": alerts.lamps()},
        "sensing": lambda: sensing(room.sources()),
    }

    def show_changes() -> None:
        before: dict[str, Any] = {}
        while not over.wait(MIRROR_S):
            alive()
            for kind, look in looks.items():
                now = look()
                if now != before.get(kind):
                    news.publish(kind, now, None)
                    before[kind] = now

    thread = threading.Thread(target=show_changes, name="mirror", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def sensing(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How the sensors fare, and where dice are rolling."""
    zones = [
        {"name": row["name"], "state": "moving" if row["moving"] else "still", "dice": row["dice"]}
        for row in rows
    ]
    plain, words = spelled({"zones": zones, "sources": rows})
    return plain | {"words": words}
