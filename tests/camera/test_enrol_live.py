"""Faces are taught in front of a camera that is locked first, as the table's is or as it finds."""

import functools
import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from die_drawing import cube, scene

from camera.dice_sets import load
from camera.health import CameraTrouble
from camera.locks import V4l2Controls, file_beside, save_values
from camera.source import Frame
from companion.cli import main
from companion.commands import ERR, OUT
from companion.looking import named

MOST_ASKED = 4
FOUND = {"exposure": 157.0, "white_balance": 4600.0}


@functools.cache
def shown(face, at, turn):
    """One die alone in a tray."""
    return scene([cube(face, at, turn)])


class Webcam:
    """A webcam over one die, which is turned before each picture is taken.

    properties  what it does; `freed` how often by itself again.
    asked       what a person was asked for.
    """

    def __init__(self):
        self.properties = {
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
        }
        self.freed, self.opened, self._reads = 0, 0, 0
        self.shows = [shown("sun", at, 25) for at in ((0.3, 0.2), (-0.8, 0.5), (0.9, -0.4))]
        self.controls = V4l2Controls(self)
        self.asked = []

    def turn(self, prompt):
        if len(self.asked) == MOST_ASKED:
            raise EOFError
        self.asked.append(prompt)
        return ""

    @property
    def _pixels(self):
        return self.shows[len(self.asked) % len(self.shows)]

    def get(self, one):
        return self.properties.get(one, -1.0)

    def set(self, one, value):
        self.freed += one == cv2.CAP_PROP_AUTO_EXPOSURE and value == 3.0
        self.properties[one] = value
        return True

    def open(self, *_):
        self.opened += 1
        return self

    def read(self):
        self._reads += 1
        pixels = self._pixels.copy()
        pixels[0, 0] = self._reads % 256  # a sensor never gives the same picture twice
        return Frame(self._reads / 30, pixels)

    def close(self):
        pass


@pytest.fixture
def webcam(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("companion.enrol_live.A_FACE", 2)
    camera = Webcam()
    monkeypatch.setattr(OUT, "input", camera.turn)
    monkeypatch.setattr(ERR, "input", camera.turn)
    monkeypatch.setattr("camera.steady.V4l2Camera", camera.open)
    return camera


def taught(*more):
    given = ["enrol", "set", "--kind", "white=sun", *(more or ("--camera", "0"))]
    return CliRunner().invoke(main, given)


def test_camera_is_locked_to_what_it_found_before_faces_are_taught(webcam, tmp_path):
    done = taught()
    assert done.exit_code == 0, done.output
    assert "locked exposure 157, white balance 4600" in done.output
    assert webcam.freed == 1
    assert webcam.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert webcam.properties[cv2.CAP_PROP_AUTO_WB] == 0.0
    assert load(tmp_path / "set").patches["white"]["sun"].shape[0] == 2


def test_camera_of_the_table_keeps_what_it_was_locked_to(webcam, tmp_path):
    save_values({"exposure": 80.0}, file_beside("empty.png"))
    (tmp_path / "companion.toml").write_text('[camera]\ndevice = "/dev/video0"\n')
    done = taught()
    assert "locked as the table's camera: exposure 80" in done.output
    assert (webcam.freed, webcam.properties[cv2.CAP_PROP_EXPOSURE]) == (0, 80.0)
    assert webcam.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0


def test_other_camera_than_the_tables_is_locked_by_itself(webcam, tmp_path):
    save_values({"exposure": 80.0}, file_beside("empty.png"))
    (tmp_path / "companion.toml").write_text('[camera]\ndevice = "/dev/video7"\n')
    taught()
    assert (webcam.freed, webcam.properties[cv2.CAP_PROP_EXPOSURE]) == (1, 157.0)


def test_each_picture_is_asked_for_with_its_number_and_what_to_do(webcam):
    done = taught()
    assert "white sun, face 1 of 1" in done.output
    first, second = webcam.asked
    assert "picture 1 of 2: lay one die alone into the tray" in first
    assert "picture 2 of 2: turn it, lay it elsewhere" in second
    assert "learnt set: set\n" in done.output


def broken_off(webcam, monkeypatch, pictures):
    """Somebody ends the dialogue after so many pictures."""
    monkeypatch.setattr("test_enrol_live.MOST_ASKED", pictures)
    done = taught()
    assert done.exit_code != 0
    monkeypatch.setattr("test_enrol_live.MOST_ASKED", 20)
    return done


def test_dialogue_that_was_broken_off_goes_on_with_what_was_taken(webcam, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.enrol_live.A_FACE", 3)
    done = broken_off(webcam, monkeypatch, 2)
    assert "kept: 2 pictures in set.taken; the same command goes on" in done.output
    assert not (tmp_path / "set").exists()
    webcam.properties[cv2.CAP_PROP_EXPOSURE] = 20.0  # somebody plugged it in anew
    done = taught()
    assert done.exit_code == 0, done.output
    assert "going on with 2 pictures in set.taken" in done.output
    assert "locked as before: exposure 157" in done.output
    assert [prompt.split(":")[0].strip() for prompt in webcam.asked[2:]] == ["picture 3 of 3"]
    assert webcam.properties[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert load(tmp_path / "set").patches["white"]["sun"].shape[0] == 3
    assert not (tmp_path / "set.taken").exists()


def test_other_command_neither_uses_nor_loses_what_was_taken(webcam, tmp_path, monkeypatch):
    broken_off(webcam, monkeypatch, 1)
    for words in (("--camera", "0", "--kind", "red=sun"), ("--camera", "/dev/video7")):
        done = taught(*words)
        assert done.exit_code == 2
        assert "set.taken: expected pictures for this very command, got 1 of white sun" in (
            done.output
        )
    assert len(list((tmp_path / "set.taken").glob("*/*/*.png"))) == 1


def test_values_of_what_was_taken_go_before_newer_ones_of_the_table(webcam, tmp_path, monkeypatch):
    (tmp_path / "companion.toml").write_text('[camera]\ndevice = "/dev/video0"\n')
    save_values({"exposure": 80.0}, file_beside("empty.png"))
    broken_off(webcam, monkeypatch, 1)
    save_values({"exposure": 300.0}, file_beside("empty.png"))
    assert "locked as before: exposure 80" in taught().output
    assert webcam.properties[cv2.CAP_PROP_EXPOSURE] == 80.0


@pytest.mark.parametrize("name", ["..", "a/b", "/etc", "a\\b"])
def test_name_that_is_a_path_is_refused(webcam, name):
    done = taught("--camera", "0", "--kind", f"{name}=moon")
    assert done.exit_code == 2
    assert "--kind: expected names without / and" in done.output


def test_this_very_folder_can_be_the_set(webcam, tmp_path, monkeypatch):
    monkeypatch.setattr("test_enrol_live.MOST_ASKED", 1)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    done = CliRunner().invoke(main, ["enrol", ".", "--camera", "0", "--kind", "white=sun"])
    assert "kept: 1 picture in here.taken" in done.output


def test_what_was_taken_can_be_learnt_as_it_is(webcam, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.enrol_live.A_FACE", 9)
    broken_off(webcam, monkeypatch, 2)
    done = taught("--from", "set.taken")
    assert "expected --kind with --camera only" in done.output
    done = CliRunner().invoke(main, ["enrol", "set", "--from", "set.taken"])
    assert done.exit_code == 0, done.output
    assert load(tmp_path / "set").patches["white"]["sun"].shape[0] == 2


def test_last_picture_is_taken_again_when_somebody_says_back(webcam, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.enrol_live.A_FACE", 3)
    says = iter(["back", "", "Back ", "", "", ""])
    monkeypatch.setattr(OUT, "input", lambda prompt: webcam.turn(prompt) or next(says))
    monkeypatch.setattr("test_enrol_live.MOST_ASKED", 6)
    done = taught()
    assert done.exit_code == 0, done.output
    asked = [prompt.split(":")[0].split()[1] for prompt in webcam.asked]
    assert asked == ["1", "1", "2", "1", "2", "3"]
    assert load(tmp_path / "set").patches["white"]["sun"].shape[0] == 3


def test_picture_without_a_die_is_asked_for_again(webcam):
    webcam.shows = [np.full_like(one, 60 + 20 * n) for n, one in enumerate(webcam.shows)]
    done = taught()
    assert "expected one die alone in the tray, got no die" in done.output
    assert not any("picture 2" in prompt for prompt in webcam.asked)


def test_die_that_was_not_turned_is_asked_for_again(webcam):
    webcam.shows = webcam.shows[:1]
    done = taught()
    assert "nothing has changed since the last picture" in done.output
    assert "picture 2 of 2" in webcam.asked[-1]


def test_picture_in_which_something_moves_is_asked_for_again(webcam, monkeypatch):
    monkeypatch.setattr("companion.enrol_live.has_moved", lambda before, now: True)
    monkeypatch.setattr("companion.enrol_live.LOOKS", 1)
    done = taught()
    assert "take your hands away, and press Enter again" in done.output
    assert all("picture 1 of 2" in prompt for prompt in webcam.asked)


def test_odd_picture_is_left_out_and_named_by_its_number(webcam, monkeypatch):
    monkeypatch.setattr("companion.enrol_live.A_FACE", 4)
    odd = shown("moon", (0.4, -0.5), 40)
    webcam.shows = [*webcam.shows[:2], odd, webcam.shows[2], shown("sun", (0.0, 0.6), 70)]
    done = taught()
    assert "left out: picture 2 of white sun: looks like no other picture of white sun" in (
        done.output
    )
    assert "3 of 3 pictures right" in done.output


def test_folder_that_cannot_be_written_is_told_before_anything_is_asked(webcam, tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(main, ["enrol", "file/set", "--camera", "0", "--kind", "white=sun"])
    assert done.exit_code == 2
    assert "expected a folder that can be written" in done.output
    assert not webcam.asked


def test_figures_are_the_only_line_on_stdout_when_json_is_asked_for(webcam):
    done = taught("--camera", "0", "--json")
    told = json.loads(done.stdout)
    assert told["faces"][0]["pictures"] == 2
    assert told["skipped"] == []
    assert "locked exposure" in done.stderr


def test_simulated_hand_teaches_its_dice_and_refuses_others(webcam, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.enrol_live.A_FACE", 4)
    monkeypatch.setattr("test_enrol_live.MOST_ASKED", 8)
    done = taught("--camera", "simulated", "--kind", "white=troll")
    assert "--kind: expected some of white troll" in done.output
    given = ["enrol", "set", "--camera", "simulated", "--kind", "white=troll,key"]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0, done.output
    assert {*load(tmp_path / "set").patches["white"]} == {"troll", "key"}
    assert "most easily confused: white" in done.output
    assert done.output.count("no turn") == 2


def test_camera_that_is_not_there_is_told_before_anything_is_asked(webcam, monkeypatch):
    def lost(*_):
        raise CameraTrouble("lost", "/dev/video0: no camera there; is it plugged in?")

    monkeypatch.setattr("camera.steady.V4l2Camera", lost)
    done = taught()
    assert done.exit_code != 0
    assert "no camera there" in done.output
    assert not webcam.asked


def test_name_of_no_camera_is_refused(webcam):
    done = taught("--camera", "nikon")
    assert done.exit_code != 0
    assert "expected /dev/..., a number, or picamera, got 'nikon'" in done.output


def test_camera_has_one_name_by_number_and_by_link(tmp_path):
    link = tmp_path / "usb-video-index0"
    link.symlink_to("/dev/video3")
    assert named("3") == named("/dev/video3") == named(str(link))
    assert named("picamera") != named("3")
