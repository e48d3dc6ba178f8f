"""How fair the dice of a house are: over all games of its journal, die by die.

Dice of two games may be called alike, and house rules may give a die other faces; so dice are told
apart by game, name and sides. What a finished game brings is counted once and kept in memory.
"""

import threading
from collections import Counter
from collections.abc import Iterable
from typing import Any

from companion.dice_fairness import Tally, fairness_rows, tallied
from companion.errors import CompanionError
from companion.games import GAMES
from companion.journal import GameRow, Journal, seat_again

Tallies = dict[str, Tally]


class HouseDice:
    """Counts the dice of all games of one journal; safe from any thread."""

    def __init__(self) -> None:
        self._counted: dict[tuple[int, int | None], Tallies | None] = {}
        self._lock = threading.Lock()

    def fairness(self, journal: Journal) -> dict[str, Any]:
        """One part for each kind of game, with its number of games and a row for each die.

        parts     `{"key", "title", "games", "dice"}`; rows as of `companion.dice_fairness`.
        left_out  games that the rules of today cannot lay out any more.
        """
        with self._lock:
            games = journal.games()
            found = [(row, self._of(row, journal)) for row in games]
        keys = dict.fromkeys(row.game for row, tallies in found if tallies)
        return {
            "parts": [part_of(key, found) for key in keys],
            "left_out": sum(tallies is None for _, tallies in found),
        }

    def _of(self, row: GameRow, journal: Journal) -> Tallies | None:
        """What one game brings; None where nobody knows its dice any more."""
        at = row.number, row.steps
        if at not in self._counted:
            self._counted = {k: t for k, t in self._counted.items() if k[0] != row.number}
            self._counted[at] = counted(row, journal)
        return self._counted[at]


def counted(row: GameRow, journal: Journal) -> Tallies | None:
    """The faces that the dice of one game showed."""
    try:
        dice = seat_again(row).table.dice
        return tallied(dice, [step.report.action for step in journal.steps(row.number)])
    except (CompanionError, KeyError):  # another edition of the rules, with other dice
        return None


def part_of(key: str, found: Iterable[tuple[GameRow, Tallies | None]]) -> dict[str, Any]:
    """The dice of all games of one kind."""
    mine = [tallies for row, tallies in found if row.game == key and tallies]
    game = GAMES.get(key)
    return {
        "key": key,
        "title": key if game is None else game.title,
        "games": len(mine),
        "dice": fairness_rows(together(mine)),
    }


def together(games: Iterable[Tallies]) -> Tallies:
    """The sums over several games; a die with other sides than before is another die."""
    sums: dict[tuple[str, tuple[str, ...]], Tally] = {}
    for tallies in games:
        for name, one in tallies.items():
            total = sums.setdefault((name, one.sides), Tally(one.sides))
            total.read.update(one.read)
            total.lay.update(one.lay)
            total.righted += one.righted
    often = Counter(name for name, _ in sums)
    return {
        name if often[name] == 1 else f"{name} ({sides_of(sides)})": total
        for (name, sides), total in sums.items()
    }


def sides_of(sides: tuple[str, ...]) -> str:
    """The sides of a die in short: `2 troll, 1 key`."""
    return ", ".join(f"{n} {face}" for face, n in Counter(sides).items())
