"""How well symbol dice are read that were taught from a folder of labelled pictures.

The folder holds `enrol/KIND/FACE/*.jpg` with one die each (and `enrol/labels.csv` with the set-ups
that they were taken in), `labels.csv` with what lies in other pictures (`path`, `dice` as
`kind:face:x:y:w:h;...`, `light`, `tray`, `angle`), and perhaps `clips/*/clip.json`. The face of a
die that leans is `cocked`. Where `empty/labels.csv` names pictures of trays without dice, the
reader is shown that of the same set-up: a reader at a table has one; so it is for clips, see
camera/bench_empty.py. Pictures of one set-up, which is one tray, light and angle, always stay in
the same half of a split. Every figure is given for `all`, for the set-ups of the enrolment and
those `elsewhere`, and for each tray, light and angle. Intervals hold 95 %, after Wilson.
"""

import csv
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from camera.bench_clips import bench_clips
from camera.bench_naive import NaiveReader
from camera.bench_shares import Figures, reliability, share_figures
from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.enrol_dice import Teacher, learn_dice, pictures_below, tell_apart
from camera.pictures import load_picture
from camera.source import use_one_core
from camera.stills import StillReader
from companion.errors import ConfigError, PictureError
from companion.field_words import reason

Box = tuple[int, int, int, int]
Item = TypeVar("Item")
Progress = Callable[[int, int], None]
COLUMNS = frozenset(("path", "dice", "light", "tray", "angle"))
PARTS = ("all", "even", "odd")
SAME = 0.3  # share of two boxes that overlaps, from which they are about the same die


class Die(NamedTuple):
    """A die that lies in a picture: kind, face or `cocked`, box in pixels."""

    kind: str
    face: str
    box: Box


class Labelled(NamedTuple):
    """One labelled picture and the set-up that it was taken in."""

    path: str
    dice: tuple[Die, ...]
    tray: str
    light: str
    angle: str

    @property
    def setup(self) -> str:
        """Tray, light and angle."""
        return f"{self.tray} {self.light} {self.angle}"


class Verdict(NamedTuple):
    """What became of one reading, or of a die without any (certainty 0, `got` False).

    right     kind and face are those of the die that lies there.
    is_sure   the reading was given without a doubt.
    cocked    whether the die leans.
    """

    got: bool
    right: bool
    is_sure: bool
    certainty: float
    cocked: bool
    lies: bool


class Outcome(NamedTuple):
    """What a reader made of one picture."""

    verdicts: tuple[Verdict, ...]
    accepted: bool
    ms: float

    @property
    def exact(self) -> bool:
        """Whether every die was right, and nothing else was taken for one."""
        return all(verdict.right for verdict in self.verdicts)

    @property
    def has_all(self) -> bool:
        """Whether as many dice were read as lie there, which is what a referee can check."""
        got = sum(verdict.got for verdict in self.verdicts)
        return got == sum(verdict.lies for verdict in self.verdicts)

    @property
    def certain_but_wrong(self) -> bool:
        """Whether something wrong would be taken without a question.

        That is a wrong reading without a doubt, even where another die is asked about, or
        anything that is wrong in an accepted picture, such as a die that nobody saw.
        """
        slipped = any(verdict.is_sure and not verdict.right for verdict in self.verdicts)
        return slipped or (self.accepted and not self.exact)


class Seen(NamedTuple):
    """One reading: kind, face, certainty, box, and whether it comes without a doubt."""

    kind: str
    face: str
    certainty: float
    box: Box
    is_sure: bool


Reader = Callable[[Pixels], tuple[list[Seen], bool]]
WithEmpty = Callable[[Pixels, Pixels | None], tuple[list[Seen], bool]]


def bench_dice(folder: Path, part: str = "all", progress: Progress | None = None) -> Figures:
    """Enrol from a folder, read its pictures, watch its clips; give flat figures.

    part      `even` or `odd` for one half of the set-ups, `all` for every one.
    progress  called with (steps done, steps in all).
    Raises ConfigError when there is nothing to learn or no label, PictureError for a missing one.
    """
    use_one_core()
    labelled = [one for one in labels_in(folder) if is_in(part, one.setup)]
    learnt = pictures_below(folder / "enrol")
    clips = [
        clip
        for clip in sorted((folder / "clips").glob("*/clip.json"))
        if is_in(part, clip.parent.name)
    ]
    count = Counted(progress, len(learnt) + len(labelled) + len(clips))
    teacher = Teacher()
    looks = learn_dice(folder / "enrol", teacher, count.over(learnt))
    known = enrolled_setups(folder)
    ours, naive, empty = _reader_of(looks), NaiveReader(looks), empty_trays(folder)
    results: dict[str, list[Outcome]] = {}
    yardstick: list[Outcome] = []
    for one in count.over(labelled):
        pixels = load_picture(folder / one.path)
        bare = load_picture(empty[one.setup]) if one.setup in empty else None
        outcome = judged(partial(_beside, ours, bare), pixels, one.dice)
        for group in _groups(one, known):
            results.setdefault(group, []).append(outcome)
        yardstick.append(judged(lambda p: (_seen_naively(naive, p), True), pixels, one.dice))
    figures = _learnt_figures(looks, teacher)
    figures["pictures_with_empty_tray"] = sum(one.setup in empty for one in labelled)
    for group, outcomes in results.items():
        figures |= {f"{group}_{key}": value for key, value in figures_of(outcomes).items()}
    figures |= reliability(_claims(results.get("all", [])))
    figures |= _baseline(yardstick)
    return figures | bench_clips(count.over(clips), looks, empty)


class Counted:
    """Counts steps over several loops, for one progress bar."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def over(self, items: Iterable[Item]) -> Iterator[Item]:
        """Hand on items, each counted when the next one is asked for."""
        for item in items:
            yield item
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)


def is_in(part: str, setup: str) -> bool:
    """Tell whether a set-up belongs to a half: by a hash, so that it always is the same one."""
    if part not in PARTS:
        raise ConfigError(f"--part: expected one of {', '.join(PARTS)}, got {part!r}")
    return part == "all" or zlib.crc32(setup.encode()) % 2 == PARTS[1:].index(part)


def labels_in(folder: Path) -> list[Labelled]:
    """Read the labels of a folder.

    Raises ConfigError for none or bad ones, PictureError when a labelled picture is missing.
    """
    rows = _rows(folder / "labels.csv")
    missing = [row["path"] for row in rows if not (folder / row["path"]).is_file()]
    if missing:
        raise PictureError(f"{folder / missing[0]}: in labels.csv, but there is no such picture")
    return [
        Labelled(row["path"], _dice(row, folder), row["tray"], row["light"], row["angle"])
        for row in rows
    ]


def enrolled_setups(folder: Path) -> set[str]:
    """The set-ups that the enrolment pictures were taken in; none where no labels tell."""
    listing = folder / "enrol" / "labels.csv"
    if not listing.is_file():
        return set()
    return {f"{row['tray']} {row['light']} {row['angle']}" for row in _rows(listing)}


def empty_trays(folder: Path) -> dict[str, Path]:
    """Set-up -> picture of its tray without dice; none where no labels tell."""
    listing = folder / "empty" / "labels.csv"
    if not listing.is_file():
        return {}
    return {f"{r['tray']} {r['light']} {r['angle']}": folder / r["path"] for r in _rows(listing)}


def _rows(listing: Path) -> list[dict[str, str]]:
    try:
        with listing.open(newline="", encoding="utf-8-sig") as lines:
            rows = [
                {key: value or "" for key, value in row.items()} for row in csv.DictReader(lines)
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(
            f"{listing}: expected the labels of the pictures, got {reason(error)}; write a line "
            f"{','.join(sorted(COLUMNS))} first, and then one a picture"
        ) from error
    if not rows or not rows[0].keys() >= COLUMNS:
        raise ConfigError(
            f"{listing}: expected columns {', '.join(sorted(COLUMNS))}, a line a picture"
        )
    return rows


def _dice(row: Mapping[str, str], folder: Path) -> tuple[Die, ...]:
    dice = []
    for told in filter(None, row["dice"].split(";")):
        kind, face, *box = told.split(":")
        try:
            x, y, width, height = (int(number) for number in box)
        except ValueError:
            raise ConfigError(
                f"{folder / 'labels.csv'} {row['path']}: expected dice as kind:face:x:y:w:h, "
                f"got {told!r}"
            ) from None
        dice.append(Die(kind, face, (x, y, width, height)))
    return tuple(dice)


def _beside(read: WithEmpty, empty: Pixels | None, pixels: Pixels) -> tuple[list[Seen], bool]:
    return read(pixels, empty if empty is not None and empty.shape == pixels.shape else None)


def _reader_of(looks: DiceLooks) -> WithEmpty:
    reader = StillReader(looks)

    def read(pixels: Pixels, empty: Pixels | None) -> tuple[list[Seen], bool]:
        look = reader.read(pixels, empty=empty)
        seen = [Seen(r.kind, r.face, r.certainty, r.box, not r.doubt) for r in look.readings]
        return seen, look.accepted

    return read


def _seen_naively(reader: NaiveReader, pixels: Pixels) -> list[Seen]:
    return [Seen(kind, face, 1.0, box, True) for kind, face, box in reader.read(pixels)]


def judged(read: Reader, pixels: Pixels, dice: Sequence[Die]) -> Outcome:
    """Read a picture and compare with what lies there."""
    begin = time.perf_counter()
    seen, accepted = read(pixels)
    ms = (time.perf_counter() - begin) * 1000
    pairs = paired([die.box for die in dice], [one.box for one in seen])
    verdicts = [
        _verdict(die, seen[pairs[number]] if number in pairs else None)
        for number, die in enumerate(dice)
    ]
    taken = set(pairs.values())
    for number, one in enumerate(seen):
        if number not in taken:
            verdicts.append(Verdict(True, False, one.is_sure, one.certainty, False, False))
    return Outcome(tuple(verdicts), accepted, ms)


def _verdict(die: Die, seen: Seen | None) -> Verdict:
    cocked = die.face == "cocked"
    if seen is None:
        return Verdict(False, False, False, 0.0, cocked, True)
    right = (seen.kind, seen.face) == (die.kind, die.face)
    return Verdict(True, right, seen.is_sure, seen.certainty, cocked, True)


def paired(wanted: Sequence[Box], got: Sequence[Box]) -> dict[int, int]:
    """Which boxes are about the same die: those that overlap most first."""
    overlaps = sorted(
        (
            (overlap(one, other), n, k)
            for n, one in enumerate(wanted)
            for k, other in enumerate(got)
        ),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for share, number, found in overlaps:
        if share >= SAME and number not in pairs and found not in pairs.values():
            pairs[number] = found
    return pairs


def overlap(one: Box, other: Box) -> float:
    """Which share of the area of two boxes both cover."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    both = max(0, width) * max(0, height)
    return both / max(1, one[2] * one[3] + other[2] * other[3] - both)


def _groups(one: Labelled, enrolled: set[str]) -> list[str]:
    place = [] if not enrolled else ["enrolment" if one.setup in enrolled else "elsewhere"]
    return ["all", *place, f"tray_{one.tray}", f"light_{one.light}", f"angle_{one.angle}"]


def figures_of(outcomes: Sequence[Outcome]) -> Figures:
    """How good readings are, as flat figures."""
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    lying = [verdict for verdict in verdicts if verdict.lies]
    read = [verdict for verdict in verdicts if verdict.got]
    accepted = [outcome for outcome in outcomes if outcome.accepted]
    counted = [outcome for outcome in accepted if outcome.has_all]
    cocked = [verdict for verdict in lying if verdict.cocked]
    times = [outcome.ms for outcome in outcomes]
    wrong = sum(verdict.is_sure and not verdict.right for verdict in read)
    wrong_rolls = sum(outcome.certain_but_wrong for outcome in outcomes)
    return {
        "pictures": len(outcomes),
        "dice": len(lying),
        **share_figures("exact_rolls", sum(outcome.exact for outcome in outcomes), len(outcomes)),
        **share_figures("dice_recall", sum(verdict.right for verdict in lying), len(lying)),
        **share_figures("dice_precision", sum(verdict.right for verdict in read), len(read)),
        **share_figures("accepted", len(accepted), len(outcomes)),
        "accepted_wrong_rolls": sum(not outcome.exact for outcome in accepted),
        **share_figures("accepted_with_count", len(counted), len(outcomes)),
        "accepted_with_count_wrong_rolls": sum(not outcome.exact for outcome in counted),
        # what is taken for dice and is none counts, too: a bad reader may have more than lie there
        **share_figures("certain_but_wrong_dice", min(wrong, len(lying)), len(lying)),
        "certain_but_wrong_rolls": wrong_rolls,
        **share_figures("certain_but_wrong_rolls", wrong_rolls, len(outcomes)),
        "cocked_dice": len(cocked),
        "cocked_dice_refused": sum(not verdict.is_sure for verdict in cocked),
        "median_ms": round(float(np.median(times)), 2),
        "p99_ms": round(float(np.percentile(times, 99)), 2),
    }  # fmt: skip


def _claims(outcomes: Iterable[Outcome]) -> Iterator[tuple[float, bool]]:
    """Certainties and whether each was right; a die that was read as cocked claims no face."""
    for verdict in (verdict for outcome in outcomes for verdict in outcome.verdicts):
        if verdict.got and not (verdict.cocked and verdict.right):
            yield verdict.certainty, verdict.right


def _learnt_figures(looks: DiceLooks, teacher: Teacher) -> Figures:
    apart = tell_apart(looks)
    return {
        "learnt_pictures": apart.patches,
        "learnt_pictures_left_out": len(teacher.skipped),
        "learnt_right_without_itself_share": round(apart.right / max(1, apart.patches), 4),
    }


def _baseline(outcomes: Sequence[Outcome]) -> Figures:
    wanted = ("exact_rolls_share", "dice_recall_share", "dice_precision_share", "median_ms")
    found = figures_of(outcomes) if outcomes else {}
    return {f"baseline_all_{key}": value for key, value in found.items() if key in wanted}
