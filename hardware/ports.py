"""Finds the serial port of a receiver: by its path, by its USB id, or by trying those there are.

A setting is one of

    auto                    any port whose USB id is that of a board that receivers are made of
    usb:303a:1001           the port with this USB id (vendor:product, in hex) ...
    usb:303a:1001:94A1C3    ... and this serial number
    /dev/serial/by-id/...   a path, or a URL of pyserial (`socket://host:port`, `loop://`)

A path under /dev/serial/by-id is preferred to /dev/ttyACM0, which changes with the order in which
things are plugged in.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import serial
from serial.tools import list_ports

from companion.errors import ConfigError
from companion.field_words import reason
from companion.words import say

AUTO = "auto"
BY_ID = Path("/dev/serial/by-id")
# Boards with an ESP32-C3/S3, the likeliest first. Bridge chips sit on many other things, too: who
# does not greet is left alone.
RECEIVERS = {
    "303a:1001": "ESP32-C3/S3, USB of the chip itself",
    "303a:4001": "ESP32-S3, USB of MicroPython",
    "10c4:ea60": "board with a CP210x bridge",
    "1a86:55d3": "board with a CH343 bridge",
    "1a86:55d4": "board with a CH9102 bridge",
    "1a86:7523": "board with a CH340 bridge",
    "0403:6001": "board with an FT232R bridge",
    "0403:6015": "board with an FT230X bridge",
}


class FoundPort(msgspec.Struct, frozen=True):
    """A serial port of this machine.

    path    where to open it, under /dev/serial/by-id if it is there.
    device  as the system calls it (`/dev/ttyACM0`).
    usb_id  `vendor:product` in small hex digits; empty if it is no USB port.
    """

    path: str
    device: str
    usb_id: str = ""
    serial_number: str = ""
    description: str = ""

    @property
    def may_be_receiver(self) -> bool:
        """True if receivers are made of such boards."""
        return self.usb_id in RECEIVERS


def find_ports(
    listed: Callable[[], Iterable[Any]] = list_ports.comports, by_id: Path = BY_ID
) -> list[FoundPort]:
    """The serial ports of this machine, those that may be receivers first."""
    names = _names(by_id)
    found = [_found(port, names) for port in listed()]
    order = list(RECEIVERS)
    return sorted(
        found,
        key=lambda one: (order.index(one.usb_id) if one.may_be_receiver else len(order), one.path),
    )


def ports_for(
    setting: str,
    listed: Callable[[], Iterable[Any]] = list_ports.comports,
    by_id: Path = BY_ID,
) -> list[str]:
    """Where a receiver may be right now, the likeliest first; none if nothing fits is there."""
    if setting == AUTO:
        return [port.path for port in find_ports(listed, by_id) if port.may_be_receiver]
    if setting.startswith("usb:"):
        usb_id, number = _usb(setting)
        fits = [port for port in find_ports(listed, by_id) if port.usb_id == usb_id]
        return [port.path for port in fits if number in ("", port.serial_number.lower())]
    return [setting]


def check_setting(setting: str) -> None:
    """Raise ConfigError for a setting that can never name a port."""
    if setting == AUTO:
        return
    if setting.startswith("usb:"):
        _usb(setting)
        return
    try:
        serial.serial_for_url(setting, do_not_open=True)
    except (ValueError, serial.SerialException) as error:
        raise ConfigError(
            say(
                "serial port: expected auto, usb:VENDOR:PRODUCT, a path or a pyserial URL, got "
                "{setting!r} ({why}); write for example /dev/ttyACM0",
                setting=setting,
                why=reason(error),
            )
        ) from error


def what_was_looked_for(setting: str) -> str:
    """A few words for people when nothing was found."""
    if setting == AUTO:
        known = ", ".join(RECEIVERS)
        return say("no receiver is plugged in (looked for {known} on USB)", known=known)
    return say("nothing that fits {setting} is plugged in", setting=setting)


def _names(by_id: Path) -> dict[str, str]:
    if not by_id.is_dir():
        return {}
    return {str(link.resolve()): str(link) for link in sorted(by_id.iterdir())}


def _found(port: Any, names: dict[str, str]) -> FoundPort:
    usb_id = "" if port.vid is None else f"{port.vid:04x}:{port.pid:04x}"
    return FoundPort(
        path=names.get(str(Path(port.device).resolve()), port.device),
        device=port.device,
        usb_id=usb_id,
        serial_number=port.serial_number or "",
        description=port.description or "",
    )


def _usb(setting: str) -> tuple[str, str]:
    vendor, _, rest = setting.removeprefix("usb:").lower().partition(":")
    product, _, number = rest.partition(":")
    if not (_is_hex(vendor) and _is_hex(product)):
        raise ConfigError(
            say(
                "serial port: expected usb:VENDOR:PRODUCT in four hex digits each, got "
                "{setting!r}; write for example usb:303a:1001",
                setting=setting,
            )
        )
    return f"{vendor}:{product}", number


def _is_hex(text: str) -> bool:
    return len(text) == 4 and all(letter in "0123456789abcdef" for letter in text)
