"""What screens and lamps are told of Roll for Adventure."""

from typing import Any

import msgspec
import pytest
from adventure import Adventure

from companion.games.roll_for_adventure import GAME, words
from companion.view import DiceShown, Track, View, Zone


def zone(at: Adventure, name: str) -> Zone:
    view: View = at.table.view()
    return next(one for one in view.zones if one.name == name)


def part(at: Adventure, of: str, name: str) -> Any:
    return next(one for one in zone(at, of).components if one.name == name)


def test_dice_lie_in_their_places_in_their_players_colours():
    at = Adventure()
    at.put("fortress-3", "blue", "red")
    at.put("ice-4", "green")
    shown = part(at, "fortress", "fortress-3").dice
    assert [(die.kind, die.face, die.colour) for die in shown[:2]] == [
        ("blue", "3", "#2c5aa0"),
        ("red", "3", "#b3262e"),
    ]
    assert [die.status for die in shown] == ["placed", "placed", "empty", "empty"]
    row = part(at, "ice", "ice").dice
    assert [die.kind for die in row] == ["space"] * 3 + ["green"] + ["space"] * 2
    assert row[3].label == "Space 4: green 4"


def test_enemies_lie_on_their_territories_with_rank_and_dice():
    at = Adventure(board="sword_of_saints", specials="phantoms")
    at.pass_turn("forest-2a")
    at.put("enemy-forest-2a.3", "red")
    shown = part(at, "forest", "enemy-forest-2a")
    assert (shown.label, shown.mark, shown.value, shown.size) == ("Forest enemy", "2", 3, 6)
    assert [(die.kind, die.face) for die in shown.dice] == [("red", "3")]
    at.spend()
    at.flip("phantom-1a")
    revealed = part(at, "adventure", "revealed")
    assert (revealed.label, revealed.mark, revealed.text) == ("Phantom", "1", "Just revealed")
    at.roll("territory none")
    assert "(placeholder)" in part(at, "adventure", "enemy-phantom-1a").text


def test_skull_is_near_when_the_track_grows_short():
    at = Adventure()
    at.adjust("damage.desert", 3)
    at.adjust("permanent.desert", 1)
    track = part(at, "desert", "damage.desert")
    assert isinstance(track, Track)
    assert (track.value, track.size, track.pawn, track.beyond) == (3, 4, "skull", 1)
    assert part(at, "adventure", "stones").size == 5


def test_lamps_are_warned_when_one_hole_is_left():
    at = Adventure()
    assert at.table.signs == {"last_holes": 0}
    at.adjust("damage.desert", 4)
    at.adjust("permanent.forest", 1)
    at.adjust("damage.forest", 3)
    assert at.table.signs == {"last_holes": 2}
    at.adjust("damage.desert", 0)
    assert at.table.signs == {"last_holes": 1}


def test_vortexes_show_what_is_lost_and_what_is_missing():
    at = Adventure()
    at.put("oblivion", "blue", "green")
    at.put("resurrection.5", "blue")
    lost = part(at, "oblivion", "oblivion")
    assert isinstance(lost, DiceShown)
    assert [die.kind for die in lost.dice] == ["blue", "green"]
    back = part(at, "resurrection", "resurrection")
    assert (back.value, back.size) == (5, 10)


def test_b_sides_are_marked_while_they_are_placeholders():
    at = Adventure(sides="bbbb")
    marked = {name: "(placeholder)" in zone(at, name).label for name in words.TITLE}
    assert marked == {"desert": True, "fortress": False, "forest": True, "ice": True}
    pack = {"forest_b": {"spaces": 3, "gap_values": [1, 2]}}
    assert "placeholder" not in zone(Adventure(sides="bbbb", pack=pack), "forest").label


def test_territory_die_is_marked_until_an_owner_has_looked_at_it():
    assert part(Adventure(), "hand", "territory").label == "Territory die (placeholder)"
    faces = ["desert", "fortress", "forest", "ice", "all", "none"]
    owned = {"dice": {"territory": {"colour": "#ffffff", "faces": faces}}}
    assert part(Adventure(pack=owned), "hand", "territory").label == "Territory die"
    others = {"dice": {"red": {"colour": "#aa0000"}}}
    assert "placeholder" in part(Adventure(pack=others), "hand", "territory").label


def test_arch_has_its_gap_between_sixes_and_fives_and_then_names_the_boundary():
    at = Adventure(sides="bbbb", pack={"forest_b": {"spaces": 4, "gap_values": [1, 2, 3]}})
    at.put("forest.6", "blue", "green")
    at.put("forest.5", "yellow")
    arch = part(at, "forest", "forest").dice
    assert [die.face for die in arch] == ["6", "6", None, "5"]
    assert part(at, "forest", "forest.boundary").label == "Boundary"
    at.put("forest.5", "red")
    assert part(at, "forest", "forest.boundary").label == "Boundary: a 2"


def test_chains_and_lines_show_how_far_they_are():
    at = Adventure(sides="bbbb")
    at.put("desert-b-1", "blue")
    at.put("ice-b-1-1.3", "blue")
    assert part(at, "desert", "chain.1").value == 1
    assert part(at, "ice", "line.row-1").label == "row-1: two bonus dice"


def test_heading_says_what_the_question_is_about():
    at = Adventure()
    at.put("fortress-4", "blue", "green")
    at.spend()
    at.flip("fortress-1a")
    assert at.table.view().heading == "Which die is lost? (fortress, the 4s)"
    assert zone(at, "fortress").lit


@pytest.mark.parametrize("sides", ["aaaa", "bbbb"])
def test_view_goes_through_json_when_everything_lies_there(sides):
    at = Adventure(sides=sides, board="sword_of_saints", specials="giants", heroes="healer")
    at.pass_turn("ice-1a")
    at.throw("1 1 2 3 6")
    view = at.table.view()
    assert msgspec.json.decode(msgspec.json.encode(view, enc_hook=str), type=View) == view


@pytest.mark.parametrize(
    ("choice", "value", "label"),
    [
        ("place", {"face": "3", "count": 2, "where": "fortress-3"}, "2 x 3: fortress, the 3s"),
        (
            "place",
            {"face": "1", "count": 2, "where": ["desert-b-0", "desert-b-2"]},
            "2 x 1: desert, space 0; desert, space 2",
        ),
        (
            "place",
            {"face": "6", "count": 1, "where": "enemy-ice-1a"},
            "1 x 6: Ice cave enemy (ice-1a)",
        ),
        ("keep", "red", "red"),
        ("deny", "bo", "Bo"),
        ("heal", "ice", "Ice cave"),
        ("defeat", "ice-1a", "Ice cave enemy (ice-1a)"),
        ("lose", "ice-b-1-2", "ice cave, row 1, column 2"),
        ("claim", ["row-1", "column-3"], "row-1 and column-3"),
        ("ability", {"face": "5", "to": "6"}, "5 becomes 6"),
    ],
)
def test_values_have_names_that_people_use(choice, value, label):
    assert GAME.labels(Adventure().table, choice, value) == label


def test_every_alert_of_the_rules_has_a_cue():
    told = {cue.name for cue in GAME.cues}
    assert told >= {
        "roll_settled",
        *(f"subtask_{territory}" for territory in words.TITLE),
        "power_stone",
        "dice_lost",
        *(f"damage_{territory}" for territory in words.TITLE),
        "last_hole",
        "master",
        "territory_die",
        "dice_returned",
        "vortex",
        "bonus_returned",
        "won",
        "lost",
    }
