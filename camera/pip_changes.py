"""What the empty tray does not show, and pictures of nothing else.

Theory of operation. Pips lie where something has changed since the tray was empty. That is a small
part of a picture: cut out in rectangles and laid side by side, it is looked through in a fraction
of the time. What is found in such a strip is moved back to where it lies before anything is made
of it.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from camera.empty_tray import check_empty

Pixels = npt.NDArray[Any]
UNIT = 2  # the map of what has changed is a picture's quarter: its second octave
CHANGED = 14  # brightness steps that the light or the sensor's noise may account for
MARGIN = np.ones((3, 3), np.uint8)  # units around what has changed
DARK = 4.0  # brightness steps that tell nothing of light
DIMMEST, ALIKE = -1.2, 0.06  # logarithm of light that is left in a shadow; none of it is gone
TINTED = 0.12  # logarithm of light, from which it has another colour
MOSTLY = 0.6  # share of what lies in shadow
MOST_PIECES = 24  # more take longer to lay side by side than that saves
MOST_KEPT = 0.6  # share of a picture from which it is looked through as it is
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Pieces:
    """Rectangles of a map, and where they lie in a smaller one with a gap between them.

    whole  (N, 4) left, top, right, bottom in the map.
    own    (N, 2) left and top in the smaller one.
    size   width and height of the smaller one.
    """

    whole: Ints
    own: Ints
    size: tuple[int, int]

    @cached_property
    def names(self) -> Ints:
        """Which of the rectangles each place of the smaller map belongs to."""
        names = np.zeros(self.size[::-1], np.intp)
        for name, (left, top, right, bottom) in enumerate(self._corners):
            names[top:bottom, left:right] = name
        return names

    @cached_property
    def _corners(self) -> list[list[int]]:
        sizes = self.whole[:, 2:] - self.whole[:, :2]
        corners: list[list[int]] = np.concatenate([self.own, self.own + sizes], axis=1).tolist()
        return corners


@dataclass(frozen=True)
class Strip:
    """The pieces of a level, laid side by side.

    times  how often a piece is as large there as in the map, as a power of two.
    shape  height and width of the level.
    """

    pieces: Pieces
    times: int
    shape: tuple[int, ...]

    def cut(self, picture: Pixels) -> Pixels:
        """Lay the pieces of a picture as large as the level side by side; 0 between them."""
        width, height = self.pieces.size
        strip = np.zeros((height << self.times, width << self.times), picture.dtype)
        for here, there in self._both:
            strip[there] = picture[here]
        return strip

    def cut_mean(self, picture: Pixels, width: int) -> Pixels:
        """Do as `cut` with a picture's mean in squares of an odd width around each pixel."""
        wide, high = self.pieces.size
        strip = np.zeros((high << self.times, wide << self.times), picture.dtype)
        rim = width // 2
        for (rows, columns), there in self._both:
            top, left = max(0, rows.start - rim), max(0, columns.start - rim)
            around = picture[top : rows.stop + rim, left : columns.stop + rim]
            mean = np.asarray(cv2.blur(around, (width, width)))
            own = slice(rows.start - top, rows.stop - top)
            strip[there] = mean[own, columns.start - left : columns.stop - left]
        return strip

    def laid_back(self, strip: Pixels) -> Pixels:
        """Lay a strip's pieces back to where they lie; 0 everywhere else."""
        picture = np.zeros(self.shape, strip.dtype)
        for here, there in self._both:
            picture[here] = strip[there]
        return picture

    def ways_back(self, places: Ints) -> Ints:
        """Give the ways (N, 2) from columns and rows (N, 2) of the strip to those of the level."""
        column, row = (places >> self.times).T
        own = self.pieces.names[row, column]
        return np.asarray((self.pieces.whole[own, :2] - self.pieces.own[own]) << self.times)

    @cached_property
    def _both(self) -> list[tuple[tuple[slice, slice], tuple[slice, slice]]]:
        """Rows and columns of each piece, in the level and in the strip."""
        limit, both = np.tile(self.shape[1::-1], 2), []
        whole = np.minimum(self.pieces.whole << self.times, limit).tolist()
        for (left, top, right, bottom), (x, y) in zip(
            whole, (self.pieces.own << self.times).tolist(), strict=True
        ):
            there = slice(y, y + bottom - top), slice(x, x + right - left)
            both.append(((slice(top, bottom), slice(left, right)), there))
        return both


@dataclass(frozen=True)
class Changes:
    """Where a picture differs from the empty tray.

    map    255 where it does, with all that lies within: uint8, a pixel for four by four of the
           picture's.
    small  the picture and that of the empty tray as small as the map, BGR; None if unknown.
    """

    map: Pixels
    small: tuple[Pixels, Pixels] | None = None

    def on_level(self, number: int, shape: tuple[int, ...]) -> Pixels:
        """Give the map as large as a level (height, width) of the picture's pyramid."""
        if number >= UNIT:
            return np.asarray(cv2.resize(self.map, shape[::-1], interpolation=cv2.INTER_NEAREST))
        return _larger(self.map, UNIT - number)[: shape[0], : shape[1]]

    def on_strip(self, strip: Strip) -> Pixels:
        """Give the map laid side by side as the strip is."""
        whole = Strip(strip.pieces, 0, self.map.shape)
        return _larger(whole.cut(self.map), strip.times)

    def share(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Give the share of points (N, P, 2), px of the picture, at which something is new."""
        return np.asarray((self.map[self._pixels(points)] > 0).mean(axis=-1))

    def may_be_shade(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Tell where points (N, P, 2) look like the empty tray with less light, nearly all."""
        if self.small is None:
            return np.zeros(len(points), np.bool_)
        own = self._pixels(points)
        now, before = (one[own].astype(np.float32) + DARK for one in self.small)
        light = np.log(now / before)
        mean = light.mean(axis=-1, keepdims=True)
        shady = (mean[..., 0] > DIMMEST) & (mean[..., 0] < ALIKE)
        shady &= np.abs(light - mean).max(axis=-1) < TINTED
        return np.asarray(shady.mean(axis=-1) > MOSTLY)

    def _pixels(self, points: npt.NDArray[np.float64]) -> tuple[Ints, Ints]:
        """Give the rows and columns of the map in which points lie, px of the picture."""
        column, row = (
            np.clip(np.rint((points[..., axis] - 1.5) / 4), 0, most - 1).astype(np.intp)
            for axis, most in enumerate(self.map.shape[::-1])
        )
        return row, column

    def strip(self, number: int, shape: tuple[int, ...]) -> Strip | None:
        """Give what has changed on a level (height, width); None where too much has."""
        if number > UNIT or self._pieces is None:
            return None
        return Strip(self._pieces, UNIT - number, shape)

    @cached_property
    def _pieces(self) -> Pieces | None:
        around = _apart(self.map)
        if not 0 < len(around) <= MOST_PIECES:
            return None
        height, width = self.map.shape
        left, top, wide, high = around.T
        whole = np.stack([left - 1, top - 1, left + wide + 1, top + high + 1], axis=1)
        pieces = _on_shelves(np.clip(whole, 0, [width, height, width, height]))
        return pieces if pieces.size[0] * pieces.size[1] <= MOST_KEPT * self.map.size else None


def _larger(new: Pixels, times: int) -> Pixels:
    """Double a map so many times."""
    size = new.shape[1] << times, new.shape[0] << times
    return np.asarray(cv2.resize(new, size, interpolation=cv2.INTER_NEAREST))


def _apart(new: Pixels) -> Ints:
    """Find rectangles (N, 4) around what has changed that do not meet: left, top, size."""
    around: list[Any] = []
    while len(around) <= 4 * MOST_PIECES:
        outlines, _ = cv2.findContours(new, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        before, around = len(around), [cv2.boundingRect(outline) for outline in outlines]
        if len(around) in (0, before):
            break
        new = np.zeros_like(new)
        for x, y, w, h in around:
            cv2.rectangle(new, (x, y), (x + w - 1, y + h - 1), (255,), -1)
    return np.array(around, dtype=np.intp).reshape(-1, 4)


def _on_shelves(whole: Ints) -> Pieces:
    """Lay rectangles (N, 4) side by side on shelves, the highest first, into about a square."""
    wide, high = (whole[:, 2:] - whole[:, :2] + 1).T
    longest = max(int(wide.max()), math.isqrt(int((wide * high).sum())))
    own, x, y, shelf, width = np.zeros((len(whole), 2), np.intp), 0, 0, 0, 0
    for number in np.argsort(-high, kind="stable").tolist():
        if x and x + wide[number] > longest:
            x, y, shelf = 0, y + shelf, 0
        own[number] = x, y
        x, shelf = x + int(wide[number]), max(shelf, int(high[number]))
        width = max(width, x)
    return Pieces(whole, own, (width, y + shelf))


def changes(pixels: Pixels, empty: Pixels, shape: tuple[int, ...]) -> Changes:
    """Find what the empty tray does not show in a BGR picture that is worked on at (height, width).

    Pips may be as bright as the tray under them was: it is the die around them that is new.
    Raises PictureError when the two pictures differ in size.
    """
    check_empty(pixels, empty)
    size = -(-shape[1] // 4), -(-shape[0] // 4)
    now, before = (cv2.resize(one, size, interpolation=cv2.INTER_LINEAR) for one in (pixels, empty))
    alike = cv2.inRange(cv2.absdiff(now, before), (0, 0, 0), (CHANGED, CHANGED, CHANGED))
    new = cv2.dilate(cv2.bitwise_not(alike), MARGIN)
    outlines, _ = cv2.findContours(new, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(new, outlines, -1, (255,), -1)
    return Changes(np.asarray(new), (np.asarray(now), np.asarray(before)))
