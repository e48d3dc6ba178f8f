"""Checks of what is wired to the machine: pins, groups, serial ports, sound."""

import os
from collections.abc import Callable
from functools import partial

from companion.doctor.finding import Finding, bad, join_group, none, note, ok
from companion.doctor.machine import Machine
from companion.words import fact, mark, of_system, say, word

GROUPS = {
    "gpio": mark("lamps and buttons"),
    "video": mark("the camera"),
    "dialout": mark("the receiver of dice"),
}
UDEV = fact("sudo apt install udev; sudo udevadm control --reload; sudo udevadm trigger")
APT_LGPIO = "sudo apt install python3-lgpio, and a venv with --system-site-packages"


def check_group(machine: Machine, name: str) -> Finding:
    """On a Pi an ordinary user needs some groups."""
    code, use = f"group_{name}", GROUPS[name]
    if not machine.is_pi:
        return none(code, "not a Raspberry Pi")
    if name in machine.groups or "root" in machine.groups:
        return ok(code, say("for {use}", use=word(use)))
    fix = join_group(name)
    return bad(code, say("not in group {name}, needed for {use}", name=name, use=word(use)), fix)


def check_pins(machine: Machine) -> Finding:
    """Lamps need pins; without any they are simulated."""
    chips = machine.paths("dev/gpiochip*")
    if not chips:
        return note("pins", "no GPIO here; lamps are simulated on the dashboard")
    if any(machine.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return ok("pins", fact(", ".join(chip.name for chip in chips)))
    fix = join_group("gpio")
    return bad("pins", say("{name} may not be used", name=chips[0].name), fix)


def check_pin_library(machine: Machine) -> Finding:
    """Pins are driven by lgpio, which for some Pythons is an empty placeholder."""
    if not machine.paths("dev/gpiochip*"):
        return none("pin_library", "not needed without GPIO")
    try:
        lgpio = machine.load("lgpio")
    except (ImportError, OSError):
        return bad("pin_library", "GPIO is there, lgpio is not", APT_LGPIO)
    if not hasattr(lgpio, "gpiochip_open"):
        found = "the lgpio that is installed (0.0.0.2) is an empty placeholder"
        return bad(
            "pin_library", found, say("pip uninstall lgpio; then {fix}", fix=word(APT_LGPIO))
        )
    return ok("pin_library", fact("lgpio"))


def check_pin_factory(machine: Machine) -> Finding:
    """A variable left over from a trial must not turn real lamps into simulated ones."""
    factory = machine.env.get("GPIOZERO_PIN_FACTORY", "")
    if factory and factory != "lgpio" and machine.is_pi:
        found = say("GPIOZERO_PIN_FACTORY is {factory}", factory=factory)
        return note("pin_factory", found, "unset GPIOZERO_PIN_FACTORY; lgpio is used then")
    chosen = fact(factory) if factory else mark("chosen by the companion")
    return ok("pin_factory", chosen)


def check_serial_ports(machine: Machine) -> Finding:
    """A receiver of smart dice shows as a serial port."""
    ports = machine.paths("dev/serial/by-id/*") or machine.paths("dev/tty[AU][CS][MB]*")
    if ports:
        return ok("serial_ports", fact(", ".join(port.name for port in ports)))
    return note("serial_ports", "no receiver found; smart dice are simulated, or tapped")


def check_receiver(machine: Machine) -> Finding:
    """The port of companion.toml must be there and may be used."""
    port = machine.settings.dice.port
    if not port:
        return none("receiver", "none in companion.toml")
    if "://" in port:
        return ok("receiver", fact(port))
    if port == "auto" or port.startswith("usb:"):
        return ok("receiver", say("{port}: looked for on USB when a game begins", port=port))
    path = machine.root / port.lstrip("/")
    if not path.exists():
        fix = "plug the receiver in, or correct companion.toml [dice] port"
        return bad("receiver", say("{name} is not there", name=port), fix)
    if machine.access(path, os.R_OK | os.W_OK):
        return ok("receiver", fact(port))
    return bad("receiver", say("{name} may not be used", name=port), join_group("dialout"))


def check_dice_names(machine: Machine) -> Finding:
    """A receiver's dice must be dice of the game."""
    dice = machine.settings.dice
    if not dice.port:
        return none("dice_names", "no receiver in companion.toml")
    if dice.names:
        return ok("dice_names", say("{n} smart die", "{n} smart dice", n=len(dice.names)))
    fix = 'companion.toml [dice.names]: write for example d1 = "red-1"'
    return bad("dice_names", "there is a port, but no die", fix)


def check_serial_links(machine: Machine) -> Finding:
    """The names below /dev/serial/by-id stay the same when ports change their numbers."""
    ports = machine.paths("dev/ttyACM*") + machine.paths("dev/ttyUSB*")
    if not ports or machine.paths("dev/serial/by-id/*"):
        return ok("serial_links", "udev names the ports")
    return note("serial_links", "udev makes no names that stay", UDEV)


def check_camera_links(machine: Machine) -> Finding:
    """The same for cameras that are plugged in."""
    by_usb = [p for p in machine.paths("sys/class/video4linux/*/device/driver")
              if p.resolve().name == "uvcvideo"]  # fmt: skip
    if not by_usb or machine.paths("dev/v4l/by-id/*"):
        return ok("camera_links", "udev names the cameras, or there are none")
    return note("camera_links", "udev makes no names that stay", UDEV)


def check_modem_manager(machine: Machine) -> Finding:
    """ModemManager talks to every new serial port, dice receivers included."""
    if machine.said("systemctl", "is-active", "ModemManager") != "active":
        return ok("modem_manager", "not running")
    fix = fact("sudo systemctl disable --now ModemManager")
    return note("modem_manager", "running; it may disturb the receiver", fix)


def check_braille(machine: Machine) -> Finding:
    """brltty takes serial adapters with a CH340 chip for Braille displays."""
    if machine.said("systemctl", "is-active", "brltty") != "active":
        return ok("braille", "brltty is not running")
    fix = "sudo systemctl disable --now brltty brltty-udev, unless somebody needs it"
    return note("braille", "brltty runs; it may take the receiver away", fix)


def check_serial_console(machine: Machine) -> Finding:
    """A login on the pins 14 and 15 answers whoever speaks there."""
    line = machine.text("proc/cmdline")
    port = machine.settings.dice.port
    if not any(f"console={name}" in line for name in ("serial0", "ttyAMA0", "ttyS0")):
        return ok("serial_console", "none on the pins")
    if any(name in port for name in ("serial0", "ttyAMA0", "ttyS0")):
        fix = "sudo raspi-config, Interface Options, Serial Port, no login shell"
        return bad("serial_console", say("a login runs on {port}", port=port), fix)
    return ok("serial_console", "on the pins; the receiver is elsewhere")


def check_pseudo_terminal(
    machine: Machine, opened: Callable[[], tuple[int, int]] = os.openpty
) -> Finding:
    """Simulated smart dice speak over a pseudo-terminal."""
    try:
        ends = opened()
    except OSError as error:
        fix = "mount /dev/pts; in a container allow it"
        return note(
            "pseudo_terminal", say("none: {why}; no simulated dice", why=of_system(error)), fix
        )
    for end in ends:
        os.close(end)
    return ok("pseudo_terminal", "can be opened")


def check_voice(machine: Machine) -> Finding:
    """Sentences are spoken by espeak-ng, where it is installed."""
    ran = machine.run(["espeak-ng", "--version"])
    if ran is not None and ran.status == 0:
        return ok("voice", fact(ran.text.strip().split("  ")[0]))
    return note("voice", "no espeak-ng; the dashboard speaks", fact("sudo apt install espeak-ng"))


def check_sound(machine: Machine) -> Finding:
    """Something that sounds, for the voice."""
    cards = machine.text("proc/asound/cards")
    if cards and "no soundcards" not in cards:
        return ok("sound", fact(cards.splitlines()[0].strip()))
    return note("sound", "no sound card; the buzzer and the dashboard sound", "plug one in")


def check_fonts(machine: Machine) -> Finding:
    """A screen at the Pi itself needs fonts; other machines bring their own."""
    ran = machine.run(["fc-list", ":", "family"])
    if ran is None:
        return none("fonts", "no desktop here; screens elsewhere have theirs")
    names = {line.strip() for line in ran.text.splitlines() if line.strip()}
    if not names:
        return note(
            "fonts", "no fonts", fact("sudo apt install fonts-dejavu-core fonts-noto-color-emoji")
        )
    return ok("fonts", say("{n} family of fonts", "{n} families of fonts", n=len(names)))


EACH_GROUP: list[Callable[[Machine], Finding]] = [
    partial(check_group, name=name) for name in GROUPS
]
CHECKS = (
    *EACH_GROUP,
    check_pins,
    check_pin_library,
    check_pin_factory,
    check_serial_ports,
    check_receiver,
    check_dice_names,
    check_serial_links,
    check_camera_links,
    check_modem_manager,
    check_braille,
    check_serial_console,
    check_pseudo_terminal,
    check_voice,
    check_sound,
    check_fonts,
)
