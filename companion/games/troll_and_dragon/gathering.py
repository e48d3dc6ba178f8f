"""What is gathered: taken along, or left behind for good."""

from companion.games.troll_and_dragon.pieces import LOW, Treasure, TrollTable
from companion.games.troll_and_dragon.words import GOLD, LEFT, ROOM_EMPTY, ROOM_LOW, WARNING
from companion.words import word


def tell_what_is_left(table: TrollTable, taken: int, left: int, kind: str) -> None:
    """Say it when a room runs low, and when it is empty."""
    if left > LOW:
        return
    if left == 0:
        table.tell(ROOM_EMPTY, "That was the last {kind}!", kind=word(kind))
    elif left + taken > LOW:
        table.tell(ROOM_LOW, "Only {left} left: {kind}.", left=left, kind=word(kind))


def claim(table: TrollTable) -> None:
    """Take the nuggets that the gold dice show, as long as the cavern has any."""
    shown, table.cavern.unclaimed = table.cavern.unclaimed, 0
    if not shown:
        return
    n = min(shown, table.supply.gold)
    if n == 0:
        table.tell(WARNING, "The cavern is empty: gold on a die gives nothing.")
        return
    table.supply.gold -= n
    table.pouch.gold += n
    table.tell(
        GOLD,
        "{player} grabs {n} gold nugget.",
        "{player} grabs {n} gold nuggets.",
        n=n,
        player=table.names[table.active],
    )
    tell_what_is_left(table, n, table.supply.gold, "gold nugget")


def leave(table: TrollTable, hero: str) -> None:
    """Everything gathered goes into the pack and is safe for good."""
    gathered, pack = table.pouch, table.packs[hero]
    pack.diamonds += gathered.diamonds
    pack.gold += gathered.gold
    table.tell(
        LEFT,
        "{player} leaves; {n} point is safe in the pack.",
        "{player} leaves; {n} points are safe in the pack.",
        n=gathered.worth,
        player=table.names[hero],
    )
    table.pouch = Treasure()
