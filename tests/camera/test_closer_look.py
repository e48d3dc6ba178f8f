"""What was overlooked is sought again, closely; what is no die stays none."""

import numpy as np
from die_drawing import HEIGHT, SIDE_PX, WIDTH, floor, lay

from camera.closer_look import seek_closely
from camera.left_parts import Left
from camera.leftover import HINTED
from camera.seek import Seeker
from camera.slant import Slant

ABOVE = Slant(np.array([0.0, 0, -1.0]), SIDE_PX, 550.0, np.array([WIDTH, HEIGHT]) / 2)


def test_die_is_found_at_its_place_and_none_beside_it():
    pixels = lay(floor(3), "moon", (150, 130), 20)
    found = seek_closely(Seeker(), pixels, ABOVE, [Left(160, 120, 0.9), Left(370, 260, 0.9)]).dice
    assert len(found) == 1
    assert np.hypot(*(found[0].middle - (150, 130))) < 0.1 * SIDE_PX
    assert abs(found[0].side_px - SIDE_PX) < 0.15 * SIDE_PX


def test_die_that_hardly_differs_from_its_floor_is_asked_about_and_not_read():
    pixels, faint = lay(floor(3), "moon", (150, 130), 20), Left(150, 130, HINTED)
    look = seek_closely(Seeker(), pixels, ABOVE, [faint])
    assert look.dice == []
    assert not look.is_nothing(faint)


def test_bare_floor_that_hardly_differs_is_nothing_and_what_differs_much_stays_doubtful():
    corners = [Left(0, 0, 0.17), Left(WIDTH - 1, HEIGHT - 1, 0.9)]
    look = seek_closely(Seeker(), floor(4), ABOVE, corners)
    assert look.dice == []
    assert look.is_nothing(Left(3, 3, 0.17))
    assert not look.is_nothing(corners[1])


def test_crumb_is_no_die():
    pixels = floor(5)
    pixels[100:118, 200:230] = (30, 40, 160)
    assert seek_closely(Seeker(), pixels, ABOVE, [Left(215, 109, 0.4)]).dice == []
