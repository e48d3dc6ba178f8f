"""What the table is told of the machine beneath it: its clock was set, its disk is slow.

The game's own clock only ever runs forwards; the machine's clock, by which people read the dates of
their games, is set by hand and by time servers. A card that takes long to write is about to fail.
"""

import time
from collections.abc import Callable
from typing import Any

from companion.sensing import source_row

JUMP_S = 2.0  # time servers nudge by less
SLOW_S = 0.25  # a good card keeps a step within a hundredth of that


class WallClock:
    """The machine's clock; `offset_s` is by how much a fault has set it."""

    def __init__(self) -> None:
        self.offset_s = 0.0

    def now_s(self) -> float:
        """Seconds since 1970, as this machine has it."""
        return time.time() + self.offset_s


class Machine:
    """Watches clock and disk of this machine."""

    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self.wall = WallClock()
        self._monotonic_s = monotonic_s
        self._ahead_s = self._ahead_now_s()
        self._jump_s = 0.0
        self._write_s = 0.0

    def look(self) -> None:
        """See whether the clock was set since the last look."""
        ahead_s = self._ahead_now_s()
        if abs(ahead_s - self._ahead_s) > JUMP_S:
            self._jump_s = ahead_s - self._ahead_s
        self._ahead_s = ahead_s

    def wrote(self, for_s: float) -> None:
        """A step was made durable, and took so long."""
        self._write_s = for_s

    def rows(self) -> list[dict[str, Any]]:
        """How a screen shows what is wrong; empty if nothing is."""
        rows = []
        if self._jump_s:
            way = "on" if self._jump_s > 0 else "back"
            told = f"it was put {way} by {abs(self._jump_s):.0f} s; look at the date of this game"
            rows.append(source_row("clock", "Clock of this machine", "ok", told))
        if self._write_s > SLOW_S:
            told = f"a step takes long to write ({self._write_s:.1f} s); is the card worn?"
            rows.append(source_row("disk", "Disk", "ok", told))
        return [row | {"moving": False, "dice": []} for row in rows]

    def _ahead_now_s(self) -> float:
        return self.wall.now_s() - self._monotonic_s()
