"""A grey die beside others is no shadow: they throw none there."""

import numpy as np
import pytest

from camera.leftover import unexplained
from camera.slant import Slant

SIDE_PX, FLOOR = 48, (90.0, 120.0, 140.0)
SLANT = Slant(np.array([0.0, 0.0, -1.0]), float(SIDE_PX), 700.0, np.array([320.0, 240.0]))
DICE = [(120, 110), (330, 130), (520, 330), (210, 350)]
SHADOW = (52, 14)  # pixels to the right and below each die
DEPTH, GREY = 0.65, 0.5  # of the light are left there, and where a grey die lies


def square(x, y):
    half = SIDE_PX / 2
    return np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + (x, y)


def darkened(pixels, x, y, depth):
    half = SIDE_PX // 2
    pixels[y - half : y + half, x - half : x + half] *= depth


def tray(dice, grey=None):
    """White dice whose shadows fall alike, and a dark patch beside the first one."""
    pixels = np.full((480, 640, 3), FLOOR)
    for x, y in dice:
        darkened(pixels, x + SHADOW[0], y + SHADOW[1], DEPTH)
    if grey is not None:
        darkened(pixels, *grey, GREY)
    for x, y in dice:
        half = SIDE_PX // 2
        pixels[y - half : y + half, x - half : x + half] = 235
    noise = np.random.default_rng(4).normal(0, 2, pixels.shape)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def told(dice, grey, hint):
    known = [square(*place) for place in dice]
    return unexplained(tray(dice, grey), tray([]), SLANT, known, [square(*hint)])


@pytest.mark.parametrize("number", range(len(DICE)))
def test_shadow_that_all_dice_throw_is_none(number):
    x, y = DICE[number]
    assert told(DICE, None, (x + SHADOW[0], y + SHADOW[1])) == []


@pytest.mark.parametrize("beside", [(-54, 8), (4, 56), (-6, -57)])
def test_dark_patch_where_other_dice_throw_no_shadow_is_told(beside):
    x, y = DICE[1]
    grey = x + beside[0], y + beside[1]
    assert told(DICE, grey, grey) == [grey]
    assert told(DICE, None, grey) == []


def test_no_shadow_is_deeper_than_those_of_others():
    """A black die may lie where a shadow would."""
    x, y = DICE[1][0] + SHADOW[0], DICE[1][1] + SHADOW[1]
    assert told(DICE, (x, y), (x, y)) == [(x, y)]


def test_one_die_alone_may_throw_any_shadow():
    """Nobody knows where its shadow falls; nor is it known where dice cover the place."""
    x, y = DICE[0]
    assert told(DICE[:1], (x - 54, y), (x - 54, y)) == []
    assert told(DICE, None, DICE[0]) == []
