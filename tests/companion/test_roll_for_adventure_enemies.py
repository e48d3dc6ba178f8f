"""Roll for Adventure scenario by scenario: enemies and their attacks (the rules' numbers)."""

from collections.abc import Iterator

import pytest
from adventure import Adventure

ANN, BO = "ann", "bo"


@pytest.fixture
def at() -> Iterator[Adventure]:
    """Four players with all A sides and normal enemies."""
    table = Adventure()
    yield table
    table.audit()


def man_everything(at: Adventure) -> None:
    """Put dice of Di's everywhere, so that attacks take dice and do no damage."""
    at.put("desert-1", "yellow")
    at.put("fortress-2", "yellow")
    at.put("forest.5", "yellow")
    at.put("ice-1", "yellow")


# --- ranks ----------------------------------------------------------------------------------------


def test_lower_ranks_attack_again_when_a_higher_one_is_revealed(at):
    """Scenario 22."""
    for card in ("fortress-3a", "fortress-2a", "desert-1a", "forest-1a", "forest-1b"):
        at.table.enemies.append(card)
        at.table.deck.remove(card)
    at.put("forest.5", "blue", "blue", "blue")
    at.spend()
    at.flip("ice-2a")
    again = [told.text for told in at.step.told if told.cue.name == "enemy_again"]
    assert again == [
        "Desert enemy, rank 1 attacks again.",
        "Forest enemy, rank 1 attacks again.",
        "Forest enemy, rank 1 attacks again.",
    ]
    assert at.count("damage.desert") == 1
    assert at.lies("forest") == {"5.blue": 1}
    assert at.count("damage.fortress") == 0
    assert at.count("damage.ice") == 1
    assert at.cues.index("damage_ice") > at.cues.index("damage_desert")


def test_nobody_attacks_again_when_the_first_enemy_comes(at):
    """Scenario 23."""
    cues = at.pass_turn("desert-3a")
    assert cues == ["enemy", "damage_desert", "your_turn"]
    assert at.table.enemies == ["desert-3a"]
    assert at.count("deck") == 24


def test_people_choose_who_attacks_next_when_the_house_rule_says_so():
    at = Adventure(attack_order="choose")
    at.pass_turn("desert-1a")
    at.pass_turn("forest-1a")
    at.spend()
    at.flip("ice-2a")
    assert (at.phase, at.values("attack")) == ("attack", ["desert-1a", "forest-1a"])
    cues = at.answer("attack", "forest-1a")
    assert cues[:2] == ["enemy_again", "damage_forest"]
    assert "damage_desert" in cues


def test_card_is_refused_when_it_is_not_in_the_deck(at):
    at.pass_turn("desert-1a")
    at.spend()
    with at.refused("card_is_out"):
        at.flip("desert-1a")
    with at.refused("face_not_expected"):
        at.flip("desert-9z")
    with at.refused("face_not_expected"):
        at.flip("dragon-1")


# --- what the enemies of a territory do -----------------------------------------------------------


def test_desert_is_damaged_when_only_later_sections_hold_dice(at):
    """Scenario 25."""
    at.put("desert-2", "green")
    at.pass_turn("desert-1a")
    assert at.count("damage.desert") == 1
    assert at.lies("desert-2") == {"green": 1}


def test_fortress_loses_a_die_of_every_section_when_attacked(at):
    """Scenario 26."""
    at.put("fortress-2", "red")
    at.put("fortress-4", "blue", "blue")
    cues = at.pass_turn("fortress-1a")
    assert at.lies("oblivion") == {"red": 1, "blue": 1}
    assert at.lies("fortress-4") == {"blue": 1}
    assert at.count("damage.fortress") == 0
    assert cues.count("dice_lost") == 2


def test_people_choose_the_die_when_owners_differ(at):
    at.put("fortress-4", "blue", "green")
    at.spend()
    at.flip("fortress-1a")
    assert (at.phase, at.values("lose")) == ("lose", ["blue", "green"])
    at.answer("lose", "green")
    assert at.lies("oblivion") == {"green": 1}


def test_forest_loses_one_five_when_there_is_no_six(at):
    """Scenario 27."""
    at.put("forest.5", "blue", "blue", "blue")
    at.pass_turn("forest-1a")
    assert at.lies("forest") == {"5.blue": 2}
    assert at.count("damage.forest") == 0


def test_ice_cave_loses_the_highest_die_when_attacked(at):
    """Scenario 29."""
    at.put("ice-1", "blue")
    at.put("ice-4", "green")
    at.pass_turn("ice-1a")
    assert at.lies("oblivion") == {"green": 1}
    at.pass_turn("ice-1b")
    at.pass_turn("ice-1c")
    assert at.count("damage.ice") == 1


# --- defeating enemies ----------------------------------------------------------------------------


def test_enemy_falls_when_two_players_place_seven(at):
    """Scenario 30."""
    at.pass_turn("forest-1a")
    at.throw("2 3 1 1 1")
    at.place("2", 1, "enemy-forest-1a")
    at.spend()
    at.flip("ice-1a")
    at.throw("5 1 1 1 1")
    cues = at.place("5", 1, "enemy-forest-1a")
    assert cues == ["placed", "enemy_defeated", "dice_returned"]
    assert at.table.discard == ["forest-1a"]
    assert (at.count("dice.bo"), at.count("dice.cy")) == (4, 1)


@pytest.mark.parametrize(("faces", "count", "falls"), [("4 4", 2, True), ("6 1", 1, True)])
def test_enemy_falls_when_one_roll_is_enough(at, faces, count, falls):
    """Scenario 31."""
    at.pass_turn("forest-1a")
    at.throw(f"{faces} 2 2 2")
    at.place(faces[0], count, "enemy-forest-1a")
    assert (at.table.enemies == []) is falls


def test_enemy_stands_when_only_five_lie_on_it(at):
    """Scenario 31."""
    at.pass_turn("forest-1a")
    at.throw("5 1 2 2 2")
    at.place("5", 1, "enemy-forest-1a")
    assert at.lies("enemy-forest-1a") == {"5.blue": 1}
    with at.refused("roll_first"):
        at.place("1", 1, "enemy-forest-1a")
    at.spend()
    at.flip("desert-2a")
    assert at.count("damage.forest") == 2


def test_placement_is_refused_when_an_enemy_has_been_discarded(at):
    at.pass_turn("forest-1a")
    at.throw("6 1 2 2 2")
    at.place("6", 1, "enemy-forest-1a")
    at.throw("6 1 2 2")
    with at.refused("discarded"):
        at.place("6", 1, "enemy-forest-1a")
    with at.refused("no_such_placement"):
        at.place("6", 1, "enemy-forest-1b")


# --- the Master of Shadows ------------------------------------------------------------------------


def test_every_territory_is_damaged_when_the_die_says_all(at):
    """Scenario 37."""
    man_everything(at)
    at.spend()
    assert at.flip("master")[:2] == ["master", "territory_die"]
    assert (at.phase, at.rollers()) == ("territory", {ANN: ("territory",)})
    with at.refused("territory_die_first"):
        at.flip("desert-1a")
    at.roll("territory all")
    assert [at.count(f"damage.{t}") for t in ("desert", "fortress", "forest", "ice")] == [1] * 4
    assert at.lies("oblivion") == {}
    assert at.count("deck") == 25
    assert at.active == BO


def test_one_territory_takes_two_when_the_die_names_it(at):
    at.pass_turn("desert-3a")
    at.spend()
    at.flip("master")
    at.roll("territory forest")
    assert (at.count("damage.forest"), at.count("damage.desert")) == (2, 2)


def test_nothing_is_damaged_when_the_die_says_none(at):
    """Scenario 38."""
    at.spend()
    at.flip("master")
    assert "lucky" in at.roll("territory none")
    assert sum(at.count(f"damage.{t}") for t in ("desert", "fortress", "forest", "ice")) == 0


def test_territory_falls_when_the_skull_reaches_the_last_hole(at):
    """Scenario 39."""
    at.adjust("damage.desert", 4)
    assert at.pass_turn("desert-1a")[-2:] == ["damage_desert", "lost"]
    assert at.referee.outcome.winners == ()
    assert "desert" in at.referee.outcome.why.lower()


def test_people_are_warned_when_one_hole_is_left(at):
    at.adjust("damage.desert", 3)
    assert "last_hole" in at.pass_turn("desert-1a")


def test_only_the_master_is_drawn_when_the_deck_holds_nothing_else(at):
    """Scenario 41."""
    at.table.deck[:] = ["desert-1a", "master"]
    at.pass_turn("desert-1a")
    for _ in range(2):
        at.spend()
        with at.refused("face_not_expected"):
            at.flip("ice-9a")
        at.flip("master")
        assert at.cues[:2] == ["master", "enemy_again"]
        at.roll("territory none")
    assert at.count("damage.desert") == 3
    assert at.count("deck") == 1
