import os
import threading
import time
import tty
from collections.abc import Iterator
from typing import Any

import pytest
import serial
from pytest_mock import MockerFixture

from companion.clock import SimulatedClock
from companion.errors import ConfigError
from hardware.dice_link import DiceLink
from hardware.dice_messages import DieSettled, Greeting, Message, WiredDie
from hardware.serial_port import SerialPort
from hardware.simulated import SimulatedDice

DICE = {"d-a": WiredDie("red-1", {"1": "dragon", "2": "blank"}), "d-b": WiredDie("red-2")}
LIMIT_S = 10.0


class Heard:
    """What a port hands on, from its thread."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def __call__(self, messages: list[Message]) -> None:
        self.messages += messages

    def settled(self) -> list[tuple[str, str]]:
        return [(one.die, one.face) for one in self.messages if isinstance(one, DieSettled)]


@pytest.fixture
def dice() -> Iterator[SimulatedDice]:
    simulated = SimulatedDice(DICE, seed=1)
    yield simulated
    simulated.close()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock()


@pytest.fixture
def port(dice: SimulatedDice, heard: Heard, clock: SimulatedClock) -> Iterator[SerialPort]:
    with SerialPort(dice.port, DiceLink(DICE), heard, clock, back_off_s=(0.01, 0.05)) as port:
        yield port


def at_state(port: SerialPort, state: str) -> bool:
    return port.wait_until(lambda port: port.state == state, LIMIT_S)


def meet(dice: SimulatedDice, port: SerialPort, now_s: float = 0.0) -> None:
    assert at_state(port, "connected")
    assert dice.introduce(port, now_s, LIMIT_S)


def work_off(
    dice: SimulatedDice, port: SerialPort, clock: SimulatedClock, upto_s: float = 1000.0
) -> None:
    due_s = dice.next_due_s()
    while due_s is not None and due_s <= upto_s:
        clock.move_to(due_s)
        dice.tick(due_s)
        assert dice.deliver(port, LIMIT_S)
        due_s = dice.next_due_s()


def test_throw_comes_through_a_real_port(
    dice: SimulatedDice, port: SerialPort, clock: SimulatedClock, heard: Heard
) -> None:
    meet(dice, port)
    rest_s = dice.throw({"red-1": "dragon", "red-2": "blank"}, 1.0)
    work_off(dice, port, clock)
    assert sorted(heard.settled()) == [("red-1", "dragon"), ("red-2", "blank")]
    last = [one for one in heard.messages if isinstance(one, DieSettled)][-1]
    assert last.at_s == rest_s
    assert last.within_s == 0.015
    assert port.bytes_received == dice.bytes_sent


def test_receiver_that_fell_silent_is_greeted_when_the_clock_says_so_however_fast_it_goes(
    dice: SimulatedDice, port: SerialPort, clock: SimulatedClock, mocker: MockerFixture
) -> None:
    mocker.patch("hardware.serial_port.READ_S", 60.0)  # the port looks at no clock by itself
    meet(dice, port)
    run, restarts = dice.receiver.run, port.link.counts.restarts
    dice.receiver.power_off()
    dice.receiver.power_on(clock.now_s())
    for now_s in (1.0, 2.0, 3.0, 4.0):
        clock.move_to(now_s)
        dice.tick(now_s)
        assert dice.deliver(port, LIMIT_S)
    assert dice.receiver.run != run
    assert port.link.counts.restarts == restarts + 1
    dice.unplug()
    port.pass_time()  # that it is gone is for its thread to say


def test_start_does_not_wait_for_a_port_that_is_not_there(clock: SimulatedClock) -> None:
    port = SerialPort("/nowhere/at/all", DiceLink(DICE), Heard(), clock, back_off_s=(0.01, 0.05))
    started = time.monotonic()
    with port:
        assert time.monotonic() - started < 1.0
        assert port.wait_until(lambda port: "/nowhere/at/all" in port.why, LIMIT_S)
        assert port.state == "connecting"
    assert port.state == "closed"


def test_port_is_found_when_it_comes_later(
    dice: SimulatedDice, clock: SimulatedClock, heard: Heard
) -> None:
    dice.unplug()
    with SerialPort(dice.port, DiceLink(DICE), heard, clock, back_off_s=(0.01, 0.05)) as port:
        assert port.wait_until(lambda port: port.why != "", LIMIT_S)
        dice.plug_in(0.0)
        meet(dice, port)
        assert any(isinstance(one, Greeting) for one in heard.messages)


def test_unplugged_receiver_is_lost_and_found_again_at_any_byte(
    dice: SimulatedDice, port: SerialPort, clock: SimulatedClock, heard: Heard
) -> None:
    now_s = 0.0
    for round_ in range(12):
        meet(dice, port, now_s)
        dice.throw({"red-1": "dragon"}, now_s + 0.1)
        clock.move_to(now_s + 0.5)
        dice._flush = lambda: None  # type: ignore[method-assign]
        dice.tick(now_s + 0.5)
        del dice._flush  # type: ignore[attr-defined]
        assert dice._ends is not None
        os.write(dice._ends[0], dice._out[: 17 * round_ + 1])
        dice.unplug()
        assert at_state(port, "lost")
        assert "plug the receiver in again" in port.why or "cannot be opened" in port.why
        now_s += 10.0
        clock.move_to(now_s)
        dice.plug_in(now_s)
    meet(dice, port, now_s)
    before = len(heard.settled())
    dice.throw({"red-2": "blank"}, now_s + 1.0)
    work_off(dice, port, clock)
    assert heard.settled()[before:][-1] == ("red-2", "blank")
    assert port.link.counts.restarts == 12


def test_port_belongs_to_us_alone(dice: SimulatedDice, port: SerialPort) -> None:
    assert at_state(port, "connected")
    with pytest.raises(serial.SerialException, match="exclusively lock"):
        serial.serial_for_url(dice.port, exclusive=True)


def test_port_that_somebody_else_has_is_waited_for(
    dice: SimulatedDice, clock: SimulatedClock
) -> None:
    other = serial.serial_for_url(dice.port, exclusive=True)
    with SerialPort(dice.port, DiceLink(DICE), Heard(), clock, back_off_s=(0.01, 0.05)) as port:
        assert port.wait_until(lambda port: "locked" in port.why, LIMIT_S)
        other.close()
        assert at_state(port, "connected")


def test_close_ends_the_thread_and_frees_the_port(
    dice: SimulatedDice, clock: SimulatedClock
) -> None:
    before = threading.active_count()
    port = SerialPort(dice.port, DiceLink(DICE), Heard(), clock).start()
    assert port.start() is port
    assert at_state(port, "connected")
    assert threading.active_count() == before + 1
    port.close()
    port.close()
    assert port.state == "closed"
    assert threading.active_count() == before
    serial.serial_for_url(dice.port, exclusive=True).close()


def test_close_from_within_the_thread_does_not_wait_for_itself(
    dice: SimulatedDice, clock: SimulatedClock
) -> None:
    port = SerialPort(dice.port, DiceLink(DICE), lambda _: port.close(), clock).start()
    assert at_state(port, "connected")
    dice.introduce(port, 0.0, 0.2)
    assert port.wait_until(lambda port: port.state == "closed", LIMIT_S)
    port.close()


def test_error_of_a_listener_does_not_end_the_thread(
    dice: SimulatedDice, clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(messages: list[Message]) -> None:
        raise RuntimeError("nobody at home")

    with SerialPort(dice.port, DiceLink(DICE), fail, clock) as port:
        meet(dice, port)
        assert port.state == "connected"
    assert "nobody at home" in caplog.text


def test_port_that_fails_to_read_is_opened_again(
    mocker: MockerFixture, clock: SimulatedClock
) -> None:
    broken = mocker.Mock()
    broken.in_waiting = 0
    broken.read.side_effect = OSError(5, "Input/output error")
    mocker.patch("hardware.serial_port.serial.serial_for_url", return_value=broken)
    with SerialPort("/dev/any", DiceLink(DICE), Heard(), clock, back_off_s=(0.01, 0.05)) as port:
        assert port.wait_until(lambda _: broken.close.call_count >= 3, LIMIT_S)
    assert broken.close.call_count >= 3


def test_pauses_between_tries_grow_up_to_a_bound(
    mocker: MockerFixture, clock: SimulatedClock
) -> None:
    port = SerialPort("/nowhere/at/all", DiceLink(DICE), Heard(), clock, back_off_s=(0.001, 0.01))
    pauses: list[float] = []

    def wait(pause_s: float) -> bool:
        pauses.append(pause_s)
        return port._closing.is_set() or len(pauses) < 8 or bool(port._closing.set())

    mocker.patch.object(port._closing, "wait", wait)
    with port:
        assert port.wait_until(lambda _: len(pauses) >= 8, LIMIT_S)
    assert pauses[:6] == [0.001, 0.002, 0.004, 0.008, 0.01, 0.01]


def test_receiver_that_reads_nothing_does_not_hold_us_up(
    mocker: MockerFixture, clock: SimulatedClock
) -> None:
    deaf = mocker.Mock()
    deaf.in_waiting = 0
    deaf.read.return_value = b""
    deaf.write.side_effect = serial.SerialTimeoutException("Write timeout")
    mocker.patch("hardware.serial_port.serial.serial_for_url", return_value=deaf)
    with SerialPort("/dev/any", DiceLink(DICE), Heard(), clock) as port:
        assert at_state(port, "connected")


def test_loop_port_hears_only_itself(clock: SimulatedClock, heard: Heard) -> None:
    with SerialPort("loop://", DiceLink(DICE), heard, clock) as port:
        assert port.wait_until(lambda port: port.bytes_received > 0, LIMIT_S)
        assert port.link.counts.foreign == 1
    assert heard.messages == []


def test_other_device_on_a_likely_port_is_left_for_the_receiver(
    dice: SimulatedDice, clock: SimulatedClock, heard: Heard
) -> None:
    other, slave = os.openpty()
    tty.setraw(slave)
    ports = [os.ttyname(slave), dice.port]
    port = SerialPort(
        "auto",
        DiceLink(DICE),
        heard,
        clock,
        back_off_s=(0.01, 0.05),
        greet_s=1.0,
        find=lambda _: ports,
    )
    with port:
        assert at_state(port, "connected")  # pyserial empties the line when it opens it
        os.write(other, b"$GPGGA,092750.000,5321.6802,N*76\r\n")
        assert port.wait_until(lambda port: port.url == dice.port, LIMIT_S)
        meet(dice, port)
        assert port.health().who == "simulated"
        assert port.link.counts.foreign == 1
    for end in (other, slave):
        os.close(end)


def test_nothing_plugged_in_is_said(clock: SimulatedClock) -> None:
    with SerialPort("auto", DiceLink(DICE), Heard(), clock, find=lambda _: []) as port:
        assert port.wait_until(lambda port: "no receiver is plugged in" in port.why, LIMIT_S)
        assert "no receiver is plugged in" in port.health().troubles()[0]


def test_silent_port_that_was_named_stays_open_and_is_shown(clock: SimulatedClock) -> None:
    with SerialPort("loop://", DiceLink(DICE), Heard(), clock, greet_s=0.0) as port:
        assert port.wait_until(lambda port: port.bytes_received > 0, LIMIT_S)
        assert port.state == "connected"
        assert "no receiver has answered" in port.health().troubles()[0]


@pytest.mark.parametrize(
    ("fails", "quick"), [(None, True), (ValueError("no"), False), (NotImplementedError, False)]
)
def test_low_latency_is_asked_for_where_the_driver_has_it(
    mocker: MockerFixture, clock: SimulatedClock, fails: Any, quick: bool
) -> None:
    driver = mocker.Mock()
    driver.in_waiting = 0
    driver.read.return_value = b""
    driver.set_low_latency_mode.side_effect = fails
    opened = mocker.patch("hardware.serial_port.serial.serial_for_url", return_value=driver)
    with SerialPort("/dev/any", DiceLink(DICE), Heard(), clock) as port:
        assert at_state(port, "connected")
        assert port.health().is_quick is quick
    driver.set_low_latency_mode.assert_called_with(True)
    assert opened.call_args.kwargs["exclusive"] is True


def test_unknown_kind_of_url_is_an_error_that_says_what_to_write(clock: SimulatedClock) -> None:
    with pytest.raises(ConfigError, match=r"got 'smoke://signals'.*write for example /dev/tty"):
        SerialPort("smoke://signals", DiceLink(DICE), Heard(), clock)
