"""The rules of Troll & Dragon, heading by heading, as the rule book tells them.

Each heading has its module, in this order: `grotto.py`, `cavern.py`, `dragon.py`. What a turn is,
and how the game ends, stands here.
"""

from companion.games.troll_and_dragon.cavern import treasure_cavern
from companion.games.troll_and_dragon.grotto import diamond_grotto
from companion.games.troll_and_dragon.pieces import Cavern, Grotto, Treasure, TrollTable
from companion.games.troll_and_dragon.words import GAME_OVER, YOUR_TURN
from companion.scripts import Script
from companion.table import Outcome
from companion.words import listed


def play(table: TrollTable) -> Script:
    """Take turns until the agreed rooms are empty; return who brings the King most."""
    while True:
        hero = table.active
        begin_turn(table, hero)
        if (yield from diamond_grotto(table, hero)):
            yield from treasure_cavern(table, hero)
        if rooms_are_empty(table):
            return end_of_the_game(table)
        table.active = table.seat_after(hero)


def begin_turn(table: TrollTable, hero: str) -> None:
    """Gather all dice; what they showed last turn counts for nothing."""
    table.grotto, table.pouch = Grotto(), Treasure()
    if table.cavern.roller:
        table.cavern = Cavern()
    table.phase = "grotto"
    table.tell(YOUR_TURN, "{player}, it is your turn.", player=table.names[hero])


# --- End of the game ------------------------------------------------------------------------------


def rooms_are_empty(table: TrollTable) -> bool:
    """True when one room, or both as agreed, hold nothing more at the end of a turn."""
    diamonds, gold = table.supply.diamonds, table.supply.gold
    if table.options.end_mode == "either":
        return diamonds == 0 or gold == 0
    return diamonds == 0 and gold == 0


def end_of_the_game(table: TrollTable) -> Outcome:
    """Most valuable treasure wins, then most nuggets, then the victory is shared."""
    table.phase = "over"
    rank = {seat: (pack.worth, pack.gold) for seat, pack in table.packs.items()}
    best = max(rank.values())
    winners = tuple(seat for seat in table.seats if rank[seat] == best)
    names = listed([table.names[seat] for seat in winners], "{first} and {rest}")
    runners_up = [worth for seat, (worth, _) in rank.items() if seat not in winners]
    if len(winners) > 1:
        why = "{names} share the victory with {worth} points and {gold} gold each."
    elif best[0] in runners_up:
        why = "{names} wins the tie at {worth} points with more gold."
    else:
        why = "{names} wins with treasure worth {worth}."
    table.tell(GAME_OVER, why, names=names, worth=best[0], gold=best[1])
    scores = {seat: worth for seat, (worth, _) in rank.items()}
    return Outcome(winners, scores, table.told[-1].text)
