"""How fair the dice of a house are: over all games of its journal, die by die.

Dice of two games may be called alike, and house rules may give a die other faces; so dice are told
apart by game, name and sides, and real ones from simulated ones, whose fairness is the program's
own. What a finished game brings is counted once and kept in memory.
"""

import threading
from collections import Counter
from collections.abc import Iterable
from typing import Any

from companion.dice_fairness import Tally, both_tallied, fairness_rows
from companion.errors import CompanionError
from companion.games import GAMES
from companion.journal import GameRow, Journal, seat_again
from companion.room_kinds import simulated_steps

Tallies = dict[str, Tally]
Counted = dict[bool, Tallies]  # True: simulated dice


class HouseDice:
    """Counts the dice of all games of one journal; safe from any thread."""

    def __init__(self) -> None:
        self._counted: dict[tuple[int, int, int], Counted | None] = {}
        self._lock = threading.Lock()

    def fairness(self, journal: Journal) -> dict[str, Any]:
        """One part for each kind of game, with its number of games and a row for each die.

        parts     `{"key", "title", "simulated", "games", "dice"}`, real dice before simulated ones;
                  rows as of `companion.dice_fairness`.
        left_out  games that the rules of today cannot lay out any more.
        """
        with self._lock:
            games = journal.games()
            found = [(row, self._of(row, journal)) for row in games]
        keys = dict.fromkeys(row.game for row, _ in found)
        parts = [part_of(key, found, kind) for kind in (False, True) for key in keys]
        return {
            "parts": [part for part in parts if part["dice"]],
            "left_out": sum(counted is None for _, counted in found),
        }

    def _of(self, row: GameRow, journal: Journal) -> Counted | None:
        """What one game brings; None where nobody knows its dice any more."""
        at = row.number, row.steps, len(row.rooms)
        if at not in self._counted:
            self._counted = {k: t for k, t in self._counted.items() if k[0] != row.number}
            self._counted[at] = counted(row, journal)
        return self._counted[at]


def counted(row: GameRow, journal: Journal) -> Counted | None:
    """The faces that the dice of one game showed."""
    try:
        dice, steps = seat_again(row).table.dice, list(journal.steps(row.number))
        entries = [step.report.action for step in steps]
        return both_tallied(dice, entries, simulated_steps(row, steps))
    except (CompanionError, KeyError):  # another edition of the rules, with other dice
        return None


def part_of(
    key: str, found: Iterable[tuple[GameRow, Counted | None]], simulated: bool
) -> dict[str, Any]:
    """The real dice of all games of one kind, or the simulated ones."""
    all_of = [counted[simulated] for row, counted in found if row.game == key and counted]
    mine = [tallies for tallies in all_of if tallies]
    game = GAMES.get(key)
    return {
        "key": key,
        "title": key if game is None else game.title,
        "simulated": simulated,
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
