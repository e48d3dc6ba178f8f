"""Who sits where: stand-ins play on after a power cut, and in another game of the same people."""

from types import SimpleNamespace

import pytest

from companion.clock import SimulatedClock
from companion.config import DiceSettings
from companion.games import GAMES
from companion.inbox import Inbox
from companion.players import some_players
from companion.real_room import RealRoom
from companion.referee import Referee
from companion.seating import Seating


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.seats.json"


def at_table(seating, number=7, players=3):
    referee, clock = Referee(GAMES["troll_and_dragon"], some_players(players)), SimulatedClock()
    room = RealRoom(referee, Inbox(clock), clock, DiceSettings())
    seating.begin(room, referee, number)
    room.decided(referee, None)
    return referee, room


def goes_home(room, referee, *seats):
    room.people -= set(seats)
    room.decided(referee, None)


def test_stand_ins_play_on_after_a_power_cut(path):
    referee, room = at_table(Seating(path))
    assert room.people == {"ann", "bo", "cy"}
    goes_home(room, referee, "bo")
    assert at_table(Seating(path))[1].people == {"ann", "cy"}
    assert [one["player"] for one in at_table(Seating(path))[1].asks()] == []
    room.people.add("bo")
    room.decided(referee, None)
    assert at_table(Seating(path))[1].people == {"ann", "bo", "cy"}


def test_everybody_sits_at_another_game_that_is_begun_later(path):
    referee, room = at_table(Seating(path))
    goes_home(room, referee, "bo")
    assert at_table(Seating(path), number=8)[1].people == {"ann", "bo", "cy"}


def test_who_has_gone_home_stays_away_when_the_same_people_play_again(path):
    seating = Seating(path)
    referee, room = at_table(seating)
    goes_home(room, referee, "ann")
    seating.end(room, referee)
    again, room = at_table(seating, number=8)
    assert room.people == {"bo", "cy"}
    assert [one["player"] for one in room.asks()] == ["ann"]
    assert at_table(Seating(path), number=8)[1].people == {"bo", "cy"}
    seating.end(room, again)
    assert at_table(seating, number=9, players=2)[1].people == {"ann", "bo"}


@pytest.mark.parametrize("kept", [b"", b'{"game": 7}', b'{"game": 7, "simulated": ["nobody"]}'])
def test_what_cannot_be_read_seats_everybody(path, kept):
    path.write_bytes(kept)
    assert at_table(Seating(path))[1].people == {"ann", "bo", "cy"}


def test_folder_that_cannot_be_written_stops_nobody(tmp_path):
    for path in (None, tmp_path / "none" / "x.json"):
        referee, room = at_table(Seating(path))
        goes_home(room, referee, "ann")
        assert room.people == {"bo", "cy"}


def test_people_keep_their_seats_at_a_simulated_table(path):
    seating = Seating(path)
    referee = Referee(GAMES["troll_and_dragon"], some_players(2))
    for expected in (set(), {"bo"}):
        room = SimpleNamespace(people=set())
        seating.begin(room, referee, 7)
        assert room.people == expected
        room.people.add("bo")
        seating.end(room, referee)
    assert not path.exists()
