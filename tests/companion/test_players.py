"""Simulated people and chance: seeded, fair, and never with a result of their own."""

import random
from collections import Counter

import pytest

from companion.actions import Chose, Rolled
from companion.errors import CompanionError
from companion.games import GAMES
from companion.offers import Choose, Refusal, Roll, Wait
from companion.players import (
    Chance,
    Intent,
    SimulatedPlayer,
    action_of,
    anything,
    play_out,
    seat_simulated,
    some_players,
)
from companion.referee import Referee

TROLL = GAMES["troll_and_dragon"]


TABLE = Referee(TROLL, some_players(3)).table
SHUT = Refusal("shut", "Shut.")


def test_every_side_is_as_likely_as_any_other():
    chance, counts = Chance(random.Random(1)), Counter()
    for _ in range(6000):
        counts.update(chance.roll(TABLE, ["white-1"]).values())
    expected = {"troll": 2000, "diamond": 2000, "key": 1000, "door": 1000}
    for face, n in expected.items():
        assert counts[face] == pytest.approx(n, rel=0.1)


def test_only_the_dice_that_are_thrown_have_faces():
    rolled = Chance(random.Random(1)).roll(TABLE, ("red-1", "gold-2"))
    assert list(rolled) == ["red-1", "gold-2"]
    assert rolled["red-1"] in ("dragon", "blank")


def test_flip_is_an_error_when_nothing_lies_face_down():
    with pytest.raises(CompanionError, match="nothing lies on 2,3"):
        Chance(random.Random(1)).flip(TABLE, "2,3")


def test_person_intends_nothing_when_no_open_offer_is_hers():
    person = SimulatedPlayer("ann", anything, random.Random(1))
    closed = Choose("ann", "leave", closed=SHUT)
    assert person.intend(TABLE, [Roll("bo", ("a",)), closed, Wait(3.0)]) is None
    intent = person.intend(TABLE, [Roll("bo", ("a",)), Roll("ann", ("a", "b"), at_least=2)])
    assert intent == Intent(Roll("ann", ("a", "b"), at_least=2), dice=("a", "b"))


def test_action_answers_what_was_intended():
    chance = Chance(random.Random(1))
    roll = Intent(Roll("ann", ("red-1", "red-2")), dice=("red-2",))
    action = action_of(roll, TABLE, chance)
    assert isinstance(action, Rolled)
    assert list(action.faces) == ["red-2"]
    choose = Intent(Choose("ann", "take", ("gold",)), value="gold")
    assert action_of(choose, TABLE, chance) == Chose("ann", "take", "gold")
    with pytest.raises(TypeError):
        action_of(Intent(Wait(3.0)), TABLE, chance)


def test_any_dice_that_fit_are_thrown_when_people_do_anything():
    offer, thrown = Roll("ann", ("a", "b", "c"), at_least=2), set()
    for seed in range(60):
        intent = anything(TABLE, "ann", [offer], random.Random(seed))
        thrown.add(intent.dice)
    assert thrown == {("a", "b"), ("a", "c"), ("b", "c"), ("a", "b", "c")}


def test_game_is_another_when_the_seed_is():
    games = {seed: play_out(TROLL, some_players(2), seed=seed).history for seed in (1, 2)}
    assert games[1] != games[2]
    assert play_out(TROLL, some_players(2), seed=1).history == games[1]


def test_game_is_given_up_when_it_takes_too_long():
    with pytest.raises(CompanionError, match="no end after 10 steps"):
        play_out(TROLL, some_players(2), seed=1, limit=10)


@pytest.mark.parametrize("options", [{"sharing": "choose", "auto_take_gold": False}, {}])
def test_adventurers_meet_everything_when_many_games_are_played(options):
    cues = Counter()
    for seed in range(12):
        referee = play_out(TROLL, some_players(3), seed=seed, options=TROLL.options(**options))
        cues.update(told.cue.name for step in referee.history for told in step.told)
    clockless = {cue.name for cue in TROLL.cues} - {"photo_finish", "reminder", "audit"}
    assert clockless - {"warning"} <= set(cues)


@pytest.mark.parametrize("key", GAMES)
def test_everybody_is_seated_with_a_head_of_her_own(key):
    people = seat_simulated(GAMES[key], ("ann", "bo"), seed=1)
    assert list(people) == ["ann", "bo"]
    assert people["ann"]._rng.random() != people["bo"]._rng.random()
