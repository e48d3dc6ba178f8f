"""What screens show of the sensors of a table: how each fares, and what to do about it."""

from collections.abc import Sequence
from typing import Any

from companion.words import die_name, mark, row_of, say, word
from hardware.ble_dice import BleDice
from hardware.dice_health import Health
from hardware.rolls import RollCollector
from hardware.serial_port import SerialPort

NOISE = ("damaged", "foreign", "wrong_version", "unknown", "lost", "restarts")
STIRRING = ("moving", "settling")
CANNOT_READ = mark(
    "something lies or moves there for long: take hands and things away, and look whether the "
    "camera still sees the tray sharply and where it did"
)
STATES = (  # what a zone does, as screens say it
    mark("starting"),
    mark("empty"),
    mark("moving"),
    mark("settling"),
    mark("still"),
)
ZONES = (mark("adventurer"), mark("dragon"), mark("tray"), mark("square"))  # as simulated ones are


def source_of(zone: str) -> str:
    """The name of a camera zone as a source."""
    return f"camera:{zone}"


def zone_row(
    zone: str,
    state: str,
    silent: list[str],
    dice: Sequence[str],
    trouble: str = "",
    advice: str = "",
) -> dict[str, Any]:
    """How a screen shows a camera zone, which dice of it may be rolling, and what is wrong.

    trouble  why its pictures are not to be trusted; empty if they are.
    advice   what would make them better.
    """
    name = source_of(zone)
    fares = "lost" if trouble else "silent" if name in silent else "ok"
    stuck = CANNOT_READ if fares == "silent" and state in STIRRING else ""
    told = trouble or stuck or advice or state
    row = source_row(name, say("Camera, {zone}", zone=word(zone)), fares, told)
    return row | {"moving": state in STIRRING, "dice": list(dice)}


def receiver_row(
    carrier: SerialPort | BleDice | None,
    collector: RollCollector,
    health: Health,
    silent: list[str],
) -> dict[str, Any]:
    """How a screen shows the receiver of the smart dice, and the dice that it hears."""
    name = collector.source
    lost = carrier is None or carrier.state != "connected"
    state = "lost" if lost else "silent" if name in silent else "ok"
    told = [carrier.why] if carrier is not None and carrier.why else []
    told += [say("throw {die} again", die=die_name(die)) for die in collector.asked_again]
    rolling = sorted(collector.rolling)
    row = source_row(name, "Smart dice", state, row_of(told))
    return row | {"moving": bool(rolling), "dice": rolling} | health_row(health)


def source_row(name: str, label: str, state: str, detail: str = "") -> dict[str, Any]:
    """How a screen shows a source: `ok`, `silent` or `lost`, and what to do."""
    return {"name": name, "label": label, "state": state, "detail": detail}


def health_row(health: Health) -> dict[str, Any]:
    """What a screen shows of a receiver's dice; changes only when something has changed."""
    return {
        "who": health.who,
        "troubles": health.troubles(),
        "noise": {name: getattr(health.counts, name) for name in NOISE},
        "health": [
            {
                "die": die.name or die.die,
                "face": die.face,
                "motion": die.motion,
                "battery_percent": die.battery_percent,
                "signal_dbm": die.signal_dbm,
                "lost": die.lost,
            }
            for die in health.dice
        ],
    }
