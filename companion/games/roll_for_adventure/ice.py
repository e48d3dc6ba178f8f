"""The ice cave: no stones, but bonus dice, defeated enemies and healed damage."""

import itertools
from collections.abc import Callable, Mapping

from companion.actions import Chose
from companion.games.roll_for_adventure.asking import ask, one_of
from companion.games.roll_for_adventure.endings import heal, inflict_damage
from companion.games.roll_for_adventure.enemies import defeat_one
from companion.games.roll_for_adventure.pack import FACES, TERRITORIES, IceLine
from companion.games.roll_for_adventure.pieces import BONUS, POOL, AdventureTable, board_of
from companion.games.roll_for_adventure.sides import Side
from companion.games.roll_for_adventure.vortex import free_one
from companion.games.roll_for_adventure.words import (
    ICE_NEIGHBOUR,
    ICE_OTHER_NUMBER,
    ICE_REWARD,
    NOTHING_TO_CLAIM,
    ONE_DIE_A_ROLL,
    SPACE_TAKEN,
    SUBTASK,
    line_name,
)
from companion.offers import Choose, Offer, Refusal
from companion.scripts import SubScript
from companion.words import listed

SPACES = tuple(f"ice-{n}" for n in FACES)
FOUR, FIVE, SIX = 4, 5, 6  # dice in the row, for one reward, two, and all three
TWO_BONUS_DICE = 2

# --- The ice cave (A side) ------------------------------------------------------------------------


def refuses(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """One die a roll, on the free space of its own number."""
    if place != f"ice-{face}":
        return ICE_OTHER_NUMBER
    return refuses_any(table, place)


def refuses_any(table: AdventureTable, place: str) -> Refusal | None:
    """What both sides have in common."""
    if table.on.get(place):
        return SPACE_TAKEN
    in_this_roll = any(where.startswith("ice-") for where in table.spent.values())
    return ONE_DIE_A_ROLL if in_this_roll else None


def room(table: AdventureTable, place: str, face: str) -> int:
    """One die a roll."""
    return 0 if table.on.get(place) else 1


def row(table: AdventureTable) -> list[str]:
    """The dice of the row."""
    return [die for space in SPACES for die in table.at(space)]


def resolve(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """With four dice or five: take the rewards, or go on; six are claimed at once."""
    n = len(row(table))
    if not places or n < FOUR:
        return
    table.tell(SUBTASK["ice"], "{n} die lies in the ice cave.", "{n} dice lie there.", n=n)
    if n < SIX:
        table.phase, table.question = "claim", "ice"
        match (yield lambda: claim_or_continue(table)):
            case Chose(choice="continue"):
                return
    yield from claim(table)


def claim_or_continue(table: AdventureTable) -> list[Offer]:
    """The decision after a placement into the cave."""
    return [*claims(table), Choose(table.active, "continue", button=True)]


def claims(table: AdventureTable) -> list[Offer]:
    """What may be claimed now: the row as a whole."""
    ready = len(row(table)) >= FOUR
    return [Choose(table.active, "claim", closed=None if ready else NOTHING_TO_CLAIM)]


def claim(table: AdventureTable) -> SubScript[None]:
    """Return the dice, then deal bonus dice; with five defeat an enemy, with six heal a track."""
    dice = row(table)
    entitled = entitled_to_bonus_dice(table, dice)
    late = table.options.ice_bonus_return == "after"
    table.give_back([die for die in dice if not late or table.colour_of[die] != BONUS])
    yield from deal_bonus_dice(table, entitled)
    table.give_back(row(table))
    if len(dice) >= FIVE:
        yield from defeat_one(table)
    if len(dice) >= SIX:
        yield from heal_one(table, max(table.damage.values()))


def entitled_to_bonus_dice(table: AdventureTable, dice: list[str]) -> list[str]:
    """Players with a die of their own colour in the row, the active player first."""
    seats = {table.seat_of.get(table.colour_of[die]) for die in dice}
    allies = any(table.colour_of[die] == table.ally for die in dice)
    if allies and table.options.ally_in_ice == "active_player":
        seats.add(table.active)
    return [seat for seat in table.seats_from(table.active) if seat in seats]


def deal_bonus_dice(table: AdventureTable, entitled: list[str]) -> SubScript[None]:
    """One bonus die each; where they do not go round, the active player says who goes without."""
    while 0 < len(table.at(POOL)) < len(entitled):
        denied = yield from ask(table, "deny", lambda: entitled)
        entitled.remove(denied)
    for seat in entitled:
        give_bonus_dice(table, seat, 1)


def give_bonus_dice(table: AdventureTable, seat: str, most: int) -> None:
    """Bonus dice from the pool, as many as there are, for the next turn of a player."""
    dice = table.at(POOL)[:most]
    if dice:
        table.put_away(dice, board_of(seat))
        table.tell(
            ICE_REWARD,
            "{player} gets {n} bonus die.",
            "{player} gets {n} bonus dice.",
            n=len(dice),
            player=table.names[seat],
        )


def heal_one(table: AdventureTable, holes: int) -> SubScript[None]:
    """Move the skull of one territory back; nothing if there is no damage."""
    territory = yield from ask(table, "heal", lambda: damaged(table))
    if territory is not None:
        heal(table, territory, holes)


def damaged(table: AdventureTable) -> list[str]:
    """Territories whose skull has left its first hole."""
    return [territory for territory in TERRITORIES if table.damage[territory]]


def attack(table: AdventureTable) -> SubScript[None]:
    """A die with the highest number is lost; without any dice the ice cave is damaged."""
    if not exposed(table):
        inflict_damage(table, ("ice",), 1)
    die = yield from one_of(table, "lose", lambda: highest(table), about="ice")
    if die is not None:
        table.lose([die])


def exposed(table: AdventureTable) -> list[str]:
    """All dice in the ice cave."""
    places = table.rules["ice"].targets(table)
    return [die for place in places for die in table.on.get(place, ())]


def highest(table: AdventureTable) -> list[str]:
    """The dice that show the highest number."""
    dice = exposed(table)
    shown = [int(table.shows[die] or 0) for die in dice]
    return [die for die, value in zip(dice, shown, strict=True) if value == max(shown)]


A = Side(
    targets=lambda table: SPACES,
    faces=lambda table: {space: (space[-1],) for space in SPACES},
    refuses=refuses,
    room=room,
    resolve=resolve,
    attack=attack,
    exposed=exposed,
)

# --- The ice cave (B side) ------------------------------------------------------------------------


def cells_b(table: AdventureTable) -> tuple[str, ...]:
    """All spaces for dice, row by row."""
    return table.pack.ice_b.places


def refuses_b(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """Any value, on a free space with no equal value beside, above or below it."""
    refusal = refuses_any(table, place)
    beside = table.pack.ice_b.beside[place]
    if refusal is None and any(table.showing(cell, face) for cell in beside):
        return ICE_NEIGHBOUR
    return refusal


def filled_lines(table: AdventureTable) -> list[IceLine]:
    """Lines with a die in every cell."""
    taken = {table.lies[die] for die in exposed(table)}
    return [
        line
        for line in table.pack.ice_b.lines
        if all(f"ice-b-{cell}" in taken for cell in line.cells)
    ]


def resolve_b(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """After a placement, filled lines may be claimed together, or left standing."""
    if not places or not filled_lines(table):
        return
    names = listed([line_name(line.name) for line in filled_lines(table)])
    table.tell(SUBTASK["ice"], "Filled in the ice cave: {lines}.", lines=names)
    table.phase, table.question = "claim", "ice"
    match (yield lambda: claim_or_continue_b(table)):
        case Chose(choice="claim", value=value):
            yield from claim_b(table, value)


def claim_or_continue_b(table: AdventureTable) -> list[Offer]:
    """The decision after a placement into the cave."""
    return [*claims_b(table), Choose(table.active, "continue", button=True)]


def claims_b(table: AdventureTable) -> list[Offer]:
    """All filled lines together, or, where there are several, only some of them."""
    lines, hero = [line.name for line in filled_lines(table)], table.active
    if not lines:
        return [Choose(hero, "claim", closed=NOTHING_TO_CLAIM)]
    if len(lines) == 1:
        return [Choose(hero, "claim", also=(lines[0],))]
    groups = [
        group[0] if k == 1 else list(group)
        for k in range(1, len(lines) + 1)
        for group in itertools.combinations(lines, k)
    ]
    return [Choose(hero, "claim"), Choose(hero, "claim", values=tuple(groups))]


def claim_b(table: AdventureTable, value: str | list[str] | None) -> SubScript[None]:
    """Return the dice of the claimed lines (all that are filled, for None), then the rewards."""
    lines = filled_lines(table)
    if value is not None:
        lines = [line for line in lines if line.name == value or line.name in as_list(value)]
    cells = {f"ice-b-{cell}" for line in lines for cell in line.cells}
    dice = [die for die in exposed(table) if table.lies[die] in cells]
    late = table.options.ice_bonus_return == "after"
    table.give_back([die for die in dice if not late or table.colour_of[die] != BONUS])
    for line in lines:
        yield from REWARDS[line.reward](table)
    table.give_back([die for die in exposed(table) if table.lies[die] in cells])


def as_list(value: str | list[str]) -> list[str]:
    """One name, or several."""
    return value if isinstance(value, list) else [value]


def two_bonus_dice(table: AdventureTable) -> SubScript[None]:
    """Two bonus dice for the active player, if there are any."""
    give_bonus_dice(table, table.active, TWO_BONUS_DICE)
    yield from ()


REWARDS: Mapping[str, Callable[[AdventureTable], SubScript[None]]] = {
    "bonus_dice": two_bonus_dice,
    "defeat_enemy": defeat_one,
    "free_die": free_one,
    "skull_back_1": lambda table: heal_one(table, 1),
    "skull_back_2": lambda table: heal_one(table, 2),
}

B = Side(
    targets=cells_b,
    faces=lambda table: dict.fromkeys(cells_b(table), FACES),
    refuses=refuses_b,
    room=room,
    resolve=resolve_b,
    attack=attack,
    exposed=exposed,
)
