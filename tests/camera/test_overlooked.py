"""What lies in a tray and is no die that was read is told once."""

import numpy as np
import pytest
from die_drawing import SIDE_PX, WIDTH, floor, lay

from camera.overlooked import Overlooked
from camera.seek import Seeker
from camera.slant import Slant

ABOVE = Slant(np.array([0.0, 0.0, -1.0]), SIDE_PX, 550.0, np.array([WIDTH / 2, 180.0]))
SQUARE = SIDE_PX / 2 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
READ, UNSEEN, ANOTHER = (120, 180), (330, 200), (250, 80)
READ_AT = [SQUARE + READ]


def tray(*places):
    pixels = floor(2)
    for place in places:
        lay(pixels, "blank", place, 0)
    return pixels


def lies(corners):
    return True


def place_in(told):
    return np.array([int(number) for number in told.split("(")[1].split(")")[0].split(",")])


@pytest.fixture
def overlooked():
    return Overlooked(floor(1), Seeker())


def test_die_that_nobody_read_is_told_with_its_place(overlooked):
    assert overlooked.new(tray(READ), ABOVE, READ_AT, lies) == []
    (found,) = overlooked.new(tray(READ, UNSEEN), ABOVE, READ_AT, lies)
    told = overlooked.told(found)
    assert told.startswith("something at")
    assert np.hypot(*(place_in(told) - UNSEEN)) < 0.3 * SIDE_PX


def test_what_lay_there_at_the_last_rest_is_not_told_again(overlooked):
    assert overlooked.new(tray(READ, UNSEEN), ABOVE, READ_AT, lies)
    assert overlooked.new(tray(READ, UNSEEN), ABOVE, READ_AT, lies) == []
    assert len(overlooked.new(tray(READ, UNSEEN, ANOTHER), ABOVE, READ_AT, lies)) == 1
    overlooked.forget()
    assert len(overlooked.new(tray(READ, UNSEEN, ANOTHER), ABOVE, READ_AT, lies)) == 2


def test_what_moves_or_lies_outside_is_not_told_until_it_lies(overlooked):
    pixels = tray(READ, UNSEEN)
    assert overlooked.new(pixels, ABOVE, READ_AT, lambda corners: False) == []
    assert overlooked.new(pixels, ABOVE, READ_AT, lies)


def test_die_that_the_edge_cuts_is_told_where_no_empty_tray_is_known():
    overlooked, cut = Overlooked(None, Seeker()), np.ascontiguousarray(tray(READ, UNSEEN)[:, :315])
    (found,) = overlooked.new(cut, ABOVE, READ_AT, lies)
    assert np.hypot(*(place_in(overlooked.told(found)) - (314, 200))) < 0.3 * SIDE_PX
    assert overlooked.told(found).endswith("cut by the edge: throw this one again")
    assert overlooked.new(cut, ABOVE, READ_AT, lies) == []


def test_nothing_is_told_where_no_slant_is_known_or_pictures_have_other_sizes(overlooked):
    pixels = tray(READ, UNSEEN)
    assert Overlooked(None, Seeker()).new(pixels, ABOVE, READ_AT, lies) == []
    assert overlooked.new(pixels, None, READ_AT, lies) == []
    assert overlooked.new(pixels[:200], ABOVE, READ_AT, lies) == []
