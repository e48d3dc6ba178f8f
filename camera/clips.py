"""Clips, watched as if they were live: their frames at their own times, their rolls as values."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.figures import Figures
from camera.live import LiveTray
from camera.rolled import Throw
from camera.source import FOLDER_PER_S, PictureFolder, Source, VideoFile
from camera.stills import as_values


def source_of(clip: Path, per_s: float = FOLDER_PER_S) -> Source:
    """A clip's frames: of a video file, or of a folder of pictures, both at their own times.

    per_s  pictures a second of a folder that tells no times.
    """
    return PictureFolder(clip, per_s) if clip.is_dir() else VideoFile(clip)


def throws_in(
    clip: Path,
    looks: DiceLooks | None,
    empty: Pixels | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    expect: int | None = None,
    per_s: float = FOLDER_PER_S,
    figures: Figures | None = None,
) -> Iterator[dict[str, Any]]:
    """Give the rolls of a clip as plain values, each as soon as it is known.

    looks     the learnt set of the dice; without one, dice with pips are read.
    progress  called with how many frames have been seen.
    expect    how many dice lie there after a roll; learnt from the clip if not given.
    per_s     pictures a second of a folder that tells no times; see camera/folder_times.py.
    figures   takes what each frame costs.
    Raises PictureError for a file that is no clip.
    """
    figures = figures or Figures()
    tray = LiveTray(looks, empty, expect=expect)
    for number, frame in enumerate(source_of(clip, per_s).frames(), start=1):
        throw = figures.take(partial(tray.see, frame), lambda: tray.is_idle)
        if progress is not None:
            progress(number)
        if throw is not None:
            yield values_of(throw)


def values_of(throw: Throw) -> dict[str, Any]:
    """A roll as plain values, ready for JSON."""
    readings = as_values([die.reading for die in throw.dice])
    dice = [{**r, "moved": die.moved} for r, die in zip(readings, throw.dice, strict=True)]
    return {
        "at_s": round(throw.at_s, 3),
        "declared_at_s": round(throw.declared_at_s, 3),
        "accepted": throw.accepted,
        "dice": dice,
        **({"doubts": list(throw.doubts)} if throw.doubts else {}),
    }
