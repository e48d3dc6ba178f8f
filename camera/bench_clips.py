"""How well clips of trays are watched: every roll once, soon, with its true moment and faces.

`clip.json` tells the true frames: `rolls` with `motion_start`, `rest` (all dice lie still), `clear`
(and no hand in view) and `rerolled` (names), `faces` after each roll.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from camera.bench import Figures, interval_95
from camera.clips import throws_in
from camera.dice_sets import DiceLooks
from companion.errors import ConfigError

LATEST = 5  # frames after rest, of 30 a second


class Watched(NamedTuple):
    """What came of one clip: a list of reported rolls for each true one, and rolls of nothing."""

    rolls: tuple[dict[str, Any], ...]
    reported: tuple[tuple[dict[str, Any], ...], ...]
    false: int
    fps: float
    frames: int
    seconds: float


def bench_clips(clips: Iterable[Path], looks: DiceLooks) -> Figures:
    """Watch clips, given as paths of their `clip.json`; give flat figures, none without clips."""
    watched = [watch(path, looks) for path in clips]
    if not watched:
        return {}
    rolls = [
        (roll, reported, one.fps)
        for one in watched
        for roll, reported in zip(one.rolls, one.reported, strict=True)
    ]
    once = [(roll, found[0], fps) for roll, found, fps in rolls if len(found) == 1]
    low, high = interval_95(len(once), len(rolls))
    return {
        "clips": len(watched),
        "clip_rolls": len(rolls),
        "clip_rolls_once": len(once),
        "clip_rolls_once_low95_share": low,
        "clip_rolls_once_high95_share": high,
        "clip_rolls_missed": sum(not found for _, found, _ in rolls),
        "clip_rolls_told_again": sum(len(found) > 1 for _, found, _ in rolls),
        "clip_false_rolls": sum(one.false for one in watched),
        "clip_rolls_right_faces": sum(_faces_are_right(roll, found) for roll, found, _ in once),
        "clip_rolls_accepted": sum(found["accepted"] for _, found, _ in once),
        "clip_rolls_accepted_wrong": sum(
            found["accepted"] and not _faces_are_right(roll, found) for roll, found, _ in once
        ),
        **_times(once),
        "clip_ms_per_frame": round(
            1000 * sum(one.seconds for one in watched) / max(1, sum(one.frames for one in watched)),
            2,
        ),
    }


def watch(path: Path, looks: DiceLooks) -> Watched:
    """Watch one clip; `path` is its `clip.json`."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        fps, rolls = float(told["fps"]), tuple(told["rolls"])
        clip, frames = path.parent / told["file"], int(told["frames"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: expected what happens in a clip, got {error!r}") from error
    begin = time.perf_counter()
    throws = list(throws_in(clip, looks))
    seconds = time.perf_counter() - begin
    reported: list[list[dict[str, Any]]] = [[] for _ in rolls]
    starts = [roll["motion_start"] / fps for roll in rolls]
    false = 0
    for throw in throws:
        begun = sum(start <= throw["at_s"] for start in starts)
        if begun:
            reported[begun - 1].append(throw)
        else:
            false += 1
    return Watched(rolls, tuple(tuple(found) for found in reported), false, fps, frames, seconds)


def _faces_are_right(roll: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether the dice that moved show what the rolled dice show."""
    rolled = {*roll["rerolled"]}
    wanted = Counter((d["kind"], d["face"]) for d in roll["faces"] if d["die"] in rolled)
    return wanted == Counter((die["kind"], die["face"]) for die in found["dice"] if die["moved"])


def _times(once: Sequence[tuple[dict[str, Any], dict[str, Any], float]]) -> Figures:
    """Frames from rest and from a hand's leave to the report; how far its moment is off."""
    if not once:
        return {}
    delays = [found["declared_at_s"] * fps - roll["rest"] for roll, found, fps in once]
    clear = [
        found["declared_at_s"] * fps - roll.get("clear", roll["rest"]) for roll, found, fps in once
    ]
    off = [found["at_s"] * fps - roll["rest"] for roll, found, fps in once]
    return {
        "clip_delay_after_rest_median_frames": round(float(np.median(delays)), 2),
        "clip_delay_after_rest_max_frames": round(max(delays), 2),
        "clip_delay_after_clear_median_frames": round(float(np.median(clear)), 2),
        "clip_delay_after_clear_max_frames": round(max(clear), 2),
        "clip_late_rolls": sum(delay > LATEST + 0.01 for delay in clear),
        "clip_capture_off_median_frames": round(float(np.median(np.abs(off))), 2),
        "clip_capture_off_max_frames": round(float(np.max(np.abs(off))), 2),
    }
