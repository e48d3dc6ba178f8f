"""Heroes of Roll for Adventure: the placeholders, and every hook that an owner can pick."""

from typing import Any

from adventure import Adventure

ANN, BO = "ann", "bo"


def hero(hook: str, **numbers: Any) -> Adventure:
    """Ann plays a hero with this hook."""
    heroes = {"mine": {"name": "Mine", "hook": hook, **numbers}}
    return Adventure(heroes="mine", pack={"heroes": heroes})


def test_nobody_has_an_ability_when_no_heroes_are_chosen():
    at = Adventure()
    with at.refused("no_ability"):
        at.answer("ability")


def test_placeholder_is_shown_as_one_when_a_hero_is_invented():
    boards = {z.name: z for z in Adventure(heroes="healer").table.view().zones}
    assert boards["board.ann"].components[0].label == "Healer (placeholder)"
    assert boards["board.bo"].components[0].label == "Hero board"


def test_healer_pays_a_die_when_she_heals():
    at = Adventure(heroes="healer")
    with at.refused("ability_not_now"):
        at.answer("ability", "desert")
    at.adjust("damage.desert", 2)
    at.throw("1 1 2 3 4")
    at.answer("ability", "desert")
    assert (at.phase, at.values("pay")) == ("pay", ["1", "2", "3", "4"])
    assert at.answer("pay", "4")[-1] == "healed"
    assert at.count("damage.desert") == 1
    assert at.lies("oblivion") == {"red": 1}
    with at.refused("ability_used"):
        at.answer("ability", "desert")
    at.place("1", 2, "desert-1")


def test_fighters_dice_count_more_when_they_lie_on_enemies():
    at = Adventure(heroes="none,fighter")
    at.pass_turn("forest-1a")
    at.throw("5 2 2 2 2")
    assert "enemy_defeated" in at.place("5", 1, "enemy-forest-1a")


def test_warrior_needs_a_five_when_the_enemy_is_of_rank_one():
    at = Adventure(heroes="none,warrior")
    at.pass_turn("forest-1a")
    at.throw("5 2 2 2 2")
    assert "enemy_defeated" in at.place("5", 1, "enemy-forest-1a")


def test_warrior_is_no_help_when_the_rank_is_higher_or_the_ability_is_used():
    at = Adventure(heroes="none,none,warrior")
    at.pass_turn("forest-2a")
    at.pass_turn("forest-1a")
    at.table.enemies.append("ice-1a")
    at.throw("5 5 5 2 2")
    at.place("5", 1, "enemy-forest-2a")
    assert "forest-2a" in at.table.enemies
    at.throw("5 5 2 2")
    at.place("5", 1, "enemy-forest-1a")
    at.throw("5 2 2")
    at.place("5", 1, "enemy-ice-1a")
    assert at.table.enemies == ["forest-2a", "ice-1a"]


def test_adventurer_places_two_values_when_the_ability_is_used():
    at = Adventure(heroes="adventurer")
    at.throw("1 1 5 5 6")
    with at.refused("ability_not_now"):
        at.answer("ability")
    at.place("1", 2, "desert-1")
    at.answer("ability")
    with at.refused("face_not_rolled"):
        at.place("1", 1, "resurrection")
    at.place("5", 2, "forest")
    with at.refused("ability_used"):
        at.answer("ability")
    assert len(at.rollers()[ANN]) == 1


def test_ice_cave_takes_one_die_a_roll_when_two_values_are_placed():
    at = Adventure(heroes="adventurer")
    at.throw("1 2 5 5 6")
    at.place("1", 1, "ice-1")
    at.answer("ability")
    with at.refused("one_die_a_roll"):
        at.place("2", 1, "ice-2")


def test_die_shows_something_else_when_it_is_modified():
    at = hero("modify_die", change={"5": ["6"]}, limit="roll")
    at.throw("5 5 1 1 1")
    assert at.values("ability") == [{"face": "5", "to": "6"}]
    at.answer("ability", {"face": "5", "to": "6"})
    at.place("6", 1, "forest")
    assert at.lies("forest") == {"6.red": 1}
    at.throw("5 1 1 1")
    assert "ability" in at.choices()


def test_dice_are_rolled_again_when_the_ability_says_so():
    at = hero("reroll")
    at.throw("5 5 1 1 1")
    at.answer("ability")
    assert (at.phase, len(at.rollers()[ANN])) == ("roll", 5)
    at.throw("2 2 2 2 2")
    with at.refused("ability_used"):
        at.answer("ability")


def test_dice_leave_oblivion_when_the_ability_says_so():
    at = hero("free_from_oblivion", amount=2, cost_dice=1)
    at.put("oblivion", "blue", "blue", "green")
    at.throw("5 5 5 5 5")
    at.answer("ability")
    at.answer("free", "blue")
    at.answer("free", "blue")
    assert at.lies("oblivion") == {"red": 1, "green": 1}
    assert at.count("dice.bo") == 5


def test_own_dice_come_back_when_losses_are_ignored():
    at = hero("ignore_own_loss", limit="turn")
    at.put("fortress-2", "red")
    at.put("fortress-3", "red")
    at.spend()
    at.flip("fortress-1a")
    assert at.lies("oblivion") == {"red": 1}


def test_extra_space_takes_any_die_when_the_hero_has_one():
    at = hero("extra_space", amount=1)
    at.throw("2 2 2 2 2")
    at.place("2", 1, "hero")
    assert at.count("dice.ann") == 1
    at.throw("2 2 2 2")
    with at.refused("no_such_placement"):
        at.place("2", 1, "hero")


def test_player_looks_at_the_top_card_when_the_hero_may_peek():
    at = hero("draw_peek")
    assert at.answer("ability") == ["ability", "ability"]
    assert at.count("deck") == 25


def test_counts_are_set_by_hand_when_the_ability_is_manual():
    at = hero("manual", text="Heal what you like.")
    at.adjust("damage.ice", 3)
    at.answer("ability")
    assert (at.phase, at.choices()) == ("ability", {"done"})
    assert at.adjust("damage.ice", 1) == ["adjusted", "ability"]
    at.put("oblivion", "blue")
    at.answer("done")
    assert (at.phase, at.count("damage.ice")) == ("roll", 1)
    with at.refused("ability_used"):
        at.answer("ability")
