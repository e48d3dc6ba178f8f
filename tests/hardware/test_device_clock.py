import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.device_clock import LINE_DELAY_S, DeviceClock

DELAY = st.floats(0.0, 0.2)


def device_ms(true_s: float, offset_s: float, drift: float = 0.0) -> int:
    return math.floor((true_s - offset_s) * (1 + drift) * 1000)


@given(
    st.floats(-1000, 1000),
    st.floats(-100e-6, 100e-6),
    st.lists(st.tuples(st.floats(0.001, 30), DELAY, DELAY), min_size=1, max_size=30),
)
def test_true_moment_lies_within_what_is_stated(
    offset_s: float, drift: float, trips: list[tuple[float, float, float]]
) -> None:
    clock, true_s = DeviceClock(), 2000.0
    for pause_s, there_s, back_s in trips:
        asked_s = true_s + pause_s
        came_s = asked_s + there_s
        true_s = came_s + back_s
        clock.heard(device_ms(came_s, offset_s, drift), true_s)
        clock.answered(asked_s, device_ms(came_s, offset_s, drift), true_s)
        told_s = clock.game_s(device_ms(true_s, offset_s, drift))
        assert abs(told_s - true_s) <= clock.within_s + 0.002
    assert clock.jumps == 0


def test_uncertainty_is_half_the_best_round_trip() -> None:
    clock = DeviceClock()
    clock.heard(1000, 11.200)
    clock.answered(11.0, 1000, 11.200)
    assert clock.within_s == pytest.approx(0.105)  # 100 ms, and what whole milliseconds cost
    clock.heard(2000, 12.005)
    clock.answered(11.995, 2000, 12.005)
    assert clock.within_s == pytest.approx(0.005)
    assert clock.game_s(2500) == pytest.approx(12.5, abs=0.005)


def test_first_line_counts_as_little_delayed_until_a_question_is_answered() -> None:
    clock = DeviceClock()
    assert math.isinf(clock.within_s)
    clock.heard(0, 7.020)
    assert not clock.is_synchronised
    assert clock.within_s == pytest.approx(LINE_DELAY_S / 2)
    assert clock.game_s(0) == pytest.approx(7.0, abs=LINE_DELAY_S / 2)


def test_quicker_lines_make_the_estimate_better() -> None:
    clock = DeviceClock()
    clock.answered(9.999, 1000, 10.3)
    for sent_ms, delay_s in ((1000, 0.3), (1400, 0.02), (1500, 0.1)):
        clock.heard(sent_ms, 9.0 + sent_ms / 1000 + delay_s)
    assert clock.game_s(1200) == pytest.approx(10.2, abs=0.012)
    assert clock.within_s <= 0.015


def test_old_knowledge_fades_with_the_drift_of_quartzes() -> None:
    clock = DeviceClock()
    clock.heard(0, 0.0)
    clock.answered(0.0, 0, 0.0)
    assert clock.within_s == 0.005
    clock.heard(600_000, 600.05)
    assert clock.within_s > 0.05


def test_jump_of_the_device_clock_begins_anew() -> None:
    clock = DeviceClock()
    clock.heard(1000, 1.0)
    clock.answered(1.0, 1000, 1.0)
    clock.heard(500_000, 2.0)
    assert clock.jumps == 1
    assert not clock.is_synchronised
    clock.answered(2.0, 500_000, 2.0)
    assert clock.game_s(500_000) == pytest.approx(2.0, abs=0.002)


def test_times_of_the_simulation_are_exact_to_the_millisecond() -> None:
    clock = DeviceClock()
    for at_s in (4.35, 17.003, 17.0537, 60.4):
        clock.heard(math.floor(at_s * 1000 + 1e-6), at_s)
        clock.answered(at_s, math.floor(at_s * 1000 + 1e-6), at_s)
        assert clock.game_s(60_412) == 60.412
        assert clock.within_s == 0.005
