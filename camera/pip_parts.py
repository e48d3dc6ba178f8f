"""Connected parts of a picture that differ from their neighbourhood: what marks are made from.

Most of a plain ground is empty, and where the empty tray is known only what has changed is looked
at: both are left out before parts are connected, which takes the longest.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.pip_changes import MOST_KEPT, Changes, Strip

Pixels = npt.NDArray[Any]  # uint8; cv2's own annotations allow no more
Floats = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]

BLOCK_PX = 27  # neighbourhood of one octave: two and a half of its largest pips
SPECK = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
LEAST_STEPS = np.array([[7.0]])  # brightness by which a mark differs at least; as OpenCV takes it
LARGE = 200_000  # pixels of a level from which empty rows and columns are left out
BLOCK = 8  # columns that are left out together: a row of them is one number
MANY_SPECKS = 0.3  # share below which specks are too many to look at each


@dataclass(frozen=True)
class Names:
    """Which mark each pixel of a level belongs to; 0 for none.

    rows, columns  where in `names` each row and column of the level is; None where it shows all.
                   Most of a plain ground is empty: a large map without that takes a fraction of
                   the time.
    strip          whose pieces `names` shows, if it does; they are laid back when asked for.
    """

    names: Pixels
    rows: Floats | None = None
    columns: Floats | None = None
    strip: Strip | None = None

    @cached_property
    def _whole(self) -> Pixels:
        return self.names if self.strip is None else self.strip.laid_back(self.names)

    def look_up(self, column: Floats, row: Floats) -> Pixels:
        """Give the names (N, W, W) in windows of the level of these columns and rows (N, W)."""
        if self.rows is not None and self.columns is not None:
            row, column = self.rows.take(row), self.columns.take(column)
        places = (row * np.int32(self._whole.shape[1]))[:, :, None] + column[:, None]
        return np.asarray(self._whole.take(places))


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is looked through for marks on a level, and where they may lie: a strip, or all.

    mean   around each pixel.
    beyond  by how much each pixel is darker than that, and by how much lighter.
    """

    mean: Pixels
    beyond: tuple[Pixels, Pixels]
    where: Pixels | None = None
    strip: Strip | None = None


def sheet_of(level: Pixels, number: int, changes: Changes | None) -> Sheet:
    """Lay out what has changed of a level; all of it where the empty tray is not known."""
    strip = None if changes is None else changes.strip(number, level.shape)
    if changes is None or strip is None:
        where = None if changes is None else changes.on_level(number, level.shape)
        mean = np.asarray(cv2.blur(level, (BLOCK_PX, BLOCK_PX)))
    else:
        mean, where = strip.cut_mean(level, BLOCK_PX), changes.on_strip(strip)
        level = strip.cut(level)
    beyond = np.asarray(cv2.subtract(mean, level)), np.asarray(cv2.subtract(level, mean))
    return Sheet(mean, beyond, where, strip)


@dataclass(frozen=True, slots=True)
class Parts:
    """Connected parts of one level, sign and share: OpenCV's statistics (N, 5), centres (N, 2)."""

    stats: Pixels
    centres: Floats
    map: Names
    number: int
    sign: int
    share: float


def level_parts(sheet: Sheet, number: int, share: float, fine: bool) -> list[Parts]:
    """Find what differs from its neighbourhood by a share of its mean, dark, then light.

    number  of the level.
    fine    whether to part what touches at a corner only.
    """
    least = cv2.max(cv2.convertScaleAbs(sheet.mean, alpha=share), LEAST_STEPS)
    found = []
    for sign, beyond in zip((1, -1), sheet.beyond, strict=True):
        raised = np.asarray(cv2.compare(beyond, least, cv2.CMP_GT))
        if number == 0 and share < MANY_SPECKS:
            raised = np.asarray(cv2.morphologyEx(raised, cv2.MORPH_OPEN, SPECK))
        found.append(Parts(*_connected(sheet, raised, fine), number, sign, share))
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
    kept, part, where = _kept(sheet, raised), raised, sheet.where
    if kept:
        part = kept.cut(part)
        where = None if where is None else kept.cut(where)
    if fine:
        _part(part)
    if where is not None:
        part = np.asarray(cv2.bitwise_and(part, where))
    names, stats, centres = _numbered(part)
    corners, found = stats[:, 0:2], Names(names)
    if sheet.strip is not None:
        ways, found = sheet.strip.ways_back(corners), Names(names, strip=sheet.strip)
    elif kept:
        ways, found = kept.ways_back(corners), kept.names(names)
    else:
        return stats, centres, found
    corners += ways.astype(corners.dtype)
    return stats, centres + ways, found


def _numbered(part: Pixels) -> tuple[Pixels, Pixels, Floats]:
    """Number connected parts: the map of their numbers, their statistics and centres."""
    try:
        found = cv2.connectedComponentsWithStats(part, connectivity=8, ltype=cv2.CV_16U)
    except cv2.error:  # more parts than 16 bits can number: noise
        found = cv2.connectedComponentsWithStats(part, connectivity=8, ltype=cv2.CV_32S)
    _, names, stats, centres = map(np.asarray, found)
    return names, stats, centres


class _Kept(NamedTuple):
    """Rows of a map, and blocks of its columns, in which anything is raised, and one beside each.

    rows, blocks  which; what follows a run of them is empty.
    shape         height and width of the map.
    """

    rows: Floats
    blocks: Floats
    shape: tuple[int, ...]

    def cut(self, picture: Pixels) -> Pixels:
        """Lay what is kept of a picture as large as the map side by side."""
        kept = _in_blocks(picture).take(self.rows, axis=0).take(self.blocks, axis=1)
        return kept.view(np.uint8)

    def ways_back(self, places: Floats) -> Floats:
        """Give the ways (N, 2) from columns and rows (N, 2) of what was cut to those of the map."""
        column, row = places.T
        left = self.blocks[column // BLOCK] * BLOCK + column % BLOCK
        return np.stack([left, self.rows[row]], axis=1) - places

    def names(self, names: Pixels) -> Names:
        """Make a map of names for all rows and columns: an empty one stands for what was left."""
        height, width = self.shape
        block = _places(self.blocks, -(-width // BLOCK))[:, None] * np.int32(BLOCK)
        columns = (block + np.arange(BLOCK, dtype=np.int32)).ravel()
        return Names(names, _places(self.rows, height), columns)


def _kept(sheet: Sheet, raised: Pixels) -> _Kept | None:
    """Say what is kept of a map of raised pixels; None where to leave the rest saves no time."""
    if sheet.strip is not None or raised.size <= LARGE:
        return None
    allowed = raised if sheet.where is None else np.asarray(cv2.bitwise_and(raised, sheet.where))
    full = _in_blocks(allowed) != 0
    rows, blocks = _used(full.any(axis=1)), _used(full.any(axis=0))
    is_less = len(rows) * len(blocks) <= MOST_KEPT * full.size
    return _Kept(rows, blocks, raised.shape) if is_less else None


def _in_blocks(picture: Pixels) -> Pixels:
    """See a picture as blocks of eight pixels beside each other, a number each."""
    spare = -picture.shape[1] % BLOCK
    if spare:
        edges = 0, 0, 0, spare
        picture = np.asarray(cv2.copyMakeBorder(picture, *edges, cv2.BORDER_CONSTANT))
    return np.ascontiguousarray(picture).view(np.uint64)


def _used(full: Bools) -> Floats:
    """Number the first line, those in which anything is raised, and the next one of each."""
    near = full.copy()
    near[1:] |= full[:-1]
    near[0] = True
    return np.flatnonzero(near)


def _places(kept: Floats, length: int) -> Floats:
    """Give where each of so many lines is among those that were kept; an empty one for others."""
    is_kept = np.zeros(length, np.int32)
    is_kept[kept] = 1
    return np.asarray(is_kept.cumsum(dtype=np.int32) - 1)
