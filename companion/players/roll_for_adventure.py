"""How simulated people play Roll for Adventure, and how chance stacks its enemy deck."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.roll_for_adventure.cards import MASTER
from companion.games.roll_for_adventure.pieces import BONUS, AdventureTable
from companion.games.roll_for_adventure.placing import placements
from companion.offers import Choose, Flip, Offer, Roll
from companion.players import Chance, Intent
from companion.players.adventure_outlook import Outlook, most_damaged, worst_enemy
from companion.players.adventure_worth import worth

# --- chance ---------------------------------------------------------------------------------------


def top_card(chance: Chance, table: AdventureTable, square: str) -> str:
    """The card that lies on top: the first of the stacked deck that has not been revealed.

    The order lives with chance. A card that an undo puts back is where it was; the Master, once
    he has been drawn, is shuffled into what is left.
    """
    if set(chance.hidden.get("enemy_deck", ())) != set(table.cards):
        chance.hidden["enemy_deck"] = stacked(list(table.cards), chance.rng)
    order: list[str] = chance.hidden["enemy_deck"]
    card = next(card for card in order if card in table.deck)
    if card == MASTER:
        shuffle_back(order, set(table.deck) - {MASTER}, chance.rng)
    return card


def stacked(cards: Sequence[str], rng: random.Random) -> list[str]:
    """Three stacks, the Master shuffled into the middle one; a remainder goes to the lowest."""
    enemies = [card for card in cards if card != MASTER]
    rng.shuffle(enemies)
    third, remainder = divmod(len(enemies), 3)
    top = third
    middle = top + third + (1 if remainder == 2 else 0)
    with_master = [*enemies[top:middle], MASTER]
    rng.shuffle(with_master)
    return [*enemies[:top], *with_master, *enemies[middle:]]


def shuffle_back(order: list[str], left: set[str], rng: random.Random) -> None:
    """Put the Master anywhere among the cards that are left."""
    order.remove(MASTER)
    waiting = [at for at, card in enumerate(order) if card in left]
    order.insert(rng.choice([*waiting, len(order)]), MASTER)


# --- people ---------------------------------------------------------------------------------------

THOUGHT_S = (0.5, 1.2)
A_DIE_IDLE = 1.0  # what it costs to lay a die on a hero's own space
HEAL_FROM = 3  # holes left, from which on a die is worth a hole


def adventurer(
    table: AdventureTable, player: str, offers: Sequence[Offer], rng: random.Random
) -> Intent:
    """Look over the whole table, and do what makes it look best."""
    delay_s = rng.uniform(*THOUGHT_S)
    choices = {offer.choice: offer for offer in offers if isinstance(offer, Choose)}
    if "ability" in choices and wants_ability(table):
        values = choices["ability"].values
        return Intent(choices["ability"], value=best_use(table, values), delay_s=delay_s)
    for offer in offers:
        if isinstance(offer, Roll):
            return Intent(offer, dice=offer.dice, delay_s=delay_s)
        if isinstance(offer, Flip):
            return Intent(offer, value=offer.squares[0], delay_s=delay_s)
    offer, value = decide(table, choices, rng)
    return Intent(offer, value=value, delay_s=delay_s)


def decide(
    table: AdventureTable, choices: dict[str, Choose], rng: random.Random
) -> tuple[Choose, Any]:
    """Answer what is asked."""
    if "claim" in choices and "continue" in choices:
        return decide_in_the_ice(table, choices)
    if "take_back" in choices:
        return decide_on_chain(table, choices)
    choice, offer = next(iter(choices.items()))
    judge = JUDGES.get(choice)
    if judge is None or len(offer.values) < 2:
        return offer, offer.values[0] if offer.values else None
    outlook = Outlook.of(table)
    return offer, max(offer.values, key=lambda value: (judge(outlook, value), rng.random()))


# --- one judge for each choice --------------------------------------------------------------------


def worth_of_placing(outlook: Outlook, value: Any) -> float:
    """How the table looks after a placement."""
    if value["where"] == "hero":
        return worth(outlook) - A_DIE_IDLE
    then = outlook.after(value)
    if outlook.table.sides["ice"] == "a" and str(value["where"]).startswith("ice-"):
        return max(worth(then), worth(then.claimed()) if then.in_the_ice >= 4 else worth(then))
    return worth(then)


def worth_of_using(outlook: Outlook, value: Any) -> float:
    """Bonus dice first, then ally dice."""
    return -outlook.dearness(value)


def worth_of_keeping(outlook: Outlook, value: Any) -> float:
    """Dice come back to who is soon to roll."""
    return -1 if value == BONUS else outlook.distance(value)


def worth_of_losing(outlook: Outlook, value: Any) -> float:
    """Rather a bonus die, which has been used, than one of a player who is soon to roll."""
    if value not in outlook.table.colours:
        return -len(chains_through(outlook.table, value))
    return 5 if value == BONUS else outlook.distance(value)


def worth_of_freeing(outlook: Outlook, value: Any) -> float:
    """A die for who is soon to roll."""
    return -9 if value == BONUS else -outlook.distance(value)


def worth_of_denying(outlook: Outlook, value: Any) -> float:
    """Who rolls last can do without."""
    seats = outlook.table.seats_from(outlook.table.active)
    return len(seats) if value == seats[0] else seats.index(value)


def worth_of_healing(outlook: Outlook, value: Any) -> float:
    """The territory that is nearest to falling."""
    return float(value == most_damaged(outlook.table))


def worth_of_defeating(outlook: Outlook, value: Any) -> float:
    """The enemy that will attack most often."""
    return float(value == worst_enemy(outlook))


def worth_of_paying(outlook: Outlook, value: Any) -> float:
    """Low dice are needed least."""
    return -float(value)


JUDGES: Mapping[str, Callable[[Outlook, Any], float]] = {
    "place": worth_of_placing,
    "use": worth_of_using,
    "keep": worth_of_keeping,
    "lose": worth_of_losing,
    "free": worth_of_freeing,
    "deny": worth_of_denying,
    "heal": worth_of_healing,
    "defeat": worth_of_defeating,
    "pay": worth_of_paying,
}


# --- rewards, chains, abilities -------------------------------------------------------------------


def decide_in_the_ice(table: AdventureTable, choices: dict[str, Choose]) -> tuple[Choose, Any]:
    """Claim the row when that looks better; filled lines are always claimed."""
    outlook = Outlook.of(table)
    if table.sides["ice"] == "a" and worth(outlook) > worth(outlook.claimed()):
        return choices["continue"], None
    offer = choices["claim"]
    return offer, offer.values[-1] if offer.values else None


def decide_on_chain(table: AdventureTable, choices: dict[str, Choose]) -> tuple[Choose, Any]:
    """Take dice back that no open chain needs."""
    for value in choices["take_back"].values:
        place = value
        if value in table.colours:
            lying = table.pack.desert_b.places
            dice = [die for space in lying for die in table.at(space)]
            place = next(table.lies[die] for die in dice if table.colour_of[die] == value)
        if not chains_through(table, place):
            return choices["take_back"], value
    return choices["continue"], None


def chains_through(table: AdventureTable, place: str) -> list[int]:
    """Open chains of the desert's B side that need this space."""
    if not place.startswith("desert-b-"):
        return []
    space = int(place.removeprefix("desert-b-"))
    lines = enumerate(table.pack.desert_b.lines)
    return [chain for chain, line in lines if space in line and not table.chain_done[chain]]


def wants_ability(table: AdventureTable) -> bool:
    """Abilities that cost nothing are used; a die is paid only when a territory is in danger."""
    match table.hero.hook:
        case "draw_peek":
            return True
        case "extra_value_per_placement":
            outlook = Outlook.of(table)
            more = placements(table)[0].values  # type: ignore[union-attr]
            return max(worth_of_placing(outlook, value) for value in more) > worth(outlook)
        case "free_from_oblivion":
            return table.hero.cost_dice <= table.hero.amount
        case "heal":
            near = most_damaged(table)
            return table.holes(near) - table.damage[near] <= HEAL_FROM
    return False


def best_use(table: AdventureTable, values: Sequence[Any]) -> Any:
    """The value with which an ability does most good."""
    if not values:
        return None
    near = most_damaged(table)
    return near if near in values else values[0]
