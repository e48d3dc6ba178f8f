"""How well pip dice are read in labelled photographs, beside what a tutorial's reader makes.

`labels.csv` in the folder names each picture (`path`) and what lies there (`faces`, blank
separated). A picture's first folder is its group; every figure, also how often readings are right
by their certainty, is given for each group, for `all` of them, and for `unseen`: the half, by a
hash of the path, that nothing was trained or tuned on. Intervals hold 95 %, after Wilson.
"""

import csv
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from camera.bench_shares import Figures, interval_95, reliability, share_figures
from camera.bench_speed import speed
from camera.pictures import load_picture
from camera.pip_beside import read_still
from camera.pip_blobs import Pixels
from camera.seek import Seeker
from companion.errors import ConfigError, PictureError
from companion.field_words import reason

FACES = frozenset("123456")
MORE = "cells beyond the columns"


@dataclass(frozen=True)
class Result:
    """What one reader made of one picture."""

    wanted: Counter[str]
    got: Counter[str]
    certainties: tuple[tuple[str, float], ...]
    accepted: bool
    ms: float

    @property
    def exact(self) -> bool:
        """Whether the whole picture was right."""
        return self.wanted == self.got


def bench_photos(
    folder: Path, progress: Callable[[int, int], None] | None = None, tables: int = 12
) -> Figures:
    """Read all labelled photographs in a folder; give flat figures with units in their keys.

    progress  called with (pictures done, pictures in all).
    tables    how many made-up ones time and memory are measured on.
    Raises ConfigError when there are no labels, PictureError when a labelled picture is missing.
    """
    labels = labels_in(folder)
    ours: dict[str, list[Result]] = {}
    tutorial: dict[str, list[Result]] = {}
    readers = ((ours, partial(_read, Seeker())), (tutorial, read_like_a_tutorial))
    for done, (path, faces) in enumerate(labels, start=1):
        pixels = load_picture(folder / path)
        for groups, read in readers:
            result = _timed(read, pixels, faces)
            for group in _groups(path):
                groups.setdefault(group, []).append(result)
        if progress is not None:
            progress(done, len(labels))
    figures: Figures = {}
    for group, results in ours.items():
        judged = (reading for result in results for reading in _judged(result))
        own = _figures(results) | reliability(judged)
        figures |= {f"{group}_{key}": value for key, value in own.items()}
        for key, value in _figures(tutorial[group]).items():
            if key in ("exact_rolls_share", "dice_precision", "dice_recall", "median_ms"):
                figures[f"baseline_{group}_{key}"] = value
    return figures | speed(read_like_a_tutorial, tables)


def is_tuned_on(path: str) -> bool:
    """Tell whether weights and certainties may be learnt from a photograph of this path."""
    return bool(zlib.crc32(path.encode()) & 1)


def _groups(path: str) -> list[str]:
    own = path.split("/")[0] if "/" in path else "photos"
    return [own, "all"] if is_tuned_on(path) else [own, "all", "unseen", f"unseen_{own}"]


def labels_in(folder: Path) -> list[tuple[str, Counter[str]]]:
    """Read the labels of a folder: paths, and how often each face lies there.

    Raises ConfigError when there are none or bad ones, PictureError when a labelled picture is
    missing.
    """
    listing = folder / "labels.csv"
    rows = _rows(listing)
    if not rows or not {"path", "faces"} <= rows[0][1].keys():
        raise ConfigError(f"{listing}: expected columns path and faces, and a line a picture")
    labels = [(row["path"], _faces(row, f"{listing} line {line}")) for line, row in rows]
    missing = [path for path, _ in labels if not (folder / path).is_file()]
    if missing:
        raise PictureError(f"{folder / missing[0]}: in labels.csv, but there is no such picture")
    return labels


def _rows(listing: Path) -> list[tuple[int, dict[str, str]]]:
    """Rows of a listing with the numbers of their lines; cells that a line lacks are empty."""
    try:
        with listing.open(newline="", encoding="utf-8-sig") as lines:
            reader = csv.DictReader(lines, restkey=MORE, restval="")
            return [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(
            f"{listing}: expected the labels of the photographs, got {reason(error)}; write a line "
            "path,faces first, and then one a picture, such as table/1.jpg,2 3 5"
        ) from error


def _faces(row: Mapping[str, str], place: str) -> Counter[str]:
    """How often each face lies there; one that no die has would be held against every reader."""
    faces = row["faces"].split()
    strange = [face for face in faces if face not in FACES]
    if [*row][-2:] == ["faces", MORE]:  # with commas between them they are cells of their own
        strange = [",".join([row["faces"], *row[MORE]])]
    if strange:
        raise ConfigError(
            f"{place}: expected faces from 1 to 6 with blanks between them, got {strange[0]!r}; "
            f"write such as {row['path']},2 3 5"
        )
    return Counter(faces)


Reader = Callable[[Pixels], tuple[list[tuple[str, float]], bool]]


def _timed(read: Reader, pixels: Pixels, wanted: Counter[str]) -> Result:
    begin = time.perf_counter()
    dice, accepted = read(pixels)
    ms = (time.perf_counter() - begin) * 1000
    return Result(wanted, Counter(face for face, _ in dice), tuple(dice), accepted, ms)


def _read(seeker: Seeker, pixels: Pixels) -> tuple[list[tuple[str, float]], bool]:
    look = read_still(pixels, seeker)
    return [(str(die.face), die.certainty) for die in look.readings], look.accepted


def _figures(results: list[Result]) -> Figures:
    hits = sum((result.wanted & result.got).total() for result in results)
    accepted = [result for result in results if result.accepted]
    wrong = sum(not result.exact for result in accepted)
    times = [result.ms for result in results]
    return {
        "pictures": len(results),
        **share_figures("exact_rolls", sum(result.exact for result in results), len(results)),
        "dice_precision": _share(hits, sum(result.got.total() for result in results)),
        "dice_recall": _share(hits, sum(result.wanted.total() for result in results)),
        **share_figures("accepted", len(accepted), len(results)),
        "accepted_rolls": len(accepted),
        "certain_but_wrong_rolls": wrong,
        "certain_but_wrong_share": _share(wrong, len(accepted)),
        "certain_but_wrong_high95_share": interval_95(wrong, len(accepted))[1],
        "median_ms": round(float(np.median(times)), 2),
        "p99_ms": round(float(np.percentile(times, 99)), 2),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _judged(result: Result) -> Iterator[tuple[float, bool]]:
    """Certainties and whether each was right: a face is as often as the label has it left."""
    left = result.wanted.copy()
    for face, certainty in sorted(result.certainties, key=lambda reading: -reading[1]):
        right = left[face] > 0
        left[face] -= right
        yield certainty, right


def read_like_a_tutorial(pixels: Pixels) -> tuple[list[tuple[str, float]], bool]:
    """Read dice as tutorials do: dark round blobs, those near each other are one die.

    The yardstick: OpenCV's SimpleBlobDetector with the usual settings, and density clustering
    (DBSCAN with one point a core, so plain chains of near points) at 40 px.
    """
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia = True
    settings.minInertiaRatio = 0.6
    blobs = cv2.SimpleBlobDetector.create(settings).detect(cv2.medianBlur(pixels, 7))
    at = np.array([blob.pt for blob in blobs]).reshape(-1, 2)
    near = np.linalg.norm(at[:, None] - at[None], axis=2) < 40
    groups = np.arange(len(at))
    for _ in range(len(at)):
        joined = np.array([groups[row].min() for row in near], dtype=groups.dtype)
        if (joined == groups).all():
            break
        groups = joined
    return [(str(count), 1.0) for count in Counter(groups.tolist()).values()], True
