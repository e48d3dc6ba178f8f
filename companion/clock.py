"""The one clock: everything that needs the time asks this object, so tests can own time.

Times count in seconds from the start of the game and go on after a restart.
"""

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """What tells the time of the game."""

    def now_s(self) -> float:
        """Seconds since the start of the game."""
        ...


class RealClock:
    """Runs with the machine's monotonic clock, from `start_s` on."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._offset_s = start_s - time.monotonic()

    def now_s(self) -> float:
        """Seconds since the start of the game."""
        return time.monotonic() + self._offset_s


class SimulatedClock:
    """Stands still until somebody moves it on; safe to read from any thread."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s
        self._lock = threading.Lock()

    def now_s(self) -> float:
        """Seconds since the start of the game."""
        with self._lock:
            return self._now_s

    def move_to(self, at_s: float) -> None:
        """Move on to `at_s`; a moment that has passed already changes nothing."""
        with self._lock:
            self._now_s = max(self._now_s, at_s)

    def advance(self, by_s: float) -> None:
        """Move on by `by_s` seconds."""
        self.move_to(self.now_s() + by_s)
