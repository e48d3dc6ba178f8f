import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.sides import D6, D8, TABLES, Sides, cosine, root, unit
from hardware.simulated_motion import Solid, any_turn, cube, into_body, octahedron


@given(st.integers(0, 10**12))
def test_root_is_the_whole_part(square: int) -> None:
    assert root(square) == math.isqrt(square)


@pytest.mark.parametrize(("table", "solid"), [(D6, cube()), (D8, octahedron())])
def test_tables_agree_with_the_simulated_solids(
    table: tuple[tuple[int, int, int], ...], solid: Solid
) -> None:
    for side, up in zip(table, solid.ups, strict=True):
        assert side == pytest.approx([1000 * part for part in up], abs=1)


@pytest.mark.parametrize("shape", ["d6", "d8"])
def test_opposite_sides_add_up_as_on_real_dice(shape: str) -> None:
    sides = Sides(shape)
    for side, (x, y, z) in enumerate(TABLES[shape], 1):
        assert sides.up(x, y, z) == side
        assert sides.up(-x, -y, -z) == len(TABLES[shape]) + 1 - side


@given(st.integers(0, 10**6), st.sampled_from(["d6", "d8"]))
def test_side_that_is_told_is_the_nearest_and_within_twelve_degrees(seed: int, shape: str) -> None:
    chance = random.Random(seed)
    solid = cube() if shape == "d6" else octahedron()
    turn = any_turn(chance)
    felt = [round(1000 * part) for part in into_body(turn, (0.0, 0.0, 1.0))]
    nearest, leans_deg = solid.side_up(turn)
    side = Sides(shape).up(*felt)
    assert side in (0, nearest)
    if abs(leans_deg - 12) > 0.3:
        assert (side != 0) == (leans_deg < 12)


@given(st.permutations(range(1, 7)), st.integers(0, 10**6))
def test_board_glued_in_anyhow_is_right_once_every_side_was_shown(
    order: list[int], seed: int
) -> None:
    chance = random.Random(seed)
    glued, solid, sides = any_turn(chance), cube(), Sides("d6")
    felt = {
        side: tuple(round(1000 * part + 30) for part in into_body(glued, solid.ups[side - 1]))
        for side in range(1, 7)
    }
    for side in order:
        assert sides.show(side, felt[side]) == ""
    for side, (x, y, z) in felt.items():
        assert sides.up(x, y, z) == side
        assert sides.is_sure(side, (x, y, z))


def test_side_that_was_not_shown_is_not_guessed() -> None:
    sides = Sides("d6")
    assert sides.show(6, (0, 0, -1000)) == ""  # where a 1 was taken for granted
    assert sides.up(0, 0, -1000) == 6
    assert sides.ups[0] is None
    assert sides.show(5, (0, 0, -1000)) == "too_near"


def test_side_that_was_not_shown_is_not_guessed_after_a_restart_either() -> None:
    sides = Sides("d6")
    sides.show(6, (300, 0, -950))
    again = Sides("d6", sides.felt)
    assert again.ups == sides.ups
    assert again.up(0, 0, -1000) == 0


def test_any_solid_knows_only_what_was_shown() -> None:
    sides = Sides("any")
    assert sides.up(0, 0, 1000) == 0
    assert sides.show(3, (0, 0, 1010)) == ""
    assert sides.show(1, (600, 0, 800)) == ""
    assert (sides.up(0, 0, 1000), sides.up(0, 1000, 0), sides.count()) == (3, 0, 2)
    assert sides.show(2, (50, 0, 1000)) == "too_near"
    assert sides.show(3, (50, 0, 1000)) == ""  # shown again, it is corrected
    assert sides.show(0, (0, 1000, 0)) == sides.show(21, (0, 1000, 0)) == "no_such_side"


def test_sides_close_together_are_told_apart_half_way() -> None:
    sides = Sides("any")
    sides.show(1, (0, 0, 1000))
    sides.show(2, (round(1000 * math.sin(0.4)), 0, round(1000 * math.cos(0.4))))  # 23 degrees
    tells = [sides.up(round(1000 * math.sin(a)), 0, round(1000 * math.cos(a))) for a in (0.1, 0.3)]
    assert tells == [1, 2]


def test_weightless_die_has_no_side_up() -> None:
    assert Sides("d6").up(0, 0, 300) == 0
    assert unit((0, 0, 0)) == (0, 0, 0)
    assert cosine(D8[0], D8[7]) == -999


def test_side_is_sure_only_when_it_feels_as_it_is_known() -> None:
    sides = Sides("d6", [None, None, None, None, None, [20, -10, 1030]])
    assert sides.is_sure(6, (30, -20, 1025))
    assert not sides.is_sure(6, (30, -20, 1080))  # too heavy: something spins
    assert not sides.is_sure(6, (150, -20, 1020))  # leans
    assert not sides.is_sure(1, (0, 0, -1000))  # never felt
    sides.know(1, (0, 0, -990))
    assert sides.is_sure(1, (0, 0, -1000))
