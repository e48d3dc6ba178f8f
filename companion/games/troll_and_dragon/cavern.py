"""Enter the Treasure Cavern.

The race in the cavern is the one place where two parties act at once. Nothing special is needed
for it: the offers of both lie on the table together, and reports arrive in the order in which
things happened.
"""

from functools import lru_cache

from companion.actions import Chose, Rolled, Waited
from companion.games.troll_and_dragon.dragon import roll_for_the_dragon, the_dragon_wakes
from companion.games.troll_and_dragon.gathering import claim, leave
from companion.games.troll_and_dragon.pieces import (
    GOLDEN,
    NUGGETS,
    RED,
    WHITE,
    Cavern,
    Grotto,
    TrollTable,
)
from companion.games.troll_and_dragon.words import (
    CAVERN,
    DIE_BLOCKED,
    GROTTO_LEFT,
    MUST_ROLL_BOTH,
    NOTHING_TO_CLAIM,
    RACE,
    RACE_NOT_STARTED,
    REMINDER,
    WARNING,
)
from companion.offers import Choose, Offer, Roll, Wait
from companion.scripts import SubScript

Dice = tuple[str, ...]


def treasure_cavern(table: TrollTable, hero: str) -> SubScript[None]:
    """Roll the gold dice as fast as you like, while the others wake the Dragon."""
    enter_the_cavern(table, hero)
    cavern = table.cavern
    while True:
        action = yield lambda: cavern_offers(table, hero)
        if type(action) is Rolled and GOLDEN[0] in action.faces:
            roll_for_gold(table, action.faces)
        elif type(action) is Rolled:
            roller, woken = cavern.roller, roll_for_the_dragon(table, hero, action.faces)
            if not cavern.asleep:
                yield from the_dragon_wakes(table, hero, roller, woken)
                return
        elif type(action) is Waited:
            cavern_remind(table, hero)
        elif type(action) is Chose:
            claim(table)
            if action.choice == "leave":
                leave(table, hero)
                return


def enter_the_cavern(table: TrollTable, hero: str) -> None:
    """The white dice are put away; the gold ones lie ready, the Dragon sleeps."""
    table.grotto, table.cavern = Grotto(), Cavern(roller=table.seat_after(hero))
    table.phase = "cavern"
    table.tell(CAVERN, "The door creaks open. {player} is in!", player=table.names[hero])
    if table.supply.gold == 0:
        table.tell(WARNING, "There is no gold left in the cavern. Better leave.")


def cavern_offers(table: TrollTable, hero: str) -> tuple[Offer, ...]:
    """What both parties may do in the race."""
    cavern, by_itself = table.cavern, table.options.auto_take_gold
    claims = None if by_itself else cavern.unclaimed > 0
    return race_offers(
        hero, cavern.roller, cavern.asleep, cavern.race_is_on, claims, reminder_due_s(table)
    )


@lru_cache(maxsize=4096)
def race_offers(
    hero: str, roller: str, asleep: Dice, race: bool, claims: bool | None, due_s: float | None
) -> tuple[Offer, ...]:
    """What may happen in the cavern; `claims` is None where gold is taken by itself."""
    offers: list[Offer] = [Roll(hero, GOLDEN, at_least=2)]
    if race:
        offers.append(Roll(roller, asleep, at_least=len(asleep)))
    if claims is not None:
        offers.append(Choose(hero, "claim", closed=None if claims else NOTHING_TO_CLAIM))
    offers.append(Choose(hero, "leave", overtakes=True, button=True))
    if due_s is not None:
        offers.append(Wait(due_s))
    offers.append(Roll(hero, GOLDEN, closed=MUST_ROLL_BOTH))
    offers.append(Roll(hero, WHITE, closed=GROTTO_LEFT))
    if awake := tuple(die for die in RED if die not in asleep):
        offers.append(Roll(roller, awake, closed=DIE_BLOCKED))
    offers.append(Roll(roller, asleep, closed=MUST_ROLL_BOTH if race else RACE_NOT_STARTED))
    return tuple(offers)


def roll_for_gold(table: TrollTable, faces: dict[str, str]) -> None:
    """Nuggets that the dice show are gathered at once, or wait to be taken."""
    cavern = table.cavern
    if not cavern.race_is_on:
        cavern.race_is_on = True
        table.tell(RACE, "Go! {player}, wake the Dragon!", player=table.names[cavern.roller])
    cavern.faces = dict(faces)
    cavern.gold_at_s, cavern.reminded = table.at_s, False
    cavern.unclaimed = sum(NUGGETS[face] for face in faces.values())
    if table.options.auto_take_gold:
        claim(table)


def reminder_due_s(table: TrollTable) -> float | None:
    """When to ask whether somebody is still there; None if never, or where there is no clock."""
    cavern, timeout_s = table.cavern, table.options.cavern_timeout_s
    if not timeout_s or cavern.gold_at_s is None or cavern.reminded:
        return None
    return round(cavern.gold_at_s + timeout_s, 6)


def cavern_remind(table: TrollTable, hero: str) -> None:
    """Ask once per roll of the gold dice."""
    table.cavern.reminded = True
    table.tell(REMINDER, "{player}, roll or leave!", player=table.names[hero])
