import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.drawing import (
    MOST_PIECES,
    SHADES,
    STATIC,
    TEMPLATES,
    Art,
    colour,
    heap,
    ink,
    luminance,
    written,
)
from web.i18n import speaking


@given(st.integers(-3, 200), st.integers(0, 30))
def test_heap_has_a_place_for_every_piece_inside_its_box(count: int, least: int) -> None:
    drawn = heap(count, least)
    left, top, width, height = map(float, drawn.box.split())
    assert len(drawn.pieces) == max(0, min(count, MOST_PIECES))
    assert len(set(drawn.pieces)) == len(drawn.pieces)
    for x, y in drawn.pieces:
        assert left <= x <= left + width - 8
        assert top <= y <= top + height - 8


@given(st.integers(10, 16), st.integers(10, 16))
def test_pieces_keep_their_places_while_a_heap_grows(few: int, more: int) -> None:
    few, more = sorted((few, more))
    assert heap(more).pieces[:few] == heap(few).pieces


@given(st.from_regex(r"#[0-9a-fA-F]{6}", fullmatch=True))
def test_ink_is_readable_on_any_die(body: str) -> None:
    light, dark = sorted((luminance(body), luminance(ink(body))), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


@pytest.mark.parametrize("text", ["red", "#fff", "#gggggg", '#ffffff" onload="x', "", None, 7])
def test_what_is_no_colour_becomes_one(text: object) -> None:
    assert colour(text) == SHADES["light"]


def test_art_covers_every_face_of_the_main_game() -> None:
    art = Art()
    faces = ("troll", "diamond", "key", "door", "blank", "gold1", "gold2", "dragon")
    for face in faces:
        assert art.symbol("troll_and_dragon", f"face-{face}")
    for icon in ("diamond", "gold"):
        assert art.symbol("troll_and_dragon", f"icon-{icon}")
    for pips in range(1, 7):
        assert art.symbol("any_game", f"face-{pips}") == f"face-{pips}"
    assert art.symbol("any_game", "face-troll") is None


def test_symbols_refer_only_to_symbols_that_exist() -> None:
    for path in TEMPLATES.rglob("*.svg"):
        text = path.read_text("utf-8")
        ids = set(re.findall(r'id="([^"]+)"', text))
        assert set(re.findall(r'href="#([^"]+)"', text)) <= ids
        assert len(ids) == len(re.findall(r' id="', text))


def test_no_asset_asks_anything_from_outside() -> None:
    for path in (*TEMPLATES.rglob("*.*"), *STATIC.rglob("*.*")):
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//cdn|@import", text), path


def test_assets_are_small() -> None:
    size = sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file())
    assert size < 200_000


@pytest.mark.parametrize(("language", "said"), [("en", "+5.60"), ("de", "+5,60"), ("fr", "+5,60")])
def test_fraction_is_written_as_the_viewers_language_writes_it(language: str, said: str) -> None:
    with speaking(language):
        assert written(5.6, "+.2f") == said
