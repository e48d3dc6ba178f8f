"""What would make a camera's pictures better is told from many frames, and from nothing less."""

import math

import numpy as np
import pytest

from camera import advice
from camera.advice import ENOUGH, WINDOW, Advice
from camera.measures import Look, look_at, noise
from camera.source import Frame

FRAME_S = 1 / 30


def look(at_s, *, brightness=120.0, burnt=0.0, noise=3.0, is_torn=False):
    return Look(at_s, brightness, burnt, 200.0, 1, noise, is_torn)


def told(frames, *, missed=None):
    said = Advice()
    for one in frames:
        said.saw(one, missed)
    return said.told()


def times(count=WINDOW, each_s=FRAME_S):
    return [each_s * number for number in range(count)]


def test_nothing_is_told_of_a_good_camera():
    assert told([look(at_s) for at_s in times()]) == ""


def test_nothing_is_told_before_there_are_enough_frames():
    assert told([look(at_s, noise=60.0) for at_s in times(ENOUGH - 1)]) == ""


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        ({"noise": 40.0}, advice.NOISY),
        ({"burnt": 0.2}, advice.BURNT),
        ({"is_torn": True}, advice.TORN),
    ],
)
def test_what_spoils_most_frames_is_told_and_what_spoils_one_is_not(spoilt, words):
    good = [look(at_s) for at_s in times()]
    bad = [look(at_s, **spoilt) for at_s in times()]
    assert told(bad) == words
    assert told([*good[:9], bad[9], *good[10:]]) == ""


def test_lost_pictures_are_told_by_the_gaps_or_as_they_are_counted():
    gaps = [look(at_s) for number, at_s in enumerate(times(3 * WINDOW)) if number % 3 != 2]
    assert told(gaps) == advice.LOSES
    assert told([look(at_s) for at_s in times()], missed=1) == advice.LOSES
    assert told([look(at_s) for at_s in times()], missed=0) == ""


def test_slow_camera_is_told_from_one_that_is_only_asked_seldom():
    slow = [look(at_s) for at_s in times(each_s=0.2)]
    assert told(slow) == advice.SLOW
    assert told(slow, missed=0) == ""


def test_light_that_flickers_is_told_and_a_lamp_that_is_switched_on_is_not():
    swings = [120 * (1 + 0.5 * math.sin(2 * math.pi * 7.3 * at_s)) for at_s in times()]
    assert told([look(t, brightness=b) for t, b in zip(times(), swings, strict=True)]) == (
        advice.FLICKERS
    )
    switched = [80.0 if at_s < 0.4 else 160.0 for at_s in times()]
    assert told([look(t, brightness=b) for t, b in zip(times(), switched, strict=True)]) == ""


@pytest.mark.parametrize("levels", [2.0, 20.0, 40.0])
def test_noise_is_measured_over_edges(levels):
    rng = np.random.default_rng(5)
    checks = np.kron(np.indices((30, 40)).sum(axis=0) % 2, np.ones((12, 12))) * 60 + 90
    noisy = np.clip(checks + rng.normal(0, levels, checks.shape), 0, 255)
    pixels = np.repeat(noisy.astype(np.uint8)[:, :, None], 3, axis=2)
    assert noise(Frame(0.0, pixels)) == pytest.approx(levels, rel=0.25)


def test_picture_whose_end_was_lost_is_torn_and_a_black_one_is_dark():
    pixels = np.random.default_rng(5).integers(80, 120, (48, 64, 3)).astype(np.uint8)
    assert not look_at(Frame(0.0, pixels)).is_torn
    pixels[30:] = 128
    assert look_at(Frame(0.0, pixels)).is_torn
    assert not look_at(Frame(0.0, np.zeros((48, 64, 3), np.uint8))).is_torn
