"""`companion doctor`: is everything there that a game needs, and if not, what is to be done?"""

import importlib
import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from companion.errors import CompanionError
from companion.protocol import encode

WHEELS = ("cv2", "numpy", "flask", "gpiozero", "serial", "msgspec", "sqlalchemy", "waitress")
ENOUGH_MB = 200
MARKS = {"ok": "[green]ok[/green]", "note": "[yellow]note[/yellow]", "bad": "[red]bad[/red]"}


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    state  `ok`, `note` (works, but know it) or `bad` (a game would suffer).
    fix    what to do, where something is to be done.
    """

    code: str
    state: str
    finding: str
    fix: str = ""


def examine(
    journal: Path, config: Path | None, console: Console, *, as_json: bool
) -> list[Finding]:
    """Look at everything, print what was found, and return it."""
    checks: list[Callable[[], Finding]] = [
        check_python,
        check_word_size,
        *[lambda name=name: check_wheel(name) for name in WHEELS],
        lambda: check_settings(config),
        lambda: check_journal(journal),
        lambda: check_space(journal),
        check_pins,
        check_pseudo_terminal,
        check_camera,
        check_serial_ports,
        check_port,
        check_groups,
    ]
    findings = [looked_at(check) for check in checks]
    show(findings, console, as_json=as_json)
    return findings


def looked_at(check: Callable[[], Finding]) -> Finding:
    """Run one check; one that fails itself is a finding too."""
    try:
        return check()
    except Exception as error:
        name = getattr(check, "__name__", "check")
        return Finding(f"{name}_failed", "note", f"could not be looked at: {error}")


def show(findings: Iterable[Finding], console: Console, *, as_json: bool) -> None:
    """Print findings as a table, or a JSON object a line."""
    if as_json:
        for finding in findings:
            sys.stdout.buffer.write(encode(msgspec.to_builtins(finding)) + b"\n")
        return
    table = Table("", "what", "found", "to do")
    for finding in findings:
        table.add_row(MARKS[finding.state], finding.code, finding.finding, finding.fix)
    console.print(table)


def check_python() -> Finding:
    """Python must be 3.11 or newer."""
    version = platform.python_version()
    if tuple(int(part) for part in version.split(".")[:2]) >= (3, 11):
        return Finding("python", "ok", version)
    return Finding("python", "bad", version, "install Python 3.11 or newer")


def check_word_size() -> Finding:
    """OpenCV and others have no wheels for 32 bit."""
    machine = platform.machine()
    if sys.maxsize > 2**32:
        return Finding("word_size", "ok", f"64 bit, {machine}")
    return Finding("word_size", "bad", f"32 bit, {machine}", "use the 64-bit Raspberry Pi OS")


def check_wheel(name: str) -> Finding:
    """A library must be there and load."""
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        return Finding(f"library_{name}", "bad", str(error), "make setup")
    version = getattr(module, "__version__", None) if name == "cv2" else None
    return Finding(f"library_{name}", "ok", str(version or "loads"))


def check_settings(config: Path | None) -> Finding:
    """companion.toml must be readable and right."""
    from companion.config import load_config

    path = config or Path("companion.toml")
    if not path.is_file():
        return Finding("settings", "ok", "none; defaults hold")
    try:
        load_config(path)
    except CompanionError as error:
        return Finding("settings", "bad", str(error), f"correct {path}")
    return Finding("settings", "ok", str(path))


def check_journal(path: Path) -> Finding:
    """The journal must open, and its latest game come out as it was."""
    from companion.journal import Journal

    if not path.is_file():
        return Finding("journal", "ok", f"none yet at {path}")
    try:
        journal = Journal(path)
        rows = journal.games()
        if rows:
            journal.resume(rows[-1].number)
        journal.close()
    except CompanionError as error:
        return Finding("journal", "bad", str(error), "begin another game with --new")
    return Finding("journal", "ok", f"{len(rows)} games in {path}")


def check_space(path: Path) -> Finding:
    """The disk of the journal needs some space."""
    folder = next(p for p in (path.parent, *path.parent.parents) if p.exists())
    free_mb = shutil.disk_usage(folder).free // 2**20
    with tempfile.TemporaryFile(dir=folder) as trial:
        trial.write(b"x" * 4096)
        os.fsync(trial.fileno())
    state = "ok" if free_mb >= ENOUGH_MB else "bad"
    return Finding("disk", state, f"{free_mb} MB free in {folder}", "" if state == "ok" else "tidy")


def check_pins() -> Finding:
    """Lamps need pins; without any they are simulated."""
    chips = sorted(Path("/dev").glob("gpiochip*"))
    if not chips:
        return Finding("pins", "note", "no GPIO here; lamps are simulated on the dashboard")
    try:
        lgpio = importlib.import_module("lgpio")
    except ImportError:
        fix = "sudo apt install python3-lgpio, and a venv with --system-site-packages"
        return Finding("pins", "bad", "GPIO is there, lgpio is not", fix)
    if not hasattr(lgpio, "gpiochip_open"):
        return Finding(
            "pins", "bad", "lgpio is an empty placeholder", "pip uninstall lgpio; use apt"
        )
    return Finding("pins", "ok", f"{chips[0]}")


def check_pseudo_terminal() -> Finding:
    """Simulated smart dice speak over a pseudo-terminal."""
    ends = os.openpty()
    for end in ends:
        os.close(end)
    return Finding("pseudo_terminal", "ok", "can be opened")


def check_camera() -> Finding:
    """A camera shows as /dev/video*; without one the tray is simulated."""
    devices = sorted(Path("/dev").glob("video*"))
    if not devices:
        return Finding("camera", "note", "none found; the tray is simulated")
    if not any(os.access(device, os.R_OK) for device in devices):
        fix = "sudo usermod -aG video $USER, then log in again"
        return Finding("camera", "bad", f"{devices[0]} may not be read", fix)
    return Finding("camera", "ok", ", ".join(device.name for device in devices))


def check_serial_ports() -> Finding:
    """A receiver of smart dice shows as a serial port."""
    ports = (
        sorted(Path("/dev/serial/by-id").glob("*")) if Path("/dev/serial/by-id").exists() else []
    )
    if not ports:
        return Finding("serial", "note", "no receiver found; smart dice are simulated")
    return Finding("serial", "ok", ", ".join(port.name for port in ports))


def check_port(port: int = 8000) -> Finding:
    """The dashboard's usual port should be free."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            fix = "companion play --port 8001, or stop what runs there"
            return Finding("port", "note", f"port {port} is in use", fix)
    return Finding("port", "ok", f"port {port} is free")


def check_groups() -> Finding:
    """On a Pi an ordinary user needs some groups."""
    if not Path("/etc/rpi-issue").exists():
        return Finding("groups", "ok", "not a Raspberry Pi")
    import grp

    mine = {grp.getgrgid(number).gr_name for number in os.getgroups()}
    missing = [name for name in ("gpio", "video", "dialout") if name not in mine]
    if missing:
        fix = f"sudo usermod -aG {','.join(missing)} $USER, then log in again"
        return Finding("groups", "bad", f"not in {', '.join(missing)}", fix)
    return Finding("groups", "ok", "gpio, video, dialout")
