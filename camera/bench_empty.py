"""Pictures of the empty tray beside which clips are watched: a live table has one, too.

A clip's own comes first: `empty.png` or `.jpg` beside its `clip.json`. Then the one that the folder
has for the clip's tray, light and angle, if it shows what the clip shows. Then the clip's first
frames, where what is told of it says that nothing lies there yet. A clip without any is watched
without one.
"""

from collections.abc import Mapping
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from camera.bare import is_bare
from camera.canvas import Pixels
from camera.clips import source_of
from camera.pictures import load_picture

OWN_NAMES = ("empty.png", "empty.jpg")
CELLS = 16  # across a picture that is compared with a clip's
SAME_CELLS = 1 / 3  # of them; 60 of 60 pictures with up to 8 dice show more, 7 of 720 wrong ones
MOST_FRAMES = 9  # that a picture is made of


class Origin(StrEnum):
    """Where a picture of the empty tray comes from."""

    OWN = "own"
    SET_UP = "set-up"
    FIRST_FRAMES = "first frames"
    NONE = "none"


def empty_of(
    clip: Path, told: Mapping[str, Any], known: Mapping[str, Path]
) -> tuple[Pixels | None, Origin]:
    """Find the empty tray of a clip, as (H, W, 3) uint8 BGR, and where it comes from.

    told   what `clip.json` says of it.
    known  set-up (tray, light and angle) -> picture of its tray without dice.
    Raises PictureError for a picture or a clip that cannot be read.
    """
    own = next((path for n in OWN_NAMES if (path := clip.parent / n).is_file()), None)
    set_up = known.get(" ".join(str(told.get(key)) for key in ("tray", "light", "angle")))
    if own is not None:
        return load_picture(own), Origin.OWN
    if set_up is not None:
        picture = load_picture(set_up)
        if is_same_view(picture, next(iter(source_of(clip).frames())).pixels):
            return picture, Origin.SET_UP
    if count := bare_frames(told):
        frames = islice(source_of(clip).frames(), min(count, MOST_FRAMES))
        middle = np.median([frame.pixels for frame in frames], axis=0)
        return np.asarray(middle, np.uint8), Origin.FIRST_FRAMES
    return None, Origin.NONE


def bare_frames(told: Mapping[str, Any]) -> int:
    """How many frames show nothing but the tray, before dice, hands and lamps come.

    Dice that fly in before any moved in view came from outside; what was rolled first, picked up
    from the tray, or lay there all the time did not.
    """
    rolls = told["rolls"]
    if not rolls:
        lies = bool(told.get("final", True))
    else:
        first = rolls[0]
        from_outside = first.get("release", first["rest"]) <= first["motion_start"]
        lies = not from_outside or len(first["faces"]) != len(first["rerolled"])
    if lies:
        return 0
    hands = [*told.get("hand_near_frames", ()), *told.get("hand_frames", ())]
    begins = [run[0] for run in (*hands, *told.get("dark", ()))]
    begins += [lamp["first"] for lamp in told.get("flash", ())]
    begins += [roll[key] for roll in rolls for key in ("motion_start", "release") if key in roll]
    return max(0, min([int(told["frames"]), *map(int, begins)]))


def is_same_view(empty: Pixels, shown: Pixels) -> bool:
    """True if a picture of an empty tray is one of what a frame shows, but for dice on it."""
    if empty.shape != shown.shape:
        return False
    height, width = shown.shape[:2]
    side = width / CELLS
    left, top = np.meshgrid(np.arange(CELLS) * side, np.arange(max(1, int(height / side))) * side)
    corner = np.stack([left.ravel(), top.ravel()], axis=1)[:, None]
    cells = corner + side * np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    smooth = [cv2.GaussianBlur(p, (0, 0), 1.0) for p in (shown, empty)]
    same = is_bare(np.asarray(smooth[0], np.uint8), np.asarray(smooth[1], np.uint8), cells)
    return float(same.mean()) >= SAME_CELLS
