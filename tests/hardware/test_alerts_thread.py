import threading
import time

from alert_desk import SHIPPED, step
from pytest_mock import MockerFixture

from companion.clock import RealClock, SimulatedClock
from hardware.alerts import Alerts
from hardware.lamps import Lamps
from hardware.pins import choose_pins


def wait_for(alerts: Alerts, fits: object, limit_s: float = 10.0) -> bool:
    with alerts._changed:
        until_s = time.monotonic() + limit_s
        while not fits(alerts):  # type: ignore[operator]
            if time.monotonic() > until_s:
                return False
            alerts._changed.wait(0.01)
    return True


def level_of(alerts: Alerts, name: str) -> float:
    return float(next(lamp["level"] for lamp in alerts.lamps() if lamp["name"] == name))


def test_thread_plays_a_pattern_to_its_end() -> None:
    before = threading.active_count()
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, RealClock()) as alerts:
        alerts.show(step(("refused", "bad")))
        assert level_of(alerts, "table") > 0
        assert wait_for(alerts, lambda alerts: level_of(alerts, "table") == 0)
        assert wait_for(alerts, lambda alerts: level_of(alerts, "buzzer") == 0)
    assert threading.active_count() == before


def test_thread_follows_a_clock_that_somebody_else_moves() -> None:
    clock = SimulatedClock()
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, clock) as alerts:
        alerts.show(step(("game_over", "over")))
        clock.move_to(100.0)
        assert wait_for(alerts, lambda alerts: level_of(alerts, "table") == 0)


def test_thread_that_fails_goes_dark_and_lives_on(mocker: MockerFixture) -> None:
    clock = SimulatedClock()
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, clock) as alerts:
        alerts.show(step(("dragon", "hurry")))
        mocker.patch.object(alerts._lamps, "sound", side_effect=[OSError("gone")] + [None] * 1000)
        clock.move_to(0.2)
        assert wait_for(alerts, lambda alerts: alerts.failures == 1)
        assert level_of(alerts, "dragon") == 0
        clock.move_to(5.0)
        alerts.show(step(("dragon", "hurry")))
        assert level_of(alerts, "dragon") == 1


def test_show_returns_at_once_though_patterns_are_long() -> None:
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, RealClock()) as alerts:
        began = time.monotonic()
        for _ in range(100):
            alerts.show(step(("dragon_awake", "bad"), ("troll", "bad"), ("game_over", "over")))
        assert time.monotonic() - began < 3.0
