"""A clip holds every frame at its own time, and says so where it does not."""

import resource

import numpy as np
import pytest

from camera.recording import LONGEST_GAP_S, PER_S, ClipWriter
from camera.source import Frame, VideoFile, frames_in
from companion.errors import ConfigError, PictureError


def grey(level):
    return np.full((48, 64, 3), level, np.uint8)


def noise(number):
    return np.random.default_rng(number).integers(0, 255, (240, 320, 3), np.uint8)


@pytest.fixture
def small_disk():
    """No file of this process may grow beyond 600 kB meanwhile, as on a disk that is full then."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_frame_is_repeated_until_the_next_one_is_due(tmp_path):
    path = tmp_path / "clip.avi"
    with ClipWriter(path, "FFV1") as clip:
        assert [clip.write(Frame(5.0 + at_s, grey(level))) for at_s, level in
                ((0.0, 10), (3 / PER_S, 100), (4 / PER_S, 200))] == [0, 3, 4]  # fmt: skip
    levels = [int(frame.pixels.mean()) for frame in VideoFile(path).frames()]
    assert levels == pytest.approx([10, 10, 10, 100, 200], abs=2)


def test_long_silence_is_cut_short(tmp_path):
    with ClipWriter(tmp_path / "clip.avi") as clip:
        clip.write(Frame(0.0, grey(10)))
        longest = clip.write(Frame(LONGEST_GAP_S, grey(20)))
        assert longest == LONGEST_GAP_S * PER_S
        hour_later = clip.write(Frame(LONGEST_GAP_S + 3600.0, grey(30)))
        assert hour_later == 2 * longest
        assert clip.write(Frame(LONGEST_GAP_S + 3600.1, grey(40))) == 2 * longest + 3


@pytest.mark.parametrize("code", ["MJPG", "FFV1"])
def test_clip_for_which_the_disk_has_no_room_is_refused_at_its_end(tmp_path, code, small_disk):
    path = tmp_path / "clip.avi"
    clip = ClipWriter(path, code)
    for number in range(20):
        clip.write(Frame(number / PER_S, noise(number)))
    with pytest.raises(
        ConfigError, match=r"clip\.avi: expected 20 frames, got \d+ written"
    ) as told:
        clip.close()
    assert f"got {len(list(VideoFile(path).frames()))} written" in str(told.value)
    clip.close()


@pytest.mark.parametrize("name", ["clip.avi", "clip.mkv"])
def test_clip_that_was_written_may_be_closed_twice(tmp_path, name):
    clip = ClipWriter(tmp_path / name)
    clip.close()
    for number in range(5):
        clip.write(Frame(number / PER_S, noise(number)))
    clip.close()
    clip.close()
    assert frames_in(tmp_path / name) == 5


def of_two_sizes(path):
    with ClipWriter(path) as clip:
        for number in range(20):
            clip.write(Frame(number / PER_S, noise(number)))
        clip.write(Frame(1.0, grey(10)))


def test_what_ended_a_recording_early_is_what_is_told(tmp_path, small_disk):
    with pytest.raises(PictureError, match="one size"):
        of_two_sizes(tmp_path / "clip.avi")
    assert frames_in(tmp_path / "clip.avi") < 20
