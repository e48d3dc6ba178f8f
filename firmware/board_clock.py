"""The clock of a board: milliseconds since it started that never wrap round."""

import time


class BoardClock:
    """Counts on when `time.ticks_ms` wraps; has to be read once in a few days."""

    def __init__(self) -> None:
        self._ticks = time.ticks_ms()
        self._now_ms = 0

    def now_ms(self) -> int:
        """Whole milliseconds since the start, asleep or awake."""
        ticks = time.ticks_ms()
        self._now_ms += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now_ms
