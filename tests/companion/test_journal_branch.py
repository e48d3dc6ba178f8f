"""Going on with a game that cannot be continued as it stands, from the step before."""

import pytest
from verbs import everything

from companion.actions import Chose, Report, Rolled
from companion.errors import ConfigError, JournalError
from companion.games import GAMES
from companion.journal import GAME_ROWS, STEP_ROWS, Journal, digest, engine_for
from companion.players import some_players
from companion.referee import Referee

TROLL = GAMES["troll_and_dragon"]
ALL_FOUR = dict(zip(TROLL.table(some_players(3)).grotto.free, ["diamond"] * 4, strict=True))
REPORTS = (
    Report(Rolled(ALL_FOUR), at_s=3.0, source="camera:adventurer"),
    Report(Chose("ann", "leave"), at_s=4.0),
    Report(Rolled(ALL_FOUR), at_s=5.0),
)


@pytest.fixture
def path(tmp_path):
    """A journal with a game of three steps."""
    path = tmp_path / "journal.sqlite"
    journal, referee = Journal(path), Referee(TROLL, some_players(3))
    number = journal.begin(referee)
    for report in REPORTS:
        journal.append(number, referee.apply(report), referee)
    journal.close()
    return path


def change(path, statement):
    engine = engine_for(path)
    with engine.begin() as connection:
        connection.execute(statement)
    engine.dispose()


def after(count):
    """A referee after so many of the reports."""
    referee = Referee(TROLL, some_players(3))
    for report in REPORTS[:count]:
        referee.apply(report)
    return referee


@pytest.mark.parametrize("up_to", range(4))
def test_game_goes_on_from_any_step_as_another_game(path, up_to):
    journal = Journal(path)
    referee, number = journal.branch(1, up_to)
    assert everything(referee) == everything(after(up_to))
    assert everything(journal.resume(number)) == everything(referee)
    assert [step.digest for step in journal.steps(number)][-1:] == [digest(referee)] * (up_to > 0)


def test_old_game_stays_as_it_is_and_is_not_continued(path):
    journal = Journal(path)
    before = list(journal.steps(1))
    _, number = journal.branch(1, 2)
    assert list(journal.steps(1)) == before
    assert journal.game(1).ended
    assert journal.unfinished(TROLL.key).number == number


def test_refusal_names_the_step_that_a_person_may_go_on_from(path):
    change(path, STEP_ROWS.update().where(STEP_ROWS.c.number == 3).values(digest="0" * 16))
    journal = Journal(path)
    with pytest.raises(JournalError, match="step 3: .* go on from the step before with --up-to 2"):
        journal.resume(1)
    assert journal.alike_until(1) == 2
    referee, _ = journal.branch(1, 2)
    assert referee.number == 2


def test_game_of_another_revision_says_how_far_it_comes_out_alike(path):
    change(path, GAME_ROWS.update().values(revision=99))
    change(path, STEP_ROWS.update().where(STEP_ROWS.c.number == 2).values(digest="0" * 16))
    journal = Journal(path)
    with pytest.raises(JournalError, match="revision 99, .* alike up to step 1: go on"):
        journal.resume(1)
    referee, number = journal.branch(1, 1)
    assert referee.number == 1
    assert journal.game(number).revision == TROLL.revision


def test_nothing_is_written_when_the_steps_do_not_come_out_alike(path):
    change(path, STEP_ROWS.update().where(STEP_ROWS.c.number == 1).values(digest="0" * 16))
    journal = Journal(path)
    with pytest.raises(JournalError, match="step 1"):
        journal.branch(1, 2)
    assert [row.number for row in journal.games()] == [1]
    assert not journal.game(1).ended


@pytest.mark.parametrize("up_to", [-1, 4])
def test_step_that_never_was_is_refused_with_the_range(path, up_to):
    with pytest.raises(ConfigError, match=f"expected 0 to 3 in game 1, got {up_to}"):
        Journal(path).branch(1, up_to)
