"""`companion enrol --from`: what is of no use is named and left out; a set is replaced whole."""

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from die_drawing import floor, lay

from camera.dice_sets import DiceLooks, Kind, load, save
from companion.cli import main

PLACES = ((120, 110), (340, 240), (250, 160), (150, 250))


@pytest.fixture
def lessons(tmp_path):
    """A moon among the suns, an empty tray, and a file that is cut short."""
    folder = tmp_path / "lessons"
    for face, ups in (("sun", "sun moon sun sun"), ("moon", "moon moon moon none")):
        (folder / "white" / face).mkdir(parents=True)
        for n, up in enumerate(ups.split()):
            tray = floor(n)
            picture = tray if up == "none" else lay(tray, up, PLACES[n], 25 * n)
            cv2.imwrite(str(folder / "white" / face / f"{n}.jpg"), picture)
    whole = (folder / "white" / "moon" / "0.jpg").read_bytes()
    (folder / "white" / "moon" / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    return folder


def enrolled(tmp_path, *more):
    given = ["enrol", str(tmp_path / "set"), "--from", str(tmp_path / "lessons"), *more]
    return CliRunner().invoke(main, given)


def an_earlier_set(tmp_path):
    pictures = {"red": {"blank": np.full((2, 40, 40, 3), 90, np.uint8)}}
    looks = DiceLooks({"red": Kind(("blank",))}, pictures)
    save(looks, tmp_path / "set")
    return looks


def test_pictures_of_no_use_are_named_with_the_reason(lessons, tmp_path):
    done = enrolled(tmp_path)
    assert done.exit_code == 0, done.output
    left_out = [line for line in done.output.splitlines() if line.startswith("left out: ")]
    assert left_out == [
        "left out: white/moon/3.jpg: expected one die alone in the tray, got no die",
        "left out: white/moon/cut.jpg: expected a whole picture, but the file is cut short; "
        "copy it again, or take another",
        "left out: white/sun/1.jpg: looks like no other picture of white sun",
    ]
    assert "the others tell 6 of 6 pictures right" in done.output
    assert "most easily confused: white" in done.output
    learnt = load(tmp_path / "set").patches["white"]
    assert (len(learnt["moon"]), len(learnt["sun"])) == (3, 3)


def test_one_picture_of_each_face_tells_nothing_of_how_they_are_told_apart(lessons, tmp_path):
    for picture in (lessons / "white").glob("*/*"):
        if picture.name != "0.jpg":
            picture.unlink()
    done = enrolled(tmp_path)
    assert done.exit_code == 0, done.output
    assert "leave-one-out: there is but one picture of each face" in done.output
    assert "confused" not in done.output


def test_no_folder_is_left_where_nothing_was_learnt(lessons, tmp_path):
    for picture in (lessons / "white" / "sun").iterdir():
        cv2.imwrite(str(picture), floor(9))
    assert enrolled(tmp_path).exit_code == 2
    assert not (tmp_path / "set").exists()
    (tmp_path / "set").mkdir()
    assert enrolled(tmp_path).exit_code == 2
    assert (tmp_path / "set").is_dir(), "it was there before"


def test_earlier_set_stays_when_the_new_one_cannot_be_learnt(lessons, tmp_path):
    before = an_earlier_set(tmp_path)
    for picture in (lessons / "white" / "sun").iterdir():
        cv2.imwrite(str(picture), floor(9))
    done = enrolled(tmp_path)
    assert done.exit_code == 2
    assert "white sun: expected pictures of one die alone in the tray, found none" in done.stderr
    for number in range(4):
        why = f"left out: white/sun/{number}.jpg: expected one die alone in the tray, got no die"
        assert why in done.stdout.splitlines()
    assert load(tmp_path / "set") == before


def test_empty_tray_of_another_size_is_refused_rather_than_left_unused(lessons, tmp_path):
    cv2.imwrite(str(tmp_path / "tray.png"), floor()[:100])
    done = enrolled(tmp_path, "--empty", str(tmp_path / "tray.png"))
    assert done.exit_code == 2
    assert "expected the empty tray as large as the pictures" in " ".join(done.output.split())
    cv2.imwrite(str(tmp_path / "tray.png"), floor())
    an_earlier_set(tmp_path)
    done = enrolled(tmp_path, "--empty", str(tmp_path / "tray.png"))
    assert done.exit_code == 0
    told = " ".join(done.output.split())
    assert (
        f"in place of what was learnt there before: that lies in {tmp_path / 'set' / 'before'}"
        in told
    )
