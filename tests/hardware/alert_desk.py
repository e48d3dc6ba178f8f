"""Alerts on mock pins and a simulated clock, and how tests look at them."""

from typing import Any

from companion.actions import Chose, Report
from companion.clock import SimulatedClock
from companion.steps import FAMILIES, Cue, Step, Told
from hardware.alerts import Alerts
from hardware.cues import Alert, CueBook, Follow, read_cues
from hardware.lamps import NEAR_TRAY, Lamps
from hardware.pins import PinChoice, choose_pins

SHIPPED = read_cues()
TROLL_PINS, SEAT_PINS = (5, 6, 13, 19), (23, 24, 25, 12, 16)
DRAGON_PIN, TABLE_PINS = 26, (17, 27, 22)
ALL_PINS = (*TABLE_PINS, *TROLL_PINS, DRAGON_PIN, *SEAT_PINS)


def step(*cues: tuple[str, str]) -> Step:
    told = tuple(Told(Cue(name, family, name), "It happened.") for name, family in cues)
    return Step(1, Report(Chose("ann", "leave")), told)


class Desk:
    """Alerts on mock pins and a simulated clock, without a thread."""

    def __init__(self, book: CueBook = SHIPPED, **given: Any) -> None:
        self.choice: PinChoice = choose_pins(real=False)
        self.clock = SimulatedClock()
        self.pins = {pin: self.choice.factory.pin(pin) for pin in (*ALL_PINS, 18)}
        strip, near_tray = given.pop("strip", None), given.pop("near_tray", NEAR_TRAY)
        lamps = Lamps(self.choice, strip=strip, near_tray=near_tray)
        self.alerts = Alerts(lamps, book, self.clock, **given)

    def show(self, *cues: tuple[str, str]) -> None:
        self.alerts.show(step(*cues))

    def wait(self, seconds: float) -> None:
        until_s = self.clock.now_s() + seconds
        next_s: float | None = self.clock.now_s()
        while next_s is not None and next_s < until_s:
            self.clock.move_to(next_s)
            next_s = self.alerts.tick(self.clock.now_s())
        self.clock.move_to(until_s)
        self.alerts.tick(until_s)

    def level(self, pin: int) -> float:
        return float(self.pins[pin].state)

    def levels(self, *pins: int) -> list[float]:
        return [self.level(pin) for pin in pins]

    def lamp(self, name: str) -> dict[str, object]:
        return next(lamp for lamp in self.alerts.lamps() if lamp["name"] == name)

    def is_dark(self) -> bool:
        return not any(pin.state for pin in self.pins.values())


def book_of(alerts: dict[str, Alert], **given: Any) -> CueBook:
    """A table of alerts with nothing but these."""
    return CueBook({name: Alert(priority=1) for name in FAMILIES}, alerts, Follow(), **given)
