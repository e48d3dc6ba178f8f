"""Luck against expectation: measured by the rules, and held against counting all rolls."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.actions import Report, Rolled
from companion.games import GAMES
from companion.luck import MEASURES, best_of, fitting_surplus, luck, mean_best, rooms, ways
from companion.players import Chance, action_of, seat_simulated, some_players
from companion.referee import Referee

FACES = ("1", "2", "3", "4", "5", "6")


def by_counting(dice, sides, room):
    rolls = list(itertools.product(sides, repeat=dice))
    return sum(best_of(Counter(roll), room) for roll in rolls) / len(rolls)


@given(
    st.integers(0, 4),
    st.lists(st.sampled_from(FACES), min_size=1, max_size=6),
    st.dictionaries(st.sampled_from(FACES), st.integers(0, 5)),
)
@settings(max_examples=40, deadline=None)
def test_mean_is_that_over_all_rolls(dice, sides, room):
    counted = tuple(sorted((n, room.get(face, 0)) for face, n in Counter(sides).items()))
    assert mean_best(dice, counted) == pytest.approx(by_counting(dice, sides, room))


def test_ways_are_all_rolls_where_nothing_is_bounded():
    assert ways(13, [(1, 13)] * 6) == 6**13
    assert ways(3, [(1, 0)] + [(1, 3)] * 5) == 5**3


def played(key, steps, seed=5, seats=2, **options):
    """A game that simulated people have played for a while."""
    game = GAMES[key]
    referee = Referee(game, some_players(seats), game.options(**options))
    people = seat_simulated(game, referee.table.seats, seed)
    chance = Chance(random.Random(seed))
    while referee.number < steps and referee.outcome is None:
        intents = [i for p in people.values() if (i := p.intend(referee.table, referee.offers))]
        referee.apply(Report(action_of(intents[0], referee.table, chance), source="simulated"))
    return referee


def fresh(referee):
    return Referee(referee.game, referee.players, referee.options)


@pytest.mark.parametrize(("sides", "excess"), [("aaaa", "reroll"), ("bbbb", "chain")])
def test_room_is_what_the_offers_of_the_game_say(sides, excess):
    referee = played("roll_for_adventure", 60, sides=sides, excess=excess)
    again, checked = fresh(referee), 0
    for step in referee.counting.values():
        action = step.report.action
        if isinstance(action, Rolled) and again.table.phase == "roll":
            room, n = rooms(again.table, len(action.faces)), len(action.faces)
            again.apply(step.report)
            assert best_of(Counter(action.faces.values()), room) == offered(again, n)
            checked += 1
        else:
            again.apply(step.report)
    assert checked > 8


def offered(referee, dice):
    """The most dice that an offer brings to a territory."""
    values = [
        value
        for offer in referee.offers
        if getattr(offer, "choice", "") == "place" and offer.closed is None
        for value in offer.values
    ]
    lands = ("desert", "fortress", "forest", "ice")

    def where(value):
        return value["where"] if isinstance(value["where"], str) else value["where"][0]

    return max((v["count"] for v in values if where(v).startswith(lands)), default=0)


def test_luck_of_random_rolls_comes_to_nothing_in_the_long_run():
    referee = played("roll_for_adventure", 10)
    rng, table = random.Random(11), fresh(referee).table
    dice = table.to_roll
    sums = [
        fitting_surplus(table, Rolled({die: rng.choice(FACES) for die in dice}))
        for _ in range(1500)
    ]
    assert abs(sum(sums) / len(sums)) < 0.07


def test_luck_of_a_game_is_told_for_every_player():
    referee = played("roll_for_adventure", 80, seats=3)
    told, words = luck(referee, fresh(referee))
    assert set(told) <= set(referee.table.seats)
    assert len(told) > 1
    assert words == MEASURES["roll_for_adventure"].words
    steps = [number for line in told.values() for number, _ in line]
    assert len(set(steps)) == len(steps)


def test_die_of_territories_brings_no_luck():
    table = fresh(played("roll_for_adventure", 1)).table
    table.phase = "place"
    assert fitting_surplus(table, Rolled({table.to_roll[0]: "1"})) is None
