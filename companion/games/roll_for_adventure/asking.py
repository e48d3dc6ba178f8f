"""How people are asked: among values, among dice; nobody is asked where nothing differs."""

from collections.abc import Callable, Sequence
from typing import Any

from companion.actions import Chose
from companion.games.roll_for_adventure.pieces import AdventureTable
from companion.games.roll_for_adventure.words import DECIDE_FIRST
from companion.offers import Choose, Offer
from companion.scripts import SubScript

SINGLE_SPACES = ("desert-b-", "ice-b-")
NOTHING = "nothing"  # the answer when a person has taken everything else away by hand


def ask(
    table: AdventureTable,
    choice: str,
    values: Callable[[], Sequence[Any]],
    *,
    about: str = "",
    also: Callable[[], Sequence[Any]] = tuple,
) -> SubScript[Any]:
    """Let the active player choose one of the values; None if there are none.

    about  the part of the table that the question is about, for screens.
    also   other names of the values, which are understood though not offered.
    """
    now = values()
    if len(now) < 2:
        return now[0] if now else None
    table.phase, table.question = choice, about

    def listing() -> Sequence[Offer]:
        open_ones = tuple(values()) or (NOTHING,)
        return (
            Choose(table.active, choice, open_ones, also=tuple(also())),
            Choose(table.active, "place", closed=DECIDE_FIRST),
        )

    match (yield listing):
        case Chose(value=value) if value != NOTHING:
            return value
    return None


def one_of(
    table: AdventureTable, choice: str, dice: Callable[[], Sequence[str]], *, about: str = ""
) -> SubScript[str | None]:
    """Let the active player choose one of these dice; None if there are none."""
    called = yield from ask(
        table,
        choice,
        lambda: list(names(table, dice())),
        about=about,
        also=lambda: list(other_names(table, dice())),
    )
    candidates = dice()
    return {**other_names(table, candidates), **names(table, candidates)}.get(called)


def names(table: AdventureTable, dice: Sequence[str]) -> dict[str, str]:
    """Dice by colour, or by place where colours do not tell which one is meant."""
    colours = {table.colour_of[die]: die for die in reversed(dice)}
    if len(colours) == len(dice) or not has_own_space(table, dice):
        return {colour: colours[colour] for colour in table.colours if colour in colours}
    return {table.lies[die]: die for die in dice}


def other_names(table: AdventureTable, dice: Sequence[str]) -> dict[str, str]:
    """The other way to say which die: by place, or by colour where there is one of it."""
    if not has_own_space(table, dice):
        return {}
    counted = [table.colour_of[die] for die in dice]
    by_colour = {table.colour_of[d]: d for d in dice if counted.count(table.colour_of[d]) == 1}
    return by_colour | {table.lies[die]: die for die in dice}


def has_own_space(table: AdventureTable, dice: Sequence[str]) -> bool:
    """True where each die has a space of its own, so that it matters which of a colour is meant."""
    return bool(dice) and all(table.lies[die].startswith(SINGLE_SPACES) for die in dice)
