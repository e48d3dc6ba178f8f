"""Keeps where trays lie in the picture in `zones.toml`, beside companion.toml."""

from pathlib import Path

import msgspec

from companion.config import LearntZones, ZoneSettings
from companion.config_keys import bare, written
from companion.whole_file import write_whole

HEAD = "# Written by the set-up page of the dashboard; it goes before companion.toml [camera].\n"


def keep_zones(path: Path, learnt: LearntZones) -> None:
    """Write the file whole or not at all; raises ConfigError if it cannot be written."""
    write_whole(path, file_of(learnt).encode())


def file_of(learnt: LearntZones) -> str:
    """The file as it is written; read again it gives the same."""
    parts = [HEAD]
    if learnt.die_px:
        parts.append(f"die_px = {written(learnt.die_px)}\n")
    for name, zone in sorted(learnt.zones.items()):
        parts.append(f"[zones.{bare(name)}]\n{rows_of(zone)}")
    return "\n".join(parts)


def rows_of(zone: ZoneSettings) -> str:
    """What is said about one zone; what is usual is left out."""
    usual = ZoneSettings()
    said = {
        name: value
        for name, value in msgspec.structs.asdict(zone).items()
        if value != getattr(usual, name)
    }
    return "".join(f"{name} = {written(value)}\n" for name, value in said.items())
