"""Enter the Diamond Grotto, and the threat of the Troll."""

from functools import cache, lru_cache

from companion.actions import Chose, Rolled
from companion.games.troll_and_dragon.gathering import leave, tell_what_is_left
from companion.games.troll_and_dragon.pieces import GOLDEN, RED, WHITE, Treasure, TrollTable
from companion.games.troll_and_dragon.words import (
    CAVERN_SHUT,
    DIE_BLOCKED,
    KEY_DOOR,
    MUST_ROLL_ALL_FOUR,
    MUST_ROLL_ALL_FREE,
    NO_KEY_NO_DOOR,
    NOTHING_ROLLED,
    NOTHING_TO_SET_ASIDE,
    RACE_NOT_STARTED,
    TREASURE,
    TROLL,
    TROLL_NEAR,
    WARNING,
)
from companion.offers import Choose, Offer, Roll
from companion.scripts import SubScript
from companion.words import word

Dice = tuple[str, ...]


def diamond_grotto(table: TrollTable, hero: str) -> SubScript[bool]:
    """Roll the white dice as often as you dare; True when the cavern opens."""
    grotto = table.grotto
    all_free = table.options.reroll_policy == "all_free"
    offers = first_offers(hero)

    def lying() -> tuple[Offer, ...]:
        return offers

    while True:
        action = yield lying
        if type(action) is Rolled:  # by type: a class pattern that does not match costs a step
            look_at_the_roll(table, action.faces)
        elif type(action) is Chose and action.choice == "set_aside":
            set_aside(table, action.value)
            if grotto.opens_the_cavern():
                return True
        else:
            leave(table, hero)
            return False
        if not grotto.free:
            the_troll(table, hero)
            return False
        keys, blocked = grotto.keys_and_doors(), tuple(grotto.blocked)
        offers = grotto_offers(hero, grotto.free, keys, blocked, all_free)


@cache
def first_offers(hero: str) -> tuple[Offer, ...]:
    """What may happen when a turn begins."""
    return (
        Roll(hero, WHITE, at_least=4),
        Choose(hero, "leave", closed=NOTHING_ROLLED, button=True),
        Choose(hero, "set_aside", closed=NOTHING_TO_SET_ASIDE),
        *dice_of_the_cavern(hero),
        Roll(hero, WHITE, closed=MUST_ROLL_ALL_FOUR),
    )


@lru_cache(maxsize=4096)
def grotto_offers(
    hero: str, free: Dice, keys: Dice, blocked: Dice, all_free: bool
) -> tuple[Offer, ...]:
    """What may happen after a roll in the grotto."""
    offers: list[Offer] = [Roll(hero, free, at_least=len(free) if all_free else 1)]
    if keys:
        offers.append(Choose(hero, "set_aside", values=keys))
    offers.append(Choose(hero, "leave", button=True))
    if blocked:
        offers.append(Roll(hero, blocked, closed=DIE_BLOCKED))
        offers.append(Choose(hero, "set_aside", values=blocked, closed=DIE_BLOCKED))
    if all_free:
        offers.append(Roll(hero, free, closed=MUST_ROLL_ALL_FREE))
    offers.append(Choose(hero, "set_aside", closed=NO_KEY_NO_DOOR))
    offers.extend(dice_of_the_cavern(hero))
    return tuple(offers)


def dice_of_the_cavern(hero: str) -> tuple[Offer, Offer]:
    """Why gold and red dice rest as long as the adventurer is in the grotto."""
    return Roll(hero, GOLDEN, closed=CAVERN_SHUT), Roll(hero, RED, closed=RACE_NOT_STARTED)


def look_at_the_roll(table: TrollTable, faces: dict[str, str]) -> None:
    """Resolve one settled roll as a whole: trolls block, diamonds are gathered."""
    grotto, shown = table.grotto, list(faces.values())
    grotto.faces.update(faces)
    if "troll" in shown:
        for die, face in faces.items():
            if face == "troll":
                grotto.block(die)
        tell_the_troll_is_near(table)
    if diamonds := shown.count("diamond"):
        gather_diamonds(table, diamonds)
    if "key" in shown or "door" in shown:
        table.tell(KEY_DOOR, "A key or a door lies there. Set it aside, or roll on?")


def tell_the_troll_is_near(table: TrollTable) -> None:
    """Say how many dice are blocked; the fourth is the Troll's own cue."""
    n = len(table.grotto.blocked)
    if n < len(WHITE):
        table.tell(
            TROLL_NEAR,
            "The Troll comes closer: {n} die is blocked.",
            "The Troll comes closer: {n} dice are blocked.",
            n=n,
        )


def gather_diamonds(table: TrollTable, shown: int) -> None:
    """Each diamond face is one diamond, as long as the grotto has any."""
    n = min(shown, table.supply.diamonds)
    if n == 0:
        table.tell(WARNING, "The grotto is empty: a diamond on a die gives nothing.")
        return
    table.supply.diamonds -= n
    table.pouch.diamonds += n
    table.tell(
        TREASURE,
        "{player} finds {n} diamond.",
        "{player} finds {n} diamonds.",
        n=n,
        player=table.names[table.active],
    )
    tell_what_is_left(table, n, table.supply.diamonds, "diamond")


def set_aside(table: TrollTable, die: str) -> None:
    """A key or door put aside is blocked, and half of what opens the cavern."""
    grotto = table.grotto
    face = grotto.faces[die]
    if face in grotto.blocked.values():
        table.tell(WARNING, "A second {face} opens nothing.", face=word(face))
    grotto.block(die)


# --- The threat of the Troll ----------------------------------------------------------------------


def the_troll(table: TrollTable, hero: str) -> None:
    """All dice are blocked: the Troll takes this turn's diamonds into his hand."""
    n = table.pouch.diamonds
    table.troll_hand.diamonds += n
    table.supply.gold += table.pouch.gold  # only there if somebody put it there by hand
    table.pouch = Treasure()
    table.tell(
        TROLL,
        "The Troll! He grabs {n} diamond from {player}.",
        "The Troll! He grabs {n} diamonds from {player}.",
        n=n,
        player=table.names[hero],
    )
