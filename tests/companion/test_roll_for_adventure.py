"""Roll for Adventure scenario by scenario: setting up, turns, A sides (the rules' numbers)."""

from collections.abc import Iterator

import pytest
from adventure import Adventure

from companion.errors import ConfigError
from companion.games import roll_for_adventure
from companion.players import some_players

ANN, BO, CY, DI = "ann", "bo", "cy", "di"  # red, blue, green, yellow


@pytest.fixture
def at() -> Iterator[Adventure]:
    """Four players with all A sides and the Book of Magic."""
    table = Adventure()
    yield table
    table.audit()


# --- setting up -----------------------------------------------------------------------------------


def test_everything_lies_ready_when_four_begin(at):
    """Scenario 1."""
    assert [at.count(f"dice.{seat}") for seat in (ANN, BO, CY, DI)] == [5, 5, 5, 5]
    assert at.count("bonus_pool") == 4
    assert at.lies("oblivion") == {}
    assert at.count("deck") == 25
    assert (at.count("stones"), at.count("stones_needed")) == (0, 5)
    assert (at.active, at.phase) == (ANN, "roll")
    assert at.rollers() == {ANN: tuple(f"red-{i}" for i in range(1, 6))}
    assert at.cues == ["your_turn"]


def test_one_ally_die_each_when_three_begin():
    """Scenario 2."""
    at = Adventure(ANN, BO, CY)
    assert [at.count(f"dice.{seat}") for seat in (ANN, BO, CY)] == [6, 6, 6]
    assert [d for d in at.rollers()[ANN] if d.startswith("yellow")] == ["yellow-1"]
    assert at.count("bonus_pool") == 4


def test_two_ally_dice_each_when_two_begin():
    """Scenario 3."""
    at = Adventure(ANN, BO)
    assert [at.count(f"dice.{seat}") for seat in (ANN, BO)] == [7, 7]
    assert [die.name for die in at.table.dice if die.kind == "green"] == [
        f"green-{i}" for i in range(1, 5)
    ]
    assert "oblivion.yellow" not in at.table.counters


@pytest.mark.parametrize("seats", [1, 5])
def test_game_is_refused_when_too_few_or_too_many_want_to_play(seats):
    with pytest.raises(ConfigError, match="expected 2 to 4 players"):
        roll_for_adventure.GAME.table(tuple(some_players(seats)))


# --- the course of a turn -------------------------------------------------------------------------


def test_roll_is_refused_when_a_die_is_missing(at):
    with at.refused("must_roll_all"):
        at.roll("red-1 1", "red-2 2")


def test_roll_is_refused_when_dice_wait_to_be_placed(at):
    at.throw("1 1 2 3 4")
    with at.refused("place_first"):
        at.roll("red-1 1", "red-2 2", "red-3 1", "red-4 1", "red-5 1")


def test_turn_cannot_end_when_dice_are_left(at):
    """Scenario 45."""
    with at.refused("dice_left"):
        at.flip("desert-1a")
    at.throw("1 1 2 3 4")
    with at.refused("dice_left"):
        at.flip("desert-1a")


def test_placement_is_refused_when_it_names_what_was_not_rolled(at):
    with at.refused("roll_first"):
        at.place("1", 1, "desert-1")
    at.throw("1 1 2 3 4")
    with at.refused("face_not_rolled"):
        at.place("6", 1, "forest")
    with at.refused("not_so_many"):
        at.place("1", 3, "desert-1")
    with at.refused("no_such_placement"):
        at.place("1", 1, "castle")
    with at.refused("master_unbeaten"):
        at.place("1", 1, "enemy-master")
    with at.refused("not_your_turn"):
        at.choose(BO, "place", {"face": "1", "count": 1, "where": "desert-1"})
    with at.refused("no_such_placement"):
        at.answer("place", {"face": "1", "count": True, "where": "desert-1"})


def test_placement_says_what_a_territory_takes_when_it_is_refused(at):
    at.throw("1 2 4 5 6")
    with at.refused("desert_takes_ones"):
        at.place("2", 1, "desert-1")
    with at.refused("fortress_takes_threes"):
        at.place("4", 1, "fortress-3")
    with at.refused("forest_takes_fives_and_sixes"):
        at.place("1", 1, "forest")
    with at.refused("ice_other_number"):
        at.place("1", 1, "ice-2")


def test_two_values_are_refused_when_they_come_from_one_roll(at):
    at.throw("3 3 3 3 4")
    at.place("3", 3, "fortress-3")
    with at.refused("roll_first"):
        at.place("4", 1, "fortress-4")
    assert at.rollers() == {ANN: ("red-4", "red-5")}


def test_people_say_which_die_when_owners_differ(at):
    at.adjust("bonus_pool", 3)
    at.throw("3 3 3 3 3 3")
    assert at.place("3", 2, "fortress-3") == []
    assert at.phase == "use"
    assert at.values("use") == ["red", "grey"]
    with at.refused("decide_first"):
        at.place("3", 1, "ice-3")
    at.answer("use", "grey")
    assert at.lies("fortress-3") == {"red": 1, "grey": 1}


# --- the desert -----------------------------------------------------------------------------------


def test_die_moves_on_when_the_first_section_is_full(at):
    """Scenario 5."""
    at.put("desert-1", "blue")
    at.throw("1 1 4 5 6")
    at.place("1", 2, "desert-1")
    assert (at.phase, at.values("keep")) == ("keep", ["red", "blue"])
    cues = at.answer("keep", "red")
    assert "dice_returned" in cues
    assert at.lies("desert-1") == {}
    assert at.lies("desert-2") == {"red": 1}
    assert at.count("dice.bo") == 5
    assert at.count("dice.ann") == 1
    assert len(at.rollers()[ANN]) == 3
    with at.refused("returned_dice_rest"):
        at.roll("red-2 1")


def test_die_is_devoured_when_the_second_section_is_full(at):
    """Scenario 6."""
    at.put("desert-2", "red", "blue")
    at.put("desert-1", "green", "green")
    at.throw("1 4 5 6")
    at.place("1", 1, "desert-1")
    at.answer("keep", "green")
    assert at.values("keep") == ["red", "blue", "green"]
    assert at.answer("keep", "blue")[-1] == "power_stone"
    assert at.lies("desert-3") == {"blue": 1}
    assert at.lies("desert-1") == at.lies("desert-2") == {}
    assert at.count("stones") == 1
    assert at.count("dice.cy") == 5


def test_no_more_ones_than_spaces_when_five_are_rolled(at):
    """Scenario 7."""
    at.put("desert-1", "blue")
    at.throw("1 1 1 1 1")
    with at.refused("no_room"):
        at.place("1", 3, "desert-1")
    at.place("1", 2, "desert-1")
    at.answer("keep", "blue")
    assert len(at.rollers()[ANN]) == 3


# --- the fortress ---------------------------------------------------------------------------------


def test_section_is_closed_when_its_barrier_is_down(at):
    """Scenario 9."""
    at.adjust("barriers.3", 0)
    at.throw("3 3 4 4 5")
    with at.refused("barrier_down"):
        at.place("3", 1, "fortress-3")
    message = next(o.closed.message for o in at.referee.offers if o.closed and "3s" in str(o))
    assert message == "The fortress takes no 3s until all three barriers are down."
    at.place("4", 2, "fortress-4")


def test_stone_is_won_when_the_third_barrier_falls(at):
    """Scenario 10."""
    at.adjust("barriers.2", 0)
    at.adjust("barriers.3", 0)
    at.put("fortress-4", "blue", "green")
    at.throw("4 4 1 1 1")
    assert "power_stone" in at.place("4", 2, "fortress-4")
    assert at.count("stones") == 1
    assert [at.count(f"barriers.{n}") for n in (2, 3, 4)] == [1, 1, 1]
    assert at.lies("fortress-4") == {}
    assert at.count("dice.bo") == at.count("dice.cy") == 5


# --- the forest -----------------------------------------------------------------------------------


def test_forest_takes_one_value_a_roll_when_both_are_shown(at):
    """Scenario 11."""
    at.put("forest.5", "blue", "blue")
    at.put("forest.6", "green")
    at.adjust("oblivion.red", 2)
    at.throw("6 6 5")
    at.place("6", 2, "forest")
    assert sum(at.lies("forest").values()) == 5
    assert at.rollers() == {ANN: ("red-3",)}
    at.throw("1")
    with at.refused("forest_takes_fives_and_sixes"):
        at.place("1", 1, "forest")
    at.place("1", 1, "desert-1")
    assert at.phase == "reveal"


def test_boundary_moves_on_when_the_path_reaches_it(at):
    at.put("forest.5", "blue", "blue", "green", "green")
    at.throw("6 6 1 1 1")
    assert "power_stone" in at.place("6", 2, "forest")
    assert at.count("forest_boundary") == 7
    assert at.lies("forest") == {}


def test_forest_is_exhausted_when_nine_dice_have_been_placed(at):
    """Scenario 13."""
    at.adjust("forest_boundary", 9)
    at.put("forest.5", *["blue"] * 4, *["green"] * 4)
    at.throw("6 5 1 1 1")
    assert "power_stone" in at.place("6", 1, "forest")
    assert at.count("forest_boundary") == 0
    at.throw("5 5 1 1")
    with at.refused("forest_exhausted"):
        at.place("5", 1, "forest")


# --- the ice cave ---------------------------------------------------------------------------------


def test_ice_cave_takes_one_die_when_two_are_equal(at):
    """Scenario 14."""
    at.throw("4 4 1 1 1")
    with at.refused("one_die_a_roll"):
        at.place("4", 2, "ice-4")
    at.place("4", 1, "ice-4")
    assert at.lies("ice-4") == {"red": 1}


def test_four_dice_may_stand_when_people_go_on(at):
    """Scenario 15."""
    for n, colour in ((1, "blue"), (2, "green"), (3, "yellow")):
        at.put(f"ice-{n}", colour)
    at.throw("5 1 1 1 1")
    assert "subtask_ice" in at.place("5", 1, "ice-5")
    assert (at.phase, at.choices()) == ("claim", {"claim", "continue"})
    at.answer("continue")
    at.spend()
    at.flip("ice-1a")
    assert at.lies("ice-5") == {}
    assert at.lies("oblivion") == {"red": 1}
    assert at.count("damage.ice") == 0


def four_in_the_ice(at: Adventure, *colours: str) -> None:
    for n, colour in enumerate(colours, 1):
        at.put(f"ice-{n}", colour)


def test_somebody_goes_without_when_bonus_dice_do_not_go_round(at):
    """Scenario 17."""
    at.put("oblivion", "grey", "grey", "grey")
    four_in_the_ice(at, "blue", "blue", "blue")
    at.throw("4 1 1 1 1")
    at.place("4", 1, "ice-4")
    at.answer("claim")
    assert (at.phase, at.values("deny")) == ("deny", [ANN, BO])
    cues = at.answer("deny", ANN)
    assert "ice_reward" in cues
    assert at.count("dice.bo") == 6
    assert at.count("dice.ann") == 1
    assert at.count("bonus_pool") == 0


def test_enemy_is_defeated_when_five_dice_are_claimed(at):
    """Scenario 18."""
    at.pass_turn("fortress-2a")
    at.put("enemy-fortress-2a.3", "green")
    four_in_the_ice(at, "yellow", "yellow", "green", "green")
    assert at.active == BO
    at.throw("5 1 1 1 1")
    at.place("5", 1, "ice-5")
    cues = at.answer("claim")
    assert "enemy_defeated" in cues
    assert at.count("dice.cy") == 6
    assert at.count("dice.di") == 6
    assert at.count("dice.bo") == 2
    assert "at.enemy-fortress-2a.3.green" not in at.table.counters
    assert at.table.discard == ["fortress-2a"]


def test_damage_is_reset_when_six_dice_are_claimed(at):
    """Scenario 19."""
    at.adjust("damage.forest", 3)
    four_in_the_ice(at, "blue", "blue", "blue", "green", "green")
    at.throw("6 1 1 1 1")
    cues = at.place("6", 1, "ice-6")
    assert "healed" in cues
    assert at.count("damage.forest") == 0
    assert [at.count(f"dice.{seat}") for seat in (ANN, BO, CY)] == [2, 6, 6]


def test_territory_to_heal_is_chosen_when_several_are_damaged(at):
    at.adjust("damage.forest", 3)
    at.adjust("damage.ice", 1)
    four_in_the_ice(at, "blue", "blue", "blue", "green", "green")
    at.throw("6 1 1 1 1")
    at.place("6", 1, "ice-6")
    assert (at.phase, at.values("heal")) == ("heal", ["forest", "ice"])
    at.answer("heal", "ice")
    assert (at.count("damage.forest"), at.count("damage.ice")) == (3, 0)


def test_bonus_die_goes_back_when_it_has_been_used(at):
    """Scenario 21."""
    four_in_the_ice(at, "blue", "blue", "blue")
    at.throw("4 1 1 1 1")
    at.place("4", 1, "ice-4")
    at.answer("claim")
    at.spend()
    at.flip("fortress-1a")
    at.put("fortress-3", "green", "green", "green")
    assert "grey-2" in at.rollers()[BO]
    at.throw("1 1 1 1 1 3")
    assert "bonus_returned" in at.place("3", 1, "fortress-3")
    assert at.count("bonus_pool") == 3
    assert at.count("dice.bo") == 0
    assert at.count("barriers.3") == 0
