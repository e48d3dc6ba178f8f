"""Which pin carries what: the one table, the wiring, and where the pins come from.

Numbers are Broadcom's (BCM), as gpiozero counts. Each LED has its long leg (anode) at the pin with
a resistor of 220 to 470 ohms, and its short leg (cathode, flat side) to ground; so it is dark while
the pin is low, or no output at all, as after power-up.

| what         | BCM            | on the header  | part and wiring                               |
| ------------ | -------------- | -------------- | --------------------------------------------- |
| table lamp   | 17 27 22       | 11 13 15       | RGB LED, common cathode: red, green, blue     |
| Troll bar    | 5 6 13 19      | 29 31 33 35    | four amber LEDs in a row, farthest first      |
| Dragon lamp  | 26             | 37             | one big orange LED (amber, never red)         |
| seats 1 to 5 | 23 24 25 12 16 | 16 18 22 32 36 | a white LED a seat, clockwise from the first  |
| buzzer       | 18             | 12             | passive piezo buzzer, other leg to ground     |
| ground       |                | 9 14 20 25 39  | any of them                                   |

A Pi's pin gives 16 mA at most, all together 50 mA: bigger lamps want a transistor each. BCM 4, 7,
8, 20 and 21 are left for one button a seat; 2 and 3 (I2C), 14 and 15 (serial console) stay free.
"""

import importlib
import warnings
from pathlib import Path
from typing import Any

import msgspec
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import DeviceError


class Lamp(msgspec.Struct, frozen=True):
    """One lamp: its name, what people call it, its pins (BCM), and its colour as `#rrggbb`.

    A lamp with three pins is red, green and blue, and takes its colour from them.
    """

    name: str
    label: str
    pins: tuple[int, ...]
    colour: str


TABLE = Lamp("table", "Table lamp", (17, 27, 22), "#ffffff")
TROLL = tuple(
    Lamp(f"troll-{n}", f"Troll {n}", (pin,), "#ffb02e") for n, pin in enumerate((5, 6, 13, 19), 1)
)
DRAGON = Lamp("dragon", "Dragon", (26,), "#ff8a1f")
SEATS = tuple(
    Lamp(f"seat-{n}", f"Seat {n}", (pin,), "#eaf2ff")
    for n, pin in enumerate((23, 24, 25, 12, 16), 1)
)
BUZZER = 18

MODEL = "proc/device-tree/model"


class PinChoice(msgspec.Struct, frozen=True):
    """Where the pins come from: gpiozero's factory, whether they are real, and why."""

    factory: Any
    is_real: bool
    why: str


def choose_pins(real: bool | None = None, root: Path = Path("/")) -> PinChoice:
    """Choose real pins on a Pi that has what it takes, and gpiozero's own mock pins elsewhere.

    real  True: real pins or DeviceError; False: mock pins; None: real ones if they can be had.
    root  where `proc` and `dev` are looked for.
    """
    missing = "simulated pins were asked for" if real is False else _missing(root)
    if missing is None:
        try:
            lgpio = importlib.import_module("gpiozero.pins.lgpio")
            return PinChoice(lgpio.LGPIOFactory(), True, "this is a Raspberry Pi with lgpio")
        except Exception as error:  # lgpio.error is a bare Exception, and cannot be named here
            missing = f"the pins cannot be opened ({error}); add the user to the group gpio"
    if real:
        raise DeviceError(f"pins: expected a Raspberry Pi's, but {missing}")
    return PinChoice(mock_pins(), False, missing)


def mock_pins() -> Any:
    """A factory of gpiozero's own mock pins, with pulse width modulation."""
    return MockFactory(pin_class=MockPWMPin)


def _missing(root: Path) -> str | None:
    try:
        model = (root / MODEL).read_bytes().rstrip(b"\0").decode()
    except (OSError, UnicodeDecodeError):
        model = ""
    if "Raspberry Pi" not in model:
        return "this is no Raspberry Pi"
    if not sorted((root / "dev").glob("gpiochip*")):
        return "there is no /dev/gpiochip; update Raspberry Pi OS"
    return _missing_lgpio()


def _missing_lgpio() -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lgpio = importlib.import_module("lgpio")
    except (ImportError, OSError) as error:
        return f"lgpio is missing ({error}); apt install python3-lgpio"
    # For some Pythons the package index has an empty module of this name.
    if not hasattr(lgpio, "gpiochip_open"):
        return "the lgpio that is installed is an empty placeholder; apt install python3-lgpio"
    return None
