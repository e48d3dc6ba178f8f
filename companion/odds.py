"""What the dice threaten next, as exact chances from what lies on the table now.

Dice fall independently of each other, so every chance is a product over dice; fractions keep it
exact. Nothing here decides anything: it is for those who want to see the numbers.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import Any

from companion.games.troll_and_dragon.pieces import RED, TrollTable
from companion.table import Table
from companion.words import mark

ROLLS_SHOWN = (1, 2, 3)  # of the Dragon dice, before the next roll of the gold dice
TROLL = mark("The Troll comes, if you roll all free dice again")
DRAGON = (
    mark("The Dragon wakes, if its dice are rolled once before your next roll"),
    mark("The Dragon wakes, if its dice are rolled twice before your next roll"),
    mark("The Dragon wakes, if its dice are rolled three times before your next roll"),
)


def share(sides: tuple[str, ...], face: str) -> Fraction:
    """The chance that a fair die with these sides shows `face`."""
    return Fraction(sides.count(face), len(sides))


def all_show(dice: Iterable[tuple[str, ...]], face: str) -> Fraction:
    """The chance that every die of one roll shows `face`."""
    return prod((share(sides, face) for sides in dice), start=Fraction(1))


def all_have_shown(dice: Iterable[tuple[str, ...]], face: str, rolls: int) -> Fraction:
    """The chance that within so many rolls every die has shown `face`; one that has, rests."""
    return prod((1 - (1 - share(sides, face)) ** rolls for sides in dice), start=Fraction(1))


def troll_next(table: TrollTable) -> Fraction | None:
    """The chance that a roll of all free white dice brings the Troll; None outside the grotto."""
    grotto = table.grotto
    if table.phase != "grotto" or not grotto.free:
        return None
    return all_show((table.dice[die].faces for die in grotto.free), "troll")


def dragon_within(table: TrollTable, rolls: int) -> Fraction | None:
    """The chance that both Dragons are up within so many rolls; None outside the cavern."""
    if table.phase != "cavern":
        return None
    asleep = [table.dice[die].faces for die in RED if die not in table.cavern.awake]
    return all_have_shown(asleep, "dragon", rolls)


def reckons(table: Table) -> bool:
    """True for a game whose dice threaten with something that can be calculated."""
    return isinstance(table, TrollTable)


def odds_of(table: Table) -> list[dict[str, Any]]:
    """What threatens on this table: a sentence and its chance, 0 to 1; empty where nothing does."""
    if not isinstance(table, TrollTable):
        return []
    found = [(TROLL, troll_next(table))]
    found += [(text, dragon_within(table, n)) for text, n in zip(DRAGON, ROLLS_SHOWN, strict=True)]
    return [{"text": text, "chance": float(chance)} for text, chance in found if chance is not None]
