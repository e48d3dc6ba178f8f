"""Dice in drawn scenes lean, or lie flat, by the edges of the cubes that they are."""

import numpy as np
import pytest
from die_drawing import PLACES, scene, thrown

from camera.cubes import lean_signs
from camera.halves import Halves
from camera.seek import Seeker
from camera.slant import slant_of
from camera.stills import SIGNS
from camera.upper_sides import find_tops

LEANS = 2  # number of the die that leans, the one on the right


@pytest.fixture(scope="module")
def seeker():
    return Seeker()


def found_in(pixels, seeker):
    """The picture, slant, upper sides left to right, and how hot they are."""
    found = find_tops(seeker, pixels, None)
    tops = sorted((top.seen for top in found.tops), key=lambda one: one.middle[0])
    corners, heats = (
        np.array([getattr(one, name) for one in tops]) for name in ("corners", "heat")
    )
    return Halves(pixels), found.slant, corners, heats


@pytest.mark.parametrize("tilt", [0.0, 14.0, 33.0])
def test_dice_that_lie_flat_show_no_sign_of_leaning(seeker, tilt):
    signs = lean_signs(*found_in(scene(thrown(), 0, tilt), seeker))
    assert len(signs) == len(PLACES)
    assert (signs < SIGNS).all()


@pytest.mark.parametrize("lean", [18, 25])
def test_die_that_leans_shows_it(seeker, lean):
    picture, slant, corners, heats = found_in(scene(thrown(lean, LEANS), 0, 14.0), seeker)
    signs = lean_signs(picture, slant, corners, heats)
    assert np.argmax(signs) == np.argmax(corners.mean(axis=1)[:, 0])
    assert signs.max() > SIGNS
    assert (np.sort(signs)[:-1] < SIGNS).all()


def test_slant_that_is_a_little_off_makes_no_die_lean(seeker):
    picture, slant, corners, heats = found_in(scene(thrown(), 0, 14.0), seeker)
    tilted = slant.normal + np.array([0.14, 0.0, 0.0])
    off = slant._replace(normal=tilted / np.linalg.norm(tilted))
    assert (lean_signs(picture, off, corners, heats) < SIGNS).all()


def test_no_dice_show_nothing():
    blank = np.zeros((60, 80, 3), np.uint8)
    square = np.array([[(30.0, 20.0), (50.0, 20.0), (50.0, 40.0), (30.0, 40.0)]])
    slant = slant_of(square, np.zeros((1, 2)), (80, 60))
    assert lean_signs(Halves(blank), slant, np.zeros((0, 4, 2)), np.zeros(0)).shape == (0,)
    assert np.isfinite(lean_signs(Halves(blank), slant, square, np.ones(1))).all()
