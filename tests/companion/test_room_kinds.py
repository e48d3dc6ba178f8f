"""Where the steps of a game were played: with real dice, or simulated."""

import pytest

from companion.actions import Report, Rolled
from companion.chronicle import chronicle
from companion.games import GAMES
from companion.house_dice import HouseDice
from companion.journal import ROOM_ROWS, Journal
from companion.players import some_players
from companion.referee import Referee
from companion.room_kinds import room_of, simulated_steps

ROLL = Rolled({f"white-{n}": "troll" for n in (1, 2, 3, 4)})  # it ends the turn


@pytest.fixture
def journal():
    journal = Journal(None)
    yield journal
    journal.close()


def rolled(journal, *rooms, source="camera:tray", count=4):
    """A game of so many rolls; `rooms` tells after which of them it went on where."""
    referee = Referee(GAMES["troll_and_dragon"], some_players(2))
    number, enters = journal.begin(referee), dict(rooms)
    for step in range(count):
        if step in enters:
            journal.enter(number, step, simulated=enters[step])
        journal.append(number, referee.apply(Report(ROLL, source=source)), referee)
    return number


def told_of(journal, number):
    row, steps = journal.game(number), list(journal.steps(number))
    is_simulated = simulated_steps(row, steps)
    return room_of(row), [is_simulated(step.number) for step in steps]


@pytest.mark.parametrize(
    ("rooms", "room", "simulated"),
    [
        ([(0, False)], "real", [False] * 4),
        ([(0, True)], "simulated", [True] * 4),
        ([(0, True), (1, False), (3, True)], "both", [True, False, False, True]),
        ([(0, False), (2, False)], "real", [False] * 4),
        ([], "unknown", [False] * 4),
        ([(2, True)], "simulated", [False, False, True, True]),
    ],
)
def test_steps_are_told_by_the_room_in_which_they_were_played(journal, rooms, room, simulated):
    assert told_of(journal, rolled(journal, *rooms)) == (room, simulated)


def test_same_room_is_noted_once(journal):
    number = rolled(journal, (0, True), (1, True), (2, True))
    assert journal.game(number).rooms == ((0, True),)


def test_game_without_notes_is_told_by_who_played_it(journal):
    assert told_of(journal, rolled(journal, source="simulated")) == ("unknown", [True] * 4)


def test_last_note_counts_where_nothing_was_played_between(journal):
    number = rolled(journal, (0, True), count=1)
    journal.enter(number, 1, simulated=False)
    journal.enter(number, 1, simulated=True)
    is_simulated = simulated_steps(journal.game(number), list(journal.steps(number)))
    assert (is_simulated(1), is_simulated(2)) == (True, True)


def test_branch_keeps_where_its_steps_were_played(journal):
    number = rolled(journal, (0, True), (2, False))
    _, short = journal.branch(number, 1)
    assert told_of(journal, short) == ("simulated", [True])
    again = rolled(journal, (0, True), (2, False))
    _, longer = journal.branch(again, 3)
    assert told_of(journal, longer) == ("both", [True, True, False])


def test_dice_of_real_and_simulated_games_are_never_added_up(journal):
    rolled(journal, (0, True))
    rolled(journal, (0, False), count=3)
    mixed = rolled(journal, (0, True), (2, False))
    told = HouseDice().fairness(journal)
    counts = [(p["simulated"], p["games"], p["dice"][0]["rolls"]) for p in told["parts"]]
    assert counts == [(False, 2, 5), (True, 2, 6)]
    parts = chronicle(journal.game(mixed), list(journal.steps(mixed)))["fairness"]
    assert [(part["simulated"], part["dice"][0]["rolls"]) for part in parts] == [
        (False, 2),
        (True, 2),
    ]


def test_dice_are_counted_anew_when_a_game_goes_on_elsewhere(journal):
    house, number = HouseDice(), rolled(journal, (0, True))
    assert [part["simulated"] for part in house.fairness(journal)["parts"]] == [True]
    journal.enter(number, 2, simulated=False)
    counts = [(p["simulated"], p["dice"][0]["rolls"]) for p in house.fairness(journal)["parts"]]
    assert counts == [(False, 2), (True, 2)]


def test_journal_of_before_such_notes_opens_and_takes_them(tmp_path):
    path = tmp_path / "journal.sqlite"
    old = Journal(path)
    number = rolled(old)
    with old._engine.begin() as connection:
        ROOM_ROWS.drop(connection)
    old.close()
    journal = Journal(path)
    assert told_of(journal, number) == ("unknown", [False] * 4)
    journal.enter(number, 4, simulated=True)
    assert journal.game(number).rooms == ((4, True),)
    journal.close()
