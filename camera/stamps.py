"""From a device's own time stamps to the time of the game.

Cameras stamp each picture when its exposure begins, or when it has arrived in the kernel, by the
machine's monotonic clock; the game counts from its own beginning. What lies between is measured at
every picture, so neither drift nor a restart of the game can part them.
"""

import math
import time
from collections.abc import Callable

from companion.clock import Clock

OLDEST_S = 2.0  # a stamp that is older, or of the future, is of another clock


class Stamps:
    """Turns stamps of the monotonic clock into times of the game, in seconds; each is later.

    odd  how many stamps made no sense, so that the moment of reading stood in for them.
    """

    def __init__(self, clock: Clock, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._monotonic_s = monotonic_s
        self._latest_s = -math.inf
        self.odd = 0

    def at_s(self, stamp_s: float) -> float:
        """When the picture with this stamp was taken."""
        now_s, age_s = self._clock.now_s(), self._monotonic_s() - stamp_s
        if not 0.0 <= age_s <= OLDEST_S:
            self.odd += 1
            age_s = 0.0
        self._latest_s = max(math.nextafter(self._latest_s, math.inf), now_s - age_s)
        return self._latest_s
