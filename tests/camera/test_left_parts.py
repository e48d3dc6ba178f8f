"""What differs from the empty tray is told where it is as large as a die, or cut by an edge."""

from functools import partial

import numpy as np
import pytest
from die_drawing import SIDE_PX, WIDTH, floor, lay

from camera import left_parts
from camera.left_parts import CUT_DIFFERENT, DIFFERENT, Left, told_left
from camera.leftover import lying
from camera.overlooked import Overlooked
from camera.seek import Seeker
from camera.slant import Slant

ABOVE = Slant(np.array([0.0, 0.0, -1.0]), SIDE_PX, 550.0, np.array([WIDTH / 2, 180.0]))
SIDE = 10.0  # of a die in maps of strangeness
SQUARE = SIDE_PX / 2 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
READ, CUT = (120, 180), (380, 200)


def strange_at(rows, columns, strength):
    strange = np.zeros((60, 80), np.float32)
    strange[rows, columns] = strength
    return strange


def test_what_is_large_is_told_at_its_middle_in_the_whole_picture():
    strange = strange_at(slice(20, 28), slice(30, 38), 2 * DIFFERENT)
    (one,) = left_parts.large(strange, 2, SIDE)
    assert one == Left(134, 94, pytest.approx(2 * DIFFERENT), is_cut=False)
    assert left_parts.cut(strange, lambda: 2 * strange, 2, SIDE) == []


def test_what_is_thin_and_faint_is_told_at_the_edge_only():
    faint = (CUT_DIFFERENT + DIFFERENT) / 2
    for rows, columns in ((slice(0, 3), slice(30, 36)), (slice(20, 26), slice(77, 80))):
        at_edge = strange_at(rows, columns, faint)
        assert left_parts.large(at_edge, 0, SIDE) == []
        (one,) = left_parts.cut(at_edge, partial(np.multiply, 2, at_edge), 0, SIDE)
        assert one.is_cut
        assert left_parts.cut(at_edge, partial(np.array, at_edge), 0, SIDE) == []  # light fades
    inside = strange_at(slice(10, 13), slice(30, 36), faint)
    cut = left_parts.cut(inside, lambda: 2 * inside, 0, SIDE)
    assert left_parts.large(inside, 0, SIDE) == cut == []


def test_arm_that_reaches_in_is_no_die_that_the_edge_cuts():
    arm = strange_at(slice(0, 40), slice(30, 42), 2 * DIFFERENT)
    (one,) = left_parts.large(arm, 0, SIDE)
    assert not one.is_cut
    assert left_parts.cut(arm, lambda: arm, 0, SIDE) == []


def test_words_say_what_to_do_where_the_edge_cuts():
    assert told_left(Left(3, 70, 0.2)) == "something at (3, 70) that was not in the empty tray"
    told = "something at (3, 70) that may be a die, cut by the edge: throw this one again"
    assert told_left(Left(3, 70, 0.2, is_cut=True)) == told


def cut_tray(share):
    """A tray with a die, and such a share of another one at its right edge; and the bare one."""
    pixels, bare = floor(2), floor(1)
    lay(pixels, "sun", READ, 0)
    lay(pixels, "blank", CUT, 0)
    right = round(CUT[0] + (share - 0.5) * SIDE_PX)
    return tuple(np.ascontiguousarray(one[:, :right]) for one in (pixels, bare))


@pytest.mark.parametrize("share", [0.25, 0.4, 0.6])
def test_die_that_the_edge_cuts_is_told_beside_the_empty_tray(share):
    pixels, bare = cut_tray(share)
    (one,) = lying(pixels, bare, ABOVE, [SQUARE + READ], with_cut=True)
    assert one.is_cut
    assert np.hypot(one.x - CUT[0], one.y - CUT[1]) < SIDE_PX


def test_glow_of_a_lamp_at_the_edge_is_no_die():
    pixels, bare = cut_tray(0.01)
    x = np.arange(pixels.shape[1])
    glow = 1 + 0.8 * np.exp(-(((x - x[-1]) / SIDE_PX) ** 2))[:, None] * (0.1, 0.1, 1.0)
    lit = np.clip(pixels * glow, 0, 255).astype(np.uint8)
    assert lying(lit, bare, ABOVE, [SQUARE + READ], with_cut=True) == []


def test_watched_tray_says_so_too():
    pixels, bare = cut_tray(0.25)
    overlooked = Overlooked(bare, Seeker())
    (found,) = overlooked.new(pixels, ABOVE, [SQUARE + READ], lambda corners: True)
    assert "cut by the edge" in overlooked.told(found)
