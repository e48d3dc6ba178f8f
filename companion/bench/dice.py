"""Smart dice, measured on this machine: latency, throughput, faults, and the physics of throwing.

Latency and throughput go through a pseudo-terminal and the real serial port; time is taken from
just before the first byte is written until the report lies in the inbox. Between the rolls one bare
byte wakes up a thread in the same way (`bare_wake`): what that takes is the machine's, not ours.
Faults are simulated evenings, see `dice_faults`.
"""

import contextlib
import importlib
import importlib.util
import os
import threading
import time
import tty
from collections.abc import Callable, Iterator
from typing import Any

from companion.actions import Report
from companion.bench import dice_together
from companion.bench.dice_faults import DICE, FACES, NAMES, Evening
from companion.bench.figures import noise, percentile, progress, spread
from companion.clock import RealClock, SimulatedClock
from companion.dice import Die
from companion.inbox import Inbox, Ticket
from companion.offers import Roll
from companion.sensing import DiceSensor
from firmware import wire
from hardware.dice_link import DiceLink
from hardware.rolls import RollCollector
from hardware.serial_port import SerialPort
from hardware.simulated import SimulatedDice

LIMIT_S = 30.0
PHYSICS = "companion.bench.dice_physics"


class TimedInbox(Inbox):
    """Notes when the latest report has come in, in real time."""

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__(clock)
        self.came = threading.Event()
        self.came_s = 0.0

    def put(self, report: Report, seen: int | None = None) -> Ticket:
        """Take a report, then stop the time."""
        ticket = super().put(report, seen)
        self.came_s = time.perf_counter()
        self.came.set()
        return ticket


def measure(
    rolls: int,
    messages: int,
    schedules: int,
    throws: int,
    handlings: int | None = None,
    handfuls: int = 0,
) -> dict[str, Any]:
    """Everything that there is to measure; 0 leaves a part out, throws their handlings with them.

    handlings  as many as throws, where nothing is said.
    handfuls   throws of several dice at once, see `dice_together`.
    """
    figures: dict[str, Any] = {}
    if rolls:
        figures |= latency(rolls)
    if messages:
        figures |= throughput(messages)
    if schedules:
        figures |= faults(schedules)
    if throws and importlib.util.find_spec(PHYSICS) is not None:
        figures |= importlib.import_module(PHYSICS).measure(throws, handlings)
    if handfuls:
        figures |= dice_together.measure(handfuls)
    return figures | noise()


def latency(rolls: int) -> dict[str, Any]:
    """From the last byte of a roll, written, to its report in the inbox."""
    clock = SimulatedClock()
    inbox = TimedInbox(clock)
    collector = RollCollector([Die(name, name.split("-")[0], ()) for name in NAMES])
    sensor = DiceSensor(collector, NAMES, inbox)
    dice = SimulatedDice(DICE, seed=1)
    times_ms, bare_ms = [], []
    with contextlib.ExitStack() as stack:
        stack.callback(dice.close)
        wake = stack.enter_context(_bare_wake())
        port = SerialPort(dice.port, DiceLink(DICE), sensor.take, clock)
        stack.enter_context(port)
        if not dice.introduce(port, 0.0):
            raise TimeoutError("the simulated receiver was not heard")
        for roll in range(rolls):
            times_ms.append(_one_roll(dice, port, sensor, inbox, clock, roll) * 1000)
            bare_ms.append(wake() * 1000)
    return {
        "rolls": rolls,
        **spread(times_ms, "byte_to_inbox", "ms"),
        "byte_to_inbox_max_ms": round(max(times_ms), 4),
        **spread(bare_ms, "bare_wake", "ms"),
    }


@contextlib.contextmanager
def _bare_wake() -> Iterator[Callable[[], float]]:
    """A thread that waits for a byte: call it for the seconds from writing one to its waking."""
    woken, came_s = threading.Event(), [0.0]
    reads, writes = os.pipe()

    def wait() -> None:
        while os.read(reads, 1):
            came_s[0] = time.perf_counter()
            woken.set()

    def wake() -> float:
        woken.clear()
        begun_s = time.perf_counter()
        os.write(writes, b"x")
        woken.wait(LIMIT_S)
        return came_s[0] - begun_s

    thread = threading.Thread(target=wait, name="bare wake", daemon=True)
    thread.start()
    try:
        yield wake
    finally:
        os.close(writes)
        thread.join(LIMIT_S)
        os.close(reads)


def _one_roll(
    dice: SimulatedDice,
    port: SerialPort,
    sensor: DiceSensor,
    inbox: TimedInbox,
    clock: SimulatedClock,
    roll: int,
) -> float:
    """Throw two dice; return how long the line of the last one took, in seconds."""
    names = ("red-1", "red-2")
    sensor.expect([Roll("ann", names, 2)])
    rest_s = dice.throw(dict.fromkeys(names, f"face{1 + roll % 6}"), clock.now_s() + 0.05)
    while (due_s := dice.next_due_s()) is not None and due_s < rest_s:
        clock.move_to(due_s)
        dice.tick(due_s)
        dice.deliver(port, LIMIT_S)
    clock.move_to(rest_s)
    inbox.came.clear()
    begun_s = time.perf_counter()
    dice.tick(rest_s)
    if not inbox.came.wait(LIMIT_S):
        raise TimeoutError(f"roll {roll} never came into the inbox")
    spent_s = inbox.came_s - begun_s
    dice.deliver(port, LIMIT_S)
    inbox.take([], 0.0)
    return spent_s


def throughput(messages: int) -> dict[str, Any]:
    """How many reports a second one receiver can send without one of them being lost."""
    heard = threading.Event()
    told: list[int] = []

    def count(some: list[Any]) -> None:
        told.append(len(some))
        heard.set()

    with _terminal() as (end, path), SerialPort(path, DiceLink(DICE), count, RealClock()) as port:
        if not port.wait_until(lambda port: port.state == "connected", LIMIT_S):
            raise TimeoutError("the pseudo-terminal was not opened")
        os.write(end, wire.encode("HELLO", "-", "7f3a", 0, 0, wire.PROTOCOL, "0.1.0", "rx-bench"))
        lines = list(_many_reports(messages))
        begun_s = time.perf_counter()
        for chunk in range(0, messages, 8):
            data = b"".join(lines[chunk : chunk + 8])
            while data:
                data = data[os.write(end, data) :]
        port.wait_until(lambda port: port.link.counts.lines > messages, LIMIT_S)
        spent_s = time.perf_counter() - begun_s
        counts = port.health().counts
    return {
        "messages": messages,
        "messages_per_s": round(messages / spent_s),
        "messages_missing": messages + 1 - counts.lines,
        "messages_damaged": counts.damaged,
        "messages_lost": counts.lost,
    }


@contextlib.contextmanager
def _terminal() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: our end of it, and the path of the other."""
    end, other = os.openpty()
    tty.setraw(other)
    try:
        yield end, os.ttyname(other)
    finally:
        for one in (end, other):
            os.close(one)


def _many_reports(count: int) -> Iterator[bytes]:
    """Dice that tumble and rest as fast as lines can be written."""
    ids = list(DICE)
    for number in range(1, count + 1):
        die, at_ms = ids[number // 2 % len(ids)], 10 + number * 2
        words = (str(1 + number % len(FACES)),) if number % 2 else ()
        yield wire.encode("FACE" if words else "MOVE", die, "7f3a", number, at_ms, *words)


def faults(schedules: int) -> dict[str, Any]:
    """Random evenings with every fault, every other one with the firmware of dice and receiver.

    Any wrong face or hang is named by its seed; an even one has the firmware.
    """
    wrong, hanging, rolls, failed, calm_s = [], [], 0, 0, []
    with progress("schedules of faults") as step:
        for seed in range(schedules):
            evening = Evening(seed, firmware=seed % 2 == 0).run()
            wrong += [seed] if evening.wrong else []
            hanging += [seed] if evening.hangs else []
            rolls += evening.rolls
            failed += evening.faults
            calm_s.append(evening.recovery_s)
            step(seed + 1, schedules)
    return {
        "schedules": schedules,
        "schedules_with_firmware": (schedules + 1) // 2,
        "schedule_faults": failed,
        "schedule_rolls": rolls,
        "schedule_wrong_faces": len(wrong),
        "schedule_wrong_seeds": " ".join(map(str, wrong[:10])),
        "schedule_hangs": len(hanging),
        "schedule_hanging_seeds": " ".join(map(str, hanging[:10])),
        "schedule_next_roll_p99_s": round(percentile(calm_s, 0.99), 3),
    }
