"""What a camera was set to is locked, kept, looked after, and locked again when it drifts."""

import cv2
import numpy as np
import pytest

from camera.health import CameraTrouble
from camera.locks import (
    CHECK_S,
    WAIT_S,
    Keeper,
    PiControls,
    V4l2Controls,
    drifted,
    file_beside,
    held,
    load_values,
    save_values,
    set_up,
)
from camera.source import Frame
from camera.steady import SteadyCamera
from companion.clock import SimulatedClock
from companion.errors import ConfigError

FOUND = {"exposure": 157.0, "gain": 10.0, "white_balance": 4600.0}


class Webcam:
    """What OpenCV gives for a USB camera without a focus motor, as far as it is asked."""

    def __init__(self):
        self.properties = {
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_GAIN: 10.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
        }

    def get(self, one):
        return self.properties.get(one, -1.0)

    def set(self, one, value):
        if one in self.properties:
            self.properties[one] = value
        return one in self.properties


class Eye:
    """An open camera over a webcam."""

    def __init__(self, webcam):
        self.controls, self.at_s = V4l2Controls(webcam), 0.0

    def read(self):
        self.at_s += 1.0
        return Frame(self.at_s, np.full((4, 4, 3), 90 + int(self.at_s) % 100, np.uint8))

    def close(self):
        pass


def test_usb_camera_is_locked_to_what_it_found_by_itself():
    webcam = Webcam()
    assert set_up(V4l2Controls(webcam)) == FOUND
    assert webcam.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert webcam.properties[cv2.CAP_PROP_AUTO_WB] == 0.0
    V4l2Controls(webcam).free()
    assert webcam.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0


EVERY_LENS = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains")
MOVING_LENS = (*EVERY_LENS, "AfMode", "LensPosition")


def pi_camera(mocker, names):
    """What picamera2 gives for a camera that has these controls."""
    return mocker.Mock(camera_controls=dict.fromkeys(names, (0, 2, 0)))


def test_pi_camera_is_locked_by_its_own_words(mocker):
    camera = pi_camera(mocker, MOVING_LENS)
    camera.capture_metadata.return_value = {
        "ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.5), "LensPosition": 3.0,
    }  # fmt: skip
    set_up(PiControls(camera))
    camera.set_controls.assert_called_once_with(
        {
            "AeEnable": False, "ExposureTime": 8000, "AnalogueGain": 2.0,
            "AwbEnable": False, "ColourGains": (1.5, 2.5), "AfMode": 0, "LensPosition": 3.0,
        }
    )  # fmt: skip
    PiControls(camera).free()
    assert camera.set_controls.call_args.args[0]["AfMode"] == 2


def test_pi_camera_is_told_nothing_that_it_does_not_have(mocker):
    """What was locked may come from another camera: picamera2 raises where one name is wrong."""
    camera = pi_camera(mocker, EVERY_LENS)
    PiControls(camera).lock({"exposure": 8000.0, "focus": 3.0})
    camera.set_controls.assert_called_once_with(
        {"AeEnable": False, "AwbEnable": False, "ExposureTime": 8000}
    )
    PiControls(camera).free()
    assert camera.set_controls.call_args.args[0] == {"AeEnable": True, "AwbEnable": True}


def test_pi_camera_that_falls_silent_while_it_is_looked_after_is_lost(mocker):
    """picamera2 would wait for its next picture for ever, and the camera's thread with it."""
    camera = pi_camera(mocker, MOVING_LENS)
    camera.capture_metadata.side_effect = TimeoutError
    with pytest.raises(CameraTrouble, match="no picture any more") as trouble:
        set_up(PiControls(camera))
    assert trouble.value.state == "lost"
    camera.capture_metadata.assert_called_once_with(wait=WAIT_S)


def test_camera_is_closed_where_it_cannot_be_locked(mocker):
    eye = Eye(Webcam())
    mocker.patch.object(eye, "close")
    mocker.patch.object(eye.controls, "lock", side_effect=RuntimeError("no such control"))
    with pytest.raises(RuntimeError, match="no such control"):
        held(eye, FOUND)
    eye.close.assert_called_once_with()


def test_locked_camera_is_given_back(mocker):
    eye = Eye(Webcam())
    mocker.patch.object(eye, "close")
    locked = held(eye, FOUND)
    eye.close.assert_not_called()
    locked.close()
    eye.close.assert_called_once_with()


def test_drift_is_told_and_locked_again():
    webcam = Webcam()
    keeper = Keeper(V4l2Controls(webcam), FOUND)
    keeper.check(0.0)
    assert keeper.finding == ""
    webcam.properties[cv2.CAP_PROP_EXPOSURE] = 300.0
    keeper.check(CHECK_S / 2)
    assert keeper.finding == "", "looked at too soon"
    keeper.check(CHECK_S)
    assert "exposure" in keeper.finding
    assert webcam.properties[cv2.CAP_PROP_EXPOSURE] == 157.0
    keeper.check(2 * CHECK_S)
    assert keeper.finding == ""


def test_steady_camera_advises_when_its_camera_drifts():
    webcam = Webcam()
    camera = SteadyCamera("tray", lambda: held(Eye(webcam), FOUND), SimulatedClock(0.0))
    with camera:
        camera.frame(5.0)
        webcam.set = lambda _one, _value: False  # else it is told for a few frames only
        webcam.properties[cv2.CAP_PROP_WB_TEMPERATURE] = 6500.0
        with camera._arrived:
            assert camera._arrived.wait_for(lambda: "white balance" in camera._finding, 10.0)
        assert camera._finding


def test_camera_is_left_alone_where_nothing_was_locked():
    eye = Eye(Webcam())
    assert held(eye, {}) is eye


def test_small_differences_are_the_cameras_rounding():
    assert drifted({"exposure": 157.0}, {"exposure": 156.0}) == []
    assert drifted({"focus": 2.0, "gain": 9.0}, {"gain": 12.0}) == ["gain"]


def test_values_are_kept_beside_the_empty_picture(tmp_path):
    path = file_beside(tmp_path / "empty.png")
    assert path.name == "empty.camera.toml"
    assert load_values(path) == {}
    save_values(FOUND, path)
    assert load_values(path) == FOUND


@pytest.mark.parametrize(
    "text",
    ["exposure = 'bright'", "zoom = 3", "exposure =", "exposure = nan", "gain = inf", "gain = -inf",
     "focus = true", "exposure = '157'", "gain = [1.0]", "exposure = 1" + 400 * "0"],
)  # fmt: skip
def test_damaged_values_are_named(tmp_path, text):
    (tmp_path / "empty.camera.toml").write_text(text)
    with pytest.raises(ConfigError, match="empty.camera.toml: expected numbers for exposure"):
        load_values(tmp_path / "empty.camera.toml")
