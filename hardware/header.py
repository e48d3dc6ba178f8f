"""The 40-pin header as a picture: what each pin is, and what it carries at this table.

What the pins are is gpiozero's own data about the boards, the same that its `pinout` draws from.
"""

from typing import Any

import msgspec
from gpiozero.exc import PinUnknownPi
from gpiozero.pins.pi import PiBoardInfo

from companion.errors import ConfigError
from hardware.pins import PinChoice, Wiring

BOARDS = {
    "3B": 0xA02082,
    "3B+": 0xA020D3,
    "4B": 0xC03111,
    "400": 0xC03130,
    "5B": 0xC04170,
    "Zero2W": 0x902120,
}  # revision codes by which gpiozero knows them
USUAL = "5B"
HEADER = "J8"


class HeaderPin(msgspec.Struct, frozen=True):
    """One pin: its number on the header, its BCM number if it has one, and what it carries."""

    number: int
    name: str
    bcm: int | None
    carries: str


class Header(msgspec.Struct, frozen=True):
    """The header of one board: two pins a row, from the end where number 1 is."""

    board: str
    rows: tuple[tuple[HeaderPin, HeaderPin], ...]


def header(wiring: Wiring, board: str | None, choice: PinChoice | None = None) -> Header:
    """The header of that board; of this machine, or the usual one, if `board` is None.

    Raises ConfigError for a board that nobody knows.
    """
    info = _info(board, choice)
    carries = dict(wiring.uses())
    found = info.headers[HEADER].pins
    rows = [
        (_pin(found[number], carries), _pin(found[number + 1], carries))
        for number in range(1, len(found), 2)
    ]
    return Header(info.description, tuple(rows))


def _info(board: str | None, choice: PinChoice | None) -> Any:
    if board is None and choice is not None and choice.is_real:
        return choice.factory.board_info
    name = board or USUAL
    try:
        return PiBoardInfo.from_revision(BOARDS[name])
    except (KeyError, PinUnknownPi) as error:
        known = ", ".join(BOARDS)
        raise ConfigError(f"board: expected one of {known}, got {name!r}") from error


def _pin(found: Any, carries: dict[int, str]) -> HeaderPin:
    bcm = int(found.name[4:]) if found.name.startswith("GPIO") else None
    return HeaderPin(found.number, found.name, bcm, "" if bcm is None else carries.get(bcm, ""))
