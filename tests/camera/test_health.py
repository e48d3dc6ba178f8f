"""A camera's troubles are told from its frames alone, within two seconds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from camera.advice import NOISY, WINDOW
from camera.health import PATIENCE_S, Look, Watchdog, look_at
from camera.source import Frame

FRAME_S = 1 / 30
NOTICED_S = 2.0


def look(at_s, fingerprint=None, brightness=120.0):
    return Look(at_s, brightness, 0.0, 200.0, hash(at_s) if fingerprint is None else fingerprint)


def fed(until_s, **changes):
    """A watchdog that saw frames up to `until_s`."""
    watchdog = Watchdog(0.0)
    feed(watchdog, 0.0, until_s, **changes)
    return watchdog


def feed(watchdog, from_s, until_s, **changes):
    for number in range(1, int((until_s - from_s) / FRAME_S) + 1):
        watchdog.saw(look(from_s + number * FRAME_S, **changes))


def test_camera_that_gives_pictures_is_live():
    assert fed(10.0).condition(10.0).state == "live"


def test_camera_waits_for_its_first_picture():
    assert Watchdog(0.0).condition(0.5).state == "waiting"


@pytest.mark.parametrize(
    ("state", "changes"),
    [("frozen", {"fingerprint": 7}), ("dark", {"brightness": 3.0})],
)
def test_trouble_is_noticed_within_two_seconds_and_goes_again(state, changes):
    watchdog = fed(5.0)
    feed(watchdog, 5.0, 5.0 + PATIENCE_S / 2, **changes)
    assert watchdog.condition(5.5).state == "live", "a hand over the lens is no trouble"
    feed(watchdog, 5.5, 5.0 + NOTICED_S, **changes)
    condition = watchdog.condition(5.0 + NOTICED_S)
    assert condition.state == state
    assert condition.why
    assert condition.since_s == pytest.approx(5.0, abs=2 * FRAME_S)
    feed(watchdog, 7.0, 7.1)
    assert watchdog.condition(7.1).state == "live"


def test_silence_is_noticed_within_two_seconds_and_ends_with_a_picture():
    watchdog = fed(5.0)
    assert watchdog.condition(5.0 + NOTICED_S).state == "silent"
    watchdog.saw(look(9.0))
    assert watchdog.condition(9.01).state == "live"


def test_advice_is_told_of_what_the_frames_show():
    noisy = Look(0.0, 120.0, 0.0, 200.0, 1, noise=40.0)
    watchdog = Watchdog(0.0)
    assert watchdog.advice() == ""
    for number in range(WINDOW):
        watchdog.saw(noisy._replace(at_s=number * FRAME_S), missed=0)
    assert watchdog.advice() == NOISY


def test_first_picture_after_a_failure_is_a_new_one_though_it_looks_like_the_last():
    """A camera that was away for long, and shows the same again, has not frozen meanwhile."""
    watchdog = fed(1.0, fingerprint=7)
    watchdog.failed(1.2, "lost", "unplugged")
    watchdog.saw(look(60.0, fingerprint=7))
    assert watchdog.condition(60.0).state == "live"


def test_twilight_does_not_flicker():
    watchdog = fed(5.0, brightness=3.0)
    feed(watchdog, 5.0, 7.0, brightness=13.0)
    assert watchdog.condition(7.0).state == "dark"
    feed(watchdog, 7.0, 7.1, brightness=20.0)
    feed(watchdog, 7.1, 9.0, brightness=13.0)
    assert watchdog.condition(9.0).state == "live"


def test_known_failure_is_told_since_when_until_a_picture_comes():
    watchdog = fed(1.0)
    watchdog.failed(1.2, "lost", "unplugged")
    watchdog.failed(1.7, "lost", "unplugged")
    assert watchdog.condition(1.8) == ("lost", "unplugged", 1.2)
    watchdog.failed(2.0, "busy", "another program has it")
    assert watchdog.condition(2.1).state == "busy"
    watchdog.saw(look(3.0))
    assert watchdog.condition(3.0).state == "live"


@given(
    st.lists(
        st.tuples(st.floats(0.001, 3.0), st.integers(0, 2), st.floats(0.0, 255.0), st.booleans()),
        max_size=40,
    )
)
def test_condition_follows_from_the_last_seconds_whatever_came(rows):
    watchdog, at_s = Watchdog(0.0), 0.0
    for gap_s, fingerprint, brightness, is_failure in rows:
        at_s += gap_s
        if is_failure:
            watchdog.failed(at_s, "lost", "gone")
        else:
            watchdog.saw(look(at_s, fingerprint, brightness))
        condition = watchdog.condition(at_s)
        assert condition.since_s <= at_s
        assert (condition.state == "lost") == is_failure
        assert (condition.state == "live") == (condition.why == "")


def test_look_tells_light_blur_and_sameness():
    noise = np.random.default_rng(1).integers(0, 256, (120, 160, 3), np.uint8)
    flat = np.full((120, 160, 3), 255, np.uint8)
    sharp, dull = look_at(Frame(1.0, noise)), look_at(Frame(2.0, flat))
    assert sharp.at_s == 1.0
    assert sharp.sharpness > 100 > dull.sharpness == 0.0
    assert (dull.brightness, dull.burnt) == (255.0, 1.0)
    assert sharp.burnt < 0.2
    assert look_at(Frame(3.0, noise.copy())).fingerprint == sharp.fingerprint != dull.fingerprint
    other = noise.copy()
    other[::4, ::4] ^= 1
    assert look_at(Frame(4.0, other)).fingerprint != sharp.fingerprint


@pytest.mark.parametrize("size", [(1, 1), (2, 3)])
def test_tiny_picture_is_measured(size):
    assert look_at(Frame(0.0, np.zeros((*size, 3), np.uint8))).brightness == 0.0
