"""Faults by name: each alone, several at once, and how they are written."""

from itertools import pairwise

import pytest
from faulty import SEED, goes_on_rightly

from companion.bench.faults import Evening, evening, fits, kinds_for, lost_steps, schedules
from companion.errors import ConfigError
from companion.faults import Fault, fault_from, kinds, random_schedule, shown
from companion.games import GAMES

SAMPLE = (1, 2, 3)
ELSEWHERE = [name for name, kind in kinds().items() if kind.subject != "camera"]
pytestmark = pytest.mark.usefixtures("quick_strip")


@pytest.mark.parametrize("name", ELSEWHERE)
def test_game_goes_on_rightly_and_the_table_is_told_with_this_fault(name, told):
    goes_on_rightly(name, told)


@pytest.mark.parametrize("game", [key for key in GAMES if key != "troll_and_dragon"])
def test_every_other_game_goes_on_rightly_with_faults(game):
    planned = (
        "camera-unplugged@1s+2s",
        "button-stuck@1s+3s",
        "torn-frames@4s+2s",
        "disk-full@5s+1s",
    )
    assert {fault_from(text).name for text in planned} <= set(kinds_for(game))
    outcome = evening([fault_from(text) for text in planned], seed=5, until_s=8.0, game=game)
    assert outcome.is_fine, outcome
    assert outcome.steps > 1
    assert "the camera is gone" in outcome.told


def test_every_fault_is_told_or_says_why_it_is_not():
    for name, kind in kinds().items():
        assert bool(kind.told) != bool(kind.untold), name


@pytest.mark.parametrize("seed", SAMPLE)
def test_game_goes_on_rightly_with_several_faults_at_once(seed):
    [outcome] = schedules([seed], 9.0)
    assert outcome.is_fine, outcome


def test_tap_that_is_sent_twice_counts_once(tmp_path):
    one = Evening([Fault("tap-twice", 0.0)], tmp_path, seed=SEED)
    outcome = one.play(5.0)
    assert outcome.is_fine, outcome
    reports = [step.report for step in one.referee.history]
    assert any(report.source.startswith("web:") for report in reports)
    assert all(report.action != later.action for report, later in pairwise(reports))


def test_there_are_at_least_thirty_kinds_of_every_subject():
    assert len(kinds()) >= 30
    assert {kind.subject for kind in kinds().values()} == {
        "camera", "serial", "buttons", "lamps", "strip", "disk", "clock", "network", "browser",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("camera-unplugged@30s", Fault("camera-unplugged", 30.0)),
        ("noisy-serial=5%", Fault("noisy-serial", 10.0, 0.05)),
        ("camera-dark@2+4s=1%", Fault("camera-dark", 2.0, 0.01, 4.0)),
        ("receiver-reset@7.5s", Fault("receiver-reset", 7.5, 0.0, 0.0)),
    ],
)
def test_fault_is_read_as_it_is_written(text, fault):
    assert fault_from(text) == fault
    assert fault_from(str(fault)) == fault


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("camera-unplgged", "perhaps camera-unplugged"),
        ("nonsense", "companion faults"),
        ("camera-unplugged=3", "takes no amount"),
        ("receiver-reset+3s", "happens in a moment"),
        ("noisy-serial=130%", "0 to 100 %"),
        ("noisy-serial=much", "=5%"),
        ("camera-dark@soon", "@30s"),
        ("camera-dark@1s@2s", "two"),
    ],
)
def test_fault_that_is_written_wrongly_says_what_to_write(text, why):
    with pytest.raises(ConfigError, match=why):
        fault_from(text)


def test_schedule_is_the_same_from_the_same_seed():
    names = list(kinds())
    assert random_schedule(5, names, 20.0) == random_schedule(5, names, 20.0)
    assert random_schedule(5, names, 20.0) != random_schedule(6, names, 20.0)


def test_roll_that_nobody_threw_and_step_that_is_missing_are_found_out(tmp_path):
    one = Evening([], tmp_path, seed=SEED)
    table = one.referee.table.dice
    die = next(iter(table))
    other = next(face for face in die.faces if face != die.faces[0])
    as_thrown, otherwise = {die.name: die.faces[0]}, {die.name: other}
    assert fits(as_thrown, [otherwise, as_thrown], one.referee)
    assert not fits(as_thrown, [as_thrown, otherwise], one.referee)
    assert not fits(as_thrown, [], one.referee)
    append, left_out = one.journal.append, []
    one.journal.append = lambda *step: left_out.append(step) if not left_out else append(*step)
    with one.stack:
        one.companion.begin(one.room)
        while one.referee.number < 1:
            one.companion.go_round()
        assert "the journal has 0 steps" in lost_steps(one.journal, one.number, one.referee)


def test_amounts_are_shown_as_they_are_written():
    assert [shown(0.05, "%"), shown(40, "px"), shown(3, "")] == ["5%", "40px", "3"]
