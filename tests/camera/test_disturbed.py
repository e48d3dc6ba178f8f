"""A table that is shaken and a person who leans over it roll no dice."""

import math

import cv2
import numpy as np
import pytest
from die_drawing import cube, scene

from camera.enrol_dice import Teacher
from camera.live import LiveTray
from camera.settle import Phase
from camera.source import Frame

FPS = 30
FACES = ("sun", "moon", "sun")
PLACES = ((-2.0, -1.0), (1.4, -0.8), (0.2, 1.2))


@pytest.fixture(scope="module")
def looks():
    """Two faces, taught with two pictures each."""
    teacher = Teacher()
    for face in ("sun", "moon"):
        for n in range(2):
            pixels = scene([cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n)], 6)
            assert teacher.show("white", face, pixels, face), teacher.skipped
    return teacher.learnt([("white", "sun"), ("white", "moon")])


@pytest.fixture(scope="module")
def lying():
    """Three dice on a floor."""
    dice = [cube(f, at, 17 + 31 * n) for n, (f, at) in enumerate(zip(FACES, PLACES, strict=True))]
    return cv2.resize(scene(dice, 0), (480, 360), interpolation=cv2.INTER_AREA)


def noisy(pixels, number):
    """The same with the noise of a small camera, other in each frame."""
    noise = np.random.default_rng(number).normal(0, 2.0, pixels.shape)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def watched(looks, pictures):
    """What a tray tells of pictures, 30 a second, that begin with dice at rest."""
    tray = LiveTray(looks)
    told = [tray.see(Frame(n / FPS, noisy(picture, n))) for n, picture in enumerate(pictures)]
    return tray, [throw for throw in told if throw is not None]


def shaken(pixels, number):
    """The camera swings by a few pixels, less and less, for a second."""
    far = 5.0 * math.exp(-2.5 * number / FPS)
    x, y = far * math.sin(1.3 * number), 0.6 * far * math.cos(0.9 * number)
    move = np.array([[1, 0, x], [0, 1, y]], np.float64)
    return cv2.warpAffine(pixels, move, pixels.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)


def leant_over(pixels, reach):
    """Somebody dark at the left edge, with a large soft shadow that reaches into the picture."""
    height, width = pixels.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width]
    inside = reach * width - columns + 0.15 * np.abs(rows - height / 2)
    shade = 1 - 0.5 / (1 + np.exp(-inside / 14.0))
    seen = pixels * shade[..., None]
    seen[columns < 0.09 * reach * width] = (38, 34, 30)
    return seen.astype(np.uint8)


def faces_of(tray):
    return sorted(die.face for die in tray.dice)


def test_table_that_is_shaken_rolls_no_dice(looks, lying):
    still = [lying] * 5
    swings = [shaken(lying, number) for number in range(14)]
    tray, told = watched(looks, [*still, *swings, *still])
    assert told == []
    assert faces_of(tray) == sorted(FACES)
    assert tray.phase is Phase.STILL


def test_person_who_leans_over_rolls_no_dice(looks, lying):
    still = [lying] * 5
    comes = [leant_over(lying, 0.7 * n / 8) for n in range(8)]
    tray, told = watched(looks, [*still, *comes, *[comes[-1]] * 5, *comes[::-1], *still])
    assert told == []
    assert faces_of(tray) == sorted(FACES)


def test_roll_after_a_shake_is_told_once(looks, lying):
    bare = np.asarray(cv2.resize(scene([], 0), lying.shape[1::-1], interpolation=cv2.INTER_AREA))
    swings = [shaken(bare, number) for number in range(9)]
    tray, told = watched(looks, [*[bare] * 4, *swings, *[bare] * 7, *[lying] * 9])
    assert len(told) == 1
    assert sorted(die.reading.face for die in told[0].dice if die.moved) == sorted(FACES)
    assert faces_of(tray) == sorted(FACES)
