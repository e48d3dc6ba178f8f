"""A die that was seen to be gone from its place was thrown, even if it lies there again."""

import numpy as np
import pytest
from die_drawing import SIDE_PX, floor, lay
from watched_tray import WHITE, faces_of, is_soon

from camera.halves import Halves
from camera.rolled import LaidDie, compared
from camera.seek import Seen
from camera.seen_gone import SeenGone
from camera.stills import DieReading
from camera.throws import Flight, Resting
from camera.tracks import SURELY_BARE, Track, Tracks
from camera.upper_sides import Top

SQUARE = SIDE_PX / 2 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)]) + (200, 170)
FRAME_S = 1 / 30


def laid(since_s=0.0):
    reading = DieReading("white", "star", 0.99, (0, 0, 9, 9), SQUARE, ("star",), "")
    return LaidDie(Track(SQUARE, 0.9, since_s), reading)


def with_die(face="star"):
    return lay(floor(1), face, (200, 170), 0)


def has_left(lying, away, empty=True, frames=SURELY_BARE):
    """Whether a die is seen to be gone, by a frame with it and others later."""
    die, seen = laid(), SeenGone(Halves(floor()) if empty else None)
    seen.see(0.0, Halves(lying), [die])
    for number in range(1, frames + 1):
        seen.see(number * FRAME_S, Halves(away), [die])
    return die.track.has_left


def test_die_is_gone_where_the_tray_is_bare_for_some_frames():
    assert has_left(with_die(), floor(2))
    assert not has_left(with_die(), floor(2), frames=SURELY_BARE - 1)
    assert not has_left(with_die(), floor(2), empty=False)
    assert not has_left(with_die(), with_die("sun"))


@pytest.mark.parametrize("light", [0.02, 0.4, 4.0])
def test_nothing_is_told_in_light_in_which_a_die_may_look_like_the_floor(light):
    assert not has_left(with_die(), floor(2, light))


def test_nothing_is_told_of_a_die_that_looks_like_the_floor():
    assert not has_left(floor(3), floor(2))


def test_picture_of_another_size_tells_nothing():
    assert not has_left(with_die(), floor(2)[:-2])


@pytest.mark.parametrize(
    ("is_gone", "since_s", "came_alone", "is_rolled"),
    [
        (True, 2.7, True, True),
        (False, 2.7, True, False),  # a hand hid it, and nobody saw what it did
        (True, 2.5, True, False),  # sooner than anybody throws
        (True, 2.7, False, False),  # a hand put it back
        (True, 2.7, None, False),
    ],
)
def test_die_that_was_gone_and_came_back_by_itself_was_rolled(
    is_gone, since_s, came_alone, is_rolled
):
    before, now = laid(), laid(since_s)
    before.track.lay_s = 2.0
    before.track.bare_frames = SURELY_BARE if is_gone else 0
    for known, gone in (([before], []), ([], [before])):
        found = compared(known, gone, [now], lambda *_: came_alone)
        assert found.moved == [is_rolled]


@pytest.mark.parametrize(("thrown_s", "is_rolled"), [(2.8, True), (3.2, False)])
def test_die_that_came_back_as_others_came_to_rest_was_thrown_with_them(thrown_s, is_rolled):
    """Others fly past it, and look like a hand."""
    before, now, other = laid(), laid(2.7), laid(thrown_s)
    other.track.corners = SQUARE + 150
    before.track.lay_s, before.track.bare_frames = 2.0, SURELY_BARE
    found = compared([before], [], [now, other], lambda *_: False)
    assert found.moved == [is_rolled, True]
    assert found.lost == []


def test_what_lies_where_a_die_was_seen_to_be_gone_is_not_that_die():
    known = laid().track
    known.bare_frames = SURELY_BARE
    tracks, grey = Tracks(), np.full((360, 480), 90, np.uint8)
    top = Top(Seen(SQUARE, 0.9, 0.0, np.array([0.0, 9.0])), SQUARE, np.zeros(3))
    for at_s in (1.0, 1.1):
        tracks.follow(at_s, grey, grey, [top], [known])
    assert known.lay_s == 0.0
    known.bare_frames = 0  # a hand hid it
    tracks.follow(1.2, grey, grey, [top], [known])
    assert known.lay_s == 1.2


def throw_back(tray, name):
    """Throw a die so that it comes to lie where it lies, with the same face up."""
    lies = tray.tray._motion_at(name, tray.now_s).lies
    rest_s = tray.tray.throw({name: lies.top}, tray.now_s)
    ways = tray.tray._ways[name]
    for number, (from_s, motion) in enumerate(ways):
        if from_s > tray.now_s and isinstance(motion, Flight):
            ways[number] = (from_s, motion._replace(rest=lies))
        elif from_s > tray.now_s and isinstance(motion, Resting):
            ways[number] = (from_s, Resting(lies))
    return rest_s, tray.run(rest_s - tray.now_s + 0.4)


def test_die_that_is_thrown_and_lies_as_it_lay_before_is_told_as_rolled(watched):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    rest_s, [throw] = throw_back(tray, "white-1")
    assert is_soon(throw, rest_s)
    assert throw.accepted
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["key"], ["door"])
