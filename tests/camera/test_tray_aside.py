"""A real tray knows blocked dice that were put aside, and dice of a roll that did not come back."""

import numpy as np
import pytest

from camera.rolled import LyingDie, Throw
from camera.rolled import unread as unread_at
from camera.seek import Seeker
from camera.settle import Phase
from camera.simulated import SimulatedTray
from camera.slant import box_around
from camera.source import Frame
from camera.stills import DieReading
from camera.tray import Eyes, TrayWatcher

SQUARE = 20 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
ALL = ("white-1", "white-2", "white-3", "white-4")


class Rests:
    """Stands for the live pipeline: it tells the rests that it is given."""

    left_over, turns, phase, watermark_s = (), 0, Phase.STILL, 0.0
    steadied = np.zeros((540, 960, 3), np.uint8)

    def __init__(self):
        self.next = None

    def look(self, frame):
        told, self.next = self.next, None
        return told


class Table:
    """A tray in which white dice lie at places, from left to right."""

    def __init__(self, dice):
        tray = SimulatedTray(dice, {"tray": ALL}, seed=4, size_px=(960, 540))
        eyes = Eyes(Seeker(), None)
        self.watcher = TrayWatcher(tray.zones()["tray"], None, dice, None, eyes)
        self.empty, self.live, self.now_s = tray.empty(), Rests(), 0.0
        self.watcher._live = self.live
        self.watcher.expect(ALL, 4)
        self.rest({})
        self.rest({120: "troll", 180: "key", 240: "door", 300: "key"}, 120, 180, 240, 300)
        left_to_right = sorted(self.seen.readings, key=lambda reading: reading.box)
        self.lay = {60 * n + 120: one.name for n, one in enumerate(left_to_right)}

    def rest(self, faces, *moved, unread=()):
        """What lies here now, by place; where dice moved; and where nobody could read one."""
        lies = [LyingDie(self._die(x, face), x in moved) for x, face in faces.items()]
        lies += [LyingDie(unread_at(SQUARE + (x, 120)), True) for x in unread]
        self.now_s += 1.0
        self.live.next = Throw(self.now_s, self.now_s, True, tuple(lies), ())
        self.seen = self.watcher.see(Frame(self.now_s, self.empty))
        return [report.action.faces for report in self.seen.reports]

    def _die(self, x, face):
        corners = SQUARE + (x, 120)
        return DieReading("white", face, 0.99, box_around(corners), corners, (face,), "")

    def free(self, *places):
        self.watcher.expect([self.lay[x] for x in places], 1)

    @property
    def asked(self):
        return self.seen.question and self.seen.question.reason


@pytest.fixture
def table(grotto_dice):
    return Table(grotto_dice)


def test_blocked_die_that_is_put_aside_while_others_are_in_a_hand_is_no_roll(table):
    table.free(180, 240)
    assert table.rest({120: "troll", 300: "key"}) == []
    assert table.rest({300: "key", 400: "troll"}, 400) == []
    assert table.asked is None
    rolled = table.rest({200: "troll", 260: "door", 300: "key", 400: "troll"}, 200, 260)
    assert rolled == [{table.lay[180]: "troll", table.lay[240]: "door"}]
    named = {reading.name: reading.face for reading in table.seen.readings}
    assert named[table.lay[120]] == "troll"


def test_table_is_asked_whether_the_only_free_die_was_thrown_or_a_blocked_one_put_aside(table):
    table.free(180)
    table.rest({120: "troll", 240: "door", 300: "key"})
    assert table.rest({240: "door", 300: "key", 400: "troll"}, 400) == []
    assert table.asked == "too_many"
    rolled = table.rest({200: "key", 240: "door", 300: "key", 400: "troll"}, 200)
    assert (rolled, table.asked) == ([{table.lay[180]: "key"}], None)


def test_only_free_die_is_known_when_somebody_says_that_nobody_rolled(table):
    table.free(180)
    table.rest({120: "troll", 240: "door", 300: "key"})
    table.rest({240: "door", 300: "key", 400: "troll"}, 400)
    table.watcher.no_roll()
    rolled = table.rest({200: "troll", 240: "door", 300: "key", 400: "troll"}, 200)
    assert rolled == [{table.lay[180]: "troll"}]


def test_blocked_die_that_another_one_pushes_is_not_taken_for_the_thrown_one(table):
    table.free(180)
    table.rest({120: "troll", 240: "door", 300: "key"})
    rolled = table.rest({132: "troll", 240: "door", 300: "key", 400: "troll"}, 400)
    assert rolled == [{table.lay[180]: "troll"}]


def test_die_is_thrown_when_it_shows_what_no_blocked_one_does(table):
    table.free(180)
    table.rest({120: "troll", 240: "door", 300: "key"})
    assert table.rest({240: "door", 300: "key", 400: "diamond"}, 400) == [
        {table.lay[180]: "diamond"}
    ]


def test_die_that_fell_off_the_table_joins_the_roll_of_those_taken_up_with_it(table):
    table.free(120, 180, 240)
    table.rest({120: "troll", 300: "key"})
    assert table.rest({120: "troll", 200: "troll", 300: "key"}, 200) == []
    assert (table.asked, len(table.seen.question.names)) == ("too_few", 1)
    rolled = table.rest({120: "troll", 200: "troll", 260: "door", 300: "key"}, 260)
    assert rolled == [{table.lay[180]: "troll", table.lay[240]: "door"}]


def test_die_that_was_taken_out_before_is_no_part_of_the_roll(table):
    table.free(120, 180, 240)
    table.rest({120: "troll", 180: "key", 300: "key"})
    table.rest({120: "troll", 300: "key"})
    rolled = table.rest({120: "troll", 200: "troll", 300: "key"}, 200)
    assert [list(faces.values()) for faces in rolled] == [["troll"]]


def test_blocked_die_that_was_moved_along_keeps_its_name_however_far_it_lies(table):
    table.free(120, 180)
    table.rest({240: "door", 300: "key"})
    assert table.rest({300: "key", 400: "door"}) == []
    named = {reading.name: reading.face for reading in table.seen.readings}
    assert named == {table.lay[240]: "door", table.lay[300]: "key"}
    rolled = table.rest({200: "troll", 260: "door", 300: "key", 400: "door"}, 200, 260)
    assert rolled == [{table.lay[120]: "troll", table.lay[180]: "door"}]


def test_what_nobody_read_is_of_the_kind_that_is_missing(table):
    table.watcher.expect([*table.lay.values(), "red-1"], 1)
    table.rest({120: "troll", 200: "key", 240: "door", 300: "key"}, 200, unread=[400])
    assert (table.asked, table.seen.question.names) == ("unreadable", ("red-1",))
