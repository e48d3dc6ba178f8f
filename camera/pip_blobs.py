"""Pips: small round marks on an even ground, dark on light or light on dark.

Theory of operation. A pip seen at a slant is an ellipse that is darker (or lighter) than the die
around it. Each octave of a pyramid looks for pips of 3 to 11 px across: pixels that stand out
from their neighbourhood's mean become connected marks; marks of a likely size whose surrounding
ring is even are measured again as ellipses (camera/pip_ellipses.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from camera.pip_changes import Changes
from camera.pip_parts import BLOCK_PX, Names, Parts, Sheet, level_parts, sheet_of

Pixels = npt.NDArray[Any]  # uint8; cv2's own annotations allow no more
Floats = npt.NDArray[Any]  # float64

COARSE, CLEAR, FULL = range(3)  # how closely a picture is looked at
SMALLEST_PX = 6  # area; below it an ellipse cannot be told from noise
LARGEST_PX = 150  # area; larger pips belong to the next octave
SHARES = (0.35, 0.11)  # of the mean that a mark differs: clear pips, and faint ones
FINEST_SIDE_PX = 24.0  # edge of a die whose pips are 4 px across
LEVELS_SEEN = 4  # of a pyramid, from small pips to bodies of dice of one size
MOST_MARKS = 120  # of one size and sign; carpet has thousands, dice stand out from it
RING = np.stack([f(np.arange(16) * np.pi / 8) for f in (np.cos, np.sin)], axis=1).astype(np.float32)


def find_marks(
    pyramid: "Pyramid", depth: int = FULL, side_px: float | None = None
) -> list["Marks"]:
    """Find what may be dark and light pips, 3 px across and larger.

    depth    COARSE finds large pips only, CLEAR small ones too where they stand out clearly, FULL
             everything. The less, the sooner done.
    side_px  edge of the dice, where it is known: levels are left out that are too coarse for
             anything of theirs. FULL looks at all of them.
    """
    first = SHARES[:depth] if depth < FULL else SHARES
    levels = range(len(pyramid.levels))
    if side_px is not None and depth < FULL:
        levels = levels[: finest_level(side_px) + LEVELS_SEEN]
    return _without_known(
        pyramid.marks(
            [
                (number, share, number == 0 and depth == FULL)
                for number in levels
                for share in (SHARES if number else first)
            ]
        )
    )


def finest_level(side_px: float) -> int:
    """Give the level on which pips of dice of this edge are still 4 px across and more."""
    return max(0, int(np.floor(np.log2(max(side_px, 1.0) / FINEST_SIDE_PX))))


def _without_known(found: list["Marks"]) -> list["Marks"]:
    """Drop marks that stand out by a small share of the ground where one by a large share lies."""
    first: dict[tuple[int, int], Marks] = {}
    kept = []
    for marks in found:
        known = first.setdefault((marks.number, marks.sign), marks)
        kept.append(marks if known is marks else marks.apart_from(known.at))
    return kept


class Pyramid:
    """A grey picture and its halves, quarters and so on, as long as a pip's surroundings fit in.

    levels   each half as large as the one before, uint8.
    changes  where pips may lie; None for everywhere.
    """

    def __init__(self, grey: Pixels, changes: Changes | None = None) -> None:
        self.changes = changes
        self._marks: dict[tuple[int, float, bool], list[Marks]] = {}
        self._sheets: dict[int, Sheet] = {}
        levels = [grey]
        while min(levels[-1].shape) >= 2 * BLOCK_PX:
            levels.append(np.asarray(cv2.pyrDown(levels[-1])))
        self.levels = levels
        self._pixels = np.concatenate([level.ravel() for level in levels])
        heights, widths = np.array([level.shape for level in levels], dtype=np.int32).T
        self._last_x, self._last_y, self._widths = widths - 1, heights - 1, widths
        self._starts = np.concatenate([[0], np.cumsum(heights * widths)[:-1]]).astype(np.int32)

    def marks(self, keys: list[tuple[int, float, bool]]) -> list["Marks"]:
        """Give the dark, then the light marks of each key; they are looked for once.

        keys  level, least share of the mean, and whether to part marks that touch at a corner
              only: for pips of a few pixels.
        """
        new = [key for key in keys if key not in self._marks]
        found = _ringed(
            self, _likely([part for key in new for part in level_parts(self.sheet(key[0]), *key)])
        )
        self._marks |= {key: found[2 * n : 2 * n + 2] for n, key in enumerate(new)}
        return [marks for key in keys for marks in self._marks[key]]

    def sheet(self, number: int) -> Sheet:
        """Give what is looked through for marks on a level."""
        if number not in self._sheets:
            self._sheets[number] = sheet_of(self.levels[number], number, self.changes)
        return self._sheets[number]

    def look_up(self, numbers: Floats, x: Floats, y: Floats) -> Floats:
        """Look up brightness at places x, y (N, P) on the levels of these numbers (N,)."""
        return self.brightness(numbers, *self.nearest(numbers, x, y))

    def nearest(self, numbers: Floats, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Give the columns and rows (N, P) nearest to places x, y on levels (N,)."""
        column, row = np.rint(x).astype(np.int32), np.rint(y).astype(np.int32)
        within(column, self._last_x[numbers, None])
        within(row, self._last_y[numbers, None])
        return column, row

    def brightness(self, numbers: Floats, column: Floats, row: Floats) -> Floats:
        """Give the brightness (N, P) of pixels on the levels of these numbers (N,)."""
        places = row * self._widths[numbers, None]
        places += column
        places += self._starts[numbers, None]
        return np.asarray(self._pixels.take(places), np.float32)


@dataclass(frozen=True, slots=True)
class Marks:
    """What could be pips on one level: dark marks have sign 1, light ones -1.

    rows  (N, 8) float32, a mark each: centre and half widths, px of the level; its name on the
          map; how much it stands out from an even ground, and from its ring, brightness steps;
          whether that ring is even enough for a pip.
    """

    rows: Floats
    number: int
    sign: int
    map: Names

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def at(self) -> Floats:
        """Centres (N, 2), px of the level."""
        return self.rows[:, 0:2]

    @property
    def radii(self) -> Floats:
        """Half widths (N, 2), px of the level."""
        return self.rows[:, 2:4]

    @property
    def clarity(self) -> Floats:
        """How much it stands out from an even ground (N,), brightness steps."""
        return self.rows[:, 5]

    @property
    def contrast(self) -> Floats:
        """How much it stands out from its ring (N,), brightness steps."""
        return self.rows[:, 6]

    @property
    def even(self) -> Floats:
        """Whether its ring is even enough for a pip (N,)."""
        return self.rows[:, 7] > 0

    def take(self, chosen: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "Marks":
        """Keep some rows."""
        return Marks(self.rows[chosen], self.number, self.sign, self.map)

    def places(self) -> Floats:
        """Give their centres (N, 2) in the picture, px."""
        return np.asarray((self.at.astype(float) + 0.5) * 2.0**self.number - 0.5)

    def sizes(self) -> Floats:
        """Give their larger half widths (N,) in the picture, px."""
        return np.asarray(self.radii.max(axis=1, initial=0) * 2.0**self.number)

    def apart_from(self, known: Floats) -> "Marks":
        """Drop marks that lie at places (M, 2) which are known."""
        if len(known) == 0 or len(self) == 0:
            return self
        return self.take(np.abs(self.at[:, None] - known).max(axis=2).min(axis=1) > 1.0)

    def covered(self, column: Floats, row: Floats) -> Floats:
        """Tell which pixels (N, P) of the level belong to other marks."""
        named = self.map.look_up(column, row)
        return np.asarray((named != 0) & (named != self.rows[:, 4:5].astype(named.dtype)))


def _likely(found: list[Parts]) -> list[Marks]:
    """Keep the parts of a likely size and form."""
    if not found:
        return []
    stats = np.concatenate([parts.stats for parts in found])
    each = np.array([len(parts.stats) for parts in found])
    firsts = np.cumsum(each) - each
    name = np.arange(len(stats)) - np.repeat(firsts, each)
    area = stats[:, 4]
    own = np.flatnonzero((area >= SMALLEST_PX) & (area <= LARGEST_PX) & (name > 0))
    width, height, area = stats[own, 2], stats[own, 3], area[own]
    own = own[(area > 0.42 * width * height) & (width <= 4 * height) & (height <= 4 * width)]
    rows = np.zeros((len(own), 8), np.float32)
    rows[:, 0:2] = np.concatenate([parts.centres for parts in found])[own]
    rows[:, 2:4] = stats[own, 2:4]
    rows[:, 2:4] /= 2
    rows[:, 4] = name[own]
    ends = np.searchsorted(own, [*firsts, len(stats)]).tolist()
    return [
        Marks(
            rows[first:end],
            parts.number,
            parts.sign,
            parts.map,
        )
        for parts, first, end in zip(found, ends, ends[1:], strict=False)
    ]


def _ringed(pyramid: Pyramid, found: list[Marks]) -> list[Marks]:
    """Look at the rings around marks; keep the clearest of each level, size and sign."""
    if not found:
        return []
    rows, number, sign = stacked(found)
    look = partial(pyramid.look_up, number)
    ground, spread = ring_of(look, rows[:, 0:2], rows[:, 2:4], sign)
    contrast = sign * (ground - look(rows[:, 0:1], rows[:, 1:2])[:, 0])
    even = contrast > np.maximum(14, 0.18 * np.maximum(ground, ground - sign * contrast))
    even &= spread < 0.35 * contrast
    rows[:, 5], rows[:, 6], rows[:, 7] = contrast - 2.5 * spread, contrast, even
    clearest = -rows[:, 5] - 999.0 * (rows[:, 7] > 0)  # those on even ground before the others
    each = [len(marks) for marks in found]
    order = np.lexsort((clearest, np.repeat(np.arange(len(found)), each)))
    rows, ends = rows[order], np.cumsum([0, *each]).tolist()
    return [
        Marks(rows[first : min(end, first + MOST_MARKS)], marks.number, marks.sign, marks.map)
        for marks, first, end in zip(found, ends, ends[1:], strict=False)
    ]


def stacked(found: list[Marks]) -> tuple[Floats, Floats, Floats]:
    """Give the rows of some marks as one table, with the level and the sign of each."""
    each = [len(marks) for marks in found]
    number = np.repeat([marks.number for marks in found], each)
    sign = np.repeat(np.array([marks.sign for marks in found], dtype=np.float32), each)
    return np.concatenate([marks.rows for marks in found]), number, sign


def look_up(level: Pixels, points: Floats) -> Floats:
    """Look up the brightness at points (..., 2), the nearest pixel inside the picture."""
    return _at(level, points[..., 0], points[..., 1])


def within(places: Floats, last: Floats | int) -> None:
    """Move whole numbers into 0 to `last`, in place; numpy's own clip takes four times as long."""
    np.maximum(places, 0, out=places)
    np.minimum(places, last, out=places)


def _at(level: Pixels, x: Floats, y: Floats) -> Floats:
    column, row = np.rint(x).astype(np.intp), np.rint(y).astype(np.intp)
    within(column, level.shape[1] - 1)
    within(row, level.shape[0] - 1)
    return level[row, column].astype(np.float32)


def ring_of(
    look: Callable[[Floats, Floats], Floats], centres: Floats, radii: Floats, sign: Floats | int
) -> tuple[Floats, Floats]:
    """Measure brightness and spread on an ellipse around each mark.

    look  gives the brightness at places x, y.

    Up to 40 % of a ring may lie on neighbouring pips or beyond the die's edge, which are darker
    than the die around dark pips: only the brighter part counts. Where the light falls off evenly
    over the die, the means of opposite places are alike though the places are not.
    """
    reach = radii * 1.25 + 1.0
    x, y = (centres[:, axis, None] + RING[:, axis] * reach[:, axis, None] for axis in (0, 1))
    around = look(x, y) * np.reshape(sign, (-1, 1))
    balanced = np.sort(around[:, :8] + around[:, 8:], axis=1) / 2
    around = np.sort(around, axis=1)
    spread = np.minimum(around[:, 13] - around[:, 7], balanced[:, 6] - balanced[:, 3])
    return sign * around[:, 9], 1.3 * spread
