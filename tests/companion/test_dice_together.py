"""Smart dice thrown together, by the laws of physics and with their real firmware."""

import pytest

from companion.actions import Rolled
from companion.bench.dice_together import (
    HABITS,
    Habit,
    Handful,
    SmartTable,
    measure,
    play,
    throw,
)

MISSED = ("missed/20", "missed/62", "missed/111")  # a thrown die takes itself for put back


@pytest.mark.parametrize("seed", MISSED)
def test_thrown_die_that_takes_itself_for_put_back_is_asked_about(seed: str) -> None:
    played = play(SmartTable(seed))
    assert played is not None
    assert len(played.missed) == 1
    assert frozenset(played.asked) == played.missed
    assert played.told == (played.thrown,)
    assert played.is_right


@pytest.mark.parametrize("habit", [one for one in HABITS if "put_back" not in one.__name__])
def test_die_that_is_nudged_hit_or_put_aside_is_no_roll_and_no_question(habit: Habit) -> None:
    table = SmartTable("honest/1")
    table.await_roll()
    hand = Handful.any(table.chance)
    reports = table.roll(
        {
            "white-1": lambda body: habit(body, hand),
            "white-2": lambda body: throw(body, hand, later_ms=700),
        }
    )
    assert table.collector.in_doubt is None
    [report] = reports
    assert report.action == Rolled({"white-2": table.dice["white-2"].face})


def test_figures_of_a_few_handfuls() -> None:
    figures = measure(3, seed=1)
    assert figures["together_rolls"] == 3
    assert 3 <= figures["together_dice"] <= 9
    assert figures["together_short"] == figures["together_false"] == 0
    assert figures["together_needless"] <= figures["together_asked"]
