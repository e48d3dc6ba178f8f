"""Simulated players at a real table: they decide, and ask people for their hands."""

import pytest

from companion.actions import Chose, Flipped, Report, Rolled
from companion.app import Companion
from companion.clock import SimulatedClock
from companion.config import DiceSettings
from companion.games import GAMES
from companion.inbox import Inbox
from companion.moving import moving_parts
from companion.players import some_players
from companion.real_room import RealRoom
from companion.referee import Referee
from companion.stand_ins import LEAST_S

DIAMONDS = {f"white-{n}": "diamond" for n in (1, 2, 3)} | {"white-4": "troll"}


class Table:
    """A real room without devices, on a clock that the test moves."""

    def __init__(self, game="troll_and_dragon"):
        self.clock = SimulatedClock(0.0)
        self.referee = Referee(GAMES[game], some_players(2))
        self.inbox = Inbox(self.clock)
        self.room = RealRoom(self.referee, self.inbox, self.clock, DiceSettings())
        self.companion = Companion(
            self.referee, self.inbox, self.clock, journal=None, number=1, simulated=False
        )
        self.companion.begin(self.room)

    def happens(self, action, source="web:ann"):
        self.inbox.put(Report(action, at_s=self.clock.now_s(), source=source))
        self.companion.decide()

    def goes_on(self, seconds):
        self.clock.move_to(self.clock.now_s() + seconds)
        self.inbox.stir()
        self.room.advance(None)
        while self.companion.decide():
            pass

    def asks(self):
        row = moving_parts(self.referee, self.room, self.inbox, self.companion.machine)
        return [one["player"] for one in row["asks"]]


@pytest.fixture
def table():
    table = Table()
    yield table
    table.room.close()


def test_people_play_for_themselves(table):
    table.goes_on(60.0)
    assert (table.referee.number, table.asks()) == (0, [])


def test_stand_in_asks_people_to_throw_and_decides_by_itself(table):
    table.companion.seat("ann", person=False)
    assert table.asks() == ["ann"]
    assert table.room.asks()[0]["text"] == "Please throw 4 white dice for Ann."
    table.goes_on(60.0)
    assert table.referee.number == 0  # nobody has thrown yet
    table.happens(Rolled(DIAMONDS), source="camera:tray")
    for _ in range(20):
        if table.referee.table.active == "bo":
            break
        table.goes_on(LEAST_S + 10.0)
        if table.asks() == ["ann"]:  # it dares once more
            free = table.referee.table.grotto.free
            table.happens(Rolled(dict.fromkeys(free, "diamond")), source="camera:tray")
    chosen = [s.report for s in table.referee.history if isinstance(s.report.action, Chose)]
    assert {one.source for one in chosen} == {"simulated"}
    assert {one.action.player for one in chosen} == {"ann"}
    assert table.referee.table.active == "bo"
    assert table.asks() == []


def test_person_who_sits_down_again_decides(table):
    table.companion.seat("ann", person=False)
    table.happens(Rolled(DIAMONDS), source="camera:tray")
    table.companion.seat("ann", person=True)
    table.goes_on(60.0)
    assert (table.referee.number, table.asks()) == (1, [])


def test_stand_in_thinks_before_it_speaks(table):
    table.companion.seat("ann", person=False)
    table.happens(Rolled(DIAMONDS | {"white-1": "troll", "white-2": "troll"}), source="camera:x")
    table.goes_on(LEAST_S / 2)
    assert table.referee.number == 1


def test_nobody_is_asked_and_nothing_is_said_after_the_end(table):
    table.companion.seat("ann", person=False)
    table.companion.seat("bo", person=False)
    table.companion.stand(ended=True)
    before = table.referee.number
    for _ in range(3):
        table.companion.go_round()
    assert table.referee.number == before


def test_stand_in_asks_for_a_tile():
    table = Table("schatz_der_drachen")
    table.companion.seat("ann", person=False)
    [asked] = table.room.asks()
    assert asked["text"] == f"Please turn up ({asked['square']}) for Ann."
    table.happens(Flipped(asked["square"], "ball"), source="web:bo")
    assert table.referee.number == 1
    table.room.close()
