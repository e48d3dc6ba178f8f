"""When the pictures of a folder, or the frames of a clip, were taken.

Three places are looked into, the first that tells counts for all pictures: a file `times.csv` in
the folder with a line `NAME,SECONDS` for each picture; names that are times themselves, in seconds
with a point, such as `12.345.png`; else a rate that was told. What the disk says of files is of no
use: copying changes it.

A clip has one rate; a recording of a camera that has another repeats frames, or leaves some out. So
a file `CLIP.times.csv` beside it may name the frames that a camera saw, and when: NUMBER,SECONDS.
"""

import csv
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.errors import PictureError
from companion.field_words import reason
from companion.words import say

TIMES_FILE = "times.csv"
NUMBERS = re.compile(r"(\d+)")
IS_TIME = re.compile(r"\d+\.\d+")


def times_of(pictures: Sequence[Path], per_s: float) -> list[float]:
    """Capture times in seconds, from 0 on, one for each picture; they must be in order.

    per_s  pictures a second, where nothing else tells. Raises PictureError for times that are
           missing, are no numbers, or do not grow.
    """
    if not pictures:
        return []
    listed = pictures[0].parent / TIMES_FILE
    if listed.is_file():
        told = _listed(listed)
        found = [_time_in(told, path.name, listed) for path in pictures]
    elif all(IS_TIME.fullmatch(path.stem) for path in pictures):
        found = [float(path.stem) for path in pictures]
    else:
        return [number / per_s for number in range(len(pictures))]
    for before, after, path in zip(found, found[1:], pictures[1:], strict=False):
        if not after > before:
            raise PictureError(
                say(
                    "{path}: expected a time after {before} s, that of the picture before, got "
                    "{after} s; name pictures in the order in which they were taken",
                    path=path,
                    before=before,
                    after=after,
                )
            )
    return [at_s - found[0] for at_s in found]


def times_beside(clip: Path) -> dict[int, float] | None:
    """Capture times in seconds of those frames of a clip that a camera saw, by their numbers.

    The first is number 0. None where no file tells them; PictureError for one that is damaged.
    """
    listed = times_file(clip)
    if not listed.is_file():
        return None
    told = _listed(listed)
    found = {int(name): _time_in(told, name, listed) for name in told if name.isdecimal()}
    times_s = list(found.values())
    if not found or sorted(found) != list(found) or sorted(set(times_s)) != times_s:
        raise PictureError(
            say(
                "{path}: expected lines NUMBER,SECONDS that grow, as `companion record` writes "
                "them; remove the file to play the clip at its own rate",
                path=listed,
            )
        )
    return found


def times_file(clip: Path) -> Path:
    """Where the times of a clip's frames lie."""
    return clip.with_name(f"{clip.name}.times.csv")


def write_times(clip: Path, times_s: Mapping[int, float]) -> None:
    """Write when frames of a clip were taken, from 0 on, for `times_beside`."""
    begin_s = min(times_s.values(), default=0.0)
    lines = [f"{number},{at_s - begin_s:.6f}\n" for number, at_s in times_s.items()]
    times_file(clip).write_text("".join(lines), encoding="utf-8")


def in_order(pictures: Sequence[Path]) -> list[Path]:
    """Pictures by their names, 2 before 10; those whose names are times, by these."""
    if all(IS_TIME.fullmatch(path.stem) for path in pictures):
        return sorted(pictures, key=lambda path: float(path.stem))
    return sorted(pictures, key=_with_numbers)


def _with_numbers(path: Path) -> tuple[list[int | str], str]:
    """A name in words and numbers, which stand by turns; and the name, where these are the same."""
    parts = NUMBERS.split(path.name)
    return [int(part) if part.isdecimal() else part for part in parts], path.name


def _listed(path: Path) -> dict[str, str]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            return {row[0].strip(): row[1].strip() for row in csv.reader(lines) if len(row) >= 2}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PictureError(
            say("{path}: expected lines NAME,SECONDS, got {why}", path=path, why=reason(error))
        ) from error


def _time_in(told: dict[str, str], name: str, path: Path) -> float:
    try:
        at_s = float(told[name])
    except (KeyError, ValueError):
        at_s = math.nan
    if not math.isfinite(at_s):
        raise PictureError(
            say(
                "{path}: expected a line {name},SECONDS, got {got!r}; add it, or remove the file "
                "to play the pictures at one rate",
                path=path,
                name=name,
                got=told.get(name, "none"),
            )
        )
    return at_s
