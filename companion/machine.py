"""What the table is told of the machine beneath it: clock set, disk slow, or it stood still.

The game's own clock only ever runs forwards; the machine's clock, by which people read the dates of
their games, is set by hand and by time servers. A card that takes long to write is about to fail.
Who says `alive` several times a second, and cannot for a while, tells that the machine stood still.
"""

import time
from collections.abc import Callable
from typing import Any

from companion.sensor_rows import source_row
from companion.words import say

JUMP_S = 2.0  # time servers nudge by less
SLOW_S = 0.25  # a good card keeps a step within a hundredth of that


STOOD_S = 2.0  # a Pi that is overloaded for a moment stands for less


class WallClock:
    """The machine's clocks, as faults have put them.

    offset_s   by how much its time of day was set.
    stalled_s  how long it did nothing.
    """

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self.offset_s = self.stalled_s = 0.0
        self._monotonic_s = monotonic_s

    def now_s(self) -> float:
        """Seconds since 1970, as this machine has it."""
        return time.time() + self.offset_s + self.stalled_s

    def monotonic_s(self) -> float:
        """Seconds since some moment, however its time of day is set."""
        return self._monotonic_s() + self.stalled_s


class Machine:
    """Watches clock, disk and breath of this machine."""

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self.wall = WallClock(monotonic_s)
        self._alive_s: float | None = None
        self._stood_s = 0.0
        self._ahead_s = self._ahead_now_s()
        self._jump_s = 0.0
        self._write_s = 0.0

    def look(self) -> None:
        """See whether the clock was set since the last look."""
        ahead_s = self._ahead_now_s()
        if abs(ahead_s - self._ahead_s) > JUMP_S:
            self._jump_s = ahead_s - self._ahead_s
        self._ahead_s = ahead_s

    def alive(self) -> None:
        """Say several times a second that this machine still does something."""
        now_s = self.wall.monotonic_s()
        if self._alive_s is not None and now_s - self._alive_s > STOOD_S:
            self._stood_s = now_s - self._alive_s
        self._alive_s = now_s

    def wrote(self, for_s: float) -> None:
        """A step was made durable, and took so long."""
        self._write_s = for_s

    def rows(self) -> list[dict[str, Any]]:
        """How a screen shows what is wrong; empty if nothing is."""
        rows = []
        if self._jump_s:
            seconds = round(abs(self._jump_s))
            told = (
                say("it was put on by {seconds} s; look at the date of this game", seconds=seconds)
                if self._jump_s > 0
                else say(
                    "it was put back by {seconds} s; look at the date of this game", seconds=seconds
                )
            )
            rows.append(source_row("clock", "Clock of this machine", "ok", told))
        if self._stood_s:
            told = say(
                "it did nothing for {seconds} s; is it overloaded, or too hot?",
                seconds=round(self._stood_s),
            )
            rows.append(source_row("machine", "This machine", "ok", told))
        if self._write_s > SLOW_S:
            told = say(
                "a step takes long to write ({seconds} s); is the card worn?",
                seconds=round(self._write_s, 1),
            )
            rows.append(source_row("disk", "Disk", "ok", told))
        return [row | {"moving": False, "dice": []} for row in rows]

    def _ahead_now_s(self) -> float:
        return self.wall.now_s() - self.wall.monotonic_s()
