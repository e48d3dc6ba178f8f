"""A die that was left in the picture of the empty tray would never be seen: it is told."""

import numpy as np
import pytest
from die_drawing import cube, scene

from camera.enrol_dice import Teacher
from camera.left_in import check_bare
from camera.train_tables import make_picture
from companion.errors import PictureError

PLACE = (0.6, -0.4)


@pytest.fixture(scope="module")
def looks():
    """Two faces, taught with two pictures each."""
    teacher = Teacher()
    for face in ("sun", "moon"):
        for n in range(2):
            pixels = scene([cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n)], 6)
            assert teacher.show("white", face, pixels, face), teacher.skipped
    return teacher.learnt([("white", "sun"), ("white", "moon")])


def test_tray_in_which_a_learnt_die_lies_is_not_empty(looks):
    check_bare(scene([], 0), "bare.png", looks)
    with pytest.raises(PictureError, match=r"^tray\.png: expected a tray without dice, got one at"):
        check_bare(scene([cube("sun", PLACE, 20)], 0), "tray.png", looks)


def test_tray_in_which_a_pip_die_lies_is_not_empty():
    rng = np.random.default_rng(7)
    made = make_picture(rng, count=3, side_px=70.0, ground="felt", light="even", with_empty=True)
    check_bare(made.empty, "bare.png")
    with pytest.raises(PictureError, match="expected a tray without dice"):
        check_bare(made.pixels, "tray.png")


@pytest.mark.parametrize("ground", ["felt", "wood", "cloth", "plain"])
def test_floors_are_no_dice(looks, ground):
    rng = np.random.default_rng(9)
    made = make_picture(rng, count=1, side_px=60.0, ground=ground, light="even", with_empty=True)
    for learnt in (None, looks):
        check_bare(made.empty, "bare.png", learnt)
