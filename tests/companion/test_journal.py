"""The journal: nothing is lost, nothing is changed, and every damage is named."""

import pytest
import sqlalchemy as sql
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_writing import OWN_DICE, TROLL, random_reports, written
from room import Play, random_entries
from verbs import everything

from companion.actions import Adjusted, Report, Rolled, Undo
from companion.errors import ConfigError
from companion.games import GAMES
from companion.journal import Journal, digest, engine_for
from companion.players import some_players
from companion.protocol import checked_options
from companion.referee import Referee
from companion.standing import last_decided_s
from companion.table import Player


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


# --- resume ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=12)
@given(seed=st.integers(0, 10_000), count=st.integers(0, 50))
def test_resumed_game_equals_the_live_one(game, seed, count):
    journal, referee = Journal(None), Referee(game, some_players(3))
    number = written(journal, referee, random_reports(game, seed, count))
    again = journal.resume(number)
    assert everything(again) == everything(referee)
    assert digest(again) == digest(referee)
    journal.close()


def test_resumed_game_equals_the_live_one_when_it_lies_in_a_file(path):
    referee = Referee(TROLL, some_players(4))
    journal = Journal(path)
    number = written(journal, referee, random_reports_for(referee, 60))
    journal.close()
    with_another = Journal(path)
    assert everything(with_another.resume(number)) == everything(referee)
    with_another.close()


def random_reports_for(referee, count):
    return list(random_entries(Referee(referee.game, referee.players, referee.options), 7, count))


def test_resumed_game_has_the_options_with_which_it_began(path):
    options = checked_options(TROLL.options, {"end_mode": "both", "tie_window_s": 0.3} | OWN_DICE)
    journal, referee = Journal(path), Referee(TROLL, some_players(3), options)
    number = written(journal, referee, random_reports(TROLL, 3, 40, options))
    again = journal.resume(number)
    assert again.options == options
    assert again.table.dice["red-2"].faces == ("dragon",) * 6
    assert everything(again) == everything(referee)
    journal.close()


def test_resumed_game_has_undo_and_correction_in_its_history(path):
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    seeds = iter(range(100))
    kinds = set()
    while not {"Undo", "Correct", "Adjusted", "Rolled", "Chose"} <= kinds:
        referee = Referee(TROLL, some_players(3))
        number = written(journal, referee, random_reports(TROLL, next(seeds), 60))
        kinds = {type(step.report.action).__name__ for step in journal.steps(number)}
    assert everything(journal.resume(number)) == everything(referee)
    journal.close()


def test_times_and_provenance_come_back_as_they_were(path):
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    roll = Rolled(dict.fromkeys(("white-1", "white-2", "white-3", "white-4"), "diamond"))
    report = Report(roll, 1.25, 0.04, "camera:adventurer", 0.97, "roll-1.png")
    number = written(journal, referee, [report])
    assert journal.resume(number).history[0].report == report
    [row] = journal.steps(number)
    assert row.told == ("Ann finds 4 diamonds.",)
    journal.close()


# --- the list of games ----------------------------------------------------------------------------


def test_games_tell_how_far_they_got(path):
    journal = Journal(path)
    first = written(journal, Referee(TROLL, some_players(2)), [])
    second = written(journal, Referee(TROLL, some_players(3)), random_reports(TROLL, 1, 12))
    rows = journal.games()
    assert [(row.number, row.steps, row.over) for row in rows] == [
        (first, 0, False),
        (second, 12, False),
    ]
    assert rows[0].players == (Player("ann", "Ann"), Player("bo", "Bo"))
    assert journal.game(second) == rows[1]
    with pytest.raises(ConfigError, match="got 99"):
        journal.game(99)
    journal.close()


def test_unfinished_game_is_the_latest_that_has_not_ended(path):
    journal = Journal(path)
    assert journal.unfinished("troll_and_dragon") is None
    abandoned = written(journal, Referee(TROLL, some_players(3)), random_reports(TROLL, 1, 5))
    latest = written(journal, Referee(TROLL, some_players(3)), random_reports(TROLL, 2, 5))
    assert journal.unfinished("troll_and_dragon").number == latest
    assert journal.unfinished("chess") is None
    finish(journal, latest)
    assert journal.game(latest).over
    assert journal.unfinished("troll_and_dragon").number == abandoned
    finish(journal, abandoned)
    assert journal.unfinished("troll_and_dragon") is None
    journal.close()


def finish(journal, number):
    """Empty a room by hand and let Ann's turn end."""
    referee = journal.resume(number)
    undo = [Report(Undo())] * referee.number
    ends = [
        Report(Adjusted("supply.diamonds", 0)),
        Report(Rolled(dict.fromkeys(("white-1", "white-2", "white-3", "white-4"), "troll"))),
    ]
    for report in undo:
        try:
            journal.append(number, referee.apply(report), referee)
        except ValueError:
            break
    for report in ends:
        journal.append(number, referee.apply(report), referee)
    assert referee.outcome is not None


def test_game_is_unfinished_again_when_its_last_step_is_taken_back(path):
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    number = written(journal, referee, [])
    finish(journal, number)
    referee = journal.resume(number)
    journal.append(number, referee.undo(), referee)
    assert journal.unfinished("troll_and_dragon").number == number
    journal.close()


@pytest.fixture
def statements(monkeypatch):
    """Every statement that any journal sends to its database."""
    sent = []

    def note(connection, cursor, statement, parameters, context, executemany):
        sent.append(statement)

    sql.event.listen(sql.Engine, "before_cursor_execute", note)
    yield sent
    sql.event.remove(sql.Engine, "before_cursor_execute", note)


# --- append-only and durable ----------------------------------------------------------------------


def test_rows_are_only_ever_added(path, statements):
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    number = written(journal, referee, random_reports(TROLL, 5, 60))
    journal.games()
    journal.unfinished("troll_and_dragon")
    journal.resume(number)
    journal.close()
    verbs = {statement.split()[0].upper() for statement in statements}
    assert verbs == {"PRAGMA", "CREATE", "INSERT", "SELECT"}
    assert sum(statement.startswith("INSERT INTO steps") for statement in statements) == 60


def test_every_step_is_committed_when_append_returns(path):
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    number = journal.begin(referee)
    reader = Journal(path)
    for count, report in enumerate(random_reports(TROLL, 5, 10), 1):
        journal.append(number, referee.apply(report), referee)
        assert len(list(reader.steps(number))) == count
    reader.close()
    journal.close()


def test_commits_reach_the_disk(path):
    journal = Journal(path)

    def pragma(name):
        return journal._connection.exec_driver_sql(f"PRAGMA {name}").scalar()

    assert pragma("journal_mode") == "wal"
    assert pragma("synchronous") == 2  # FULL
    journal.close()


def test_every_other_connection_is_durable_too(path):
    engine = engine_for(path)
    for _ in range(2):
        with engine.connect() as connection, engine.connect() as other:
            for one in (connection, other):
                assert one.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    engine.dispose()


def test_close_may_be_called_twice(path):
    journal = Journal(path)
    journal.close()
    journal.close()


# --- after a power cut ----------------------------------------------------------------------------


def test_interrupted_game_goes_on_with_the_same_turn(path):
    play = Play()
    play.into_the_race()
    again = play.journal.resume(play.number)
    assert everything(again) == everything(play.referee)
    assert again.table.phase == "cavern"
    assert again.table.cavern.roller == "cy"


def test_interrupted_photo_finish_comes_to_its_verdict():
    play = Play()
    play.into_the_race()
    play.rolls("red-2 X", at_s=10.0)
    play.goes_on(10.02)
    assert play.referee.table.phase == "photo_finish"
    again = taken_up(play)
    again.goes_on(12.0)
    assert again.cues[0] == "dragon_awake"
    assert again.companion.referee.number == play.referee.number + 1


def test_time_goes_on_after_a_restart_where_the_game_was_left():
    play = Play()
    play.into_the_race()
    again = taken_up(play)
    assert again.clock.now_s() == 6.0
    again.rolls("red-2 X", at_s=6.5)
    again.says("ann", "leave", at_s=6.55)
    again.goes_on(8.0)
    assert again.cues == ["dragon", "photo_finish", "left", "your_turn"]


def taken_up(play):
    """The same journal, another evening: nothing is shown again, the lamps are right."""
    referee = play.journal.resume(play.number)
    again = Play(start_s=last_decided_s(referee))
    again.referee, again.journal, again.number = referee, play.journal, play.number
    again.companion = again._companion(referee, play.journal)
    assert again.cues == []
    assert again.calls == []
    assert again.alerts.counters == dict(play.referee.table.counters)
    return again
