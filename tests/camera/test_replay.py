"""A recording in place of a camera: it plays once, at its own pace, and tells what is damaged."""

import errno
import time

import cv2
import numpy as np
import pytest

from camera import steady
from camera.health import OVER, CameraTrouble
from camera.pictures import save_picture
from camera.recording import ClipWriter
from camera.replay import Replay, opened
from camera.source import Frame
from camera.steady import SteadyCamera
from companion.clock import RealClock


@pytest.fixture
def folder(tmp_path):
    for number in range(3):
        save_picture(tmp_path / f"{number}.png", np.full((30, 40, 3), 60 * number, np.uint8))
    return tmp_path


def played_to_its_end(camera):
    while True:
        camera.read()


def test_recording_is_over_once_it_was_played(folder):
    camera = opened(str(folder), RealClock())()
    assert [int(camera.read().pixels[9, 9, 0]) for _ in range(3)] == [0, 60, 120]
    for _ in range(2):
        with pytest.raises(CameraTrouble, match="has been played to its end") as told:
            camera.read()
        assert told.value.state == OVER


def test_damaged_picture_of_a_recording_is_told_for_good(folder):
    (folder / "1.png").write_bytes(b"no picture")
    open_again = opened(str(folder), RealClock())
    camera = open_again()
    camera.read()
    for _ in range(2):
        with pytest.raises(CameraTrouble, match=r"1\.png: expected a picture") as told:
            camera.read()
        assert told.value.state == OVER
        camera.close()
        camera = open_again()


class Breaking:
    """A recording of one picture, and then of something that goes wrong."""

    def __init__(self, error):
        self.error = error

    def frames(self):
        yield Frame(0.0, np.zeros((30, 40, 3), np.uint8))
        raise self.error


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
        (cv2.error("Insufficient memory"), "Insufficient memory"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_whatever_a_recording_broke_off_with_is_told_for_good(error, why, caplog):
    camera = Replay(Breaking(error), "rolls", RealClock())
    camera.read()
    for _ in range(2):
        with pytest.raises(CameraTrouble, match=f"rolls: broke off: .*{why}") as told:
            camera.read()
        assert told.value.state == OVER
        camera.again()
    assert len(caplog.records) == 1


def test_clip_that_is_cut_short_says_so_in_the_end(tmp_path):
    clip = tmp_path / "clip.avi"
    with ClipWriter(clip) as writer:
        for number in range(20):
            noise = np.random.default_rng(number).integers(0, 255, (60, 80, 3), np.uint8)
            writer.write(Frame(number / 30, noise))
    whole = clip.read_bytes()
    clip.write_bytes(whole[: len(whole) // 2])
    camera = opened(str(clip), RealClock())()
    with pytest.raises(CameraTrouble, match="expected 20 frames, as it says itself, got") as told:
        played_to_its_end(camera)
    assert told.value.state == OVER


def test_nothing_of_a_recording_is_missed_by_whoever_looks_slowly(folder, monkeypatch):
    """Its pictures are due at once; the next is read only when the last has been taken."""
    monkeypatch.setattr(steady, "READER_S", 10.0)  # else a machine under load is too slow
    (folder / "times.csv").write_text("0.png,0\n1.png,0.001\n2.png,0.002\n")
    camera = SteadyCamera("clip", opened(str(folder), RealClock()), RealClock())
    levels = []
    with camera:
        for _ in range(3):
            with camera._arrived:
                assert camera._arrived.wait_for(lambda: camera._newest is not None, 10.0)
                camera._arrived.wait_for(lambda: False, 0.05)  # room for the next to come too early
            levels.append(int(camera.frame(10.0).pixels[9, 9, 0]))
    assert levels == [0, 60, 120]


def test_nobody_waits_for_a_recording_that_is_closed(folder):
    (folder / "times.csv").write_text("0.png,0\n1.png,60\n2.png,120\n")
    clock = RealClock()
    camera = SteadyCamera("clip", opened(str(folder), clock), clock).start()
    camera.frame(10.0)
    time.sleep(0.05)
    assert camera._thread.is_alive()
    camera.close()
    camera._thread.join(10.0)
    assert not camera._thread.is_alive()


def test_recording_that_was_closed_plays_on_at_its_pace_once_it_is_opened_again(folder):
    (folder / "times.csv").write_text("0.png,0\n1.png,0.2\n2.png,0.4\n")
    clock = RealClock()
    open_again = opened(str(folder), clock)
    camera = open_again()
    camera.read()
    camera.close()
    frame = open_again().read()
    assert clock.now_s() >= frame.at_s
