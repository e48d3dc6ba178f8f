"""What lies beside pip dice and was not in the empty tray is asked about."""

import cv2
import numpy as np
import pytest

from camera.pictures import read_picture, save_picture
from camera.pip_beside import read_still, unread
from camera.pips import read_dice
from camera.seek import Seeker, Seen
from camera.train_rolls import make_rolls, random_tray
from camera.upper_sides import Top

CHIP_PX = 20


@pytest.fixture(scope="module")
def thrown():
    """Three dice, their empty tray, and a place where none of them lies."""
    rng = np.random.default_rng(2)
    tray = random_tray(rng, size=(480, 360), side_px=52.0, elevation=75, ground="plain",
                       light="even")  # fmt: skip
    ((made,), empty) = make_rolls(rng, tray, [3], [0])
    grid = np.mgrid[60:420:30, 60:300:30].reshape(2, -1).T
    tops = np.array([die.top for die in made.dice])
    far = np.hypot(*(grid[:, None] - tops).transpose(2, 0, 1)).min(axis=1)
    return made.pixels, empty, tuple(int(v) for v in grid[far.argmax()])


@pytest.fixture(scope="module")
def seeker():
    return Seeker()


def with_chip(pixels, at, colour=(60, 120, 60)):
    laid = pixels.copy()
    cv2.circle(laid, at, CHIP_PX, colour, -1)
    return laid


def test_rolls_beside_which_nothing_lies_are_relied_on(thrown, seeker):
    pixels, empty, _ = thrown
    assert read_still(pixels, seeker, empty=empty) == read_dice(pixels, empty=empty)
    assert read_still(pixels, seeker).accepted


def test_chip_of_the_size_of_a_die_is_asked_about_and_readings_stay(thrown, seeker):
    pixels, empty, at = thrown
    laid = with_chip(pixels, at)
    look = read_dice(laid, empty=empty)
    assert look.accepted
    told = read_still(laid, seeker, empty=empty)
    assert not told.accepted
    assert told.readings == look.readings
    (doubt,) = told.doubts
    assert "was not in the empty tray" in doubt


def test_what_lay_in_the_empty_tray_too_is_no_doubt(thrown, seeker):
    pixels, empty, at = thrown
    laid, before = with_chip(pixels, at), with_chip(empty, at)
    assert read_still(laid, seeker, empty=before).accepted


def top_at(x, y, heat, half=20):
    square = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half),
                       (x - half, y + half)], float)  # fmt: skip
    return Top(Seen(square, heat, 0.0, np.zeros(2)), square, np.zeros(3))


@pytest.mark.parametrize(
    ("heat", "knows_empty", "told"),
    [(0.9, False, True), (0.9, True, True), (0.6, True, True), (0.6, False, False),
     (0.4, True, False)],
)  # fmt: skip
def test_what_looks_like_a_die_and_is_none_of_the_read_ones_is_named(heat, knows_empty, told):
    read = np.array([(100.0, 100.0)])
    tops = [top_at(105, 98, 0.95), top_at(160, 100, heat)]
    assert bool(unread(tops, read, knows_empty=knows_empty)) is told
    assert not unread(tops[:1], read, knows_empty=knows_empty)
    assert not unread([], read, knows_empty=knows_empty)
    assert unread(tops[:1], np.zeros((0, 2)), knows_empty=knows_empty)


def test_read_asks_about_it_where_the_empty_tray_is_named(thrown, tmp_path):
    pixels, empty, at = thrown
    path = tmp_path / "roll.png"
    save_picture(path, with_chip(pixels, at))
    assert read_picture(path)["accepted"]
    line = read_picture(path, empty=empty)
    assert not line["accepted"]
    assert len(line["dice"]) == 3
