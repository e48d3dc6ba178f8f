"""`companion camera`: one picture, where the zones lie in it, and what to do where none comes."""

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks, Kind, save
from camera.locks import load_values
from camera.pictures import load_picture, save_picture
from camera.simulated import SimulatedTray
from camera.source import Frame, VideoFile
from camera.train_tables import make_picture
from companion.cli import main
from companion.config import CameraSettings, Config
from companion.doctor.cameras import check_locked
from companion.doctor.looks import CameraLooks
from companion.doctor.machine import Machine
from companion.games import GAMES
from companion.players import some_players
from companion.referee import Referee

SETTINGS = """
[camera]
device = "{folder}/clip"
die_px = 40
empty = "{folder}/empty.png"
[camera.zones.dragon]
rectangle = [100, 50, 200, 160]
"""


def a_tray() -> SimulatedTray:
    game = GAMES["troll_and_dragon"]
    dice = Referee(game, some_players(2), game.options()).table.dice
    return SimulatedTray(dice, {"tray": ["white-1"]}, seed=1)


def tray_with_dice() -> Pixels:
    tray = a_tray()
    return tray.frame(tray.throw({"white-1": "key"}, 0.0)).pixels


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "clip").mkdir()
    save_picture(tmp_path / "clip" / "0.png", a_tray().empty())
    (tmp_path / "companion.toml").write_text(SETTINGS.format(folder=tmp_path))
    return tmp_path


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["camera", "--config", str(folder / "companion.toml"), *words])


def test_picture_is_told_and_its_zones_are_drawn(folder):
    result = run(folder, "--picture", str(folder / "zones.png"))
    assert result.exit_code == 0, result.output
    assert "pictures of 640 x 360 pixels" in result.output
    assert "zone dragon: 5.0 x 4.0 dice, between (100, 50) (300, 50) (300, 210)" in result.output
    shown, plain = load_picture(folder / "zones.png"), load_picture(folder / "clip" / "0.png")
    assert (shown[130, 100] != plain[130, 100]).any()
    assert (shown[130, 200] == plain[130, 200]).all()


def test_dice_in_the_picture_are_measured(folder):
    assert "pixels wide" not in run(folder, "--zones").output
    save_picture(folder / "clip" / "0.png", tray_with_dice())
    said = run(folder, "--zones").output.splitlines()[-1]
    assert said.startswith("dice that lie here now: about ")
    assert 20 < float(said.split()[6]) < 60


def test_picture_of_no_known_format_says_how_to_write_it(folder):
    result = run(folder, "--picture", str(folder / "zones.text"))
    assert result.exit_code == 2
    assert "write it as .png" in result.output


def test_empty_trays_are_kept_for_the_game(folder):
    assert run(folder, "--empty").exit_code == 0
    assert load_picture(folder / "empty.png").shape == (360, 640, 3)


@pytest.mark.parametrize(
    ("device", "words"), [("webcam", "/dev/video0"), ("/dev/video63", "plugged in")]
)
def test_camera_that_is_not_there_says_what_to_do(folder, device, words):
    result = run(folder, "--zones", "--device", device)
    assert result.exit_code != 0
    assert words in result.output


def test_camera_has_to_be_named(folder):
    (folder / "companion.toml").write_text("")
    result = run(folder, "--zones")
    assert result.exit_code != 0
    assert "--device" in result.output


def test_live_view_shows_the_zones_of_the_settings(folder):
    result = run(folder, "--json")
    assert result.exit_code == 0, result.output
    [zone] = json.loads(result.output.splitlines()[-1])["zones"]
    assert zone["zone"] == "dragon"
    assert zone["dice"] == []
    assert result.stderr == "reading pip dice (no learnt set in looks)\n"


def test_live_view_knows_the_camera_of_the_settings_by_another_name(folder):
    (folder / "by-id").symlink_to(folder / "clip")
    result = run(folder, str(folder / "by-id"), "--json")
    [zone] = json.loads(result.output.splitlines()[-1])["zones"]
    assert zone["zone"] == "dragon"


def test_live_view_reads_beside_the_empty_trays_of_the_settings(folder):
    """They come from the same camera, as in a game; any other picture is named."""
    save_picture(folder / "empty.png", np.zeros((90, 160, 3), np.uint8))
    (folder / "companion.toml").write_text(SETTINGS.format(folder=folder).split("[camera.zones")[0])
    result = run(folder, "--json")
    assert result.exit_code == 2
    assert "expected a picture of 640 x 360 pixels, got 160 x 90" in " ".join(result.output.split())


def test_recording_at_a_table_holds_what_its_readings_depend_on(folder, monkeypatch):
    """Whoever gets it can play it again: what it says to type works beside it alone."""
    monkeypatch.chdir(folder)
    patches = np.random.default_rng(2).integers(0, 256, (2, 2, 40, 40, 3), np.uint8)
    faces = {"blank": patches[0], "dragon": patches[1]}
    save(DiceLooks({"red": Kind(tuple(faces))}, {"red": faces}), folder / "looks")
    assert run(folder, "--empty").exit_code == 0
    result = CliRunner().invoke(main, ["record", "bug.zip", "--seconds", "1"])
    assert result.exit_code == 0, result.output
    said = result.stdout.splitlines()[-1]
    assert "has been played to its end" in result.stderr
    with zipfile.ZipFile("bug.zip") as packed:
        packed.extractall("bug")
    played = list(VideoFile(folder / "bug" / "clip.avi").frames())
    assert [frame.at_s for frame in played] == [0.0]  # one picture, however often it is repeated
    readings = (folder / "bug" / "readings.jsonl").read_text().splitlines()
    assert json.loads(readings[0])["zones"][0]["zone"] == "dragon"
    about = json.loads((folder / "bug" / "versions.json").read_text())
    assert about["camera"]["zones"]["dragon"]["rectangle"] == [100, 50, 200, 160]
    assert said.startswith("Replay: unzip bug.zip -d bug, then companion watch bug/clip.avi")
    assert said.endswith("--set bug/set --empty bug/empty.png")
    shutil.rmtree("looks")
    again = CliRunner().invoke(main, said.partition("then companion ")[2].split())
    assert again.exit_code == 0, again.output
    assert again.output.startswith("0 rolls in")


def camera_that_sees(pixels, mocker):
    eye = mocker.Mock()
    eye.read.return_value = Frame(0.0, pixels)
    eye.controls.values.return_value = {"exposure": 120.0}
    mocker.patch("companion.camera_command.opened_eye", return_value=eye)
    return eye


def test_camera_is_locked_when_the_empty_trays_are_taken(folder, mocker):
    eye = camera_that_sees(np.full((360, 640, 3), 99, np.uint8), mocker)
    result = run(folder, "--empty")
    assert result.exit_code == 0, result.output
    assert "locked exposure 120" in result.output
    assert load_values(folder / "empty.camera.toml") == {"exposure": 120.0}
    assert [call[0] for call in eye.controls.method_calls] == ["free", "values", "lock"]
    assert eye.close.call_count == 2  # it was looked through before, for dice


def test_nothing_is_kept_of_trays_that_are_not_empty(folder, mocker):
    rng = np.random.default_rng(7)
    made = make_picture(rng, count=3, side_px=70.0, ground="felt", light="even")
    eye = camera_that_sees(made.pixels, mocker)
    result = run(folder, "--empty")
    assert result.exit_code == 2
    assert "expected a tray without dice, got one at" in result.output
    assert not list(folder.glob("empty*"))
    assert not eye.controls.method_calls


def test_two_cameras_at_once_are_refused(folder):
    result = run(folder, "clip.avi", "--device", "0", "--zones")
    assert result.exit_code == 2
    assert "expected one camera, got clip.avi and --device 0" in result.output


@pytest.mark.parametrize(
    ("locked", "state", "words"),
    [
        ("exposure = 120\n", "ok", "as it was set up"),
        ("exposure = 60\n", "note", "changed its exposure"),
        ("exposure = 'much'\n", "bad", "empty.camera.toml"),
        (None, "note", "nothing was locked"),
    ],
)
def test_doctor_tells_whether_the_camera_does_as_it_was_set_up(tmp_path, locked, state, words):
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "video0").touch()
    if locked is not None:
        (tmp_path / "empty.camera.toml").write_text(locked)
    settings = Config(camera=CameraSettings("0", empty=str(tmp_path / "empty.png")))
    eyes = CameraLooks(values={"exposure": 120.0})
    machine = Machine(tmp_path, None, settings, root=tmp_path, camera=lambda: eyes)
    found = check_locked(machine)
    assert (found.state, words in found.finding) == (state, True)
