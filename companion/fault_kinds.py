"""The kinds of faults, each with what happens and what the table is told of it."""

from collections.abc import Callable
from functools import partial

from camera.spoilt import SpoiltCamera
from companion import faults_house as house
from companion import faults_network as network
from companion.errors import ConfigError
from companion.faults import Heal, Kind, Rig
from companion.faults_disk import BrittleJournal
from hardware.noise import LineNoise
from hardware.simulated import SimulatedDice


def camera(name: str) -> Callable[[Rig, float], Heal]:
    """Spoil what the camera gives."""

    def begin(rig: Rig, much: float) -> Heal:
        eye = rig.room.eye
        if eye is None:
            eye = rig.room.eye = SpoiltCamera(
                rig.room.picture, seed=rig.seed, start_s=rig.room.clock.now_s()
            )
        eye.faults[name] = much
        return lambda: dropped(eye.faults, name)

    return begin


def dropped(faults: dict[str, float], name: str) -> None:
    """End one of them; another of that name may have ended it."""
    faults.pop(name, None)


def smart(rig: Rig) -> SimulatedDice:
    """The smart dice of this table."""
    if rig.room.smart is None:
        raise ConfigError("--fault: this table has no smart dice; choose troll_and_dragon")
    return rig.room.smart


def serial(share: str) -> Callable[[Rig, float], Heal]:
    """Let the receiver's line be a bad one."""

    def begin(rig: Rig, much: float) -> Heal:
        dice = smart(rig)
        before = dice.noise
        dice.noise = noise = LineNoise(rig.seed, **{share: much})

        def heal() -> None:
            if dice.noise is noise:
                dice.noise = before

        return heal

    return begin


def unplug(rig: Rig, much: float) -> Heal:
    """Pull the receiver's cable; put it in again."""
    dice = smart(rig)
    dice.unplug()
    return lambda: rig.room.plug_in_receiver()


def reset(rig: Rig, much: float) -> Heal:
    """The receiver loses its power for a moment."""
    dice = smart(rig)
    dice.receiver.power_off()
    dice.receiver.power_on(rig.room.clock.now_s())
    return lambda: None


def drift(rig: Rig, much: float) -> Heal:
    """The receiver starts again, with a clock that runs too fast."""
    smart(rig).receiver.drift_ppm = much
    reset(rig, 0.0)

    def heal() -> None:
        smart(rig).receiver.drift_ppm = 0.0
        reset(rig, 0.0)

    return heal


def silent_die(rig: Rig, much: float) -> Heal:
    """The radio of the first smart die does not get through."""
    receiver = smart(rig).receiver
    name = next(iter(receiver.ids))
    receiver.silent.add(name)
    return lambda: receiver.silent.discard(name)


def flat_die(rig: Rig, much: float) -> Heal:
    """The first smart die tells that it is nearly empty."""
    receiver = smart(rig).receiver
    name = next(iter(receiver.ids))
    receiver.flat[name] = round(100 * much)
    receiver.tell_status()

    def heal() -> None:
        receiver.flat.pop(name, None)
        receiver.tell_status()

    return heal


def disk(way: Callable[[BrittleJournal, float], Heal]) -> Callable[[Rig, float], Heal]:
    """Let the disk under the journal fail."""

    def begin(rig: Rig, much: float) -> Heal:
        if rig.journal is None:
            raise ConfigError("--fault: this table keeps no journal")
        return way(rig.journal, much)

    return begin


def _camera(
    name: str,
    happens: str,
    told: str,
    amount: float | None = None,
    unit: str = "",
    *,
    untold: str = "",
) -> Kind:
    return Kind("camera", happens, told, camera(name), amount, unit, untold=untold)


def _serial(share: str, happens: str, told: str, amount: float, untold: str = "") -> Kind:
    return Kind("serial", happens, told, serial(share), amount, "%", untold=untold)


CANNOT_READ = "take hands and things away"
FAULTS: dict[str, Kind] = {
    "camera-unplugged": _camera("unplugged", "its cable is pulled", "the camera is gone"),
    "camera-busy": _camera("busy", "another program takes it", "another program has the camera"),
    "camera-frozen": _camera("frozen", "it gives the same picture for ever", "stands still"),
    "camera-dark": _camera("dark", "so much of the light is left", "is dark", 0.02, "%"),
    "camera-slow": _camera(
        "slow", "it gives so many pictures a second", "pictures are lost", 1.0
    ),
    "dropped-frames": _camera(
        "dropped", "so many pictures are lost", "pictures are lost", 0.5, "%"
    ),
    "torn-frames": _camera(
        "torn", "the lower part of so many pictures is grey", "come torn", 0.3, "%"
    ),
    "flicker": _camera("flicker", "the light goes up and down by so much", "flickers", 0.6, "%"),
    "light-changed": _camera(
        "brighter", "somebody switches a lamp on", "", 1.35,
        untold="dice are read in the new light; one that cannot be is asked about",
    ),
    "camera-bumped": _camera(
        "bumped", "it is pushed, and sees all elsewhere", CANNOT_READ, 40, "px"
    ),
    "camera-blurred": _camera(
        "blurred", "it is out of focus, by so many pixels", CANNOT_READ, 8, "px"
    ),
    "noisy-pictures": _camera("noisy", "its sensor is noisy, by grey levels", "are noisy", 40),
    "glare": _camera("glare", "a lamp shines into it, so wide", "a lamp shines into it", 0.3, "%"),
    "sleeve": _camera(
        "covered", "a sleeve lies over so much of the picture", CANNOT_READ, 0.4, "%"
    ),
    "noisy-serial": _serial("damaged", "so many lines come damaged", "came damaged", 0.3),
    "lost-lines": _serial("lost", "so many lines do not arrive", "asked for again", 0.5),
    "repeated-lines": _serial(
        "repeated", "so many lines arrive twice", "", 0.3,
        untold="lines are numbered, and each counts once",
    ),
    "swapped-lines": _serial(
        "swapped", "so many lines arrive after the next", "", 0.2,
        untold="lines are numbered, and are put in order again",
    ),
    "chatter": _serial("foreign", "another device talks in between", "of another device", 1.0),
    "receiver-unplugged": Kind("serial", "its cable is pulled", "plug the receiver in", unplug),
    "receiver-reset": Kind("serial", "it starts again", "restarts", reset, lasts=False),
    "receiver-drifts": Kind(
        "serial", "it starts again, and its clock is wrong", "restarts", drift, 200, "ppm"
    ),
    "die-silent": Kind("serial", "one smart die is not heard", "not heard any more", silent_die),
    "die-flat": Kind(
        "serial", "one smart die is nearly empty", "the battery is at", flat_die, 0.04, "%"
    ),
    "disk-full": Kind("disk", "no page is left", "is full", disk(lambda j, _: j.fill_up())),
    "disk-read-only": Kind(
        "disk", "nothing can be written", "readonly", disk(lambda j, _: j.protect())
    ),
    "journal-locked": Kind(
        "disk", "another program has the file", "locked", disk(lambda j, _: j.lock())
    ),
    "disk-slow": Kind(
        "disk", "each step takes so long", "takes long", disk(BrittleJournal.be_slow), 0.3, "s"
    ),
    "button-bounces": Kind(
        "buttons", "contacts bounce for so long", "", house.bounce, 15, "ms",
        untold="a contact counts once it has held, at the moment at which it first closed",
    ),
    "button-sparks": Kind(
        "buttons", "a loose cable closes contacts for a moment", "sparks", house.sparks, 20
    ),
    "button-stuck": Kind("buttons", "one stays down", "stays down", house.stick),
    "button-dead": Kind(
        "buttons", "pressing does nothing", "", house.deaden,
        untold="a cut cable is as silent as a button that nobody presses; people see that "
        "nothing happens, and tap the screen",
    ),
    "lamp-broken": Kind("lamps", "a pin cannot be driven", "cannot be driven", house.break_lamp),
    "wled-gone": Kind("strip", "it leaves the network", "no answer", house.strip_gone),
    "wled-slow": Kind(
        "strip", "each answer takes so long", "no answer", house.strip_slow, 1.2, "s"
    ),
    "wled-garbage": Kind("strip", "it answers nonsense", "no answer", house.strip_garbage),
    "clock-forwards": Kind(
        "clock", "the machine's time is put on", "put on",
        partial(house.clock_jump, 1), 3600, "s",
    ),
    "clock-backwards": Kind(
        "clock", "the machine's time is put back", "put back",
        partial(house.clock_jump, -1), 3600, "s",
    ),
    "machine-stalls": Kind(
        "clock", "nothing happens for so long", "did nothing", house.stall, 20, "s", lasts=False
    ),
    "viewer-flood": Kind(
        "network", "so many screens open", "are open, and", house.flood, 300
    ),
    "slow-viewer": Kind("network", "so many screens never read", "too slow", house.slow, 3),
    "viewer-hangs-up": Kind(
        "network", "a screen breaks off, and comes back", "", house.hang_up,
        untold="that screen says so itself, and gets what it missed when it is back",
    ),
    "browser-gone": Kind(
        "browser", "so many browsers vanish, and come back", "", network.break_off, 3,
        untold="nobody waits for a browser; it gets what it missed when it is back",
    ),
    "browser-stalls": Kind(
        "browser", "so many browsers stop reading", "", network.stall, 3,
        untold="nobody waits for a browser; one that reads nothing for 20 s is cut off",
    ),
    "tap-twice": Kind(
        "browser", "every tap is sent twice", "", network.tap_twice,
        untold="a tap carries the step that it answers, so the second finds it answered",
    ),
}  # fmt: skip
