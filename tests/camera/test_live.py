"""A simulated tray, watched as a clip would be: every roll is told once, and nothing else is."""

import functools

import cv2
import numpy as np
import pytest
from watched_tray import FRAME_S, WHITE, Blind, Oracle, faces_of, is_soon

from camera.clips import values_of
from camera.faces import CERTAIN
from camera.live import LiveTray
from camera.seek import Seeker, Seen
from camera.source import Frame
from camera.stills import DieReading
from camera.tracks import KEPT_VOTES, Track


def test_every_roll_is_told_once_and_soon_and_nothing_else_is(watched):
    tray = watched()
    rest_s, [throw] = tray.throw(dict(zip(WHITE, ("key", "door", "key", "troll"), strict=True)))
    assert is_soon(throw, rest_s)
    assert throw.accepted
    assert faces_of(throw) == ["door", "key", "key", "troll"]
    told_at = next(mark for mark in tray.marks if mark >= throw.at_s)
    assert told_at >= throw.declared_at_s - 1e-9
    assert tray.marks == sorted(tray.marks)

    tray.tray.reach_in("tray", tray.now_s)
    told = tray.run(0.6)
    tray.tray.shine((1.0, 0.1, 0.0))
    told += tray.run(0.1)
    tray.tray.shine((0.0, 0.0, 0.0))
    assert told + tray.run(0.1) == []

    rest_s, [throw] = tray.throw({"white-3": "troll", "white-4": "troll"}, after_s=0.2)
    assert is_soon(throw, rest_s)
    assert faces_of(throw) == ["troll", "troll"]
    assert faces_of(throw, moved=False) == ["door", "key"]

    tray.tray.take_out(["white-4"], tray.now_s)
    rest_s = tray.tray.throw({"white-1": "troll"}, tray.now_s)
    [throw] = tray.run(rest_s - tray.now_s + 0.6)
    assert not throw.accepted
    assert throw.doubts[0] == "4 dice lay here before, 3 do now"
    assert values_of(throw)["doubts"] == list(throw.doubts)


def test_die_lies_as_long_as_nothing_changes_in_the_picture(watched):
    tray = watched(names=WHITE[:1])
    tray.throw({"white-1": "key"}, after_s=2.0)
    assert tray.live.is_idle
    [known] = tray.live._known
    assert known.track.seen_s < known.track.lay_s == tray.now_s


def test_roll_of_the_dice_that_are_left_is_told_soon_after_one_was_taken_out(watched):
    tray = watched(names=WHITE[:3])
    tray.throw(dict(zip(WHITE[:3], ("key", "door", "troll"), strict=True)))
    gone_s = tray.tray.take_out(["white-3"], tray.now_s)
    assert tray.run(gone_s - tray.now_s + 0.8) == []
    rest_s, [throw] = tray.throw({"white-1": "troll", "white-2": "key"})
    assert is_soon(throw, rest_s)
    assert throw.doubts == ("3 dice lay here before, 2 do now",)
    _, [again] = tray.throw({"white-1": "key", "white-2": "door"})
    assert again.accepted


def square(x, y):
    return np.array([(x, y), (x + 30.0, y), (x + 30, y + 30), (x, y + 30)])


GHOST = square(60, 60)


class Haunted(Seeker):
    """Finds a die more where a finger is; that is also read, though without certainty."""

    def __init__(self, tray):
        super().__init__()
        self.tray, self.frame = tray, tray.frame
        self.read, self.is_haunted = tray.oracle.read, False

    def shown(self):
        frame = self.frame()
        if self.is_haunted:
            left, top = GHOST.min(axis=0).astype(int) - 9
            right, bottom = GHOST.max(axis=0).astype(int) + 9
            skin = np.random.default_rng(2).normal(
                (120, 150, 205), 25, (bottom - top, right - left, 3)
            )
            frame.pixels[top:bottom, left:right] = np.clip(skin, 0, 255)
        return frame

    def seek(self, pixels, least=0.3, turns=0):
        ghost = Seen(GHOST, 0.9, 0.0, np.array([0.0, 9.0]))
        return super().seek(pixels, least, turns) + [ghost] * self.is_haunted

    def read_too(self, pixels, empty):
        ghost = DieReading("white", "key", 0.5, (60, 60, 30, 30), GHOST, ("key", "door"), "unsure")
        return self.read(pixels, empty) + [ghost] * self.is_haunted


def test_what_looks_like_one_die_more_while_a_hand_reaches_in_is_no_roll(watched):
    tray = watched(names=WHITE[:2])
    haunted = Haunted(tray)
    tray.live = LiveTray(None, reader=tray.oracle, seeker=haunted)
    tray.oracle.read, tray.frame = haunted.read_too, haunted.shown
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.tray.reach_in("tray", tray.now_s)
    told = tray.run(0.1)
    haunted.is_haunted = True
    told += tray.run(0.2)  # as long as the hand is there
    haunted.is_haunted = False
    assert told + tray.run(0.6) == []


class Hand(Haunted):
    """Lies over a die; something of it looks like another one."""

    certainty = 0.1

    def __init__(self, tray, name):
        super().__init__(tray)
        self.name = name

    def read_too(self, pixels, empty):
        if not self.is_haunted:
            return self.read(pixels, empty)
        at = self.tray.place_of(self.name)
        *seen, ghost = super().read_too(pixels, empty)
        seen = [one for one in seen if np.hypot(*(one.corners.mean(axis=0) - at)) > 9]
        return [*seen, ghost._replace(certainty=self.certainty)]

    def shown(self):
        frame = super().shown()
        if self.is_haunted:
            x, y = (round(v) for v in self.tray.place_of(self.name))
            arm = np.zeros(frame.pixels.shape[:2], np.uint8)
            cv2.line(arm, (x, y - 20), (x + 300, y - 60), 1, 90)
            skin = np.random.default_rng(1).normal((120, 150, 205), 25, frame.pixels.shape)
            frame.pixels[arm > 0] = np.clip(skin, 0, 255)[arm > 0]
        return frame


@pytest.mark.parametrize("turns", [0, 2])
def test_hand_that_rests_on_a_die_rolls_none(watched, turns):
    """Nor when the way up of the pictures is told by what little can be seen beside it."""
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    hand = Hand(tray, "white-2")
    tray.live._empty, tray.live._seeker, tray.oracle.read = None, hand, hand.read_too
    tray.frame = hand.shown
    hand.is_haunted, tray.oracle.turns = True, turns
    told = tray.run(1.5)
    hand.is_haunted = False
    assert told + tray.run(1.0) == []
    rest_s, [throw] = tray.throw({"white-1": "troll"})
    assert is_soon(throw, rest_s)
    assert faces_of(throw, moved=False) == ["door"]


@pytest.mark.parametrize(("certainty", "for_s"), [(0.35, 1.5), (0.48, 4.0)])
def test_hand_that_rests_on_a_die_and_looks_somewhat_like_one_rolls_none(watched, certainty, for_s):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    hand = Hand(tray, "white-2")
    tray.live._seeker, tray.oracle.read, tray.frame = hand, hand.read_too, hand.shown
    hand.certainty, hand.is_haunted = certainty, True
    told = tray.run(for_s)
    hand.is_haunted = False
    assert told + tray.run(1.0) == []
    rest_s, [throw] = tray.throw({"white-1": "troll"})
    assert is_soon(throw, rest_s)


@pytest.mark.parametrize("seed", [4, 6, 9])
def test_roll_after_a_die_was_pushed_aside_is_told_as_any_other(watched, seed):
    tray = watched(names=WHITE[:2], seed=seed)
    tray.throw({"white-1": "key", "white-2": "door"})
    assert tray.run(tray.tray.move_aside(["white-2"], tray.now_s) - tray.now_s + 0.5) == []
    rest_s, [throw] = tray.throw({"white-1": "troll"})
    assert is_soon(throw, rest_s)
    assert throw.accepted
    assert faces_of(throw, moved=False) == ["door"]


def test_rolls_are_told_once_and_soon_on_a_table_that_shakes(watched):
    tray = watched(shakes_px=1.5)
    tray.run(0.3)
    rest_s, [throw] = tray.throw(dict(zip(WHITE, ("key", "door", "key", "troll"), strict=True)))
    assert is_soon(throw, rest_s)
    assert throw.accepted
    assert tray.run(0.5) == []
    rest_s, [throw] = tray.throw({"white-3": "troll"})
    assert is_soon(throw, rest_s)
    assert faces_of(throw, moved=False) == ["door", "key", "troll"]


def test_nothing_is_told_when_the_camera_turns_out_to_hang_another_way(watched):
    tray = watched()
    tray.throw(dict(zip(WHITE, ("key", "door", "key", "troll"), strict=True)))
    tray.oracle.turns = 2
    assert tray.run(0.6) == []
    assert tray.live._overlooked.turns == 2
    rest_s, [throw] = tray.throw({"white-3": "troll"})
    assert is_soon(throw, rest_s)
    assert faces_of(throw, moved=False) == ["door", "key", "troll"]


def test_what_the_reader_has_left_over_counts_where_nobody_knows_how_many_dice_lie_there(watched):
    tray = watched(names=WHITE[:1])
    tray.oracle.left_over = ("pips of a die that was not read",)
    _, [first] = tray.throw({"white-1": "key"})
    assert not first.accepted
    assert first.doubts == tray.oracle.left_over
    _, [again] = tray.throw({"white-1": "door"})
    assert again.accepted


@pytest.mark.parametrize(("expect", "crooked"), [(3, []), (2, ["white-2"])])
def test_roll_is_not_accepted_when_dice_lack_or_lean(watched, expect, crooked):
    tray = watched(names=WHITE[:2], expect=expect, crooked=crooked)
    faces = {"white-1": "key", "white-2": "door"}
    _, [throw] = tray.throw(faces, crooked=crooked)
    assert not throw.accepted
    if expect == 3:
        assert throw.doubts[0] == "expected 3 dice, saw 2"
    if crooked:
        assert "throw this one again" in throw.doubts[0]


def test_doubtful_roll_of_more_dice_than_lay_here_is_told_soon_though_the_camera_is_noisy(watched):
    tray = watched(names=WHITE[:2], noise=20.0)
    tray.run(1.0)
    tray.throw({"white-1": "key"})
    tray.oracle.sure = 0.8
    rest_s, [throw] = tray.throw({"white-1": "door", "white-2": "troll"})
    assert is_soon(throw, rest_s)
    assert not throw.accepted
    assert faces_of(throw) == ["door", "troll"]


def test_die_that_was_read_badly_at_one_rest_is_read_anew_at_the_next(watched):
    tray = watched(names=WHITE[:2])
    tray.run(1.0)
    tray.oracle.sure = 0.6
    tray.throw({"white-1": "key"}, after_s=1.0)
    tray.oracle.sure = 0.99
    _, [throw] = tray.throw({"white-2": "door"}, after_s=0.8)
    assert all(die.reading.certainty >= CERTAIN for die in throw.dice)


def test_looks_at_a_die_that_lies_there_all_evening_do_not_pile_up():
    track = Track(square(20, 20), 0.9, 0.0)
    track.votes.extend([None] * 2 * KEPT_VOTES)
    assert len(track.votes) == KEPT_VOTES


@pytest.mark.parametrize(("missed", "is_accepted"), [({2}, True), (set(range(9)), False)])
def test_die_that_is_missed_in_one_look_counts_and_one_that_nobody_reads_is_told(
    watched, missed, is_accepted
):
    tray = watched(names=WHITE[:2], expect=2 if is_accepted else None)
    tray.oracle.looks = 0
    tray.oracle.misses["white-2"] = missed
    _, [throw] = tray.throw({"white-1": "key", "white-2": "door"}, after_s=0.6)
    assert len(throw.dice) == 2
    assert throw.accepted == is_accepted
    assert (throw.doubts == ()) == is_accepted
    assert is_accepted or "that may be a die" in throw.doubts[0]


@pytest.mark.parametrize("for_frames", [1, 20])
def test_no_face_is_certain_in_a_tray_full_of_noise(for_frames):
    """Nor where the noise stands still, as something that came to rest does."""
    live = LiveTray(None)
    live.see(Frame(0.0, np.full((120, 160, 3), 90, np.uint8)))
    for number in range(60):
        noise = np.random.default_rng(number // for_frames).integers(0, 255, (120, 160, 3))
        throw = live.see(Frame((number + 1) * FRAME_S, noise.astype(np.uint8)))
        assert throw is None or not throw.accepted
    assert live.dice == ()


def test_dice_in_pictures_of_another_size_were_not_rolled(watched):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.live._empty = None
    tray.oracle.read = lambda pixels, empty: [
        one._replace(corners=2 * one.corners + 0.5)
        for one in Oracle.read(tray.oracle, pixels, empty)
    ]
    whole = tray.frame
    tray.frame = lambda: (now := whole())._replace(pixels=now.pixels.repeat(2, 0).repeat(2, 1))
    assert tray.run(1.0) == []
    assert len(tray.live.dice) == 2


def test_die_that_only_the_reader_sees_is_told_as_soon_as_others(watched):
    late_s = []
    for is_blind in (False, True):
        tray = watched(names=WHITE[:2], expect=2, frame_s=1 / 15)
        if is_blind:
            tray.live._seeker = Blind(functools.partial(tray.place_of, "white-2"))
        rest_s, [throw] = tray.throw({"white-1": "key", "white-2": "door"})
        assert throw.accepted
        late_s.append(throw.declared_at_s - rest_s)
    assert late_s[1] == pytest.approx(late_s[0])
