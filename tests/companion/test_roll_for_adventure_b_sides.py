"""Roll for Adventure scenario by scenario: the B sides (the rules' numbers)."""

from collections.abc import Iterator

import pytest
from adventure import Adventure

ANN, BO, CY, DI = "ann", "bo", "cy", "di"  # red, blue, green, yellow


@pytest.fixture
def at() -> Iterator[Adventure]:
    """Four players with all B sides."""
    table = Adventure(sides="bbbb")
    yield table
    table.audit()


# --- the desert -----------------------------------------------------------------------------------


def test_dice_of_a_chain_may_be_taken_back_when_it_is_closed(at):
    """Scenario 54."""
    at.put("desert-b-1", "blue")
    at.put("desert-b-2", "blue")
    at.throw("1 2 2 2 2")
    cues = at.place("1", 1, "desert-b-3")
    assert "subtask_desert" in cues
    assert at.count("chain_done.1") == 1
    assert (at.phase, at.values("take_back")) == (
        "take_back",
        ["desert-b-1", "desert-b-2", "desert-b-3"],
    )
    at.answer("take_back", "desert-b-2")
    at.answer("take_back", "red")
    at.answer("continue")
    assert at.count("dice.bo") == 4
    assert at.count("dice.ann") == 1
    assert at.lies("desert-b-1") == {"blue": 1}
    with at.refused("chain_is_closed"):
        at.answer("take_back", "desert-b-1")


def test_several_ones_go_to_several_spaces_when_placed_together(at):
    at.throw("1 1 1 2 2")
    with at.refused("desert_takes_ones"):
        at.place("2", 1, "desert-b-0")
    at.place("1", 2, ["desert-b-4", "desert-b-6"])
    assert at.lies("desert-b-4") == at.lies("desert-b-6") == {"red": 1}
    at.throw("1 2 2")
    with at.refused("space_taken"):
        at.place("1", 1, "desert-b-4")
    at.place("1", 1, ["desert-b-5"])
    assert at.lies("desert-b-5") == {"red": 1}


def test_owners_are_asked_for_each_space_when_they_differ(at):
    at.adjust("bonus_pool", 3)
    at.throw("1 1 2 2 2 2")
    at.place("1", 2, ["desert-b-4", "desert-b-6"])
    assert at.phase == "use"
    at.answer("use", "red")
    assert at.lies("desert-b-4") == {"red": 1}
    assert at.lies("desert-b-6") == {"grey": 1}


def test_stone_is_won_when_the_fifth_chain_is_closed(at):
    """Scenario 55."""
    for chain in (0, 1, 2, 4):
        at.adjust(f"chain_done.{chain}", 1)
    for space in (4, 5, 6):
        at.put(f"desert-b-{space}", "green")
    at.throw("1 2 2 2 2")
    assert "power_stone" in at.place("1", 1, "desert-b-7")
    assert at.count("stones") == 1
    assert [at.count(f"chain_done.{chain}") for chain in range(5)] == [0] * 5
    assert at.count("dice.cy") == 5


def test_two_dice_are_lost_when_the_desert_is_attacked(at):
    """Scenario 55."""
    for space, colour in ((0, "blue"), (3, "blue"), (5, "green")):
        at.put(f"desert-b-{space}", colour)
    at.spend()
    at.flip("desert-1a")
    assert at.values("lose") == ["desert-b-0", "desert-b-3", "desert-b-5"]
    at.answer("lose", "desert-b-3")
    assert at.values("lose") == ["blue", "green"]
    at.answer("lose", "green")
    assert at.lies("oblivion") == {"blue": 1, "green": 1}
    at.pass_turn("desert-1b")
    assert at.lies("oblivion") == {"blue": 2, "green": 1}
    assert at.count("damage.desert") == 0
    at.pass_turn("desert-1c")
    assert at.count("damage.desert") == 1


# --- the fortress ---------------------------------------------------------------------------------


def test_section_takes_three_then_four_then_five_when_barriers_fall(at):
    at.throw("3 3 3 3 1")
    with at.refused("no_room"):
        at.place("3", 4, "fortress-3")
    at.place("3", 3, "fortress-3")
    assert (at.count("barriers.3"), at.count("dice.ann")) == (1, 3)
    at.throw("3 1")
    at.place("3", 1, "fortress-3")
    at.put("fortress-3", "green", "green")
    at.throw("3")
    at.place("3", 1, "fortress-3")
    assert at.count("barriers.3") == 0
    at.flip("desert-1a")
    at.put("fortress-3", "green", "green", "green", "green")
    at.throw("3 1 1 1 1")
    assert "power_stone" in at.place("3", 1, "fortress-3")
    assert (at.count("barriers.3"), at.count("barriers.2"), at.count("stones")) == (2, 2, 1)


# --- the forest -----------------------------------------------------------------------------------


def test_die_is_sacrificed_when_the_paths_meet(at):
    """Scenario 57."""
    at.put("forest.6", *["blue"] * 4)
    at.put("forest.5", *["green"] * 3)
    at.throw("5 4 3 2 1")
    with at.refused("paths_do_not_meet"):
        at.place("4", 1, "forest-boundary")
    assert "subtask_forest" in at.place("5", 1, "forest")
    at.throw("4 3 3 2")
    with at.refused("boundary_shows_other"):
        at.place("3", 1, "forest-boundary")
    cues = at.place("4", 1, "forest-boundary")
    assert "power_stone" in cues
    assert at.lies("oblivion") == {"red": 1}
    assert at.lies("forest") == {}
    assert (at.count("dice.bo"), at.count("dice.cy"), at.count("dice.ann")) == (5, 5, 1)


def test_last_space_asks_for_the_other_value_when_all_are_equal(at):
    at.put("forest.6", *["blue"] * 5, "green", "green")
    at.throw("6 5 1 1 1")
    with at.refused("forest_needs_a_five"):
        at.place("6", 1, "forest")
    at.place("5", 1, "forest")
    assert sum(at.lies("forest").values()) == 8


# --- the ice cave ---------------------------------------------------------------------------------


def test_equal_dice_are_refused_when_they_would_touch(at):
    """Scenario 58."""
    at.put("ice-b-1-2.4", "green")
    at.throw("4 4 1 1 1")
    for cell in ("1-1", "1-3", "2-2"):
        with at.refused("ice_neighbour"):
            at.place("4", 1, f"ice-b-{cell}")
    with at.refused("space_taken"):
        at.place("4", 1, "ice-b-1-2")
    at.place("4", 1, "ice-b-2-1")
    assert at.lies("ice-b-2-1") == {"4.red": 1}


@pytest.mark.parametrize("value", [None, ["row-1", "column-3"]])
def test_two_lines_are_claimed_when_one_die_fills_the_second(at, value):
    """Scenario 59."""
    at.adjust("damage.forest", 3)
    for cell, face in (("1-1", 1), ("1-2", 2), ("1-3", 3)):
        at.put(f"ice-b-{cell}.{face}", "green")
    at.throw("6 1 1 1 1")
    at.place("6", 1, "ice-b-2-3")
    assert (at.phase, at.choices()) == ("claim", {"claim", "continue"})
    assert at.values("claim") == ["row-1", "column-3", ["row-1", "column-3"]]
    at.answer("claim", value)
    assert at.count("dice.ann") == 3
    assert at.count("bonus_pool") == 2
    assert at.count("damage.forest") == 1
    assert at.count("dice.cy") == 5


def test_other_line_stands_when_only_one_is_claimed(at):
    at.put("oblivion", "blue")
    for cell, face in (("1-1", 1), ("1-2", 2), ("1-3", 3)):
        at.put(f"ice-b-{cell}.{face}", "green")
    at.throw("6 1 1 1 1")
    at.place("6", 1, "ice-b-2-2")
    assert at.answer("claim", "column-2")[-2:] == ["freed", "dice_returned"]
    assert at.lies("ice-b-1-1") == {"1.green": 1}
    assert (at.count("dice.bo"), at.count("dice.cy"), at.count("dice.ann")) == (5, 3, 1)


def test_line_stands_when_nobody_claims_it(at):
    at.put("ice-b-1-1.2", "green")
    at.pass_turn("fortress-1a")
    at.throw("6 1 1 1 1")
    at.place("6", 1, "ice-b-2-1")
    at.answer("continue")
    assert at.table.enemies == ["fortress-1a"]
    at.spend()
    at.flip("ice-1a")
    assert at.lies("oblivion") == {"blue": 1}


def test_people_choose_the_die_when_the_highest_value_lies_twice(at):
    at.put("ice-b-1-1.5", "green")
    at.put("ice-b-2-2.5", "green")
    at.spend()
    at.flip("ice-1a")
    assert at.values("lose") == ["ice-b-1-1", "ice-b-2-2"]
    at.answer("lose", "ice-b-2-2")
    assert at.lies("ice-b-1-1") == {"5.green": 1}
