"""What was overlooked is sought again, closely; what is no die stays none."""

import numpy as np
from die_drawing import HEIGHT, SIDE_PX, WIDTH, floor, lay

from camera.second_look import seek_closely
from camera.seek import Seeker
from camera.slant import Slant

ABOVE = Slant(np.array([0.0, 0, -1.0]), SIDE_PX, 550.0, np.array([WIDTH, HEIGHT]) / 2)


def test_die_is_found_at_its_place_and_none_beside_it():
    pixels = lay(floor(3), "moon", (150, 130), 20)
    found = seek_closely(Seeker(), pixels, ABOVE, [(160, 120), (370, 260)])
    assert len(found) == 1
    assert np.hypot(*(found[0].middle - (150, 130))) < 0.1 * SIDE_PX
    assert abs(found[0].side_px - SIDE_PX) < 0.15 * SIDE_PX


def test_cut_place_at_the_edge_of_the_picture_gives_nothing():
    assert seek_closely(Seeker(), floor(4), ABOVE, [(0, 0), (WIDTH - 1, HEIGHT - 1)]) == []


def test_crumb_is_no_die():
    pixels = floor(5)
    pixels[100:118, 200:230] = (30, 40, 160)
    assert seek_closely(Seeker(), pixels, ABOVE, [(215, 109)]) == []
