"""Connected parts of a picture that differ from their neighbourhood: what marks are made from.

Most of a plain ground is empty, and where the empty tray is known only what has changed is looked
at: both are left out before parts are connected, which takes the longest.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from camera.pip_changes import MOST_KEPT, Changes, Strip

Pixels = npt.NDArray[Any]  # uint8; cv2's own annotations allow no more
Floats = npt.NDArray[Any]

BLOCK_PX = 27  # neighbourhood of one octave: two and a half of its largest pips
SPECK = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
LEAST_STEPS = np.array([[7.0]])  # brightness by which a mark differs at least; as OpenCV takes it
LARGE = 200_000  # pixels of a level from which empty rows and columns are left out
MANY_SPECKS = 0.3  # share below which specks are too many to look at each


@dataclass(frozen=True, slots=True)
class Names:
    """Which mark each pixel of a level belongs to; 0 for none.

    rows, columns  where in `names` each row and column of the level is; None where it shows all.
                   Most of a plain ground is empty: a large map without that takes a fraction of
                   the time.
    """

    names: Pixels
    rows: Floats | None = None
    columns: Floats | None = None

    def look_up(self, column: Floats, row: Floats) -> Pixels:
        """Give the names of pixels of the level."""
        if self.rows is not None and self.columns is not None:
            row, column = self.rows.take(row), self.columns.take(column)
        return np.asarray(self.names.take(row * self.names.shape[1] + column))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A level, the mean around each of its pixels, and where marks may lie: a strip, or all."""

    level: Pixels
    mean: Pixels
    where: Pixels | None = None
    strip: Strip | None = None


def sheet_of(level: Pixels, number: int, changes: Changes | None) -> Sheet:
    """Lay out what has changed of a level; all of it where the empty tray is not known."""
    strip = None if changes is None else changes.strip(number, level.shape)
    if changes is None or strip is None:
        where = None if changes is None else changes.on_level(number, level.shape)
        return Sheet(level, np.asarray(cv2.blur(level, (BLOCK_PX, BLOCK_PX))), where)
    mean = strip.cut_mean(level, BLOCK_PX)
    return Sheet(strip.cut(level), mean, changes.on_strip(strip), strip)


@dataclass(frozen=True, slots=True)
class Parts:
    """Connected parts of one level and sign: OpenCV's (N, 5) statistics and (N, 2) centres."""

    stats: Pixels
    centres: Floats
    map: Names
    number: int
    sign: int


def level_parts(sheet: Sheet, number: int, share: float, fine: bool) -> list[Parts]:
    """Find what differs from its neighbourhood by a share of its mean, dark, then light.

    number  of the level.
    fine    whether to part what touches at a corner only.
    """
    level, mean = sheet.level, sheet.mean
    least = cv2.max(cv2.convertScaleAbs(mean, alpha=share), LEAST_STEPS)
    found = []
    for sign in (1, -1):
        beyond = cv2.subtract(mean, level) if sign > 0 else cv2.subtract(level, mean)
        raised = np.asarray(cv2.compare(beyond, least, cv2.CMP_GT, dst=beyond))
        if number == 0 and share < MANY_SPECKS:
            raised = np.asarray(cv2.morphologyEx(raised, cv2.MORPH_OPEN, SPECK))
        found.append(Parts(*_connected(sheet, raised, fine), number, sign))
    return found


def _part(raised: Pixels) -> None:
    """Clear pixels by which marks touch at a corner only: sooner done than to join by edges."""
    for here, beside, below, across in (
        (raised[:-1, :-1], raised[:-1, 1:], raised[1:, :-1], raised[1:, 1:]),
        (raised[:-1, 1:], raised[:-1, :-1], raised[1:, 1:], raised[1:, :-1]),
    ):
        corner = cv2.subtract(across, cv2.bitwise_or(beside, below))
        cv2.subtract(here, corner, dst=here)


def _connected(sheet: Sheet, raised: Pixels, fine: bool) -> tuple[Pixels, Floats, Names]:
    """Find connected parts on a map of raised pixels: their statistics, centres and names."""
    lines, part, where = _lines(sheet, raised), raised, sheet.where
    if lines:
        part = part[lines[0]].take(lines[1], axis=1)
        where = None if where is None else where[lines[0]].take(lines[1], axis=1)
    if fine:
        _part(part)
    if where is not None:
        part = np.asarray(cv2.bitwise_and(part, where))
    _, names, stats, centres = map(
        np.asarray, cv2.connectedComponentsWithStats(part, connectivity=8, ltype=cv2.CV_16U)
    )
    corners, found = stats[:, 0:2], Names(names)
    if sheet.strip is not None:
        ways, found = sheet.strip.ways_back(corners), Names(sheet.strip.laid_back(names))
    elif lines:
        rows, columns = lines
        ways = np.stack([columns[corners[:, 0]], rows[corners[:, 1]]], axis=1) - corners
        found = Names(names, *map(_places, lines, raised.shape))
    else:
        return stats, centres, found
    corners += ways.astype(corners.dtype)
    return stats, centres + ways, found


def _lines(sheet: Sheet, raised: Pixels) -> tuple[Floats, Floats] | None:
    """Give the rows and columns in which anything is raised; None where that saves no time."""
    if sheet.strip is not None or raised.size <= LARGE:
        return None
    allowed = raised if sheet.where is None else np.asarray(cv2.bitwise_and(raised, sheet.where))
    rows, columns = _used(allowed, 1), _used(allowed, 0)
    return (rows, columns) if len(rows) * len(columns) <= MOST_KEPT * raised.size else None


def _used(raised: Pixels, axis: int) -> Floats:
    """Number the rows (axis 1) or columns (0) in which pixels are raised, and those beside them."""
    full = raised.max(axis=axis) > 0
    near = full.copy()
    near[1:] |= full[:-1]
    near[:-1] |= full[1:]
    near[0] |= not near.any()
    return np.flatnonzero(near)


def _places(kept: Floats, length: int) -> Floats:
    """Give where each of so many lines is among those that were kept; a blank one for others."""
    is_kept = np.zeros(length, np.intp)
    is_kept[kept] = 1
    return np.asarray(np.minimum(np.cumsum(is_kept) - is_kept, len(kept) - 1))
