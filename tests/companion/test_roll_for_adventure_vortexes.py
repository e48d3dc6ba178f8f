"""Roll for Adventure scenario by scenario: the vortexes and the end (the rules' numbers)."""

from collections.abc import Iterator

import pytest
from adventure import Adventure

ANN, BO, CY, DI = "ann", "bo", "cy", "di"  # red, blue, green, yellow


@pytest.fixture
def at() -> Iterator[Adventure]:
    """Four players with all A sides and the Book of Magic."""
    table = Adventure()
    yield table
    table.audit()


# --- the vortexes ---------------------------------------------------------------------------------


def test_everything_is_freed_when_the_vortex_holds_ten(at):
    """Scenario 33."""
    at.put("resurrection.5", "blue")
    at.put("oblivion", "green", "yellow")
    at.adjust("oblivion.red", 1)
    at.throw("3 3 3 4")
    cues = at.place("3", 2, "resurrection")
    assert cues == ["placed", "vortex", "freed", "dice_returned"]
    assert at.lies("oblivion") == at.lies("resurrection") == {}
    assert [at.count(f"dice.{seat}") for seat in (ANN, BO, CY, DI)] == [5, 5, 5, 5]
    assert at.phase == "reveal"


def test_turn_ends_when_the_vortex_holds_nine(at):
    """Scenario 34."""
    at.put("resurrection.5", "blue")
    at.put("oblivion", "green")
    at.throw("4 1 1 1 1")
    at.place("4", 1, "resurrection")
    assert at.lies("oblivion") == {"green": 1}
    assert at.lies("resurrection") == {"4.red": 1, "5.blue": 1}
    assert at.count("dice.ann") == 4
    assert at.phase == "reveal"
    with at.refused("returned_dice_rest"):
        at.roll("red-1 1", "red-2 2", "red-3 3", "red-4 3")


def test_freed_dice_go_to_whom_they_belong():
    """Scenario 35."""
    at = Adventure(ANN, BO, CY)
    at.put("oblivion", "grey", "yellow", "blue")
    at.put("resurrection.6", "green")
    assert (at.count("dice.ann"), at.count("dice.bo")) == (5, 5)
    at.throw("6 1 1 1 1")
    at.place("6", 1, "resurrection")
    assert at.count("bonus_pool") == 4
    assert (at.count("dice.ann"), at.count("dice.bo"), at.count("dice.cy")) == (6, 6, 6)
    at.audit()


# --- the end --------------------------------------------------------------------------------------


def test_everybody_wins_when_the_last_stone_comes(at):
    at.adjust("stones", 4)
    at.put("forest.5", *["blue"] * 4)
    at.throw("6 6 1 1 1")
    assert at.place("6", 2, "forest")[-1] == "won"
    assert at.referee.outcome.winners == (ANN, BO, CY, DI)
    assert at.phase == "over"
    with at.refused("game_over"):
        at.flip("desert-1a")


def test_turn_is_a_card_only_when_a_player_has_no_dice(at):
    """Scenario 42."""
    at.adjust("oblivion.blue", 5)
    at.pass_turn("desert-1a")
    assert (at.active, at.phase) == (BO, "reveal")
    at.flip("forest-1a")
    assert at.active == CY


def test_game_is_lost_when_nobody_has_dice(at):
    """Scenario 43."""
    for colour in ("blue", "green", "yellow"):
        at.adjust(f"oblivion.{colour}", 5)
    at.throw("1 1 1 1 1")
    at.place("1", 5, "resurrection")
    assert at.flip("desert-1a")[-1] == "lost"
    assert at.referee.outcome.winners == ()
    assert "dice" in at.referee.outcome.why
