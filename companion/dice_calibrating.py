"""The calibration of one smart die: people show each of its faces once, the die says its side.

How people are asked is an `Asker`'s business: the command line prints and waits for a key, the
set-up page shows the same and has buttons.
"""

import itertools
import threading
from collections.abc import Callable
from typing import Protocol

import click

from companion.calibration import FaceCalibration
from companion.dice import Die
from companion.dice_case import Case
from companion.errors import DeviceError
from companion.words import face_word, say
from hardware.dice_health import DieHealth

LOOK_S = 0.05
CROOKED = "crooked"
SHOW_S = 120.0  # how long somebody may look for a face


class Asker(Protocol):
    """Who talks with the person that shows the faces; any of it may raise to end it."""

    def ask(self, asked: FaceCalibration) -> None:
        """Ask for the next face."""

    def tell(self, text: str, *, good: bool) -> None:
        """Say how it went."""

    def lies_flat(self) -> bool:
        """Ask whether a die that feels crooked lies flat all the same."""

    def wait_until_still(self) -> None:
        """Wait until somebody says that the die lies still."""

    def look_up(self) -> None:
        """Called again and again while a face is waited for."""


class ConsoleAsker:
    """Asks on the command line; simulated dice need no answers."""

    def __init__(self, case: Case) -> None:
        self._out, self._is_simulated = case.out, case.hand is not None

    def ask(self, asked: FaceCalibration) -> None:
        """Print what is asked for."""
        self._out.print(asked.asks, markup=False)

    def tell(self, text: str, *, good: bool) -> None:
        """Print how it went."""
        self._out.print(f"  {text}", style="green" if good else "yellow", markup=False)

    def lies_flat(self) -> bool:
        """Ask for yes or no."""
        question = "  It feels crooked, as a die does whose sensor sits askew. Does it lie flat?"
        return self._is_simulated or click.confirm(question, default=True)

    def wait_until_still(self) -> None:
        """Wait for a key."""
        if not self._is_simulated:
            click.pause("  Press a key when it lies still.")

    def look_up(self) -> None:
        """Nothing ends it but Ctrl-C."""


def calibrate(
    case: Case, own: str, die: Die, shape: str, asker: Asker | None = None
) -> dict[str, str]:
    """Ask for every face of `die`; return side -> face, as the die tells its sides.

    shape  `d6`, `d8` or `any`; empty for what the die says of itself. Raises DeviceError if the
    die does not answer, or nobody shows a face for `SHOW_S`.
    """
    asker = asker or ConsoleAsker(case)
    heard = case.die_heard(own)
    if own not in case.station.settings.bluetooth:
        shape = shape or _shape_of(case, own, heard)
        case.station.ask("CALIBRATE", own, shape)
    asked = FaceCalibration(die.faces)
    if shape == "any":
        _show_any(case, own, asked, asker)
    else:
        _show_sides(case, own, asked, asker)
    _teach(case, own, asked.sides, asker)
    return asked.sides


def _shape_of(case: Case, own: str, heard: DieHealth) -> str:
    if not heard.shape:
        case.station.ask("VERSION", own)
        heard = case.die_heard(own)
    return heard.shape or "d6"


def _show_sides(case: Case, own: str, asked: FaceCalibration, asker: Asker) -> None:
    """The die knows its sides by their numbers; each that it comes to lie on is one face.

    It is told that it lies on that side, so that it learns what its sensor feels there. One whose
    sensor sits askew says that it lies crooked, and is told a number that it has not said yet.
    """
    while not asked.is_done:
        asker.ask(asked)
        before = _reports(case, own)
        if case.hand is not None:
            case.hand.show(own, len(asked.sides))
        side = _lies_on(case, own, before, asker)
        if side == CROOKED:
            side = _side_for_crooked(asked, asker)
        wrong = (asked.repeats(side) or _feels(case, own, side)) if side else say("once more, then")
        if not wrong:
            asked.shown(side)
        asker.tell(wrong or _found(asked, side), good=not wrong)


def _found(asked: FaceCalibration, side: str) -> str:
    return say("side {side}: {face}", side=side, face=face_word(asked.sides[side]))


def _side_for_crooked(asked: FaceCalibration, asker: Asker) -> str:
    """The number for a side that the die does not know; empty if it does not lie flat."""
    if not asker.lies_flat():
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


def _show_any(case: Case, own: str, asked: FaceCalibration, asker: Asker) -> None:
    """The die knows no sides yet: it is told when it lies on one."""
    while not asked.is_done:
        asker.ask(asked)
        asker.wait_until_still()
        side = str(len(asked.sides) + 1)
        try:
            case.station.ask("SHOWN", own, int(side))
        except DeviceError as error:
            asker.tell(str(error), good=False)
            if case.hand is not None:
                raise
            continue
        asked.shown(side)


def _teach(case: Case, own: str, sides: dict[str, str], asker: Asker) -> None:
    """Let the die say the words itself; faces that are numbers stay with the companion."""
    is_taught = own not in case.station.settings.bluetooth
    if not is_taught or any(face.isdigit() for face in sides.values()):
        return
    try:
        for side, face in sides.items():
            case.station.ask("LEARN", own, int(side), face)
    except DeviceError as error:
        told = say("{why}; it will be told again in a game", why=str(error))
        asker.tell(told, good=False)


def _reports(case: Case, own: str) -> int:
    die = case.station.die(own)
    return die.reports if die is not None else 0


def _lies_on(case: Case, own: str, before: int, asker: Asker) -> str:
    """Wait until the die has moved and lies still; return the side that it says, or CROOKED."""

    def lies() -> str:
        asker.look_up()
        die = case.station.die(own)
        has_moved = die is not None and die.reports > before + 1  # it moved, and came to rest
        if die is None or not has_moved:
            return ""
        return {"lying": die.code, "crooked": CROOKED}.get(die.motion, "")

    side = _wait_for(lies, SHOW_S)
    if not side:
        raise DeviceError(
            say(
                "{own} was not put down for {seconds} s; begin again",
                own=own,
                seconds=round(SHOW_S),
            )
        )
    return side


def _wait_for(look: Callable[[], str], limit_s: float) -> str:
    pause = threading.Event()
    for _ in range(int(limit_s / LOOK_S)):
        seen = look()
        if seen:
            return seen
        pause.wait(LOOK_S)
    return ""
