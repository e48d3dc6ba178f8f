"""Answers are kept in the set that lies there, also where that was taught anew since."""

import numpy as np
import pytest

from camera.dice_sets import DiceLooks, Kind, load, save
from companion.learning import Learner


def looks_of(level, kinds="gold"):
    """A set of one face, whose two pictures are of this grey."""
    pictures = np.full((2, 40, 40, 3), level, np.uint8)
    return DiceLooks({kinds: Kind(("blank",))}, {kinds: {"blank": pictures}})


@pytest.fixture
def took():
    return []


@pytest.fixture
def learner(tmp_path, took):
    save(looks_of(10), tmp_path)
    return Learner(looks_of(10), tmp_path, took.append)


def learn(learner, level):
    return learner.learn("blank", np.full((40, 40, 3), level, np.uint8), "gold")


def levels(looks):
    return looks.patches["gold"]["blank"][:, 0, 0, 0].tolist()


def test_answers_are_kept_and_read_with(learner, tmp_path, took):
    assert learn(learner, 20)
    assert learn(learner, 30)
    assert levels(load(tmp_path)) == levels(took[-1]) == [10, 10, 20, 30]


def test_lesson_of_a_game_in_play_is_not_written_over(learner, tmp_path, took):
    save(looks_of(99), tmp_path)
    assert learn(learner, 20)
    assert levels(load(tmp_path)) == [99, 99, 20]
    assert levels(took[-1]) == [10, 10, 20]  # which counts from the next game on


def test_set_of_other_dice_is_left_alone(learner, tmp_path):
    save(looks_of(99, "red"), tmp_path)
    assert learn(learner, 20)
    assert load(tmp_path) == looks_of(99, "red")


def test_set_that_was_lost_or_damaged_is_written_again(learner, tmp_path):
    (tmp_path / "set.toml").write_text("broken")
    assert learn(learner, 20)
    assert levels(load(tmp_path)) == [10, 10, 20]


def test_face_that_no_die_shows_is_not_learnt(learner, tmp_path, took):
    assert not learner.learn("troll", np.zeros((40, 40, 3), np.uint8), "gold")
    assert not learner.learn("blank", np.zeros((40, 40, 3), np.uint8), "red")
    assert took == []
