"""The desert: 1s, and a die that is devoured (A) or five chains (B)."""

from companion.actions import Chose
from companion.games.roll_for_adventure.asking import names, one_of, other_names
from companion.games.roll_for_adventure.endings import inflict_damage, receive_power_stone
from companion.games.roll_for_adventure.pieces import BONUS, AdventureTable
from companion.games.roll_for_adventure.sides import Side
from companion.games.roll_for_adventure.words import (
    DESERT_FULL,
    DESERT_LATER,
    DESERT_TAKES_ONES,
    SPACE_TAKEN,
    SUBTASK,
)
from companion.offers import Choose, Offer, Refusal
from companion.scripts import SubScript

FIRST, SECOND, THIRD = "desert-1", "desert-2", "desert-3"
ONES = ("1",)
SPACES = 3  # in the first section, and in the second

# --- The desert (A side) --------------------------------------------------------------------------


def refuses(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """1s, into the first section, while it has a free space."""
    if place != FIRST:
        return DESERT_LATER
    if face != "1":
        return DESERT_TAKES_ONES
    return DESERT_FULL if room(table, place, face) == 0 else None


def room(table: AdventureTable, place: str, face: str) -> int:
    """Free spaces of the first section."""
    return max(0, SPACES - len(table.at(FIRST)))


def resolve(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """Three 1s: one goes on to the second section; three there: one is devoured for a stone."""
    if len(table.at(FIRST)) >= SPACES:
        table.tell(SUBTASK["desert"], "The first section of the desert is full.")
        yield from keep_one(table, FIRST, SECOND)
    if len(table.at(SECOND)) >= SPACES:
        table.tell(SUBTASK["desert"], "The desert devours one die for the rest of the game.")
        yield from keep_one(table, SECOND, THIRD)
        receive_power_stone(table, "desert")


def keep_one(table: AdventureTable, section: str, next_section: str) -> SubScript[None]:
    """One die, chosen by the active player, moves on; the others are returned."""
    die = yield from one_of(table, "keep", lambda: may_be_kept(table, section), about=section)
    if die is not None:
        table.put([die], next_section)
    table.give_back(table.at(section))


def may_be_kept(table: AdventureTable, section: str) -> list[str]:
    """Any die of a section; by house rule no bonus die where there is another."""
    dice = table.at(section)
    if table.options.bonus_in_desert == "forbid":
        return [die for die in dice if table.colour_of[die] != BONUS] or dice
    return dice


def attack(table: AdventureTable) -> SubScript[None]:
    """One die of the first section is lost, or the desert is damaged."""
    die = yield from one_of(table, "lose", lambda: table.at(FIRST), about=FIRST)
    if die is None:
        inflict_damage(table, ("desert",), 1)
    else:
        table.lose([die])


A = Side(
    targets=lambda table: (FIRST,),
    faces=lambda table: {FIRST: ONES, SECOND: ONES, THIRD: ONES},
    refuses=refuses,
    room=room,
    resolve=resolve,
    attack=attack,
    exposed=lambda table: table.at(FIRST),
    refills=True,
)

# --- The desert (B side) --------------------------------------------------------------------------


def spaces_b(table: AdventureTable) -> tuple[str, ...]:
    """All spaces for dice."""
    return table.pack.desert_b.places


def refuses_b(table: AdventureTable, place: str, face: str) -> Refusal | None:
    """1s, on any free space."""
    if face != "1":
        return DESERT_TAKES_ONES
    return SPACE_TAKEN if table.at(place) else None


def room_b(table: AdventureTable, place: str, face: str) -> int:
    """A space is for one die."""
    return 0 if table.at(place) else 1


def resolve_b(table: AdventureTable, places: tuple[str, ...]) -> SubScript[None]:
    """Chains that are closed now are done; dice of them may be taken back; all five: a stone."""
    closed = chains_closed(table)
    for chain in closed:
        table.chain_done[chain] = True
        table.tell(SUBTASK["desert"], "Chain {chain} of the desert is closed.", chain=chain + 1)
    if all(table.chain_done):
        table.chain_done = [False] * len(table.chain_done)
        table.give_back(dice_b(table))
        receive_power_stone(table, "desert")
    elif closed:
        spaces = {f"desert-b-{s}" for chain in closed for s in table.pack.desert_b.lines[chain]}
        yield from take_back(table, spaces)


def chains_closed(table: AdventureTable) -> list[int]:
    """Chains whose tile lies on top still, though all their spaces are filled."""
    taken = {table.lies[die] for die in dice_b(table)}
    return [
        chain
        for chain, line in enumerate(table.pack.desert_b.lines)
        if not table.chain_done[chain] and all(f"desert-b-{space}" in taken for space in line)
    ]


def dice_b(table: AdventureTable) -> list[str]:
    """All dice of the desert."""
    return [die for space in spaces_b(table) for die in table.on.get(space, ())]


def take_back(table: AdventureTable, spaces: set[str]) -> SubScript[None]:
    """The active player takes dice of closed chains back, one by one, or leaves them there."""

    def dice() -> list[str]:
        return [die for die in dice_b(table) if table.lies[die] in spaces]

    def listing() -> list[Offer]:
        lying, hero = dice(), table.active
        offers: list[Offer] = [Choose(hero, "continue", button=True)]
        if lying:
            also = tuple(other_names(table, lying))
            offers.append(Choose(hero, "take_back", tuple(names(table, lying)), also=also))
        return offers

    while dice():
        table.phase, table.question = "take_back", "desert"
        match (yield listing):
            case Chose(choice="take_back", value=called):
                lying = dice()
                table.give_back([{**other_names(table, lying), **names(table, lying)}[called]])
            case _:
                return


def attack_b(table: AdventureTable) -> SubScript[None]:
    """Two dice of the players' choice are lost, or the only one; without any, damage."""
    if not dice_b(table):
        inflict_damage(table, ("desert",), 1)
    for _ in range(2):
        die = yield from one_of(table, "lose", lambda: dice_b(table), about="desert")
        if die is not None:
            table.lose([die])


B = Side(
    targets=spaces_b,
    faces=lambda table: dict.fromkeys(spaces_b(table), ONES),
    refuses=refuses_b,
    room=room_b,
    resolve=resolve_b,
    attack=attack_b,
    exposed=dice_b,
    spread=True,
)
