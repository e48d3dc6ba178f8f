"""The doctor looks through cameras and listens to what is joined to the table."""

import threading

import numpy as np
import pytest
from doctor_parts import NAMED, ClosedPin, machines_in

from camera.health import CameraTrouble
from camera.source import Frame
from companion.clock import SimulatedClock
from companion.config import AlertSettings, Config, game_named
from companion.dice_station import SimulatedHand
from companion.doctor import joined
from companion.doctor.finding import Finding
from companion.doctor.listening import listen_to_dice
from companion.doctor.looks import FRAMES, CameraLooks, first_camera, looks_of
from companion.doctor.machine import Machine, fetch
from companion.wiring import dice_of
from hardware.buttons import stuck
from hardware.dice_findings import DiceFinding
from hardware.pins import PinChoice, mock_pins
from hardware.simulated_wled import SimulatedWled


@pytest.fixture
def machine(tmp_path):
    return machines_in(tmp_path)


# --- what is joined to the table ------------------------------------------------------------------


def test_doctor_listens_to_a_receiver_and_its_dice(machine):
    hand = SimulatedHand(dice_of(game_named("troll_and_dragon")))
    settings = Config(dice=hand.settings())
    with hand:
        told = listen_to_dice(settings)
    listened = machine(settings=settings, dice=lambda: told)
    assert joined.check_greeting(listened).state == "ok"
    assert "firmware simulated" in joined.check_greeting(listened).finding
    assert "nobody has said which die" in joined.check_smart_dice(listened).finding
    assert joined.check_line(listened).state == "ok"


def test_nothing_is_opened_while_a_game_may_be_in_play(tmp_path):
    table = Machine.here(tmp_path / "j", None, Config(dice=NAMED), eyes=False)
    for check in (joined.check_greeting, joined.check_line, joined.check_smart_dice):
        assert check(table).state == "none"
    assert joined.check_buttons(table).state == "none"


def test_several_things_that_were_heard_are_one_finding_as_bad_as_the_worst():
    heard = [
        DiceFinding("smart_dice", "ok", "1 of 2 heard"),
        DiceFinding("smart_dice", "note", "d1: low"),
        DiceFinding("smart_dice", "bad", "d2: odd", "charge it"),
    ]
    assert joined.told("dice", heard) == Finding("dice", "bad", "d1: low; d2: odd", "charge it")


def test_button_that_is_pressed_for_a_moment_is_not_stuck():
    factory = mock_pins()
    opens = threading.Timer(0.05, factory.pin(4, pin_class=ClosedPin).drive_high)
    factory.pin(7, pin_class=ClosedPin)
    opens.start()
    assert stuck(PinChoice(factory, True, ""), [4, 8], for_s=5.0) == []
    opens.join()
    assert stuck(PinChoice(factory, True, ""), [7, 8], for_s=0.01) == [7]


def test_strip_on_the_network_is_found(machine):
    with SimulatedWled() as wled:
        settings = Config(alerts=AlertSettings(wled=wled.url))
        found = joined.check_strip(machine(settings=settings, fetch=fetch))
    assert found.state == "ok"
    assert "WLED 0.14.4" in found.finding


class Lens:
    """A camera that gives so many pictures before it is unplugged."""

    def __init__(self, count):
        self.count, self.is_closed = count, False

    def read(self):
        if self.count == 0:
            raise CameraTrouble("lost", "no picture any more")
        self.count -= 1
        return Frame(1.0 / (self.count + 1), np.full((8, 8, 3), self.count % 256, np.uint8))

    def close(self):
        self.is_closed = True


# --- looking through a camera ---------------------------------------------------------------------


@pytest.mark.parametrize(("count", "seen", "why"), [(100, FRAMES, ""), (3, 3, "no picture")])
def test_camera_is_looked_through_and_given_back(count, seen, why):
    lens = Lens(count)
    found = looks_of(lambda: lens, SimulatedClock())
    assert len(found.looks) == seen
    assert found.why.startswith(why)
    assert lens.is_closed


def test_camera_that_cannot_be_opened_says_why():
    def busy():
        raise CameraTrouble("busy", "another program has the camera")

    assert looks_of(busy, SimulatedClock()) == CameraLooks(why="another program has the camera")


@pytest.mark.parametrize(
    ("files", "has_picamera", "name"),
    [
        ([], True, ""),
        (["video10", "video0"], True, "picamera"),
        (["video0"], False, "{dev}/video0"),
        (
            ["video0", "v4l/by-id/usb-Cam-video-index0", "v4l/by-id/usb-Cam-video-index1"],
            True,
            "{dev}/v4l/by-id/usb-Cam-video-index0",
        ),
    ],
)
def test_camera_that_a_table_would_take_is_found(tmp_path, files, has_picamera, name):
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert first_camera(tmp_path, has_picamera=has_picamera) == name.format(dev=tmp_path)
