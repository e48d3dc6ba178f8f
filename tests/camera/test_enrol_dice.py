"""Dice that are shown one by one are measured together, as one camera sees all of them."""

import numpy as np
import pytest
from die_drawing import floor, lay

from camera.dice_sets import DiceLooks
from camera.enrol_dice import Teacher, tell_apart
from camera.seek import Seeker

PLACES = ((120, 110), (340, 240), (250, 160), (150, 250))


class Askew(Seeker):
    """A seeker that sees dice longer than they are, while it is told to."""

    stretch = 1.0

    def seek(self, pixels, least=0.3, turns=0):
        found = []
        for die in super().seek(pixels, least, turns):
            middle = die.corners.mean(axis=0)
            shape = (die.corners - middle) * (self.stretch, 1 / self.stretch)
            found.append(die._replace(corners=middle + shape))
        return found


@pytest.fixture(scope="module")
def askew():
    return Askew()


def pictures():
    return [lay(floor(n), "star", at, 25 * n) for n, at in enumerate(PLACES)]


def patches(seeker, stretches, shown):
    """What is learnt from pictures, each seen so much longer than it is."""
    teacher = Teacher(None, seeker)
    for n, (stretch, picture) in enumerate(zip(stretches, shown, strict=True)):
        seeker.stretch = stretch
        assert teacher.show("white", "star", picture, str(n))
    return teacher.learnt([("white", "star")]).patches["white"]["star"].astype(float)


def test_die_is_measured_by_the_others_when_it_was_seen_badly(askew):
    shown = pictures()
    straight = patches(askew, (1, 1, 1, 1), shown)
    together = patches(askew, (1, 1, 1, 1.3), shown)
    alone = patches(askew, (1.3,), shown[3:])
    assert np.abs(together[3] - straight[3]).mean() < 0.7 * np.abs(alone[0] - straight[3]).mean()


def test_dice_are_measured_alone_when_pictures_differ_in_size(askew):
    shown = pictures()
    whole = patches(askew, (1, 1), shown[:2])
    parts = patches(askew, (1, 1), [shown[0], shown[1][20:]])
    assert np.abs(parts[0] - whole[0]).max() == 0
    assert np.abs(parts[1] - whole[1]).mean() < 8


def test_picture_of_something_else_is_left_out_and_named(askew):
    teacher = Teacher(None, askew)
    askew.stretch = 1.0
    for n, face in enumerate(("moon", "moon", "moon", "sun", "moon")):
        shown = lay(floor(n), face, PLACES[n % 4], 20 * n)
        assert teacher.show("white", "moon", shown, f"picture {n}")
    for n in range(4):
        assert teacher.show("white", "sun", lay(floor(9 + n), "sun", PLACES[n], 7 * n), str(n))
    learnt = teacher.learnt([]).patches["white"]
    assert len(learnt["moon"]) == 4
    assert len(learnt["sun"]) == 4
    assert teacher.skipped == ["picture 3: looks like no other picture of white moon"]


def test_only_blank_faces_look_the_same_turned_where_no_symbol_does(grotto_looks):
    turns = tell_apart(grotto_looks).turns
    alike = {face for face, turn in turns.items() if turn != "none"}
    assert alike == {("gold", "blank"), ("red", "blank")}


def test_pictures_without_another_of_their_face_are_not_counted(grotto_looks):
    patches = {face: found[:1] for face, found in grotto_looks.patches["white"].items()}
    kinds = {"white": grotto_looks.kinds["white"]}
    alone = tell_apart(DiceLooks(kinds, {"white": patches}))
    assert (alone.right, alone.patches, alone.closest) == (0, 0, None)
    patches["key"] = grotto_looks.patches["white"]["key"][:3]
    some = tell_apart(DiceLooks(kinds, {"white": patches}))
    assert (some.right, some.patches) == (3, 3)
