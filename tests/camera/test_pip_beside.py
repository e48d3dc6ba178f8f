"""What lies beside pip dice and was not in the empty tray is asked about."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from camera import pip_beside
from camera.pictures import read_picture, save_picture
from camera.pip_beside import read_still, told_unread, unread
from camera.pip_doubts import BY_SIGHT, STRAY_PIPS
from camera.pip_readings import Look
from camera.pip_sharper import DOUBTED
from camera.pips import read_dice
from camera.seek import Seeker, Seen
from camera.train_rolls import make_rolls, random_tray
from camera.upper_sides import SURELY_HEAT, Top, find_tops

CHIP_PX = 20


def rolled(seed):
    """Three drawn dice in a tray, and the tray without them."""
    rng = np.random.default_rng(seed)
    tray = random_tray(rng, size=(480, 360), side_px=52.0, elevation=75, ground="plain",
                       light="even")  # fmt: skip
    ((made,), empty) = make_rolls(rng, tray, [3], [0])
    return made, empty


@pytest.fixture(scope="module")
def thrown():
    """Three dice, their empty tray, and a place where none of them lies."""
    made, empty = rolled(2)
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
     (0.7, False, False), (0.45, True, True), (0.35, True, False)],
)  # fmt: skip
def test_what_looks_like_a_die_and_is_none_of_the_read_ones_is_named(heat, knows_empty, told):
    read = np.array([(100.0, 100.0)])
    tops = [top_at(105, 98, 0.95), top_at(160, 100, heat)]
    assert bool(told_unread(tops, read, knows_empty=knows_empty)) is told
    assert not told_unread(tops[:1], read, knows_empty=knows_empty)
    assert not told_unread([], read, knows_empty=knows_empty)
    assert told_unread(tops[:1], np.zeros((0, 2)), knows_empty=knows_empty)


def test_die_that_a_doubtful_look_left_out_is_read_by_itself_and_asked_about(
    thrown, seeker, monkeypatch
):
    pixels, _, _ = thrown
    whole = read_dice(pixels)
    left_out, *rest = whole.readings
    doubtful = replace(
        whole, readings=tuple(rest), accepted=False, doubts=("expected 3 dice, saw 2", STRAY_PIPS)
    )
    monkeypatch.setattr(pip_beside, "read_dice", lambda *_, **__: doubtful)
    look = read_still(pixels, seeker, expect=3)
    assert not look.accepted
    assert [one.face for one in look.readings] == [one.face for one in whole.readings]
    assert list(look.readings[1:]) == rest
    assert look.readings[0].certainty <= DOUBTED
    assert np.hypot(*(look.readings[0].middle - left_out.middle)) < 15
    assert look.doubts == (STRAY_PIPS, BY_SIGHT.format(left_out.face))


def test_die_that_the_edge_cuts_is_not_read_by_itself(seeker, monkeypatch):
    made, _ = rolled(3)
    left = min(made.dice, key=lambda die: die.top[0])
    cut = np.ascontiguousarray(made.pixels[:, round(left.top[0]) :])
    monkeypatch.setattr(pip_beside, "read_dice", lambda *_, **__: Look((), False, (STRAY_PIPS,)))
    found = find_tops(seeker, cut, precise=False)
    sure = unread(found.tops, np.zeros((0, 2)), SURELY_HEAT)
    look = read_still(cut, seeker)
    assert (sure.min(axis=1)[:, 0] < 0).sum() == 1
    assert len(look.readings) == len(sure) - 1 > 0
    assert all(one.box[0] > 0 for one in look.readings)


def test_read_asks_about_it_where_the_empty_tray_is_named(thrown, tmp_path):
    pixels, empty, at = thrown
    path = tmp_path / "roll.png"
    save_picture(path, with_chip(pixels, at))
    assert read_picture(path)["accepted"]
    line = read_picture(path, empty=empty)
    assert not line["accepted"]
    assert len(line["dice"]) == 3
