"""Checks of the machine itself: Python, kernel, memory, power, heat, clock, language."""

import re
from datetime import datetime

from companion.doctor.finding import Finding, bad, none, note, ok
from companion.doctor.machine import Machine
from companion.words import fact, mark, say

OLDEST_PYTHON = (3, 11)
OLDEST_KERNEL = (6, 1)  # the one of Raspberry Pi OS bookworm
SYSTEMS = ("bookworm", "trixie")
ENOUGH_MB = 300  # a table in play takes some 150
WARM_C, HOT_C = 70.0, 80.0  # the Pi slows down at 80 degrees Celsius
NOW, SINCE_BOOT = 0, 16  # vcgencmd get_throttled: bits for now, and the same since power-up
NOW_IT_IS, SINCE_THEN = mark("now"), mark("since power-up")
UNDER_VOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = range(4)
SOME_DAY = datetime(2026, 1, 1).timestamp()  # this program is younger


def check_python(machine: Machine) -> Finding:
    """Python must be 3.11 or newer."""
    version = ".".join(map(str, machine.python))
    if machine.python[:2] >= OLDEST_PYTHON:
        return ok("python", fact(version))
    return bad("python", fact(version), "install Python 3.11 or newer, or Raspberry Pi OS bookworm")


def check_word_size(machine: Machine) -> Finding:
    """OpenCV and others have no wheels for 32 bit."""
    if machine.bits == 64:
        return ok(
            "word_size",
            say("{bits} bit, {processor}", bits=machine.bits, processor=machine.processor),
        )
    found = say("{bits} bit, {processor}", bits=machine.bits, processor=machine.processor)
    return bad("word_size", found, "use the 64-bit Raspberry Pi OS")


def check_model(machine: Machine) -> Finding:
    """Which machine this is; lamps and buttons need a Raspberry Pi."""
    if machine.is_pi:
        return ok("model", fact(machine.text("proc/device-tree/model")))
    return note("model", "no Raspberry Pi; lamps and buttons are simulated")


def check_system(machine: Machine) -> Finding:
    """The systems for which packages are named in the README."""
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', machine.text("etc/os-release"), re.M))
    named = release.get("PRETTY_NAME")
    name = fact(named) if named else mark("unknown")
    if release.get("VERSION_CODENAME") in SYSTEMS:
        return ok("system", name)
    return note("system", name, "bookworm or trixie are what it is made for; look at the README")


def check_kernel(machine: Machine) -> Finding:
    """A kernel as old as the system's or newer; older ones lack what lgpio and V4L2 need."""
    numbers = tuple(map(int, re.findall(r"\d+", machine.release)[:2]))
    if numbers >= OLDEST_KERNEL:
        return ok("kernel", fact(machine.release))
    return bad("kernel", fact(machine.release), "sudo apt full-upgrade, then restart")


def meminfo_mb(machine: Machine) -> dict[str, int]:
    """`/proc/meminfo` in MB."""
    rows = re.findall(r"^(\w+):\s+(\d+) kB", machine.text("proc/meminfo"), re.M)
    return {name: int(number) // 1024 for name, number in rows}


def check_memory(machine: Machine) -> Finding:
    """Some memory must be left for pictures."""
    left = meminfo_mb(machine)["MemAvailable"]
    if left >= ENOUGH_MB:
        return ok("memory", say("{mb} MB available", mb=left))
    return bad("memory", say("{mb} MB available", mb=left), "stop other programs, or the desktop")


def check_swap(machine: Machine) -> Finding:
    """Swapping to an SD card makes everything late."""
    mb = meminfo_mb(machine)
    used, total = mb.get("SwapTotal", 0) - mb.get("SwapFree", 0), mb.get("SwapTotal", 0)
    if total == 0:
        return ok("swap", "no swap")
    if used <= total // 2:
        return ok("swap", say("{used} of {total} MB used", used=used, total=total))
    return note(
        "swap",
        say("{used} of {total} MB used", used=used, total=total),
        "restart the machine; stop other programs",
    )


def check_load(machine: Machine) -> Finding:
    """Other programs must leave the processor some time."""
    minute = float(machine.text("proc/loadavg").split()[0])
    if minute <= machine.cores:
        return ok(
            "load", say("{load} on {cores} cores", load=round(minute, 1), cores=machine.cores)
        )
    found = say("{load} on {cores} cores", load=round(minute, 1), cores=machine.cores)
    return note("load", found, "look with `top` at what else runs")


def check_temperature(machine: Machine) -> Finding:
    """A hot processor slows down."""
    zones = [machine.text(str(p.relative_to(machine.root)))
             for p in machine.paths("sys/class/thermal/thermal_zone*/temp")]  # fmt: skip
    degrees = [int(zone) / 1000 for zone in zones if zone.lstrip("-").isdigit()]
    if not degrees:
        return none("temperature", "no sensor")
    hottest = max(degrees)
    if hottest < WARM_C:
        return ok("temperature", say("{degrees} °C", degrees=round(hottest)))
    fix = "give it air, a heat sink or a fan"
    shape = note if hottest < HOT_C else bad
    return shape("temperature", f"{hottest:.0f} °C", fix)


def throttle_bits(machine: Machine) -> int | None:
    """The flags of the firmware; None where there is none to ask."""
    for words in (["vcgencmd", "get_throttled"],):
        match = re.search(r"throttled=0x([0-9a-fA-F]+)", machine.said(*words))
        if match:
            return int(match[1], 16)
    text = machine.text("sys/devices/platform/soc/soc:firmware/get_throttled")
    return int(text, 16) if re.fullmatch(r"(0x)?[0-9a-fA-F]+", text) else None


def flagged(bits: int, *flags: int) -> str:
    """`now`, `since power-up`, or empty."""
    if any(bits >> (NOW + flag) & 1 for flag in flags):
        return NOW_IT_IS
    return SINCE_THEN if any(bits >> (SINCE_BOOT + flag) & 1 for flag in flags) else ""


def check_under_voltage(machine: Machine) -> Finding:
    """Too little voltage corrupts cards and drops USB devices."""
    bits = throttle_bits(machine)
    if bits is None:
        return none("under_voltage", "no firmware to ask")
    when = flagged(bits, UNDER_VOLTAGE)
    if not when:
        return ok("under_voltage", "none since power-up")
    fix = "use the Pi's own power supply and a short cable"
    return (bad if when == NOW_IT_IS else note)("under_voltage", when, fix)


def check_throttled(machine: Machine) -> Finding:
    """A processor that is slowed down reads dice late."""
    bits = throttle_bits(machine)
    if bits is None:
        return none("throttled", "no firmware to ask")
    when = flagged(bits, CAPPED, THROTTLED, SOFT_LIMIT)
    if not when:
        return ok("throttled", "not since power-up")
    fix = "cool it, and look at its power supply"
    return (bad if when == NOW_IT_IS else note)("throttled", when, fix)


def check_locale(machine: Machine) -> Finding:
    """Names of people need UTF-8."""
    if machine.encoding.lower().replace("-", "") == "utf8":
        found = machine.env.get("LC_ALL") or machine.env.get("LANG") or "UTF-8"
        return ok("locale", fact(found))
    return bad("locale", fact(machine.encoding), "sudo raspi-config, Localisation, a UTF-8 locale")


def check_time_zone(machine: Machine) -> Finding:
    """When games were played is said in local time."""
    name = machine.text("etc/timezone") or zone_link(machine)
    if name and name.split("/")[-1] not in ("UTC", "UCT", "Zulu"):
        return ok("time_zone", fact(name))
    found = fact(name) if name else mark("not set")
    return note("time_zone", found, fact("sudo timedatectl set-timezone Europe/Berlin"))


def zone_link(machine: Machine) -> str:
    """The zone that /etc/localtime leads to."""
    link = machine.root / "etc/localtime"
    return str(link.readlink()).partition("zoneinfo/")[2] if link.is_symlink() else ""


def check_clock_synchronised(machine: Machine) -> Finding:
    """A Pi without a clock of its own asks the network for the time."""
    said = machine.said("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if said == "yes":
        return ok("clock_synchronised", "with the network")
    if said != "no":
        return none("clock_synchronised", "nobody to ask")
    fix = "sudo timedatectl set-ntp true; games go on without it"
    return note("clock_synchronised", "not yet", fix)


def check_clock(machine: Machine) -> Finding:
    """A clock that starts in the past jumps when the network tells it the time."""
    now_s = machine.now_s()
    newest_s = max([SOME_DAY, *[p.stat().st_mtime for p in [machine.journal] if p.exists()]])
    when = datetime.fromtimestamp(now_s).strftime("%Y-%m-%d %H:%M")
    if now_s >= newest_s - 60:
        return ok("clock", fact(when))
    found = say("{when}, which is before the journal was written", when=when)
    return bad("clock", found, "sudo timedatectl set-ntp true, or set the time by hand")


CHECKS = (
    check_python,
    check_word_size,
    check_model,
    check_system,
    check_kernel,
    check_memory,
    check_swap,
    check_load,
    check_temperature,
    check_under_voltage,
    check_throttled,
    check_locale,
    check_time_zone,
    check_clock_synchronised,
    check_clock,
)
