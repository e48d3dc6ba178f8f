"""`companion watch`: rolls of a folder of pictures, with their times and what they cost."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from camera.pictures import save_picture
from companion.cli import main
from companion.errors import CompanionError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tray in which nothing lies and nothing happens."""
    felt = np.full((96, 128, 3), (60, 110, 70), np.uint8)
    for number in range(20):
        save_picture(tmp_path / f"{number:02}.png", felt)
    return tmp_path


def watched(folder: Path, *words: str) -> str:
    result = CliRunner().invoke(main, ["watch", str(folder), *words])
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def test_empty_tray_gives_no_roll_and_costs_little(folder):
    assert watched(folder).splitlines() == ["0 rolls"]
    told = watched(folder, "--figures").splitlines()
    assert told[-1] == "0 rolls"
    assert "MB of memory" in told[-2]
    [line] = watched(folder, "--figures", "--json", "--fps", "10").splitlines()
    figures = json.loads(line)["figures"]
    assert figures["idle"]["frames"] + figures["busy"]["frames"] == 20
    assert figures["idle"]["frames"] > 10
    assert figures["idle"]["median_ms"] < figures["busy"]["median_ms"]


def test_number_of_dice_is_at_least_one(folder):
    result = CliRunner().invoke(main, ["watch", str(folder), "--expect", "0"])
    assert result.exit_code == 2
    assert "--expect" in result.output


def test_clip_that_is_none_is_named(tmp_path):
    result = CliRunner().invoke(main, ["watch", str(tmp_path / "none.mp4")])
    assert isinstance(result.exception, CompanionError | SystemExit)
    assert result.exit_code != 0
