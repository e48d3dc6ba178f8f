"""What is followed from frame to frame: one track for one die, wherever the seeker finds it."""

import numpy as np
import pytest

from camera.seek import Seen
from camera.tracks import Track, Tracks, apart
from camera.upper_sides import Top

SIDE_PX = 40
CORNERS = np.array([(80.0, 60.0), (120.0, 60.0), (120.0, 100.0), (80.0, 100.0)])


def beside(sides):
    """The upper side of a die so many sides lower."""
    return CORNERS + (0.0, SIDE_PX * sides)


def found(corners, heat=0.8):
    return Top(Seen(corners, heat, 0.0, np.array([0.0, 9.0])), corners, np.zeros(3))


@pytest.fixture
def grey():
    return np.random.default_rng(1).integers(40, 200, (200, 240), dtype=np.uint8)


def follow(tracks, grey, *finds, known=()):
    """Follow through frames in which nothing moves, and these tops are found."""
    for number, tops in enumerate(finds):
        before = grey if tracks.all or number else None
        tracks.follow(number / 30, before, grey, tops, known)
    return tracks.all


def test_die_that_is_found_where_it_lies_stays_one_track(grey):
    (track,) = follow(Tracks(), grey, [found(CORNERS)], [found(beside(0.05))], [])
    assert (track.since_s, track.seen_s, track.lay_s) == (0.0, 1 / 30, 2 / 30)
    assert np.allclose(track.corners, beside(0.05))


def test_die_that_is_found_twice_in_one_frame_is_one_as_soon_as_both_are_in_one_place(grey):
    twice = [found(CORNERS), found(beside(0.45), heat=0.4)]
    two = follow(Tracks(), grey, twice)
    assert len(two) == 2
    (track,) = follow(Tracks(), grey, twice, [found(beside(0.24))])
    assert np.allclose(track.corners, beside(0.24))


def test_of_two_finds_in_one_place_the_known_die_stays(grey):
    tracks = Tracks()
    (known,) = follow(tracks, grey, [found(CORNERS)])
    tracks.all.append(Track(beside(0.41), 0.9, 0.0))
    assert follow(tracks, grey, [found(beside(0.3))], known=[known]) == [known]


def test_what_is_found_on_a_part_of_a_die_is_no_die_of_its_own(grey):
    half = beside(0.3).mean(axis=0) + (CORNERS - CORNERS.mean(axis=0)) / 2
    (track,) = follow(Tracks(), grey, [found(half)], [found(CORNERS), found(half, heat=0.4)])
    assert np.allclose(track.corners, CORNERS)


@pytest.mark.parametrize(("is_known", "place"), [(True, 0.0), (False, 0.22)])
def test_a_find_beside_a_die_that_did_not_move_tells_nothing_of_one_that_is_known(
    grey, is_known, place
):
    tracks = Tracks()
    (track,) = follow(tracks, grey, [found(CORNERS)])
    (left,) = follow(tracks, grey, [], [found(beside(0.22))], known=[track] * is_known)
    assert left is track
    assert apart(CORNERS, left.corners) == pytest.approx(place, abs=1e-6)


def test_die_that_was_seen_badly_once_lies_since_it_lay_still(grey):
    (track,) = follow(Tracks(), grey, [found(CORNERS)], [found(CORNERS)], [found(beside(0.36))])
    assert np.allclose(track.corners, beside(0.36))
    assert (track.since_s, track.lay_s) == (0.0, 2 / 30)


@pytest.mark.parametrize(("sides", "lay_s"), [(0.1, 9.1), (0.3, 5.0)])
def test_known_die_lies_as_long_as_it_is_found_anew_in_its_place(grey, sides, lay_s):
    tracks, known = Tracks(), Track(CORNERS, 0.9, 0.0)
    known.lay_s = 5.0  # a hand hid it then
    tracks.follow(9.0, None, grey, [found(beside(sides))], [known])
    assert known.lay_s == 5.0, "it may be moving"
    tracks.follow(9.1, grey, grey, [found(beside(sides))], [known])
    assert known.lay_s == lay_s


def moved(tracks, known, *finds, frame_s=1 / 30):
    """Follow through frames in which everything moves, and these tops are found."""
    greys = np.random.default_rng(2).integers(40, 200, (len(finds) + 1, 200, 240), dtype=np.uint8)
    for number, tops in enumerate(finds):
        tracks.follow(1 + number * frame_s, greys[number], greys[number + 1], tops, known)
    return tracks.all


@pytest.mark.parametrize(
    ("way", "is_followed"),
    [
        ((0.5, 1.1, 1.7), True),
        ((0.5, 1.6, 2.1), False),  # too far from one frame to the next
        ((0.5, None, 1.1), False),  # unseen in between: perhaps a hand has it
    ],
)
def test_die_that_moves_is_known_by_where_it_lay_as_long_as_it_is_seen(grey, way, is_followed):
    tracks = Tracks()
    (known,) = follow(tracks, grey, [found(CORNERS)])
    finds = [[] if sides is None else [found(beside(sides))] for sides in way]
    (now,) = moved(tracks, [known], *finds)
    assert (now.came_from is known) == is_followed
    assert is_followed or now.came_from is None


def test_faster_cameras_follow_no_faster_dice(grey):
    tracks = Tracks()
    (known,) = follow(tracks, grey, [found(CORNERS)])
    finds = [[found(beside(sides))] for sides in (0.5, 1.1, 1.7)]
    (now,) = moved(tracks, [known], *finds, frame_s=1 / 60)
    assert now.came_from is None


def test_what_was_never_known_comes_from_nowhere(grey):
    tracks = Tracks()
    follow(tracks, grey, [found(CORNERS)])
    (now,) = moved(tracks, [], [found(beside(0.5))], [found(beside(1.0))])
    assert now.came_from is None
