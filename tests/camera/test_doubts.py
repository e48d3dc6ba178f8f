"""Doubts say where in the picture they are, and are told apart by their words alone."""

import numpy as np
import pytest

from camera.doubts import Doubt, each_once, in_whole, in_words

HERE = np.array([10.4, 20.6])


def test_doubts_with_the_same_words_are_equal_wherever_they_are():
    one, other = Doubt("a 2 that may be a 1", HERE), Doubt("a 2 that may be a 1", 2 * HERE)
    assert {one, other, "a 2 that may be a 1"} == {one}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("pips of a die", "pips of a die at (10, 21)"),
        ("a 4 leans: throw this one again", "a 4 leans at (10, 21): throw this one again"),
    ],
)
def test_place_is_told_before_what_is_to_be_done(words, told):
    assert in_words([Doubt(words, HERE), "no dice"]) == (told, "no dice")


def test_place_in_a_small_copy_is_told_as_one_in_the_picture():
    (doubt, plain) = in_whole(
        [Doubt("a 6 alone", np.array([49.5, 99.5])), "no dice"], 0.5, (640, 480)
    )
    assert in_words([doubt, plain]) == ("a 6 alone at (100, 200)", "no dice")


def test_place_beyond_the_edge_is_told_at_the_edge():
    (doubt,) = in_whole([Doubt("a 6 alone", np.array([-3.0, 500.0]))], 1.0, (640, 480))
    assert in_words([doubt]) == ("a 6 alone at (0, 479)",)


def test_the_same_words_about_two_places_are_two_doubts():
    here, there = Doubt("a 5 is cut", HERE), Doubt("a 5 is cut", 2 * HERE)
    told = in_words(each_once([here, "no dice", there, here, "no dice"]))
    assert told == ("a 5 is cut at (10, 21)", "no dice", "a 5 is cut at (21, 41)")
