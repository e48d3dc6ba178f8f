"""A die lies as it lay, though the edge of a shadow moves over it; and not if it moved."""

import cv2
import numpy as np
import pytest
from die_drawing import SIDE_PX, WIDTH, floor, lay

from camera.lying import cut_around, drift, has_moved, lies_as, rest_of
from camera.scene import turn_about
from camera.tracks import STILL_SIDES, grey_of

PLACE, TURN_DEG = (240, 180), 20
SQUARE = np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)]) / 2
TOP = SIDE_PX * (SQUARE @ turn_about((0, 0, 1), np.radians(TURN_DEG))[:2, :2]) + PLACE


def shown(from_px, at=PLACE, seed=1, turn=TURN_DEG, face="star"):
    """A die where a shadow begins so far left of the middle of it, in grey."""
    die = lay(floor(seed), face, at, turn)
    shadow = np.clip((np.arange(WIDTH) - PLACE[0] - from_px) / 5, 0, 1)[None, :, None]
    dark = (die * (1 - 0.6 * shadow)).astype(np.uint8)
    return grey_of(dark)[0]


def seen(*there, **how):
    """The same, cut out."""
    return cut_around(shown(*there, **how), TOP)


EDGES = [(99, 20), (20, 0), (0, -15), (-15, -99)]


@pytest.mark.parametrize(("before", "now"), EDGES)
def test_die_lies_still_while_the_edge_of_a_shadow_moves_over_it(before, now):
    assert lies_as(seen(before), seen(now, seed=2), STILL_SIDES)


@pytest.mark.parametrize(("before", "now"), EDGES)
@pytest.mark.parametrize("sides", [0.03, 0.1, 0.4])
def test_die_that_moves_under_the_edge_of_a_shadow_does_not_lie_still(before, now, sides):
    moved = (PLACE[0] + sides * SIDE_PX, PLACE[1] + 2)
    assert not lies_as(seen(before), seen(now, moved, seed=2), STILL_SIDES)


@pytest.mark.parametrize("turn", [4, 15])
def test_die_that_turns_does_not_lie_still(turn):
    assert not lies_as(seen(99), seen(99, turn=TURN_DEG + turn, seed=2), STILL_SIDES)


def test_edge_of_a_shadow_looks_like_motion():
    """Else nothing of this were needed."""
    assert drift(seen(20), seen(0)).explained < 0.55 or drift(seen(20), seen(0)).sides > STILL_SIDES


def test_die_rests_since_it_lay_still_where_a_shadow_hides_whether_it_moved_before():
    """The edge of a shadow crosses a blank die: nothing tells how that lay a frame ago."""
    beside = (PLACE[0] + 0.2 * SIDE_PX, PLACE[1])
    greys = [shown(10, at, n, face="blank") for n, at in enumerate((beside, PLACE))]
    greys.append(shown(0, seed=2, face="blank"))
    frames = [(n / 30, grey) for n, grey in enumerate(greys)]
    assert has_moved(*(cut_around(grey, TOP) for grey in greys[1:]), STILL_SIDES) is None
    assert rest_of(frames, TOP, found_s=1 / 30) == 1 / 30
    assert rest_of(frames, TOP, found_s=2 / 30) == 2 / 30


@pytest.mark.parametrize("last_sides", [0.008, 0.014])
def test_die_that_crept_a_little_in_the_last_frame_rests_since_then(last_sides):
    """It is told in the first frame of its rest, and only one shows how it lies."""
    ways = (0.06, last_sides, 0.0)
    greys = [shown(99, (PLACE[0] + way * SIDE_PX, PLACE[1]), n) for n, way in enumerate(ways)]
    frames = [(n / 30, grey) for n, grey in enumerate(greys)]
    assert rest_of(frames, TOP, found_s=0.0) == 2 / 30
    assert rest_of([*frames, (3 / 30, shown(99, seed=3))], TOP, found_s=0.0) == 2 / 30


def test_small_die_in_little_light_rests_since_it_came_to_lie():
    """Noise alone moves it, as it looks, by more than a die that rests may."""
    small, since_s = 1 / 3, []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        frames = []
        for number, way in enumerate((0.3, 0.0, 0.0, 0.0)):
            die = shown(99, (PLACE[0] + way * SIDE_PX, PLACE[1]), number, face="blank")
            grey = 0.2 * cv2.resize(die, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
            noisy = np.clip(grey + rng.normal(0, 8, grey.shape), 0, 255)
            frames.append((number / 30, noisy.astype(np.uint8)))
        since_s.append(rest_of(frames, small * TOP, found_s=3 / 30))
    assert since_s == [1 / 30] * 8


def glowing(share, at=PLACE, seed=1):
    """A lamp on the left adds so much to its light there, and hardly any beyond the die."""
    die = lay(floor(seed), "blank", at, TURN_DEG, body=(150.0, 70.0, 40.0))
    near = np.exp(-np.clip(np.arange(WIDTH) - PLACE[0] + SIDE_PX, 0, None) / SIDE_PX)
    lit = die * (1 + share * near)[None, :, None]
    return grey_of(np.clip(lit, 0, 255).astype(np.uint8))[0]


def test_glow_of_a_lamp_that_grows_beside_a_die_is_no_motion():
    greys = [glowing(0.0, (PLACE[0] + 0.05 * SIDE_PX, PLACE[1]))]
    greys += [glowing(share, seed=n) for n, share in enumerate((0.1, 0.4, 0.8, 1.1, 1.2), start=2)]
    frames = [(n / 30, grey) for n, grey in enumerate(greys)]
    assert drift(*(cut_around(grey, TOP) for grey in (greys[2], greys[5]))).sides > 0.005
    assert rest_of(frames, TOP, found_s=1 / 30) == 1 / 30


def test_die_that_is_mostly_beyond_the_edge_is_compared_all_the_same():
    """A strip of it is left, which is shrunk to a line."""
    grey = grey_of(floor(1))[0]
    cuts = [cut_around(grey, 2.6 * (TOP - PLACE) + (-0.8 * 2.6 * SIDE_PX, 180))] * 2
    assert min(cuts[0].shape) > 1
    assert drift(*cuts).sides < STILL_SIDES
