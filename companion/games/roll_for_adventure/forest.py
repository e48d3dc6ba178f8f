"""The forest: a path of 5s and 6s to the boundary (A), or an arch from both ends (B)."""

from functools import partial

from companion.games.roll_for_adventure.asking import one_of
from companion.games.roll_for_adventure.endings import inflict_damage, receive_power_stone
from companion.games.roll_for_adventure.pieces import LAST_BOUNDARY, AdventureTable
from companion.games.roll_for_adventure.sides import Side
from companion.games.roll_for_adventure.words import (
    BOUNDARY_SHOWS,
    FOREST_DONE,
    FOREST_FULL,
    FOREST_NEEDS_OTHER,
    FOREST_TAKES,
    PATHS_DO_NOT_MEET,
    SUBTASK,
)
from companion.offers import Refusal
from companion.scripts import SubScript

PATH = "forest"
BOUNDARY = "forest-boundary"
FIVES_AND_SIXES = ("5", "6")

# --- The forest (A side) --------------------------------------------------------------------------


def refuses(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """5s and 6s in any order, up to the boundary."""
    if table.forest_boundary == 0:
        return FOREST_DONE
    if face not in FIVES_AND_SIXES:
        return FOREST_TAKES
    return FOREST_FULL if room(table, place, face) == 0 else None


def room(table: AdventureTable, place: str, face: str) -> int:
    """Free spaces before the boundary."""
    return max(0, table.forest_boundary - len(table.at(PATH)))


def resolve(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """Dice up to the boundary: a stone, and the boundary moves one space deeper."""
    if 0 < table.forest_boundary <= len(table.at(PATH)):
        table.tell(SUBTASK["forest"], "The path reaches the boundary of the forest.")
        table.forest_boundary = next_boundary(table)
        table.give_back(table.at(PATH))
        receive_power_stone(table, "forest")
    yield from ()


def next_boundary(table: AdventureTable) -> int:
    """6, 7, 8, 9; then there is no further line, unless the last task may be repeated."""
    if table.forest_boundary < LAST_BOUNDARY:
        return table.forest_boundary + 1
    return LAST_BOUNDARY if table.options.forest_repeat_last else 0


def attack(table: AdventureTable) -> SubScript[None]:
    """A 5 and a 6 are lost, as far as there are any; gaps close up; on an empty path, damage."""
    if not table.at(PATH):
        inflict_damage(table, ("forest",), 1)
    for face in FIVES_AND_SIXES:
        these = partial(table.showing, PATH, face)
        die = yield from one_of(table, "lose", these, about=f"forest.{face}")
        if die is not None:
            table.lose([die])


A = Side(
    targets=lambda table: (PATH,),
    faces=lambda table: {PATH: FIVES_AND_SIXES},
    refuses=refuses,
    room=room,
    resolve=resolve,
    attack=attack,
    exposed=lambda table: table.at(PATH),
    refills=True,
)

# --- The forest (B side) --------------------------------------------------------------------------


def refuses_b(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """5s from the right and 6s from the left; when they meet, the value at the boundary."""
    if place == BOUNDARY:
        value = boundary_value(table)
        if value is None:
            return PATHS_DO_NOT_MEET
        return None if face == value else BOUNDARY_SHOWS[value]
    if face not in FIVES_AND_SIXES:
        return FOREST_TAKES
    if len(table.at(PATH)) >= table.pack.forest_b.spaces:
        return FOREST_FULL
    return FOREST_NEEDS_OTHER[face] if room_b(table, place, face) == 0 else None


def boundary_value(table: AdventureTable) -> str | None:
    """The value printed where the two paths meet; None while the arch has a gap."""
    arch, sixes = table.pack.forest_b, len(table.showing(PATH, "6"))
    if len(table.at(PATH)) < arch.spaces:
        return None
    return str(arch.gap_values[sixes - 1])


def room_b(table: AdventureTable, place: str, face: str) -> int:
    """Free spaces, of which the last must be the other value; one die at the boundary."""
    if place == BOUNDARY:
        return 1
    spaces = table.pack.forest_b.spaces
    free = spaces - len(table.at(PATH))
    return max(0, min(free, spaces - 1 - len(table.showing(PATH, face))))


def resolve_b(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """A die sacrificed at the boundary: a stone; the path's dice and the tile come back."""
    if BOUNDARY in places:
        table.sacrifice(table.at(BOUNDARY))
        table.tell(SUBTASK["forest"], "The boundary of the forest is set.")
        table.give_back(table.at(PATH))
        receive_power_stone(table, "forest")
    elif places and (value := boundary_value(table)) is not None:
        meet = "The two paths meet; the boundary asks for a {value}."
        table.tell(SUBTASK["forest"], meet, value=value)
    yield from ()


B = Side(
    targets=lambda table: (PATH, BOUNDARY),
    faces=lambda table: {PATH: FIVES_AND_SIXES},
    refuses=refuses_b,
    room=room_b,
    resolve=resolve_b,
    attack=attack,
    exposed=lambda table: table.at(PATH),
)
