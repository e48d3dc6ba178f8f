import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import wire
from firmware.die import AWAKE_MS, KEPT, Die, blank_memory, percent_left
from firmware.receiver import ASKS, SILENT_MS, WAKE_MS, Receiver

MAC, OTHER, HOME = "0242ac110010", "0242ac110011", "a0b1c2d3e4f5"
FLAT, SIDE_5 = (0, 0, 1000), (0, 1000, 0)


class Kept:
    """The flash of a die."""

    def __init__(self) -> None:
        self.memory: dict[str, Any] = {}
        self.is_full = False

    def __call__(self, memory: dict[str, Any]) -> None:
        if self.is_full:
            raise OSError(28)
        self.memory = dict(memory)


class Table:
    """Dice and a receiver on one clock; `lossy` decides what becomes of each packet."""

    def __init__(self, *macs: str, loss: float = 0.0, seed: int = 1, drift_ppm: int = 0) -> None:
        self.chance, self.loss, self.drift_ppm = random.Random(seed), loss, drift_ppm
        self.receiver = Receiver("rx-1", "7f3a")
        self.kept = {mac: Kept() for mac in macs}
        self.dice = {mac: self.fresh(mac, "00a1") for mac in macs}
        self.felt = dict.fromkeys(macs, FLAT)
        self.switched_off: set[str] = set()
        self.asleep: set[str] = set()
        self.now_ms = 0
        self.sent = 0
        self.said: list[wire.Message] = []
        self.says("HELLO", wire.PROTOCOL, "companion", "host")

    def fresh(self, mac: str, run: str) -> Die:
        memory = blank_memory("die-" + mac[6:]) | {"receiver": HOME}
        return Die(memory, self.kept[mac], run)

    def says(self, kind: str, *words: object) -> int:
        """The companion says a line; return its number."""
        self.sent += 1
        line = wire.encode(kind, wire.HOST, wire.HOST_RUN, self.sent, self.now_ms, *words)
        self.receiver.usb(line)
        self.hear()
        return self.sent

    def hear(self) -> None:
        self.said += [wire.decode(line) for line in self.receiver.usb_out().splitlines()]

    def go_on(self, for_ms: int) -> "Table":
        for _ in range(for_ms // 10):
            self.now_ms += 10
            for mac in sorted(set(self.dice) - self.switched_off - self.asleep):
                self.step(mac)
            self.receiver.tick(self.now_ms)
            for mac, packet in self.receiver.radio_out():
                if mac not in self.asleep | self.switched_off and self.arrives():
                    self.dice[mac].hear(packet, HOME, self.own_ms(mac))
            self.hear()
        return self

    def own_ms(self, mac: str) -> int:
        sign = 1 if mac == MAC else -1
        return self.now_ms + 700 + sign * self.now_ms * self.drift_ppm // 1_000_000

    def arrives(self) -> bool:
        return self.chance.random() >= self.loss

    def step(self, mac: str) -> None:
        die, own_ms = self.dice[mac], self.own_ms(mac)
        die.sample(own_ms, *self.felt[mac])
        packet = die.packet(own_ms)
        if packet is not None and self.arrives():
            self.receiver.radio(mac, packet, 52, self.now_ms)
            if self.arrives():  # the answer of the radio gets lost, too
                die.arrived()
        if die.may_sleep():
            self.receiver.radio(mac, die.farewell(own_ms), 52, self.now_ms)
            self.asleep.add(mac)

    def throw(self, mac: str, onto: tuple[int, int, int]) -> None:
        if mac in self.asleep:
            self.asleep.discard(mac)
            self.dice[mac].woken(self.own_ms(mac))
        for felt in [(20, 10, 30)] * 8 + [(2500, 300, -900), (200, -300, 150)] * 3:
            self.felt[mac] = felt
            self.go_on(10)
        self.felt[mac] = onto
        self.go_on(300)

    def of(self, *kinds: str) -> list[wire.Message]:
        return [one for one in self.said if one.kind in kinds]


@pytest.fixture
def table() -> Table:
    return Table(MAC, OTHER).go_on(500)


def told(table: Table) -> list[tuple[str, str, tuple[Any, ...]]]:
    return [(one.kind, one.die, one.words) for one in table.of(*wire.REPORTS)]


def test_receiver_answers_the_greeting_and_tells_what_lies_there(table: Table) -> None:
    [hello] = table.of("HELLO")
    assert hello.words == (wire.PROTOCOL, "1.0.0", "rx-1")
    assert told(table) == [("LIES", "die-110010", ("6",)), ("LIES", "die-110011", ("6",))]
    table.said.clear()
    table.says("HELLO", wire.PROTOCOL, "companion", "host")
    assert [one.words for one in table.of("LIES")] == [("6",), ("6",)]


def test_receiver_that_nobody_greeted_says_nothing() -> None:
    receiver = Receiver("rx-1", "7f3a")
    receiver.tick(1000)
    receiver.usb(b"\xff\xfe garbage\n$GPGGA,1*00\n" + b"x" * 5000)
    receiver.tick(2000)
    assert receiver.usb_out() == b""
    assert receiver.damaged == 2


def test_throw_goes_through_with_its_moment(table: Table) -> None:
    table.said.clear()
    begun_ms = table.now_ms
    table.throw(MAC, SIDE_5)
    assert told(table) == [("MOVE", "die-110010", ()), ("FACE", "die-110010", ("5",))]
    move, face = table.of("MOVE", "FACE")
    assert abs(move.at_ms - begun_ms - 10) <= wire.REPORT_WITHIN_MS
    assert abs(face.at_ms - begun_ms - 150) <= wire.REPORT_WITHIN_MS


def promise_is_kept(said: list[wire.Message]) -> bool:
    upto_ms = -1
    for one in said:
        if one.kind == "BEAT":
            if one.words[0] < upto_ms:
                return False
            upto_ms = one.words[0]
        elif one.kind in wire.REPORTS and one.at_ms <= upto_ms:
            return False
    return True


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.05, 0.3]), st.sampled_from([0, 100]))
def test_bad_air_loses_nothing_and_breaks_no_promise(seed: int, loss: float, ppm: int) -> None:
    table = Table(MAC, OTHER, loss=loss, seed=seed, drift_ppm=ppm).go_on(400)
    for mac, onto in ((MAC, SIDE_5), (OTHER, (1000, 0, 0)), (MAC, FLAT)):
        table.throw(mac, onto)
    table.go_on(300)
    faces = [(one.die, one.words) for one in table.of("FACE")]
    assert faces == [("die-110010", ("5",)), ("die-110011", ("4",)), ("die-110010", ("6",))]
    numbers = [one.number for one in table.of(*wire.REPORTS)]
    assert numbers == list(range(1, len(numbers) + 1))
    if loss < 0.3:  # else a die may well be unheard for longer than it is waited for
        assert promise_is_kept(table.said)


def test_heartbeat_comes_often_and_sleepers_do_not_hold_it_back(table: Table) -> None:
    table.go_on(AWAKE_MS + 500)
    assert table.asleep == {MAC, OTHER}
    assert {one.die for one in table.of("ASLEEP")} == {"die-110010", "die-110011"}
    table.said.clear()
    table.go_on(1000)
    beats = table.of("BEAT")
    assert len(beats) >= 20
    assert all(one.at_ms - one.words[0] == WAKE_MS for one in beats)
    table.throw(MAC, SIDE_5)
    assert told(table)[-1] == ("FACE", "die-110010", ("5",))


def test_die_that_vanishes_is_not_waited_for_and_told(table: Table) -> None:
    table.switched_off.add(MAC)
    table.go_on(SILENT_MS + 200)
    assert [one.die for one in table.of("SILENT")] == ["die-110010"]
    beat = table.of("BEAT")[-1]
    assert beat.at_ms - beat.words[0] <= WAKE_MS + 40
    assert table.says("BLINK", "die-110010") == table.of("REFUSED")[-1].words[0]
    assert table.of("REFUSED")[-1].words[1] == "silent"


def test_new_battery_is_noticed_as_something_lost(table: Table) -> None:
    before = table.of("BEAT")[-1].number
    table.dice[MAC] = table.fresh(MAC, "00a2")
    table.go_on(500)
    assert table.of("BEAT")[-1].number == before + 2  # one that nobody hears, and LIES
    table.says("AGAIN", before + 1)
    assert [one.words for one in table.of("GONE")] == [(before + 1,)]


def test_companion_gets_again_what_it_missed_and_hears_what_is_gone(table: Table) -> None:
    table.throw(MAC, SIDE_5)
    reports = table.of(*wire.REPORTS)
    table.said.clear()
    table.says("AGAIN", 2)
    assert table.said == reports[1:]
    for _ in range(150):
        table.receiver._tell("MOVE", "die-110010", table.now_ms)
    table.hear()
    table.said.clear()
    table.says("AGAIN", 1)
    gone = table.said[0]
    assert (gone.kind, gone.words[0] + 1) == ("GONE", table.said[1].number)


def test_die_is_asked_again_for_what_its_receiver_missed() -> None:
    table = Table(MAC).go_on(300)
    die = table.dice[MAC]
    die._report("MOVE", 5000, 0)
    die._arrived = die._number  # the radio took it, but the receiver had no room for it
    table.go_on(200)
    assert told(table)[-1][0] == "MOVE"


def test_what_a_die_has_forgotten_is_given_up() -> None:
    table = Table(MAC).go_on(300)
    die = table.dice[MAC]
    for _ in range(KEPT + 5):
        die._report("MOVE", 5000, 0)
    die._arrived = die._number
    before = table.of("BEAT")[-1].number
    table.go_on(60 * ASKS + 500)
    assert len(table.of("MOVE")) == KEPT
    assert table.of("BEAT")[-1].number == before + 1 + KEPT


def answer(table: Table, kind: str, *words: object) -> str:
    number = table.says(kind, *words)
    table.go_on(400)
    said = [one for one in table.of("DONE", "REFUSED") if one.words[0] == number]
    assert len(said) == 1
    return "done" if said[0].kind == "DONE" else said[0].words[1]


def test_commands_reach_the_die_and_are_answered(table: Table) -> None:
    assert answer(table, "BLINK", "die-110010") == "done"
    shines = [table.go_on(50).dice[MAC].is_lit() for _ in range(20)]
    assert 5 < sum(shines) < 15
    assert answer(table, "VERSION", "die-110011") == "done"
    assert table.of("ABOUT")[-1].words == ("1.0.0", "d6", 6)
    assert answer(table, "BLINK", "nobody") == "unknown_die"


def test_name_is_kept_and_may_be_asked_for_twice(table: Table) -> None:
    assert answer(table, "NAME", "die-110010", "red-1") == "done"
    assert answer(table, "NAME", "die-110010", "red-1") == "done"
    assert answer(table, "NAME", "die-110011", "red-1") == "name_taken"
    assert table.kept[MAC].memory["name"] == "red-1"
    table.throw(MAC, SIDE_5)
    assert told(table)[-1] == ("FACE", "red-1", ("5",))


def test_die_learns_its_faces_and_forgets_them_with_its_shape(table: Table) -> None:
    assert answer(table, "LEARN", "die-110010", 6, "dragon") == "done"
    assert told(table)[-1] == ("LIES", "die-110010", ("dragon",))
    again = Die(dict(table.kept[MAC].memory), Kept(), "0001")
    assert again._face(6) == "dragon"
    assert answer(table, "LEARN", "die-110010", 7, "dragon") == "no_such_side"
    assert answer(table, "CALIBRATE", "die-110010", "d8") == "done"
    assert table.dice[MAC].memory["faces"] == {}


def test_any_solid_is_calibrated_by_showing_its_sides(table: Table) -> None:
    assert answer(table, "CALIBRATE", "die-110010", "any") == "done"
    for side, felt in enumerate(((0, 0, 1000), (0, 940, -340), (800, -470, -340)), 1):
        table.felt[MAC] = felt
        table.go_on(3000)
        assert answer(table, "SHOWN", "die-110010", side) == "done"
    assert answer(table, "SHOWN", "die-110010", 9) == "too_near"
    table.throw(MAC, (0, 940, -340))
    assert told(table)[-1] == ("FACE", "die-110010", ("2",))
    kept = Die(dict(table.kept[MAC].memory), Kept(), "0001")
    assert kept.motion.sides.up(0, 940, -340) == 2


def test_die_in_motion_shows_nothing_and_a_full_flash_is_said(table: Table) -> None:
    table.throw(MAC, SIDE_5)
    table.felt[MAC] = (300, 300, 300)
    table.go_on(60)
    assert answer(table, "SHOWN", "die-110010", 3) == "moving"
    table.kept[OTHER].is_full = True
    assert answer(table, "LEARN", "die-110011", 1, "troll") == "not_kept"


def test_sleeping_die_takes_no_command(table: Table) -> None:
    table.go_on(AWAKE_MS + 500)
    assert answer(table, "BLINK", "die-110010") == "asleep"


def test_new_die_belongs_to_the_receiver_that_it_is_held_to() -> None:
    receiver, kept = Receiver("rx-1", "7f3a"), Kept()
    die = Die(blank_memory("die-110010"), kept, "00a1")
    die.sample(10, *FLAT)
    assert die.is_lost()
    receiver.radio(MAC, die.greeting(10), 70, 10)  # across the room
    assert receiver.radio_out() == []
    receiver.radio(MAC, die.greeting(20), 40, 20)
    [(mac, packet)] = receiver.radio_out()
    die.hear(packet, HOME, 30)
    assert (mac, kept.memory["receiver"]) == (MAC, HOME)
    assert die.is_lit()
    assert not die.is_lost()
    die.hear(wire.encode("HELLO", "-", "beef", 0, 5, 1, "1.0.0", "rx-2"), "ffffffffff01", 40)
    assert die.memory["receiver"] == HOME  # a die that is heard does not change sides


def test_packets_of_strangers_and_garbage_are_passed_over(table: Table) -> None:
    die = table.dice[MAC]
    die.hear(wire.encode("NAME", "host", "0000", 1, 1, "die-110010", "mine"), "ffffffffff01", 1)
    die.hear(b"\xff\xfe\n*\n", HOME, 1)
    table.receiver.radio(MAC, b"\xff\xfe*\n", 40, table.now_ms)
    assert die.name == "die-110010"
    assert table.receiver.damaged == 1


def test_more_dice_than_the_radio_knows_are_passed_over() -> None:
    receiver = Receiver("rx-1", "7f3a")
    for number in range(30):
        line = wire.encode("MOVE", f"d{number}", "00a1", 1, 5)
        receiver.radio(f"0242ac11{number:04x}", line, 50, 10)
    assert len(receiver.dice) == 20


@settings(max_examples=30)
@given(st.integers(1, KEPT))
def test_packets_are_never_too_long_for_the_radio(reports: int) -> None:
    die = Die(blank_memory("d" * 16) | {"receiver": HOME}, Kept(), "00a1")
    for number in range(reports):
        die._report("FACE", 10**11 + number, 6)
    numbers = []
    for _ in range(2 * reports):
        packet = die.packet(10**11)
        if packet is None:
            break
        assert len(packet) <= 250
        lines = [wire.decode(line) for line in packet.splitlines()]
        numbers += [one.number for one in lines if one.kind == "FACE"]
        die.arrived()
    assert numbers == list(range(1, reports + 1))


@settings(max_examples=40)
@given(st.lists(st.booleans(), min_size=4, max_size=40), st.integers(0, 10**6))
def test_repeated_and_swapped_packets_are_told_once_and_in_order(
    twice: list[bool], seed: int
) -> None:
    chance, receiver = random.Random(seed), Receiver("rx-1", "7f3a")
    receiver.usb(wire.encode("HELLO", "host", "0000", 1, 0, 1, "companion", "host"))
    lines = [wire.encode("FACE", "d", "00a1", n, n, str(n)) for n in range(1, len(twice) + 1)]
    receiver.radio(MAC, lines[0], 50, 5)
    rest = [line for line, again in zip(lines, twice, strict=True) for _ in range(1 + again)][1:]
    for at in range(0, len(rest) - 4, 4):
        piece = rest[at : at + 4]
        chance.shuffle(piece)
        rest[at : at + 4] = piece
    for line in rest:
        receiver.radio(MAC, line, 50, 100)
    said = [wire.decode(line) for line in receiver.usb_out().splitlines()]
    faces = [one.words[0] for one in said if one.kind == "FACE"]
    assert faces == [str(number) for number in range(1, len(twice) + 1)]


def test_battery_is_told_in_percent() -> None:
    assert [percent_left(mv) for mv in (4200, 3775, 3000)] == [100, 50, 0]
    table = Table(MAC)
    table.dice[MAC].millivolts = 3775
    table.go_on(6000)
    assert table.of("BATTERY")[-1].words == (50, 3775)
    assert table.of("SIGNAL")[-1].words[0] == 52
