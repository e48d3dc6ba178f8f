"""What is read from clips is compared with what is true of them, beside the empty tray."""

import json

import cv2
import numpy as np
import pytest
from die_drawing import cube, floor, scene

from camera.bench_clips import bench_clips
from camera.bench_empty import Origin, bare_frames, empty_of, is_same_view
from companion.errors import ConfigError, PictureError

DIE = {"kind": "white", "face": "sun", "moved": True, "box": [100, 100, 40, 40]}
STAYED = {"kind": "white", "face": "moon", "moved": False, "box": [10, 10, 40, 40]}
LIES = {
    "rerolled": ["a"],
    "untouched": ["b"],
    "faces": [
        {"die": "a", "kind": "white", "face": "sun", "box": [98, 98, 44, 44]},
        {"die": "b", "kind": "white", "face": "moon", "box": [9, 9, 44, 44]},
    ],
}
THROWN_IN = {"motion_start": 7, "release": 6, "rest": 9, "rerolled": ["a"], "faces": [{}]}


@pytest.fixture
def clip(tmp_path):
    """Two true rolls in the file that tells of a clip."""
    rolls = [{"motion_start": 10, "rest": 20, **LIES}, {"motion_start": 40, "rest": 50, **LIES}]
    told = tmp_path / "07" / "clip.json"
    told.parent.mkdir()
    told.write_text(json.dumps({"fps": 30, "rolls": rolls, "file": "x.avi", "frames": 70}))
    return told


def _tells(monkeypatch, *moments, dice=(DIE, STAYED)):
    throws = [
        {"at_s": at / 30, "declared_at_s": told / 30, "accepted": True, "dice": dice}
        for at, told in moments
    ]
    monkeypatch.setattr("camera.bench_clips.throws_in", lambda clip, looks, bare: iter(throws))


def test_rolls_of_clips_are_told_from_false_ones(clip, monkeypatch):
    """Two true rolls; one told once and late, one twice; and one before anything moved."""
    _tells(monkeypatch, (2, 4), (21, 30), (50, 53), (58, 60))
    figures = bench_clips([clip], None)
    assert figures["clip_rolls"] == 2
    assert figures["clip_rolls_once"] == figures["clip_rolls_right_faces"] == 1
    assert figures["clip_rolls_told_again"] == figures["clip_false_rolls"] == 1
    assert figures["clip_rolls_missed"] == figures["clip_rolls_accepted_wrong"] == 0
    assert figures["clip_delay_after_rest_max_frames"] == 10
    assert figures["clip_capture_off_max_frames"] == 1
    assert figures["clip_late_rolls"] == 1
    assert figures["clips_with_empty_tray"] == 0


def test_each_clip_has_figures_of_its_own(clip, monkeypatch):
    _tells(monkeypatch, (20, 22), (52, 54))
    figures = bench_clips([clip], None)
    own = {key: value for key, value in figures.items() if key.startswith("clip_07_")}
    assert own["clip_07_rolls"] == own["clip_07_rolls_once"] == own["clip_07_rolls_accepted"] == 2
    assert own["clip_07_false_rolls"] == own["clip_07_with_empty_tray"] == 0
    assert own["clip_07_delay_after_rest_max_frames"] == 4
    assert own["clip_07_capture_off_max_frames"] == 2
    assert own["clip_07_untouched_dice"] == own["clip_07_untouched_dice_kept"] == 2


@pytest.mark.parametrize(
    "wrong", [{"moved": True}, {"face": "star"}, {"box": [60, 60, 40, 40]}], ids=str
)
def test_untouched_die_is_not_kept_when_it_is_told_otherwise(clip, monkeypatch, wrong):
    _tells(monkeypatch, (20, 22), (50, 52), dice=(DIE, STAYED | wrong))
    figures = bench_clips([clip], None)
    assert (figures["clip_untouched_dice"], figures["clip_untouched_dice_kept"]) == (2, 0)


def test_clip_of_which_nothing_is_told_is_named(clip):
    clip.write_text("{}")
    with pytest.raises(ConfigError, match=r"clip\.json"):
        bench_clips([clip], None)


def test_clip_without_its_video_is_named(clip):
    with pytest.raises(PictureError, match=r"x\.avi"):
        bench_clips([clip], None)


@pytest.fixture
def frames(tmp_path):
    """A clip as a folder of pictures: bare for two frames, then a die comes."""
    folder = tmp_path / "clip"
    folder.mkdir()
    for number in range(4):
        picture = floor() if number < 2 else scene([cube("sun", (0.0, 0.0), 20)])
        cv2.imwrite(str(folder / f"{number}.png"), picture)
    return folder


def test_clip_is_watched_beside_the_picture_of_its_own_tray(frames):
    told = {"rolls": [THROWN_IN], "frames": 4, "tray": "felt", "light": "day", "angle": 20}
    picture, origin = empty_of(frames, told | {"rolls": [THROWN_IN | {"release": 2}]}, {})
    assert origin == Origin.FIRST_FRAMES
    assert np.abs(picture.astype(int) - floor()).max() == 0
    cv2.imwrite(str(frames.parent / "of the folder.png"), cv2.add(floor(), 9))
    known = {"felt day 20": frames.parent / "of the folder.png"}
    assert empty_of(frames, told, known)[1] == Origin.SET_UP
    cv2.imwrite(str(frames.parent / "empty.png"), floor())
    assert empty_of(frames, told, known)[1] == Origin.OWN


def test_picture_of_another_view_is_not_taken_for_the_tray(frames):
    told = {"rolls": [], "frames": 4, "tray": "felt", "light": "day", "angle": 20}
    striped, cloth = floor(), frames.parent / "cloth.png"
    striped[:, np.arange(striped.shape[1]) % 40 < 20] = (30, 40, 150)
    cv2.imwrite(str(cloth), striped)
    assert empty_of(frames, told, {"felt day 20": cloth})[1] == Origin.NONE
    assert not is_same_view(floor()[:-2], floor())


@pytest.mark.parametrize(
    ("told", "count"),
    [
        ({"rolls": [THROWN_IN]}, 6),
        ({"rolls": [THROWN_IN], "hand_near_frames": [[4, 9]]}, 4),
        ({"rolls": [THROWN_IN], "flash": [{"first": 3}], "dark": [[5, 8]]}, 3),
        ({"rolls": [THROWN_IN | {"release": 20}]}, 0),  # picked up from the tray
        ({"rolls": [THROWN_IN | {"faces": [{}, {}]}]}, 0),  # another die lay there
        ({"rolls": [], "final": [{}]}, 0),
        ({"rolls": [], "final": []}, 50),
        ({"rolls": []}, 0),
    ],
)
def test_first_frames_are_bare_until_something_comes(told, count):
    assert bare_frames({"frames": 50, **told}) == count
