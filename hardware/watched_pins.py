"""Mock pins that note when they change: for benchmarks and for tests of timing."""

import time
from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.pins import PinChoice


def watched_pins(edge: Callable[[float], None]) -> PinChoice:
    """Mock pins; `edge` hears of each change of an output, at which moment (`perf_counter`, s)."""

    class WatchedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero is untyped
        """A mock pin with pulse width modulation that tells of its changes."""

        def _change_state(self, value: Any) -> bool:
            changed = bool(super()._change_state(value))
            if changed:
                edge(time.perf_counter())
            return changed

    return PinChoice(MockFactory(pin_class=WatchedPin), False, "these pins are watched")
