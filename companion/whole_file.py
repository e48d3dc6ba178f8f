"""Files that are written whole or not at all, also when the power goes."""

import contextlib
import os
from pathlib import Path

from companion.errors import ConfigError
from companion.words import of_system, say


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
