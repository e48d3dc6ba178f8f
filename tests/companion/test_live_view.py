"""`companion camera` and `companion record`: what is seen is told, and what is kept plays again."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from camera.pictures import save_picture
from camera.recording import ClipWriter
from camera.sights import SimulatedThrows
from camera.source import Frame, VideoFile
from companion.camera_command import camera
from companion.cli import main
from companion.clock import SimulatedClock
from companion.errors import CompanionError
from companion.games import GAMES
from companion.looking import SIMULATED, pipeline
from companion.players import some_players
from companion.record_command import record
from companion.referee import Referee

PARTS = ["clip.avi", "clip.avi.times.csv", "readings.jsonl", "versions.json"]


@pytest.fixture(scope="module")
def tray() -> SimulatedThrows:
    game = GAMES["troll_and_dragon"]
    dice = Referee(game, some_players(2), game.options()).table.dice
    return SimulatedThrows(dice, {"tray": ("white-1", "white-2")})


@pytest.mark.parametrize("code", ["MJPG", "FFV1"])
def test_clip_plays_at_its_own_times_when_frames_were_dropped(tmp_path, tray, code):
    path = tmp_path / "clip.avi"
    times_s = [5.0, 5.033, 5.1, 5.4, 5.41]
    with ClipWriter(path, code) as clip:
        numbers = [clip.write(Frame(at_s, tray.tray.frame(at_s).pixels)) for at_s in times_s]
    assert numbers == [0, 1, 3, 12, None]
    played = list(VideoFile(path).frames())
    for at_s, number in zip(times_s[:-1], numbers[:-1], strict=True):
        assert played[number].at_s == pytest.approx(at_s - 5.0, abs=1 / 60)
        if code == "FFV1":
            assert (
                abs(played[number].pixels.astype(int) - tray.tray.frame(at_s).pixels) <= 4
            ).all()


def test_simulated_dice_are_read_as_they_were_thrown():
    _, eyes = pipeline(SIMULATED, None, SimulatedClock())
    states = set()
    frames = SimulatedThrows(*simulated_parts(), seed=1).frames()
    for frame in frames:
        sights = eyes.see(frame)
        states |= {sight.state for sight in sights}
        if frame.at_s > 3.0:
            break
    assert {"moving", "settling", "still"} <= states
    assert {s.zone: len(s.dice) for s in sights} == {"adventurer": 6, "dragon": 2}


def simulated_parts():
    game = GAMES["troll_and_dragon"]
    dice = Referee(game, some_players(2), game.options()).table.dice
    kinds = {"adventurer": ("white", "gold"), "dragon": ("red",)}
    return dice, {z: tuple(d.name for d in dice if d.kind in k) for z, k in kinds.items()}


def test_json_lines_are_as_many_as_asked():
    result = CliRunner().invoke(camera, ["simulated", "--json", "--frames", "5"])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 5
    assert result.stderr == "reading simulated dice\n"
    assert {zone["zone"] for zone in lines[-1]["zones"]} <= {"adventurer", "dragon"}


def test_table_tells_that_a_camera_is_not_there():
    result = CliRunner().invoke(main, ["camera", "/dev/video63", "--frames", "2"])
    assert result.exit_code == 2
    assert "lost" in result.output
    assert "nothing to show: /dev/video63: no camera there" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["camera", "nothing"],
            "nothing to show: nothing: expected pictures in this folder",
        ),
        (["camera", "gone.avi"], "got 'gone.avi'"),
        (["camera", "simulated", "--picture", "z.png"], "got simulated"),
        (["camera", "simulated", "--set", "nothing"], "leave out --set"),
        (["camera", "nothing", "--set", "nothing"], "expected a learnt set"),
        (["camera", "0.png"], "got one picture; `companion read` reads it"),
        (["record", "bug.zip", "0.png"], "got one picture; `companion read` reads it"),
        (
            ["record", "bug.zip", "nothing"],
            "nothing to record: nothing: expected pictures",
        ),
        (["record", "gone/bug.zip", "simulated"], "expected a folder that is there"),
        (["record", "/proc/bug.zip", "simulated"], "cannot be written"),
    ],
)
def test_what_cannot_be_shown_or_kept_is_told_in_one_line(tmp_path, monkeypatch, words, complaint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nothing").mkdir()
    save_picture(tmp_path / "0.png", np.full((48, 64, 3), 90, np.uint8))
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert complaint in " ".join(result.output.split())
    assert not (tmp_path / "bug.zip").exists()


def test_recording_holds_clip_readings_and_versions(tmp_path: Path):
    to = tmp_path / "bug.zip"
    result = CliRunner().invoke(record, [str(to), "simulated", "--seconds", "0.7"])
    assert result.exit_code == 0, result.output
    with zipfile.ZipFile(to) as packed:
        assert packed.namelist() == PARTS
        packed.extract("clip.avi", tmp_path)
        times = packed.read("clip.avi.times.csv").decode().splitlines()
        lines = [json.loads(line) for line in packed.read("readings.jsonl").splitlines()]
    assert result.output.splitlines()[-1].startswith("Readings: readings.jsonl")
    kept = [line["frame"] for line in lines if line["frame"] is not None]
    assert kept
    assert len(list(VideoFile(tmp_path / "clip.avi").frames())) == max(kept) + 1
    assert [int(line.split(",")[0]) for line in times] == kept


def test_recording_that_is_there_is_not_overwritten(tmp_path: Path):
    to = tmp_path / "bug.zip"
    to.write_bytes(b"precious")
    result = CliRunner().invoke(record, [str(to), "simulated"])
    assert isinstance(result.exception, CompanionError)
    assert to.read_bytes() == b"precious"


def test_folder_of_pictures_is_looked_through_to_its_end(tmp_path: Path, tray):
    for number in range(4):
        save_picture(tmp_path / f"{number}.png", tray.tray.empty())
    result = CliRunner().invoke(camera, [str(tmp_path), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout.splitlines()[0])["zones"][0]["zone"] == "tray"
