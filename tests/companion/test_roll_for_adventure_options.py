"""House rules, the data pack and setting counts by hand in Roll for Adventure."""

import pytest
from adventure import Adventure

from companion.errors import ConfigError
from companion.games.roll_for_adventure.options import Options
from companion.games.roll_for_adventure.pack import PACK, pack_from
from companion.protocol import options_from

ANN, BO, CY, DI = "ann", "bo", "cy", "di"

# --- the adventure board, sides, specials ---------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "needed"),
    [("book_of_magic", 5), ("sword_of_saints", 6), ("crown_of_kings", 7), ("jewel_of_light", 8)],
)
def test_board_says_how_many_stones_win_when_it_is_chosen(board, needed):
    assert Adventure(board=board).count("stones_needed") == needed


@pytest.mark.parametrize(
    ("specials", "board", "deck"),
    [
        ("dragons", "sword_of_saints", 31),
        ("phantoms,giants", "jewel_of_light", 37),
        ("dragons, phantoms, giants", "crown_of_kings", 43),
        ("", "jewel_of_light", 25),
    ],
)
def test_deck_grows_when_special_enemies_are_chosen(specials, board, deck):
    assert Adventure(specials=specials, board=board).count("deck") == deck


@pytest.mark.parametrize(
    ("specials", "board"),
    [
        ("dragons", "book_of_magic"),
        ("dragons", "jewel_of_light"),
        ("dragons,giants", "sword_of_saints"),
    ],
)
def test_board_is_refused_when_it_is_not_made_for_the_specials(specials, board):
    with pytest.raises(ConfigError, match="board: expected"):
        Adventure(specials=specials, board=board)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sides": "aab"}, "sides: expected four letters"),
        ({"sides": "abca"}, "sides: expected four letters"),
        ({"specials": "wolves"}, "specials: expected some of"),
        ({"heroes": "wizard"}, "heroes: expected some of"),
        ({"heroes": "healer,healer"}, "heroes: expected different"),
        ({"heroes": ",,,,healer"}, "heroes: expected 4 at most"),
        ({"first_player": "eve"}, "first_player: expected one of"),
        ({"board": "chess"}, "board is one of book_of_magic"),
        ({"pack": "/nowhere/pack.toml"}, "pack: expected a TOML file"),
    ],
)
def test_setting_is_refused_when_it_does_not_fit(options, message):
    with pytest.raises(ConfigError, match=message):
        Adventure(**options)


def test_somebody_else_begins_when_the_table_says_so():
    assert Adventure(first_player=CY).active == CY


# --- an owner's pack ------------------------------------------------------------------------------


def test_file_replaces_entries_when_an_owner_names_it(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'damage_to_lose = 7\n[heroes.healer]\nname = "Healer"\nhook = "reroll"\n'
        '[names]\ndesert-1b = "Sand Devil"\n'
    )
    options = options_from(Options, (f"pack={file}",))
    file.unlink()  # what was read is part of the options; the rules need no file
    pack = pack_from(options.pack)
    assert pack.holes("ice") == 7
    assert pack.heroes["healer"].hook == "reroll"
    assert pack.heroes["fighter"] == PACK.heroes["fighter"]
    assert not pack.is_placeholder("damage_to_lose.ice")
    assert pack.is_placeholder("desert_b")


def test_other_territories_stay_placeholders_when_one_is_counted():
    at = Adventure(pack={"damage_to_lose": {"desert": 3}})
    tracks = {
        part.name: part.label
        for zone in at.table.view().zones
        for part in zone.components
        if part.name.startswith("damage.")
    }
    assert tracks["damage.desert"] == "Damage"
    assert "placeholder" in tracks["damage.ice"]
    at.adjust("damage.desert", 2)
    assert at.pass_turn("desert-1a")[-1] == "lost"


def test_card_bears_its_name_when_an_owner_gives_one():
    at = Adventure(pack={"names": {"desert-1b": "Sand Devil"}})
    at.pass_turn("desert-1b")
    assert "Sand Devil, rank 1 is revealed." in at.said


def test_phantoms_have_the_owners_ranks_when_the_pack_says_so():
    pack = {"phantom_ranks": [1, 1, 1, 1, 1, 3]}
    at = Adventure(specials="phantoms", board="sword_of_saints", pack=pack)
    assert {"phantom-1e", "phantom-3a"} <= set(at.table.deck)


GRID = {"columns": 3, "rows": 2, "lines": []}


@pytest.mark.parametrize(
    ("pack", "message"),
    [
        ({"damage_to_lose": 0}, "from 1 on"),
        ({"damage_to_lose": {"swamp": 3}}, "damage_to_lose"),
        ({"damage": 3}, "damage"),
        ({"phantom_ranks": [1, 2, 3]}, "phantom_ranks"),
        ({"desert_b": {"lines": [[0, 1]]}}, "five lines"),
        ({"desert_b": {"lines": [[0, 1]] * 4 + [[0, 5]]}}, "without a gap"),
        ({"desert_b": {"lines": [[0, 1]] * 4 + [[0]]}}, "two to four"),
        ({"forest_b": {"spaces": 8, "gap_values": [1, 2]}}, "gap_values"),
        ({"forest_b": {"spaces": 8}}, "gap_values"),
        (
            {"ice_b": GRID | {"lines": [{"name": "x", "cells": ["9-9"], "reward": "free_die"}]}},
            "cells",
        ),
        ({"heroes": {"healer": {"name": "Healer", "hook": "heal"}}}, "needs `amount`"),
        ({"heroes": {"healer": {"name": "Healer", "hook": "fly"}}}, "heroes"),
        ({"blanks": [{"id": "blank-1", "name": "x", "effect": "flood"}]}, "expected an effect"),
        ({"blanks": [{"id": "blank-7", "name": "x", "effect": "giant"}]}, "blanks"),
        ({"heroes": 3}, "heroes"),
    ],
)
def test_pack_is_refused_when_an_entry_does_not_fit(pack, message):
    with pytest.raises(ConfigError, match=message):
        Adventure(pack=pack)


# --- house rules of the ambiguities ---------------------------------------------------------------


def test_dice_go_on_into_freed_spaces_when_the_excess_chains():
    at = Adventure(excess="chain")
    at.put("desert-1", "blue")
    at.throw("1 1 1 1 1")
    at.place("1", 5, "desert-1")
    at.answer("keep", "blue")
    at.audit()
    assert at.lies("desert-2") == {"blue": 1, "red": 1}
    assert at.lies("desert-1") == {}
    assert at.phase == "reveal"


def test_rest_is_rolled_again_when_the_chain_is_shut():
    at = Adventure(excess="chain")
    at.put("fortress-3", "blue", "blue")
    at.throw("3 3 3 3 3")
    at.place("3", 5, "fortress-3")
    assert len(at.rollers()[ANN]) == 3


def test_vortex_is_shut_when_oblivion_is_empty_and_the_house_rule_says_so():
    at = Adventure(empty_vortex="forbid")
    at.throw("1 2 3 4 5")
    with at.refused("oblivion_empty"):
        at.place("5", 1, "resurrection")
    at.place("5", 1, "forest")


def test_vortex_is_open_when_nothing_else_takes_a_die():
    at = Adventure(empty_vortex="forbid")
    at.put("ice-6", "blue")
    at.adjust("forest_boundary", 0)
    at.throw("6 6 6 6 6")
    at.place("6", 1, "resurrection")


def test_row_is_claimed_later_when_the_house_rule_says_so():
    at = Adventure(ice_claim="any_own_turn")
    for n in (1, 2, 3):
        at.put(f"ice-{n}", "blue")
    at.throw("4 1 1 1 1")
    at.place("4", 1, "ice-4")
    at.answer("continue")
    assert "claim" in at.choices()
    at.answer("claim")
    assert at.count("bonus_pool") == 2
    assert "claim" not in at.choices()


def test_ally_dice_entitle_the_active_player_when_the_house_rule_says_so():
    at = Adventure(ANN, BO, CY, ally_in_ice="active_player")
    at.put("ice-1", "blue")
    at.put("ice-2", "yellow")
    at.put("ice-3", "green")
    at.throw("4 1 1 1 1")
    at.place("4", 1, "ice-4")
    assert (at.phase, at.table.colour_of["yellow-1"]) == ("claim", "yellow")
    at.answer("claim")
    assert at.count("bonus_pool") == 1


def test_bonus_die_is_not_kept_when_the_house_rule_says_so():
    at = Adventure(bonus_in_desert="forbid")
    at.put("desert-1", "grey", "blue")
    at.throw("1 2 2 2 2")
    at.place("1", 1, "desert-1")
    assert at.values("keep") == ["red", "blue"]


@pytest.mark.parametrize(("when", "left"), [("before", 0), ("after", 1)])
def test_bonus_dice_of_the_row_are_dealt_again_when_the_house_rule_says_so(when, left):
    at = Adventure(ice_bonus_return=when)
    at.put("oblivion", "grey", "grey", "grey")
    at.put("ice-1", "grey")
    at.put("ice-2", "red")
    at.put("ice-3", "red")
    at.throw("4 1 1")
    at.place("4", 1, "ice-4")
    at.answer("claim")
    assert at.count("bonus_pool") == left


def test_forest_goes_on_when_the_last_task_may_be_repeated():
    at = Adventure(forest_repeat_last=True)
    at.adjust("forest_boundary", 9)
    at.put("forest.5", *["blue"] * 4, *["green"] * 4)
    at.throw("6 5 1 1 1")
    at.place("6", 1, "forest")
    assert at.count("forest_boundary") == 9


# --- counts set by hand ---------------------------------------------------------------------------


def test_dice_come_from_their_board_when_a_place_is_set_by_hand():
    at = Adventure()
    at.adjust("at.fortress-3.blue", 2)
    assert (at.count("dice.bo"), at.count("at.fortress-3.blue")) == (3, 2)
    at.adjust("at.fortress-3.blue", 0)
    assert at.count("dice.bo") == 5
    at.audit()


def test_roll_shrinks_when_dice_are_taken_off_the_board_by_hand():
    at = Adventure()
    at.adjust("oblivion.red", 2)
    assert at.rollers() == {ANN: ("red-1", "red-2", "red-3")}
    at.adjust("oblivion.red", 5)
    assert (at.phase, at.rollers()) == ("reveal", {})
    at.adjust("oblivion.red", 4)
    assert (at.phase, at.rollers()) == ("roll", {ANN: ("red-5",)})


@pytest.mark.parametrize("counter", ["deck", "hand", "stones_needed", "dice.ann", "chain_done.0"])
def test_derived_count_is_refused_when_set_by_hand(counter):
    at = Adventure()
    with at.refused("not_adjustable"):
        at.adjust(counter, 3)


@pytest.mark.parametrize(
    ("counter", "value", "code"),
    [
        ("stones", 6, "count_does_not_fit"),
        ("damage.ice", 6, "count_does_not_fit"),
        ("barriers.2", 2, "count_does_not_fit"),
        ("forest_boundary", 5, "count_does_not_fit"),
        ("at.desert-1.blue", 4, "no_room"),
        ("at.desert-2.blue", 4, "no_room"),
        ("at.resurrection.3.blue", 6, "no_die_to_move"),
        ("oblivion.blue", 6, "no_die_to_move"),
        ("bonus_pool", 5, "count_does_not_fit"),
    ],
)
def test_count_is_refused_when_pieces_or_spaces_do_not_allow_it(counter, value, code):
    at = Adventure()
    with at.refused(code):
        at.adjust(counter, value)


def test_place_is_refused_by_hand_when_no_die_may_lie_there():
    at = Adventure()
    at.adjust("barriers.3", 0)
    with at.refused("barrier_down"):
        at.adjust("at.fortress-3.blue", 1)
    at.adjust("at.fortress-2.blue", 2)
    with at.refused("dice_in_the_way"):
        at.adjust("barriers.2", 0)


def test_task_is_done_at_the_next_turn_when_it_was_completed_by_hand():
    at = Adventure()
    at.spend()
    for section in (2, 3, 4):
        at.adjust(f"barriers.{section}", 0)
    at.adjust("at.desert-1.blue", 3)
    at.flip("ice-1a")
    assert at.active == BO
    assert at.count("stones") == 1
    assert at.lies("desert-2") == {"blue": 1}


def test_bonus_dice_move_to_the_active_player_when_the_pool_is_set_by_hand():
    at = Adventure()
    at.adjust("bonus_pool", 1)
    assert at.count("dice.ann") == 8
    at.adjust("bonus_pool", 3)
    assert at.count("dice.ann") == 6


def test_decision_goes_on_when_its_dice_are_taken_away_by_hand():
    at = Adventure()
    at.put("forest.5", "blue", "green")
    at.spend()
    at.flip("forest-1a")
    assert at.values("lose") == ["blue", "green"]
    at.adjust("at.forest.5.blue", 0)
    at.adjust("at.forest.5.green", 0)
    assert at.values("lose") == ["nothing"]
    at.answer("lose", "nothing")
    assert at.active == BO
    assert at.lies("oblivion") == {}
