"""The rules of Roll for Adventure, heading by heading, as the rule book tells them.

This is the course of a turn. What happens on each board, to enemies and in the vortexes has a
module of its own, with the headings of the rule book: desert, fortress, forest, ice, enemies,
vortex, heroes; `placing` is what may be placed where.
"""

from companion.actions import Chose, Flipped, Rolled
from companion.games.roll_for_adventure import ice
from companion.games.roll_for_adventure.endings import (
    GameEnds,
    look_for_defeat,
    look_for_dice,
    look_for_victory,
)
from companion.games.roll_for_adventure.enemies import ENEMY_DECK, enemy_attack
from companion.games.roll_for_adventure.heroes import ability_offers, use_ability
from companion.games.roll_for_adventure.pack import TERRITORIES
from companion.games.roll_for_adventure.pieces import HAND, TERRITORY_DIE, AdventureTable, board_of
from companion.games.roll_for_adventure.placing import place, placements
from companion.games.roll_for_adventure.words import (
    CARD_IS_OUT,
    DICE_LEFT,
    NO_DESERT_CHAIN,
    NO_DICE_LEFT,
    NO_TERRITORY_DIE,
    PLACE_FIRST,
    RETURNED_REST,
    ROLL_ALL,
    ROLL_FIRST,
    ROLL_SETTLED,
    YOUR_TURN,
)
from companion.offers import Choose, Flip, Offer, Refusal, Roll
from companion.scripts import Script, SubScript

# --- Course of a turn -----------------------------------------------------------------------------


def play(table: AdventureTable) -> Script:
    """Take turns until all power stones are won, a territory falls, or no dice are left."""
    try:
        while True:
            yield from begin_turn(table)
            card = yield from roll_and_place(table)
            yield from enemy_attack(table, card)
            table.active = table.seat_after(table.active)
    except GameEnds as end:
        return end.outcome


def begin_turn(table: AdventureTable) -> SubScript[None]:
    """The next player's turn; what people have set by hand meanwhile is dealt with first."""
    table.rolls, table.waits, table.spent = 0, False, {}
    table.used_ability = table.used_ability_in_roll = 0
    if table.options.permanent_loss == "at_once":
        look_for_defeat(table)
    look_for_victory(table)
    for territory in TERRITORIES:
        yield from table.rules[territory].resolve(table, ())
    look_for_dice(table)
    table.tell(YOUR_TURN, "{player}, it is your turn.", player=table.name)


# --- 1. Roll and place available dice -------------------------------------------------------------


def roll_and_place(table: AdventureTable) -> SubScript[str]:
    """Roll, place dice of one value, and again, until none are left; return the card revealed."""
    while True:
        table.phase, table.question = table.heading(), ""
        match (yield lambda: OFFERS[table.heading()](table)):
            case Rolled(faces):
                look_at_the_roll(table, faces)
            case Chose(choice="place", value=value):
                yield from place(table, value)
            case Chose(choice="ability", value=value):
                yield from use_ability(table, value)
            case Chose(choice="claim", value=value):
                yield from CLAIM[table.sides["ice"]](table, value)
            case Flipped(face=card):
                return card


def look_at_the_roll(table: AdventureTable, faces: dict[str, str]) -> None:
    """The dice that were rolled lie in hand, until they are placed or rolled again."""
    table.put(faces, HAND)
    table.shows.update(faces)
    table.rolls, table.waits, table.spent = table.rolls + 1, True, {}
    table.used_ability_in_roll = 0
    shown = " ".join(sorted(faces.values()))
    table.tell(ROLL_SETTLED, "{player} rolls {faces}.", player=table.name, faces=shown)


def roll_offers(table: AdventureTable) -> list[Offer]:
    """All dice that are left must be rolled together."""
    hero, dice = table.active, tuple(table.to_roll)
    return [
        Roll(hero, dice, at_least=len(dice)),
        *ability_offers(table),
        *claims_any_time(table),
        Choose(hero, "place", closed=ROLL_FIRST),
        Flip(hero, (ENEMY_DECK,), closed=DICE_LEFT),
        *dice_that_rest(table, ROLL_ALL),
    ]


def place_offers(table: AdventureTable) -> list[Offer]:
    """Dice of one value must be placed; then the rest is rolled again."""
    hero = table.active
    return [
        *placements(table),
        *ability_offers(table),
        *claims_any_time(table),
        Flip(hero, (ENEMY_DECK,), closed=DICE_LEFT),
        *dice_that_rest(table, PLACE_FIRST),
    ]


def reveal_offers(table: AdventureTable) -> list[Offer]:
    """No dice are left: the top card of the enemy deck is revealed."""
    hero = table.active
    out = tuple(card for card in table.cards if card not in table.deck)
    return [
        Flip(hero, (ENEMY_DECK,), faces=tuple(table.deck)),
        *ability_offers(table),
        *claims_any_time(table),
        Flip(hero, (ENEMY_DECK,), faces=out, closed=CARD_IS_OUT),
        Choose(hero, "place", closed=NO_DICE_LEFT),
        *dice_that_rest(table, NO_DICE_LEFT),
    ]


OFFERS = {"roll": roll_offers, "place": place_offers, "reveal": reveal_offers}


def dice_that_rest(table: AdventureTable, otherwise: Refusal) -> list[Offer]:
    """Why other dice are not rolled now."""
    hero, rolling = table.active, set(table.to_roll)
    resting = tuple(die for die in table.at(board_of(hero)) if die not in rolling)
    offers: list[Offer] = [
        Roll(hero, resting, closed=RETURNED_REST),
        Roll(hero, (TERRITORY_DIE,), closed=NO_TERRITORY_DIE),
        Roll(hero, tuple(table.colour_of), closed=otherwise),
        Choose(hero, "take_back", closed=NO_DESERT_CHAIN),
    ]
    return offers if resting else offers[1:]


def claims_any_time(table: AdventureTable) -> list[Offer]:
    """By house rule the ice cave's rewards can be claimed at any time of one's turn."""
    if table.options.ice_claim != "any_own_turn":
        return []
    return [offer for offer in CLAIMS[table.sides["ice"]](table) if offer.closed is None]


CLAIMS = {"a": ice.claims, "b": ice.claims_b}
CLAIM = {"a": lambda table, value: ice.claim(table), "b": ice.claim_b}
