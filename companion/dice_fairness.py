"""Are the dice fair? Pearson's chi-square for each die, with the sensor's share told apart.

Each die is counted twice: as it was *read*, and as it *lay* once people had put readings right. A
die whose readings fit badly although it lay well is read badly; the difference of the two sums is
the sensor's share. Faces are expected as often as sides show them.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.actions import Adjusted, Correct, Entry, Rolled, Undo, Waited
from companion.dice import DiceSet

LEAST_EXPECTED = 5.0  # of each face; below that the chi-square distribution is no good match
UNUSUAL = 0.01  # for all dice of a table together


@dataclass
class Tally:
    """What one die showed: its sides, and its faces as read and as it lay."""

    sides: tuple[str, ...]
    read: Counter[str] = field(default_factory=Counter)
    lay: Counter[str] = field(default_factory=Counter)
    righted: int = 0


def tallied(
    dice: DiceSet, entries: Iterable[Entry], counts: Callable[[int], bool] = lambda number: True
) -> dict[str, Tally]:
    """Count the faces of one game's entries, in their order.

    A roll that was taken back was read, but did not lie there.
    counts  of which entries, by number, the dice count.
    """
    found: dict[str, Tally] = {}
    entries = list(entries)
    lay = as_it_lay(entries)
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, Rolled) and counts(number):
            count_roll(dice, entry, lay.get(number), found)
    return found


def count_roll(dice: DiceSet, read: Rolled, lay: Rolled | None, tallies: dict[str, Tally]) -> None:
    """Count one roll; `lay` is None for one that was taken back."""
    for name, face in read.faces.items():
        tally = tallies.setdefault(name, Tally(dice[name].faces))
        tally.read[face] += 1
        if lay is None:
            tally.righted += 1
            continue
        really = lay.faces.get(name, face)
        tally.lay[really] += 1
        tally.righted += really != face


def as_it_lay(entries: list[Entry]) -> dict[int, Rolled]:
    """The rolls that were not taken back, by number; corrected ones as they were corrected."""
    rolls: dict[int, Rolled] = {}
    undoable: list[tuple[int, Rolled | None]] = []  # what an undo would put back, by number
    for number, entry in enumerate(entries, start=1):
        match entry:
            case Undo() if undoable:
                at, before = undoable.pop()
                put_back(rolls, at, before)
            case Correct(step=at, action=action):
                undoable.append((at, rolls.get(at)))
                if isinstance(action, Rolled) and at in rolls:
                    rolls[at] = action
            case Rolled():
                rolls[number] = entry
                undoable.append((number, None))
            case Waited() | Undo():
                pass
            case Adjusted() | _:
                undoable.append((0, None))
    return rolls


def put_back(rolls: dict[int, Rolled], at: int, before: Rolled | None) -> None:
    """Make a roll what it was before; None takes it away."""
    if before is None:
        rolls.pop(at, None)
    else:
        rolls[at] = before


# --- the test -------------------------------------------------------------------------------------


def chi_square(counts: Mapping[str, int], sides: tuple[str, ...]) -> tuple[float, int]:
    """Pearson's sum over the faces of a die, and its degrees of freedom.

    counts  how often each face came; sides: what the die's sides show, one entry a side.
    """
    n, shown = sum(counts.values()), Counter(sides)
    if not n:
        return 0.0, len(shown) - 1
    expected = {face: n * k / len(sides) for face, k in shown.items()}
    total = sum((counts.get(face, 0) - e) ** 2 / e for face, e in expected.items())
    return total, len(shown) - 1


def tail(total: float, freedom: int) -> float:
    """Chance of at least this sum for a fair die: the upper tail of chi-square, 0 to 1.

    Finite sums for whole degrees of freedom (Abramowitz & Stegun 26.4.4 and 26.4.5).
    """
    if freedom < 1 or total <= 0:
        return 1.0
    half = total / 2
    if freedom % 2 == 0:
        terms = [math.exp(-half)]
        for k in range(1, freedom // 2):
            terms.append(terms[-1] * half / k)
        return min(1.0, sum(terms))
    chance = math.erfc(math.sqrt(half))
    term = math.sqrt(2 * total / math.pi) * math.exp(-half)
    for k in range(3, freedom + 1, 2):
        chance += term
        term *= total / k
    return min(1.0, chance)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson); 0 to 1 where nothing was counted."""
    if not n:
        return 0.0, 1.0
    z, rate = 1.959964, hits / n
    middle, spread = (
        rate + z * z / (2 * n),
        z * math.sqrt((rate * (1 - rate) + z * z / (4 * n)) / n),
    )
    scale = 1 + z * z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def fairness_parts(
    dice: DiceSet, entries: list[Entry], is_simulated: Callable[[int], bool]
) -> list[dict[str, Any]]:
    """Real dice and simulated ones apart: `{"simulated", "dice"}`, real ones first.

    is_simulated  tells it of an entry by its number.
    """
    found = both_tallied(dice, entries, is_simulated)
    return [
        {"simulated": simulated, "dice": fairness_rows(tallies)}
        for simulated, tallies in found.items()
        if tallies
    ]


def both_tallied(
    dice: DiceSet, entries: list[Entry], is_simulated: Callable[[int], bool]
) -> dict[bool, dict[str, Tally]]:
    """The faces of one game's real dice, and of its simulated ones (True)."""
    return {
        False: tallied(dice, entries, lambda number: not is_simulated(number)),
        True: tallied(dice, entries, is_simulated),
    }


def fairness_rows(tallies: Mapping[str, Tally]) -> list[dict[str, Any]]:
    """One row for each die, as plain values; `verdict` takes into account how many dice there are.

    verdict  `few` (too few rolls to tell), `fair` (nothing unusual) or `unusual`.
    sensor   what the readings add to the sum of the die itself; below 0 where they even hide it.
    """
    return [row_of(name, tally, len(tallies)) for name, tally in sorted(tallies.items())]


def row_of(name: str, tally: Tally, dice: int) -> dict[str, Any]:
    """The row of one die among so many."""
    total, freedom = chi_square(tally.lay, tally.sides)
    as_read, _ = chi_square(tally.read, tally.sides)
    n, read = tally.lay.total(), tally.read.total()
    rarest = min(Counter(tally.sides).values()) / len(tally.sides)
    chance = tail(total, freedom)
    unusual = chance * dice < UNUSUAL
    low, high = wilson(tally.righted, read)
    return {
        "die": name,
        "rolls": n,
        "faces": [face_row(face, k / len(tally.sides), tally) for face, k in
                  Counter(tally.sides).items()],
        "chi_square": total,
        "freedom": freedom,
        "chance": chance,
        "verdict": "few" if n * rarest < LEAST_EXPECTED else "unusual" if unusual else "fair",
        "read": read,
        "chi_square_read": as_read,
        "sensor": as_read - total,
        "righted": tally.righted,
        "righted_low": low,
        "righted_high": high,
    }  # fmt: skip


def face_row(face: str, share: float, tally: Tally) -> dict[str, Any]:
    """How often a face came and was read, beside how often it was to be expected."""
    return {
        "face": face,
        "lay": tally.lay[face],
        "read": tally.read[face],
        "expected": share * tally.lay.total(),
    }
