from dataclasses import replace

import cv2
import numpy as np
import pytest
from pip_drawing import BLACK, DrawnDie, draw_dice

from camera import pip_corrections, pip_look, pip_loose
from camera.halves import Halves
from camera.pip_blobs import FULL, Pyramid, find_marks
from camera.pip_corrections import overruled, unexplained, untied
from camera.pip_doubts import BY_SIGHT, STRANGE
from camera.pip_ellipses import measure_pips
from camera.pip_faces import find_faces
from camera.pip_loose import loose_groups
from camera.pip_standing import Scaled
from camera.pip_votes import votes
from camera.pips import read_dice, working_copy

SIDE_PX = 55.0


def faces_of(look):
    return sorted(reading.face for reading in look.readings)


def explained(picture):
    """A picture's pyramid, its marks, its pips and the faces that these make up."""
    pyramid = Pyramid(working_copy(picture)[0])
    marks = find_marks(pyramid, FULL)
    measured = measure_pips(pyramid, marks, FULL)
    return pyramid, marks, measured, find_faces(pyramid.levels[0], measured)


def a_one_above_a_pip_of_its_side(seed):
    """Three dice; of the first one a side is seen, with a pip where the other one of a 2 may be."""
    rng = np.random.default_rng(seed)
    dice = [(1, 150, 150, rng.uniform(-10, 10)), (1, 300, 160, 30), (5, 420, 140, 10)]
    drawn = [DrawnDie(face, x, y, 60, turn) for face, x, y, turn in dice]
    picture = draw_dice(rng, drawn, (300, 520), noise=0).astype(np.float32)
    side = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(side, np.array([(124, 178), (176, 178), (172, 200), (128, 200)]), 1.0)
    side = cv2.GaussianBlur(side, (0, 0), 1)[..., None]
    picture = picture * (1 - side) + side * np.float32((190, 196, 200))
    cv2.ellipse(picture, (150, 192), (6, 4), 0, 0, 360, BLACK, -1, cv2.LINE_AA)
    noise = rng.normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", [1, 7])
def test_a_1_and_a_pip_of_its_side_are_no_2(seed):
    picture = a_one_above_a_pip_of_its_side(seed)
    pyramid, _, measured, faces = explained(picture)
    assert sorted(face.value for face in faces) == [1, 2, 5]
    untangled = untied(pyramid.levels, measured, faces, SIDE_PX)
    ones = [face.at for face in untangled if face.value == 1]
    assert min(np.hypot(*(at - (150, 150))) for at in ones) < 3
    assert not any(face.value == 2 for face in untangled)


@pytest.mark.parametrize(("none", "read"), [(0.5, [1, 5]), (0.7, [5]), (0.95, [5])])
def test_a_single_mark_is_no_reading_when_it_is_likely_none(none, read, monkeypatch):
    def doubting(patches, turns=1):
        chances = votes(patches, turns)
        chances[chances[:, 1] > 0.5] = (none, 1 - none, 0, 0, 0, 0, 0)
        return chances

    for module in (pip_look, pip_corrections, pip_loose):
        monkeypatch.setattr(module, "votes", doubting)
    dice = [DrawnDie(1, 150, 150, 60, 25), DrawnDie(5, 300, 150, 60, 10)]
    look = read_dice(draw_dice(np.random.default_rng(3), dice, (300, 450)))
    assert faces_of(look) == read
    assert not look.accepted
    assert (STRANGE.format(1) in look.doubts) == (none == 0.7)


def test_a_picture_has_no_dice_when_nothing_is_left_of_its_only_pair(monkeypatch):
    monkeypatch.setattr(pip_look, "untied", lambda levels, measured, faces, side_px: [])
    picture = draw_dice(np.random.default_rng(3), [DrawnDie(2, 150, 150, 60, 25)], (300, 300))
    grey, _ = working_copy(picture)
    view = pip_look.View(Pyramid(grey), Scaled(Halves(picture), 1.0), None, None, grey)
    assert pip_look.look_at(view, FULL) is None


def test_a_2_whose_pips_belong_together_stays_one():
    dice = [DrawnDie(2, 150, 150, 60, 25), DrawnDie(5, 300, 150, 60, 10)]
    pyramid, _, measured, faces = explained(draw_dice(np.random.default_rng(3), dice, (300, 450)))
    oddly = [replace(face, misfit=0.1) if face.value == 2 else face for face in faces]
    assert untied(pyramid.levels, measured, oddly, SIDE_PX) == oddly


def test_another_face_is_read_where_the_second_reader_is_sure_of_it():
    dice = [DrawnDie(3, 150, 150, 60, 25), DrawnDie(5, 300, 150, 60, 10)]
    *_, faces = explained(draw_dice(np.random.default_rng(3), dice, (300, 450)))
    three, five = sorted(faces, key=lambda face: face.value)
    chances = np.full((2, 7), 0.01)
    chances[0, 6], chances[1, 5] = 0.94, 0.94
    told = overruled([three, five], chances)
    assert [face.value for face in told] == [6, 5]
    assert told[1] is five
    chances[0, 6], chances[0, 3] = 0.6, 0.35  # it only doubts the 3
    assert overruled([three, five], chances) == [three, five]


def test_a_hidden_die_is_found_where_marks_are_left_over_and_no_second_one_beside_a_read_one():
    dice = [DrawnDie(6, 150, 150, 60, 25), DrawnDie(5, 300, 150, 60, 10)]
    pyramid, marks, measured, faces = explained(
        draw_dice(np.random.default_rng(3), dice, (300, 450))
    )
    five = [face for face in faces if face.value == 5]
    groups = loose_groups(pyramid, marks, measured, five, SIDE_PX)
    found, chances = unexplained(pyramid, groups, five, SIDE_PX)
    assert [face.value for face in found] == [6]
    assert np.hypot(*(found[0].at - (150, 150))) < 0.25 * SIDE_PX
    assert chances.shape == (1, 7)
    assert chances[0, 6] > 0.8
    groups = loose_groups(pyramid, marks, measured, faces, SIDE_PX)
    assert unexplained(pyramid, groups, faces, SIDE_PX)[0] == []


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_dice_out_of_focus_are_read_and_asked_about(seed):
    rng = np.random.default_rng(seed)
    faces = [6, 5, 6, 4, 1, 3]
    dice = [
        DrawnDie(
            face,
            100 + 150 * (place % 3),
            120 + 160 * (place // 3),
            rng.uniform(45, 60),
            rng.uniform(0, 90),
        )
        for place, face in enumerate(faces)
    ]
    picture = draw_dice(np.random.default_rng(seed), dice, (400, 520))
    look = read_dice(cv2.GaussianBlur(picture, (0, 0), 2.5))
    assert faces_of(look) == sorted(faces)
    assert not look.accepted
    assert set(look.doubts) & {BY_SIGHT.format(face) for face in (5, 6)}
