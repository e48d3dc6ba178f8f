import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from camera.dice_sets import DiceLooks, Kind, save
from camera.train_tables import make_picture
from companion.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A roll of two dice, the same tray without them, and a file that is no picture."""
    here = tmp_path_factory.mktemp("pictures")
    for name, count in (("roll", 2), ("tray", 0)):
        made = make_picture(np.random.default_rng(11), size=(400, 300), side_px=56.0, count=count,
                            ground="plain", light="even", look="white", steep=True)  # fmt: skip
        assert cv2.imwrite(str(here / f"{name}.png"), made.pixels)
        if count:
            faces = sorted(str(die.face) for die in made.dice)
    (here / "note.jpg").write_text("two dice")
    return here, faces


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A learnt set of one kind of dice with two faces."""
    blank, dragon = np.random.default_rng(2).integers(0, 256, (2, 1, 40, 40, 3), np.uint8)
    kinds = {"red": Kind(("blank", "dragon"))}
    here = tmp_path_factory.mktemp("learnt")
    save(DiceLooks(kinds, {"red": {"blank": blank, "dragon": dragon}}), here)
    return here


def read(*arguments):
    return CliRunner().invoke(main, ["read", *map(str, arguments)])


def test_json_names_faces_boxes_and_the_likeliest(folder):
    here, faces = folder
    result = read(here / "roll.png", "--json", "--expect", 2)
    assert result.exit_code == 0
    line = json.loads(result.stdout)
    assert line["accepted"] is True
    assert sorted(die["face"] for die in line["dice"]) == faces
    assert all(die["likeliest"][0] == die["face"] for die in line["dice"])
    assert "doubts" not in line


def test_another_count_is_asked_about(folder):
    here, _ = folder
    line = json.loads(read(here / "roll.png", "--json", "--expect", 3).stdout)
    assert line["accepted"] is False
    assert "expected 3 dice, saw 2" in line["doubts"]
    assert "expected 3 dice, saw 2" in read(here / "roll.png", "--expect", 3).stdout


def test_drawings_are_kept_beside_what_was_read(folder, tmp_path):
    here, _ = folder
    assert read(here / "roll.png", here / "tray.png", "--draw", tmp_path / "seen").exit_code == 0
    drawn = cv2.imread(str(tmp_path / "seen" / "roll.png"))
    assert drawn.shape == (300, 400, 3)
    assert (drawn != cv2.imread(str(here / "roll.png"))).any()
    assert (tmp_path / "seen" / "tray.png").is_file()


@pytest.mark.parametrize("with_set", [False, True])
def test_drawings_of_pictures_of_one_name_are_all_kept(folder, learnt, tmp_path, with_set):
    here, _ = folder
    how = ("--set", learnt) if with_set else ()
    (tmp_path / "other").mkdir()
    copy = tmp_path / "other" / "roll.png"
    copy.write_bytes((here / "tray.png").read_bytes())
    assert read(here / "roll.png", copy, "--draw", tmp_path / "seen", *how).exit_code == 0
    names = sorted(path.name for path in (tmp_path / "seen").iterdir())
    assert names == ["roll-2.png", "roll.png"]


def test_folder_for_drawings_that_cannot_be_written_is_told_before_anything_is_read(
    folder, tmp_path
):
    here, _ = folder
    (tmp_path / "file").write_text("")
    result = read(here / "roll.png", "--draw", tmp_path / "file" / "seen")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "expected a folder that can be written" in " ".join(result.stderr.split())


def test_set_that_was_never_learnt_says_how_to_make_it(folder, tmp_path):
    here, _ = folder
    result = read(here / "roll.png", "--set", tmp_path / "grotto")
    assert result.exit_code == 2
    assert "make it with `companion enrol" in " ".join(result.stderr.split())


def test_symbol_die_in_question_is_told_as_a_doubt(folder, learnt):
    here, _ = folder
    result = read(here / "roll.png", "--set", learnt)
    assert result.exit_code == 0
    assert "ask " in result.stdout
    assert "a red die" in result.stdout
    assert "is it" not in result.stdout, "it is told once"
    [line] = [
        json.loads(one)
        for one in read(here / "roll.png", "--set", learnt, "--json").stdout.splitlines()
    ]
    asked = [die for die in line["dice"] if "doubt" in die]
    assert asked
    assert all(die["likeliest"] for die in asked)


def test_a_picture_of_another_size_than_the_empty_tray_is_named(folder, tmp_path):
    here, _ = folder
    small = tmp_path / "small.png"
    assert cv2.imwrite(str(small), np.zeros((64, 64, 3), np.uint8))
    line = json.loads(read(here / "roll.png", "--json", "--empty", small).stdout)
    assert "roll.png: the empty tray: expected a picture of 400 x 300" in line["error"]


def test_an_empty_tray_has_no_dice_and_a_bad_reference_is_an_error(folder):
    here, _ = folder
    line = json.loads(read(here / "tray.png", "--json", "--empty", here / "tray.png").stdout)
    assert (line["accepted"], line["dice"]) == (False, [])
    result = read(here / "roll.png", "--empty", here / "note.jpg")
    assert result.exit_code == 2
    assert "note.jpg" in result.stderr


def test_what_is_no_picture_is_told_and_the_others_are_read(folder):
    here, faces = folder
    result = read(here / "note.jpg", here / "roll.png", "--json")
    assert result.exit_code == 1
    bad, good = map(json.loads, result.stdout.splitlines())
    assert "note.jpg" in bad["error"]
    assert sorted(die["face"] for die in good["dice"]) == faces
