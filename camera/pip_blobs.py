"""Pips: small round marks on an even ground, dark on light or light on dark.

Theory of operation. A pip seen at a slant is an ellipse that is darker (or lighter) than the die
around it. Each octave of a pyramid looks for pips of 3 to 11 px across: pixels that stand out
from their neighbourhood's mean become connected marks; marks of a likely size whose surrounding
ring is even are measured again as ellipses (camera/pip_ellipses.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
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
SAME_PX = 1.0  # between two marks of a level that are one
FAR_PX = 1e5  # more than the width of any picture
NAME, CLARITY, CONTRAST, EVEN, LEVEL, SIGN, SHARE, GROUP, NUMBER, COLUMNS = range(4, 14)
MOST_MARKS = 120  # of one size and sign; carpet has thousands, dice stand out from it
RING = np.stack([f(np.arange(16) * np.pi / 8) for f in (np.cos, np.sin)]).astype(np.float32)


def find_marks(pyramid: "Pyramid", depth: int = FULL, side_px: float | None = None) -> "Marks":
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
    found = pyramid.marks(
        [
            (number, share, number == 0 and depth == FULL)
            for number in levels
            for share in (SHARES if number else first)
        ]
    )
    return _without_known(found)


def finest_level(side_px: float) -> int:
    """Give the level on which pips of dice of this edge are still 4 px across and more."""
    return max(0, int(np.floor(np.log2(max(side_px, 1.0) / FINEST_SIDE_PX))))


def _without_known(found: "Marks") -> "Marks":
    """Drop marks that stand out by a small share of the ground where one by a large share lies."""
    is_clear = found.rows[:, SHARE] == np.float32(SHARES[0])
    clear, faint = np.flatnonzero(is_clear), np.flatnonzero(~is_clear)
    x, y = found.rows[:, 0].astype(float), found.rows[:, 1]
    x += FAR_PX * (4 * found.rows[:, LEVEL] + found.rows[:, SIGN])  # levels and signs lie apart
    clear = clear[x[clear].argsort()]
    first = x[clear].searchsorted(x[faint] - SAME_PX)
    end = x[clear].searchsorted(x[faint] + SAME_PX, "right")
    count = end - first
    near = np.repeat(faint, count)
    other = clear[np.arange(len(near)) + np.repeat(first - count.cumsum() + count, count)]
    is_kept = np.ones(len(found), dtype=bool)
    is_kept[near[np.abs(y[near] - y[other]) <= SAME_PX]] = False
    return found.take(is_kept)


class Pyramid:
    """A grey picture and its halves, quarters and so on, as long as a pip's surroundings fit in.

    levels   each half as large as the one before, uint8.
    changes  where pips may lie; None for everywhere.
    """

    def __init__(self, grey: Pixels, changes: Changes | None = None) -> None:
        self.changes = changes
        self.forget()
        levels = [grey]
        while min(levels[-1].shape) >= 2 * BLOCK_PX:
            levels.append(np.asarray(cv2.pyrDown(levels[-1])))
        self.levels = levels
        self._smaller = np.concatenate([level.ravel() for level in levels[1:] or levels])
        heights, widths = np.array([level.shape for level in levels], dtype=np.int32).T
        sizes = widths * heights
        # the halves and so on come first, for most pictures are clear without their finest level
        starts = np.cumsum(sizes, dtype=np.int32) - sizes - sizes[0]
        starts[0] = sizes[1:].sum()
        self._sizes = widths - 1, heights - 1, widths, starts

    def forget(self) -> None:
        """Let go of what was found so far: that is several times as large as the picture."""
        self._groups: dict[tuple[int, float, bool], int] = {}
        self._found, self._maps = np.zeros((0, COLUMNS), np.float32), list[Names]()
        self._sheets: dict[int, Sheet] = {}

    def marks(self, keys: list[tuple[int, float, bool]]) -> "Marks":
        """Give the dark, then the light marks of each key; they are looked for once.

        keys  level, least share of the mean, and whether to part marks that touch at a corner
              only: for pips of a few pixels.
        """
        new = [key for key in keys if key not in self._groups]
        found = [part for key in new for part in level_parts(self.sheet(key[0]), *key)]
        known = len(self._maps)
        self._groups |= {key: known + 2 * n for n, key in enumerate(new)}
        self._maps += [part.map for part in found]
        rows = _ringed(self, _likely(found, known))
        rows[:, NUMBER] = np.arange(len(self._found), len(self._found) + len(rows))
        self._found = np.concatenate([self._found, rows]) if known else rows
        if len(keys) == len(self._groups) and not known:
            return Marks(rows, self._maps)
        place = np.full(len(self._maps), -1)
        groups = [self._groups[key] for key in keys]
        place[groups] = np.arange(0, 2 * len(keys), 2)
        place[np.add(groups, 1)] = np.arange(1, 2 * len(keys), 2)
        place = place[self._found[:, GROUP].astype(np.intp)]
        order = place.argsort(kind="stable")[np.count_nonzero(place < 0) :]
        return Marks(self._found[order], self._maps)

    def sheet(self, number: int) -> Sheet:
        """Give what is looked through for marks on a level."""
        if number not in self._sheets:
            self._sheets[number] = sheet_of(self.levels[number], number, self.changes)
        return self._sheets[number]

    def on(self, numbers: Floats) -> "Spots":
        """Choose the levels (N,) on which brightness is looked up."""
        pixels = self._smaller if numbers.min(initial=1) else self._pixels
        return Spots(pixels, *(part[numbers, None] for part in self._sizes))

    @cached_property
    def _pixels(self) -> Pixels:
        """All levels, one after another, the finest last."""
        own = self.levels[0].ravel()
        return np.concatenate([self._smaller, own]) if len(self.levels) > 1 else own


@dataclass(frozen=True, slots=True)
class Spots:
    """Where brightness is looked up: levels of a pyramid, a row each (N, 1).

    pixels          of all levels, one after another.
    last_x, last_y  numbers of the last column and row.
    widths, starts  of a row; of the level in `pixels`.
    """

    pixels: Pixels
    last_x: Floats
    last_y: Floats
    widths: Floats
    starts: Floats

    def nearest(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Give the columns and rows (N, P) nearest to places x, y."""
        column, row = np.rint(x).astype(np.int32), np.rint(y).astype(np.int32)
        within(column, self.last_x)
        within(row, self.last_y)
        return column, row

    def brightness(self, column: Floats, row: Floats) -> Floats:
        """Give the brightness (N, P) of pixels."""
        places = row * self.widths
        places += column
        places += self.starts
        return np.asarray(self.pixels.take(places), np.float32)

    def look_up(self, x: Floats, y: Floats) -> Floats:
        """Give the brightness (N, P) at places x, y."""
        return self.brightness(*self.nearest(x, y))

    def windows(self, middles: Floats, reach: int) -> tuple[Floats, Floats]:
        """Give the columns and the rows (N, W) of square windows around pixels (N, 2)."""
        near = np.arange(-reach, reach + 1)
        return self.nearest(middles[:, :1] + near, middles[:, 1:] + near)

    def seen(self, column: Floats, row: Floats) -> Floats:
        """Give the brightness (N, W * W) in windows of these columns and rows (N, W)."""
        places = (row * self.widths + self.starts)[:, :, None] + column[:, None]
        return np.asarray(self.pixels.take(places), np.float32).reshape(len(places), -1)


@dataclass(frozen=True, slots=True)
class Marks:
    """What could be pips in a picture, a row each.

    rows  (N, COLUMNS) float32: centre and half widths, px of the level; its name on the map; how
          much it stands out from an even ground, and from its ring, brightness steps; whether that
          ring is even enough for a pip; the level; 1 for a dark mark, -1 for a light one; the share
          of the mean by which it stands out at least; the number of its map; its own number, which
          no other mark of the picture has.
    maps  which mark each pixel of a level belongs to.
    """

    rows: Floats
    maps: list[Names]

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
        return self.rows[:, CLARITY]

    @property
    def contrast(self) -> Floats:
        """How much it stands out from its ring (N,), brightness steps."""
        return self.rows[:, CONTRAST]

    @property
    def even(self) -> Floats:
        """Whether its ring is even enough for a pip (N,)."""
        return self.rows[:, EVEN] > 0

    @property
    def number(self) -> Floats:
        """Levels on which they were found (N,)."""
        return self.rows[:, LEVEL].astype(np.intp)

    @property
    def sign(self) -> Floats:
        """1 for dark marks, -1 for light ones (N,)."""
        return self.rows[:, SIGN]

    def take(self, chosen: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "Marks":
        """Keep some rows."""
        return Marks(self.rows[chosen], self.maps)

    def places(self) -> Floats:
        """Give their centres (N, 2) in the picture, px."""
        scale = np.exp2(self.rows[:, LEVEL : LEVEL + 1], dtype=float)
        return np.asarray((self.at.astype(float) + 0.5) * scale - 0.5)

    def sizes(self) -> Floats:
        """Give their larger half widths (N,) in the picture, px."""
        larger = np.maximum(self.rows[:, 2], self.rows[:, 3])
        return np.asarray(larger * np.exp2(self.rows[:, LEVEL]))

    def covered(self, column: Floats, row: Floats) -> Floats:
        """Tell what belongs to other marks of windows (N, W * W) with these columns, rows (N, W).

        The marks are those that were found on one map after those of another.
        """
        group = self.rows[:, GROUP]
        ends = [0, *(np.flatnonzero(group[1:] != group[:-1]) + 1).tolist(), len(group)]
        named = np.empty((*column.shape, column.shape[1]), np.int32)
        for first, end in zip(ends, ends[1:], strict=False):
            known = self.maps[int(group[first])]
            named[first:end] = known.look_up(column[first:end], row[first:end])
        named = named.reshape(len(named), -1)
        return np.asarray((named != 0) & (named != self.rows[:, NAME : NAME + 1].astype(np.int32)))


def _likely(found: list[Parts], known: int) -> Floats:
    """Keep the parts of a likely size and form, as rows of `Marks`.

    known  maps that there were before.
    """
    if not found:
        return np.zeros((0, COLUMNS), np.float32)
    stats = np.concatenate([parts.stats for parts in found])
    each = np.array([len(parts.stats) for parts in found])
    group = np.repeat(np.arange(len(found)), each)
    name = np.arange(len(stats)) - (each.cumsum() - each)[group]
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    own = (area >= SMALLEST_PX) & (area <= LARGEST_PX) & (name > 0)
    own &= (area > 0.42 * width * height) & (width <= 4 * height) & (height <= 4 * width)
    group = group[own]
    rows = np.empty((len(group), COLUMNS), np.float32)
    rows[:, 0:2] = np.concatenate([parts.centres for parts in found])[own]
    rows[:, 2:4] = stats[own, 2:4]
    rows[:, 2:4] /= 2
    rows[:, NAME] = name[own]
    rows[:, LEVEL:GROUP] = np.array([(p.number, p.sign, p.share) for p in found])[group]
    rows[:, GROUP] = group + known
    return rows


def _ringed(pyramid: Pyramid, rows: Floats) -> Floats:
    """Look at the rings around marks; keep the clearest of each level, size and sign."""
    if len(rows) == 0:
        return rows
    look = pyramid.on(rows[:, LEVEL].astype(np.intp)).look_up
    sign, group = rows[:, SIGN], rows[:, GROUP]
    ground, spread = ring_of(look, rows[:, 0:2], rows[:, 2:4], sign)
    contrast = sign * (ground - look(rows[:, 0:1], rows[:, 1:2])[:, 0])
    even = contrast > np.maximum(14, 0.18 * np.maximum(ground, ground - sign * contrast))
    even &= spread < 0.35 * contrast
    rows[:, CLARITY], rows[:, CONTRAST], rows[:, EVEN] = contrast - 2.5 * spread, contrast, even
    clearest = -rows[:, CLARITY] - 999.0 * even  # those on even ground before the others
    rows = rows[np.lexsort((clearest, group))]
    group = rows[:, GROUP]
    return rows[np.arange(len(group)) - group.searchsorted(group) < MOST_MARKS]


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
    look: Callable[[Floats, Floats], Floats], centres: Floats, radii: Floats, sign: Floats
) -> tuple[Floats, Floats]:
    """Measure brightness and spread on an ellipse around each mark.

    look  gives the brightness at places x, y.

    Up to 40 % of a ring may lie on neighbouring pips or beyond the die's edge, which are darker
    than the die around dark pips: only the brighter part counts. Where the light falls off evenly
    over the die, the means of opposite places are alike though the places are not.
    """
    reach = radii * 1.25 + 1.0
    x, y = (centres[:, axis, None] + RING[axis] * reach[:, axis, None] for axis in (0, 1))
    around = look(x, y) * sign[:, None]
    balanced = around[:, :8] + around[:, 8:]
    balanced.sort(axis=1)
    around.sort(axis=1)
    even_light = (balanced[:, 6] - balanced[:, 3]) / 2
    return sign * around[:, 9], 1.3 * np.minimum(around[:, 13] - around[:, 7], even_light)
