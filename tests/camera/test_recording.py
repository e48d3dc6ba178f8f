"""A clip holds every frame at its own time, and says so where it does not."""

import resource

import numpy as np
import pytest

from camera.folder_times import times_file, write_times
from camera.recording import LONGEST_GAP_S, PER_S, ClipWriter
from camera.source import Frame, VideoFile, check_whole, frames_in, frames_told
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


TIMES_S = (5.0, 5.13, 5.21, 5.37)  # of a camera that gives eight pictures a second


@pytest.fixture
def slow_clip(tmp_path):
    path = tmp_path / "clip.avi"
    with ClipWriter(path, "FFV1") as clip:
        seen = {clip.write(Frame(at_s, grey(50 * n))): at_s for n, at_s in enumerate(TIMES_S)}
    write_times(path, seen)
    return path


def test_clip_of_a_slow_camera_is_played_at_the_times_that_it_saw(slow_clip):
    """What was repeated is left out: a die that stands still in mid-air would rest there."""
    played = list(VideoFile(slow_clip).frames())
    assert [frame.at_s for frame in played] == pytest.approx([at_s - 5.0 for at_s in TIMES_S])
    assert [int(frame.pixels.mean()) for frame in played] == pytest.approx([0, 50, 100, 150], abs=2)
    check_whole(slow_clip, frames_told(slow_clip), len(played))
    with pytest.raises(PictureError, match="expected 4 frames, as it says itself, got 2"):
        check_whole(slow_clip, frames_told(slow_clip), len(played) - 2)


@pytest.mark.parametrize("listed", ["", "0,1\n3,1", "0,1\n3,0.5", "3,1\n0,2", "0,soon"])
def test_times_of_a_clip_that_cannot_be_are_named(slow_clip, listed):
    times_file(slow_clip).write_text(listed)
    with pytest.raises(PictureError, match=r"clip\.avi\.times\.csv: expected"):
        list(VideoFile(slow_clip).frames())


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
