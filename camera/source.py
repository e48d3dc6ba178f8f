"""Where frames come from: a clip, a folder of pictures.

Every source hands out frames with their own capture time; the rest of the pipeline knows no clock.
Live cameras (camera/steady.py) and the simulated tray (camera/simulated.py) make the same frames.
"""

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from camera.decoding import JPEG, decoded
from camera.folder_times import in_order, times_beside, times_of
from companion.errors import PictureError
from companion.words import of_system, say

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
FOLDER_PER_S = 30.0
MOST_FRAMES = 10_000_000  # what tells of more, days of video, is damaged
WHOLE = 0.98  # of the frames that a clip tells of: some formats only guess
UNCOUNTED = frozenset({".mkv", ".webm"})  # tell how long they are only
STOPPED_S = 1.0  # and end so long before that at most, if they are whole: the last picture may stay
QUIET = "8"  # of what FFmpeg says by itself, only what ends a program; the rest is said in words


class Frame(NamedTuple):
    """One picture: when it was taken, in seconds, and (H, W, 3) uint8 in BGR order."""

    at_s: float
    pixels: npt.NDArray[np.uint8]


def use_one_core() -> None:
    """Let OpenCV use one core: sharing out pictures as small as ours costs more than it saves."""
    cv2.setNumThreads(1)


class Source(Protocol):
    """Whatever hands out frames."""

    def frames(self) -> Iterator[Frame]:
        """Hand out frames in order of their time."""
        ...


def read_picture(path: Path) -> npt.NDArray[np.uint8]:
    """Read a picture file as BGR; raise PictureError if it is none, or a JPEG that is damaged."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(
            say("{path}: cannot be read: {why}", path=path, why=of_system(error))
        ) from error
    try:
        pixels = decoded(data) if data else None
    except cv2.error as error:
        raise PictureError(
            say("{path}: the picture cannot be decoded: {why}", path=path, why=error.err)
        ) from error
    if pixels is None:
        raise _no_picture(path, data)
    return np.asarray(pixels, np.uint8)


def _no_picture(path: Path, data: bytes) -> PictureError:
    """What is wrong with a file that cannot be decoded."""
    if data.startswith(JPEG):
        return PictureError(
            say("{path}: the picture cannot be decoded; the file may be damaged", path=path)
        )
    return PictureError(
        say(
            "{path}: expected a picture, got {n} byte of something else",
            "{path}: expected a picture, got {n} bytes of something else",
            path=path,
            n=len(data),
        )
    )


def frames_told(clip: Path) -> int:
    """How many frames a clip says that it has, or a folder has pictures; 0 where it is not told."""
    if clip.is_dir():
        return sum(path.suffix.lower() in PICTURE_SUFFIXES for path in clip.iterdir())
    if not clip.is_file() or clip.suffix.lower() in UNCOUNTED:
        return 0
    if (times := times_beside(clip)) is not None:
        return len(times)
    video = opened_clip(clip)
    told = video.get(cv2.CAP_PROP_FRAME_COUNT) if video.isOpened() else 0.0
    video.release()
    return int(told) if 0 < told < MOST_FRAMES else 0


def frames_in(clip: Path) -> int:
    """How many frames of a clip can be played, whatever it tells: all of it is decoded."""
    video, seen = opened_clip(clip), 0
    while video.read()[0]:
        seen += 1
    video.release()
    return seen


def check_whole(clip: Path, told: int, seen: int) -> None:
    """Raise PictureError for a clip that gave fewer frames than it tells of; 0 tells nothing."""
    if seen < WHOLE * told - 1:
        raise PictureError(
            say(
                "{clip}: expected {n} frame, as it says itself, got {seen}; it may be cut short: "
                "copy it again",
                "{clip}: expected {n} frames, as it says itself, got {seen}; it may be cut short: "
                "copy it again",
                clip=clip,
                n=told,
                seen=seen,
            )
        )


def _check_length(clip: Path, told_s: float, seen_s: float) -> None:
    """Raise PictureError for a clip that ended long before it says; 0 s tell nothing."""
    if seen_s < min(WHOLE * told_s, told_s - STOPPED_S):
        raise PictureError(
            say(
                "{clip}: expected {told} s, as it says itself, got {seen} s; it may be cut short: "
                "copy it again",
                clip=clip,
                told=f"{told_s:.1f}",
                seen=f"{seen_s:.1f}",
            )
        )


def opened_clip(path: Path) -> cv2.VideoCapture:
    """Open a video file; FFmpeg keeps to itself what it finds odd in it."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", QUIET)
    return cv2.VideoCapture(str(path))


class VideoFile:
    """A clip, replayed at its own frame times, from 0 on; phones film at no even rate.

    A frame whose own time is not told follows the one before at the clip's mean rate. Where a file
    beside it tells which frames a camera saw, and when (camera/folder_times.py), these are played.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def frames(self) -> Iterator[Frame]:
        """Hand out every frame; raise PictureError if the file is no clip, or ends too early."""
        if not self.path.is_file():
            raise PictureError(say("{path}: expected a clip, found no such file", path=self.path))
        if self.path.suffix.lower() == ".zip":  # FFmpeg would play what is in it, at other times
            raise PictureError(
                say("{path}: expected a clip, got a recording; unpack it first", path=self.path)
            )
        seen_s = times_beside(self.path)
        clip = opened_clip(self.path)
        try:
            for number, frame in enumerate(self._decoded(clip)):
                if seen_s is None:
                    yield frame
                elif number in seen_s:
                    yield frame._replace(at_s=seen_s[number])
        finally:
            clip.release()

    def _decoded(self, clip: cv2.VideoCapture) -> Iterator[Frame]:
        per_s = clip.get(cv2.CAP_PROP_FPS) if clip.isOpened() else 0.0
        if not per_s > 0:
            raise PictureError(
                say("{path}: expected a clip, got something without frames", path=self.path)
            )
        first_s = at_s = math.nan
        while (answer := clip.read())[0]:
            told_s = clip.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if math.isnan(first_s):
                first_s, at_s = told_s, 0.0
            else:
                later_s = told_s - first_s
                at_s = later_s if later_s > at_s else at_s + 1 / per_s
            yield Frame(at_s, np.asarray(answer[1], np.uint8))
        if math.isnan(at_s):
            raise PictureError(
                say("{path}: expected a clip, got no frame that can be decoded", path=self.path)
            )
        if self.path.suffix.lower() in UNCOUNTED:
            counted = clip.get(cv2.CAP_PROP_FRAME_COUNT)
            told_s = counted / per_s if 0 < counted < MOST_FRAMES else 0.0
            _check_length(self.path, told_s, at_s)


class PictureFolder:
    """The pictures of a folder, at their own times; see camera/folder_times.py.

    per_s  pictures a second where neither `times.csv` nor their names tell their times.
    """

    def __init__(self, folder: Path, per_s: float = FOLDER_PER_S) -> None:
        self.folder, self.per_s = folder, per_s

    def frames(self) -> Iterator[Frame]:
        """Hand out every picture; raise PictureError for a file that only looks like one."""
        if not self.folder.is_dir():
            raise PictureError(
                say("{path}: expected a folder of pictures, found none", path=self.folder)
            )
        found = [p for p in self.folder.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES]
        if not found:
            raise PictureError(
                say("{path}: expected pictures in this folder, found none", path=self.folder)
            )
        pictures = in_order(found)
        for at_s, path in zip(times_of(pictures, self.per_s), pictures, strict=True):
            yield Frame(at_s, read_picture(path))
