"""Files are written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from companion.errors import ConfigError
from companion.whole_file import write_whole


def test_file_in_a_new_folder_is_written_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "house" / "dice.toml"
    write_whole(path, b"new", mode=0o600)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["dice.toml"]


def test_old_file_stays_when_the_disk_is_full(tmp_path: Path, mocker) -> None:
    path = tmp_path / "dice.toml"
    path.write_bytes(b"old")
    mocker.patch.object(os, "fsync", side_effect=OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(ConfigError, match=r"dice\.toml: cannot be written: No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["dice.toml"]
