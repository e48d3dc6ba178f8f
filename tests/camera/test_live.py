"""A simulated tray, watched as a clip would be: every roll is told once, and nothing else is."""

import functools
import random

import cv2
import numpy as np
import pytest

from camera.clips import values_of
from camera.faces import CERTAIN
from camera.live import LiveTray
from camera.rolled import UNREAD, Throw
from camera.seek import Seeker, Seen
from camera.simulated import SimulatedTray
from camera.source import Frame
from camera.stills import DieReading
from camera.sway import moved_back
from camera.throws import Resting
from camera.tracks import KEPT_VOTES, Track

FRAME_S = 1 / 30
WHITE = ("white-1", "white-2", "white-3", "white-4")
FRAMES_AFTER_REST = 5


class Oracle:
    """Reads dice without an error: it knows how they lie. It misses those that it is told to."""

    left_over, turns = (), 0

    def __init__(self, tray, dice, crooked=()):
        self.tray, self.dice, self.crooked = tray, dice, crooked
        self.at_s, self.misses, self.looks, self.sure = 0.0, {}, 0, 0.99

    def read(self, pixels, empty):
        self.looks += 1
        motions = {name: self.tray._motion_at(name, self.at_s) for name in self.tray._ways}
        return [
            self.reading(self.dice[name].kind, motion.lies, name in self.crooked)
            for name, motion in motions.items()
            if isinstance(motion, Resting) and self.looks not in self.misses.get(name, ())
        ]

    def reading(self, kind, pose, leans):
        square = np.array([(-0.5, -0.5, 0.5), (0.5, -0.5, 0.5), (0.5, 0.5, 0.5), (-0.5, 0.5, 0.5)])
        around = [np.array(pose.centre) + np.array([*corner[:2], 0.5]) for corner in square]
        corners = self.tray._scene.project(np.array(around))
        low = corners.min(axis=0).astype(int)
        box = (int(low[0]), int(low[1]), 40, 40)
        if leans:
            return DieReading(kind, "cocked", 0.4, box, corners, (), "cocked")
        doubt = "" if self.sure > 0.9 else "unsure"
        return DieReading(kind, pose.top, self.sure, box, corners, (pose.top,), doubt)


class Watched:
    """A tray in which dice are thrown, and what was told of it."""

    def __init__(
        self, dice, seed=4, names=WHITE, expect=None, crooked=(), noise=0.0, shakes_px=0.0
    ):
        self.tray = SimulatedTray(dice, {"tray": names}, seed=seed, size_px=(480, 270))
        self.oracle = Oracle(self.tray, dice, crooked)
        self.live = LiveTray(None, self.tray.empty(), expect=expect, reader=self.oracle)
        self.now_s, self.marks = 0.0, []
        self.noise, self.shakes_px, self.rng = noise, shakes_px, np.random.default_rng(seed)
        self.run(0.1)

    def run(self, for_s) -> list[Throw]:
        told = []
        until_s = self.now_s + for_s
        while self.now_s < until_s:
            self.now_s += FRAME_S
            self.oracle.at_s = self.now_s
            throw = self.live.see(self.frame())
            self.marks.append(self.live.watermark_s)
            if throw is not None:
                told.append(throw)
        return told

    def frame(self):
        frame = self.tray.frame(self.now_s)
        if self.shakes_px:
            way = self.rng.uniform(-self.shakes_px, self.shakes_px, 2)
            frame = frame._replace(pixels=moved_back(frame.pixels, way))
        noisy = frame.pixels + self.noise * self.rng.normal(size=frame.pixels.shape)
        return frame._replace(pixels=np.clip(noisy, 0, 255).astype(np.uint8))

    def place_of(self, name):
        motion = self.tray._motion_at(name, self.now_s)
        if not isinstance(motion, Resting):
            return (-999.0, -999.0)
        return self.oracle.reading("white", motion.lies, False).corners.mean(axis=0)

    def throw(self, faces, after_s=0.4, **how):
        rest_s = self.tray.throw(faces, self.now_s, **how)
        return rest_s, self.run(rest_s - self.now_s + after_s)


@pytest.fixture
def watched(grotto_dice):
    return lambda **how: Watched(grotto_dice, **how)


def faces_of(throw: Throw, *, moved=True) -> list[str]:
    return sorted(die.reading.face for die in throw.dice if die.moved == moved)


def is_soon(throw: Throw, rest_s: float) -> bool:
    is_exact = abs(throw.at_s - rest_s) <= FRAME_S
    return is_exact and throw.declared_at_s - rest_s <= FRAMES_AFTER_REST * FRAME_S


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


class Blind(Seeker):
    """Finds no die near a place in the picture that is known later."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def seek(self, pixels, least=0.3, turns=0):
        place, found = self.place(), super().seek(pixels, least, turns)
        return [d for d in found if np.hypot(*(d.middle - place)) > d.side_px]


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


def test_die_that_is_hardly_seen_is_asked_about_soon_where_one_is_missing(watched):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.live._seeker, tray.oracle.sure = Dim(lambda: tray.place_of("white-2")), 0.5
    rest_s, [throw] = tray.throw({"white-2": "troll"}, after_s=0.25)
    assert is_soon(throw, rest_s)
    assert not throw.accepted
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["troll"], ["key"])


def test_who_starts_anew_is_told_again_what_nobody_found(watched):
    tray = watched(names=WHITE[:2])
    tray.live._seeker = Blind(lambda: tray.place_of("white-2"))
    tray.oracle.misses = {"white-2": range(9999)}
    tray.live.see = tray.live.look
    _, [first] = tray.throw({"white-1": "key", "white-2": "door"})
    tray.live.start_anew()
    [again] = tray.run(0.3)
    assert len(again.beside) == len(first.beside) == 1


def square(x, y):
    return np.array([(x, y), (x + 30.0, y), (x + 30, y + 30), (x, y + 30)])


GHOST = square(60, 60)


class Haunted(Seeker):
    """Finds a die more where there is bare floor; that is also read, though without certainty."""

    def __init__(self, oracle):
        super().__init__()
        self.read, self.is_haunted = oracle.read, False

    def seek(self, pixels, least=0.3, turns=0):
        ghost = Seen(GHOST, 0.9, 0.0, np.array([0.0, 9.0]))
        return super().seek(pixels, least, turns) + [ghost] * self.is_haunted

    def read_too(self, pixels, empty):
        ghost = DieReading("white", "key", 0.5, (60, 60, 30, 30), GHOST, ("key", "door"), "unsure")
        return self.read(pixels, empty) + [ghost] * self.is_haunted


def test_what_looks_like_one_die_more_while_a_hand_reaches_in_is_no_roll(watched):
    tray = watched(names=WHITE[:2])
    haunted = Haunted(tray.oracle)
    tray.live._empty, tray.live._seeker, tray.oracle.read = None, haunted, haunted.read_too
    tray.throw({"white-1": "key", "white-2": "door"})
    tray.tray.reach_in("tray", tray.now_s)
    told = tray.run(0.1)
    haunted.is_haunted = True
    told += tray.run(0.3)
    haunted.is_haunted = False
    assert told + tray.run(0.6) == []


class Hand(Haunted):
    """Lies over a die; something of it looks like another one."""

    def __init__(self, tray, name):
        super().__init__(tray.oracle)
        self.tray, self.name, self.frame = tray, name, tray.frame

    def read_too(self, pixels, empty):
        if not self.is_haunted:
            return self.read(pixels, empty)
        at = self.tray.place_of(self.name)
        *seen, ghost = super().read_too(pixels, empty)
        seen = [one for one in seen if np.hypot(*(one.corners.mean(axis=0) - at)) > 9]
        return [*seen, ghost._replace(certainty=0.1)]

    def shown(self):
        frame = self.frame()
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


def test_no_face_is_certain_in_a_tray_full_of_noise():
    chance = random.Random(3)
    live = LiveTray(None)
    for number in range(12):
        noise = np.random.default_rng(chance.randrange(99)).integers(0, 255, (120, 160, 3))
        assert live.see(Frame(number * FRAME_S, noise.astype(np.uint8))) is None


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


def test_die_that_only_the_reader_sees_is_told_as_soon_as_others(watched, monkeypatch):
    monkeypatch.setitem(globals(), "FRAME_S", 1 / 15)
    late_s = []
    for is_blind in (False, True):
        tray = watched(names=WHITE[:2], expect=2)
        if is_blind:
            tray.live._seeker = Blind(functools.partial(tray.place_of, "white-2"))
        rest_s, [throw] = tray.throw({"white-1": "key", "white-2": "door"})
        assert throw.accepted
        late_s.append(throw.declared_at_s - rest_s)
    assert late_s[1] == pytest.approx(late_s[0])
