import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.actions import Report, Rolled
from companion.clock import SimulatedClock
from companion.dice import Die
from firmware import wire
from hardware.dice_link import DiceLink
from hardware.dice_messages import Message, Watermark, WiredDie
from hardware.noise import LineNoise
from hardware.rolls import RollCollector
from hardware.serial_port import SerialPort
from hardware.simulated import SimulatedDice

FACES = {"1": "dragon", "2": "blank", "3": "blank", "4": "blank", "5": "blank", "6": "blank"}
DICE = {"d-a": WiredDie("red-1", FACES), "d-b": WiredDie("red-2", FACES)}
RED = [Die("red-1", "red", ("dragon", "blank")), Die("red-2", "red", ("dragon", "blank"))]
NAMES = ("red-1", "red-2")


@pytest.fixture
def dice() -> Iterator[SimulatedDice]:
    simulated = SimulatedDice(DICE, seed=3)
    yield simulated
    simulated.close()


def wait_until(fits: Callable[[], bool], limit_s: float = 10.0) -> None:
    pause, until_s = threading.Event(), time.monotonic() + limit_s
    while not fits():
        assert time.monotonic() < until_s, "it never came"
        pause.wait(0.001)


class Reader:
    """The companion's end of the cable, by hand."""

    def __init__(self, dice: SimulatedDice) -> None:
        self.end = os.open(dice.port, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        self.dice = dice
        self.sent = self.bytes_read = 0
        self.rest = b""

    def says(self, kind: str, at_ms: int, *words: object) -> None:
        self.sent += 1
        line = wire.encode(kind, "host", "0000", self.sent, at_ms, *words)
        self.bytes_read = 0 if self.sent == 1 else self.bytes_read
        heard = 0 if self.sent == 1 else self.dice.bytes_heard
        os.write(self.end, line)
        wait_until(lambda: self._is_heard(heard + len(line)))

    def _is_heard(self, count: int) -> bool:
        self.dice.next_due_s()
        return self.dice.bytes_heard == count

    def hears(self) -> list[wire.Message]:
        """Everything that was written so far."""
        wait_until(lambda: self._read() >= self.dice.bytes_sent)
        *lines, self.rest = self.rest.split(b"\n")
        return [wire.decode(line) for line in lines]

    def _read(self) -> int:
        try:
            data = os.read(self.end, 65536)
        except BlockingIOError:
            return self.bytes_read
        self.bytes_read += len(data)
        self.rest += data
        return self.bytes_read


@pytest.fixture
def reader(dice: SimulatedDice) -> Iterator[Reader]:
    reader = Reader(dice)
    yield reader
    os.close(reader.end)


def greeted(dice: SimulatedDice, reader: Reader) -> None:
    reader.says("HELLO", 0, wire.PROTOCOL, "companion", "host")
    dice.tick(0.0)
    assert [one.kind for one in reader.hears()] == ["HELLO", "BEAT"]


def test_receiver_is_silent_until_it_is_greeted(dice: SimulatedDice, reader: Reader) -> None:
    dice.throw({"red-1": "dragon"}, 0.1)
    dice.tick(1.0)
    assert reader.hears() == []
    assert dice.bytes_sent == 0


def test_throw_is_told_when_it_happens(dice: SimulatedDice, reader: Reader) -> None:
    greeted(dice, reader)
    rest_s = dice.throw({"red-1": "dragon", "red-2": "blank"}, 2.0)
    assert 2.35 <= rest_s <= 2.6
    assert dice.next_due_s() == 2.0
    dice.tick(2.0)
    assert [(m.kind, m.die, m.at_ms) for m in reader.hears()] == [
        ("MOVE", "d-a", 2000),
        ("MOVE", "d-b", 2000),
        ("BEAT", "-", 2000),
    ]
    dice.tick(rest_s)
    faces = [m for m in reader.hears() if m.kind == "FACE"]
    assert {m.die: FACES[m.words[0]] for m in faces} == {"d-a": "dragon", "d-b": "blank"}
    assert max(m.at_ms for m in faces) == round(rest_s * 1000)
    assert dice.next_due_s() is None


def test_heartbeats_are_thinned_however_far_time_jumps(dice: SimulatedDice, reader: Reader) -> None:
    greeted(dice, reader)
    for now_s in (0.01, 0.02, 0.049):
        dice.tick(now_s)
    assert reader.hears() == []
    dice.tick(0.05)
    dice.tick(1000.0)
    assert [(m.kind, m.words) for m in reader.hears()] == [("BEAT", (50,)), ("BEAT", (1_000_000,))]


def test_nothing_is_told_that_a_heartbeat_has_passed(dice: SimulatedDice, reader: Reader) -> None:
    greeted(dice, reader)
    dice.tick(5.0)
    assert dice.throw({"red-1": "blank"}, 5.0) > 5.35
    dice.tick(6.0)
    beat, *rest = reader.hears()
    assert all(m.at_ms > beat.words[0] for m in rest if m.kind in wire.REPORTS)


def test_full_cable_never_blocks_and_loses_nothing(dice: SimulatedDice, reader: Reader) -> None:
    greeted(dice, reader)
    for throw in range(200):
        dice.throw({"red-1": "dragon", "red-2": "blank"}, 1.0 + throw)
        dice.tick(1.7 + throw)
    assert dice.next_due_s() == 200.7  # there is more to write
    heard = []
    while dice.next_due_s() is not None:
        heard += reader.hears()
        dice.tick(200.7)
    heard += reader.hears()
    assert [m.number for m in heard if m.kind in wire.REPORTS] == list(range(1, 801))


def test_ping_again_and_gone_are_answered(dice: SimulatedDice, reader: Reader) -> None:
    greeted(dice, reader)
    for throw in range(40):
        dice.throw({"red-1": "dragon"}, 1.0 + throw)
        dice.tick(1.7 + throw)
        reader.hears()
    reader.says("PING", 40_650)
    reader.says("AGAIN", 40_700, 1)
    dice.tick(40.7)
    pong, gone, *again = reader.hears()
    assert (pong.kind, pong.at_ms, pong.words) == ("PONG", 40_650, (2,))
    assert (gone.kind, gone.words) == ("GONE", (16,))
    assert [m.number for m in again] == list(range(17, 81))


def test_die_that_lies_is_told_in_a_new_conversation(dice: SimulatedDice, reader: Reader) -> None:
    greeted(dice, reader)
    dice.throw({"red-1": "dragon"}, 1.0)
    dice.throw({"red-2": "blank"}, 1.0, crooked=["red-2"])
    dice.tick(2.0)
    assert sorted(m.kind for m in reader.hears()) == ["BEAT", "CROOKED", "FACE", "MOVE", "MOVE"]
    reader.sent = 0
    reader.says("HELLO", 2000, 1, "companion", "host")
    dice.tick(2.02)
    assert [(m.kind, m.words) for m in reader.hears()] == [
        ("HELLO", (1, "simulated", "simulated")),
        ("LIES", ("1",)),
        ("BEAT", (2000,)),
    ]


def test_die_can_be_picked_up_and_put_back(dice: SimulatedDice, reader: Reader) -> None:
    greeted(dice, reader)
    dice.throw({"red-1": "dragon"}, 1.0)
    dice.tick(2.0)
    dice.pick_up("red-1", 3.0)
    dice.put_back("red-1", 4.0)
    dice.put_back("red-1", 5.0, "blank")
    dice.tick(6.0)
    told = [(m.kind, m.words) for m in reader.hears() if m.at_ms > 2500 and m.kind != "BEAT"]
    assert [kind for kind, _ in told] == ["MOVE", "LIES", "LIES"]
    assert [FACES[words[0]] for _, words in told[1:]] == ["dragon", "blank"]


def test_unknown_dice_and_faces_are_refused(dice: SimulatedDice) -> None:
    with pytest.raises(ValueError, match=r"expected one of the dice \['red-1', 'red-2'\]"):
        dice.throw({"blue-1": "dragon"}, 1.0)
    with pytest.raises(ValueError, match=r"expected one of the faces \['blank', 'dragon'\]"):
        dice.throw({"red-1": "troll"}, 1.0)
    assert dice.next_due_s() is None


def test_close_leaves_nothing_behind(dice: SimulatedDice) -> None:
    folder = Path(dice.port).parent
    assert folder.exists()
    dice.close()
    dice.close()
    dice.tick(1.0)
    assert dice.next_due_s() is None
    assert not folder.exists()


# A whole way: simulated receiver, pseudo-terminal, port, link, collector


class ChoppyLink(DiceLink):
    """A link whose bytes come in random pieces."""

    def __init__(self, seed: int) -> None:
        super().__init__(DICE)
        self._chance = random.Random(seed)

    def receive_data(self, data: bytes, at_s: float) -> list[Message]:
        told: list[Message] = []
        while data:
            size = self._chance.randint(1, 40)
            told += super().receive_data(data[:size], at_s)
            data = data[size:]
        return told + super().receive_data(b"", at_s)


class Play:
    """Throws red dice again and again, as a table would, until each roll has been told."""

    def __init__(self, seed: int, noise: Callable[[bytes], bytes] | None) -> None:
        self.chance = random.Random(seed)
        self.noise = noise
        self.dice = SimulatedDice(DICE, seed=seed, noise=noise)
        self.clock = SimulatedClock()
        self.collector = RollCollector(RED)
        self.collector.expect(NAMES, 2)
        self.reports: list[Report] = []
        self.link = ChoppyLink(seed)
        self.asked_again = 0

    def on_messages(self, messages: list[Message]) -> None:
        for message in messages:
            self.reports += self.collector.take(message)

    def get_known(self, port: SerialPort) -> None:
        # What a bad line has swallowed is asked for again when time goes on.
        for second in range(30):
            self.clock.move_to(float(second))
            if self.dice.introduce(port, float(second), 10.0 if self.noise is None else 0.2):
                return
        raise AssertionError("they never got to know each other")

    def let_pass(self, port: SerialPort, upto_s: float) -> None:
        while self.clock.now_s() < upto_s:
            due_s = self.dice.next_due_s()
            beat_s = self.clock.now_s() + 0.05
            self.clock.move_to(min(beat_s, upto_s, due_s if due_s is not None else upto_s))
            self.dice.tick(self.clock.now_s())
            assert self.dice.deliver(port, 10.0)

    def throw(self, port: SerialPort) -> tuple[dict[str, str], float]:
        """Throw until the roll is told; return what lay there at the end."""
        lies: dict[str, str] = {}
        again: tuple[str, ...] = NAMES
        for _ in range(20):
            lies |= {name: self.chance.choice(["dragon", "blank"]) for name in again}
            thrown = {name: lies[name] for name in again}
            rest_s = self.dice.throw(thrown, self.clock.now_s() + 0.1)
            before = len(self.reports)
            self.let_pass(port, rest_s + 1.0)
            if len(self.reports) > before:
                return lies, rest_s
            again = self.collector.asked_again or NAMES
            self.asked_again += 1
        raise AssertionError("a roll was never told")


def play(throws: int, seed: int, noise: Callable[[bytes], bytes] | None) -> Play:
    table = Play(seed, noise)
    with SerialPort(table.dice.port, table.link, table.on_messages, table.clock) as port:
        assert port.wait_until(lambda port: port.state == "connected", 10.0)
        table.get_known(port)
        for number in range(1, throws + 1):
            lies, rest_s = table.throw(port)
            assert len(table.reports) == number
            told = table.reports[-1]
            assert told.action == Rolled(lies)
            assert told.at_s == pytest.approx(rest_s, abs=told.within_s + 1e-9)
    table.dice.close()
    return table


@pytest.mark.slow
def test_every_face_is_right_or_asked_again_over_a_bad_line() -> None:
    noise = LineNoise(7, damaged=0.05, lost=0.02, repeated=0.02, swapped=0.02, foreign=0.02)
    table = play(80, seed=7, noise=noise)
    assert noise.done["damaged"] > 40
    assert table.link.counts.damaged > 0
    assert table.link.counts.foreign > 0
    assert table.link.counts.recovered > 0


def test_same_seed_gives_the_same_reports_to_the_millisecond() -> None:
    first, second = play(15, seed=4, noise=None), play(15, seed=4, noise=None)
    assert first.reports == second.reports
    assert {report.within_s for report in first.reports} == {0.015}
    assert first.asked_again == 0


def test_watermark_follows_the_heartbeat() -> None:
    table = play(1, seed=1, noise=None)
    assert table.collector.watermark_s == pytest.approx(table.clock.now_s(), abs=0.06)
    assert table.collector.take(Watermark(0.0)) == []
