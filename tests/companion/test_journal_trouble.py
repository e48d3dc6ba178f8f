"""Journals that do not fit or cannot be written: refused by name, told, asked about."""

import msgspec
import pytest
from journal_writing import TROLL, change, random_reports, written
from room import Play
from verbs import everything

from companion.actions import Chose, Report, Rolled
from companion.errors import JournalError
from companion.journal import GAME_ROWS, STEP_ROWS, Journal
from companion.players import some_players
from companion.referee import Referee


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


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


# --- what does not fit is refused, and named ------------------------------------------------------


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


# --- the table hears of it ------------------------------------------------------------------------


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
