"""Roll for Adventure scenario by scenario: special enemies (the rules' numbers)."""

from collections.abc import Iterator

import pytest
from adventure import Adventure

BO = "bo"
ALL_SPECIALS = {"board": "crown_of_kings", "specials": "dragons,phantoms,giants"}


@pytest.fixture
def special() -> Iterator[Adventure]:
    """Four players who meet dragons, phantoms and giants."""
    table = Adventure(**ALL_SPECIALS)
    yield table
    table.audit()


def man_everything(at: Adventure) -> None:
    """Put dice of Di's everywhere, so that attacks take dice and do no damage."""
    at.put("desert-1", "yellow")
    at.put("fortress-2", "yellow")
    at.put("forest.5", "yellow")
    at.put("ice-1", "yellow")


# --- dragons --------------------------------------------------------------------------------------


def test_dice_of_its_number_are_lost_when_a_dragon_comes(special):
    """Scenario 46."""
    at = special
    at.pass_turn("ice-1a")
    at.put("fortress-3", "red", "blue")
    at.put("desert-2", "green")
    at.put("resurrection.3", "yellow")
    at.put("enemy-ice-1a.3", "green")
    at.throw("5 2 2 2")
    at.place("5", 1, "resurrection")
    assert "dice_lost" in at.flip("dragon-3")
    assert at.lies("oblivion") == {"red": 1, "blue": 1, "yellow": 1}
    assert at.lies("resurrection") == {"1.red": 1, "5.blue": 1}
    assert at.lies("enemy-ice-1a") == {"3.green": 1}
    assert at.lies("desert-2") == {"green": 1}
    assert at.table.discard == ["dragon-3"]


def test_later_sections_are_safe_when_the_dragon_of_ones_comes(special):
    """Scenario 47."""
    at = special
    at.put("desert-1", "blue", "green")
    at.put("desert-2", "yellow")
    at.throw("2 2 2 2 2")
    at.place("2", 1, "resurrection")
    at.flip("dragon-1")
    assert at.lies("oblivion") == {"blue": 1, "green": 1}
    assert at.lies("desert-2") == {"yellow": 1}


def test_nothing_happens_when_no_die_shows_the_dragons_number(special):
    assert special.pass_turn("dragon-6") == ["dragon", "lucky", "your_turn"]


def test_nobody_attacks_again_when_a_dragon_comes(special):
    special.pass_turn("desert-1a")
    assert "enemy_again" not in special.pass_turn("dragon-6")


# --- phantoms -------------------------------------------------------------------------------------


def test_phantom_attacks_as_a_forest_enemy_when_the_die_says_forest(special):
    """Scenario 49."""
    at = special
    at.put("forest.5", "blue", "blue")
    at.put("forest.6", "green")
    at.spend()
    at.flip("phantom-2a")
    at.roll("territory forest")
    assert at.lies("oblivion") == {"blue": 1, "green": 1}
    assert at.table.enemies_on("side") == ["phantom-2a"]


def test_phantom_attacks_everywhere_when_the_die_says_all(special):
    """Scenario 50."""
    at = special
    man_everything(at)
    at.adjust("at.desert-1.yellow", 0)
    at.spend()
    at.flip("phantom-2a")
    at.roll("territory all")
    assert at.count("damage.desert") == 1
    assert at.lies("oblivion") == {"yellow": 3}


def test_phantom_rolls_again_when_a_higher_rank_is_revealed(special):
    """Scenario 51."""
    at = special
    at.spend()
    at.flip("phantom-1a")
    at.roll("territory none")
    at.spend()
    cues = at.flip("forest-2a")
    assert cues == ["enemy", "enemy_again", "territory_die"]
    at.roll("territory ice")
    assert (at.count("damage.ice"), at.count("damage.forest")) == (1, 1)
    assert at.cues.index("damage_ice") < at.cues.index("damage_forest")


def test_phantom_is_defeated_when_six_lie_on_it(special):
    at = special
    at.spend()
    at.flip("phantom-1a")
    at.roll("territory none")
    at.throw("6 1 1 1 1")
    assert "enemy_defeated" in at.place("6", 1, "enemy-phantom-1a")


# --- giants ---------------------------------------------------------------------------------------


def test_equal_rank_stays_quiet_when_a_giant_comes(special):
    """Scenario 53."""
    at = special
    at.pass_turn("fortress-3a")
    at.spend()
    assert at.flip("giant-1") == ["giant", "territory_die"]
    assert "permanent_damage" in at.roll("territory ice")
    assert at.count("permanent.ice") == 1
    assert at.count("damage.ice") == 0
    assert at.table.enemies_on("side") == ["giant-1"]


def test_giant_attacks_again_when_the_master_comes(special):
    at = special
    at.spend()
    at.flip("giant-1")
    at.roll("territory all")
    at.pass_turn("desert-3a")
    at.spend()
    at.flip("master")
    at.roll("territory desert")
    at.roll("territory none")
    assert at.count("permanent.desert") == 2
    assert at.count("damage.desert") == 2


def test_territory_falls_when_the_marker_reaches_the_skull(special):
    special.adjust("damage.ice", 4)
    special.spend()
    special.flip("giant-1")
    assert special.roll("territory ice")[-1] == "lost"


def test_territory_falls_at_the_next_damage_when_the_house_rule_says_so():
    at = Adventure(permanent_loss="next_damage", **ALL_SPECIALS)
    at.adjust("damage.ice", 4)
    at.spend()
    at.flip("giant-1")
    at.roll("territory ice")
    assert at.referee.outcome is None
    assert at.active == BO
    assert at.pass_turn("ice-1a")[-1] == "lost"


# --- blank cards ----------------------------------------------------------------------------------

WORM = {"id": "blank-1", "name": "Sand Worm", "rank": 2, "stays": True}
BLANKS = {
    "specials": "blanks",
    "pack": {
        "blanks": [
            {**WORM, "effect": "territory(desert)"},
            {"id": "blank-2", "name": "Storm", "effect": "dragon(2)"},
        ]
    },
}


def test_blank_card_attacks_as_its_owner_says_when_revealed():
    at = Adventure(**BLANKS)
    assert at.count("deck") == 27
    at.pass_turn("forest-1a")
    cues = at.pass_turn("blank-1")
    assert "enemy_again" in cues
    assert at.count("damage.desert") == 1
    assert at.table.enemies_on("side") == ["blank-1"]
    at.put("fortress-2", "yellow")
    at.spend()
    assert "enemy_again" not in at.flip("blank-2")
    assert at.lies("oblivion") == {"yellow": 1}
    assert at.table.discard == ["blank-2"]
    assert "enemy_again" in at.pass_turn("ice-3a")
    assert at.count("damage.desert") == 2
    at.audit()


def test_no_blank_card_is_in_the_deck_when_the_pack_names_none():
    assert Adventure(specials="blanks").count("deck") == 25
