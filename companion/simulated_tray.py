"""Trays and smart dice of the simulated room: what lies where, who reads it, what is wired."""

from collections.abc import Collection, Mapping, Sequence

from camera.enrolment import enrol_simulated
from camera.simulated import SimulatedTray
from camera.source import use_one_core
from camera.watch import ZoneWatcher
from companion.clock import SimulatedClock
from companion.dice import DiceSet
from companion.inbox import Inbox
from companion.sensing import Asks, CameraSensor, DiceSensor
from companion.wiring import wired_die
from hardware.dice_link import DiceLink
from hardware.rolls import RollCollector
from hardware.serial_port import SerialPort
from hardware.simulated import SimulatedDice

WIRED = {"troll_and_dragon": ("red-1", "red-2")}  # dice that are smart in the simulated room
ZONES = {
    "troll_and_dragon": {
        "adventurer": ("white-1", "white-2", "white-3", "white-4", "gold-1", "gold-2"),
        "dragon": ("red-1", "red-2"),
    }
}


def tray_and_camera(
    game: str, dice: DiceSet, seen: Collection[str], inbox: Inbox, ask: Asks, seed: int
) -> tuple[SimulatedTray, CameraSensor]:
    """A tray with dice in it, and a camera that has learnt them; it reads those of `seen`."""
    use_one_core()
    zones = zones_of(game, dice)
    tray = SimulatedTray(dice, zones, seed=seed)
    tray.lay(seen)
    looks, places, empty = enrol_simulated(dice), tray.zones(), tray.empty()
    watchers = [
        ZoneWatcher(places[name], looks, DiceSet.of(dice[die] for die in thrown), empty)
        for name, thrown in zones.items()
    ]
    here = {name: [die for die in names if die in seen] for name, names in zones.items()}
    return tray, CameraSensor(watchers, here, inbox, ask)


def smart_dice(
    dice: DiceSet, names: Sequence[str], inbox: Inbox, clock: SimulatedClock, seed: int
) -> tuple[SimulatedDice, DiceSensor]:
    """Smart dice that speak real bytes over a pseudo-terminal, and their receiver."""
    wired = {f"d{i}": wired_die(dice[name]) for i, name in enumerate(names, 1)}
    collector = RollCollector([dice[name] for name in names])
    receiver = DiceSensor(collector, names, inbox)
    smart = SimulatedDice(wired, seed=seed, start_s=clock.now_s())
    port = SerialPort(smart.port, DiceLink(wired), receiver.take, clock)
    receiver.port = port.start()
    smart.introduce(port, clock.now_s())
    return smart, receiver


def wired_of(game: str, dice: DiceSet) -> tuple[str, ...]:
    """The dice of a game that are smart ones in the simulated room."""
    return tuple(name for name in WIRED.get(game, ()) if name in dice)


def zones_of(game: str, dice: DiceSet) -> Mapping[str, Sequence[str]]:
    """Which dice are thrown where; one tray for all where a game says nothing else."""
    return ZONES.get(game, {"tray": tuple(die.name for die in dice)})
