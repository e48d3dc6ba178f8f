"""How simulated adventurers play Troll & Dragon: sensible, a little greedy, in a hurry in the race.

Delays are two Poisson clocks in the race, one for each party, and a short thought elsewhere.
"""

import random
from collections.abc import Sequence

from companion.games.troll_and_dragon.pieces import TrollTable
from companion.offers import Choose, Offer, Roll
from companion.players import Intent

ENOUGH_DIAMONDS = 4  # in the pouch; more would tempt the Troll
ENOUGH_POINTS = 8  # at risk in the cavern
RACE_MEAN_S = 1.2  # pause between two throws of one party in the race
THOUGHT_S = (0.5, 1.2)


def adventurer(
    table: TrollTable, player: str, offers: Sequence[Offer], rng: random.Random
) -> Intent:
    """Choose among the offers of `player`, as a child would who has played twice before."""
    choices = {offer.choice: offer for offer in offers if isinstance(offer, Choose)}
    rolls = [offer for offer in offers if isinstance(offer, Roll)]
    if "take" in choices:
        return Intent(choices["take"], value=choices["take"].values[0], delay_s=thought(rng))
    if table.phase == "grotto":
        return in_the_grotto(table, choices, rolls[0], rng)
    if "leave" in choices and wants_to_leave(table, rng):
        return Intent(choices["leave"], delay_s=rng.uniform(0.2, 0.6))
    if "claim" in choices:
        return Intent(choices["claim"], delay_s=rng.uniform(0.2, 0.5))
    if not rolls:  # the Dragon is up: shout, though it is most likely too late
        return Intent(choices["leave"], delay_s=rng.uniform(0.05, 0.6))
    return Intent(rolls[0], dice=rolls[0].dice, delay_s=rng.expovariate(1 / RACE_MEAN_S))


def thought(rng: random.Random) -> float:
    """Seconds between seeing and doing."""
    return rng.uniform(*THOUGHT_S)


def in_the_grotto(
    table: TrollTable, choices: dict[str, Choose], roll: Roll, rng: random.Random
) -> Intent:
    """Open the cavern when it can be opened, leave in time, roll otherwise."""
    delay_s = thought(rng)
    if "set_aside" in choices and (die := die_to_set_aside(table, choices["set_aside"], rng)):
        return Intent(choices["set_aside"], value=die, delay_s=delay_s)
    gathered, risky = table.pouch.diamonds, len(roll.dice) <= 2
    if "leave" in choices and gathered and (risky or gathered >= ENOUGH_DIAMONDS):
        return Intent(choices["leave"], delay_s=delay_s)
    return Intent(roll, dice=roll.dice, delay_s=delay_s)


def die_to_set_aside(table: TrollTable, offer: Choose, rng: random.Random) -> str | None:
    """The key or door that completes a pair, or one to hope with."""
    grotto = table.grotto
    aside = set(grotto.blocked.values())
    showing: dict[str, str] = {grotto.faces[die]: die for die in offer.values}
    wanted = [face for face in ("key", "door") if face in showing and face not in aside]
    pair = aside | set(showing)
    if wanted and {"key", "door"} <= pair:
        return showing[wanted[0]]
    if wanted and len(grotto.free) >= 3 and rng.random() < 0.6:
        return showing[wanted[0]]
    return None


def wants_to_leave(table: TrollTable, rng: random.Random) -> bool:
    """True when there is enough to lose, nothing to win, or the Dragon has one eye open."""
    at_risk = table.pouch.worth
    if table.supply.gold == 0 or at_risk >= ENOUGH_POINTS:
        return True
    return bool(table.cavern.awake) and at_risk > 0 and rng.random() < 0.5
