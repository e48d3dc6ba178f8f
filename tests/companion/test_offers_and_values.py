"""Offers: known faces, other names of values, reasons for part of a value; options as TOML."""

import pytest

from companion.actions import Chose, Flipped
from companion.errors import ConfigError
from companion.games.roll_for_adventure.options import Options
from companion.offers import NOT_OFFERED, Choose, Flip, Refusal, accepting, why_not
from companion.protocol import offer_fields, options_from

SHUT = Refusal("shut", "Shut.")
GONE = Refusal("gone", "Gone.")


def placed(**value: object) -> Chose:
    return Chose("ann", "place", dict(value))


def test_card_is_refused_when_it_cannot_turn_up_there():
    offer = Flip("ann", ("deck",), faces=("troll",))
    assert offer.refuses(Flipped("deck", "troll")) is None
    assert offer.refuses(Flipped("deck", "fox")).code == "face_not_expected"
    assert offer.refuses(Flipped("table", "troll")) == NOT_OFFERED
    assert Flip("ann", ("deck",)).refuses(Flipped("deck", "fox")) is None


def test_closed_flip_speaks_of_its_faces_only():
    offers = [Flip("ann", ("deck",), faces=("fox",)), Flip("ann", ("deck",), GONE, ("troll",))]
    assert why_not(offers, Flipped("deck", "troll")) == GONE
    assert why_not(offers, Flipped("deck", "owl")).code == "face_not_expected"


def test_line_names_the_faces_when_they_are_known():
    assert offer_fields(Flip("ann", ("deck",), faces=("fox",)), 3) == {
        "type": "flip",
        "player": "ann",
        "squares": ("deck",),
        "faces": ("fox",),
        "since": 3,
    }
    assert "faces" not in offer_fields(Flip("ann", ("2,3",)), 3)


def test_value_is_understood_when_it_is_said_otherwise():
    offer = Choose("ann", "lose", ("red",), also=("space-3",))
    assert offer.refuses(Chose("ann", "lose", "space-3")) is None
    assert offer.refuses(Chose("ann", "lose", "space-4")).code == "value_not_offered"
    assert "also" not in offer_fields(offer, 0)


def test_values_are_told_apart_by_kind_when_they_lie_inside_others():
    offer = Choose("ann", "place", ({"count": 1, "where": ["a"]},))
    assert accepting([offer], placed(count=1, where=["a"])) is offer
    assert accepting([offer], placed(count=True, where=["a"])) is None
    assert accepting([offer], placed(count=1.0, where=["a"])) is None
    assert accepting([offer], placed(count=1, where=["a", "b"])) is None
    assert accepting([offer], placed(count=1, where=["a"], more=2)) is None


def test_reason_is_found_when_a_closed_value_is_partial():
    offers = [
        Choose("ann", "place", ({"face": "1"},)),
        Choose("ann", "place", ({"face": "3", "where": "gate"},), closed=SHUT),
        Choose("ann", "place", closed=GONE),
    ]
    assert why_not(offers, placed(face="3", where="gate", count=2)) == SHUT
    assert why_not(offers, placed(face="3", where="wall", count=2)) == GONE
    assert why_not(offers, Chose("ann", "place", "gate")) == GONE


def test_toml_file_is_read_when_an_option_is_a_table(tmp_path):
    file = tmp_path / "pack.toml"
    file.write_text("damage_to_lose = 6\n")
    assert options_from(Options, (f"pack={file}",)) == Options(pack={"damage_to_lose": 6})


@pytest.mark.parametrize("text", ["= 3", "\xff"])
def test_file_is_refused_when_it_holds_no_toml(tmp_path, text):
    file = tmp_path / "pack.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"option pack: expected a TOML file, got .*pack.toml"):
        options_from(Options, (f"pack={file}",))
