"""A camera comes back by itself, whatever happens to it, and says meanwhile what is wrong."""

import sys
import time

import numpy as np
import pytest
from steady_scene import LIMIT_S, Scene

from camera import picamera, v4l2
from camera.health import CameraTrouble
from camera.source import Frame
from camera.stamps import OLDEST_S, Stamps
from camera.steady import opener
from companion.clock import SimulatedClock
from companion.errors import ConfigError, DeviceError


def test_newest_frame_is_handed_out_once(scene):
    scene.show(until_s=10.3)
    scene.becomes("live")
    assert scene.camera.frame().at_s == pytest.approx(10.3)
    with pytest.raises(DeviceError, match="tray: no picture in"):
        scene.camera.frame(timeout_s=0.01)


def test_unplugged_camera_is_told_and_comes_back(scene):
    scene.show(until_s=11.0)
    scene.becomes("live")
    scene.lens.refuses = CameraTrouble("lost", "no camera there; is it plugged in?")
    scene.lens.given.put(CameraTrouble("lost", "no picture any more"))
    condition = scene.becomes("lost")
    assert condition.since_s == pytest.approx(11.0)
    with pytest.raises(DeviceError, match="tray: no "):
        scene.camera.frame(timeout_s=0.01)
    scene.lens.refuses = None
    scene.show(until_s=12.0)
    scene.becomes("live")
    assert scene.camera.frame(LIMIT_S).at_s > 11.0
    assert scene.lens.opened == 2


def test_read_that_hangs_is_noticed_within_two_seconds(scene):
    scene.show(until_s=11.0)
    scene.becomes("live")
    scene.camera.frame(LIMIT_S)
    scene.clock.advance(2.0)
    assert scene.camera.condition().state == "silent"
    assert scene.camera.row() == {
        "name": "tray", "state": "silent", "why": scene.camera.condition().why, "since_s": 11.0
    }  # fmt: skip
    scene.show(until_s=13.2)
    scene.becomes("live")


def test_recording_is_not_silent_when_whoever_looks_at_it_is_slow(scene, caplog):
    """It waits; nothing is unplugged. Nor is its end anything to warn of."""
    scene.lens.given.put(CameraTrouble("lost", "opened again as a recording"))
    scene.lens.is_recorded = True
    scene.becomes("lost")
    caplog.clear()
    scene.lens.given.put(Frame(scene.clock.now_s(), np.full((48, 64, 3), 120, np.uint8)))
    scene.camera.frame(LIMIT_S)
    scene.clock.advance(5.0)
    assert scene.camera.condition()[:2] == ("live", "")
    scene.lens.given.put(CameraTrouble("over", "has been played"))
    assert scene.becomes("over").why == "has been played"
    assert [one for one in caplog.records if one.levelname == "WARNING"] == []


def test_frozen_camera_is_opened_again_until_it_moves(scene):
    scene.show(until_s=11.0)
    scene.becomes("live")
    scene.show(until_s=13.0, same=True)
    scene.becomes("frozen")
    scene.show(until_s=13.3, same=True)
    scene.show(until_s=15.0)
    scene.becomes("live")
    assert scene.lens.opened >= 2
    assert scene.lens.closed >= 1


def test_dark_camera_is_told_and_left_open(scene):
    scene.show(until_s=11.0)
    scene.show(until_s=13.0, level=2)
    scene.becomes("dark")
    scene.show(until_s=13.5)
    scene.becomes("live")
    assert scene.lens.opened == 1


def test_busy_camera_is_tried_until_it_is_free():
    scene = Scene()
    scene.lens.refuses = CameraTrouble("busy", "another program has the camera")
    with scene.camera:
        assert scene.becomes("busy").why == "another program has the camera"
        scene.lens.refuses = None
        scene.show(until_s=10.5)
        scene.becomes("live")
        scene.lens.given.put(CameraTrouble("lost", "over"))


def test_surprise_of_a_driver_does_not_end_the_thread(scene, caplog):
    scene.lens.given.put(ValueError("what is this"))
    scene.becomes("lost")
    scene.show(until_s=10.5)
    scene.becomes("live")
    assert "what is this" in caplog.text


def test_closing_lets_nobody_wait_ends_the_thread_and_gives_the_camera_back():
    closed = Scene().camera
    closed.close()
    begun_s = time.monotonic()
    with pytest.raises(DeviceError, match="tray: "):
        closed.frame(timeout_s=LIMIT_S)
    assert time.monotonic() - begun_s < LIMIT_S
    other = Scene()
    with other.camera:
        other.show(until_s=10.2)
        other.becomes("live")
        other.lens.given.put(CameraTrouble("lost", "over"))
    assert not other.camera._thread.is_alive()
    assert other.lens.opened == other.lens.closed


# --- time stamps ----------------------------------------------------------------------------------


def test_stamp_of_the_device_is_turned_into_time_of_the_game():
    stamps = Stamps(SimulatedClock(100.0), monotonic_s=lambda: 5000.0)
    assert stamps.at_s(4999.9) == pytest.approx(99.9)
    assert stamps.at_s(4999.97) == pytest.approx(99.97)
    assert stamps.odd == 0


@pytest.mark.parametrize("stamp_s", [0.0, 5000.1, 5000.0 - OLDEST_S - 0.1, 1.7e9, -1.0])
def test_stamp_of_another_clock_is_replaced_and_counted(stamp_s):
    stamps = Stamps(SimulatedClock(100.0), monotonic_s=lambda: 5000.0)
    assert stamps.at_s(stamp_s) == 100.0
    assert stamps.odd == 1


def test_times_always_run_on():
    """Who waits for rest counts on later times."""
    stamps = Stamps(SimulatedClock(100.0), monotonic_s=lambda: 5000.0)
    times_s = [stamps.at_s(stamp_s) for stamp_s in (0.0, 4999.9, 4999.9)]
    assert times_s == pytest.approx([100.0] * 3)
    assert times_s[0] == 100.0 < times_s[1] < times_s[2]


# --- V4L2 -----------------------------------------------------------------------------------------


class Capture:
    """Stands for cv2.VideoCapture: pictures with the kernel's stamps in milliseconds."""

    def __init__(self, *, is_opened=True, stamps_ms=(4_999_900.0,)):
        self._is_opened, self._stamps_ms = is_opened, list(stamps_ms)
        self.settings, self.is_released = {}, False

    def isOpened(self):  # noqa: N802
        return self._is_opened

    def set(self, prop, value):
        self.settings[prop] = value
        return True

    def get(self, prop):
        assert prop == v4l2.cv2.CAP_PROP_POS_MSEC
        return self._stamp_ms

    def read(self):
        if not self._stamps_ms:
            return False, None
        self._stamp_ms = self._stamps_ms.pop(0)
        return True, np.zeros((4, 6, 3), np.uint8)

    def release(self):
        self.is_released = True


@pytest.fixture
def device(tmp_path):
    path = tmp_path / "usb-Camera-video-index0"
    path.touch()
    return str(path)


def test_v4l2_frame_has_the_time_of_the_kernel(mocker, device):
    capture = Capture()
    made = mocker.patch("camera.v4l2.cv2.VideoCapture", return_value=capture)
    mocker.patch("camera.stamps.time.monotonic", return_value=5000.0)
    camera = v4l2.V4l2Camera(device, SimulatedClock(100.0))
    camera.stamps._monotonic_s = lambda: 5000.0
    made.assert_called_once_with(device, v4l2.cv2.CAP_V4L2)
    assert capture.settings[v4l2.cv2.CAP_PROP_BUFFERSIZE] == 1
    assert camera.read().at_s == pytest.approx(99.9)
    with pytest.raises(CameraTrouble, match="is it plugged in") as trouble:
        camera.read()
    assert trouble.value.state == "lost"
    mocker.patch.object(capture, "read", side_effect=v4l2.cv2.error("bad JPEG"))
    with pytest.raises(CameraTrouble, match="cannot be decoded") as trouble:
        camera.read()
    assert trouble.value.state == "lost"
    camera.close()
    assert capture.is_released


@pytest.mark.parametrize("state", ["lost", "busy", "forbidden"])
def test_v4l2_says_why_there_is_no_camera(mocker, device, state):
    capture = Capture(is_opened=False)
    mocker.patch("camera.v4l2.cv2.VideoCapture", return_value=capture)
    mocker.patch("camera.v4l2.os.access", return_value=state != "forbidden")
    with pytest.raises(CameraTrouble) as trouble:
        v4l2.V4l2Camera("/dev/no-such-camera" if state == "lost" else device, SimulatedClock())
    assert trouble.value.state == state
    assert isinstance(trouble.value, DeviceError)


# --- the Pi's own camera --------------------------------------------------------------------------


class Request:
    """Stands for a completed request of picamera2; must be given back."""

    def __init__(self, metadata):
        self._metadata, self.is_released = metadata, False

    def get_metadata(self):
        return self._metadata

    def make_array(self, name):
        assert name == "main"
        return np.full((4, 6, 4), 7, np.uint8)

    def release(self):
        self.is_released = True


class Picamera2:
    """Stands for picamera2.Picamera2."""

    def __init__(self, number=0):
        if number > 0:
            raise IndexError("list index out of range")
        self.requests, self.is_closed, self.fails = [], False, None

    def create_video_configuration(self, **settings):
        return settings

    def configure(self, settings):
        self.settings = settings

    def start(self):
        if self.fails:
            raise self.fails

    def capture_request(self, wait):
        assert 0 < wait <= 1
        if not self.requests:
            raise TimeoutError
        return self.requests.pop(0)

    def close(self):
        self.is_closed = True


@pytest.fixture
def module(mocker):
    """The module picamera2, as far as we use it."""
    made = Picamera2()
    stand_in = mocker.Mock()
    stand_in.Picamera2.side_effect = lambda number: made if number == 0 else Picamera2(number)
    mocker.patch.dict(sys.modules, {"picamera2": stand_in})
    stand_in.made = made
    return stand_in


def test_pi_camera_frame_has_the_time_of_the_sensor(module):
    request = Request({"SensorTimestamp": 4_999_950_000_000})
    module.made.requests.append(request)
    camera = picamera.PiCamera(0, SimulatedClock(100.0))
    camera.stamps._monotonic_s = lambda: 5000.0
    frame = camera.read()
    assert frame.at_s == pytest.approx(99.95)
    assert frame.pixels.shape == (4, 6, 3)
    assert request.is_released
    settings = module.made.settings
    assert settings["queue"] is False
    assert settings["main"]["format"] == "RGB888"
    camera.close()
    assert module.made.is_closed


def test_pi_camera_that_falls_silent_is_lost(module):
    camera = picamera.PiCamera(0, SimulatedClock())
    with pytest.raises(CameraTrouble, match="TimeoutError") as trouble:
        camera.read()
    assert trouble.value.state == "lost"


def test_request_is_given_back_when_its_picture_cannot_be_had(module):
    request = Request({})
    module.made.requests.append(request)
    with pytest.raises(KeyError):
        picamera.PiCamera(0, SimulatedClock()).read()
    assert request.is_released


def test_pi_camera_says_why_there_is_none(module, mocker):
    with pytest.raises(CameraTrouble, match="none on this connector"):
        picamera.PiCamera(1, SimulatedClock())
    module.made.fails = RuntimeError("Camera __init__ sequence did not complete.")
    with pytest.raises(CameraTrouble) as trouble:
        picamera.PiCamera(0, SimulatedClock())
    assert (trouble.value.state, module.made.is_closed) == ("busy", True)
    module.Picamera2.side_effect = RuntimeError("Failed to acquire camera")
    with pytest.raises(CameraTrouble, match="another program") as trouble:
        picamera.PiCamera(0, SimulatedClock())
    assert trouble.value.state == "busy"
    mocker.patch.dict(sys.modules, {"picamera2": None})
    with pytest.raises(CameraTrouble, match="apt install python3-picamera2"):
        picamera.PiCamera(0, SimulatedClock())


@pytest.mark.parametrize(
    ("name", "kind", "given"),
    [
        ("picamera", "PiCamera", 0),
        ("picamera:1", "PiCamera", 1),
        ("2", "V4l2Camera", 2),
        ("/dev/v4l/by-id/usb-x", "V4l2Camera", "/dev/v4l/by-id/usb-x"),
    ],
)
def test_camera_is_named_as_in_the_settings(mocker, name, kind, given):
    made = mocker.patch(f"camera.steady.{kind}")
    clock = SimulatedClock()
    assert opener(name, clock)() is made.return_value
    made.assert_called_once_with(given, clock)


@pytest.mark.parametrize("name", ["", "webcam", "picamera:x", "http://x"])
def test_name_of_no_camera_is_answered_with_those_there_are(name):
    with pytest.raises(ConfigError, match=r"camera: expected /dev/\.\.\., a number, or picamera"):
        opener(name, SimulatedClock())
