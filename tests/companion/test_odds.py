"""Exact chances, held against simulated dice."""

import random
from fractions import Fraction

import pytest

from companion.actions import Chose, Report, Rolled
from companion.dice_fairness import wilson
from companion.games import GAMES
from companion.odds import all_have_shown, dragon_within, odds_of, troll_next
from companion.referee import Referee
from companion.table import Player

PLAYERS = (Player("ann", "Ann"), Player("bo", "Bo"))
THROWS = 4000


def after(*actions):
    referee = Referee(GAMES["troll_and_dragon"], PLAYERS)
    for second, action in enumerate(actions):
        referee.apply(Report(action, at_s=float(second)))
    return referee


def white(*faces):
    return Rolled({f"white-{n}": face for n, face in enumerate(faces, start=1)})


IN_THE_CAVERN = (
    white("key", "door", "diamond", "troll"),
    Chose("ann", "set_aside", "white-1"),
    Chose("ann", "set_aside", "white-2"),
)


def frequency(happens, seed):
    rng = random.Random(seed)
    return wilson(sum(happens(rng) for _ in range(THROWS)), THROWS)


@pytest.mark.parametrize(
    ("actions", "chance"),
    [
        ((), Fraction(1, 81)),
        ((white("troll", "troll", "diamond", "key"),), Fraction(1, 9)),
        ((white("troll", "troll", "troll", "key"),), Fraction(1, 3)),
    ],
)
def test_chance_of_the_troll_is_that_of_simulated_rolls(actions, chance):
    referee = after(*actions)
    table = referee.table
    assert troll_next(table) == chance

    def comes(rng):
        return all(rng.choice(table.dice[die].faces) == "troll" for die in table.grotto.free)

    low, high = frequency(comes, seed=2)
    assert low <= chance <= high


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_chance_of_the_dragon_is_that_of_simulated_races(rolls):
    table = after(*IN_THE_CAVERN, Rolled({"gold-1": "gold1", "gold-2": "blank"})).table
    chance = dragon_within(table, rolls)

    def wakes(rng):
        asleep = {"red-1", "red-2"}
        for _ in range(rolls):
            asleep -= {die for die in sorted(asleep)
                       if rng.choice(table.dice[die].faces) == "dragon"}  # fmt: skip
        return not asleep

    low, high = frequency(wakes, seed=5)
    assert low <= chance <= high


def test_dragon_that_is_up_already_counts():
    gold = Rolled({"gold-1": "gold1", "gold-2": "blank"})
    table = after(*IN_THE_CAVERN, gold, Rolled({"red-1": "dragon", "red-2": "blank"})).table
    assert dragon_within(table, 1) == Fraction(2, 6)
    assert dragon_within(table, 2) == 1 - Fraction(4, 6) ** 2


def test_odds_speak_of_the_room_that_one_is_in():
    assert [round(row["chance"], 4) for row in odds_of(after().table)] == [0.0123]
    cavern = odds_of(after(*IN_THE_CAVERN).table)
    assert [round(row["chance"], 4) for row in cavern] == [0.0556, 0.1698, 0.2965]
    other = Referee(GAMES["schatz_der_drachen"], PLAYERS)
    assert odds_of(other.table) == []


def test_more_rolls_are_never_safer():
    sides = (("dragon", "blank"), ("dragon", "blank", "blank"))
    chances = [all_have_shown(sides, "dragon", rolls) for rolls in range(6)]
    assert chances[0] == 0
    assert chances == sorted(chances)
