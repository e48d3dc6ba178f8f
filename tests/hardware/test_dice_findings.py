import threading
from collections.abc import Iterator
from typing import Any

import pytest
import serial
from pseudo import bare

from companion.clock import RealClock
from hardware import dice_findings
from hardware.dice_findings import DiceFinding
from hardware.dice_messages import WiredDie
from hardware.noise import LineNoise
from hardware.simulated import SimulatedDice

DICE = {"d-a": WiredDie("red-1"), "d-b": WiredDie("red-2")}


class Receiver:
    """A simulated receiver that goes by the wall clock."""

    def __init__(self, noise: LineNoise | None = None) -> None:
        clock = RealClock()
        self.dice = SimulatedDice(DICE, noise=noise, tells_status=True)
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.drive, args=(clock,))
        self.thread.start()

    def drive(self, clock: RealClock) -> None:
        while not self.over.wait(0.01):
            self.dice.tick(clock.now_s())

    def close(self) -> None:
        self.over.set()
        self.thread.join()
        self.dice.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver()
    yield one
    one.close()


def receiver_findings(*settings: Any, **more: Any) -> list[DiceFinding]:
    """What is found, and none of it bare English on a German screen."""
    told = dice_findings.receiver_findings(*settings, **more)
    assert [text for one in told for said in (one.finding, one.fix) for text in bare(said)] == []
    return told


def by_code(findings: list[DiceFinding]) -> dict[str, DiceFinding]:
    return {one.code: one for one in findings}


def test_receiver_that_is_well_is_ok_with_its_dice(receiver: Receiver) -> None:
    told = by_code(receiver_findings(receiver.dice.port, DICE))
    assert told["receiver"].state == "ok"
    assert "simulated, firmware simulated" in told["receiver"].finding
    assert told["smart_dice"] == DiceFinding("smart_dice", "ok", "2 of 2 heard")


def test_stranger_among_the_dice_is_a_note(receiver: Receiver) -> None:
    receiver.dice.put_back("red-2", 0.0, "4")
    told = receiver_findings(receiver.dice.port, {"d-a": DICE["d-a"]})
    assert any("d-b: nobody has said which die" in one.finding for one in told)


def test_noise_on_the_line_is_counted() -> None:
    receiver = Receiver(LineNoise(1, foreign=1.0))
    told = by_code(receiver_findings(receiver.dice.port, DICE))
    receiver.close()
    assert "of other devices" in told["receiver_line"].finding


def test_port_that_is_in_use_is_a_note(receiver: Receiver) -> None:
    other = serial.serial_for_url(receiver.dice.port, exclusive=True)
    (told,) = receiver_findings(receiver.dice.port, DICE, limit_s=0.3)
    other.close()
    assert told.state == "note"
    assert "is a game running?" in told.finding


def test_port_that_is_not_there_is_bad_and_says_what_to_do() -> None:
    (told,) = receiver_findings("/nowhere/at/all", DICE, limit_s=0.3)
    assert told.state == "bad"
    assert "plug the receiver in" in told.fix


def test_device_that_is_no_receiver_is_bad() -> None:
    (told,) = receiver_findings("loop://", DICE, limit_s=0.3)
    assert told.state == "bad"
    assert "no receiver has answered" in told.finding


def test_setting_that_names_no_port_is_bad() -> None:
    (told,) = receiver_findings("usb:what", DICE)
    assert "usb:303a:1001" in told.finding


def test_nothing_is_opened_where_nothing_is_set() -> None:
    (told,) = receiver_findings("", {})
    assert told.state == "note"
    assert "none in companion.toml" in told.finding


def test_bluetooth_dice_with_a_wrong_setting_are_bad() -> None:
    told = by_code(receiver_findings("", {}, {"ruby": "dnd X"}))
    assert told["bluetooth_dice"].state == "bad"
