"""A camera that sways shows what one shows that stands still."""

import cv2
import numpy as np
import pytest

from camera.sway import LEAST_PX, MOST_PX, Sway, moved_back

SIZE = (480, 640)


def tray(seed=4):
    """A tray with a few things in it, and its wall, in grey."""
    rng = np.random.default_rng(seed)
    floor = np.full(SIZE, 90, np.uint8)
    for x, y in rng.uniform((30, 30), (610, 450), (40, 2)).astype(int).tolist():
        cv2.circle(floor, (x, y), int(rng.integers(4, 12)), (int(rng.integers(40, 220)),), -1)
    cv2.rectangle(floor, (12, 10), (628, 470), (180,), 6)
    return cv2.GaussianBlur(floor, (0, 0), 1.2)


def shifted(grey, x, y):
    return cv2.warpAffine(
        grey, np.array([(1.0, 0, x), (0, 1.0, y)]), SIZE[::-1], borderMode=cv2.BORDER_REPLICATE
    )


def with_hand(grey, x=330):
    """The same with something large over it."""
    covered = grey.copy()
    cv2.ellipse(covered, (x, 240), (150, 90), 0, 0, 360, (150,), -1)
    return covered


@pytest.mark.parametrize(("x", "y"), [(1.5, -0.8), (-4.0, 2.5), (0.0, 6.0)])
@pytest.mark.parametrize("light", [1.0, 0.55])
def test_how_far_the_camera_went_is_told_in_any_light_and_behind_a_hand(x, y, light):
    sway, still = Sway(), tray()
    assert not sway.of(still).any()
    now = cv2.convertScaleAbs(with_hand(shifted(still, x, y)), alpha=light)
    assert sway.of(now) == pytest.approx((x, y), abs=0.2)
    assert not sway.of(still).any()


@pytest.mark.parametrize(("x", "y"), [(LEAST_PX / 2, 0.0), (0.0, 1.5 * MOST_PX)])
def test_very_short_and_very_long_ways_are_left_alone(x, y):
    sway = Sway()
    sway.of(tray())
    assert not sway.of(shifted(tray(), x, y)).any()


def test_camera_that_was_pushed_too_far_is_followed_anew_from_where_it_stands():
    sway = Sway()
    for way in (0, 0, 3, 6, 9, 12):
        sway.of(shifted(tray(), way, 0))
    told = [sway.of(shifted(tray(), way, 0)) for way in (12, 12, 14)]
    assert not told[1].any()
    assert told[2] == pytest.approx((2, 0), abs=0.2)


def test_way_is_told_beside_what_lay_there_when_all_was_quiet_last():
    sway = Sway()
    for seed in (4, 5, 5):
        assert not sway.of(tray(seed)).any()
    assert sway.of(shifted(tray(5), 3, 0)) == pytest.approx((3, 0), abs=0.2)


def test_corners_in_one_part_of_the_picture_tell_no_way():
    sway, still = Sway(), np.full(SIZE, 90, np.uint8)
    still[60:220, 60:300] = tray()[60:220, 60:300]
    sway.of(still)
    assert not sway.of(shifted(still, 4.0, 0.0)).any()


def test_hand_that_moves_things_is_no_camera_that_sways():
    sway, still = Sway(), tray()
    sway.of(still)
    for step in range(6):
        moved = still.copy()
        moved[180:300, 260:400] = shifted(still, 2.0 * step, 1.0)[180:300, 260:400]
        assert not sway.of(with_hand(moved, 200 + 30 * step)).any()


def test_picture_that_shows_nothing_is_given_on_as_it_is():
    sway, rng = Sway(), np.random.default_rng(5)
    for _ in range(4):
        bare = np.full((*SIZE, 3), int(rng.integers(40, 200)), np.uint8)
        assert sway.steadied(bare)[0].pixels is bare


def test_steadied_frames_lie_on_top_of_each_other():
    sway, rng, still = Sway(), np.random.default_rng(6), tray()
    first = cv2.merge([still] * 3)
    sway.steadied(first)
    for x, y in rng.uniform(-3, 3, (6, 2)):
        swayed = cv2.merge([shifted(still, x, y)] * 3)
        steady, grey, scale = sway.steadied(swayed)
        assert steady.size_px == SIZE[::-1]
        inside = np.s_[20:-20, 20:-20]
        seen = (steady.pixels, swayed)
        apart = [np.abs(one[inside].astype(float) - first[inside]) for one in seen]
        assert apart[0].mean() < 0.4 * apart[1].mean()
        assert scale == 1.0
        assert np.array_equal(grey.shape, SIZE)


def test_colours_are_moved_back_only_once_somebody_looks(mocker):
    sway, still = Sway(), tray()
    sway.steadied(cv2.merge([still] * 3))
    steady, grey, _ = sway.steadied(cv2.merge([shifted(still, 3.0, -2.0)] * 3))
    move = mocker.patch("camera.sway.moved_back", return_value=cv2.merge([grey] * 3))
    assert steady.size_px == SIZE[::-1]
    move.assert_not_called()
    assert np.array_equal(steady.at(1), cv2.merge([steady.at(1)[..., 0]] * 3))
    assert np.array_equal(steady.pixels[..., 0], grey)
    move.assert_called_once()


def test_picture_is_moved_back_by_its_way():
    spot = np.zeros(SIZE, np.uint8)
    spot[100, 200] = 255
    assert np.argwhere(moved_back(spot, np.array([3.0, -2.0]))).tolist() == [[102, 197]]


def test_picture_of_another_size_begins_anew():
    sway = Sway()
    sway.of(tray())
    assert not sway.of(np.ascontiguousarray(tray()[:, :500])).any()
