"""The real process, killed at random moments: no step that was announced is missing afterwards."""

import pytest

from companion.bench.kills import (
    Moment,
    Warm,
    is_sound,
    kill_again_and_again,
    latest_game,
    play_and_kill,
    verdict,
)
from companion.journal import STEP_ROWS, engine_for

KILLS = 5  # at random moments, in each of two tests
AT_ONCE = 4  # as soon as anything is announced


@pytest.fixture(scope="module")
def warm():
    with Warm() as warm:
        yield warm


@pytest.mark.parametrize("seed", [1, 2])
def test_no_announced_step_is_missing_when_the_process_is_killed(tmp_path, seed, warm):
    figures = kill_again_and_again(tmp_path / "journal.sqlite", KILLS, seed, warm)
    assert figures["kills"] == KILLS
    assert figures["announced_steps"] >= KILLS // 2
    assert figures["resumed_games"] >= KILLS // 4
    assert figures["lost_steps"] == 0
    assert figures["damaged_journals"] == 0
    assert figures["wrong_resumes"] == 0


def test_what_was_announced_just_now_is_in_the_journal_when_the_process_is_killed(tmp_path, warm):
    path, before = tmp_path / "journal.sqlite", None
    for seed in range(AT_ONCE):
        output = play_and_kill(path, seed, Moment(0.0), warm)
        found = verdict(path, before, output)
        assert found["announced_steps"] > 0
        assert found["resumed_games"] == (before is not None)
        assert (found["lost_steps"], found["damaged_journals"], found["wrong_resumes"]) == (0, 0, 0)
        before = latest_game(path)


def test_verdict_notices_what_is_missing_or_wrong(tmp_path, warm):
    """The judge is judged: rows that are taken away behind its back do not go unnoticed."""
    path = tmp_path / "journal.sqlite"
    output = play_and_kill(path, 1, Moment(0.0), warm)
    found = verdict(path, None, output)
    assert found["announced_steps"] > 0
    assert (found["lost_steps"], found["damaged_journals"], found["wrong_resumes"]) == (0, 0, 0)
    row = latest_game(path)
    assert is_sound(path)
    other_words = output.replace(" finds ", " loses ")
    assert verdict(path, None, other_words)["lost_steps"] >= (other_words != output)
    later = verdict(path, row, f"Troll & Dragon, game 1 goes on after step {row.steps + 1}: Ann")
    assert later["wrong_resumes"] == 1
    engine = engine_for(path)
    with engine.begin() as connection:
        connection.execute(STEP_ROWS.delete().where(STEP_ROWS.c.number == row.steps))
    engine.dispose()
    assert verdict(path, None, output + f"\n  {row.steps}  Gone.")["lost_steps"] > 0
