"""`companion calibrate` and `companion enrol`, from the sheet to learnt tiles."""

import cv2
import pytest
from click.testing import CliRunner

from camera.calibrate import load_zones
from camera.dice_sets import load
from camera.simulated_square import FACES, SimulatedSquare
from camera.square import ZONE
from camera.tile_art import BACK
from companion.calibrating import empty_of, points_from
from companion.cli import main
from companion.errors import ConfigError


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> str:
    result = CliRunner().invoke(main, list(words))
    return f"{result.exit_code} {result.output}"


@pytest.mark.parametrize(("name", "begins"), [("a.pdf", b"%PDF"), ("a.png", b"\x89PNG")])
def test_sheet_is_written(here, name, begins):
    assert run("calibrate", "--print", name).startswith("0 ")
    assert (here / name).read_bytes().startswith(begins)


def test_square_is_kept_and_tiles_are_learnt(here):
    square = SimulatedSquare(seed=12, columns=3, size_px=(240, 180))
    zone = square.zones()[ZONE]
    assert cv2.imwrite("square.png", square.empty())
    corners = ";".join(f"{x:.2f},{y:.2f}" for x, y in zone.corners)
    said = run("calibrate", "square.png", "--corners", corners, "--columns", "3")
    assert said.startswith("0 ")
    [kept] = load_zones(here / "square.toml")
    assert kept.name == ZONE
    assert kept.picture_px == (240, 180)
    assert kept.size_sides == pytest.approx(zone.size_sides, abs=0.001)
    assert (cv2.imread(str(empty_of(here / "square.toml"))) == square.empty()).all()
    for face in (*FACES, BACK):
        (here / "photos" / face).mkdir(parents=True)
        gaps = set(square.squares) - {"0,0", "1,1"}
        square.lay({} if face == BACK else dict.fromkeys(("0,0", "1,1"), face), gaps)
        assert cv2.imwrite(f"photos/{face}/1.png", square.frame(1.0).pixels)
    assert "ring 2" in run("enrol", "photos", "--columns", "3")
    looks = load(here / "tiles")
    assert {face for faces in looks.patches.values() for face in faces} == {*FACES, BACK}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["calibrate"], "--print FILE"),
        (["calibrate", "--print", "a.doc"], ".pdf or .png"),
        (["calibrate", "--print", "no/where.pdf"], "cannot be written"),
        (["calibrate", "none.png"], "cannot be read"),
        (["calibrate", "grey.png"], "corner cards"),
        (["calibrate", "grey.png", "--corners", "1,2;3"], "four points"),
        (["calibrate", "grey.png", "--corners", "1,1;1,90;90,90;90,1"], "clockwise"),
        (["enrol", "photos"], "calibrate again"),
        (["enrol", "."], "expected --from FOLDER or --camera DEVICE for dice"),
        (["enrol", "set", "--from", "photos", "--camera", "0"], "not both"),
    ],
)
def test_mistakes_are_said_in_one_line(here, words, complaint):
    (here / "photos" / "back").mkdir(parents=True)
    square = SimulatedSquare(seed=1, columns=2, size_px=(100, 100))
    assert cv2.imwrite("grey.png", square.empty())
    said = " ".join(run(*words).split())
    assert said.startswith("2 ")
    assert complaint in said
    assert "Traceback" not in said


def test_points_are_read_as_they_are_written():
    assert points_from("1,2; 3.5,4 ;5,6;7,8") == [(1, 2), (3.5, 4), (5, 6), (7, 8)]
    with pytest.raises(ConfigError, match="four points"):
        points_from("1,2;3,4;5,6;7,8;9,9")
