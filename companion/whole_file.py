"""Files that are written whole or not at all, also when the power goes."""

import contextlib
import logging
import os
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.errors import ConfigError
from companion.words import of_system, say

LOG = logging.getLogger(__name__)
T = TypeVar("T", bound=msgspec.Struct)


def keep(path: Path | None, what: msgspec.Struct) -> None:
    """Write what is to hold at the next start too; without a path, or a disk, it is forgotten."""
    if path is None:
        return
    try:
        write_whole(path, msgspec.json.encode(what))
    except ConfigError as error:
        LOG.warning("%s", error)


def kept(path: Path | None, kind: type[T], otherwise: str) -> T | None:
    """What was kept; None where nothing was, or where it cannot be read.

    otherwise  what holds then, for the log.
    """
    if path is None or not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError) as error:
        LOG.warning("%s: %s; %s", path, error, otherwise)
        return None


def write_whole(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Replace a file in one go; raises ConfigError if it cannot be done, and the old one stays.

    mode  who may read and write it, as in `chmod`; None leaves it to the process's usual.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave the new name without its content
        if mode is not None:
            fresh.chmod(mode)
        fresh.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise ConfigError(
            say("{path}: cannot be written: {why}", path=path, why=of_system(error))
        ) from error
