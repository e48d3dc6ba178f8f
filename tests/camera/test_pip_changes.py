import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pip_drawing import BLACK, WHITE, DrawnDie, draw_dice

from camera.pip_blobs import COARSE, FULL, Pyramid, find_marks
from camera.pip_changes import Changes, changes
from camera.pips import read_dice, working_copy
from companion.errors import PictureError

SPOTS = st.lists(st.tuples(st.integers(0, 70), st.integers(0, 40), st.integers(1, 12)), max_size=8)


def map_of(spots, size=(45, 80)):
    new = np.zeros(size, np.uint8)
    for x, y, side in spots:
        new[y : y + side, x : x + side] = 255
    return new


@given(SPOTS, st.integers(0, 2))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_all_that_changed_is_cut_out_once_and_laid_back_where_it_was(spots, number):
    new = Changes(map_of(spots))
    shape = (180 >> number, 320 >> number)
    strip = new.strip(number, shape)
    where = new.on_level(number, shape)
    if strip is None:
        return
    assert np.array_equal(strip.laid_back(strip.cut(where)), where)
    assert np.count_nonzero(strip.cut(where)) == np.count_nonzero(where)


@given(SPOTS, st.integers(0, 2))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_places_in_a_strip_are_told_where_they_lie_in_the_picture(spots, number):
    new = Changes(map_of(spots))
    shape = (180 >> number, 320 >> number)
    strip = new.strip(number, shape)
    if strip is None:
        return
    numbers = np.arange(1, 1 + shape[0] * shape[1]).reshape(shape)
    cut = strip.cut(numbers * (new.on_level(number, shape) > 0))
    row, column = np.nonzero(cut)
    places = np.stack([column, row], axis=1)
    back = places + strip.ways_back(places)
    assert np.array_equal(numbers[back[:, 1], back[:, 0]], cut[row, column])


def test_a_strip_parts_what_does_not_touch_in_the_picture():
    spots = [(0, 0, 9), (71, 0, 9), (0, 36, 9), (71, 36, 9), (40, 20, 5)]
    new = Changes(map_of(spots))
    strip = new.strip(0, (180, 320))
    assert strip is not None
    count, _ = cv2.connectedComponents(strip.cut(new.on_level(0, (180, 320))))
    assert count - 1 == len(spots)


def test_no_strip_is_made_where_nothing_or_nearly_everything_changed():
    assert Changes(np.zeros((45, 80), np.uint8)).strip(0, (180, 320)) is None
    assert Changes(np.full((45, 80), 255, np.uint8)).strip(0, (180, 320)) is None


def test_share_is_that_of_the_points_at_which_something_is_new():
    new = Changes(map_of([(10, 10, 10)]))
    points = np.array([[(60.0, 60.0), (200.0, 60.0), (62.0, 70.0), (-5.0, 900.0)]])
    assert new.share(points).tolist() == [0.5]


class NoStrip(Changes):
    """Has the whole picture looked through."""

    def strip(self, number, shape):
        return None


def test_marks_are_the_same_in_a_strip_as_in_the_whole_picture():
    rng = np.random.default_rng(12)
    dice = [
        DrawnDie(face, 90 + 150 * (n % 4), 120 + 200 * (n // 4), 60, 20 * n, WHITE, BLACK)
        for n, face in enumerate([1, 2, 3, 4, 5, 6])
    ]
    empty, played = (draw_dice(np.random.default_rng(3), some, noise=0) for some in ([], dice))
    played = np.clip(played + rng.normal(0, 1.5, played.shape), 0, 255).astype(np.uint8)
    grey, _ = working_copy(played)
    new = changes(played, empty, grey.shape)
    assert new.strip(0, grey.shape) is not None
    for depth in (COARSE, FULL):
        both = (find_marks(Pyramid(grey, one), depth) for one in (new, NoStrip(new.map)))
        strip, whole = (
            set(zip(marks.number, marks.sign, map(tuple, marks.places().tolist()), strict=True))
            for marks in both
        )
        assert strip == whole
        assert len(strip) > 20


def test_changes_need_a_picture_of_the_same_size():
    with pytest.raises(PictureError, match="the same camera"):
        changes(np.zeros((40, 60, 3), np.uint8), np.zeros((40, 61, 3), np.uint8), (40, 60))


def test_a_die_of_the_trays_colour_that_an_empty_tray_shows_too_is_not_asked_about():
    seed = 21
    printed = [DrawnDie(6, 500, 120, 60, 10)]
    dice = [DrawnDie(3, 200, 300, 60, 33), DrawnDie(5, 330, 120, 60, 70)]
    tray = draw_dice(np.random.default_rng(seed), printed, noise=0)
    played = draw_dice(np.random.default_rng(seed), printed + dice, noise=0)
    look = read_dice(played, empty=tray, side_px=60.0, expect=2)
    assert look.accepted, look.doubts
