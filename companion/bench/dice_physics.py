"""How well a smart die knows what it does: simulated throws and handlings through its firmware.

Every trace is what an accelerometer would feel (`hardware.simulated_motion_hands`), goes through
the very `firmware.motion` that runs on the die, and is compared with how the die really lay. A
roll is missed when a throw is not told as one; it is false when one is told that was none.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

from companion.bench.figures import percentile
from firmware.motion import Motion
from firmware.sides import Sides
from hardware.simulated_motion import Plane, any_turn, cube, octahedron, turned, unit
from hardware.simulated_motion_hands import Die, Rest

LOOKS_MS = 600  # how long after the end a report is waited for
RADIO_AND_USB_MS = 5  # from the die's report to the companion's, as measured over the real link
CROOKED_SHARE = 0.1  # of throws that end against something
LEVEL_DEG = 5.0  # how far a die leans that lies on a side

Told = tuple[int, str, int, int]  # when it was told, kind, at_ms, side


def some_die(seed: str, shape: str) -> Die:
    """A die out of the bag, lying on the table."""
    die = Die(random.Random(seed), octahedron() if shape == "d8" else cube())
    die.lie(400)
    return die


def calibrated(die: Die, shape: str) -> Sides:
    """Its sides, each shown once."""
    sensor = die.sensor
    felt = [
        tuple(round(1000 * up[i] * sensor.gain[i] + sensor.off_mg[i]) for i in range(3))
        for up in die.solid.ups
    ]
    return Sides(shape, felt)


def told_by(die: Die, sides: Sides) -> list[Told]:
    """What the firmware tells about all that the die has felt."""
    motion, told = Motion(sides), []
    for at_ms, x, y, z in die.samples:
        report = motion.sample(at_ms, x, y, z)
        if report is not None:
            told.append((at_ms, *report))
    return told


def take_up(die: Die) -> None:
    """Take it, and shake it, hold it, or neither, as people do before a throw."""
    chance, way = die.chance, die.chance.random()
    die.carry(any_turn(chance), chance.randrange(150, 700), chance.uniform(0.02, 0.1))
    if way < 0.6:
        die.shake(chance.randrange(100, 1500), chance.uniform(0.5, 3.5))
    elif way < 0.75:
        die.hold(chance.randrange(100, 900), chance.uniform(0.02, 0.1))
    if chance.random() < 0.4:
        die.carry(any_turn(chance), chance.randrange(120, 300), 0.05, 0.05)


def something_to_lean_on(chance: random.Random) -> tuple[Plane, ...]:
    """The table, and something near that a die may end against: a ramp, or a wall."""
    table: Plane = (0.0, 0.0, 1.0, 0.0)
    slope = unit((-chance.uniform(0.3, 1.0), 0.0, chance.choice((1.0, 1.0, 0.05))))
    return (table, (*slope, slope[0] * chance.uniform(0.02, 0.12)))


# Handlings: none of them is a roll.


def any_side(die: Die) -> int:
    """A side of it, by chance."""
    return die.chance.randrange(len(die.solid.ups)) + 1


def put_back(die: Die) -> None:
    """Take it up and put it down, turned or not."""
    c = die.chance
    die.carry(any_turn(c), c.randrange(200, 900), c.uniform(0.02, 0.1))
    die.set_down(any_side(die), c.randrange(200, 900))


def let_slip(die: Die) -> None:
    """Put it down so carelessly that it falls the last millimetres."""
    c = die.chance
    die.carry(any_turn(c), c.randrange(200, 600), c.uniform(0.02, 0.1))
    tilt = (c.gauss(0, 0.07), c.gauss(0, 0.07), 0.0)
    die.carry(turned(die.lying(any_side(die)), tilt), c.randrange(200, 600), 0.03, -0.05)
    die.throw(c.uniform(0, 0.05), c.uniform(0, 3), c.uniform(0.001, 0.006) - die.stands_low_m)


def shake_and_put_back(die: Die) -> None:
    """Shake it in the hands, then think better of it."""
    c = die.chance
    die.carry(any_turn(c), c.randrange(150, 600))
    die.shake(c.randrange(200, 3000), c.uniform(0.5, 3.5), c.uniform(5, 30))
    die.hold(c.randrange(0, 600), c.uniform(0.02, 0.1))
    die.set_down(any_side(die), c.randrange(300, 900), c.uniform(0.02, 0.1))


def shake_and_keep(die: Die) -> None:
    """Shake it and keep it in the hand."""
    c = die.chance
    die.carry(any_turn(c), c.randrange(150, 600))
    die.shake(c.randrange(200, 3000), c.uniform(0.5, 3.5), c.uniform(5, 30))
    die.hold(c.randrange(500, 3000), c.uniform(0.02, 0.1))


def knock_on_table(die: Die) -> None:
    """Hit the table it lies on, some times."""
    for _ in range(die.chance.randrange(1, 6)):
        die.knock(die.chance.uniform(0.3, 5))
        die.lie(die.chance.randrange(0, 400))


def push_about(die: Die) -> None:
    """Push it with a finger or with another die: it slides, the same side up."""
    for _ in range(die.chance.randrange(1, 4)):
        die.push(die.chance.uniform(1, 8), die.chance.randrange(30, 300))
        die.lie(die.chance.randrange(0, 300))


def carry_around(die: Die) -> None:
    """Walk about with it and put it down elsewhere."""
    c = die.chance
    die.carry(any_turn(c), c.randrange(200, 700))
    die.walk(c.randrange(1000, 4000), c.uniform(0.1, 0.6))
    die.set_down(any_side(die), c.randrange(300, 900))


def tip_over(die: Die) -> None:
    """Turn it onto another side with a finger, once or twice."""
    for _ in range(die.chance.randrange(1, 3)):
        up, most = die.rest.side, len(die.solid.ups)
        beside = [side for side in range(1, most + 1) if side not in (up, most + 1 - up)]
        die.tip_over(die.chance.choice(beside))
        die.lie(die.chance.randrange(50, 400))


HANDLINGS: tuple[Callable[[Die], None], ...] = (
    put_back,
    let_slip,
    shake_and_put_back,
    shake_and_keep,
    knock_on_table,
    push_about,
    carry_around,
    tip_over,
)


def thrown(seed: str, shape: str, *, crooked: bool = False) -> tuple[Rest, list[Told], int]:
    """Throw a die; return how it lies, what it told, and when it left the hand."""
    die = some_die(seed, shape)
    take_up(die)
    gone_ms = die.now_ms
    rest = die.throw(planes=something_to_lean_on(die.chance)) if crooked else die.throw()
    die.lie(LOOKS_MS)
    return rest, told_by(die, calibrated(die, shape)), gone_ms


def handled(seed: str, shape: str, handling: Callable[[Die], None]) -> list[Told]:
    """What a die tells that is handled, and not thrown."""
    die = some_die(seed, shape)
    handling(die)
    die.lie(LOOKS_MS)
    return told_by(die, calibrated(die, shape))


def shapes(count: int) -> Iterator[tuple[int, str]]:
    """Numbers with the shape of each die: every fourth is a d8."""
    return ((number, "d8" if number % 4 == 0 else "d6") for number in range(count))


def measure_throws(throws: int, seed: int, counts: Counter[str]) -> list[int]:
    """Throw so often; count what came of it; return the times from rest to report (ms)."""
    late_ms = []
    for number, shape in shapes(throws):
        crooked = number % 10 == 9
        rest, told, gone_ms = thrown(f"{seed}/throw/{number}", shape, crooked=crooked)
        rolls = [one for one in told if one[1] == "FACE"]
        leans = rest.leans_deg > LEVEL_DEG
        counts["throws"] += 1
        counts["wrong_faces"] += sum(side != rest.side for _, _, _, side in rolls)
        counts["told_before_thrown"] += any(at_ms < gone_ms for at_ms, *_ in rolls)
        counts["leaning"] += leans
        if leans:
            counts["leaning_told_crooked"] += bool(told) and told[-1][1] == "CROOKED"
        elif rolls:
            late_ms.append(rolls[-1][0] - rest.at_ms + RADIO_AND_USB_MS)
        else:
            counts["missed_rolls"] += 1
    return late_ms


def measure_handlings(each: int, seed: int, counts: Counter[str]) -> None:
    """Handle dice so often in every way; count what was told though nothing was thrown."""
    for handling in HANDLINGS:
        for number, shape in shapes(each):
            told = handled(f"{seed}/{handling.__name__}/{number}", shape, handling)
            kinds = {one[1] for one in told}
            counts["handlings"] += 1
            counts["false_rolls"] += "FACE" in kinds
            counts[f"false_rolls_{handling.__name__}"] += "FACE" in kinds
            counts["handlings_told_crooked"] += "CROOKED" in kinds


def at_most_per_1000(found: int, of: int) -> float:
    """The largest rate at which as few as `found` are still found in 1 of 20 such samples."""

    def chance(rate: float) -> float:
        odds = rate / (1 - rate)
        ways = accumulate(range(found), lambda way, k: way * (of - k) / (k + 1) * odds, initial=1.0)
        return math.fsum(ways) * math.exp(of * math.log1p(-rate))

    low, high = 0.0, 1.0
    for _ in range(40):
        rate = (low + high) / 2
        low, high = (rate, high) if chance(rate) > 0.05 else (low, rate)
    return round(1000 * high, 3)


def measure(throws: int = 2000, handlings: int | None = None, seed: int = 1) -> dict[str, Any]:
    """Throw and handle simulated dice (as often, by default); return figures with units.

    `..._at_most_per_1000` are upper ends of one-sided 95 % intervals.
    """
    counts: Counter[str] = Counter()
    late_ms = measure_throws(throws, seed, counts)
    measure_handlings(-(-(handlings or throws) // len(HANDLINGS)), seed, counts)
    figures: dict[str, Any] = {
        name: counts[name]
        for name in (
            *("throws", "wrong_faces", "missed_rolls", "told_before_thrown"),
            *("leaning", "leaning_told_crooked"),
            *("handlings", "false_rolls", "handlings_told_crooked"),
        )
    }
    figures |= {name: count for name, count in counts.items() if name.startswith("false_rolls_")}
    for name, of in (
        ("wrong_faces", "throws"),
        ("missed_rolls", "throws"),
        ("false_rolls", "handlings"),
    ):
        if counts[of]:
            figures[f"{name}_at_most_per_1000"] = at_most_per_1000(counts[name], counts[of])
    for name, share in (("median", 0.5), ("p99", 0.99), ("max", 1.0)):
        figures[f"rest_to_report_{name}_ms"] = percentile(late_ms, share) if late_ms else None
    return figures
