"""A die that lies in a tray and cannot be read, or is hardly seen: the table is asked, soon."""

import cv2
import numpy as np
import pytest
from watched_tray import FRAME_S, WHITE, Blind, covered, faces_of, is_soon

from camera.rolled import UNREAD
from camera.seek import Seeker, Seen

STAIN = np.array([(60.0, 180.0), (88, 180), (88, 208), (60, 208)])
PATTERN = np.random.default_rng(1).integers(60, 200, (28, 28, 3), dtype=np.uint8)


def test_die_that_nobody_can_read_is_asked_about_soon_where_no_hand_is_in_the_tray(watched):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.oracle.sure = 0.1
    rest_s, [throw] = tray.throw({"white-1": "troll"}, after_s=0.25)
    assert is_soon(throw, rest_s)
    assert not throw.accepted
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["troll"], ["door"])


def test_die_that_is_not_read_is_asked_about_soon_where_all_dice_are_in_sight(watched):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.oracle.misses["white-2"] = range(999)
    rest_s, [throw] = tray.throw({"white-1": "troll", "white-2": "key"}, after_s=0.25)
    assert is_soon(throw, rest_s)
    assert not throw.accepted
    assert faces_of(throw) == ["troll", UNREAD]


def test_roll_is_not_accepted_when_a_die_lies_there_that_nobody_found(watched):
    tray = watched(names=WHITE[:2])
    tray.oracle.misses = {"white-2": range(9999)}
    tray.live._seeker = Blind(lambda: tray.place_of("white-2"))
    _, [throw] = tray.throw({"white-1": "key", "white-2": "door"})
    assert faces_of(throw) == ["key"]
    assert not throw.accepted
    assert [told for told in throw.doubts if "that was not in the empty tray" in told]


class Dim(Blind):
    """Hardly sees a die near that place."""

    def seek(self, pixels, least=0.3, turns=0):
        place, found = self.place(), Seeker.seek(self, pixels, least, turns)
        near = [np.hypot(*(d.middle - place)) <= d.side_px for d in found]
        return [d._replace(heat=0.4) if n else d for d, n in zip(found, near, strict=True)]


@pytest.mark.parametrize("missing", [{"white-2": "door"}, {}])
def test_die_that_is_hardly_seen_is_asked_about_soon_whether_or_not_one_is_missing(
    watched, missing
):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", **missing})
    tray.live._seeker, tray.oracle.sure = Dim(lambda: tray.place_of("white-2")), 0.5
    rest_s, [throw] = tray.throw({"white-2": "troll"}, after_s=0.25)
    assert is_soon(throw, rest_s)
    assert not throw.accepted
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["troll"], ["key"])


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_die_that_is_hardly_seen_rests_since_it_lies_though_known_ones_are_seen_later(
    watched, frames
):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key"})
    tray.live._seeker, tray.oracle.sure = Dim(lambda: tray.place_of("white-2")), 0.5
    rest_s = tray.tray.throw({"white-2": "troll"}, tray.now_s)
    tray.frame, whole = covered(tray, "white-1"), tray.frame
    assert tray.run(rest_s - tray.now_s + frames * FRAME_S) == []
    tray.frame = whole
    [throw] = tray.run(0.4)
    assert abs(throw.at_s - rest_s) <= FRAME_S


def test_lone_die_that_is_thrown_again_and_hardly_seen_is_asked_about(watched):
    tray = watched(names=WHITE[:1])
    tray.throw({"white-1": "key"})
    tray.live._seeker, tray.oracle.sure = Dim(lambda: tray.place_of("white-1")), 0.5
    rest_s, [throw] = tray.throw({"white-1": "troll"}, after_s=1.0)
    assert abs(throw.at_s - rest_s) <= FRAME_S
    assert not throw.accepted


class Stain(Seeker):
    """Finds a little of a die where there is none, and nothing else."""

    def seek(self, pixels, least=0.3, turns=0):
        return [Seen(STAIN, 0.4, 0.1, np.array([2.0, 14.0]))]


@pytest.mark.parametrize("is_covered", [True, False])
def test_what_is_hardly_seen_and_no_die_does_not_hold_up_what_is_known_to_be_told(
    watched, is_covered
):
    """Nor where a hand hides all dice for long, and moves."""
    tray = watched(names=WHITE[:1])
    tray.throw({"white-1": "key"})
    whole = covered(tray, "white-1") if is_covered else tray.frame
    x, y = STAIN[0].astype(int)

    def stained():
        now = whole()
        now.pixels[y : y + 28, x : x + 28] = PATTERN
        now.pixels[20:60, (left := int(200 * now.at_s) % 400) : left + 40] = 200
        return now

    tray.live._seeker, tray.frame = Stain(), stained
    tray.run(3.0)
    assert tray.now_s - tray.live.watermark_s < 0.5


def test_what_is_hardly_seen_and_like_no_face_is_no_roll_where_none_is_missing(watched):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key"})
    tray.live._seeker, tray.oracle.sure = Dim(lambda: tray.place_of("white-2")), 0.2
    assert tray.throw({"white-2": "troll"}, after_s=1.0)[1] == []


def test_who_starts_anew_is_told_again_what_nobody_found(watched):
    tray = watched(names=WHITE[:2])
    tray.live._seeker = Blind(lambda: tray.place_of("white-2"))
    tray.oracle.misses = {"white-2": range(9999)}
    tray.live.see = tray.live.look
    _, [first] = tray.throw({"white-1": "key", "white-2": "door"})
    tray.live.start_anew()
    [again] = tray.run(0.3)
    assert len(again.beside) == len(first.beside) == 1


def shaded(tray, name):
    """Frames in which the edge of a shadow lies over a die."""
    whole, (x, y) = tray.frame, np.rint(tray.place_of(name)).astype(int)

    def frame():
        now = whole()
        pixels = now.pixels.copy()
        pixels[y - 40 : y + 40, x - 40 : x] //= 3
        return now._replace(pixels=pixels)

    return frame


def test_die_that_is_not_read_stays_known_when_a_shadow_passes_over_it(watched):
    tray = watched(names=WHITE[:2])
    tray.oracle.misses["white-2"] = range(9999)
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.frame, bright = shaded(tray, "white-2"), tray.frame
    told = tray.run(0.06)
    tray.frame = bright
    assert told + tray.run(0.5) == []
    rest_s, [throw] = tray.throw({"white-1": "troll"})
    assert is_soon(throw, rest_s)
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["troll"], [UNREAD])


SHADOW_SIDES = np.array([1.05, 0.5])  # to the right and below


class Shadowed(Seeker):
    """Takes the shadow of a die for another one."""

    def __init__(self, tray, name):
        super().__init__()
        self.tray, self.name = tray, name

    def seek(self, pixels, least=0.3, turns=0):
        found, place = super().seek(pixels, least, turns), np.array(self.tray.place_of(self.name))
        die = next((d for d in found if np.hypot(*(d.middle - place)) < d.side_px), None)
        if die is None:
            return found
        shadow = die._replace(corners=die.corners + SHADOW_SIDES * die.side_px, heat=0.65)
        return [*found, shadow]


def under_one_lamp(tray):
    """Frames in which all dice throw sharp shadows."""
    whole, bare = tray.frame, tray.tray.empty()
    radius_px = 15

    def frame():
        now = whole()
        dark = np.zeros(bare.shape[:2], np.uint8)
        for name in tray.tray._ways:
            middle = tray.place_of(name) + 2 * radius_px * SHADOW_SIDES
            cv2.circle(dark, np.rint(middle).astype(int).tolist(), radius_px, (1,), -1)
        is_floor = np.abs(now.pixels.astype(int) - bare).max(axis=2) < 60
        pixels = now.pixels.copy()
        pixels[(dark > 0) & is_floor] //= 4
        return now._replace(pixels=pixels)

    return frame


def test_sharp_shadow_is_no_die_that_nobody_can_read(watched):
    tray = watched(names=WHITE[:3])
    tray.frame = under_one_lamp(tray)
    tray.live._seeker = Shadowed(tray, "white-2")
    rest_s, [throw] = tray.throw({"white-1": "key", "white-2": "door", "white-3": "troll"})
    assert is_soon(throw, rest_s)
    assert (throw.accepted, faces_of(throw)) == (True, ["door", "key", "troll"])
