"""Power stones, damage, and the two ways in which a game ends."""

from companion.games.roll_for_adventure.pack import TERRITORIES
from companion.games.roll_for_adventure.pieces import AdventureTable
from companion.games.roll_for_adventure.words import (
    DAMAGE,
    HEALED,
    LAST_HOLE,
    LOST,
    PERMANENT,
    POWER_STONE,
    SUBJECT,
    TERRITORY,
    WON,
)
from companion.table import Outcome
from companion.words import word


class GameEnds(Exception):
    """The game is over, wherever in a turn that may be."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.why)
        self.outcome = outcome


# --- Receiving power stones -----------------------------------------------------------------------


def receive_power_stone(table: AdventureTable, territory: str) -> None:
    """A task is done: one stone from the chest; the last one that is needed wins."""
    table.stones += 1
    table.tell(
        POWER_STONE,
        "A power stone from {territory}: {n} of {needed}!",
        "A power stone from {territory}: {n} of {needed}!",
        n=table.stones,
        needed=table.stones_needed,
        territory=word(TERRITORY[territory]),
    )
    look_for_victory(table)


# --- Damage ---------------------------------------------------------------------------------------


def inflict_damage(table: AdventureTable, territories: tuple[str, ...], n: int) -> None:
    """Move the skull of each of these territories on; a skull in the last hole loses the game."""
    for territory in territories:
        table.damage[territory] = min(table.damage[territory] + n, table.pack.holes(territory))
        table.tell(
            DAMAGE[territory],
            "{territory} takes {n} damage.",
            "{territory} takes {n} damage.",
            n=n,
            territory=word(SUBJECT[territory]),
        )
        warn_of_last_hole(table, territory)
    look_for_defeat(table, territories)


def inflict_permanent_damage(table: AdventureTable, territories: tuple[str, ...]) -> None:
    """Move the end-of-game marker of each of these territories one hole towards the skull."""
    for territory in territories:
        table.permanent[territory] = min(
            table.permanent[territory] + 1, table.pack.holes(territory)
        )
        permanent = "The damage track of {territory} is one hole shorter for good."
        table.tell(PERMANENT, permanent, territory=word(TERRITORY[territory]))
        warn_of_last_hole(table, territory)
    if table.options.permanent_loss == "at_once":
        look_for_defeat(table, territories)


def warn_of_last_hole(table: AdventureTable, territory: str) -> None:
    """Say it when one more damage would lose the game."""
    if table.holes(territory) - table.damage[territory] == 1:
        warning = "One more damage, and {territory} falls!"
        table.tell(LAST_HOLE, warning, territory=word(TERRITORY[territory]))


def heal(table: AdventureTable, territory: str, holes: int) -> None:
    """Move a skull back, at most to its first hole; permanent damage stays."""
    table.damage[territory] = max(0, table.damage[territory] - holes)
    healed = "The skull of {territory} moves back; damage is {damage} now."
    territory_name = word(TERRITORY[territory])
    table.tell(HEALED, healed, territory=territory_name, damage=table.damage[territory])


# --- End of the game ------------------------------------------------------------------------------


def look_for_victory(table: AdventureTable) -> None:
    """All stones that the adventure board takes: everybody has won."""
    if table.stones >= table.stones_needed:
        table.phase = "over"
        table.tell(
            WON, "All {n} power stones are yours: the Master of Shadows is beaten!", n=table.stones
        )
        raise GameEnds(Outcome(table.seats, stones(table), table.told[-1].text))


def look_for_defeat(table: AdventureTable, territories: tuple[str, ...] = TERRITORIES) -> None:
    """A skull in the last hole that is left: the territory, and the game, are lost."""
    for territory in territories:
        if table.damage[territory] >= table.holes(territory):
            lose(table, "{name} falls to the Master of Shadows.", name=SUBJECT[territory])


def look_for_dice(table: AdventureTable) -> None:
    """At the beginning of a turn somebody must have a die on a hero board."""
    if not any(place.startswith("board.") for place in table.lies.values()):
        lose(table, "No dice are left on any hero board; nobody can defend the kingdom.")


def lose(table: AdventureTable, why: str, **values: str) -> None:
    """Everybody loses."""
    table.phase = "over"
    table.tell(LOST, why, **{key: word(text) for key, text in values.items()})
    raise GameEnds(Outcome((), stones(table), table.told[-1].text))


def stones(table: AdventureTable) -> dict[str, int]:
    """The power stones, which all have won together."""
    return dict.fromkeys(table.seats, table.stones)
