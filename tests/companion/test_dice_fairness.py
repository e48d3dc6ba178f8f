"""Fairness of dice: the test itself, and what is counted for it."""

import random
from collections import Counter

import pytest

from companion.actions import Chose, Correct, Rolled, Undo
from companion.dice import DiceSet, Die
from companion.dice_fairness import chi_square, fairness_rows, tail, tallied, wilson

D6 = ("1", "2", "3", "4", "5", "6")
TROLLS = ("troll", "troll", "diamond", "diamond", "key", "door")
DICE = DiceSet.of([Die("white-1", "white", TROLLS), Die("d", "plain", D6)])


def rows_of(entries):
    return {row["die"]: row for row in fairness_rows(tallied(DICE, entries))}


@pytest.mark.parametrize(
    ("total", "freedom", "chance"),
    # Critical values as every statistical table prints them.
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (11.070, 5, 0.05),
     (15.086, 5, 0.01), (6.635, 1, 0.01), (24.996, 15, 0.05), (0.0, 3, 1.0)],
)  # fmt: skip
def test_tail_is_that_of_the_tables(total, freedom, chance):
    assert tail(total, freedom) == pytest.approx(chance, abs=5e-5)


def test_sum_of_squares_follows_the_definition():
    counts = {"troll": 30, "diamond": 10, "key": 10, "door": 10}
    assert chi_square(counts, TROLLS) == (pytest.approx(10.0), 3)


def test_fair_dice_are_called_unusual_about_as_often_as_chance_says():
    rng, unusual, games = random.Random(7), 0, 400
    for _ in range(games):
        counts = Counter(rng.choices(D6, k=120))
        unusual += tail(*chi_square(counts, D6)) < 0.05
    low, high = wilson(unusual, games)
    assert low < 0.05 < high


def test_loaded_die_is_found():
    faces = random.Random(1).choices(D6, weights=(1, 1, 1, 1, 1, 2), k=600)
    row = rows_of([Rolled({"d": face}) for face in faces])["d"]
    assert row["verdict"] == "unusual"
    assert row["chance"] < 1e-4


def test_few_rolls_tell_nothing():
    assert rows_of([Rolled({"d": "6"})] * 20)["d"]["verdict"] == "few"


def test_sensor_that_misreads_gets_the_blame():
    entries = []
    for n in range(300):
        face = TROLLS[n % 6]
        read = "key" if face == "door" else face
        entries.append(Rolled({"white-1": read}))
        if read != face:
            entries.append(Correct(len(entries), Rolled({"white-1": face})))
    row = rows_of(entries)["white-1"]
    assert (row["rolls"], row["righted"], row["chi_square"]) == (300, 50, pytest.approx(0.0))
    assert row["verdict"] == "fair"
    assert row["sensor"] == pytest.approx(100.0)
    assert row["righted_low"] < 50 / 300 < row["righted_high"]


def test_what_was_taken_back_was_read_but_did_not_lie_there():
    entries = [Rolled({"d": "1"}), Rolled({"d": "2"}), Undo(), Chose("ann", "leave"), Undo()]
    row = rows_of(entries)["d"]
    assert (row["rolls"], row["read"], row["righted"]) == (1, 2, 1)


def test_correction_that_is_taken_back_counts_no_more():
    entries = [Rolled({"d": "1"}), Correct(1, Rolled({"d": "6"})), Undo()]
    row = rows_of(entries)["d"]
    assert [face["lay"] for face in row["faces"]] == [1, 0, 0, 0, 0, 0]
    assert row["righted"] == 0


@pytest.mark.parametrize(("hits", "n", "low", "high"), [(0, 0, 0, 1), (0, 10, 0, 0.2775)])
def test_interval_of_a_rate_is_wilsons(hits, n, low, high):
    assert wilson(hits, n) == (pytest.approx(low), pytest.approx(high, abs=1e-3))
