"""`companion doctor`: is everything there that a game needs, and if not, what is to be done?

A check is a small function from a `Machine` to a `Finding`. They are grouped by subject, a module
each; whoever adds one appends it to its module's `CHECKS`. Nothing that is looked at can end the
examination.
"""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from companion.config import Config, load_config
from companion.doctor import (
    background,
    cameras,
    devices,
    joined,
    libraries,
    network,
    storage,
    system,
)
from companion.doctor.finding import BAD, NONE, NOTE, OK, Finding, looked_at
from companion.doctor.machine import Machine
from companion.errors import CompanionError
from companion.protocol import encode

__all__ = ["BAD", "NONE", "NOTE", "OK", "Finding", "Machine", "examine", "findings", "page"]

Check = Callable[[Machine], Finding]
MARKS = {
    OK: "[green]ok[/green]",
    NOTE: "[yellow]note[/yellow]",
    BAD: "[red]bad[/red]",
    NONE: "[dim]none[/dim]",
}
EACH_LIBRARY: list[Check] = [
    partial(libraries.check_library, name=name, package=package)
    for name, package in libraries.required().items()
]
SUBJECTS: dict[str, tuple[Check, ...]] = {
    "machine": system.CHECKS,
    "libraries": (*EACH_LIBRARY, *libraries.CHECKS),
    "storage": storage.CHECKS,
    "devices": (*devices.CHECKS, *joined.CHECKS),
    "camera": cameras.CHECKS,
    "network": network.CHECKS,
    "service": background.CHECKS,
}


def machine_with(journal: Path, config: Path | None, *, eyes: bool = True) -> Machine:
    """This machine, with the settings that hold; broken ones are a finding, and defaults hold."""
    usual = Path("companion.toml")
    try:
        settings = load_config(config or (usual if usual.is_file() else None))
    except CompanionError:
        settings = Config()
    return Machine.here(journal, config, settings, eyes=eyes)


def findings(machine: Machine) -> list[Finding]:
    """Look at everything."""
    return [
        looked_at(name_of(check), partial(check, machine))
        for checks in SUBJECTS.values()
        for check in checks
    ]


def page(machine: Machine) -> dict[str, list[dict[str, Any]]]:
    """Look at everything, as fields by subject, for a page in its viewer's language."""
    return {
        subject: [
            msgspec.structs.asdict(looked_at(name_of(check), partial(check, machine)))
            for check in checks
        ]
        for subject, checks in SUBJECTS.items()
    }


def name_of(check: Check) -> str:
    """The code under which a check that fails itself is told: subject and name, one of its own."""
    function: Any = check.func if isinstance(check, partial) else check
    more = check.keywords.get("name", "") if isinstance(check, partial) else ""
    subject = function.__module__.rpartition(".")[2]
    return "_".join(filter(None, (subject, function.__name__.removeprefix("check_"), more)))


def examine(
    journal: Path, config: Path | None, console: Console, *, as_json: bool
) -> list[Finding]:
    """Look at everything, print what was found, and return it."""
    found = findings(machine_with(journal, config))
    show(found, console, as_json=as_json)
    return found


def show(found: Iterable[Finding], console: Console, *, as_json: bool) -> None:
    """Print findings as a table, or a JSON object a line."""
    if as_json:
        for finding in found:
            sys.stdout.buffer.write(encode(msgspec.structs.asdict(finding)) + b"\n")
        return
    rows = list(found)
    table = Table("", "what", "found", "to do")
    for finding in rows:
        cells = (finding.code, escape(finding.finding), escape(finding.fix))
        table.add_row(MARKS[finding.state], *cells)
    console.print(table)
    counts = ", ".join(f"{sum(f.state == s for f in rows)} {s}" for s in MARKS)
    console.print(f"{len(rows)} checks: {counts}")
