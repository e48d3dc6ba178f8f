"""Troll & Dragon scenario by scenario: the cavern, the Dragon, and sharing, without a clock."""

import random

import pytest
from verbs import GOLD, RED

from companion.offers import Roll
from companion.players import Chance


def play_to_the_cavern(at, seat_name):
    """Let everybody leave the grotto with a diamond until it is this player's turn."""
    while at.active != seat_name:
        at.white("D T T K")
        at.leave()
    at.enter()


def test_dragon_dice_are_refused_when_the_race_has_not_started(at):
    """Scenario 17."""
    at.enter()
    with at.refused("race_not_started"):
        at.red("X X")
    assert at.count("dragon.awake") == 0
    assert at.golden("g0 g0") == ["race"]
    assert at.rollers() == {"ann": GOLD, "bo": RED}


def test_gold_is_gathered_when_the_gold_dice_show_it(at):
    """Scenario 18."""
    at.enter()
    assert at.golden("g1 g2") == ["race", "gold"]
    assert at.treasure("pouch") == (1, 3)
    assert at.count("supply.gold") == 47


def test_gold_is_capped_when_the_cavern_holds_less(at):
    """Scenario 19."""
    at.adjust("supply.gold", 3)
    at.enter()
    assert at.golden("g2 g2") == ["race", "gold", "room_empty"]
    assert at.treasure("pouch") == (1, 3)
    assert at.count("supply.gold") == 0
    assert at.golden("g2 g2") == ["warning"]
    assert at.leave() == ["left", "game_over"]


def test_cavern_is_called_low_when_five_nuggets_are_left(at):
    at.adjust("supply.gold", 6)
    at.enter()
    assert at.golden("g1 g0") == ["race", "gold", "room_low"]


def test_warning_is_given_when_an_empty_cavern_is_entered(seat):
    at = seat("ann", "bo", end_mode="both")
    at.adjust("supply.gold", 0)
    at.white("K O D T")
    at.aside("white-1")
    assert at.aside("white-2") == ["cavern", "warning"]
    assert at.golden("g2 g2") == ["race", "warning"]
    at.leave()
    assert at.pack("ann") == (1, 0)
    assert at.referee.outcome is None


def test_dragon_wakes_when_the_second_die_comes_up_later(at):
    """Scenario 21."""
    at.enter()
    at.golden("g0 g0")
    assert at.red("- -") == []
    assert at.rollers()["cy"] == RED
    assert at.red("X -") == ["dragon"]
    assert at.count("dragon.awake") == 1
    assert at.rollers() == {"ann": GOLD, "bo": ("red-2",)}
    at.golden("g0 g0")
    assert at.count("dragon.awake") == 1
    assert at.red("X")[:2] == ["dragon", "dragon_awake"]
    assert at.said.count("Bo takes") == 1


def test_treasure_is_dealt_gold_first_from_the_waker_when_the_dragon_wakes(at):
    """Scenario 22."""
    at.enter()
    at.golden("g2 g2")
    at.red("- -")
    at.red("X -")
    at.red("X")
    assert at.pack("bo") == (1, 2)
    assert at.pack("cy") == (0, 2)
    assert at.pack("ann") == (0, 0)
    assert at.cues == ["dragon", "dragon_awake", "shared", "shared", "your_turn"]
    assert at.active == "bo"


def test_first_takers_get_one_more_when_the_treasure_does_not_divide(seat):
    """Scenario 23."""
    at = seat("p0", "p1", "p2", "p3")
    at.adjust("supply.diamonds", 59)
    at.adjust("troll_hand.diamonds", 1)
    at.enter()
    at.golden("g2 g0")
    at.red("- -")
    at.red("X -")
    at.red("X")
    assert [at.pack(p) for p in ("p3", "p1", "p2", "p0")] == [(1, 1), (0, 1), (1, 0), (0, 0)]
    assert at.count("troll_hand.diamonds") == 0


def test_lone_opponent_takes_three_diamonds_of_the_troll_when_he_has_more(seat):
    """Scenario 25."""
    at = seat("ann", "bo")
    at.adjust("supply.diamonds", 53)
    at.adjust("troll_hand.diamonds", 7)
    at.enter("K O D D")
    at.golden("g2 g1")
    at.red("X X")
    assert at.pack("bo") == (5, 3)
    assert at.count("troll_hand.diamonds") == 4


def test_lone_opponent_takes_all_diamonds_of_the_troll_when_he_has_few(seat):
    """Scenario 26."""
    at = seat("ann", "bo")
    at.adjust("supply.diamonds", 58)
    at.adjust("troll_hand.diamonds", 2)
    at.enter("K O T T")
    at.golden("g0 g0")
    at.red("X X")
    assert at.pack("bo") == (2, 0)
    assert at.count("troll_hand.diamonds") == 0


def test_dragon_wakes_at_once_when_both_dice_come_up_in_one_roll(at):
    """Scenario 27."""
    at.enter("K O D D")
    at.golden("g1 g0")
    at.red("- -")
    assert at.red("X X") == ["dragon", "dragon_awake", "shared", "shared", "your_turn"]
    assert at.pack("cy") == (1, 1)
    assert at.pack("bo") == (1, 0)


def test_unclaimed_gold_is_taken_along_when_the_adventurer_leaves(seat):
    """Scenario 29, first half."""
    at = seat("ann", "bo", auto_take_gold=False)
    at.enter("K O T T")
    assert at.golden("g1 g0") == ["race"]
    assert at.treasure("pouch") == (0, 0)
    assert at.count("supply.gold") == 50
    assert at.leave() == ["gold", "left", "your_turn"]
    assert at.pack("ann") == (0, 1)


def test_unclaimed_gold_stays_when_the_dragon_wakes(seat):
    """Scenario 29, second half."""
    at = seat("ann", "bo", auto_take_gold=False)
    at.enter("K O T T")
    at.golden("g1 g0")
    at.red("X X")
    assert at.count("supply.gold") == 50
    assert at.pack("bo") == (0, 0)


def test_unclaimed_gold_is_forfeited_when_the_dice_are_rolled_again(seat):
    """Scenario 30."""
    at = seat("ann", "bo", auto_take_gold=False)
    at.enter("K O T T")
    with at.refused("nothing_to_claim"):
        at.choose("ann", "claim")
    at.golden("g2 g0")
    at.golden("g0 g0")
    assert at.count("supply.gold") == 50
    with at.refused("nothing_to_claim"):
        at.choose("ann", "claim")
    at.golden("g1 g2")
    assert at.choose("ann", "claim") == ["gold"]
    assert at.treasure("pouch") == (0, 3)
    with at.refused("nothing_to_claim"):
        at.choose("ann", "claim")
    at.leave()
    assert at.pack("ann") == (0, 3)


def test_claim_is_refused_when_gold_is_taken_by_itself(at):
    at.enter()
    at.golden("g1 g0")
    with at.refused("not_offered"):
        at.choose("ann", "claim")


def test_gold_dice_are_refused_when_the_dragon_is_awake(at):
    """Scenario 31; the photo finish has it too, with a reason of its own."""
    at.enter()
    at.golden("g1 g0", at_s=5.0)
    at.red("X X", at_s=10.0)
    with at.refused("dragon_is_awake"):
        at.golden("g2 g2", at_s=10.05)
    with at.refused("dragon_is_awake"):
        at.roll("red-1 X", at_s=10.05)
    with at.refused("cavern_shut"):
        at.golden("g2 g2", at_s=10.2)
    at.wait(10.1)
    with at.refused("cavern_shut"):
        at.golden("g2 g2", at_s=10.2)


def test_adventurer_keeps_the_diamonds_when_leaving_before_any_cavern_roll(at):
    """Scenario 39."""
    at.white("K O D D")
    at.roll("white-3 D")
    at.aside("white-1")
    at.aside("white-2")
    assert at.leave() == ["left", "your_turn"]
    assert at.pack("ann") == (3, 0)
    assert at.table.cavern.dragons == {}


def test_only_the_waker_receives_when_the_pool_is_one_piece(seat):
    """Scenario 41."""
    at = seat("p0", "p1", "p2", "p3", "p4")
    play_to_the_cavern(at, "p2")
    before = {p: at.pack(p) for p in ("p0", "p1", "p3", "p4")}
    at.golden("g0 g0")
    at.red("- -")
    at.red("X X")
    assert at.treasure("pouch") == (0, 0)
    gained = {p: at.pack(p)[0] - before[p][0] for p in before}
    assert gained == {"p0": 0, "p1": 0, "p3": 0, "p4": 1}
    assert at.cues.count("shared") == 1


def test_dragon_rolls_go_around_without_the_adventurer_when_four_play(seat):
    at = seat("p0", "p1", "p2", "p3")
    play_to_the_cavern(at, "p2")
    at.golden("g0 g0")
    rollers = []
    for _ in range(5):
        rollers += [p for p in at.rollers() if p != "p2"]
        at.red("- -")
    assert rollers == ["p3", "p0", "p1", "p3", "p0"]


def test_lone_opponent_rolls_every_time_when_two_play(seat):
    at = seat("ann", "bo")
    at.enter()
    at.golden("g0 g0")
    for _ in range(3):
        assert at.rollers() == {"ann": GOLD, "bo": RED}
        at.red("- -")


@pytest.mark.parametrize(
    ("dice", "code"),
    [
        (["gold-1 g0"], "must_roll_both"),
        (["red-1 X"], "must_roll_both"),
        (["white-1 D"], "grotto_left"),
    ],
)
def test_roll_in_the_cavern_is_refused_when_dice_are_missing_or_put_away(at, dice, code):
    at.enter()
    at.golden("g0 g0")
    with at.refused(code):
        at.roll(*dice)


def test_roll_is_refused_when_a_dragon_die_is_already_up(at):
    at.enter()
    at.golden("g0 g0")
    at.red("- X")
    with at.refused("die_blocked"):
        at.roll("red-2 blank")
    with at.refused("die_blocked"):
        at.roll("red-1 blank", "red-2 blank")


def test_dragon_sleeps_again_when_the_next_turn_begins(at):
    at.enter()
    at.golden("g0 g0")
    at.red("X -")
    at.leave()
    assert at.count("dragon.awake") == 0
    at.enter()
    at.golden("g0 g0")
    assert at.rollers() == {"bo": GOLD, "cy": RED}


@pytest.mark.parametrize(
    ("faces", "rolls"), [(((1,), (1,)), 8.73), (((1,), (2,)), 6.75), (((2,), (2,)), 4.2)]
)
def test_dragon_takes_as_many_rolls_as_its_faces_say(seat, faces, rolls):
    """Simulated chance rolls every side equally often, and only dice that are asleep."""
    options = {
        f"red-{i}": ("dragon",) * n + ("blank",) * (6 - n) for i, (n,) in enumerate(faces, 1)
    }
    at = seat("ann", "bo", dice=options)
    chance, total, races = Chance(random.Random(7)), 0, 1500
    for _ in range(races):
        asleep = RED
        while asleep:
            rolled = chance.roll(at.table, asleep)
            asleep = tuple(die for die in asleep if rolled[die] != "dragon")
            total += 1
    assert total / races == pytest.approx(rolls, rel=0.08)


def test_roll_offer_of_the_race_asks_for_all_dice_that_sleep(at):
    at.enter()
    at.golden("g0 g0")
    offers = {offer.player: offer for offer in at.open_offers(Roll)}
    assert (offers["ann"].at_least, offers["bo"].at_least) == (2, 2)
    at.red("X -")
    offers = {offer.player: offer for offer in at.open_offers(Roll)}
    assert offers["cy"] == Roll("cy", ("red-2",), at_least=1)
