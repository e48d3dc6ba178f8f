"""What the seeker found: an upper side of its own, or only a side of the die before it."""

import math

import numpy as np
import pytest

from camera.seek import Seen
from camera.slant import Slant
from camera.upper_sides import _without_sides

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
