"""How `companion dice` shows receivers and dice: a table for people, an object for programs."""

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from hardware.dice_health import DieHealth, Health

MOTIONS = {
    "lying": "[green]lies[/green]",
    "moving": "[bold yellow]rolls[/bold yellow]",
    "held": "[yellow]in a hand[/yellow]",
    "crooked": "[red]crooked[/red]",
    "asleep": "[dim]asleep[/dim]",
    "silent": "[red]silent[/red]",
    "unheard": "[dim]no word[/dim]",
}
NOISE = ("damaged", "foreign", "repeated", "reordered", "recovered", "lost", "restarts")


def shown(healths: Sequence[Health], now_s: float) -> RenderableType:
    """All receivers, one below the other."""
    return Group(*(part for health in healths for part in _one(health, now_s)))


def snapshot(healths: Sequence[Health]) -> dict[str, Any]:
    """The same for programs; times in seconds since the command began."""
    rows = [msgspec.to_builtins(one) | {"troubles": one.troubles()} for one in healths]
    return {"receivers": rows}


def _one(health: Health, now_s: float) -> list[RenderableType]:
    table = Table(title=_title(health), title_justify="left", title_style="bold")
    for heading in ("die", "plays", "face", "is"):
        table.add_column(heading, no_wrap=True)
    for heading in ("battery", "signal", "lost", "ago"):
        table.add_column(heading, justify="right", no_wrap=True)
    for die in health.dice:
        table.add_row(*_row(die, now_s))
    return [table, _counts(health), *_troubles(health)]


def _title(health: Health) -> str:
    if health.state != "connected" or not health.who:
        return f"{escape(health.port)}: {health.state}"
    version = f", firmware {escape(health.firmware)}" if health.firmware else ""
    within = f", clock within {health.clock_within_s} s" if health.clock_within_s else ""
    quick = ", low latency" if health.is_quick else ""
    return f"{escape(health.who)} at {escape(health.port)}{version}{within}{quick}"


def _row(die: DieHealth, now_s: float) -> list[str]:
    face = die.face or (f"side {die.code}?" if die.code else "")
    age_s = now_s - die.heard_at_s
    return [
        escape(die.die),
        escape(die.name) or "[dim]nothing[/dim]",
        "[dim]?[/dim]" if die.motion == "moving" else escape(face),
        MOTIONS.get(die.motion, die.motion),
        "" if die.battery_percent is None else f"{die.battery_percent} %",
        "" if die.signal_dbm is None else f"{die.signal_dbm} dBm",
        str(die.lost),
        f"{max(0.0, age_s):.1f} s" if die.heard_at_s else "",
    ]


def _counts(health: Health) -> str:
    counts = health.counts
    noise = ", ".join(f"{getattr(counts, name)} {name}" for name in NOISE if getattr(counts, name))
    return f"[dim]{counts.lines} lines{', ' + noise if noise else ''}[/dim]"


def _troubles(health: Health) -> list[str]:
    return [f"[yellow]! {escape(trouble)}[/yellow]" for trouble in health.troubles()]
