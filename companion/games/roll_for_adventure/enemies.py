"""The enemies: how they are revealed, how they attack, how they are defeated."""

from collections.abc import Callable, Mapping

from companion.actions import Rolled
from companion.games.roll_for_adventure.asking import ask
from companion.games.roll_for_adventure.cards import ENOUGH, Card
from companion.games.roll_for_adventure.endings import inflict_damage, inflict_permanent_damage
from companion.games.roll_for_adventure.pack import TERRITORIES
from companion.games.roll_for_adventure.pieces import (
    RESURRECTION,
    TERRITORY_DIE,
    AdventureTable,
)
from companion.games.roll_for_adventure.words import (
    DEFEATED,
    DRAGON,
    ENEMY,
    ENEMY_AGAIN,
    GIANT,
    LUCKY,
    PHANTOM,
    TERRITORY,
    TERRITORY_DIE_FIRST,
)
from companion.games.roll_for_adventure.words import MASTER as MASTER_APPEARS
from companion.games.roll_for_adventure.words import TERRITORY_DIE as TERRITORY_DIE_CUE
from companion.offers import Choose, Flip, Roll
from companion.scripts import SubScript
from companion.words import listed, word

ENEMY_DECK = "enemy_deck"

# --- Revealing the top card -----------------------------------------------------------------------


def enemy_attack(table: AdventureTable, face: str) -> SubScript[None]:
    """Lower ranks attack again, then the new enemy does; the Master commands all, and returns."""
    card = table.reveal(face)
    table.tell(CUE_OF.get(card.effect, ENEMY), "{enemy} is revealed.", enemy=card.title)
    yield from command(table, card)
    if card.stays:
        table.enemies.append(card.id)
    yield from strike(table, card)
    if card.effect == "master":
        table.put_master_back()
    elif not card.stays:
        table.discard.append(card.id)
    table.revealed = ""


CUE_OF = {"dragon": DRAGON, "phantom": PHANTOM, "giant": GIANT, "master": MASTER_APPEARS}


def command(table: AdventureTable, card: Card) -> SubScript[None]:
    """All face-up enemies of a lower rank attack once more; at the Master's word all of them."""
    waiting = [other for other in in_order(table) if obeys(table.cards[other], card)]
    while waiting:
        again = waiting[0]
        if table.options.attack_order == "choose":
            again = (yield from ask(table, "attack", lambda: waiting)) or again
        waiting.remove(again)
        attacks = "{enemy} attacks again."
        table.tell(ENEMY_AGAIN, attacks, enemy=table.cards[again].title)
        yield from strike(table, table.cards[again])


def in_order(table: AdventureTable) -> list[str]:
    """Enemies territory by territory, then those beside the adventure board, the oldest first."""
    return [card for where in (*TERRITORIES, "side") for card in table.enemies_on(where)]


def obeys(other: Card, card: Card) -> bool:
    """True if `card` makes an enemy that lies face up attack again."""
    if card.effect == "master":
        return True
    return card.rank is not None and other.rank is not None and other.rank < card.rank


# --- The enemy's attacks --------------------------------------------------------------------------


def strike(table: AdventureTable, card: Card) -> SubScript[None]:
    """Attack as this enemy does."""
    yield from STRIKES[card.effect](table, card)


def strike_territory(table: AdventureTable, card: Card) -> SubScript[None]:
    """An enemy of a territory attacks its territory."""
    yield from table.rules[card.territory].attack(table)


def strike_as_dragon(table: AdventureTable, card: Card) -> SubScript[None]:
    """All dice of one number on territories and on the Vortex of Resurrection are lost."""
    reach = [die for t in TERRITORIES for die in table.rules[t].exposed(table)]
    burnt = [die for die in reach + table.at(RESURRECTION) if table.shows[die] == card.number]
    if burnt:
        table.lose(burnt)
    else:
        table.tell(LUCKY, "No die shows a {number}: the attack fails.", number=card.number)
    yield from ()


def strike_as_phantom(table: AdventureTable, card: Card) -> SubScript[None]:
    """The territory die says whose shape it takes."""
    struck = yield from roll_the_territory_die(table)
    for territory in struck:
        yield from table.rules[territory].attack(table)


def strike_as_giant(table: AdventureTable, card: Card) -> SubScript[None]:
    """The territory die says which damage track becomes shorter for good."""
    struck = yield from roll_the_territory_die(table)
    inflict_permanent_damage(table, struck)


def strike_as_master(table: AdventureTable, card: Card) -> SubScript[None]:
    """Two damage to one territory, or one to each; dice are never lost to him."""
    struck = yield from roll_the_territory_die(table)
    inflict_damage(table, struck, 2 if len(struck) == 1 else 1)


STRIKES: Mapping[str, Callable[[AdventureTable, Card], SubScript[None]]] = {
    "territory": strike_territory,
    "dragon": strike_as_dragon,
    "phantom": strike_as_phantom,
    "giant": strike_as_giant,
    "master": strike_as_master,
}


def roll_the_territory_die(table: AdventureTable) -> SubScript[tuple[str, ...]]:
    """Roll the large die; return the territories that it names."""
    hero = table.active
    table.phase, table.question = "territory", ""
    table.tell(TERRITORY_DIE_CUE, "{player}, roll the territory die.", player=table.name)
    offers = (
        Roll(hero, (TERRITORY_DIE,)),
        Roll(hero, tuple(table.colour_of), closed=TERRITORY_DIE_FIRST),
        Flip(hero, (ENEMY_DECK,), closed=TERRITORY_DIE_FIRST),
        Choose(hero, "place", closed=TERRITORY_DIE_FIRST),
    )
    struck: tuple[str, ...] = ()
    match (yield lambda: offers):
        case Rolled(faces):
            table.territory_die = faces[TERRITORY_DIE]
            struck = TERRITORIES if table.territory_die == "all" else (table.territory_die,)
    if table.territory_die == "none":
        table.tell(LUCKY, "You were lucky: no territory is struck.")
        return ()
    where = listed([word(TERRITORY[territory]) for territory in struck])
    table.tell(ENEMY_AGAIN, "The territory die says: {where}.", where=where)
    return struck


# --- Defeating enemies ----------------------------------------------------------------------------


def attack_enemy(table: AdventureTable, card: str, dice: list[str]) -> None:
    """Dice are placed on an enemy; with six or more on it, it is out of the game."""
    place = f"enemy-{card}"
    table.put(dice, place)
    if falls(table, table.cards[card], dice):
        defeat(table, card)


def falls(table: AdventureTable, card: Card, placed: list[str]) -> bool:
    """True if the dice on an enemy, with what the active hero adds to them, are enough."""
    hero, dice = table.hero, table.at(f"enemy-{card.id}")
    total = sum(int(table.shows[die] or 0) for die in dice)
    if hero.hook == "enemy_die_bonus" and table.may_use_ability:
        mine = [die for die in dice if table.seat_of.get(table.colour_of[die]) == table.active]
        total += hero.bonus * len(mine)
    if total >= ENOUGH:
        return True
    if hero.hook != "enemy_threshold" or card.rank not in hero.ranks or not table.may_use_ability:
        return False
    strength = max(int(table.shows[die] or 0) for die in placed) if hero.single else total
    if strength >= hero.threshold:
        table.use_ability()
        return True
    return False


def defeat(table: AdventureTable, card: str) -> None:
    """The card is discarded, its dice are returned."""
    table.enemies.remove(card)
    table.discard.append(card)
    table.tell(DEFEATED, "{enemy} is defeated!", enemy=table.cards[card].title)
    table.give_back(table.at(f"enemy-{card}"))


def defeat_one(table: AdventureTable) -> SubScript[None]:
    """Any enemy that lies face up, of the players' choice; nothing if there is none."""
    card = yield from ask(
        table,
        "defeat",
        lambda: in_order(table),
        also=lambda: [f"enemy-{card}" for card in table.enemies],
    )
    if card is not None:
        defeat(table, str(card).removeprefix("enemy-"))
