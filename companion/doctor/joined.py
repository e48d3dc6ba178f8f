"""Checks of what is joined to the table: the receiver and its dice, buttons, a strip of LEDs."""

import re
from collections.abc import Sequence

from companion.doctor.finding import NOTE, OK, Finding, bad, none, note, ok
from companion.doctor.listening import stuck_buttons
from companion.doctor.machine import Machine
from companion.errors import CompanionError
from companion.words import fact, listed, row_of, say, word_of
from hardware.dice_findings import DiceFinding
from hardware.wled import checked_url

NOBODY_LISTENED = "nobody listened"
NO_RECEIVER = "no receiver in companion.toml"
INFO = "/json/info"


def heard(machine: Machine, code: str) -> list[DiceFinding]:
    """What was heard about one thing; nothing where nobody may listen."""
    return [] if machine.dice is None else [one for one in machine.dice() if one.code == code]


def told(code: str, found: Sequence[DiceFinding]) -> Finding:
    """Several things that were heard, as one finding: as bad as the worst of them."""
    ill = [one for one in found if one.state != OK] or list(found)
    state = max((one.state for one in ill), key=(OK, NOTE, "bad").index)
    words = row_of([word_of(one.finding) for one in ill])
    return Finding(code, state, words, next((one.fix for one in ill if one.fix), ""))


def check_greeting(machine: Machine) -> Finding:
    """A receiver greets within seconds, speaks our version, and its clock can be compared."""
    found = heard(machine, "receiver")
    if not found:
        return none("receiver_answers", NOBODY_LISTENED)
    return told("receiver_answers", found)


def check_line(machine: Machine) -> Finding:
    """What is no line of a receiver is passed over; much of it means a bad cable."""
    if not machine.settings.dice.port or machine.dice is None:
        return none("receiver_line", NO_RECEIVER if machine.dice else NOBODY_LISTENED)
    found = heard(machine, "receiver_line")
    if found:
        return told("receiver_line", found)
    return ok("receiver_line", "no damaged line while it was listened to")


def check_smart_dice(machine: Machine) -> Finding:
    """Every die has a battery, and somebody has to have said which die of the game it is."""
    found = heard(machine, "smart_dice")
    if not found:
        return none("smart_dice", NO_RECEIVER if machine.dice else NOBODY_LISTENED)
    return told("smart_dice", found)


def check_bluetooth_dice(machine: Machine) -> Finding:
    """Pixels and GoDice want the extra `ble`, a radio, and to be near."""
    if not machine.settings.dice.bluetooth:
        return none("bluetooth_dice", "none in companion.toml")
    found = heard(machine, "bluetooth_dice")
    return told("bluetooth_dice", found) if found else none("bluetooth_dice", NOBODY_LISTENED)


def check_buttons(machine: Machine) -> Finding:
    """A button whose contact is closed while nobody presses it hears no press."""
    count = len(machine.settings.pins.buttons)
    if machine.pins is None or count == 0:
        return none("buttons", NOBODY_LISTENED if count else "none in companion.toml")
    choice = machine.pins()
    if not choice.is_real:
        return none("buttons", choice.why)
    try:
        stuck = stuck_buttons(machine.settings, choice)
    except CompanionError as error:
        return note("buttons", str(error), "stop the game that has them, and look again")
    if not stuck:
        return ok("buttons", say("{n} button, open", "{n} buttons, all of them open", n=count))
    which = listed([say("button {seat} (BCM {pin})", seat=one, pin=pin) for one, pin in stuck])
    fix = "let go of it; if it stays, its wire touches ground: `companion pins` shows which"
    return bad("buttons", say("closed though nobody plays: {which}", which=which), fix)


def check_strip_library(machine: Machine) -> Finding:
    """urllib3 speaks with a strip; it comes with the extra `wled`."""
    if not machine.settings.alerts.wled:
        return none("wled_library", "no strip in companion.toml")
    try:
        machine.load("urllib3")
    except ImportError as error:
        return bad("wled_library", fact(error), fact("pip install 'table-companion[wled]'"))
    return ok("wled_library", fact("urllib3"))


def check_strip(machine: Machine) -> Finding:
    """A WLED controller answers on the network."""
    named = machine.settings.alerts.wled
    if not named:
        return none("wled", "no strip in companion.toml")
    try:
        url = checked_url(named)
    except CompanionError as error:
        return bad("wled", str(error), "correct companion.toml [alerts] wled")
    status, text = machine.fetch(url + INFO)
    version = re.search(r'"ver"\s*:\s*"([^"]+)"', text)
    if status == 200 and version:
        return ok("wled", say("WLED {version} at {url}", version=version[1], url=url))
    found = (
        say("{url} answers, but is no WLED", url=url)
        if status
        else say("{url} does not answer", url=url)
    )
    fix = "give it power and the right network; `companion.toml` [alerts] wled names its address"
    return note("wled", say("{found}; the game goes on without", found=found), fix)


CHECKS = (
    check_greeting,
    check_line,
    check_smart_dice,
    check_bluetooth_dice,
    check_buttons,
    check_strip_library,
    check_strip,
)
