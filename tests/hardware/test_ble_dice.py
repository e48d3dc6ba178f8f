import builtins
import inspect
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from companion.clock import SimulatedClock
from companion.dice import Die
from companion.errors import ConfigError
from hardware.ble_dice import WITHIN_S, BleDice, checked_peer
from hardware.ble_radio import bleak_radio
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMoved,
    DieSettled,
    LinesLost,
    Message,
    Watermark,
    WiredDie,
)
from hardware.rolls import RollCollector
from hardware.simulated_ble import SimulatedGoDie, SimulatedPixel, SimulatedRadio

LIMIT_S = 10.0
FACES = {"1": "dragon", "2": "blank", "3": "blank", "4": "blank", "5": "blank", "6": "blank"}
PEERS = {"ruby": "pixels PX", "rose": "godice GO"}
DICE = {"ruby": WiredDie("red-1", FACES), "rose": WiredDie("red-2", FACES)}


class Table:
    """Two Bluetooth dice, whoever listens to them, and what was told."""

    def __init__(self, *, is_old: bool = False) -> None:
        self.pixel, self.go_die = SimulatedPixel("PX", is_old=is_old), SimulatedGoDie("GO")
        self.messages: list[Message] = []
        self.heard = threading.Condition()
        self.clock = SimulatedClock(5.0)
        radio = SimulatedRadio(self.pixel, self.go_die)
        self.dice = BleDice(
            PEERS, DICE, self.take, self.clock, radio=radio, back_off_s=(0.01, 0.05)
        )

    def take(self, messages: list[Message]) -> None:
        with self.heard:
            self.messages += [one for one in messages if not isinstance(one, Watermark)]
            self.heard.notify_all()

    def waits_for(self, count: int) -> list[Message]:
        with self.heard:
            assert self.heard.wait_for(lambda: len(self.messages) >= count, LIMIT_S), self.messages
            told, self.messages = self.messages[:count], self.messages[count:]
            return told

    def meets_both(self) -> None:
        is_whole = self.dice.wait_until(lambda dice: dice.why == "", LIMIT_S)
        assert is_whole, self.dice.why


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    with table.dice:
        yield table


def test_dice_of_both_makers_tell_the_same_messages(table: Table) -> None:
    table.meets_both()
    assert table.waits_for(1) == [DieLies("red-1", "dragon", 5.0, WITHIN_S)]
    table.pixel.handle()
    table.pixel.roll(3)
    assert table.waits_for(3) == [
        DieHeld("red-1", 5.0, WITHIN_S),
        DieMoved("red-1", 5.0, WITHIN_S),
        DieSettled("red-1", "blank", 5.0, WITHIN_S),
    ]
    table.go_die.roll(1)
    assert table.waits_for(2) == [
        DieMoved("red-2", 5.0, WITHIN_S),
        DieSettled("red-2", "dragon", 5.0, WITHIN_S),
    ]


def test_crooked_false_and_small_moves_are_no_rolls(table: Table) -> None:
    table.meets_both()
    table.waits_for(1)
    table.go_die.roll(1, crooked=True)
    table.go_die.put_down(2)
    table.go_die.put_down(1, fake=False)
    kinds = [type(one) for one in table.waits_for(4)]
    assert kinds == [DieMoved, DieCrooked, DieLies, DieLies]
    table.pixel.handle()
    table.pixel.put_down(2)
    assert [type(one) for one in table.waits_for(2)] == [DieHeld, DieLies]


def test_old_firmware_puts_a_die_down_without_rolling_it() -> None:
    table = Table(is_old=True)
    with table.dice:
        table.meets_both()
        table.waits_for(1)
        table.pixel.handle()
        table.pixel.put_down(1)
        table.pixel.roll(1)
        kinds = [type(one) for one in table.waits_for(4)]
    assert kinds == [DieHeld, DieLies, DieMoved, DieSettled]


def test_die_that_goes_is_in_doubt_and_lies_there_when_it_comes_back(table: Table) -> None:
    table.meets_both()
    table.waits_for(1)
    table.pixel.goes_away()
    assert table.waits_for(1) == [LinesLost(0, "ruby was not connected", "red-1")]
    assert "ruby is out of reach" in table.dice.why
    assert table.dice.state == "connected"
    assert "red-1: it is not heard any more" in " ".join(table.dice.health().troubles())
    table.pixel.roll(6)  # nobody hears it
    table.pixel.comes_back()
    assert table.waits_for(1) == [DieLies("red-1", "blank", 5.0, WITHIN_S)]
    assert table.pixel.times_connected == 2


def test_same_collector_makes_the_same_rolls(table: Table) -> None:
    red = [Die(name, "red", ("dragon", "blank")) for name in ("red-1", "red-2")]
    collector = RollCollector(red, "ble:dice")
    collector.expect(["red-1", "red-2"], 2)
    table.meets_both()
    table.pixel.roll(1)
    table.go_die.roll(2)
    (report,) = [r for message in table.waits_for(5) for r in collector.take(message)]
    assert report.action.faces == {"red-1": "dragon", "red-2": "blank"}  # type: ignore[union-attr]
    assert report.within_s == WITHIN_S


def test_health_shows_battery_signal_and_faces(table: Table) -> None:
    table.meets_both()
    table.waits_for(1)
    table.go_die.roll(1)
    table.waits_for(2)
    health = table.dice.health()
    pixel, go_die = health.dice
    assert (pixel.name, pixel.face, pixel.battery_percent, pixel.sides) == (
        "red-1",
        "dragon",
        77,
        6,
    )
    assert (go_die.battery_percent, go_die.signal_dbm, go_die.motion) == (66, -60, "lying")
    assert (health.who, health.troubles()) == ("bluetooth", [])


def test_blinking_reaches_the_die_and_other_wishes_are_refused(table: Table) -> None:
    table.meets_both()
    asked = table.dice.ask("BLINK", "rose")
    assert asked.wait(LIMIT_S)
    assert asked.is_done
    assert table.go_die.written[-1][0] == 16
    assert table.dice.ask("NAME", "rose", "lily").why != ""
    assert table.dice.ask("BLINK", "nobody").answer == "unknown_die"


def test_watermark_stays_behind_the_present(table: Table) -> None:
    marks: list[float] = []
    came = threading.Event()

    def take(messages: list[Message]) -> None:
        marks.extend(one.at_s for one in messages if isinstance(one, Watermark))
        if marks:
            came.set()

    table.dice._on_messages = take
    assert came.wait(LIMIT_S)
    assert marks[0] == 4.8


def test_noise_of_the_radio_is_counted_and_never_raised(table: Table) -> None:
    table.meets_both()
    table.waits_for(1)
    table.pixel.says(b"\xff\x00\x01")
    table.pixel.handle()
    table.waits_for(1)
    assert table.dice.counts.foreign == 1


def test_die_of_another_maker_is_said_so() -> None:
    radio = SimulatedRadio(SimulatedGoDie("GO"))
    dice = BleDice(
        {"rose": "pixels GO"}, DICE, print, SimulatedClock(), radio=radio, back_off_s=(0.01, 0.05)
    )
    with dice:
        assert dice.wait_until(lambda dice: "is the maker right?" in dice.why, LIMIT_S)
        assert dice.state == "connecting"


def test_radio_that_fails_in_an_unheard_of_way_is_tried_again() -> None:
    radio, calls = SimulatedRadio(SimulatedPixel("PX")), []
    find = radio.find

    async def fails_once(address: str, gone: Any) -> Any:
        calls.append(address)
        if len(calls) == 1:
            raise LookupError("the driver has lost its way")
        return await find(address, gone)

    radio.find = fails_once  # type: ignore[method-assign]
    dice = BleDice(
        {"ruby": "pixels PX"}, DICE, print, SimulatedClock(), radio=radio, back_off_s=(0.01, 0.05)
    )
    with dice:
        assert dice.wait_until(lambda dice: dice.state == "connected", LIMIT_S)
    assert len(calls) >= 2


def test_close_lets_the_dice_go_and_ends_the_thread(table: Table) -> None:
    before = threading.active_count()
    table.meets_both()
    table.dice.close()
    table.dice.close()
    assert table.dice.state == "closed"
    assert threading.active_count() < before + 1


@pytest.mark.parametrize("setting", ["pixels", "dnd AA:BB", "", "godice "])
def test_settings_that_do_not_fit_say_what_to_write(setting: str) -> None:
    with pytest.raises(ConfigError, match='write for example "pixels E0:5A'):
        checked_peer(setting)


def test_library_that_is_missing_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("bleak"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConfigError, match=r"pip install 'table-companion\[ble\]'"):
        bleak_radio()


def test_bleak_has_what_is_used_of_it() -> None:
    bleak = pytest.importorskip("bleak", reason="needs the extra ble")
    assert "disconnected_callback" in inspect.signature(bleak.BleakClient).parameters
    for name in ("connect", "disconnect", "start_notify", "write_gatt_char", "services"):
        assert hasattr(bleak.BleakClient, name)
    found = inspect.signature(bleak.BleakScanner.find_device_by_filter).parameters
    assert "timeout" in found
    assert bleak_radio().faults
