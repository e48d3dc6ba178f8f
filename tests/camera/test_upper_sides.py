"""What the seeker found: an upper side of its own, or a side of the die before it, or a shadow."""

import math

import cv2
import numpy as np
import pytest

from camera.seek import Seen
from camera.slant import Slant
from camera.upper_sides import SHADOW_HEAT, _without_sides, find_tops

TILT = math.radians(30)
SLANT = Slant(
    np.array([0.0, -math.sin(TILT), -math.cos(TILT)]), 60.0, 700.0, np.array([320.0, 240.0])
)
AT = np.array([(300.0, 220.0)])


def seen(at, heat, shape=(1.0, 1.0)):
    """Something at a place, as a die that lies flat would be seen, or longer than that."""
    stretch = np.linalg.cholesky(SLANT.shapes(at)[0])
    square = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
    return Seen(at[0] + square @ stretch.T * shape, heat, 0.0, SLANT.down(at)[0])


@pytest.mark.parametrize(
    ("heat", "shape", "is_kept"),
    [
        (0.3, (1.0, 1.0), False),  # lies as dice do, but is very faint
        (0.45, (1.0, 1.0), True),
        (0.45, (1.0, 0.6), False),  # is a little clearer, but looks otherwise than dice
        (0.6, (1.0, 0.6), True),  # badly seen behind another die, but surely a die
    ],
)
def test_side_of_a_die_is_fainter_and_looks_otherwise(heat, shape, is_kept):
    die = seen(AT, 0.8)
    below = seen(AT + 0.6 * SLANT.down(AT), heat, shape)
    kept = _without_sides([die, below], SLANT)
    assert len(kept) == 1 + is_kept
    assert any(one is below for one in kept) == is_kept


class Sees:
    """Finds what it is told to."""

    def __init__(self, *seen):
        self.seen = list(seen)

    def seek(self, pixels, turns=0):
        return self.seen


DICE = [np.array([place]) for place in ((160.0, 130.0), (380.0, 150.0), (250.0, 350.0))]
BESIDE = np.array([(70.0, 20.0)])


def under_one_lamp():
    """White dice with sharp shadows, and the tray without them."""
    bare = np.full((480, 640, 3), (90, 120, 140), np.uint8)
    pixels = bare.copy()
    for light, way in ((0.2, BESIDE), (2, 0 * BESIDE)):
        for die in DICE:
            outline = np.rint(seen(die + way, 1.0).corners).astype(np.int32)
            colour = tuple(int(min(255, light * part)) for part in (90, 120, 140))
            cv2.fillConvexPoly(pixels, outline, colour)
    return pixels, bare


@pytest.mark.parametrize(
    ("heat", "dice", "is_one"),
    [(0.6, 3, True), (0.74, 3, True), (SHADOW_HEAT + 0.01, 3, False), (0.6, 1, False)],
)
def test_shadow_that_others_throw_too_is_no_upper_side(heat, dice, is_one):
    """Something that surely is a die is none, nor is it known what a die alone throws."""
    pixels, bare = under_one_lamp()
    shadow = seen(DICE[0] + BESIDE, heat)
    seeker = Sees(shadow, *(seen(die, 0.9) for die in DICE[:dice]))
    found = find_tops(seeker, pixels, bare, precise=False)
    assert [one is shadow for one in found.shadows] == [True] * is_one
    assert len(found.tops) == dice + (not is_one)
    assert not find_tops(seeker, pixels, precise=False).shadows, "the empty tray is not known"
