"""Tiles of Schatz der Drachen that are counted by hand."""

import pytest
from cave import Cave


def test_tiles_move_between_pile_and_square_when_counted_by_hand() -> None:
    cave = Cave()
    cave.adjust("pile.ann.ring", 3)
    assert (cave.count("tiles.left"), cave.pile("ann")) == (46, 3)
    cave.adjust("pile.ann.ring", 1)
    assert (cave.count("tiles.left"), cave.pile("ann")) == (48, 1)
    assert "audit" in cave.adjust("pile.bo.ring", 9)
    assert cave.count("tiles.left") == 41


@pytest.mark.parametrize("counter", ["tiles.left", "pile.ann.total", "up.ring", "left.ring"])
def test_derived_counts_are_not_adjusted(counter: str) -> None:
    cave = Cave(assist_level="full")
    with cave.refused("not_adjustable"):
        cave.adjust(counter, 3)


def test_a_tile_that_was_put_back_may_be_turned_up_in_a_gap() -> None:
    cave = Cave()
    cave.up("R R")
    cave.stop()
    with cave.refused("no_tile_there"):
        cave.flip("0,0", "R")
    cave.adjust("pile.ann.ring", 1)
    assert cave.flip("0,0", "R") == ["ring"]
    assert cave.cell("0,0").status == "up"
    cave.stop()
    assert (cave.count("tiles.left"), cave.pile("bo")) == (47, 1)


def test_a_turn_may_end_when_everything_was_collected_by_hand() -> None:
    cave = Cave()
    for kind, n in cave.table.box.items():
        if kind != "spider":
            cave.adjust(f"pile.cy.{kind}", n)
    cave.choose("ann", "stop")
    assert cave.referee.outcome is not None
    assert cave.count("pile.cy.spider") == 3


def test_a_bust_ends_the_game_when_only_spiders_are_left_by_hand() -> None:
    cave = Cave()
    for kind, n in cave.table.box.items():
        if kind != "spider":
            cave.adjust(f"pile.ann.{kind}", n)
    assert cave.flip("0,0", "S")[-1] == "game_over"


def test_a_refused_count_changes_nothing() -> None:
    cave = Cave()
    cave.flip("0,0", "R")
    with cave.refused("unknown_counter"):
        cave.adjust("pile.zoe.ring", 1)
    with cave.refused("not_adjustable"):
        cave.adjust("tiles.left", 1)
    assert cave.table.step == 1


def test_any_tile_may_lie_in_a_gap_that_was_filled_by_hand() -> None:
    cave = Cave()
    cave.up("R G")
    cave.stop()
    cave.adjust("pile.ann.ring", 0)
    assert cave.flip("0,0", "G") == ["small_dragon"]
