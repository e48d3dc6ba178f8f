"""Placing dice: one value of the roll, on one place; what may lie where, and why not."""

import itertools
from collections.abc import Iterator
from typing import Any

from companion.games.roll_for_adventure.enemies import attack_enemy
from companion.games.roll_for_adventure.heroes import dice_in_hand
from companion.games.roll_for_adventure.pack import FACES, TERRITORIES
from companion.games.roll_for_adventure.pieces import (
    OBLIVION,
    RESURRECTION,
    AdventureTable,
)
from companion.games.roll_for_adventure.vortex import summon_resurrection
from companion.games.roll_for_adventure.words import (
    DISCARDED,
    FACE_NOT_ROLLED,
    MASTER_UNBEATEN,
    NO_ROOM,
    NO_SUCH_PLACEMENT,
    NOT_SO_MANY,
    OBLIVION_EMPTY,
    ONE_DIE_A_ROLL,
    PLACED,
    place_name,
)
from companion.offers import Choose, Offer, Refusal
from companion.scripts import SubScript
from companion.words import row_of

HERO_SPACE = "hero"
ALL_IN_ONE_HAND = 13  # hero dice, ally dice and bonus dice that one player can ever roll
Value = dict[str, Any]
Reasons = dict[Refusal, list[Value]]


# --- What may be placed where ---------------------------------------------------------------------


def placements(table: AdventureTable) -> list[Offer]:
    """One offer with every placement of this roll; closed ones say why not."""
    values: list[Value] = []
    reasons: Reasons = {}
    for face, n in table.in_hand.items():
        for territory in TERRITORIES:
            values += on_territory(table, territory, face, n, reasons)
        for card in table.enemies:
            values += up_to(n, face, f"enemy-{card}")
        values += on_hero_space(table, face, n)
        reasons.setdefault(NOT_SO_MANY, []).extend(
            {"face": face, "count": k} for k in range(n + 1, ALL_IN_ONE_HAND + 1)
        )
    values += on_vortex(table, values, reasons)
    reasons[FACE_NOT_ROLLED] = [{"face": face} for face in FACES if face not in table.in_hand]
    hero = table.active
    also = tuple(v | {"where": [v["where"]]} for v in values if alone_on_its_space(table, v))
    return [Choose(hero, "place", tuple(values), also=also), *closed(table, reasons)]


def up_to(most: int, face: str, where: str) -> Iterator[Value]:
    """One, two ... dice of a face, on one place."""
    return ({"face": face, "count": k, "where": where} for k in range(1, most + 1))


def on_territory(
    table: AdventureTable, territory: str, face: str, n: int, reasons: Reasons
) -> Iterator[Value]:
    """Placements of up to n dice of a face on a territory; collects reasons for the others."""
    rules, free = table.rules[territory], []
    for place in rules.targets(table):
        refusal = rules.refuses(table, place, face)
        if refusal is None:
            free.append(place)
        else:
            reasons.setdefault(refusal, []).append({"face": face, "where": place})
    if rules.spread:
        yield from spread(free, face, n)
        return
    for place in free:
        chain = rules.refills and table.options.excess == "chain"
        most = n if chain else min(n, rules.room(table, place, face))
        yield from up_to(most, face, place)
        too_many = ONE_DIE_A_ROLL if territory == "ice" else NO_ROOM
        reasons.setdefault(too_many, []).extend(
            {"face": face, "count": k, "where": place} for k in range(most + 1, n + 1)
        )


def spread(free: list[str], face: str, n: int) -> Iterator[Value]:
    """Each die on a space of its own: a place for one die, a list of places for several."""
    for place in free:
        yield {"face": face, "count": 1, "where": place}
    for k in range(2, min(n, len(free)) + 1):
        for places in itertools.combinations(free, k):
            yield {"face": face, "count": k, "where": list(places)}


def alone_on_its_space(table: AdventureTable, value: Value) -> bool:
    """True for one die where several would need a list of places; a list of one will do too."""
    rules = table.rules["desert"]
    return rules.spread and value["where"] in rules.targets(table)


def on_hero_space(table: AdventureTable, face: str, n: int) -> Iterator[Value]:
    """Some heroes have a space of their own."""
    if table.hero.hook != "extra_space" or not table.may_use_ability:
        return iter(())
    return up_to(min(n, table.hero.amount), face, HERO_SPACE)


def on_vortex(table: AdventureTable, others: list[Value], reasons: Reasons) -> list[Value]:
    """The Vortex of Resurrection takes anything, so that something can always be placed."""
    if table.options.empty_vortex == "forbid" and others and not table.at(OBLIVION):
        reasons[OBLIVION_EMPTY] = [{"where": RESURRECTION}]
        return []
    return [v for face, n in table.in_hand.items() for v in up_to(n, face, RESURRECTION)]


def closed(table: AdventureTable, reasons: Reasons) -> list[Offer]:
    """The reasons, the most particular first; the last one speaks of everything else."""
    gone = [{"where": f"enemy-{card}"} for card in table.discard]
    reasons = {**reasons, MASTER_UNBEATEN: [{"where": "enemy-master"}], DISCARDED: gone}
    last = (NOT_SO_MANY, FACE_NOT_ROLLED)
    ordered = sorted(reasons.items(), key=lambda item: item[0] in last)
    hero = table.active
    offers: list[Offer] = [
        Choose(hero, "place", tuple(values), closed=why) for why, values in ordered if values
    ]
    return [*offers, Choose(hero, "place", closed=NO_SUCH_PLACEMENT)]


# --- Placing --------------------------------------------------------------------------------------


def place(table: AdventureTable, value: Value) -> SubScript[None]:
    """Place dice of the roll, and deal with what follows from it."""
    face, count = str(value["face"]), int(value["count"])
    where = value["where"] if isinstance(value["where"], list) else [value["where"]]
    dice = yield from dice_in_hand(table, face, count, spaces=len(where) > 1)
    table.waits = False
    table.tell(
        PLACED,
        "{player} places a {face}: {where}.",
        "{player} places {n} dice that show a {face}: {where}.",
        n=count,
        player=table.name,
        face=face,
        where=row_of([place_name(one) for one in where]),
    )
    match where[0].split("-", 1):
        case ["resurrection"]:
            summon_resurrection(table, dice)
        case ["hero"]:
            table.use_ability()
            table.put_away(dice, f"board.{table.active}")
        case ["enemy", card]:
            attack_enemy(table, card, dice)
        case _:
            yield from place_on_territory(table, dice, face, where)
    table.spent[face] = where[0]


def place_on_territory(
    table: AdventureTable, dice: list[str], face: str, where: list[str]
) -> SubScript[None]:
    """Dice fill spaces; those that had none lie in hand until the spaces are free again."""
    rules = table.rules[where[0].split("-")[0]]
    if len(where) > 1:
        for die, space in zip(dice, where, strict=True):
            table.put([die], space)
        yield from rules.resolve(table, tuple(where))
        return
    while dice and rules.refuses(table, where[0], face) is None:
        room = rules.room(table, where[0], face)
        table.put(dice[:room], where[0])
        dice = dice[room:]
        yield from rules.resolve(table, tuple(where))
