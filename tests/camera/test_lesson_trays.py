"""Dice are learnt in a tray whose figures look like dice: the pictures tell what stays in all."""

import cv2
import numpy as np
import pytest
from die_drawing import floor, lay

from camera.enrol_dice import Teacher, learn_dice, pictures_below
from camera.lesson_trays import FEW, LessonTrays
from companion.errors import PictureError

FIGURES = ((90, 90), (400, 70), (90, 280))
PLACES = ((240, 60), (250, 160), (180, 240), (330, 260), (390, 190), (160, 150), (300, 130))


def printed(seed):
    """Felt with moons on it that look like dice."""
    tray = floor(seed)
    for number, at in enumerate(FIGURES):
        tray = lay(tray, "moon", at, 30 * number, body=(90.0, 60.0, 150.0))
    return tray


def taught(tmp_path, places, turn=25):
    for face in ("star", "sun"):
        (tmp_path / "white" / face).mkdir(parents=True)
        for number, at in enumerate(places):
            picture = lay(printed(number), face, at, turn * number)
            cv2.imwrite(str(tmp_path / "white" / face / f"{number}.png"), picture)
    teacher = Teacher()
    learn_dice(tmp_path, teacher, pictures_below(tmp_path))
    return teacher


def test_dice_are_learnt_beside_figures_that_look_like_dice(tmp_path):
    teacher = taught(tmp_path, PLACES)
    assert teacher.skipped == []
    for face in ("star", "sun"):
        seen = [one.top.seen.middle for one in teacher.shown["white"][face]]
        assert np.abs(np.array(seen) - PLACES).max() < 8


def test_pictures_that_all_show_the_same_die_in_one_place_are_left_out(tmp_path):
    with pytest.raises(PictureError, match="one die alone"):
        taught(tmp_path, [PLACES[1]] * len(PLACES), turn=0)


def test_tray_is_seen_without_the_die(tmp_path):
    paths = [tmp_path / f"{number}.png" for number in range(len(PLACES))]
    for number, (path, at) in enumerate(zip(paths, PLACES, strict=True)):
        cv2.imwrite(str(path), lay(printed(number), "star", at, 25 * number))
    empty = LessonTrays(paths).empty_of(paths[0])
    assert empty is not None
    assert np.abs(empty.astype(float) - printed(99)).mean() < 6
    assert LessonTrays(paths[:FEW]).empty_of(paths[0]) is None, "too few tell nothing"


def test_pictures_of_another_size_and_broken_ones_say_nothing(tmp_path):
    paths = [tmp_path / f"{number}.png" for number in range(FEW + 2)]
    for number, path in enumerate(paths):
        cv2.imwrite(str(path), floor(number)[: None if number else 200])
    paths[1].write_bytes(b"no picture")
    trays = LessonTrays(paths)
    assert trays.empty_of(paths[0]) is None
    assert trays.empty_of(paths[1]) is None
    assert trays.empty_of(paths[2]) is None, "four others of its size"
