from dataclasses import replace

import cv2
import numpy as np
import pytest
from pip_drawing import DrawnDie, draw_dice

from camera import pips
from camera.faces import CERTAIN
from camera.pip_doubts import MAY_BE, NO_UPPER, STRANGE, STRAY_PIPS, UNREAD_BODY
from camera.pip_look import NAMED
from camera.pip_readings import Look, PipReading
from camera.pip_sharper import better, is_soft, may_help, sharpened
from camera.pips import read_dice
from camera.train_tables import make_picture

SIX, ONE = PipReading(6, 0.9, (10, 10, 50, 50)), PipReading(1, 0.6, (110, 10, 50, 50))
DOUBT = MAY_BE.format(1, "a 2")
PLAIN = Look((SIX, ONE), False, (DOUBT,), 50.0)
SHARP = Look((replace(SIX, box=(12, 9, 50, 50)), replace(ONE, certainty=0.98)), True, (), 50.0)


def test_a_sharper_picture_is_relied_on_when_it_shows_the_same_dice():
    assert better(PLAIN, SHARP) is SHARP


@pytest.mark.parametrize(
    "plain",
    [
        replace(PLAIN, readings=(SIX,)),
        replace(PLAIN, readings=(SIX, ONE, replace(ONE, box=(210, 10, 50, 50)))),
        replace(PLAIN, readings=(SIX, replace(ONE, face=2))),
        replace(PLAIN, readings=(SIX, replace(ONE, box=(150, 10, 50, 50)))),
        replace(PLAIN, readings=(SIX, replace(ONE, flaw="cocked"))),
        replace(PLAIN, doubts=(STRANGE.format(1),)),
        replace(PLAIN, doubts=(UNREAD_BODY,)),
        replace(PLAIN, doubts=(DOUBT, STRAY_PIPS)),
        replace(PLAIN, doubts=(MAY_BE.format(1, "none"),)),
        replace(PLAIN, doubts=(DOUBT, NO_UPPER.format(3))),
    ],
)
def test_a_sharper_picture_is_not_relied_on_when_it_contradicts_or_a_die_may_lean(plain):
    assert not better(plain, SHARP).accepted


def test_nobody_looks_twice_for_a_die_that_may_lean_beside_others_that_are_sure():
    sure = replace(PLAIN, readings=(SIX, replace(ONE, certainty=0.9)))
    assert may_help(sure)
    assert not may_help(replace(sure, doubts=(STRANGE.format(1),)))
    assert may_help(replace(PLAIN, doubts=(STRANGE.format(1),)))


def test_nobody_looks_twice_for_how_a_die_lies_that_was_read():
    leans = replace(PLAIN, readings=(SIX, replace(ONE, certainty=0.5, flaw="cocked")))
    told = NAMED["cocked"].format(1)
    assert not may_help(replace(leans, doubts=(told,)))
    assert may_help(replace(leans, doubts=(told, STRAY_PIPS)))
    assert may_help(replace(leans, readings=(replace(SIX, certainty=0.5), ONE), doubts=(told,)))


def test_dice_that_only_the_sharper_picture_shows_are_read_and_asked_about():
    look = better(Look((), False, ("no dice",)), SHARP)
    assert [reading.face for reading in look.readings] == [6, 1]
    assert not look.accepted
    assert "no dice" in look.doubts
    assert all(reading.certainty < CERTAIN for reading in look.readings)


def test_what_is_seen_as_well_without_it_stays():
    sharp = replace(SHARP, readings=(SIX, replace(ONE, face=2, certainty=0.7)), accepted=False)
    assert better(PLAIN, sharp) is PLAIN


def test_sharpening_makes_soft_edges_steeper_and_leaves_even_ground_alone():
    picture = np.full((60, 60), 90, np.uint8)
    picture[:, 30:] = 160
    soft = cv2.GaussianBlur(picture, (0, 0), 2.0)
    sharp = sharpened(soft)
    assert np.ptp(sharp[30, 28:32].astype(int)) > 1.5 * np.ptp(soft[30, 28:32].astype(int))
    assert (sharp[:, :15] == 90).all()


@pytest.mark.parametrize("seed", [141])
def test_a_doubtful_roll_is_accepted_when_the_sharper_picture_bears_it_out(seed, monkeypatch):
    made = make_picture(np.random.default_rng(seed), size=(640, 400), count=3, side_px=50)
    look = read_dice(made.pixels)
    assert look.accepted, look.doubts
    assert sorted(one.face for one in look.readings) == sorted(die.face for die in made.dice)
    monkeypatch.setattr(pips, "better", lambda plain, *others: plain)
    assert not read_dice(made.pixels).accepted


def test_a_clear_picture_is_looked_at_as_it_is_only(monkeypatch):
    monkeypatch.setattr(pips, "sharpened", lambda grey: pytest.fail("sharpened"))
    dice = [DrawnDie(face, 90 + 110 * face, 200, 70, 30) for face in (1, 2, 3)]
    assert read_dice(draw_dice(np.random.default_rng(3), dice)).accepted


@pytest.mark.parametrize(("blur_px", "soft"), [(0.7, False), (3.0, True)])
def test_a_picture_out_of_focus_is_told_from_a_noisy_one(blur_px, soft):
    dice = [DrawnDie(face, 90 + 110 * face, 200, 70, 30) for face in (1, 2, 3)]
    picture = draw_dice(np.random.default_rng(3), dice, blur_px=blur_px, noise=1.0)
    assert is_soft(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)) == soft
