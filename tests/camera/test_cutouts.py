"""Pictures to keep and to send: what is in them, and that they stay small."""

import cv2
import numpy as np
import pytest

from camera.cutouts import LIVE_SIDE_PX, MOST_BYTES, MOST_SIDE_PX, as_small_jpeg, cut_out


def decoded(data):
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


@pytest.fixture
def tray():
    """A grey tray with a red die in it."""
    pixels = np.full((360, 640, 3), 90, np.uint8)
    pixels[100:130, 200:230] = (20, 20, 220)
    return pixels


def test_die_is_cut_out_with_what_is_around_it(tray):
    seen = decoded(cut_out(tray, [(200, 100, 30, 30)]))
    assert seen.shape == (50, 50, 3)
    assert seen[25, 25, 2] > 200 > seen[25, 25, 1] + 100
    assert abs(int(seen[2, 2, 2]) - 90) < 20


def test_picture_holds_all_dice_of_a_roll_and_stays_small(tray):
    seen = decoded(cut_out(tray, [(0, 0, 30, 30), (600, 320, 40, 40)]))
    assert max(seen.shape) == MOST_SIDE_PX
    assert seen.shape[0] / seen.shape[1] == pytest.approx(360 / 640, abs=0.02)


def test_no_die_makes_no_picture(tray):
    assert cut_out(tray, []) is None
    assert cut_out(tray, [(900, 900, 10, 10)]) is None


def test_noise_is_pressed_or_left_out():
    noise = np.random.default_rng(1).integers(0, 256, (720, 1280, 3), dtype=np.uint8)
    data = as_small_jpeg(noise)
    assert data is None or len(data) <= MOST_BYTES
    assert LIVE_SIDE_PX > MOST_SIDE_PX
