"""Trays and smart dice of the simulated room: what lies where, who reads it, what is wired."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from camera.calibrate import Zone
from camera.enrolment import enrol_simulated
from camera.simulated import SimulatedTray
from camera.source import use_one_core
from camera.watch import Sighting, ZoneWatcher
from companion.clock import SimulatedClock
from companion.config import CameraSettings
from companion.dice import DiceSet
from companion.inbox import Inbox
from companion.sensing import Asks, CameraSensor, DiceSensor
from companion.tray_zones import dice_by_zone, zone_in
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
    game: str,
    dice: DiceSet,
    seen: Collection[str],
    inbox: Inbox,
    ask: Asks,
    seed: int,
    settings: CameraSettings | None = None,
) -> tuple[SimulatedTray, CameraSensor]:
    """A tray with dice in it, and a camera that has learnt them; it reads those of `seen`.

    settings  zones as people have set them, in place of those that lie right.
    """
    use_one_core()
    tray = SimulatedTray(dice, zones_of(game, dice), seed=seed)
    tray.lay(seen)
    looks, empty = enrol_simulated(dice), tray.empty()
    watched = watched_zones(game, dice, tray.zones(), settings)
    watchers = [
        ZoneWatcher(zone, looks, DiceSet.of(dice[die] for die in names), empty)
        for zone, names in watched
    ]
    here = {zone.name: [die for die in names if die in seen] for zone, names in watched}
    return tray, CameraSensor(watchers, here, inbox, ask)


def watched_zones(
    game: str, dice: DiceSet, places: Mapping[str, Zone], settings: CameraSettings | None
) -> list[tuple[Zone, Sequence[str]]]:
    """Where the camera looks, and for which dice: as was set, or where the trays are (`places`)."""
    if settings is None:
        return [(places[name], names) for name, names in zones_of(game, dice).items()]
    picture_px = next(iter(places.values())).picture_px
    thrown = dice_by_zone(settings, dice)
    return [(zone_in(picture_px, name, settings), names) for name, names in thrown.items()]


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


def places_of(sightings: Iterable[Sighting]) -> dict[str, tuple[float, float]]:
    """Where the screens say that each die lies, in pixels: people pick dice up by those names."""
    return {
        reading.name: (reading.box[0] + reading.box[2] / 2, reading.box[1] + reading.box[3] / 2)
        for sighting in sightings
        for reading in sighting.readings
        if reading.name is not None
    }
