"""When dice came to rest: from "this frame differs" to "still since".

Sans-I/O: frame times come in, answers go out; no pictures, no clock. A frame is compared with an
*anchor*, the first frame that looked like all that followed, so that slow movements are seen too.
The time of rest is the anchor's: the first frame in which everything lay still. It is declared
`settle_s` later.
"""

import math
from enum import StrEnum
from typing import NamedTuple


class Phase(StrEnum):
    """What a zone does."""

    EMPTY = "empty"
    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"


class Settled(NamedTuple):
    """What is known after a frame.

    phase    MOVING while frames differ, SETTLING until rest is declared, then STILL or EMPTY.
    since_s  time of the anchor; once things lie still, the capture time of their rest.
    is_due   True when everything has been still for long enough, and rest may be declared.
    """

    phase: Phase
    since_s: float
    is_due: bool


class Settler:
    """Follows one zone.

    settle_s   so long must nothing change before it counts as rest; above 0.
    at_least   so many frames beside the anchor must show it, however slow the camera is.
    """

    def __init__(self, settle_s: float = 0.1, at_least: int = 2) -> None:
        if not settle_s > 0 or at_least < 1:
            raise ValueError(
                f"expected settle_s above 0 and at_least from 1, got {settle_s} and {at_least}"
            )
        self.settle_s, self.at_least = settle_s, at_least
        self._since_s = self._last_s = self._watermark_s = -math.inf
        self._same = 0
        self._phase = Phase.MOVING

    @property
    def phase(self) -> Phase:
        """What the zone does, as of the last frame."""
        return self._phase

    @property
    def watermark_s(self) -> float:
        """Up to here everything has been reported; never goes back.

        Just before the anchor while dice settle, for they may have come to rest with it; the time
        of the last frame once rest is declared.
        """
        return self._watermark_s

    def update(self, at_s: float, *, differs: bool) -> Settled:
        """Take in one frame; `differs` tells whether it differs from the anchor.

        A frame that differs, and the very first one, becomes the anchor. Raises ValueError for a
        frame that is not later than the one before.
        """
        if not at_s > self._last_s:
            raise ValueError(f"expected a frame after {self._last_s} s, got {at_s} s")
        if differs or self._last_s == -math.inf:
            self._since_s, self._same, self._phase = at_s, 0, Phase.MOVING
        else:
            self._same += 1
        self._last_s = at_s
        if self._phase in (Phase.STILL, Phase.EMPTY):
            self._watermark_s = at_s
            return Settled(self._phase, self._since_s, False)
        if self._same:
            self._phase = Phase.SETTLING
        self._watermark_s = max(self._watermark_s, math.nextafter(self._since_s, -math.inf))
        return Settled(self._phase, self._since_s, self._is_due())

    def declare(self, *, empty: bool) -> None:
        """Declare rest, with something lying in the zone or nothing; until a frame differs."""
        self._phase = Phase.EMPTY if empty else Phase.STILL
        self._watermark_s = self._last_s

    def _is_due(self) -> bool:
        # half a millisecond of tolerance: frame times are sums of fractions
        lasted_s = self._last_s - self._since_s + 0.0005
        return self._same >= self.at_least and lasted_s >= self.settle_s
