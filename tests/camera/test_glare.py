"""Upper sides in which a lamp is mirrored: what is lost, and what can be seen through it."""

import cv2
import numpy as np
import pytest
from die_drawing import FACES, camera_at, cube, scene, thrown

from camera.enrol_dice import Teacher
from camera.glare import is_washed, side_colours, through_glare
from camera.learn_cubes import SIDES
from camera.patches import cut_tops, hues_of, rims_of
from camera.seek import Seeker
from camera.stills import StillReader
from camera.upper_sides import find_tops

BODIES = {"white": (235.0, 240.0, 242.0), "red": (45.0, 40.0, 175.0)}
TILT = 33.0
LAMP = 245.0  # grey level of what is mirrored


def seen(cubes, share=0.0):
    """A picture of dice, with a lamp that hides such a share of each upper side."""
    pixels = scene(cubes, 0, TILT)
    for one in cubes:
        mask = np.zeros(pixels.shape[:2], np.float32)
        corners = camera_at(TILT).project(one.corners(SIDES[0]))
        cv2.fillConvexPoly(mask, corners.round().astype(np.int32), share)
        glare = cv2.GaussianBlur(mask, (0, 0), 1)[..., None]
        pixels = (pixels * (1 - glare) + LAMP * glare).astype(np.uint8)
    return pixels


@pytest.fixture(scope="module")
def reader():
    teacher = Teacher()
    for kind in BODIES:
        for face in FACES:
            for n in range(3):
                one = cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n, body=BODIES[kind])
                assert teacher.show(kind, face, scene([one], 6), f"{kind} {face} {n}")
    return StillReader(teacher.learnt([(kind, face) for kind in BODIES for face in FACES]))


def told(look):
    """Kind and face of each die, left to right, also where it is asked about."""
    return [(reading.kind, reading.face) for reading in look.readings]


def test_dice_without_glare_are_read(reader):
    look = reader.read(seen(thrown(body=BODIES["red"])))
    assert sorted(told(look)) == sorted(("red", face) for face in FACES)


@pytest.mark.parametrize("share", [0.6, 0.75, 0.85])
def test_dice_in_glare_are_asked_about_with_the_right_face_first(reader, share):
    look = reader.read(seen(thrown(body=BODIES["red"]), share))
    assert not look.accepted
    assert sorted(told(look)) == sorted(("red", face) for face in FACES)


def test_pale_dice_that_mirror_nothing_stay_what_they_are(reader):
    look = reader.read(seen(thrown(body=BODIES["white"])))
    assert sorted(told(look)) == sorted(("white", face) for face in FACES)


@pytest.mark.parametrize(("share", "washed"), [(0.0, False), (0.75, True)])
def test_sides_below_keep_the_colour_that_upper_sides_lose(share, washed):
    pixels = seen(thrown(body=BODIES["red"]), share)
    found = find_tops(Seeker(), pixels)
    corners = np.array([top.corners for top in found.tops])
    assert len(corners) == len(FACES)
    sides = side_colours(pixels, found.slant, corners)
    assert (sides[:, 2] > 2.0 * sides[:, 1]).all()
    rims = rims_of(cut_tops(pixels, corners))
    assert is_washed(rims, sides).tolist() == [washed] * len(FACES)


def test_dice_seen_from_above_show_no_sides():
    pixels = scene(thrown(body=BODIES["red"]), 0, 0.0)
    found = find_tops(Seeker(), pixels)
    corners = np.array([top.corners for top in found.tops])
    sides = side_colours(pixels, found.slant, corners)
    assert np.isnan(sides).any()
    assert not is_washed(np.full_like(sides, LAMP), sides)[np.isnan(sides[:, 0])].any()


def test_what_is_seen_through_glare_lies_on_the_colour_of_the_sides():
    faint = np.full((1, 40, 40, 3), 230, np.uint8)
    faint[0, 15:25, 15:25] = 250
    body = np.array([[45.0, 40.0, 175.0]], np.float32)
    clear = through_glare(faint, body)
    assert np.abs(rims_of(clear) - body).max() <= 1
    assert clear[0, 20, 20, 1] - clear[0, 8, 8, 1] > 5 * 20
    assert np.isfinite(hues_of(rims_of(clear))).all()
