"""How well clips of trays are watched: every roll once, soon, with its true moment and faces.

`clip.json` tells the true frames: `rolls` with `motion_start`, `rest` (all dice lie still), `clear`
(and no hand in view) and `rerolled` and `untouched` (names), `faces` after each roll. Each clip is
watched beside the empty tray where there is a picture of it (camera/bench_empty.py).
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from camera.bench_empty import Origin, empty_of
from camera.bench_shares import Figures, interval_95
from camera.clips import throws_in
from camera.dice_sets import DiceLooks
from companion.errors import CompanionError, ConfigError

LATEST = 5  # frames after rest, of 30 a second
Once = tuple[dict[str, Any], dict[str, Any], float]  # true roll, the report of it, frames a second


class Watched(NamedTuple):
    """What came of one clip: a list of reported rolls for each true one, and rolls of nothing.

    origin  where the picture of the empty tray beside which it was watched came from.
    """

    name: str
    origin: Origin
    rolls: tuple[dict[str, Any], ...]
    reported: tuple[tuple[dict[str, Any], ...], ...]
    false: int
    fps: float
    frames: int
    seconds: float

    @property
    def once(self) -> list[Once]:
        """The true rolls that were told exactly once, each with what was told."""
        pairs = zip(self.rolls, self.reported, strict=True)
        return [(roll, found[0], self.fps) for roll, found in pairs if len(found) == 1]


def bench_clips(
    clips: Iterable[Path], looks: DiceLooks, empty: Mapping[str, Path] | None = None
) -> Figures:
    """Watch clips, given as paths of their `clip.json`; give flat figures, none without clips.

    empty  set-up (tray, light and angle) -> picture of its tray without dice.
    """
    watched = [watch(path, looks, empty or {}) for path in clips]
    if not watched:
        return {}
    figures: Figures = {
        "clips": len(watched),
        "clips_with_empty_tray": sum(one.origin != Origin.NONE for one in watched),
        "clips_with_empty_tray_of_their_first_frames": sum(
            one.origin == Origin.FIRST_FRAMES for one in watched
        ),
        **_of_rolls(watched),
        "clip_ms_per_frame": round(
            1000 * sum(one.seconds for one in watched) / max(1, sum(one.frames for one in watched)),
            2,
        ),
    }
    for one in watched:
        figures |= {f"clip_{one.name}_{key}": value for key, value in _of_one(one).items()}
    return figures


def _of_rolls(watched: Sequence[Watched]) -> Figures:
    """What came of all clips' true rolls, and of the dice in them."""
    reported = [found for one in watched for found in one.reported]
    once = [found for one in watched for found in one.once]
    low, high = interval_95(len(once), len(reported))
    right = [_faces_are_right(roll, found) for roll, found, _ in once]
    accepted = [bool(found["accepted"]) for _, found, _ in once]
    kept, untouched = _untouched(once)
    return {
        "clip_rolls": len(reported),
        "clip_rolls_once": len(once),
        "clip_rolls_once_low95_share": low,
        "clip_rolls_once_high95_share": high,
        "clip_rolls_missed": sum(not found for found in reported),
        "clip_rolls_told_again": sum(len(found) > 1 for found in reported),
        "clip_false_rolls": sum(one.false for one in watched),
        "clip_rolls_right_faces": sum(right),
        "clip_rolls_accepted": sum(accepted),
        "clip_rolls_accepted_wrong": sum(
            taken and not is_right for taken, is_right in zip(accepted, right, strict=True)
        ),
        "clip_untouched_dice": untouched,
        "clip_untouched_dice_kept": kept,
        **_times(once),
    }


def _of_one(one: Watched) -> Figures:
    """What came of one clip; the latest and the least exact of its rolls that were told once."""
    figures: Figures = {
        "with_empty_tray": int(one.origin != Origin.NONE),
        "rolls": len(one.rolls),
        "false_rolls": one.false,
    }
    if not one.rolls:
        return figures
    kept, untouched = _untouched(one.once)
    times = _times(one.once)
    wanted = ("delay_after_rest_max", "delay_after_clear_max", "capture_off_max")
    return figures | {
        "rolls_once": len(one.once),
        "rolls_accepted": sum(found["accepted"] for _, found, _ in one.once),
        "untouched_dice": untouched,
        "untouched_dice_kept": kept,
        **{f"{key}_frames": times[f"clip_{key}_frames"] for key in wanted if times},
    }


def watch(path: Path, looks: DiceLooks, empty: Mapping[str, Path]) -> Watched:
    """Watch one clip; `path` is its `clip.json`."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        fps, rolls = float(told["fps"]), tuple(told["rolls"])
        clip, frames = path.parent / told["file"], int(told["frames"])
        starts = [roll["motion_start"] / fps for roll in rolls]
        bare, origin = empty_of(clip, told, empty)
    except CompanionError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: expected what happens in a clip, got {error!r}") from error
    begin = time.perf_counter()
    throws = list(throws_in(clip, looks, bare))
    seconds = time.perf_counter() - begin
    reported: list[list[dict[str, Any]]] = [[] for _ in rolls]
    false = 0
    for throw in throws:
        begun = sum(start <= throw["at_s"] for start in starts)
        if begun:
            reported[begun - 1].append(throw)
        else:
            false += 1
    told_of = tuple(tuple(found) for found in reported)
    return Watched(path.parent.name, origin, rolls, told_of, false, fps, frames, seconds)


def _faces_are_right(roll: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether the dice that moved show what the rolled dice show."""
    rolled = {*roll["rerolled"]}
    wanted = Counter((d["kind"], d["face"]) for d in roll["faces"] if d["die"] in rolled)
    return wanted == Counter((die["kind"], die["face"]) for die in found["dice"] if die["moved"])


def _untouched(once: Sequence[Once]) -> tuple[int, int]:
    """How many untouched dice keep their names, of how many.

    Names follow what is told to have stayed: a die keeps its own where one that did not move is
    told, of its kind and face, in its place.
    """
    stayed = [
        any(_is_here(die, one) for one in found["dice"] if not one["moved"])
        for roll, found, _ in once
        for die in roll["faces"]
        if die["die"] in roll.get("untouched", ())
    ]
    return sum(stayed), len(stayed)


def _is_here(die: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
    left, top, width, height = die["box"]
    x, y = (seen["box"][side] + seen["box"][side + 2] / 2 for side in (0, 1))
    is_alike = (die["kind"], die["face"]) == (seen["kind"], seen["face"])
    return is_alike and left <= x <= left + width and top <= y <= top + height


def _times(once: Sequence[Once]) -> Figures:
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
