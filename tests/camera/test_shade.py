"""A grey die beside others is no shadow: they throw none there. What all of them throw is one."""

import numpy as np
import pytest

from camera.leftover import are_shadows, unexplained
from camera.slant import Slant

SIDE_PX, FLOOR = 48, (90.0, 120.0, 140.0)
SLANT = Slant(np.array([0.0, 0.0, -1.0]), float(SIDE_PX), 700.0, np.array([320.0, 240.0]))
DICE = [(120, 110), (330, 130), (520, 330), (210, 350)]
SHADOW = (52, 14)  # pixels to the right and below each die
DEPTH, GREY = 0.65, 0.5  # of the light are left there, and where a grey die lies
SHARP = 0.18  # of the light are left where only one lamp shines
FAR = SLANT._replace(focal=70_000.0)  # so that no sides of dice are seen


def square(x, y):
    half = SIDE_PX / 2
    return np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + (x, y)


def darkened(pixels, x, y, depth):
    half = SIDE_PX // 2
    pixels[y - half : y + half, x - half : x + half] *= depth


def tray(dice, grey=None, depth=DEPTH):
    """White dice whose shadows fall alike, and a dark patch beside the first one."""
    pixels = np.full((480, 640, 3), FLOOR)
    for x, y in dice:
        darkened(pixels, x + SHADOW[0], y + SHADOW[1], depth)
    if grey is not None:
        darkened(pixels, *grey, min(GREY, depth))
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


def shadow_of(number):
    return DICE[number][0] + SHADOW[0], DICE[number][1] + SHADOW[1]


def under_one_lamp(dice, grey=None):
    """The same where hardly any other light falls into the shadows."""
    return tray(dice, grey, depth=SHARP), tray([]), FAR, [square(*place) for place in dice]


def test_sharp_shadows_are_none_however_dark_they_are():
    assert unexplained(*under_one_lamp(DICE)) == []
    hints = [square(*shadow_of(number)) for number in range(len(DICE))]
    assert are_shadows(*under_one_lamp(DICE), hints) == [True] * len(DICE)


@pytest.mark.parametrize("beside", [(-54, 8), (4, 56), (-6, -57)])
def test_dark_thing_where_others_throw_no_shadow_is_told_under_one_lamp(beside):
    x, y = DICE[1]
    grey = x + beside[0], y + beside[1]
    scene = under_one_lamp(DICE, grey)
    assert are_shadows(*scene, [square(*grey)]) == [False]
    [found] = unexplained(*scene)
    assert np.hypot(*np.subtract(found, grey)) < SIDE_PX / 2


def test_nobody_knows_where_one_die_alone_throws_its_shadow():
    assert are_shadows(*under_one_lamp(DICE[:1]), [square(*shadow_of(0))]) == [False]


def test_coloured_thing_where_a_shadow_falls_is_none():
    pixels, empty, slant, dice = under_one_lamp(DICE)
    x, y = shadow_of(2)
    pixels[y - 24 : y + 24, x - 24 : x + 24] = (20, 20, 90)
    pixels[DICE[2][1] - 24 : DICE[2][1] + 24, DICE[2][0] - 24 : DICE[2][0] + 24] = 235
    assert are_shadows(pixels, empty, slant, dice, [square(x, y)]) == [False]
