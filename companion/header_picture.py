"""The header as a picture, each lamp in turn, and everything dark: what `companion pins` does."""

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from companion.config import PinSettings, load_config
from companion.protocol import encode
from hardware.header import Header, HeaderPin, header
from hardware.lamps import Lamps
from hardware.pins import PinChoice, Wiring, choose_pins, wiring

SHINE_S = 0.7
NOTES = ("C4", "E4", "G4")
COLOURS = {"3V3": "orange3", "5V": "red", "GND": "bright_black"}


def show(
    config_path: Path | None, board: str | None, console: Console, *, test: bool, as_json: bool
) -> None:
    """Draw the header of a board, and (`test`) light each lamp in turn."""
    wired, choice = wired_as(config_path), choose_pins()
    drawn = header(wired, board, choice)
    if as_json:
        sys.stdout.buffer.write(encode(msgspec.to_builtins(drawn)) + b"\n")
    else:
        draw(drawn, console)
    if test:
        light_each(wired, choice, console, time.sleep)


def darken(config_path: Path | None, console: Console) -> None:
    """Take every lamp's pin, switch it off, and give it back."""
    wired, choice = wired_as(config_path), choose_pins()
    Lamps(choice, len(wired.seats), wiring=wired).close()
    console.print("dark" if choice.is_real else f"nothing to switch off: {choice.why}")


def wired_as(config_path: Path | None) -> Wiring:
    """The wiring that the settings tell; as shipped where there are none."""
    usual = Path("companion.toml")
    config = load_config(config_path or (usual if usual.is_file() else None))
    return table_wiring(config.pins)


def table_wiring(settings: PinSettings) -> Wiring:
    """The wiring of a table; raises ConfigError for a pin that would carry two things."""
    return wiring(**msgspec.structs.asdict(settings))


def draw(drawn: Header, console: Console) -> None:
    """Print the header, as one sees it with the pins up and number 1 at the upper left."""
    rows = Table(title=escape(drawn.board), show_header=False, box=None, padding=(0, 1))
    for side in ("right", "right", "right", "left", "left", "left"):
        rows.add_column(justify="right" if side == "right" else "left", no_wrap=True)
    for left, right in drawn.rows:
        a, b = cells(left), cells(right)
        rows.add_row(a[0], a[1], a[2], b[2], b[1], b[0])
    console.print(rows)


def cells(pin: HeaderPin) -> tuple[str, str, str]:
    """What it carries, what it is, and its number, in colours."""
    colour = COLOURS.get(pin.name, "green" if pin.carries else "white")
    bold = "bold " if pin.carries else ""
    number = f"[{bold}{colour}]({pin.number:2})[/]"
    return f"[bold]{escape(pin.carries)}[/]", f"[{bold}{colour}]{pin.name}[/]", number


def light_each(
    wired: Wiring, choice: PinChoice, console: Console, sleep: Callable[[float], None]
) -> None:
    """Light each LED for a moment, one after the other, then sound the buzzer."""
    if not choice.is_real:
        console.print(f"These pins are simulated: {choice.why}", markup=False)
    with contextlib.closing(Lamps(choice, len(wired.seats), wiring=wired)) as lamps:
        now_s = 0.0
        for lamp in lamps.all:
            for led in range(lamp.leds):
                part = f" {('red', 'green', 'blue')[led]}" if lamp.leds == 3 else ""
                console.print(f"{lamp.label}{part}: BCM {lamp.pins[led]}", markup=False)
                levels = tuple(float(one == led) for one in range(lamp.leds))
                lamps.shine({lamp.name: levels}, now_s)
                sleep(SHINE_S)
                now_s += SHINE_S
        lamps.dark()
        console.print(f"Buzzer: BCM {wired.buzzer}", markup=False)
        for note in NOTES:
            lamps.sound(note)
            sleep(SHINE_S / 2)
