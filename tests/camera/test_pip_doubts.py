from dataclasses import replace

import cv2
import numpy as np
import pytest
from pip_drawing import DrawnDie, draw_dice

from camera.doubts import in_words
from camera.pip_blobs import Pyramid, find_marks
from camera.pip_doubts import STRAY_PIPS, strays
from camera.pip_ellipses import measure_pips
from camera.pip_faces import find_faces, usual_contrasts
from camera.pips import read_dice, working_copy
from camera.train_grounds import THINGS
from camera.train_tables import make_picture


def read_picture(dice, seed=3):
    return draw_dice(np.random.default_rng(seed), dice)


def read(dice, seed=3, **options):
    return read_dice(read_picture(dice, seed), **options)


def test_a_die_cut_by_the_edge_is_named_and_not_accepted():
    look = read([DrawnDie(5, 300, 200, 70, 20), DrawnDie(3, 27, 300, 70, 0)])
    assert not look.accepted
    flaws = {reading.flaw for reading in look.readings}
    assert flaws == {"", "cut"}
    assert any("cut by the edge" in doubt and "again" in doubt for doubt in look.doubts)
    assert all(reading.certainty <= 0.5 for reading in look.readings if reading.flaw)


def test_two_dice_that_the_edge_cuts_are_both_named_with_their_places():
    drawn = read_picture([DrawnDie(3, 27, 100, 70, 0), DrawnDie(3, 27, 300, 70, 0)])
    small = in_words(read_dice(drawn).doubts)
    large = in_words(read_dice(cv2.resize(drawn, None, fx=4, fy=4)).doubts)
    for times, told in ((1, small), (4, large)):
        cut = [one for one in told if "cut by the edge" in one]
        places = [[int(n) for n in one.split("(")[1].split(")")[0].split(", ")] for one in cut]
        expected = [(27 * times, 100 * times), (27 * times, 300 * times)]
        assert sorted(places, key=lambda place: place[1]) == [
            pytest.approx(place, abs=6 * times) for place in expected
        ]


def test_whole_dice_near_the_edge_have_no_flaw():
    look = read([DrawnDie(5, 60, 200, 70, 0), DrawnDie(3, 300, 60, 70, 0)])
    assert {reading.flaw for reading in look.readings} == {""}


def test_likeliest_faces_come_first_and_their_chances_fall():
    look = read([DrawnDie(face, 90 + 110 * face, 200, 70, 30) for face in range(4)][1:])
    for reading in look.readings:
        faces, chances = zip(*reading.likeliest, strict=True)
        assert faces[0] == reading.face
        assert list(chances) == sorted(chances, reverse=True)
        assert 0 not in faces


def test_a_single_pip_without_a_die_is_not_accepted():
    picture = np.full((300, 400, 3), 180, np.uint8)
    cv2.circle(picture, (200, 150), 9, (20, 20, 20), -1, cv2.LINE_AA)
    picture = cv2.GaussianBlur(picture, (0, 0), 1.0)
    assert not read_dice(picture).accepted


def test_a_light_spot_that_holds_marks_of_its_own_is_no_pip():
    rng = np.random.default_rng(8)
    picture = draw_dice(rng, [DrawnDie(6, 200, 150, 60, 20)], (300, 400), blur_px=3.0)
    look = read_dice(picture)
    assert not look.accepted or [reading.face for reading in look.readings] == [6]


@pytest.mark.parametrize("thing", THINGS)
def test_things_without_dice_are_never_accepted(thing):
    rng = np.random.default_rng(40 + THINGS.index(thing))
    picture = make_picture(rng, size=(400, 300), count=0, side_px=50.0, things=thing).pixels
    assert not read_dice(picture).accepted


@pytest.mark.parametrize("ground", ["plain", "felt", "wood", "carpet", "cloth", "print"])
def test_bare_grounds_are_never_accepted(ground):
    rng = np.random.default_rng(5)
    for light in ("even", "dim", "glare"):
        made = make_picture(rng, size=(400, 300), count=0, side_px=50.0, ground=ground, light=light)
        assert not read_dice(made.pixels).accepted


def test_the_empty_tray_hides_a_printed_pattern():
    def strewn():
        rng = np.random.default_rng(21)
        return make_picture(rng, size=(640, 480), count=0, side_px=60.0, ground="print").pixels

    tray = strewn()
    played = tray.copy()
    die = draw_dice(np.random.default_rng(1), [DrawnDie(5, 320, 240, 70, 25)], grain=0.0)
    played[195:285, 275:365] = die[195:285, 275:365]
    look = read_dice(played, expect=1, empty=tray)
    assert [reading.face for reading in look.readings] == [5]
    assert not read_dice(tray, empty=tray).readings


def test_a_die_whose_pips_drown_in_glare_is_asked_about():
    made = make_picture(np.random.default_rng(2), size=(400, 300), side_px=56.0, count=2,
                        ground="plain", light="even", look="white", steep=True)  # fmt: skip
    look = read_dice(made.pixels)
    assert len(look.readings) == 2 or not look.accepted


def test_clean_pips_that_no_read_die_has_are_a_doubt_and_those_of_read_ones_are_none():
    picture = read_picture([DrawnDie(5, 160, 200, 70, 20), DrawnDie(4, 420, 220, 70, 50)])
    grey, _ = working_copy(picture)
    pyramid = Pyramid(grey)
    pips = measure_pips(pyramid, find_marks(pyramid))
    tops = find_faces(grey, pips)
    assert sorted(top.value for top in tops) == [4, 5]
    assert strays(pips, tops, tops[0].side_px, grey.shape) == ()
    for top in tops:
        assert strays(pips, [top], top.side_px, grey.shape) == (STRAY_PIPS,)
    alone = next(top for top in tops if top.value == 4)
    one = pips.take(np.linalg.norm(pips.at - (420, 220), axis=1) > 60)
    assert strays(one, [alone], alone.side_px, grey.shape) == (STRAY_PIPS,)


def test_clean_pips_are_a_doubt_beside_dice_with_dark_pips_and_with_light_ones():
    """Half of each: in the middle between them there are no pips at all."""
    picture = read_picture([DrawnDie(5, 160, 200, 70, 20), DrawnDie(4, 420, 220, 70, 50)])
    grey, _ = working_copy(picture)
    pyramid = Pyramid(grey)
    pips = measure_pips(pyramid, find_marks(pyramid))
    five, four = sorted(find_faces(grey, pips), key=lambda top: -top.value)
    for sign in (1, -1):
        light = replace(five, at=five.at + (0, 150), contrast=-sign * five.contrast)
        dark = replace(five, contrast=sign * five.contrast)
        assert sorted(np.sign(usual_contrasts([light, dark]))) == [-1, 1]
        assert strays(pips, [light, dark], five.side_px, grey.shape) == (STRAY_PIPS,)
        assert strays(pips, [light, dark, four], five.side_px, grey.shape) == ()


def test_marks_at_the_very_edge_of_the_picture_are_no_stray_pips():
    picture = read_picture([DrawnDie(5, 160, 200, 70, 20)])
    grey, _ = working_copy(picture)
    pyramid = Pyramid(grey)
    pips = measure_pips(pyramid, find_marks(pyramid))
    tops = find_faces(grey, pips)
    beside = replace(pips, at=pips.at - pips.at.min(axis=0))
    assert strays(beside, [replace(top, at=top.at + 200) for top in tops], 70.0, grey.shape)
    edge = beside.take(beside.at.min(axis=1) < 3)
    assert len(edge)
    assert strays(edge, [replace(top, at=top.at + 200) for top in tops], 70.0, grey.shape) == ()


@pytest.mark.parametrize("x", [0, 639])
def test_a_die_of_which_the_edge_shows_no_upper_side_is_asked_about(x):
    dice = [DrawnDie(5, 200, 200, 70, 20), DrawnDie(4, 420, 300, 70, 50)]
    assert read(dice).accepted
    look = read([*dice, DrawnDie(1, x, 120, 70, 8)])
    assert not look.accepted
    assert any("edge" in doubt for doubt in look.doubts)
