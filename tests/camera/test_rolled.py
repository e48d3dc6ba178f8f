"""Which dice were rolled, after how they lay and how they lie."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from camera.rolled import UNREAD, LaidDie, came_to_lie, compared, told_of, unread
from camera.stills import DieReading
from camera.tracks import Track


def square(x, y):
    return np.array([(x, y), (x + 30.0, y), (x + 30, y + 30), (x, y + 30)])


GHOST = square(60, 60)


def laid(x, y, face, *, since_s=0.0, lay_s=0.0, turn_deg=0.0):
    corners = cv2.transform(square(x, y)[None], cv2.getRotationMatrix2D((x, y), turn_deg, 1))[0]
    track = Track(corners, 0.9, since_s)
    track.lay_s = lay_s
    return LaidDie(track, DieReading("white", face, 0.99, (x, y, 30, 30), corners, (face,), ""))


@pytest.mark.parametrize(
    ("now", "is_rolled"),
    [
        (laid(101, 100, "key", since_s=9), False),  # found again, a pixel beside
        (laid(101, 100, "door", since_s=9), True),  # another face in its place
        (laid(120, 100, "key", since_s=2.3), False),  # pushed by a die that rolled past
        (laid(150, 100, "key", since_s=2.7), False),  # pushed aside by a hand, as it lay
        (laid(150, 100, "key", since_s=2.3, turn_deg=30), True),  # turned too much for that
        (laid(190, 100, "key", since_s=2.3), False),  # put aside, too fast for a throw
        (laid(190, 100, "key", since_s=2.7), True),  # too far for that
        (laid(150, 100, "key", since_s=2.9), True),  # and that took too long
        (laid(120, 100, "key", since_s=9), True),  # away for so long: it was thrown
    ],
)
def test_die_counts_as_rolled_by_where_it_lies_what_it_shows_and_how_long_it_was_away(
    now, is_rolled
):
    before = laid(100, 100, "key", lay_s=2.0)
    assert compared([before], [], [now]).moved == [is_rolled]


def test_of_two_dice_that_may_have_been_pushed_it_was_the_nearer_one():
    before = laid(100, 100, "key", lay_s=2.0)
    thrown, pushed = laid(40, 100, "key", since_s=2.3), laid(115, 100, "key", since_s=2.3)
    assert compared([before], [], [thrown, pushed]).moved == [True, False]
    assert compared([before], [], [pushed, thrown]).moved == [False, True]


def test_die_that_vanished_in_the_dark_was_not_rolled_when_it_shows_up():
    before = laid(100, 100, "key")
    assert compared([], [before], [laid(100, 101, "key", since_s=9)]).moved == [False]
    assert compared([], [before], [laid(118, 100, "key", since_s=1)]).moved == [True]


def test_die_that_is_told_again_as_it_lay_before_it_vanished_was_not_rolled():
    before = laid(100, 100, "key")
    again = replace(before, reading=before.reading._replace(corners=square(100, 100)))
    found = compared([before], [again], [laid(300, 100, "key", since_s=9)])
    assert (found.moved, found.lost) == ([True], [before, again])


def test_die_that_lands_where_one_was_taken_away_was_rolled_though_its_face_is_unsure():
    before, now = laid(100, 100, "key"), laid(101, 100, "door", since_s=9)
    unsure = replace(now, reading=now.reading._replace(certainty=0.5))
    assert compared([], [before], [unsure]).moved == [True]
    assert compared([before], [], [unsure]).moved == [False]


def test_die_that_shows_again_after_a_finger_lay_over_a_part_of_it_was_not_rolled():
    before, now = laid(100, 100, "cocked"), laid(101, 100, "key", since_s=9)
    covered = replace(before, reading=before.reading._replace(certainty=0.47))
    assert compared([covered], [], [now]).moved == [False]
    assert compared([before], [], [now]).moved == [True]


def test_dice_that_lie_elsewhere_now_are_not_lost():
    key, door = laid(100, 100, "key", lay_s=2.0), laid(300, 100, "door", lay_s=2.0)
    pushed = laid(150, 100, "key", since_s=2.7)
    assert compared([key, door], [], [pushed]).lost == [door]
    assert compared([key], [door], [pushed]).lost == [door]
    assert compared([key, door], [], [pushed, laid(301, 100, "door", since_s=9)]).lost == []


def test_something_unread_has_a_box_around_it():
    assert unread(square(10, 20)).box == (10, 20, 30, 30)
    assert unread(square(10, 20)).kind == UNREAD


@pytest.mark.parametrize(
    ("kind", "doubt", "told"),
    [
        ("white", "cocked", "a white die leans at (30, 40): throw this one again"),
        ("ivory", "cocked", "an ivory die leans at (30, 40): throw this one again"),
        ("d6", "cocked", "a die leans at (30, 40): throw this one again"),
        ("d6", "cut", "a die is cut by the edge at (30, 40): throw this one again"),
        ("d6", "unsure", "a die at (30, 40) may show 5 or 6"),
    ],
)
def test_doubt_names_the_die_its_place_and_what_to_do(kind, doubt, told):
    reading = DieReading(kind, "5", 0.5, (20, 30, 20, 20), np.zeros((4, 2)), ("5", "6"), doubt)
    assert told_of(reading) == told


def test_whoever_throws_a_die_pushes_no_other_slowly():
    """Away for longer than a push takes, and turned by hardly anything, by chance."""
    before = [laid(100, 100, "key", lay_s=2.0), laid(300, 100, "door", lay_s=2.0)]
    aside = [laid(150, 100, "key", since_s=2.7), laid(340, 100, "door", since_s=2.7)]
    thrown = laid(500, 300, "troll", since_s=2.9)
    assert compared(before, [], aside).moved == [False, False]
    assert compared(before, [], [aside[0], thrown]).moved == [True, True]
    soon = laid(120, 100, "key", since_s=2.3)
    assert compared(before, [], [soon, thrown]).moved == [False, True]


def test_die_that_a_thrown_one_struck_away_was_not_rolled():
    """However it is turned: nobody picks up a die, throws it and has it lie in a fifth of a second.

    Without a thrown die nothing struck it: perhaps another one lies there, and a hand hides this.
    """
    before = laid(100, 100, "key", lay_s=2.0)
    struck, thrown = laid(180, 100, "key", since_s=2.2, turn_deg=30), laid(90, 100, "troll")
    assert compared([before], [], [struck, thrown]).moved == [False, True]
    assert compared([before], [], [struck]).moved == [True]
    struck.track.since_s = 2.35
    assert compared([before], [], [struck, thrown]).moved == [False, True]
    later = laid(180, 100, "key", since_s=2.4, turn_deg=30)
    assert compared([before], [], [later, thrown]).moved == [True, True]
    far = laid(230, 100, "key", since_s=2.2, turn_deg=30)
    assert compared([before], [], [far, thrown]).moved == [True, True]


@pytest.mark.parametrize(
    ("turn_deg", "came_alone", "is_rolled"),
    [(5, None, False), (5, True, True), (5, False, False), (18, None, True), (18, False, False)],
)
def test_die_that_no_hand_pushed_was_thrown(turn_deg, came_alone, is_rolled):
    before = laid(100, 100, "key", lay_s=2.0)
    now = laid(150, 100, "key", since_s=2.7, turn_deg=turn_deg)
    assert compared([before], [], [now], lambda *_: came_alone).moved == [is_rolled]


@pytest.mark.parametrize(
    ("turn_deg", "came_alone", "is_rolled"),
    [(5, None, False), (5, True, False), (18, None, True), (18, True, True), (40, False, False)],
)
def test_die_that_lies_far_away_so_soon_was_pushed_if_it_hardly_turned_or_a_hand_is_there(
    turn_deg, came_alone, is_rolled
):
    before = laid(100, 100, "key", lay_s=2.0)
    now = laid(220, 100, "key", since_s=2.5, turn_deg=turn_deg)
    assert compared([before], [], [now], lambda *_: came_alone).moved == [is_rolled]


@pytest.mark.parametrize(
    ("since_s", "came_alone", "is_rolled"),
    [(2.7, False, False), (2.7, True, True), (2.7, None, True), (2.9, False, True)],
)
def test_die_that_a_hand_slid_far_under_itself_was_not_rolled(since_s, came_alone, is_rolled):
    before = laid(100, 100, "key", lay_s=2.0)
    now = laid(220, 100, "key", since_s=since_s, turn_deg=40)
    assert compared([before], [], [now], lambda *_: came_alone).moved == [is_rolled]


@pytest.mark.parametrize(("face", "is_rolled"), [("key", False), ("door", True)])
def test_die_that_was_seen_all_the_way_from_where_it_lay_was_not_rolled(face, is_rolled):
    before = laid(100, 100, "key", lay_s=2.0)
    thrown = laid(300, 100, "troll", since_s=3.0)
    now = laid(250, 100, face, since_s=3.0, turn_deg=30)
    now.track.came_from = before.track
    assert compared([before], [], [now, thrown]).moved == [is_rolled, True]
    assert compared([before], [], [now]).moved == [True]  # flicked: nothing else struck it


def test_of_two_dice_that_may_have_been_struck_it_was_the_one_that_was_seen_to_come_from_there():
    before = laid(100, 100, "key", lay_s=2.0)
    thrown, struck = laid(120, 100, "key", since_s=2.3), laid(190, 100, "key", since_s=2.3)
    assert compared([before], [], [thrown, struck]).moved == [False, True]
    struck.track.came_from = before.track
    assert compared([before], [], [thrown, struck]).moved == [True, False]


def test_rest_is_that_of_what_was_rolled_and_of_what_it_struck_away():
    lay, covered = laid(100, 100, "key"), laid(300, 100, "door")
    rolled, struck, found = laid(200, 0, "sun"), laid(150, 100, "key"), laid(301, 100, "door")
    struck.track.came_from = found.track.came_from = lay.track
    dice = [rolled, struck, found]
    assert came_to_lie(dice, [True, False, False], [lay, covered]) == [rolled.track, struck.track]
    every = [die.track for die in dice]
    assert came_to_lie(dice, [False] * 3, [lay, covered]) == every


def test_die_that_is_found_a_little_beside_its_place_was_not_rolled():
    before = laid(100, 100, "key", lay_s=2.0)
    for now, is_rolled in [
        (laid(106, 100, "key", since_s=9, turn_deg=10), False),
        (laid(111, 100, "key", since_s=2.3), False),
        (laid(111, 100, "key", since_s=9), True),  # so far, so long after: it was thrown
        (laid(106, 100, "key", since_s=9, turn_deg=30), True),
        (laid(106, 100, "door", since_s=9), True),
        (laid(113, 100, "key", since_s=9), True),
    ]:
        assert compared([before], [], [now], lambda *_: True).moved == [is_rolled]
    bumped = laid(111, 100, "key", since_s=9)
    assert compared([before], [], [bumped], lambda *_: False).moved == [False]
