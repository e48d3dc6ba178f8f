"""A real tray whose camera was bumped, or that nobody could see for a while."""

import msgspec
import numpy as np
import pytest
from test_live import FRAME_S, WHITE, Oracle

from camera.rolled import LyingDie, Throw
from camera.seek import Seeker
from camera.simulated import SimulatedTray
from camera.sway import moved_back
from camera.throws import Away, Resting, fly
from camera.tray import Eyes, TrayWatcher

SEED, BLIND_S = 4, 3.0


class InZone(Oracle):
    """Reads dice in the part of the picture that a tray takes."""

    offset = np.zeros(2)

    def reading(self, kind, pose, leans):
        one = super().reading(kind, pose, leans)
        left, top = (int(v) for v in self.offset)
        box = (one.box[0] - left, one.box[1] - top, *one.box[2:])
        return one._replace(corners=one.corners - self.offset, box=box)


class Watched:
    """A tray whose rolls are reported with names."""

    def __init__(self, dice, guessed=None):
        """guessed: how many times as many dice as there is room for the zone is said to hold."""
        self.tray = SimulatedTray(dice, {"tray": WHITE}, seed=SEED, size_px=(960, 540))
        self.oracle = InZone(self.tray, dice)
        eyes = Eyes(Seeker(), self.oracle)
        self.zone = zone = self.tray.zones()["tray"]
        if guessed is not None:
            size = (zone.size_sides[0] * guessed, zone.size_sides[1] * guessed)
            zone = msgspec.structs.replace(zone, size_sides=size)
        self.watcher = TrayWatcher(
            zone, None, dice, self.tray.empty(), eyes, is_to_scale=guessed is None
        )
        self.oracle.offset = self.watcher._offset
        self.now_s, self.shift_px = 0.0, 0.0
        self.watcher.expect(WHITE, 1)
        self.run(0.3)

    def run(self, for_s, frame_s=FRAME_S):
        reports, until_s = [], self.now_s + for_s
        while self.now_s < until_s:
            self.now_s += frame_s
            self.oracle.at_s = self.now_s
            frame = self.tray.frame(self.now_s)
            shifted = moved_back(frame.pixels, np.array([-self.shift_px, 0.0]))
            self.seen = self.watcher.see(frame._replace(pixels=shifted))
            reports += self.seen.reports
        self.within_s = [report.within_s for report in reports]
        return [sorted(report.action.faces.values()) for report in reports]

    def throw(self, faces):
        return self.run(self.tray.throw(faces, self.now_s) - self.now_s + 0.6)

    def push(self, name, sides):
        """While nobody looks."""
        lies = self.tray._motion_at(name, self.now_s).lies
        x, y, z = lies.centre
        there = Resting(lies._replace(centre=(x + sides, y, z)))
        self.tray._ways[name].append((self.now_s, there))

    def throw_beside(self, name, sides):
        """A throw that ends beside where the die lay, as it lay."""
        lies, begin_s = self.tray._motion_at(name, self.now_s).lies, self.now_s + 1.0
        x, y, z = lies.centre
        there, floor = lies._replace(centre=(x + sides, y, z)), self.tray._scene.floors["tray"]
        flight = fly(there, floor, begin_s, begin_s + 0.7, np.random.default_rng(3))
        ways = [(self.now_s, Away()), (begin_s, flight), (begin_s + 0.7, Resting(there))]
        self.tray._ways[name] += ways


@pytest.mark.parametrize("guessed", [0.5, 2.0])
def test_tray_learns_from_its_first_dice_how_large_it_is(grotto_dice, guessed):
    table = Watched(grotto_dice, guessed)
    table.oracle.sure = 0.5
    assert table.throw({"white-1": "key", "white-2": "door"}) == []
    table.oracle.sure = 0.99  # dice that are not read for certain tell nothing
    assert table.watcher._view.zone.size_sides[0] != pytest.approx(
        table.zone.size_sides[0], rel=0.3
    )
    lay = {reading.name: reading.face for reading in table.seen.readings}
    table.watcher.answered(lay)
    table.watcher.expect(WHITE[2:], 1)
    assert table.throw({"white-3": "troll"}) == [["troll"]]
    assert table.watcher._view.zone.size_sides == pytest.approx(table.zone.size_sides, rel=0.03)
    assert {r.name: r.face for r in table.seen.readings} == {**lay, "white-3": "troll"}
    lies = {r.name: (r.body.x, r.body.y) for r in table.seen.readings}
    table.watcher.expect(WHITE, 1)
    assert table.throw({"white-4": "key"}) == [["key"]]
    for reading in table.seen.readings:
        if reading.name in lies:
            assert (reading.body.x, reading.body.y) == pytest.approx(lies[reading.name], abs=0.05)


@pytest.mark.parametrize("is_told", [True, False])
def test_die_that_was_pushed_while_nobody_could_see_was_not_rolled(grotto_dice, is_told):
    table = Watched(grotto_dice)
    assert table.throw({"white-1": "key", "white-2": "door"}) == [["door", "key"]]
    table.watcher.expect(WHITE, 1)
    if is_told:
        table.watcher.unseen()
    else:
        table.now_s += BLIND_S
    table.push("white-1", 0.4)
    assert table.run(1.2) == []
    assert table.throw({"white-3": "troll"}) == [["troll"]]


@pytest.mark.parametrize("gap_s", [0.0, 0.7])
def test_throw_that_all_could_see_is_a_roll_however_often_the_camera_has_stopped_before(
    grotto_dice, gap_s
):
    table = Watched(grotto_dice)
    table.throw({"white-1": "key", "white-2": "door"})
    table.watcher.expect(WHITE, 1)
    table.now_s += gap_s
    table.run(1.0)
    table.throw_beside("white-1", 0.5)
    assert table.run(2.5) == [["key"]]


def test_moment_of_a_roll_is_as_unsure_as_frames_were_far_apart_when_it_came_to_rest(grotto_dice):
    table = Watched(grotto_dice)
    rest_s = table.tray.throw({"white-1": "key"}, table.now_s)
    assert table.run(rest_s - table.now_s + 0.05, 0.1) == []
    assert table.run(0.6) == [["key"]]
    assert table.within_s == [pytest.approx(0.1)]


def test_moment_of_a_roll_that_is_told_late_is_no_surer(grotto_dice):
    """Until one that lay there is taken for gone, nobody knows whether the others are all."""
    table = Watched(grotto_dice)
    table.throw({"white-1": "key", "white-2": "door", "white-3": "troll"})
    table.watcher.expect(["white-1", "white-2"], 1)
    table.tray.take_out(["white-3"], table.now_s)
    assert table.throw({"white-1": "door", "white-2": "troll"}) == [["door", "troll"]]
    assert table.within_s == [pytest.approx(FRAME_S, abs=1e-6)]


@pytest.mark.parametrize(("is_at_edge", "asked"), [(True, "cut"), (False, "unreadable")])
def test_die_that_nobody_read_is_thrown_again_where_the_edge_cuts_it(
    grotto_dice, mocker, is_at_edge, asked
):
    table = Watched(grotto_dice)
    high, wide = table.watcher._part(table.tray.empty()).shape[:2]
    middle = (wide / 2, high - 1 if is_at_edge else high / 2)
    beside = middle + 20 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
    rest = Throw(table.now_s, table.now_s, False, (), (), (beside,))
    mocker.patch.object(table.watcher._live, "look", side_effect=[rest, None])
    table.run(FRAME_S)
    assert table.seen.question.reason == asked


def test_what_is_learnt_from_an_answer_is_the_die_though_the_camera_was_bumped(grotto_dice):
    patches = []
    for shift_px in (0.0, 6.0):
        table = Watched(grotto_dice)
        table.oracle.sure = 0.5
        table.shift_px = shift_px
        table.run(0.3)
        assert table.throw({"white-1": "key"}) == []
        patches.append(table.seen.question.patch.astype(float))
    assert np.abs(patches[0] - patches[1]).mean() < 4


def test_die_that_somebody_turned_is_asked_about_as_of_then(grotto_dice, mocker):
    table = Watched(grotto_dice)
    table.throw({"white-1": "key", "white-2": "door"})
    table.watcher.expect(WHITE, 1)
    lying = [LyingDie(die, False) for die in table.watcher._live.dice]
    turned = LyingDie(lying[0].reading._replace(face="troll"), False)
    rest = Throw(table.now_s, table.now_s, False, (turned, *lying[1:]), ())
    mocker.patch.object(table.watcher._live, "look", side_effect=[rest, None])
    table.run(FRAME_S)
    assert (table.seen.question.reason, table.seen.question.at_s) == ("turned", rest.at_s)
