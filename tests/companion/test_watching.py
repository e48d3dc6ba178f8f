"""`companion watch`: rolls of a folder of pictures, with their times and what they cost."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from camera.pictures import save_picture
from camera.recording import ClipWriter
from camera.rolled import UNREAD
from camera.source import Frame
from companion import watching
from companion.cli import main
from companion.commands import OUT


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


@pytest.mark.parametrize("per_s", ["nan", "inf", "0", "-3", "1e9"])
def test_rate_is_one_that_pictures_can_have(folder, per_s):
    result = CliRunner().invoke(main, ["watch", str(folder), "--fps", per_s])
    assert result.exit_code == 2
    assert "--fps" in result.output


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


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A video in which nothing happens."""
    felt = np.random.default_rng(3).integers(0, 256, (96, 128, 3), np.uint8)
    with ClipWriter(tmp_path / "felt.avi") as writer:
        for number in range(30):
            writer.write(Frame(number / 30, felt))
    return tmp_path / "felt.avi"


def test_clip_that_was_cut_short_is_told_after_what_could_be_seen_of_it(clip):
    assert watched(clip) == "0 rolls in 30 frames"
    clip.write_bytes(clip.read_bytes()[: clip.stat().st_size // 2])
    result = CliRunner().invoke(main, ["watch", str(clip)])
    assert result.exit_code == 2
    seen = int(result.stdout.split()[3])
    assert result.stdout == f"0 rolls in {seen} frames\n"
    said = f"felt.avi: expected 30 frames, as it says itself, got {seen}; it may be cut short"
    assert 0 < seen < 30
    assert said in " ".join(result.stderr.split())


def test_something_unread_is_told_without_a_face(capsys):
    unread = {"kind": UNREAD, "face": UNREAD, "certainty": 0.0, "moved": True}
    key = {"kind": "white", "face": "key", "certainty": 0.98, "moved": True}
    pips = {"kind": "d6", "face": "5", "certainty": 0.97, "moved": True}
    line = {"at_s": 1.5, "accepted": False, "dice": [unread, key, pips], "doubts": ["see there"]}
    watching.show(line, OUT, as_json=False)
    told = "ask 1.50 s: something white key (0.98) 5 (0.97) see there"
    assert " ".join(capsys.readouterr().out.split()) == told
    assert not watching.nothing_was_read(line)
    assert watching.nothing_was_read({"dice": [unread]})
