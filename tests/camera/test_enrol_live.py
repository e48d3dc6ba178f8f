"""Faces are taught in front of a camera that is locked first, as the table's is or as it finds."""

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
from companion.enrol_live import named

FOUND = {"exposure": 157.0, "white_balance": 4600.0}


class Webcam:
    """A webcam over one die; `properties` are what it does, `freed` how often by itself again."""

    def __init__(self):
        self.properties = {
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
        }
        self.freed, self.opened, self._reads = 0, 0, 0
        self._pixels = scene([cube("sun", (0.3, 0.2), 25)])
        self.controls = V4l2Controls(self)

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
    monkeypatch.setattr("camera.steady.V4l2Camera", camera.open)
    return camera


def taught(*more):
    given = ["enrol", "set", "--kind", "white=sun", *(more or ("--camera", "0"))]
    return CliRunner().invoke(main, given, input="\n" * 8)


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


def test_picture_without_a_die_is_asked_for_again(webcam):
    webcam._pixels = np.full_like(webcam._pixels, 90)
    done = taught()
    assert "expected one die alone in the tray, got no die" in done.output
    assert "(2 of 2)" not in done.output


def test_camera_that_is_not_there_is_told_before_anything_is_asked(webcam, monkeypatch):
    def lost(*_):
        raise CameraTrouble("lost", "/dev/video0: no camera there; is it plugged in?")

    monkeypatch.setattr("camera.steady.V4l2Camera", lost)
    done = taught()
    assert done.exit_code != 0
    assert "no camera there" in done.output
    assert "press Enter" not in done.output


def test_name_of_no_camera_is_refused(webcam):
    done = taught("--camera", "nikon")
    assert done.exit_code != 0
    assert "expected /dev/..., a number, or picamera, got 'nikon'" in done.output


def test_camera_has_one_name_by_number_and_by_link(tmp_path):
    link = tmp_path / "usb-video-index0"
    link.symlink_to("/dev/video3")
    assert named("3") == named("/dev/video3") == named(str(link))
    assert named("picamera") != named("3")
