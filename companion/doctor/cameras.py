"""Checks of the camera: is it there, may we, is it free, and what does it show?"""

import os
import statistics
from pathlib import Path

from camera.locks import drifted, values_beside
from companion.doctor.finding import Finding, bad, join_group, none, note, ok
from companion.doctor.looks import CameraLooks
from companion.doctor.machine import Machine
from companion.errors import ConfigError
from companion.field_words import reason
from companion.words import fact, listed, mark, say, word

DIM, GLARE = 40.0, 220.0  # mean grey levels between which dice are read well
BURNT_SHARE = 0.10
BLURRED = 30.0  # variance of the Laplacian: sharp pictures of a tray have hundreds
SLOWEST_FPS = 15.0
NOT_LOOKED = "nobody looked through it"
PICAMERA = "sudo apt install python3-picamera2, and a venv with --system-site-packages"
HANGS = "unplug it, plug it in again; another cable or port"


def devices(machine: Machine) -> list[Path]:
    """What may be a camera."""
    return machine.paths("dev/video[0-9]*")


def looks(machine: Machine) -> CameraLooks | None:
    """What the camera gives; None if there is none, or nobody may look."""
    if machine.camera is None or not devices(machine):
        return None
    return machine.camera()


def check_present(machine: Machine) -> Finding:
    """A camera shows as /dev/video*; without one the tray is simulated."""
    found = devices(machine)
    if found:
        return ok("camera", fact(", ".join(device.name for device in found)))
    fix = "plug one in; a Pi camera: `rpicam-hello --list-cameras` says whether it is seen"
    return note("camera", "none found; the tray is simulated", fix)


def check_permitted(machine: Machine) -> Finding:
    """The group video may look through a camera."""
    found = devices(machine)
    if not found:
        return none("camera_permitted", "no camera")
    if any(machine.access(device, os.R_OK | os.W_OK) for device in found):
        return ok("camera_permitted", "may be used")
    fix = join_group("video")
    return bad("camera_permitted", say("{name} may not be used", name=found[0].name), fix)


def check_library(machine: Machine) -> Finding:
    """The Pi's own camera is read through picamera2, which apt brings."""
    if not machine.is_pi:
        return none("camera_library", "not a Raspberry Pi")
    try:
        machine.load("picamera2")
    except (ImportError, OSError) as error:
        return note(
            "camera_library",
            say("no picamera2 ({why}); USB cameras only", why=reason(error)),
            PICAMERA,
        )
    return ok("camera_library", fact("picamera2"))


def check_overlay(machine: Machine) -> Finding:
    """The Pi's own camera has to be switched on in config.txt, as it is by default."""
    text = machine.text("boot/firmware/config.txt") or machine.text("boot/config.txt")
    lines = {line.strip().replace(" ", "") for line in text.splitlines()}
    off = "camera_auto_detect=0" in lines
    by_hand = any("dtoverlay=imx" in line or "dtoverlay=ov" in line for line in lines)
    if not machine.is_pi or not off or by_hand:
        return ok("camera_overlay", "cameras are looked for at power-up")
    fix = "write camera_auto_detect=1 into /boot/firmware/config.txt, then restart"
    return note("camera_overlay", fact("camera_auto_detect=0"), fix)


def check_free(machine: Machine) -> Finding:
    """One program at a time looks through a camera, and it must give pictures."""
    seen = looks(machine)
    if seen is None:
        return none("camera_free", NOT_LOOKED)
    if len(seen.looks) > 1:
        return ok("camera_free", "gives pictures")
    if machine.said("systemctl", "is-active", "companion") == "active":
        return ok("camera_free", "the companion itself looks through it")
    fix = "`fuser -v /dev/video*` says which program has it; stop that one"
    return bad("camera_free", seen.why or mark("no picture came"), fix)


def check_exposure(machine: Machine) -> Finding:
    """Neither dark nor glaring."""
    seen = looks(machine)
    if seen is None or not seen.looks:
        return none("camera_exposure", NOT_LOOKED)
    grey = statistics.median(look.brightness for look in seen.looks)
    burnt = statistics.median(look.burnt for look in seen.looks)
    found = say(
        "mean grey {grey} of 255, {percent} % burnt out",
        grey=round(grey),
        percent=round(100 * burnt),
    )
    if grey < DIM:
        return bad("camera_exposure", found, "more light; is the lens cap off?")
    if grey > GLARE or burnt > BURNT_SHARE:
        return note("camera_exposure", found, "less light, or not from the camera's side")
    return ok("camera_exposure", found)


def check_focus(machine: Machine) -> Finding:
    """Faces of dice need edges."""
    seen = looks(machine)
    if seen is None or not seen.looks:
        return none("camera_focus", NOT_LOOKED)
    edges = statistics.median(look.sharpness for look in seen.looks)
    if edges >= BLURRED:
        return ok("camera_focus", say("sharpness {n}", n=round(edges)))
    fix = "turn the lens, wipe it, put some dice into the tray and look again"
    return note(
        "camera_focus", say("sharpness {n}, blurred (or an empty tray)", n=round(edges)), fix
    )


def check_locked(machine: Machine) -> Finding:
    """Exposure, white balance and focus stay as they were when the table was set up."""
    seen, empty = looks(machine), machine.settings.camera.empty
    if seen is None or not seen.values:
        return none("camera_locked", NOT_LOOKED)
    fix = "`companion camera --empty` lets the camera find good values, and locks them"
    try:
        locked = values_beside(empty)
    except ConfigError as error:
        return bad("camera_locked", str(error), fix)
    if not locked:
        return note("camera_locked", "nothing was locked: the camera follows the light", fix)
    apart = drifted(locked, seen.values)
    changed = listed([word(one) for one in apart], "{first} and {rest}")
    if apart:
        return note(
            "camera_locked",
            say("the camera has changed its {what}", what=changed),
            fix,
        )
    return ok("camera_locked", "as it was set up")


def check_rate(machine: Machine) -> Finding:
    """When dice came to rest is known to a frame."""
    seen = looks(machine)
    if seen is None or len(seen.looks) < 2:
        return none("camera_rate", NOT_LOOKED)
    gap_s = statistics.median(
        b.at_s - a.at_s for a, b in zip(seen.looks, seen.looks[1:], strict=False)
    )
    per_s = 1 / gap_s if gap_s > 0 else 0.0
    found = say("{n} picture a second", "{n} pictures a second", n=round(per_s))
    if per_s >= SLOWEST_FPS:
        return ok("camera_rate", found)
    fix = "more light (it exposes for longer in the dark), a USB 3 port, fewer pixels"
    return note("camera_rate", found, fix)


def check_moving(machine: Machine) -> Finding:
    """A sensor's noise makes all pictures differ; equal ones mean that it hangs."""
    seen = looks(machine)
    if seen is None or len(seen.looks) < 2:
        return none("camera_frozen", NOT_LOOKED)
    if len({look.fingerprint for look in seen.looks}) > 1:
        return ok("camera_frozen", "pictures differ, as they should")
    return bad(
        "camera_frozen", say("{n} equal picture", "{n} equal pictures", n=len(seen.looks)), HANGS
    )


CHECKS = (
    check_present,
    check_permitted,
    check_library,
    check_overlay,
    check_free,
    check_exposure,
    check_focus,
    check_locked,
    check_rate,
    check_moving,
)
