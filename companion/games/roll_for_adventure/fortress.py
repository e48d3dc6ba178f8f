"""The fortress: sections for 2s, 3s and 4s, and the barriers before them."""

from functools import partial

from companion.games.roll_for_adventure.asking import one_of
from companion.games.roll_for_adventure.endings import inflict_damage, receive_power_stone
from companion.games.roll_for_adventure.pieces import SECTIONS, AdventureTable
from companion.games.roll_for_adventure.sides import Side
from companion.games.roll_for_adventure.words import (
    BARRIER_DOWN,
    FORTRESS_FULL,
    FORTRESS_SECTION,
    SUBTASK,
)
from companion.offers import Refusal
from companion.scripts import SubScript

PLACES = {f"fortress-{section}": section for section in SECTIONS}
SPACES = 4  # of each section on the A side

# --- The fortress (A side) ------------------------------------------------------------------------


def refuses(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """The section's own number, while its barrier stands and a space is free."""
    section = PLACES[place]
    if table.barriers[section] == 0:
        return BARRIER_DOWN[section]
    if face != section:
        return FORTRESS_SECTION[section]
    return FORTRESS_FULL if room(table, place, face) == 0 else None


def room(table: AdventureTable, place: str, face: str) -> int:
    """Free spaces of a section."""
    return max(0, SPACES - len(table.at(place)))


def resolve(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """Four dice take a barrier away; the third barrier is worth a stone, and all are rebuilt."""
    for place, section in PLACES.items():
        if table.barriers[section] and len(table.at(place)) >= SPACES:
            take_barrier_away(table, section)
    if not any(table.barriers.values()):
        table.barriers = dict.fromkeys(SECTIONS, 1)
        receive_power_stone(table, "fortress")
    yield from ()


def take_barrier_away(table: AdventureTable, section: str) -> None:
    """A subtask is done: its barrier goes, its dice are returned."""
    table.barriers[section] -= 1
    table.tell(SUBTASK["fortress"], "A barrier before the {section}s is down.", section=section)
    table.give_back(table.at(f"fortress-{section}"))


def attack(table: AdventureTable) -> SubScript[None]:
    """One die of every section is lost; if there is none at all, the fortress is damaged."""
    manned = [place for place in PLACES if table.at(place)]
    if not manned:
        inflict_damage(table, ("fortress",), 1)
    for place in manned:
        die = yield from one_of(table, "lose", partial(table.at, place), about=place)
        if die is not None:
            table.lose([die])


def exposed(table: AdventureTable) -> list[str]:
    """All dice of the fortress."""
    return [die for place in PLACES for die in table.at(place)]


A = Side(
    targets=lambda table: tuple(PLACES),
    faces=lambda table: {place: (section,) for place, section in PLACES.items()},
    refuses=refuses,
    room=room,
    resolve=resolve,
    attack=attack,
    exposed=exposed,
    refills=True,
)

# --- The fortress (B side) ------------------------------------------------------------------------


def spaces_b(table: AdventureTable, section: str) -> int:
    """Three dice for the first barrier, four for the second, then five for the stone."""
    return 5 - table.barriers[section]


def refuses_b(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """The section's own number, while a space of its present stage is free."""
    section = PLACES[place]
    if face != section:
        return FORTRESS_SECTION[section]
    return FORTRESS_FULL if room_b(table, place, face) == 0 else None


def room_b(table: AdventureTable, place: str, face: str) -> int:
    """Free spaces of a section in its present stage."""
    return max(0, spaces_b(table, PLACES[place]) - len(table.at(place)))


def resolve_b(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """Each section by itself: two barriers, then a stone, and its barriers are rebuilt."""
    for place, section in PLACES.items():
        if len(table.at(place)) < spaces_b(table, section):
            continue
        if table.barriers[section]:
            take_barrier_away(table, section)
        else:
            table.barriers[section] = 2
            table.give_back(table.at(place))
            receive_power_stone(table, "fortress")
    yield from ()


B = Side(
    targets=lambda table: tuple(PLACES),
    faces=lambda table: {place: (section,) for place, section in PLACES.items()},
    refuses=refuses_b,
    room=room_b,
    resolve=resolve_b,
    attack=attack,
    exposed=exposed,
    refills=True,
)
