"""What a table of smart dice makes of a handful that is thrown while other dice are only moved.

Every die is a body that tumbles by the laws of `hardware.simulated_motion`; what it feels goes
through the very `firmware.motion` that runs on it, and what that tells through the collector of
rolls. One die is enough for these rolls, as later in the grotto of Troll & Dragon, so a thrown die
that its firmware takes for put back is missed by nobody: unless the table is asked about it, the
roll is *short*. A question about a die that nobody threw is *needless*; nobody likes many.

A handful leaves the hand at once: dice are taken up one after the other, shaken together, let go.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from companion.actions import Report, Rolled
from companion.bench.dice_physics import LEVEL_DEG, LOOKS_MS, any_side, calibrated
from companion.bench.figures import progress
from companion.games import GAMES
from companion.offers import Roll
from companion.wiring import dice_of
from firmware.motion import Motion
from hardware import simulated_motion_hands
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMessage,
    DieMoved,
    DieSettled,
    Watermark,
)
from hardware.rolls import RollCollector
from hardware.simulated_motion import any_turn

WITHIN_S = 0.010
WHITE = dice_of(GAMES["troll_and_dragon"]).kinds()["white"]
FACES, NAMES = WHITE[0].faces, tuple(die.name for die in WHITE)
REST_MS = 600  # between two rolls; dice know how they lie by then
SAID: dict[str, type[DieMoved | DieHeld | DieCrooked]] = {
    "MOVE": DieMoved,
    "HELD": DieHeld,
    "CROOKED": DieCrooked,
}

Body = simulated_motion_hands.Die
Doing = Callable[[Body], None]  # from the start of the roll
ROLLS = 6  # at each table


class Handful(msgspec.Struct):
    """How a handful is thrown: let go at `gone_ms`, shaken in the hand before, or held still."""

    gone_ms: int
    shakes_g: float
    swings_ms: int  # the hand swings it to where it lets it go

    @classmethod
    def any(cls, chance: random.Random) -> "Handful":
        """As people throw: three of five shake."""
        shakes_g = chance.uniform(0.5, 3.5) if chance.random() < 0.6 else 0.0
        swings_ms = chance.randrange(120, 300) if chance.random() < 0.4 else 0
        return cls(chance.randrange(900, 2000), shakes_g, swings_ms)


Habit = Callable[[Body, Handful], None]


def throw(body: Body, hand: Handful, later_ms: int = 0) -> None:
    """Take it up, shake it with the others, and let it go with them; begin that much later."""
    chance = body.chance
    body.lie(later_ms)
    gone_ms = body.now_ms + hand.gone_ms + chance.randrange(0, 60) - hand.swings_ms
    body.lie(chance.randrange(0, 150))
    body.carry(any_turn(chance), chance.randrange(150, 300), chance.uniform(0.02, 0.1))
    if hand.shakes_g:
        body.shake(gone_ms - body.now_ms, hand.shakes_g)
    else:
        body.hold(gone_ms - body.now_ms, chance.uniform(0.02, 0.1))
    if hand.swings_ms:
        body.carry(any_turn(chance), hand.swings_ms, 0.05, 0.05)
    body.throw()


def leave(body: Body, hand: Handful) -> None:
    """Let it lie."""


def put_back_turned(body: Body, hand: Handful) -> None:
    """Take it up with the others, and put it back before they are thrown, any side up."""
    _put_back_before(body, hand, any_side(body))


def put_back_as_it_lay(body: Body, hand: Handful) -> None:
    """Take it up with the others, and put it back before they are thrown, as it lay."""
    _put_back_before(body, hand, body.rest.side)


def _put_back_before(body: Body, hand: Handful, side: int) -> None:
    # One hand holds them all: it throws a while after it has put this one down.
    chance, end_ms = body.chance, body.now_ms + hand.gone_ms - body.chance.randrange(250, 600)
    body.carry(any_turn(chance), chance.randrange(250, 500), chance.uniform(0.02, 0.1))
    body.set_down(side, max(300, end_ms - body.now_ms))


def keep_and_put_back(body: Body, hand: Handful) -> None:
    """Keep it in the hand while the others are thrown, then put it back as it lay."""
    chance, side, begun_ms = body.chance, body.rest.side, body.now_ms
    body.carry(any_turn(chance), chance.randrange(150, 300), chance.uniform(0.02, 0.1))
    body.hold(begun_ms + hand.gone_ms - body.now_ms + chance.randrange(300, 1500))
    body.set_down(side, chance.randrange(250, 700))


def put_aside(body: Body, hand: Handful) -> None:
    """Put it aside as it lies, before the others are taken up."""
    body.carry(body.turn, body.chance.randrange(250, 450), lifts_m=0.02)
    body.set_down(body.rest.side, body.chance.randrange(200, 400))


def brush(body: Body, hand: Handful) -> None:
    """Push it a little while the others are taken up."""
    body.lie(body.chance.randrange(0, 300))
    body.push(body.chance.uniform(1, 4), body.chance.randrange(30, 200))


def be_hit(body: Body, hand: Handful) -> None:
    """Lie where the others roll: one of them hits it, and it slides."""
    body.lie(hand.gone_ms + body.chance.randrange(100, 500))
    body.push(body.chance.uniform(1, 8), body.chance.randrange(30, 300))


HABITS: tuple[Habit, ...] = (
    leave,
    put_back_turned,
    put_back_as_it_lay,
    keep_and_put_back,
    put_aside,
    brush,
    be_hit,
)


class SmartDie:
    """A die of the table: its body, its firmware, and what it has said."""

    def __init__(self, seed: str, name: str) -> None:
        self.name = name
        self.body = Body(random.Random(seed))
        self.body.lie(REST_MS)
        self._motion = Motion(calibrated(self.body, "d6"))

    @property
    def face(self) -> str:
        """What it really shows."""
        return FACES[self.body.rest.side - 1]

    def lie_until(self, at_ms: int) -> None:
        """Lie still up to this moment."""
        self.body.lie(max(0, at_ms - self.body.now_ms))

    def says(self) -> list[tuple[int, str, DieMessage]]:
        """What its firmware tells of all that it has felt since: when, who, what."""
        told = []
        for at_ms, x, y, z in self.body.samples:
            report = self._motion.sample(at_ms, x, y, z)
            if report is not None:
                told.append((at_ms, self.name, self._message(*report)))
        self.body.samples.clear()
        return told

    def _message(self, kind: str, at_ms: int, side: int) -> DieMessage:
        if kind in SAID:
            return SAID[kind](self.name, at_ms / 1000, WITHIN_S)
        lies = DieSettled if kind == "FACE" else DieLies
        return lies(self.name, FACES[side - 1], at_ms / 1000, WITHIN_S)


class SmartTable:
    """Four white dice, of which any that are rolled together make a roll."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.collector = RollCollector(WHITE)
        self.dice = {name: SmartDie(f"{seed}/{name}", name) for name in NAMES}
        self.now_ms = REST_MS
        self.put_back: frozenset[str] = frozenset()  # in the last roll, as they say
        self._hear()

    def await_roll(self) -> None:
        """Lay out the offer anew; what was before counts no more."""
        self.collector.forget()
        for offers in ([], [Roll("ann", NAMES, 1)]):
            self.collector.expect_rolls(offers)

    def roll(self, does: Mapping[str, Doing]) -> list[Report]:
        """Let hands do this with the dice, all at once; return the rolls that are told."""
        for name, doing in does.items():
            doing(self.dice[name].body)
        self.now_ms = max(one.body.now_ms for one in self.dice.values()) + LOOKS_MS
        for die in self.dice.values():
            die.lie_until(self.now_ms)
        return self._hear()

    def _hear(self) -> list[Report]:
        said = sorted((one for die in self.dice.values() for one in die.says()), key=_when)
        rolled = {who for _, who, one in said if isinstance(one, DieSettled)}
        self.put_back = frozenset(w for _, w, one in said if isinstance(one, DieLies)) - rolled
        reports = [r for _, _, message in said for r in self.collector.take(message)]
        return reports + self.collector.take(Watermark(self.now_ms / 1000))


def _when(said: tuple[int, str, DieMessage]) -> tuple[int, str]:
    return said[0], said[1]


class Played(msgspec.Struct):
    """One roll of a table: who was thrown, who was only handled and how, what came of it.

    missed    thrown dice whose firmware took them for put back.
    asked     dice that the table was asked about.
    told      the dice of every roll that was told in the end.
    is_right  nothing else was told than what the thrown dice show.
    """

    thrown: frozenset[str]
    other: str
    habit: str
    missed: frozenset[str]
    asked: tuple[str, ...]
    told: tuple[frozenset[str], ...]
    is_right: bool

    @property
    def is_short(self) -> bool:
        """True if thrown dice are missing in what was told, and nobody noticed."""
        return any(told < self.thrown for told in self.told)


def play(table: SmartTable) -> Played | None:
    """Throw one to three dice while another lies or is handled, and answer what is asked.

    None if a die ended on an edge.
    """
    thrown, other, habit, does = _planned(table.chance)
    table.await_roll()
    reports, missed = table.roll(does), table.put_back.intersection(thrown)
    if any(table.dice[name].body.rest.leans_deg > LEVEL_DEG for name in thrown):
        return None
    asked = []
    while (doubt := table.collector.in_doubt) is not None:
        asked.append(doubt.die)
        collector = table.collector
        answer = collector.was_rolled if doubt.die in thrown else collector.was_put_back
        reports += answer(doubt.die)
    told = [report.action.faces for report in reports if isinstance(report.action, Rolled)]
    is_right = all(table.dice[die].face == face for one in told for die, face in one.items())
    is_right = is_right and all(thrown.issuperset(one) for one in told)
    dice = tuple(frozenset(one) for one in told)
    return Played(thrown, other, habit.__name__, missed, tuple(asked), dice, is_right)


def _planned(chance: random.Random) -> tuple[frozenset[str], str, Habit, dict[str, Doing]]:
    """Which dice are thrown, which other one is not, its habit, and what hands do with each."""
    names = list(NAMES)
    chance.shuffle(names)
    thrown, other = names[: chance.randrange(1, 4)], names[3]
    hand, habit = Handful.any(chance), chance.choice(HABITS)
    later_ms = chance.randrange(500, 1000) if habit is put_aside else 0
    does: dict[str, Doing] = {other: lambda body: habit(body, hand)}
    for name in thrown:
        does[name] = partial(throw, hand=hand, later_ms=later_ms)
    return frozenset(thrown), other, habit, does


def measure(handfuls: int, seed: int = 1) -> dict[str, Any]:
    """Throw so many handfuls, six at each table; return figures with units.

    `together_short` are rolls that were told without a thrown die, `together_false` those with
    something else that nobody threw; `together_needless` are questions about dice not thrown.
    """
    counts: Counter[str] = Counter()
    with progress("handfuls of smart dice") as step:
        for number in range(0, handfuls, ROLLS):
            table = SmartTable(f"{seed}/{number}")
            for _ in range(min(ROLLS, handfuls - number)):
                played = play(table)
                if played is not None:
                    _count(played, counts)
            step(min(handfuls, number + ROLLS), handfuls)
    names = ("rolls", "dice", "missed", "asked", "needless", "unnoticed", "short", "false")
    figures: dict[str, Any] = {f"together_{name}": counts[name] for name in names}
    for habit in (one.__name__ for one in HABITS):
        figures[f"together_{habit}"] = counts[habit]
        figures[f"together_needless_{habit}"] = counts[f"needless_{habit}"]
    return figures


def _count(played: Played, counts: Counter[str]) -> None:
    needless = len(set(played.asked) - played.thrown)
    counts += Counter(
        {
            "rolls": 1,
            "dice": len(played.thrown),
            "missed": len(played.missed),
            "asked": len(played.asked),
            "needless": needless,
            "unnoticed": not played.told,
            "short": played.is_short,
            "false": not played.is_right,
            played.habit: 1,
            f"needless_{played.habit}": needless,
        }
    )
