from dataclasses import replace

import cv2
import numpy as np
import pytest
from pip_drawing import BLACK, BLUE, RED, WHITE, DrawnDie, draw_dice

from camera import pips
from camera.pip_colours import are_in_pips, vividness
from camera.pip_doubts import FULL_PIPS
from camera.pip_readings import Look, PipReading
from camera.pips import read_dice

YELLOW, GOLD, SKY = (60, 200, 230), (90, 185, 215), (230, 190, 120)
LIGHT_GREEN, DARK_GREEN, WOOD = (120, 180, 120), (60, 90, 60), (90, 120, 150)


def faces_of(look):
    return sorted(reading.face for reading in look.readings)


def laid(seed, body, marks, ground, side_px=60, aslant=0.3):
    """Four dice, in a square if they do not lie aslant; the picture and what they show."""
    rng = np.random.default_rng(seed)
    faces = rng.integers(1, 7, 4).tolist()
    places = [(place % 2, place // 2) for place in range(4)]
    dice = [
        DrawnDie(
            face,
            side_px * (1.5 + 2.2 * x + aslant * y),
            side_px * (1.2 + 1.9 * y + aslant * x),
            side_px,
            rng.uniform(0, 90),
            body,
            marks,
        )
        for face, (x, y) in zip(faces, places, strict=True)
    ]
    size = (round(side_px * 5), round(side_px * 6.3))
    return draw_dice(rng, dice, size, colour=ground), sorted(faces)


@pytest.mark.parametrize(
    ("body", "marks", "ground"),
    [
        (BLUE, BLACK, LIGHT_GREEN),
        (YELLOW, WHITE, DARK_GREEN),
        (WHITE, GOLD, LIGHT_GREEN),
        (BLACK, BLUE, WOOD),
        (RED, BLACK, WOOD),
        (SKY, WHITE, DARK_GREEN),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_dice_are_read_whose_pips_differ_in_colour_rather_than_in_brightness(
    body, marks, ground, seed
):
    picture, faces = laid(seed, body, marks, ground)
    assert faces_of(read_dice(picture)) == faces


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("body", "marks", "ground"),
    [(BLUE, BLACK, LIGHT_GREEN), (YELLOW, WHITE, DARK_GREEN), (WHITE, GOLD, DARK_GREEN)],
)
def test_dice_are_not_taken_for_the_pips_of_a_large_one(body, marks, ground, seed):
    picture, faces = laid(seed, body, marks, ground, aslant=0)
    look = read_dice(picture)
    assert faces_of(look) == faces or not look.accepted
    assert max(max(reading.box[2:]) for reading in look.readings) < 120


def test_a_die_that_may_be_none_is_asked_about(monkeypatch):
    picture, faces = laid(1, YELLOW, WHITE, DARK_GREEN, aslant=0)
    look = read_dice(picture)
    assert faces_of(look) == faces
    assert FULL_PIPS in look.doubts
    monkeypatch.setattr(pips, "vividness", lambda pixels, shape: None)
    assert faces_of(read_dice(picture)) == [4]


def test_there_is_no_second_picture_where_there_are_no_colours():
    picture, _ = laid(1, WHITE, BLACK, (128, 128, 128))
    assert vividness(picture, picture.shape[:2]) is None
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    assert vividness(grey, picture.shape[:2]) is None


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_the_second_picture_is_as_large_as_what_is_worked_on(scale):
    picture, _ = laid(1, YELLOW, WHITE, DARK_GREEN)
    shape = tuple(round(scale * length) for length in picture.shape[:2])
    vivid = vividness(picture, shape)
    assert vivid.shape == shape
    assert np.ptp(vivid) > 100


def test_small_dice_within_a_large_one_are_told_from_those_beside_it():
    large = Look((PipReading(2, 0.96, (100, 100, 300, 300)),), True, ())
    small = PipReading(5, 0.9, (150, 150, 60, 60))
    assert are_in_pips(Look((small,), True, ()), large)
    assert not are_in_pips(Look((replace(small, certainty=0.2),), False, ()), large)
    assert not are_in_pips(Look((replace(small, box=(420, 150, 60, 60)),), True, ()), large)
    assert not are_in_pips(Look((replace(small, box=(100, 100, 280, 280)),), True, ()), large)
