"""Frames come with their own times; what is no picture says so."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from camera.health import CameraTrouble
from camera.pictures import save_picture
from camera.recording import ClipWriter
from camera.replay import opened
from camera.source import Frame, PictureFolder, VideoFile, frames_told, read_picture
from companion.clock import SimulatedClock
from companion.errors import PictureError
from companion.words import message_of, rendered
from web.i18n import catalogue


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


def test_clip_is_replayed_at_its_own_frame_times(tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 25.0, (64, 48))
    for level in (10, 100, 200):
        writer.write(grey(level))
    writer.release()
    frames = list(VideoFile(path).frames())
    assert [frame.at_s for frame in frames] == pytest.approx([0.0, 0.04, 0.08])
    assert [int(frame.pixels.mean()) for frame in frames] == pytest.approx([10, 100, 200], abs=3)


class Uneven:
    """A clip whose frames tell these times, in milliseconds."""

    def __init__(self, times_ms: list[float]) -> None:
        self.left, self.now = times_ms, 0.0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def get(self, what: int) -> float:
        return {cv2.CAP_PROP_FPS: 10.0, cv2.CAP_PROP_POS_MSEC: self.now}[what]

    def read(self) -> tuple[bool, np.ndarray | None]:
        if not self.left:
            return False, None
        self.now, *self.left = self.left
        return True, grey(9)


@pytest.mark.parametrize(
    ("times_ms", "times_s"),
    [
        ([40, 70, 170, 190], [0, 0.03, 0.13, 0.15]),  # as a phone films
        ([0, 0, 0], [0, 0.1, 0.2]),  # it tells none
        ([0, 90, 50, 300], [0, 0.09, 0.19, 0.3]),
    ],
)
def test_frames_have_their_own_times_at_an_uneven_rate(
    tmp_path: Path, times_ms: list[float], times_s: list[float]
) -> None:
    frames = VideoFile(tmp_path)._decoded(Uneven(times_ms))  # type: ignore[arg-type]
    assert [frame.at_s for frame in frames] == pytest.approx(times_s)


def test_pictures_with_numbers_are_replayed_in_their_order(tmp_path: Path) -> None:
    for number in (0, 1, 2, 10, 11, 100):
        (tmp_path / f"f{number}.png").write_bytes(cv2.imencode(".png", grey(number))[1].tobytes())
    frames = PictureFolder(tmp_path).frames()
    assert [int(frame.pixels[0, 0, 0]) for frame in frames] == [0, 1, 2, 10, 11, 100]


def test_folder_is_replayed_in_order_of_names(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.png", 10), ("notes.txt", 0)):
        (tmp_path / name).write_bytes(cv2.imencode(".png", grey(level))[1].tobytes())
    frames = list(PictureFolder(tmp_path, per_s=10).frames())
    assert [(f.at_s, int(f.pixels[0, 0, 0])) for f in frames] == [(0.0, 10), (0.1, 20)]


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", None])
def test_picture_error_names_the_file_when_it_is_no_picture(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "die.png"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PictureError, match=r"die\.png: (expected a picture|cannot be read)"):
        read_picture(path)


def test_folder_ends_at_a_picture_whose_data_are_damaged(tmp_path: Path) -> None:
    """A decoder makes something of it, in which dice are missing."""
    noise = np.random.default_rng(3).integers(0, 255, (48, 64, 3), np.uint8)
    whole = cv2.imencode(".jpg", noise)[1].tobytes()
    third = len(whole) // 3
    (tmp_path / "a.jpg").write_bytes(whole)
    (tmp_path / "b.jpg").write_bytes(whole[:third] + bytes(third) + whole[2 * third :])
    frames = PictureFolder(tmp_path).frames()
    assert next(frames).pixels.shape == (48, 64, 3)
    with pytest.raises(PictureError, match=r"b\.jpg: the picture cannot be decoded; .* damaged"):
        next(frames)


def test_folder_and_clip_are_refused_when_they_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="expected a folder of pictures"):
        list(PictureFolder(tmp_path / "none").frames())
    with pytest.raises(PictureError, match="expected a clip, found no such file"):
        list(VideoFile(tmp_path / "none.avi").frames())


def folder_of(tmp_path, *names):
    for name in names:
        cv2.imwrite(str(tmp_path / name), np.full((4, 4, 3), 9, np.uint8))
    return PictureFolder(tmp_path, per_s=10)


def test_folder_plays_at_the_times_that_its_list_tells(tmp_path):
    folder = folder_of(tmp_path, "a.png", "b.png", "c.png")
    (tmp_path / "times.csv").write_text("a.png,5.0\nb.png,5.25\nc.png, 7\n")
    assert [frame.at_s for frame in folder.frames()] == [0.0, 0.25, 2.0]


def test_list_of_times_may_begin_with_the_mark_that_spreadsheets_write(tmp_path):
    folder = folder_of(tmp_path, "a.png", "b.png")
    (tmp_path / "times.csv").write_text("a.png,5.0\nb.png,5.25\n", encoding="utf-8-sig")
    assert [frame.at_s for frame in folder.frames()] == [0.0, 0.25]


def test_folder_plays_at_the_times_that_its_names_are(tmp_path):
    folder = folder_of(tmp_path, "9.5.png", "10.25.png", "11.0.png")
    assert [frame.at_s for frame in folder.frames()] == [0.0, 0.75, 1.5]


@pytest.mark.parametrize("listed", ["a.png,1\n", "a.png,1\nb.png,soon\n", "a.png,2\nb.png,1\n"])
def test_times_that_cannot_be_are_named(tmp_path, listed):
    folder = folder_of(tmp_path, "a.png", "b.png")
    (tmp_path / "times.csv").write_text(listed)
    with pytest.raises(PictureError, match="b.png"):
        list(folder.frames())


def test_clip_in_place_of_a_camera_fails_in_words_that_every_screen_knows(tmp_path):
    (tmp_path / "clip.avi").write_bytes(b"no clip")
    (tmp_path / "times.csv").write_text("a.png,soon\n")
    folder_of(tmp_path, "a.png")
    for device, said in ((tmp_path / "clip.avi", "erwartet wird ein Film"),
                         (tmp_path, "erwartet wird eine Zeile a.png,SEKUNDEN")):  # fmt: skip
        with pytest.raises(CameraTrouble) as trouble:
            opened(str(device), SimulatedClock())().read()
        made = message_of(str(trouble.value))
        assert trouble.value.state == "over"
        assert said in rendered(made, lambda sentence, *_: catalogue("de").gettext(sentence))


def test_one_thread_is_enough_for_the_camera() -> None:
    settings = {name: value for name, value in os.environ.items() if "THREADS" not in name}
    child = "import camera.pips, os; print(len(os.listdir('/proc/self/task')))"
    done = subprocess.run(
        [sys.executable, "-c", child], capture_output=True, text=True, check=True, env=settings
    )
    assert done.stdout.split() == ["1"]


def test_clip_and_folder_tell_how_many_frames_they_have(tmp_path: Path) -> None:
    felt = grey(90)
    with ClipWriter(tmp_path / "felt.avi") as clip:
        for number in range(7):
            clip.write(Frame(number / 30, felt))
    save_picture(tmp_path / "one.png", felt)
    save_picture(tmp_path / "two.png", felt)
    assert frames_told(tmp_path / "felt.avi") == 7
    assert frames_told(tmp_path) == 2
    assert frames_told(tmp_path / "gone.avi") == 0
    (tmp_path / "note.avi").write_text("two dice")
    assert frames_told(tmp_path / "note.avi") == 0


@pytest.mark.parametrize("suffix", [".mkv", ".webm"])
def test_clip_that_tells_only_how_long_it_is_and_ends_before_is_cut_short(
    tmp_path: Path, suffix: str
) -> None:
    code = {".mkv": "MJPG", ".webm": "VP80"}[suffix]
    whole, cut = tmp_path / f"whole{suffix}", tmp_path / f"cut{suffix}"
    writer = cv2.VideoWriter(str(whole), cv2.VideoWriter.fourcc(*code), 30.0, (64, 48))
    noise = np.random.default_rng(4)
    for _ in range(90):
        writer.write(noise.integers(0, 255, (48, 64, 3), np.uint8))
    writer.release()
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    assert len(list(VideoFile(whole).frames())) == 90
    with pytest.raises(PictureError, match=r"expected 3\.0 s, as it says itself, got 1\.\d s"):
        list(VideoFile(cut).frames())


def test_recording_that_is_not_unpacked_is_no_clip(tmp_path: Path) -> None:
    (tmp_path / "bug.zip").write_bytes(b"PK")
    with pytest.raises(PictureError, match="unpack it first"):
        list(VideoFile(tmp_path / "bug.zip").frames())
