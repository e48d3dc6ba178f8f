"""The clock of a receiver, seen from here: what its milliseconds are in the time of the game.

Theory of operation. Let `offset = time of the game - time of the device`. Whatever the line delays,
each message bounds it from one side:

- A line that was sent at device time d and arrived at a: it cannot arrive before it is sent, so
  offset <= a - d.
- A question that was sent at s and reached the device at d: offset >= s - d.

The least upper and the greatest lower bound enclose the offset; we take the middle, and half the
distance is the uncertainty. Both clocks are read in whole milliseconds, which costs one to each
side. Old bounds are loosened by the drift that cheap quartzes have, so newer ones take over by
themselves. Before the first answer the lower bound is missing; a line is then taken to have needed
at most `LINE_DELAY_S`. Bounds that exclude each other mean that one clock has jumped: begin anew.
"""

import math

DRIFT = 200e-6  # two quartzes of 100 ppm each, drifting apart
LINE_DELAY_S = 0.05  # USB serial with a sleepy driver: 16 ms of latency timer, and room for load
STATED_IN_S = 0.005  # uncertainties are rounded up to this; more digits would pretend knowledge
_TICK_S = 0.001  # what reading a clock in whole milliseconds costs


class DeviceClock:
    """Turns device milliseconds into seconds of the game, with an uncertainty."""

    def __init__(self) -> None:
        self.jumps = 0
        self._upper_s = math.inf
        self._lower_s = -math.inf
        self._at_s = 0.0

    @property
    def is_synchronised(self) -> bool:
        """True once a question has been answered."""
        return self._lower_s > -math.inf

    def heard(self, sent_ms: int, at_s: float) -> None:
        """Learn from any line: sent at `sent_ms` of the device, arrived at `at_s`."""
        self._age(at_s)
        self._bound(-math.inf, _whole_ms(at_s) + _TICK_S - sent_ms / 1000)

    def answered(self, asked_s: float, device_ms: int, at_s: float) -> None:
        """Learn from a round trip: the question left at `asked_s`, and came in at `device_ms`."""
        self._age(at_s)
        self._bound(_whole_ms(asked_s) - _TICK_S - device_ms / 1000, math.inf)

    def game_s(self, device_ms: int) -> float:
        """The second of the game, to the millisecond, at which the device's clock said this."""
        return round(device_ms / 1000 + (self._lower() + self._upper_s) / 2, 3)

    @property
    def within_s(self) -> float:
        """How far `game_s` may be off, in seconds; inf before anything was heard."""
        half_s = (self._upper_s - self._lower()) / 2
        if math.isinf(half_s) or math.isnan(half_s):
            return math.inf
        return round(math.ceil(half_s / STATED_IN_S - 1e-6) * STATED_IN_S, 3)

    def begin_anew(self) -> None:
        """Forget what was learnt: another run of the device, or another time of ours."""
        self._upper_s, self._lower_s = math.inf, -math.inf

    def _lower(self) -> float:
        return self._lower_s if self.is_synchronised else self._upper_s - LINE_DELAY_S

    def _age(self, at_s: float) -> None:
        if at_s < self._at_s:
            self.begin_anew()
        passed_s = at_s - self._at_s
        self._upper_s += DRIFT * passed_s
        self._lower_s -= DRIFT * passed_s
        self._at_s = at_s

    def _bound(self, lower_s: float, upper_s: float) -> None:
        if lower_s > self._upper_s or upper_s < self._lower_s:
            self.jumps += 1
            self.begin_anew()
        self._lower_s = max(self._lower_s, lower_s)
        self._upper_s = min(self._upper_s, upper_s)


def _whole_ms(at_s: float) -> float:
    # A hair is added, for 4.35 s * 1000 is 4349.9999...
    return math.floor(at_s * 1000 + 1e-6) / 1000
