"""Luck with the dice: what each roll brought, less what such a roll brings on average, exactly.

What a roll brings is the game's own affair. In Troll & Dragon faces are treasure, and averages add
up. In Roll for Adventure dice of one value are placed together, so a roll is as good as the most
dice of it that a territory takes at once; how likely that is follows from counting all rolls.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

from companion.actions import Rolled
from companion.dice import DiceSet
from companion.games.roll_for_adventure.pack import FACES, TERRITORIES
from companion.games.roll_for_adventure.pieces import AdventureTable
from companion.referee import Referee
from companion.table import Table
from companion.words import mark

TREASURE = {"diamond": 1.0, "gold1": 3.0, "gold2": 6.0}  # points of Troll & Dragon
IN_POINTS = mark(
    "How much more, or less, each player's dice showed than such dice bring on average, in points."
)
IN_DICE = mark(
    "How many more dice, or fewer, a territory could take of each roll at once than of such a roll "
    "on average. Enemies and the vortex take any value, and do not count."
)
Line = list[list[float]]


class Measure(NamedTuple):
    """How luck is counted in a game.

    words    what the numbers mean, a sentence.
    surplus  what a roll brought, less what was to be expected of it on the table as it lay before;
             None for a roll that does not count.
    """

    words: str
    surplus: Callable[[Any, Rolled], float | None]


def luck(referee: Referee, again: Referee) -> tuple[dict[str, Line], str]:
    """By player, `[step, luck so far]` after each of their rolls; and what the numbers mean.

    again  the same game, freshly laid out: it is played once more, for what lay there at each roll.
    """
    measure = MEASURES.get(referee.game.key)
    if measure is None:
        return {}, ""
    sums: dict[str, float] = {}
    found: dict[str, Line] = {}
    for number, step in referee.counting.items():
        action, more = step.report.action, None
        if isinstance(action, Rolled) and step.player is not None:
            more = measure.surplus(again.table, action)
        if more is not None and step.player is not None:
            sums[step.player] = sums.get(step.player, 0.0) + more
            found.setdefault(step.player, []).append([number, round(sums[step.player], 6)])
        again.apply(step.report)
    return found, measure.words


def why_no_luck(game: str, dice: DiceSet) -> str:
    """Why nobody can say who was lucky in such a game; "" where luck is counted."""
    if game in MEASURES:
        return ""
    if not dice.dice:
        return mark("This game has no dice, so there is no luck to be counted with them.")
    return mark(
        "No face is better than another by itself in this game: what a die is worth depends on "
        "where it is placed. So luck with the dice cannot be counted."
    )


# --- Troll & Dragon -------------------------------------------------------------------------------


def treasure_surplus(table: Table, action: Rolled) -> float | None:
    """What the faces are worth, less what such dice bring on average; None for other dice."""
    more, counted = 0.0, False
    for name, face in action.faces.items():
        sides = table.dice[name].faces
        if any(side in TREASURE for side in sides):
            counted = True
            average = sum(TREASURE.get(side, 0.0) for side in sides) / len(sides)
            more += TREASURE.get(face, 0.0) - average
    return more if counted else None


# --- Roll for Adventure ---------------------------------------------------------------------------


def fitting_surplus(table: AdventureTable, action: Rolled) -> float | None:
    """The most dice of the roll that one territory takes, less the mean of that over all rolls."""
    sides = {table.dice[die].faces for die in action.faces}
    if table.phase != "roll" or len(sides) != 1:
        return None
    shown = Counter(action.faces.values())
    room = rooms(table, len(action.faces))
    return best_of(shown, room) - mean_best(len(action.faces), room_of_sides(sides.pop(), room))


def rooms(table: AdventureTable, dice: int) -> dict[str, int]:
    """By face, how many dice of it one territory takes at once just now, of so many rolled."""
    return {
        face: max(taken_by(table, territory, face, dice) for territory in TERRITORIES)
        for face in FACES
    }


def taken_by(table: AdventureTable, territory: str, face: str, dice: int) -> int:
    """How many of so many dice of a face one placement may bring to a territory just now."""
    rules = table.rules[territory]
    free = [at for at in rules.targets(table) if rules.refuses(table, at, face) is None]
    if rules.spread:
        return min(dice, len(free))
    if free and rules.refills and table.options.excess == "chain":
        return dice
    return min(dice, max((rules.room(table, at, face) for at in free), default=0))


def best_of(shown: Mapping[str, int], room: Mapping[str, int]) -> int:
    """The most dice of one value that find room together."""
    return max((min(n, room.get(face, 0)) for face, n in shown.items()), default=0)


def room_of_sides(sides: Sequence[str], room: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    """For each face of a die: how many sides show it, and how many dice of it find room."""
    return tuple(sorted((n, room.get(face, 0)) for face, n in Counter(sides).items()))


@lru_cache(maxsize=4096)
def mean_best(dice: int, faces: tuple[tuple[int, int], ...]) -> float:
    """The mean of `best_of` over all rolls of so many fair dice; `faces` as of `room_of_sides`.

    It is the sum over k of the chance that more than k dice of one value find room together.
    """
    most = min(dice, max((room for _, room in faces), default=0))
    every = sum(n for n, _ in faces) ** dice
    below = [
        ways(dice, tuple((n, k if room > k else dice) for n, room in faces)) for k in range(most)
    ]
    return float(sum((1 - Fraction(few, every) for few in below), start=Fraction(0)))


def ways(dice: int, faces: Sequence[tuple[int, int]]) -> int:
    """In how many ways so many dice show each face at most so often.

    faces  for each face: how many sides of a die show it, and how often it may come.
    """
    found = [1] + [0] * dice  # by the number of dice that show the faces so far
    for n, most in faces:
        found = [
            sum(comb(m, j) * n**j * found[m - j] for j in range(min(most, m) + 1))
            for m in range(dice + 1)
        ]
    return found[dice]


MEASURES = {
    "troll_and_dragon": Measure(IN_POINTS, treasure_surplus),
    "roll_for_adventure": Measure(IN_DICE, fitting_surplus),
}
