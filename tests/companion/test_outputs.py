"""Lamps, strip, voice and buttons, joined to a room as the settings want them."""

import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from companion.actions import Chose, Report, Rolled, Undo
from companion.app import Companion
from companion.clock import RealClock, SimulatedClock
from companion.config import AlertSettings, DiceSettings, PinSettings
from companion.errors import ConfigError
from companion.games import GAMES
from companion.inbox import Inbox
from companion.outputs import house_outputs, join
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.real_room import RealRoom
from companion.referee import Referee
from companion.simulation import SimulatedRoom
from companion.words import say, word
from hardware.pins import choose_pins
from hardware.simulated_wled import SimulatedWled

ROLL = Rolled({"white-1": "diamond", "white-2": "diamond", "white-3": "troll", "white-4": "troll"})
BUTTONS = PinSettings().buttons


def soon(fits, limit_s=15.0):
    until_s, pause = time.monotonic() + limit_s, threading.Event()
    while not fits():
        if time.monotonic() > until_s:
            return False
        pause.wait(0.005)
    return True


def outputs(**given):
    pins = given.pop("pins", PinSettings())
    return house_outputs(AlertSettings(**given), pins, speaks=True, choice=choose_pins(real=False))


def test_light_of_a_real_table_keeps_steady_while_its_cameras_read():
    referee, clock = Referee(GAMES["troll_and_dragon"], some_players(2)), RealClock()
    room = RealRoom(referee, Inbox(clock), clock, DiceSettings())
    room.trays = SimpleNamespace(reading=None)
    room.square = SimpleNamespace(sensor=SimpleNamespace(reading=None))
    house = outputs(voice=False)
    join(room, house, referee, clock)
    assert room.trays.reading == room.square.sensor.reading == house.alerts.reading


class AtTheTable:
    """A real room whose pins are taken for real ones, and a thread that decides."""

    def __init__(self):
        house = outputs(voice=False)
        choice = msgspec.structs.replace(house.choice, is_real=True)
        self.outputs = replace(house, choice=choice)
        clock = RealClock()
        self.referee = Referee(GAMES["troll_and_dragon"], some_players(3))
        inbox = Inbox(clock)
        self.room = RealRoom(self.referee, inbox, clock, DiceSettings())
        self.companion = Companion(
            self.referee, inbox, clock, journal=None, number=1, alerts=self.outputs.alerts
        )
        join(self.room, self.outputs, self.referee, clock)
        self.outputs.alerts.start()
        self.companion.begin(self.room)
        self.thread = threading.Thread(target=self.companion.run, daemon=True)
        self.thread.start()

    def hold(self, seat, for_s):
        """Press a button, with bouncing contacts."""
        pin, pause = self.outputs.choice.factory.pin(BUTTONS[seat]), threading.Event()
        for _ in range(3):
            pin.drive_low()
            pause.wait(0.0008)
            pin.drive_high()
        pin.drive_low()
        pause.wait(for_s)
        pin.drive_high()
        pause.wait(0.1)  # a finger is not faster

    def level(self, name):
        return next(lamp["level"] for lamp in self.outputs.alerts.lamps() if lamp["name"] == name)

    def close(self):
        self.companion.stop()
        self.thread.join(10)
        self.room.close()
        self.outputs.alerts.close()


@pytest.fixture
def table():
    table = AtTheTable()
    yield table
    table.close()


def test_real_button_leaves_the_cave_and_a_long_press_takes_it_back(table):
    table.companion.inbox.put(Report(ROLL, source="web"))
    assert soon(lambda: table.level("seat-1") > 0.5)
    table.hold(0, 0.12)
    assert soon(lambda: table.referee.number == 2)
    report = table.referee.history[-1].report
    assert (report.action, report.source) == (Chose("ann", "leave"), "buttons")
    assert soon(lambda: table.referee.table.active == "bo")
    table.hold(0, 1.2)
    assert soon(lambda: table.referee.number == 3)
    assert isinstance(table.referee.history[-1].report.action, Undo)
    assert soon(lambda: table.level("seat-1") > 0.5)
    assert [row["name"] for row in table.room.sources()] == ["buttons"]


def test_simulated_people_press_buttons_and_light_follows_their_seats():
    clock, lit = SimulatedClock(), []
    referee = Referee(GAMES["troll_and_dragon"], some_players(2))
    inbox = Inbox(clock)
    companion = Companion(referee, inbox, clock, journal=None, number=1)
    room = SimulatedRoom(referee, inbox, clock, CameraQuestions(companion), seed=4, speed=None)
    room.fingers.light = lambda seats: lit.append(tuple(seats))
    companion.begin(room)
    while not any(s.report.source == "buttons" for s in referee.history) and referee.number < 200:
        if not companion.decide():
            room.advance(inbox.next_due_s(referee.offers))
    room.close()
    pressed = next(step.report for step in referee.history if step.report.source == "buttons")
    assert pressed.action.choice == "leave"
    assert pressed.within_s > 0
    assert len(set(lit)) > 1


def test_strip_and_voice_are_shown_and_end_with_the_alerts(tmp_path, monkeypatch):
    program = tmp_path / "espeak-ng"
    program.write_text("#!/bin/sh\ncat > /dev/null\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("hardware.wled.ASK_S", 0.2)
    with SimulatedWled() as wled:
        house = outputs(wled=wled.url)
        with house.alerts:
            assert soon(lambda: [row["state"] for row in house.rows()] == ["ok", "ok"])
            assert [row["label"] for row in house.rows()] == ["Simulated strip", "Voice"]
            wled.pull_out()
            assert soon(lambda: house.rows()[0]["state"] == "lost", limit_s=20)
            assert "no answer" in house.rows()[0]["detail"]
    assert not house.voice._thread.is_alive()


def test_table_speaks_the_language_of_its_house(tmp_path, monkeypatch):
    program, heard = tmp_path / "espeak-ng", tmp_path / "heard"
    program.write_text(f'#!/bin/sh\necho "$2: $(cat)" >> {heard}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    house = outputs(language="de")
    with house.alerts:
        house.alerts._voice.say(say("A second {face} opens nothing.", face=word("key")), 9)
        house.alerts._voice.say("The Troll!", 9)  # a title is its own message
        assert soon(lambda: heard.exists() and heard.read_text().count("\n") == 2)
    assert heard.read_text() == "de: Doppelt öffnet nichts: Schlüssel.\nde: Der Troll!\n"


def test_settings_reach_the_lamps(tmp_path):
    own = Path(tmp_path, "mine.toml")
    families = ("turn", "good", "bad", "hurry", "over", "note")
    own.write_text("".join(f"[families.{name}]\npriority = 1\n" for name in families))
    house = outputs(
        cues=str(own), quiet=True, volume=0.5, pins=PinSettings(seats=(2,)), voice=False
    )
    assert house.alerts.manner.quiet
    assert house.alerts.manner.volume == 0.5
    assert "seat-2" not in [lamp["name"] for lamp in house.alerts.lamps()]
    assert house.rows() == []
    house.alerts.close()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"near_tray": ("moon",)}, r"near_tray: expected names of lamps \(table, troll-1.*'moon'"),
        ({"wled": "ftp://x"}, r"\[alerts\] wled: expected an address"),
        ({"cues": "/nowhere.toml"}, "nowhere.toml: expected a readable file"),
        ({"pins": PinSettings(buzzer=26)}, "got BCM 26 for Buzzer and for Dragon"),
    ],
)
def test_settings_that_do_not_fit_are_errors(given, message):
    with pytest.raises(ConfigError, match=message):
        outputs(**given)
