"""What the edge of a picture has left of a die is found where the seeker knows none."""

import numpy as np
import pytest
from die_drawing import SIDE_PX, floor, lay

from camera.cut_off import cut_off
from camera.halves import Halves
from camera.left_parts import told_cut
from camera.seek import Seeker

SQUARE = SIDE_PX / 2 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
WHOLE = ((200, 150), (300, 240))
SHARE = 0.3  # of a die that is left
EDGES = {  # where a die lies, and what is cut off beside it: left, top, right, bottom
    "left": ((90, 200), (1, 0, 0, 0)),
    "top": ((250, 70), (0, 1, 0, 0)),
    "right": ((400, 150), (0, 0, 1, 0)),
    "bottom": ((180, 300), (0, 0, 0, 1)),
}


@pytest.fixture(scope="module")
def seeker():
    return Seeker()


def tray(*places):
    pixels = floor(5)
    for place in WHOLE:
        lay(pixels, "sun", place, 20)
    for place in places:
        lay(pixels, "blank", place, 0)
    return pixels


def cut_at(edge):
    """A picture whose edge has left the SHARE of a die, its place there, and the other dice."""
    (x, y), cut = EDGES[edge]
    pixels, inner = tray((x, y)), round(SIDE_PX * (0.5 - SHARE))
    left, top = cut[0] * (x + inner), cut[1] * (y + inner)
    right = x - inner if cut[2] else pixels.shape[1]
    bottom = y - inner if cut[3] else pixels.shape[0]
    place = np.clip((x - left, y - top), 0, (right - left - 1, bottom - top - 1))
    others = [SQUARE + other - (left, top) for other in WHOLE]
    return np.ascontiguousarray(pixels[top:bottom, left:right]), place, others


@pytest.mark.parametrize("edge", EDGES)
def test_rest_of_a_die_is_found_at_every_edge(seeker, edge):
    pixels, place, others = cut_at(edge)
    (found,) = cut_off(seeker, Halves(pixels), others)
    assert np.hypot(*(found - place)) < 0.3 * SIDE_PX


class Upright(Seeker):
    """Remembers which way up it was told that a picture stands."""

    def seek_at(self, picture, scale, least, turns=0):
        self.turns = turns
        return super().seek_at(picture, scale, least, turns)


def test_rest_of_a_die_is_found_when_the_camera_hangs_sideways():
    seeker = Upright()
    pixels, (x, y), others = cut_at("left")
    turned = np.ascontiguousarray(np.rot90(pixels, -1))
    high = pixels.shape[0]
    there = [np.column_stack([high - 1 - other[:, 1], other[:, 0]]) for other in others]
    (found,) = cut_off(seeker, Halves(turned), there, turns=1)
    assert np.hypot(*(found - np.array([high - 1 - y, x]))) < 0.3 * SIDE_PX
    assert seeker.turns == 1


def test_whole_dice_near_an_edge_are_not_cut(seeker):
    near = (SIDE_PX // 2 + 4, 180)
    places = [SQUARE + place for place in (*WHOLE, near)]
    assert cut_off(seeker, Halves(tray(near)), places) == []


def test_rest_of_a_die_that_was_read_itself_is_not_told_again(seeker):
    pixels, place, others = cut_at("left")
    assert cut_off(seeker, Halves(pixels), [*others, SQUARE + place]) == []


def test_nobody_looks_beyond_an_edge_at_which_nothing_looks_like_a_die():
    seeker = Upright()
    whole, (cut, _, others) = [SQUARE + place for place in WHOLE], cut_at("left")
    assert cut_off(seeker, Halves(tray()), whole) == []
    assert not hasattr(seeker, "turns")
    assert cut_off(seeker, Halves(cut), others)
    assert seeker.turns == 0


def test_place_in_a_large_picture_is_told_in_it(seeker):
    pixels, place, others = cut_at("right")
    large = np.kron(pixels, np.ones((3, 3, 1), np.uint8))
    (found,) = cut_off(seeker, Halves(large), [3 * other for other in others])
    assert np.hypot(*(found - 3 * place)) < 3 * 0.3 * SIDE_PX


def test_nothing_is_cut_where_no_dice_tell_how_large_they_are(seeker):
    assert cut_off(seeker, Halves(cut_at("left")[0]), []) == []


def test_words_say_where_it_is_and_what_to_do():
    told = "something at (3, 70) that may be a die, cut by the edge: throw this one again"
    assert told_cut(3, 70) == told
