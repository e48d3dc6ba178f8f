"""Figures of a printed cloth are no dice, whatever shadow makes them look so."""

import math

import numpy as np
import pytest
from die_drawing import SIDE_PX, WIDTH, floor, lay
from watched_tray import WHITE, faces_of, is_soon

from camera.clutter import Clutter
from camera.halves import Halves
from camera.live import LiveTray
from camera.lying import SEEN_PX, likeness
from camera.patches import cut_whole
from camera.rolled import LaidDie
from camera.scene import turn_about
from camera.seek import Seeker
from camera.stills import DieReading
from camera.tracks import Track

PLACE, TURN_DEG = (240, 180), 20
CORNERS = np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)]) / 2
TOP = SIDE_PX * (CORNERS @ turn_about((0, 0, 1), math.radians(TURN_DEG))[:2, :2]) + PLACE


def printed(seed=1):
    """Felt with a figure at the place."""
    return lay(floor(seed), "moon", PLACE, TURN_DEG, body=(90.0, 60.0, 150.0))


def in_shadow(pixels, from_px=0):
    """A shadow lies right of there, with an edge of a few pixels."""
    edge = np.clip((np.arange(WIDTH) - from_px) / 12, 0, 1)[None, :, None]
    return (pixels * (1 - 0.65 * edge)).astype(np.uint8)


def cut(pixels):
    return cut_whole(pixels, TOP[None], SEEN_PX)[0]


@pytest.mark.parametrize("from_px", [0, PLACE[0] - 25, PLACE[0]])
def test_figures_are_alike_whatever_shadow_falls_on_them(from_px):
    assert likeness(cut(printed(1)), cut(in_shadow(printed(2), from_px))) > 0.6


@pytest.mark.parametrize("face", ["star", "sun", "blank"])
def test_die_that_lies_on_a_figure_is_not_like_it(face):
    die = printed(2)
    lay(die, face, PLACE, TURN_DEG)
    assert likeness(cut(printed(1)), cut(die)) < 0.4


def test_bare_felt_is_like_nothing():
    assert abs(likeness(cut(floor(1)), cut(floor(2)))) < 0.2


def noted(empty, picture, at_rest=None, votes=()):
    clutter, track = Clutter(None if empty is None else Halves(empty)), Track(TOP, 1, 0)
    track.votes.extend(votes)
    if at_rest is not None:
        clutter.keep(Halves(at_rest))
    clutter.note_old([track], Halves(picture))
    return clutter.holds(track)


def test_thing_is_none_that_the_empty_tray_or_the_tray_at_rest_shows_too():
    die = printed(2)
    lay(die, "star", PLACE, TURN_DEG)
    shadow = in_shadow(printed(3))
    assert noted(printed(1), shadow)
    assert noted(None, shadow, at_rest=printed(1))
    assert not noted(printed(1), die)
    assert not noted(printed(1), in_shadow(die), at_rest=printed(2))
    assert not noted(None, shadow)


def test_thing_of_which_a_look_was_certain_is_none_only_if_the_empty_tray_shows_it():
    certain = [DieReading("white", "key", 0.99, (0, 0, 9, 9), TOP, ("key",), "")]
    assert noted(printed(1), in_shadow(printed(3)), votes=certain)
    assert not noted(None, in_shadow(printed(3)), at_rest=printed(1), votes=certain)
    assert not noted(printed(1), floor(1), votes=certain)


def test_die_that_a_hand_half_covers_is_itself_though_it_lay_there_at_rest():
    die = printed(2)
    lay(die, "star", PLACE, TURN_DEG)
    clutter, half = Clutter(), Track(TOP + (0.25 * SIDE_PX, 0), 1, 0)
    clutter.keep(Halves(die))
    known = LaidDie(Track(TOP, 1, 0), DieReading("white", "star", 0.99, (0, 0, 9, 9), TOP, (), ""))
    clutter.note_old([half], Halves(die), [known])
    assert not clutter.holds(half)
    clutter.note_old([half], Halves(die))
    assert clutter.holds(half)


def test_thing_that_is_known_for_none_is_one_again_once_all_is_forgotten():
    clutter, track = Clutter(), Track(TOP, 1, 0)
    clutter.keep(Halves(printed(1)))
    clutter.note_old([track], Halves(printed(2)))
    clutter.forget()
    assert not clutter.holds(track)
    clutter.note_old([track], Halves(printed(2)))
    assert not clutter.holds(track)


class Misled(Seeker):
    """Takes a figure for a die wherever a shadow lies on it."""

    def __init__(self, place, side_px):
        super().__init__()
        self.corners = side_px * CORNERS + place

    def seek(self, pixels, least=0.3, turns=0):
        found = super().seek(pixels, least, turns)
        left, top = self.corners.min(axis=0).astype(int)
        right, bottom = self.corners.max(axis=0).astype(int)
        is_dark = Halves.of(pixels).pixels[top:bottom, left:right].mean() < 60
        thing = found[0]._replace(corners=self.corners, heat=0.9) if found and is_dark else None
        return [*found, thing] if thing else found


X, Y, HALF = 60, 210, 12


def with_figure(pixels, shadow=()):
    """A picture in which something is printed on the tray, on which a shadow may lie."""
    pixels = pixels.copy()
    pixels[Y - HALF : Y + HALF : 6, X - HALF : X + HALF] += np.uint8(40)
    if shadow:
        pixels[Y - 2 * HALF : Y + 2 * HALF, X - 2 * HALF : X + 2 * HALF] //= 3
    return pixels


def printed_on(tray, shadow=()):
    """Its frames, with something printed on it."""
    plain = tray.frame

    def frame():
        now = plain()
        return now._replace(pixels=with_figure(now.pixels, shadow))

    return frame


def test_shadow_that_makes_a_figure_look_like_a_die_is_no_roll(watched):
    tray, shadow = watched(names=WHITE[:2]), []
    tray.frame = printed_on(tray, shadow)
    tray.live._seeker = Misled((X, Y), 2 * HALF)
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.run(0.5)
    shadow.append(True)
    assert tray.run(1.0) == []
    assert faces_of(tray.throw({"white-1": "troll"})[1][0]) == ["troll"]


def test_figure_that_is_read_as_a_die_is_none_where_the_empty_tray_shows_it(watched):
    tray = watched(names=WHITE[:2])
    tray.frame, read = printed_on(tray), tray.oracle.read
    there = 2 * HALF * CORNERS + (X, Y)
    figure = DieReading("white", "door", 0.99, (X - HALF, Y - HALF, 24, 24), there, ("door",), "")
    tray.oracle.read = lambda pixels, empty: [*read(pixels, empty), figure]
    tray.live = LiveTray(None, with_figure(tray.tray.empty()), reader=tray.oracle)
    _, [first] = tray.throw({"white-1": "key", "white-2": "troll"})
    rest_s, [throw] = tray.throw({"white-1": "troll"})
    assert (len(first.dice), throw.accepted) == (2, True)
    assert is_soon(throw, rest_s)
