"""Keeps what is learnt about smart dice in `dice.toml`, beside companion.toml."""

import json
from pathlib import Path

import msgspec

from companion.config import DICE_FILE, LearntDice, load_dice
from companion.whole_file import write_whole

HEAD = "# Written by `companion dice`; companion.toml [dice] goes before it.\n"


def dice_file(config: Path | None) -> Path:
    """Where it lies: beside the settings file, or in this folder."""
    return (config.parent if config else Path()) / DICE_FILE


def written(learnt: LearntDice) -> str:
    """The file as it is written; read again it gives the same."""
    parts = [HEAD]
    for section in ("names", "bluetooth"):
        parts.append(_table(section, getattr(learnt, section)))
    for die, sides in sorted(learnt.faces.items()):
        parts.append(_table(f"faces.{_quoted(die)}", sides))
    return "\n".join(part for part in parts if part)


def keep(path: Path, learnt: LearntDice) -> None:
    """Write the file whole or not at all; raises ConfigError if it cannot be written."""
    write_whole(path, written(learnt).encode())


def mapped(learnt: LearntDice, own: str, name: str) -> LearntDice:
    """A smart die plays a die of the game; who played it before plays none."""
    others = {one: other for one, other in learnt.names.items() if other != name}
    return msgspec.structs.replace(learnt, names=others | {own: name})


def renamed(learnt: LearntDice, own: str, new: str) -> LearntDice:
    """A smart die has another id; what was known of it stays."""
    tables = {}
    for section in ("names", "faces", "bluetooth"):
        known = dict(getattr(learnt, section))
        if own in known:
            known[new] = known.pop(own)
        tables[section] = known
    return LearntDice(**tables)


def calibrated(learnt: LearntDice, own: str, sides: dict[str, str]) -> LearntDice:
    """The faces of a smart die's sides are known."""
    return msgspec.structs.replace(learnt, faces=learnt.faces | {own: sides})


def peered(learnt: LearntDice, own: str, peer: str) -> LearntDice:
    """A Bluetooth die is known by an id."""
    return msgspec.structs.replace(learnt, bluetooth=learnt.bluetooth | {own: peer})


def read(path: Path) -> LearntDice:
    """What the file says; nothing if there is none yet."""
    return load_dice(path)


def _table(name: str, values: dict[str, str]) -> str:
    # A JSON string is a TOML string, too, where nothing beyond ASCII is escaped.
    if not values:
        return ""
    rows = [f"{_quoted(key)} = {_quoted(value)}" for key, value in sorted(values.items())]
    return "\n".join([f"[{name}]", *rows]) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
