"""The journal: nothing is lost, nothing is changed, and every damage is named."""

import msgspec
import pytest
import sqlalchemy as sql
from hypothesis import given, settings
from hypothesis import strategies as st
from room import Play, random_entries
from verbs import everything

from companion.actions import Adjusted, Chose, Report, Rolled, Undo
from companion.errors import ConfigError, JournalError
from companion.games import GAMES
from companion.journal import GAME_ROWS, STEP_ROWS, Journal, digest, engine_for
from companion.players import some_players
from companion.protocol import checked_options
from companion.referee import Referee
from companion.standing import last_decided_s
from companion.table import Player

TROLL = GAMES["troll_and_dragon"]
OWN_DICE = {"dice": {"white": ["troll"] * 5 + ["key"], "red-2": ["dragon"] * 6}}


def written(journal, referee, reports):
    """Play these reports, each into the journal as it is accepted; return the game's number."""
    number = journal.begin(referee)
    for report in reports:
        journal.append(number, referee.apply(report), referee)
    return number


def random_reports(game, seed, count, options=None):
    return list(random_entries(Referee(game, some_players(3), options), seed, count))


def change(path, statement):
    """Tamper with a journal behind its back."""
    engine = engine_for(path)
    with engine.begin() as connection:
        connection.execute(statement)
    engine.dispose()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


# --- resume ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), count=st.integers(0, 80))
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


# --- what does not fit is refused, and named ------------------------------------------------------


@pytest.fixture
def three_steps(path):
    """A journal with a game of three steps, closed; rows: roll, set aside, leave."""
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    faces = {"white-1": "key", "white-2": "diamond", "white-3": "diamond", "white-4": "troll"}
    actions = [Rolled(faces), Chose("ann", "set_aside", "white-1"), Chose("ann", "leave")]
    written(journal, referee, [Report(action) for action in actions])
    journal.close()
    return path


def step_row(number):
    return STEP_ROWS.update().where(STEP_ROWS.c.number == number)


def refusal(path):
    """What resuming game 1 is refused with."""
    journal = Journal(path)
    with pytest.raises(JournalError) as error:
        journal.resume(1)
    journal.close()
    return str(error.value)


def test_another_revision_is_refused_with_both_revisions(three_steps):
    change(three_steps, GAME_ROWS.update().values(revision=99))
    assert f"expected troll_and_dragon revision 99, got revision {TROLL.revision}" in refusal(
        three_steps
    )


def test_unknown_game_is_refused_by_its_name(three_steps):
    change(three_steps, GAME_ROWS.update().values(game="chess"))
    assert "expected chess revision" in refusal(three_steps)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_digest_that_disagrees_is_refused_with_the_step(three_steps, step):
    change(three_steps, step_row(step).values(digest="0" * 16))
    message = refusal(three_steps)
    assert f"game 1, step {step}: the table comes out differently" in message
    assert str(three_steps) in message


@pytest.mark.parametrize("step", [1, 2])
def test_missing_row_is_refused_with_the_step(three_steps, step):
    change(three_steps, STEP_ROWS.delete().where(STEP_ROWS.c.number == step))
    assert f"step {step + 1}: expected step {step}; rows are missing" in refusal(three_steps)


def test_report_that_the_rules_refuse_is_refused_with_the_step(three_steps):
    other = msgspec.json.encode(Report(Chose("bo", "leave")))
    change(three_steps, step_row(3).values(report=other))
    assert "game 1, step 3: the rules refuse it now" in refusal(three_steps)


@pytest.mark.parametrize(
    "damage", [b"", b"\x00\xff", b'{"action": {"type": "sneezed"}}', b"[]"], ids=repr
)
def test_damaged_row_is_refused_with_the_step(three_steps, damage):
    change(three_steps, step_row(2).values(report=damage))
    assert "game 1, step 2: the row is damaged" in refusal(three_steps)


@pytest.mark.parametrize("column", ["players", "options"])
def test_damaged_game_is_refused_with_its_number(three_steps, column):
    change(three_steps, GAME_ROWS.update().values({column: b"{"}))
    assert "game 1: the row is damaged" in refusal(three_steps)


def test_steps_before_the_damage_stay_readable(three_steps):
    change(three_steps, step_row(3).values(report=b"?"))
    journal = Journal(three_steps)
    steps = journal.steps(1)
    assert [next(steps).number, next(steps).number] == [1, 2]
    with pytest.raises(JournalError, match="step 3"):
        next(steps)
    journal.close()


def test_file_that_is_no_journal_is_refused_and_left_alone(path):
    path.write_bytes(b"Dear diary, " * 100)
    with pytest.raises(JournalError, match="cannot open"):
        Journal(path)
    assert path.read_bytes() == b"Dear diary, " * 100


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


# --- append-only and durable ----------------------------------------------------------------------


@pytest.fixture
def statements(monkeypatch):
    """Every statement that any journal sends to its database."""
    sent = []

    def note(connection, cursor, statement, parameters, context, executemany):
        sent.append(statement)

    sql.event.listen(sql.Engine, "before_cursor_execute", note)
    yield sent
    sql.event.remove(sql.Engine, "before_cursor_execute", note)


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


# --- when it cannot write -------------------------------------------------------------------------


def test_folder_is_made_when_it_is_missing(tmp_path):
    Journal(tmp_path / "new" / "folder" / "journal.sqlite").close()
    assert (tmp_path / "new" / "folder" / "journal.sqlite").is_file()


def test_folder_that_cannot_be_made_is_an_error_that_says_what_to_check(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match="check that the folder exists, is writable"):
        Journal(tmp_path / "file" / "journal.sqlite")


def test_folder_in_place_of_the_file_is_an_error(tmp_path):
    with pytest.raises(JournalError, match="cannot open"):
        Journal(tmp_path)


def fill_the_disk(journal):
    """From now on the database must not grow."""
    pages = journal._connection.exec_driver_sql("PRAGMA page_count").scalar()
    journal._connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    journal._connection.commit()


def make_room(journal):
    journal._connection.exec_driver_sql("PRAGMA max_page_count=1000000")
    journal._connection.commit()


def test_full_disk_is_an_error_and_nothing_is_half_written(path):
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    number = journal.begin(referee)
    fill_the_disk(journal)
    reports = iter(random_reports(TROLL, 5, 200))

    def play_on():
        for report in reports:
            journal.append(number, referee.apply(report), referee)

    with pytest.raises(JournalError, match="full"):
        play_on()
    kept = referee.number - 1
    assert [row.number for row in journal.steps(number)] == list(range(1, kept + 1))
    make_room(journal)
    journal.append(number, referee.history[-1], referee)
    assert everything(journal.resume(number)) == everything(referee)
    journal.close()


# --- the table hears of it ------------------------------------------------------------------------


class FullDisk:
    """A journal whose disk is full until somebody makes room."""

    def __init__(self, journal):
        self.journal, self.is_full, self.tries = journal, True, 0

    def append(self, game, step, referee):
        self.tries += 1
        if self.is_full:
            raise JournalError("journal: cannot write: disk is full; make room")
        self.journal.append(game, step, referee)


@pytest.fixture
def failing(monkeypatch):
    """Ann rolls four diamonds, but the disk is full."""
    monkeypatch.setattr("companion.app.RETRY_S", 0.001)
    play = Play()
    play.companion._journal = FullDisk(play.journal)
    play.rolls("white-1 D", "white-2 D", "white-3 D", "white-4 D", at_s=1.0)
    play.room.until_s = 2.0
    play.room.advance(None)
    play.companion.decide()
    return play


def test_step_that_cannot_be_kept_is_not_told(failing):
    assert failing.cues == []
    assert failing.calls == [("screens", "refused")]
    assert failing.referee.number == 0
    assert failing.count("pouch.diamonds") == 0
    assert not failing.tickets[0]._done.is_set()


def test_table_hears_that_the_journal_fails_once(failing):
    tries = failing.companion._journal.tries
    while failing.companion._journal.tries < tries + 3:
        assert failing.companion.decide()
    assert failing.codes == ["journal_fails"]
    assert "disk is full" in failing.companion.snapshot()["journal_error"]


def test_step_is_told_once_with_the_same_number_when_the_journal_works_again(failing):
    failing.companion._journal.is_full = False
    failing.rolls("white-1 T", "white-2 T", "white-3 T", "white-4 T", at_s=1.5)
    failing.goes_on(3.0)
    assert failing.calls[1:4] == [("journal", 1), ("alerts", 1), ("screens", 1)]
    assert failing.cues == ["treasure", "troll", "your_turn"]
    assert failing.tickets[0].wait(0.0).number == 1
    assert failing.companion.snapshot()["journal_error"] is None
    assert [row.number for row in failing.journal.steps(failing.number)] == [1, 2]


def test_table_is_asked_whether_to_go_on_until_the_journal_works_again(failing):
    [question] = failing.companion.snapshot()["questions"]
    assert "disk is full" in question["text"]
    failing.companion._journal.is_full = False
    failing.goes_on(3.0)
    assert failing.companion.snapshot()["questions"] == []


def test_game_goes_on_without_journal_when_a_person_says_so(failing):
    [question] = failing.companion.snapshot()["questions"]
    assert failing.companion.answer(question["id"], question["faces"][0]) is None
    failing.rolls("white-1 T", "white-2 T", "white-3 T", "white-4 T", at_s=1.5)
    failing.goes_on(3.0)
    assert failing.cues == ["treasure", "troll", "your_turn"]
    assert failing.tickets[0].wait(0.0).number == 1
    assert failing.companion.snapshot()["journal_error"] is None
    assert list(failing.journal.steps(failing.number)) == []
    assert failing.companion.questions == {}


def test_table_is_asked_whether_it_goes_on_without_the_journal(failing):
    (question,) = failing.companion.snapshot()["questions"]
    failing.companion.answer(question["id"], question["faces"][0])
    failing.goes_on(3.0)
    assert failing.companion.snapshot()["journal_error"] is None
    assert failing.companion.snapshot()["questions"] == []
    assert failing.tickets[0].wait(0.0).number == 1


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
