"""Faults by name: what goes wrong on purpose at a simulated table, when, how much, for how long.

    companion play --fault camera-unplugged@30s --fault noisy-serial=5%@10s+20s

Each kind breaks something through a shipped simulator, at its border: pictures, bytes, contacts,
pins, SQLite itself. The product in between is the real one. Times are those of the game, and chance
comes from the seed, so the same schedule does the same thing again.
"""

import math
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.errors import ConfigError
from companion.faults_disk import BrittleJournal
from companion.inbox import Inbox
from companion.machine import Machine
from companion.outputs import Outputs
from companion.simulation import SimulatedRoom
from hardware.simulated_wled import SimulatedWled
from web.feed import Feed

WHEN_S = 10.0  # a fault begins then unless it says otherwise
UNITS = ("%", "ppm", "px", "ms", "s", "")
_PARTS = re.compile(r"([@=+])([^@=+]*)")
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)\s*(%|ppm|px|ms|s|)")


class Rig(msgspec.Struct):
    """What there is to break at one table; None is what it does not have."""

    room: SimulatedRoom
    inbox: Inbox
    journal: BrittleJournal | None = None
    house: Outputs | None = None
    machine: Machine | None = None
    strip: SimulatedWled | None = None
    feed: Feed | None = None
    seed: int = 0
    url: str = ""  # of the dashboard

    def chance(self, name: str) -> random.Random:
        """Chance of one fault, from the seed."""
        return random.Random(f"{self.seed}/{name}")


Heal = Callable[[], None]


class Kind(NamedTuple):
    """One kind of fault.

    subject  what breaks: camera, serial, buttons, lamps, strip, disk, clock, network (screens as
             the table sees them), or browser (real connections to its dashboard).
    happens  what is done to it, in words.
    told     words that the table reads while it lasts; empty if nobody could do anything.
    begin    does it, with the amount; returns what ends it. Raises ConfigError where the table
             has nothing of the sort.
    untold   why the table is not told, where it is not.
    amount   how much, unless it is said; None if there is nothing to say.
    unit     of the amount.
    lasts    False for what happens in one moment.
    """

    subject: str
    happens: str
    told: str
    begin: Callable[[Rig, float], Heal]
    amount: float | None = None
    unit: str = ""
    lasts: bool = True
    untold: str = ""


class Fault(msgspec.Struct, frozen=True):
    """A fault that is planned: it begins at `at_s` and ends `for_s` later (infinite for never)."""

    name: str
    at_s: float = WHEN_S
    amount: float = 0.0
    for_s: float = math.inf

    def __str__(self) -> str:
        kind = kinds()[self.name]
        much = "" if kind.amount is None else f"={shown(self.amount, kind.unit)}"
        lasts = f"+{self.for_s:g}s" if kind.lasts and math.isfinite(self.for_s) else ""
        return f"{self.name}@{self.at_s:g}s{much}{lasts}"


def kinds() -> Mapping[str, Kind]:
    """All kinds of faults, by name."""
    from companion.fault_kinds import FAULTS

    return FAULTS


def fault_from(text: str) -> Fault:
    """Read `NAME[@WHEN][=AMOUNT][+DURATION]`; ConfigError says what is wrong and what to write."""
    name = re.split("[@=+]", text, maxsplit=1)[0].strip()
    known = kinds()
    if name not in known:
        near = [one for one in known if set(name.split("-")) & set(one.split("-"))]
        raise ConfigError(
            f"--fault {text}: expected a fault by name, got {name!r}; "
            f"{'perhaps ' + ', '.join(near) + '? ' if near else ''}`companion faults` lists them"
        )
    kind, said = known[name], _parts(text)
    if "=" in said and kind.amount is None:
        raise ConfigError(f"--fault {text}: {name} takes no amount; leave ={said['=']} out")
    if "+" in said and not kind.lasts:
        raise ConfigError(f"--fault {text}: {name} happens in a moment; leave +{said['+']} out")
    return Fault(
        name,
        _number(text, "@", said, ("s",), WHEN_S),
        _number(text, "=", said, (kind.unit,), kind.amount or 0.0),
        _number(text, "+", said, ("s",), math.inf if kind.lasts else 0.0),
    )


def _parts(text: str) -> dict[str, str]:
    """What follows each of the signs `@`, `=` and `+`."""
    said: dict[str, str] = {}
    for sign, value in _PARTS.findall(text):
        if sign in said:
            raise ConfigError(f"--fault {text}: expected one {sign}, got two; leave one out")
        said[sign] = value.strip()
    return said


def _number(
    text: str, sign: str, said: Mapping[str, str], units: Sequence[str], default: float
) -> float:
    if sign not in said:
        return default
    found = _NUMBER.fullmatch(said[sign])
    unit = units[0]
    if found is None or found[2] not in (*units, ""):
        example = {"@": "@30s", "+": "+10s"}.get(
            sign, f"={shown(1 if unit != '%' else 0.05, unit)}"
        )
        raise ConfigError(
            f"--fault {text}: expected a number{' in ' + unit if unit else ''} after {sign}, got "
            f"{said[sign]!r}; write for example {example}"
        )
    number = float(found[1]) / (100 if unit == "%" else 1)
    if number < 0 or (unit == "%" and number > 1):
        wanted = "0 to 100 %" if unit == "%" else "a number from 0 on"
        raise ConfigError(f"--fault {text}: expected {wanted} after {sign}, got {said[sign]!r}")
    return number


def shown(amount: float, unit: str) -> str:
    """An amount as it is written."""
    return f"{100 * amount:g}%" if unit == "%" else f"{amount:g}{unit}"


class Faults:
    """The faults of one table: they begin and end in the time of the game."""

    def __init__(self, planned: Iterable[Fault], rig: Rig) -> None:
        self._rig = rig
        self._to_come = sorted(planned, key=lambda fault: (fault.at_s, fault.name))
        self._going: list[tuple[float, Fault, Heal]] = []
        self.begun: list[Fault] = []

    @property
    def going(self) -> list[Fault]:
        """Those that last just now."""
        return [fault for _, fault, _ in self._going]

    def tick(self, now_s: float) -> None:
        """Let everything begin and end that is due."""
        for one in [one for one in self._going if one[0] <= now_s]:
            self._going.remove(one)
            one[2]()
        while self._to_come and self._to_come[0].at_s <= now_s:
            fault = self._to_come.pop(0)
            heal = kinds()[fault.name].begin(self._rig, fault.amount)
            self.begun.append(fault)
            self._going.append((now_s + fault.for_s, fault, heal))

    def next_due_s(self) -> float | None:
        """When something begins or ends; None for never."""
        moments = [fault.at_s for fault in self._to_come[:1]] + [end_s for end_s, *_ in self._going]
        due_s = min(moments, default=math.inf)
        return None if math.isinf(due_s) else due_s

    def end(self) -> None:
        """Let everything be well again."""
        self._to_come = []
        for _, _, heal in self._going:
            heal()
        self._going = []


def random_schedule(seed: int, names: Sequence[str], until_s: float) -> list[Fault]:
    """Two to four faults of different kinds, that begin and end before `until_s`."""
    rng = random.Random(f"{seed}/schedule")
    chosen = rng.sample(list(names), rng.randint(2, 4))
    planned = []
    for name in chosen:
        kind = kinds()[name]
        at_s = round(rng.uniform(1.0, 0.5 * until_s), 1)
        for_s = round(rng.uniform(1.0, until_s - at_s), 1) if kind.lasts else 0.0
        planned.append(Fault(name, at_s, kind.amount or 0.0, for_s))
    return planned


def table_of_faults() -> list[dict[str, Any]]:
    """The faults as rows for people and programs."""
    return [
        {
            "name": name,
            "subject": kind.subject,
            "happens": kind.happens,
            "told": kind.told,
            "untold": kind.untold,
            "amount": None if kind.amount is None else shown(kind.amount, kind.unit),
            "lasts": kind.lasts,
        }
        for name, kind in kinds().items()
    ]
