import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.flashes import (
    CHANGE,
    FLASHES,
    LEAST,
    MOST_RED,
    WINDOW_S,
    FlashGuard,
    Levels,
    soften,
)

LEVEL = st.one_of(st.sampled_from([0.0, 0.05, 0.1, 0.5, 1.0]), st.floats(0, 1))
FRAME = st.fixed_dictionaries(
    {"table": st.tuples(LEVEL, LEVEL, LEVEL), "dragon": st.tuples(LEVEL), "seat": st.tuples(LEVEL)}
)
PAUSE = st.one_of(st.sampled_from([0.001, 0.02, 0.1]), st.floats(0.001, 2.0))
STORY = st.lists(st.tuples(PAUSE, FRAME), max_size=40)


def rises_of(shown: list[tuple[float, float]]) -> list[float]:
    """When a lamp began to shine: judged from outside, by its highest and lowest moments."""
    rises, low, high, is_up = [], 0.0, 0.0, False
    for at_s, level in shown:
        if is_up:
            high = max(high, level)
            if high - level >= CHANGE:
                is_up, low = False, level
        else:
            low = min(low, level)
            if level - low >= CHANGE:
                is_up, high = True, level
                rises.append(at_s)
    return rises


def most_in_a_second(moments: list[float]) -> int:
    return max((sum(a <= b <= a + WINDOW_S for b in moments) for a in moments), default=0)


def brightness(levels: Levels) -> float:
    if len(levels) == 1:
        return levels[0]
    return 0.2126 * levels[0] + 0.7152 * levels[1] + 0.0722 * levels[2]


def play(story: list[tuple[float, dict[str, Levels]]]) -> list[tuple[float, dict[str, Levels]]]:
    guard, now_s, shown = FlashGuard(), 0.0, []
    for pause_s, wanted in story:
        now_s += pause_s
        shown.append((now_s, guard.allow(wanted, now_s)))
    return shown


def apart(moments: list[float]) -> list[float]:
    """Moments that are more than one flash to the eye."""
    found: list[float] = []
    for at_s in sorted(moments):
        if not found or at_s > found[-1] + 0.031:
            found.append(at_s)
    return found


@given(STORY)
def test_nothing_flashes_more_than_three_times_in_any_second_or_in_saturated_red(
    story: list[tuple[float, dict[str, Levels]]],
) -> None:
    """No LED, not all lamps together, and not the brightness of any lamp."""
    shown = play(story)
    every: list[float] = []
    for name, leds in (("table", 3), ("dragon", 1), ("seat", 1)):
        for led in range(leds):
            rises = rises_of([(at_s, frame[name][led]) for at_s, frame in shown])
            assert most_in_a_second(rises) <= FLASHES
            every += rises
        rises = rises_of([(at_s, brightness(frame[name])) for at_s, frame in shown])
        assert most_in_a_second(rises) <= FLASHES
    assert most_in_a_second(apart(every)) <= FLASHES
    for _, frame in shown:
        red, green, blue = frame["table"]
        assert red < 0.8 * (red + green + blue) or red == 0


@settings(max_examples=30)
@given(STORY, st.floats(0.0, 0.01))
def test_going_dark_never_waits(
    story: list[tuple[float, dict[str, Levels]]], pause_s: float
) -> None:
    dark = {"table": (0.0, 0.0, 0.0), "dragon": (0.0,), "seat": (0.0,)}
    guard, now_s = FlashGuard(), 0.0
    for wait_s, wanted in story:
        now_s += wait_s
        guard.allow(wanted, now_s)
    assert guard.allow(dark, now_s + pause_s) == dark


@settings(max_examples=30)
@given(STORY)
def test_what_is_wanted_for_a_second_is_shown(
    story: list[tuple[float, dict[str, Levels]]],
) -> None:
    guard, now_s = FlashGuard(), 0.0
    for pause_s, wanted in story:
        now_s += pause_s
        guard.allow(wanted, now_s)
    if story:
        last = story[-1][1]
        safe = {name: soften(levels) for name, levels in last.items()}
        assert guard.allow(last, now_s + 1.1) == safe


def test_slow_pattern_is_shown_as_it_is() -> None:
    guard = FlashGuard()
    for half in range(20):
        level = float(half % 2)
        assert guard.allow({"dragon": (level,)}, half * 0.5) == {"dragon": (level,)}


def test_strobe_is_thinned_to_three_a_second() -> None:
    guard = FlashGuard()
    shown = [
        (at / 50, guard.allow({"dragon": (float(at % 2),)}, at / 50)["dragon"][0])
        for at in range(500)
    ]
    rises = rises_of(shown)
    assert most_in_a_second(rises) == FLASHES
    assert 25 <= len(rises) <= 30


def test_lamps_that_light_together_are_one_flash() -> None:
    guard = FlashGuard()
    assert guard.allow({"a": (1.0,)}, 0.0) == {"a": (1.0,)}
    assert guard.allow({"b": (1.0,)}, 0.01) == {"b": (1.0,)}
    assert guard.free_at_s == -math.inf
    for number in (1, 2):
        guard.allow({"a": (0.0,)}, number * 0.2 - 0.1)
        guard.allow({"a": (1.0,)}, number * 0.2)
    guard.allow({"a": (0.0,)}, 0.5)
    assert guard.allow({"a": (1.0,)}, 0.6) == {"a": (0.0,)}
    assert guard.allow({"a": (1.0,)}, guard.free_at_s) == {"a": (1.0,)}


def test_growing_brightness_is_one_rise() -> None:
    guard = FlashGuard()
    for step in range(1, 11):
        assert guard.allow({"a": (step / 10,)}, step * 0.05) == {"a": (step / 10,)}


def test_time_that_is_set_back_opens_no_gap() -> None:
    guard = FlashGuard()
    for number in range(3):
        guard.allow({"a": (1.0,)}, 100 + number * 0.1)
        guard.allow({"a": (0.0,)}, 100.05 + number * 0.1)
    assert guard.allow({"a": (1.0,)}, 5.0) == {"a": (0.0,)}
    assert guard.allow({"a": (1.0,)}, 6.1) == {"a": (1.0,)}


@pytest.mark.parametrize("wild", [(math.nan,), (math.inf,), (-3.0,), (7.0,)])
def test_wild_levels_are_brought_into_bounds(wild: Levels) -> None:
    assert 0.0 <= FlashGuard().allow({"a": wild}, 0.0)["a"][0] <= 1.0


@given(st.tuples(LEVEL, LEVEL, LEVEL))
def test_red_is_mixed_and_other_colours_stay(levels: Levels) -> None:
    soft = soften(levels)
    if levels[0] <= MOST_RED * sum(levels) and min(levels) >= LEAST:
        assert soft == levels
    assert soft[0] == (levels[0] if levels[0] >= LEAST else 0.0)
    assert soft[0] <= MOST_RED * sum(soft) + 1e-9
