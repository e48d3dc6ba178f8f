"""The Vortex of Oblivion takes dice; the Vortex of Resurrection brings them back."""

from companion.games.roll_for_adventure.asking import one_of
from companion.games.roll_for_adventure.pieces import HAND, OBLIVION, RESURRECTION, AdventureTable
from companion.games.roll_for_adventure.words import FREED, VORTEX
from companion.scripts import SubScript
from companion.words import word

ENOUGH = 10  # the sum of all dice on the vortex that frees those in Oblivion


def summon_resurrection(table: AdventureTable, dice: list[str]) -> None:
    """Dice are placed on the vortex; the turn's rolls are over, whatever the sum."""
    table.put(dice, RESURRECTION)
    table.tell(
        VORTEX,
        "The vortex holds {total}. {player}'s rolls are over for this turn.",
        total=table.total(RESURRECTION),
        player=table.name,
    )
    free_all(table)
    table.put_away(table.at(HAND), f"board.{table.active}")


def free_all(table: AdventureTable) -> None:
    """With ten or more on it, everything in either vortex returns to its owners."""
    if table.total(RESURRECTION) < ENOUGH:
        return
    freed = table.at(OBLIVION)
    table.tell(FREED, "{n} die is freed from Oblivion.", "{n} dice are freed.", n=len(freed))
    table.give_back(freed + table.at(RESURRECTION))


def free_one(table: AdventureTable) -> SubScript[None]:
    """One die of the players' choice leaves Oblivion for its owner; nothing if it is empty."""
    die = yield from one_of(table, "free", lambda: table.at(OBLIVION), about=OBLIVION)
    if die is not None:
        colour = table.colour_of[die]
        table.tell(FREED, "A {colour} die is freed from Oblivion.", colour=word(colour))
        table.give_back([die])
