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
| buttons 1-5  | 4 7 8 20 21    | 7 26 24 38 40  | a big button a seat, other contact to ground  |
| ground       |                | 9 14 20 25 39  | any of them                                   |

A Pi's pin gives 16 mA at most, all together 50 mA: bigger lamps want a transistor each. Buttons
need no resistor: the pins' own pull-ups hold them high until a press joins them to ground. BCM 2
and 3 (I2C), 14 and 15 (serial console), 0, 1 and 9 to 11 stay free. Where a table is wired
otherwise, the section [pins] of companion.toml says so; `companion pins` shows the header with what
it carries.
"""

import importlib
import warnings
from pathlib import Path
from typing import Annotated, Any

import msgspec
from gpiozero.pins.mock import MockFactory, MockPWMPin
from msgspec import Meta

from companion.errors import ConfigError, DeviceError
from companion.field_words import reason
from companion.words import fact, mark, say

Pin = Annotated[int, Meta(ge=0, le=27)]


class Lamp(msgspec.Struct, frozen=True):
    """One lamp: its name, what people call it, its pins (BCM), and its colour as `#rrggbb`.

    A lamp with three pins is red, green and blue, and takes its colour from them; so does one
    without pins of its own, which hangs on the network.
    """

    name: str
    label: str
    pins: tuple[int, ...]
    colour: str

    @property
    def leds(self) -> int:
        """How many levels it takes."""
        return len(self.pins) or 3


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What hangs on which pin (BCM); the defaults are those of the table above.

    table    red, green and blue of the lamp over the table.
    troll    the Troll bar, farthest first.
    seats    a lamp a seat, clockwise from the first; buttons likewise.
    """

    table: tuple[Pin, Pin, Pin] = (17, 27, 22)
    troll: tuple[Pin, Pin, Pin, Pin] = (5, 6, 13, 19)
    dragon: Pin = 26
    seats: tuple[Pin, ...] = (23, 24, 25, 12, 16)
    buzzer: Pin = 18
    buttons: tuple[Pin, ...] = (4, 7, 8, 20, 21)

    def lamps(self) -> tuple[Lamp, ...]:
        """All lamps that hang on pins: table, Troll bar, Dragon, seats."""
        amber, white = "#ffb02e", "#eaf2ff"
        return (
            Lamp("table", "Table lamp", self.table, "#ffffff"),
            *(
                Lamp(f"troll-{n}", f"Troll {n}", (pin,), amber)
                for n, pin in enumerate(self.troll, 1)
            ),
            Lamp("dragon", "Dragon", (self.dragon,), "#ff8a1f"),
            *(Lamp(f"seat-{n}", f"Seat {n}", (pin,), white) for n, pin in enumerate(self.seats, 1)),
        )

    def uses(self) -> list[tuple[int, str]]:
        """Every pin that carries something, with its name for people; a pin may come twice."""
        rows = []
        for lamp in self.lamps():
            parts = (" red", " green", " blue") if len(lamp.pins) == 3 else ("",)
            rows += [(p, lamp.label + part) for p, part in zip(lamp.pins, parts, strict=True)]
        rows.append((self.buzzer, "Buzzer"))
        return rows + [(pin, f"Button {n}") for n, pin in enumerate(self.buttons, 1)]


AS_SHIPPED = Wiring()
TABLE, *_rest = AS_SHIPPED.lamps()
TROLL, DRAGON, SEATS = tuple(_rest[:4]), _rest[4], tuple(_rest[5:])
STRIP = Lamp("strip", "LED strip", (), "#ffffff")
BUZZER = AS_SHIPPED.buzzer


def wiring(**pins: Any) -> Wiring:
    """How this table is wired: as shipped, but for the pins that are named.

    Raises ConfigError for what is no pin, and for a pin that would carry two things.
    """
    try:
        chosen = msgspec.convert(pins, Wiring)
    except msgspec.ValidationError as error:
        known = ", ".join(Wiring.__struct_fields__)
        raise ConfigError(
            say("[pins]: {why}; there is {known}", why=reason(error), known=known)
        ) from error
    carried: dict[int, str] = {}
    for pin, name in chosen.uses():
        if pin in carried:
            raise ConfigError(
                say(
                    "[pins]: expected a pin of its own for each thing, got BCM {pin} for {name} "
                    "and for {carried}; `companion pins` shows which are free",
                    pin=pin,
                    name=name,
                    carried=carried[pin],
                )
            )
        carried[pin] = name
    return chosen


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
    missing = mark("simulated pins were asked for") if real is False else _missing(root)
    if missing is None:
        try:
            lgpio = importlib.import_module("gpiozero.pins.lgpio")
            return PinChoice(lgpio.LGPIOFactory(), True, mark("this is a Raspberry Pi with lgpio"))
        except Exception as error:  # lgpio.error is a bare Exception, and cannot be named here
            missing = say(
                "the pins cannot be opened ({why}); add the user to the group gpio",
                why=reason(error),
            )
    if real:
        raise DeviceError(say("pins: expected a Raspberry Pi's, but {missing}", missing=missing))
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
        return mark("this is no Raspberry Pi")
    if not sorted((root / "dev").glob("gpiochip*")):
        return mark("there is no /dev/gpiochip; update Raspberry Pi OS")
    return _missing_lgpio()


def _missing_lgpio() -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lgpio = importlib.import_module("lgpio")
    except (ImportError, OSError) as error:
        return say("lgpio is missing ({why}); apt install python3-lgpio", why=fact(error))
    # For some Pythons the package index has an empty module of this name.
    if not hasattr(lgpio, "gpiochip_open"):
        return mark(
            "the lgpio that is installed is an empty placeholder; apt install python3-lgpio"
        )
    return None
