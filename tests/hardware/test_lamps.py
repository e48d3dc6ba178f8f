import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.exc import GPIOPinInUse
from pytest_mock import MockerFixture

from hardware import pins
from hardware.lamps import STATES_KEPT, Lamps
from hardware.pins import PinChoice, choose_pins


@pytest.fixture
def choice() -> PinChoice:
    return choose_pins(real=False)


@pytest.fixture
def lamps(choice: PinChoice) -> Iterator[Lamps]:
    lamps = Lamps(choice)
    yield lamps
    lamps.close()


def level(choice: PinChoice, pin: int) -> float:
    return float(choice.factory.pin(pin).state)


def all_dark(choice: PinChoice) -> bool:
    return all(not pin.state for pin in choice.factory.pins.values())


def test_everything_is_dark_after_power_up(choice: PinChoice, lamps: Lamps) -> None:
    assert len(choice.factory.pins) == 14
    assert all_dark(choice)
    assert lamps.note is None


def test_lamps_shine_on_the_pins_of_the_table(choice: PinChoice, lamps: Lamps) -> None:
    lamps.shine({"table": (0.5, 0.4, 0.3), "troll-2": (0.8,), "dragon": (1.0,)}, 0.0)
    assert [level(choice, pin) for pin in (17, 27, 22)] == [0.5, 0.4, 0.3]
    assert [level(choice, pin) for pin in (5, 6, 13, 19)] == [0.0, 0.8, 0.0, 0.0]
    assert level(choice, 26) == 1.0
    lamps.shine({"seat-3": (0.2,)}, 1.0)
    assert level(choice, 25) == 0.2
    assert level(choice, 26) == 0.0


def test_buzzer_sounds_and_falls_silent(choice: PinChoice, lamps: Lamps) -> None:
    lamps.sound("A4")
    assert lamps.note == "A4"
    assert choice.factory.pin(pins.BUZZER).frequency == pytest.approx(440)
    lamps.sound(None)
    assert choice.factory.pin(pins.BUZZER).state == 0


def test_strobe_does_not_reach_the_pins(choice: PinChoice, lamps: Lamps) -> None:
    rises, before = 0, 0.0
    for hundredth in range(100):
        lamps.shine({"dragon": (float(hundredth % 2),)}, hundredth / 100)
        rises += level(choice, 26) > before
        before = level(choice, 26)
    assert rises == 3


def test_memory_of_mock_pins_does_not_grow_for_ever(choice: PinChoice, lamps: Lamps) -> None:
    for second in range(5 * STATES_KEPT):
        lamps.shine({"dragon": (second % 2 * 1.0,), "table": (0.5, 0.5, second % 2)}, second)
        lamps.sound("C4" if second % 2 else "D4")
    assert max(len(pin.states) for pin in choice.factory.pins.values()) <= STATES_KEPT + 2


def test_close_goes_dark_and_gives_the_pins_back(choice: PinChoice, lamps: Lamps) -> None:
    lamps.shine({"table": (1.0, 1.0, 1.0), "dragon": (1.0,)}, 0.0)
    lamps.sound("C4")
    lamps.close()
    lamps.close()
    assert all_dark(choice)
    assert lamps.levels["dragon"] == (0.0,)
    lamps.shine({"dragon": (1.0,)}, 10.0)
    lamps.sound("C4")
    assert all_dark(choice)
    Lamps(choice).close()


def test_pins_that_are_taken_are_an_error_and_leave_no_light(choice: PinChoice) -> None:
    with contextlib.closing(Lamps(choice)) as first:
        first.shine({"dragon": (1.0,)}, 0.0)
        with pytest.raises(GPIOPinInUse):
            Lamps(choice)
        assert level(choice, 26) == 1.0


def test_one_broken_lamp_does_not_keep_the_others_lit(
    choice: PinChoice, lamps: Lamps, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    lamps.shine({"table": (1.0, 1.0, 1.0), "dragon": (1.0,)}, 0.0)
    mocker.patch.object(lamps._leds["table"], "off", side_effect=OSError("gone"))
    lamps.close()
    assert level(choice, 26) == 0.0
    assert "could not be switched off" in caplog.text


def test_number_of_seats_is_respected(choice: PinChoice) -> None:
    lamps = Lamps(choice, seats=2)
    assert [lamp.name for lamp in lamps.all if lamp.name.startswith("seat")] == ["seat-1", "seat-2"]
    lamps.close()


ENDING = """
import sys
from hardware.lamps import Lamps
from hardware.pins import choose_pins
choice = choose_pins(real=False)
lamps = Lamps(choice)
lamps.shine({{"dragon": (1.0,)}}, 0.0)
pin = choice.factory.pin(26)
before = pin.state
off = type(lamps._leds["dragon"]).off
def tell(led):
    off(led)
    if led.pin is pin:
        print(before, pin.state, flush=True)
type(lamps._leds["dragon"]).off = tell
{end}
"""


@pytest.mark.parametrize("end", ["pass", "sys.exit(3)", "raise RuntimeError('bug')"])
def test_lamps_go_dark_however_the_program_ends(end: str) -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", ENDING.format(end=end)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["1.0", "0.0"]
