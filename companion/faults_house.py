"""Faults of what stands around the table: buttons, lamps, strip, the machine's clock, screens."""

import contextlib

from companion.errors import ConfigError
from companion.faults import Heal, Rig
from hardware.simulated_wled import SimulatedWled
from web.feed import Feed, Viewer

READ_AT_ONCE = 5


def bounce(rig: Rig, much_ms: float) -> Heal:
    """Let contacts bounce much longer than good ones do."""
    fingers = rig.room.fingers.fingers
    before, fingers.bounce_s = fingers.bounce_s, (0.0002, much_ms / 1000 / 8)

    def heal() -> None:
        fingers.bounce_s = before

    return heal


def sparks(rig: Rig, much: float) -> Heal:
    """Close the first contact so often, too shortly for a finger."""
    fingers, now_s = rig.room.fingers.fingers, rig.room.clock.now_s()
    for number in range(round(much)):
        fingers.spark(0, now_s + 0.2 * number)
    return lambda: None


def stick(rig: Rig, much: float) -> Heal:
    """Hold the first button down."""
    fingers = rig.room.fingers.fingers
    fingers.stick(0, rig.room.clock.now_s())
    return lambda: fingers.let_go(0, rig.room.clock.now_s())


def deaden(rig: Rig, much: float) -> Heal:
    """Cut the cable of every button."""
    fingers = rig.room.fingers.fingers
    fingers.is_dead = True

    def heal() -> None:
        fingers.is_dead = False

    return heal


def break_lamp(rig: Rig, much: float) -> Heal:
    """Let the pin of the first seat's lamp fail."""
    if rig.house is None or rig.house.choice.is_real:
        raise ConfigError("--fault: this table has no simulated lamps")
    lamp = next(one for one in rig.house.wiring.lamps() if one.name == "seat-1")
    pin = rig.house.choice.factory.pin(lamp.pins[0])
    pin.function = "input"  # gpiozero refuses to drive it from now on

    def heal() -> None:
        pin.function = "output"

    return heal


def strip(rig: Rig) -> SimulatedWled:
    """The LED strip of this table."""
    if rig.strip is None:
        raise ConfigError("--fault: this table has no LED strip")
    return rig.strip


def strip_gone(rig: Rig, much: float) -> Heal:
    """Take it off the network."""
    strip(rig).pull_out()
    return strip(rig).plug_in


def strip_slow(rig: Rig, much_s: float) -> Heal:
    """Let it take its time."""
    strip(rig).stall_s = much_s

    def heal() -> None:
        strip(rig).stall_s = 0.0

    return heal


def strip_garbage(rig: Rig, much: float) -> Heal:
    """Let it answer what is no JSON."""
    strip(rig).garbage = b"<html>who are you?</html>"

    def heal() -> None:
        strip(rig).garbage = b""

    return heal


def clock_jump(way: int, rig: Rig, much_s: float) -> Heal:
    """Put the machine's clock on or back, as a time server does."""
    if rig.machine is None:
        raise ConfigError("--fault: nobody looks at the clock of this machine")
    wall = rig.machine.wall
    wall.offset_s += way * much_s

    def heal() -> None:
        wall.offset_s -= way * much_s

    return heal


def stall(rig: Rig, much_s: float) -> Heal:
    """Let time pass in which this machine does nothing."""
    rig.room.clock.advance(much_s)
    if rig.machine is not None:
        rig.machine.wall.stalled_s += much_s
    return lambda: None


def feed(rig: Rig) -> Feed:
    """Where screens hear of the table."""
    if rig.feed is None:
        raise ConfigError("--fault: this table has no screens")
    return rig.feed


def flood(rig: Rig, much: float) -> Heal:
    """Open many screens, each of which reads what is there."""
    viewers = [feed(rig).subscribe(None) for _ in range(round(much))]
    for viewer in viewers:
        read(viewer)
    return lambda: close(viewers)


def slow(rig: Rig, much: float) -> Heal:
    """Open screens that never read."""
    viewers = [feed(rig).subscribe(None) for _ in range(round(much))]

    def heal() -> None:
        for viewer in viewers:
            with contextlib.suppress(StopIteration):  # too late: it is cut off
                read(viewer)
        close(viewers)

    return heal


def hang_up(rig: Rig, much: float) -> Heal:
    """Let a screen break off, and come back where it was."""
    viewer = feed(rig).subscribe(None)
    read(viewer)
    last = feed(rig).last_id()
    viewer.close()
    return lambda: feed(rig).subscribe(last).close()


def read(viewer: Viewer) -> None:
    """Read what is there, without waiting."""
    for _ in range(READ_AT_ONCE):
        if viewer.next_within(0.0) is None:
            return


def close(viewers: list[Viewer]) -> None:
    """Close them all."""
    for viewer in viewers:
        viewer.close()
