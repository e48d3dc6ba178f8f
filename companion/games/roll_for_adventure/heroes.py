"""The heroes' abilities: data in the pack, hooks here; used only in the hero's own turn.

What an ability changes without being asked (dice on enemies, thresholds, saved dice, the extra
space) is decided where it happens; the hooks below are what a person says "ability" for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.actions import Chose
from companion.games.roll_for_adventure.asking import ask
from companion.games.roll_for_adventure.endings import heal
from companion.games.roll_for_adventure.ice import damaged
from companion.games.roll_for_adventure.pieces import HAND, OBLIVION, AdventureTable
from companion.games.roll_for_adventure.vortex import free_one
from companion.games.roll_for_adventure.words import (
    ABILITY,
    ABILITY_USED,
    NO_ABILITY,
    NOT_NOW,
)
from companion.offers import Choose, Offer
from companion.scripts import SubScript
from companion.words import word

Values = tuple[Any, ...] | None  # None: nothing to do just now; (): nothing to choose


@dataclass(frozen=True)
class Hook:
    """When an ability can be used, with which values, and what it then does."""

    values: Callable[[AdventureTable], Values]
    use: Callable[[AdventureTable, Any], SubScript[None]]


def ability_offers(table: AdventureTable) -> list[Offer]:
    """The active hero's ability: open, or closed with the reason."""
    hook = HOOKS.get(table.hero.hook)
    if hook is None:
        return [Choose(table.active, "ability", closed=NO_ABILITY)]
    if not table.may_use_ability:
        return [Choose(table.active, "ability", closed=ABILITY_USED)]
    values = hook.values(table)
    if values is None:
        return [Choose(table.active, "ability", closed=NOT_NOW)]
    return [Choose(table.active, "ability", values=values)]


def use_ability(table: AdventureTable, value: Any) -> SubScript[None]:
    """The active player uses the hero's ability."""
    table.use_ability()
    yield from HOOKS[table.hero.hook].use(table, value)


# --- modify_die, reroll, extra_value_per_placement ------------------------------------------------


def changes(table: AdventureTable) -> Values:
    """Every die of the roll that may show something else."""
    if not table.waits:
        return None
    change = {str(face): others for face, others in table.hero.change.items()}
    values = [{"face": f, "to": str(to)} for f in table.in_hand for to in change.get(f, ())]
    return tuple(values) or None


def modify_die(table: AdventureTable, value: Any) -> SubScript[None]:
    """Turn one die of the roll."""
    for die in (yield from dice_in_hand(table, value["face"], 1)):
        table.shows[die] = value["to"]


def dice_in_hand(
    table: AdventureTable, face: str, count: int, *, spaces: bool = False
) -> SubScript[list[str]]:
    """So many dice of the roll that show a face; where colours differ, people say which.

    spaces  True where each goes to a space of its own, so that their order matters too.
    """
    chosen: list[str] = []
    while len(chosen) < count:
        rest = [die for die in table.showing(HAND, face) if die not in chosen]
        colours = [c for c in table.colours if any(table.colour_of[die] == c for die in rest)]
        if len(colours) == 1 or (len(rest) == count - len(chosen) and not spaces):
            return chosen + rest[: count - len(chosen)]
        colour = yield from ask(table, "use", lambda c=colours: c, about=HAND)  # type: ignore[misc]
        chosen.append(next(die for die in rest if table.colour_of[die] == colour))
    return chosen


def while_dice_lie(table: AdventureTable) -> Values:
    """As long as dice of a roll wait to be placed."""
    return () if table.waits and table.in_hand else None


def reroll(table: AdventureTable, value: Any) -> SubScript[None]:
    """All dice in hand are rolled again."""
    table.waits = False
    yield from ()


def while_others_lie(table: AdventureTable) -> Values:
    """After a placement, as long as the roll shows another value."""
    return () if table.rolls and not table.waits and table.spent and table.in_hand else None


def place_another_value(table: AdventureTable, value: Any) -> SubScript[None]:
    """The same roll allows one more placement."""
    table.waits = True
    yield from ()


# --- heal, free_from_oblivion ---------------------------------------------------------------------


def can_pay(table: AdventureTable) -> bool:
    """True while the roll has enough dice for what the ability costs."""
    cost = table.hero.cost_dice
    return cost == 0 or (table.waits and sum(table.in_hand.values()) >= cost)


def what_can_be_healed(table: AdventureTable) -> Values:
    """Damaged territories, if the roll can pay."""
    return (tuple(damaged(table)) or None) if can_pay(table) else None


def heal_by_ability(table: AdventureTable, value: Any) -> SubScript[None]:
    """Pay, and move a skull back."""
    yield from pay(table)
    heal(table, value, table.hero.amount)


def whether_any_is_lost(table: AdventureTable) -> Values:
    """As long as there are dice in Oblivion, if the roll can pay."""
    return () if table.at(OBLIVION) and can_pay(table) else None


def free_by_ability(table: AdventureTable, value: Any) -> SubScript[None]:
    """Dice of the players' choice leave Oblivion; then the price is paid."""
    for _ in range(table.hero.amount):
        yield from free_one(table)
    yield from pay(table)


def pay(table: AdventureTable) -> SubScript[None]:
    """Dice of the present roll go to Oblivion."""
    for _ in range(table.hero.cost_dice):
        face = yield from ask(table, "pay", lambda: list(table.in_hand), about=HAND)
        table.sacrifice((yield from dice_in_hand(table, face, 1)))


# --- draw_peek, manual ----------------------------------------------------------------------------


def while_cards_are_left(table: AdventureTable) -> Values:
    """As long as there is a card to look at."""
    return () if table.deck else None


def draw_peek(table: AdventureTable, value: Any) -> SubScript[None]:
    """The player looks at the top card and puts it back; the companion does not."""
    table.tell(ABILITY, "{player}, look at the top enemy card and put it back.", player=table.name)
    yield from ()


def at_any_time(table: AdventureTable) -> Values:
    """Whenever the player wants."""
    return ()


def by_hand(table: AdventureTable, value: Any) -> SubScript[None]:
    """People do what the ability says, and set the counts that it changes, until they are done."""
    table.phase = "ability"
    ability = "{player}, do what your ability says, and adjust the counts: {text}"
    table.tell(ABILITY, ability, player=table.name, text=word(table.hero.text or table.hero.name))
    match (yield lambda: [Choose(table.active, "done", button=True)]):
        case Chose():
            table.tell(ABILITY, "The ability of the {hero} is done.", hero=word(table.hero.name))


HOOKS: Mapping[str, Hook] = {
    "modify_die": Hook(changes, modify_die),
    "reroll": Hook(while_dice_lie, reroll),
    "extra_value_per_placement": Hook(while_others_lie, place_another_value),
    "heal": Hook(what_can_be_healed, heal_by_ability),
    "free_from_oblivion": Hook(whether_any_is_lost, free_by_ability),
    "draw_peek": Hook(while_cards_are_left, draw_peek),
    "manual": Hook(at_any_time, by_hand),
}
