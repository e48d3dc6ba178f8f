"""What the picture of the empty tray tells of a place: bare, perhaps in shadow, or a body."""

import numpy as np
from die_drawing import WIDTH, floor, lay

from camera.bare import is_bare, may_be_shade, may_be_shadow

SQUARE = np.array([(-35.0, -35), (35, -35), (35, 35), (-35, 35)])
PLACES = np.array([SQUARE + (100, 120), SQUARE + (350, 220)])


def test_floor_is_bare_in_any_light_and_a_die_is_not():
    empty, now = floor(1), lay(floor(2, 0.7), "star", (350, 220), 10)
    assert is_bare(now, empty, PLACES).tolist() == [True, False]


def test_floor_with_less_light_may_be_shade_and_what_has_another_colour_may_not():
    empty, now = floor(1), floor(2).astype(np.float32)
    now[:, : WIDTH // 2] *= 0.5
    now[:, WIDTH // 2 :] *= (0.7, 0.4, 0.4)
    shades = may_be_shade(now.astype(np.uint8), empty, PLACES)
    assert shades.tolist() == [True, False]
    assert may_be_shadow(now.astype(np.uint8), empty, PLACES).tolist() == [True, False]
    assert may_be_shade(floor(3), empty, PLACES).tolist() == [False, False]
    assert not may_be_shadow(floor(3), empty, PLACES).any()


def test_floor_that_a_shadow_covers_in_part_is_bare_where_little_is_seen_and_a_die_is_not():
    empty, now = floor(1), lay(floor(1), "blank", (350, 220), 0, body=(50.0, 95.0, 90.0))
    now[:, :90] = (0.5 * now[:, :90]).astype(np.uint8)
    assert not is_bare(now, empty, PLACES).any()
    assert is_bare(now, empty, PLACES, np.array([True, True])).tolist() == [True, False]
    assert not is_bare(now, empty, PLACES, np.array([False, True])).any()


def test_sharp_shadow_is_floor_wherever_its_edge_lies_and_a_dark_die_is_none():
    empty, now = floor(1), lay(floor(2), "blank", (350, 220), 0, body=(60.0, 40.0, 45.0))
    now[:, :100] = (0.2 * now[:, :100]).astype(np.uint8)
    assert may_be_shadow(now, empty, PLACES).tolist() == [True, False]
    now[:, :200] = (0.6 * floor(2)[:, :200]).astype(np.uint8)
    assert may_be_shadow(now, empty, PLACES).tolist() == [True, False]
