"""`companion watch`: rolls of a folder of pictures, with their times and what they cost."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from camera.pictures import save_picture
from companion.cli import main


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
    assert watched(folder).splitlines() == ["0 rolls in 20 frames"]
    told = watched(folder, "--figures").splitlines()
    assert told[-1] == "0 rolls in 20 frames"
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


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["none.mp4"], "none.mp4: expected a clip, found no such file"),
        (["note.avi"], "note.avi: expected a clip, got something without frames"),
        (["nothing"], "nothing: expected pictures in this folder, found none"),
        (["00.png"], "got one picture; `companion read` reads it"),
        ([".", "--set", "nothing"], "nothing: expected a learnt set, a folder with set.toml"),
        ([".", "--empty", "gone.png"], "gone.png: cannot be read"),
        ([".", "--empty", "trays/small.png"], "expected a picture of 128 x 96 pixels, got 64 x 96"),
    ],
)
def test_what_cannot_be_watched_is_told_in_one_line(folder, monkeypatch, words, complaint):
    (folder / "nothing").mkdir()
    (folder / "note.avi").write_text("two dice")
    (folder / "trays").mkdir()
    save_picture(folder / "trays" / "small.png", np.full((96, 64, 3), 90, np.uint8))
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, ["watch", *words])
    assert result.exit_code == 2
    assert complaint in " ".join(result.output.split())
    assert "Traceback" not in result.output
