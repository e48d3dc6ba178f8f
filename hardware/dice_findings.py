"""Looks whether a receiver of smart dice, or Bluetooth dice, are there and well: for the doctor."""

from collections.abc import Mapping

import msgspec

from companion.clock import RealClock
from companion.errors import CompanionError
from companion.words import fact, mark, say, word
from hardware.ble_dice import BleDice
from hardware.ble_radio import NOT_INSTALLED
from hardware.dice_health import Health
from hardware.dice_link import DiceLink
from hardware.dice_messages import WiredDie
from hardware.ports import find_ports
from hardware.serial_port import SerialPort

LISTEN_S = 3.0


class DiceFinding(msgspec.Struct, frozen=True):
    """One thing that was looked at; `state` is `ok`, `note` or `bad`, `fix` says what to do."""

    code: str
    state: str
    finding: str
    fix: str = ""


def receiver_findings(
    port: str,
    dice: Mapping[str, WiredDie],
    bluetooth: Mapping[str, str] | None = None,
    *,
    limit_s: float = LISTEN_S,
) -> list[DiceFinding]:
    """Open what the settings name, listen for a moment, and say how receiver and dice fare.

    port       the setting of the receiver's port; empty for none.
    dice       id on the wire -> the die of the game.
    bluetooth  id -> maker and address. Nothing is opened if port and bluetooth are empty.
    A port that another process has open is a note: the companion itself may be playing.
    """
    told = [] if port else [_no_port()]
    if port:
        told += _receiver(port, dice, limit_s)
    if bluetooth:
        told.append(_bluetooth(bluetooth, dice, limit_s))
    return told


def _no_port() -> DiceFinding:
    likely = [port.path for port in find_ports() if port.may_be_receiver]
    if not likely:
        return DiceFinding(
            "receiver", "note", mark("none in companion.toml, and none is plugged in")
        )
    return DiceFinding(
        "receiver",
        "note",
        say("none in companion.toml; {likely} may be one", likely=", ".join(likely)),
        say('write port = "{likely}" below [dice]', likely=likely[0]),
    )


def _receiver(port: str, dice: Mapping[str, WiredDie], limit_s: float) -> list[DiceFinding]:
    try:
        with SerialPort(port, DiceLink(dice), lambda _: None, RealClock()) as opened:
            opened.wait_until(lambda one: one.link.is_synchronised, limit_s)
            health = opened.health()
    except CompanionError as error:
        return [
            DiceFinding("receiver", "bad", str(error), mark("correct companion.toml [dice] port"))
        ]
    return [_greeting(health), *_dice(health)]


def _greeting(health: Health) -> DiceFinding:
    if health.state != "connected":
        return _not_open(health)
    if not health.who or not health.is_understood:
        return DiceFinding("receiver", "bad", health.troubles()[0], mark("flash the receiver"))
    quick = word(mark("low latency") if health.is_quick else mark("usual latency"))
    found = say(
        "{who}, firmware {firmware}, at {port}, {quick}",
        who=health.who,
        firmware=health.firmware,
        port=health.port,
        quick=quick,
    )
    if not health.is_synchronised:
        return DiceFinding(
            "receiver", "note", say("{found}; its clock was not compared in time", found=found)
        )
    return DiceFinding(
        "receiver",
        "ok",
        say(
            "{found}, clock within {seconds} s",
            found=found,
            seconds=health.clock_within_s,
        ),
    )


def _not_open(health: Health) -> DiceFinding:
    if "lock" in health.why or "busy" in health.why.lower():
        return DiceFinding(
            "receiver", "note", say("{port} is in use; is a game running?", port=health.port)
        )
    fix = mark("plug the receiver in, or correct companion.toml [dice] port")
    if "ermission" in health.why:
        fix = say("sudo usermod -aG {name} $USER, then log in again", name="dialout")
    return DiceFinding(
        "receiver", "bad", health.why or say("{port} cannot be opened", port=health.port), fix
    )


def _dice(health: Health) -> list[DiceFinding]:
    if not health.who:
        return []
    counts = health.counts
    noise = counts.damaged + counts.foreign + counts.wrong_version
    told = [
        DiceFinding("smart_dice", "note", trouble)
        for die in health.dice
        for trouble in die.troubles()
    ]
    if noise:
        found = say(
            "{damaged} damaged lines, {foreign} of other devices, {wrong_version} of another "
            "version",
            damaged=counts.damaged,
            foreign=counts.foreign,
            wrong_version=counts.wrong_version,
        )
        told.append(DiceFinding("receiver_line", "note", found, "try another cable or port"))
    heard = [die for die in health.dice if die.heard_at_s]
    return told or [
        DiceFinding(
            "smart_dice", "ok", say("{n} of {all} heard", n=len(heard), all=len(health.dice))
        )
    ]


def _bluetooth(
    bluetooth: Mapping[str, str], dice: Mapping[str, WiredDie], limit_s: float
) -> DiceFinding:
    try:
        with BleDice(bluetooth, dice, lambda _: None, RealClock()) as opened:
            opened.wait_until(lambda one: one.why == "", limit_s)
            why = opened.why
    except CompanionError as error:
        fix = fact("pip install 'table-companion[ble]'") if str(error) == NOT_INSTALLED else ""
        return DiceFinding("bluetooth_dice", "bad", str(error), fix)
    if why:
        return DiceFinding("bluetooth_dice", "note", why, "wake the dice, and bring them near")
    return DiceFinding("bluetooth_dice", "ok", say("{n} connected", n=len(bluetooth)))
