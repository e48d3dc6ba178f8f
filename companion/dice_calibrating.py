"""The calibration of one smart die: people show each of its faces once, the die says its side."""

import itertools
import threading
from collections.abc import Callable

import click

from companion.calibration import FaceCalibration
from companion.dice import Die
from companion.dice_case import Case
from companion.errors import DeviceError
from hardware.dice_health import DieHealth

LOOK_S = 0.05
CROOKED = "crooked"
SHOW_S = 120.0  # how long somebody may look for a face


def calibrate(case: Case, own: str, die: Die, shape: str) -> dict[str, str]:
    """Ask for every face of `die`; return side -> face, as the die tells its sides.

    shape  `d6`, `d8` or `any`; empty for what the die says of itself. Raises DeviceError if the
    die does not answer, or nobody shows a face for `SHOW_S`.
    """
    heard = case.die_heard(own)
    if own not in case.station.settings.bluetooth:
        shape = shape or _shape_of(case, own, heard)
        case.station.ask("CALIBRATE", own, shape)
    asked = FaceCalibration(die.faces)
    if shape == "any":
        _show_any(case, own, asked)
    else:
        _show_sides(case, own, asked)
    _teach(case, own, asked.sides)
    return asked.sides


def _shape_of(case: Case, own: str, heard: DieHealth) -> str:
    if not heard.shape:
        case.station.ask("VERSION", own)
        heard = case.die_heard(own)
    return heard.shape or "d6"


def _show_sides(case: Case, own: str, asked: FaceCalibration) -> None:
    """The die knows its sides by their numbers; each that it comes to lie on is one face.

    It is told that it lies on that side, so that it learns what its sensor feels there. One whose
    sensor sits askew says that it lies crooked, and is told a number that it has not said yet.
    """
    while not asked.is_done:
        case.out.print(asked.asks, markup=False)
        before = _reports(case, own)
        if case.hand is not None:
            case.hand.show(own, len(asked.sides))
        side = _lies_on(case, own, before)
        if side == CROOKED:
            side = _side_for_crooked(case, asked)
        wrong = (asked.repeats(side) or _feels(case, own, side)) if side else "once more, then"
        if not wrong:
            asked.shown(side)
        text = f"  {wrong}" if wrong else f"  side {side}: {asked.sides[side]}"
        case.out.print(text, style="yellow" if wrong else "green", markup=False)


def _side_for_crooked(case: Case, asked: FaceCalibration) -> str:
    """The number for a side that the die does not know; empty if it does not lie flat."""
    question = "  It feels crooked, as a die does whose sensor sits askew. Does it lie flat?"
    if case.hand is None and not click.confirm(question, default=True):
        return ""
    return next(str(n) for n in itertools.count(1) if str(n) not in asked.sides)


def _feels(case: Case, own: str, side: str) -> str:
    """Let the die learn what it feels on this side; return why not, or nothing."""
    if own in case.station.settings.bluetooth or not side.isdigit():
        return ""  # others know their sides by themselves
    try:
        case.station.ask("SHOWN", own, int(side))
    except DeviceError as error:
        return str(error)
    return ""


def _show_any(case: Case, own: str, asked: FaceCalibration) -> None:
    """The die knows no sides yet: it is told when it lies on one."""
    while not asked.is_done:
        case.out.print(asked.asks, markup=False)
        if case.hand is None:
            click.pause("  Press a key when it lies still.")
        side = str(len(asked.sides) + 1)
        try:
            case.station.ask("SHOWN", own, int(side))
        except DeviceError as error:
            case.out.print(f"  {error}", style="yellow", markup=False)
            if case.hand is not None:
                raise
            continue
        asked.shown(side)


def _teach(case: Case, own: str, sides: dict[str, str]) -> None:
    """Let the die say the words itself; faces that are numbers stay with the companion."""
    is_taught = own not in case.station.settings.bluetooth
    if not is_taught or any(face.isdigit() for face in sides.values()):
        return
    try:
        for side, face in sides.items():
            case.station.ask("LEARN", own, int(side), face)
    except DeviceError as error:
        case.out.print(f"  {error}; it will be told again in a game", style="yellow", markup=False)


def _reports(case: Case, own: str) -> int:
    die = case.station.die(own)
    return die.reports if die is not None else 0


def _lies_on(case: Case, own: str, before: int) -> str:
    """Wait until the die has moved and lies still; return the side that it says, or CROOKED."""

    def lies() -> str:
        die = case.station.die(own)
        has_moved = die is not None and die.reports > before + 1  # it moved, and came to rest
        if die is None or not has_moved:
            return ""
        return {"lying": die.code, "crooked": CROOKED}.get(die.motion, "")

    side = _wait_for(lies, SHOW_S)
    if not side:
        raise DeviceError(f"{own} was not put down for {SHOW_S:.0f} s; begin again")
    return side


def _wait_for(look: Callable[[], str], limit_s: float) -> str:
    pause = threading.Event()
    for _ in range(int(limit_s / LOOK_S)):
        seen = look()
        if seen:
            return seen
        pause.wait(LOOK_S)
    return ""
