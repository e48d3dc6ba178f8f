"""Pips as ellipses: marks measured again, with soft edges, and those kept that are pips.

A pixel halfway between pip and die counts half, which gives the ellipse to a tenth of a pixel.
Carpet and wood have marks too, but seldom an even ring and an elliptic shape.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from camera.pip_blobs import FULL, NUMBER, Floats, Marks, Pyramid, ring_of
from camera.pip_shapes import (
    axes_squared,
    determinants,
    diagonal,
    distances,
    mean_of,
    moments,
    powers,
)

Bools = npt.NDArray[np.bool_]
Singles = npt.NDArray[np.float32]
WINDOWS = tuple(
    (radius, half, powers(np.mgrid[-half : half + 1, -half : half + 1][::-1].reshape(2, -1).T))
    for radius, half in ((2.5, 4), (4.5, 7), (np.inf, 10))
)  # up to which radius of a mark which window around it is looked at: its reach, and `powers`
LARGER = (*WINDOWS[1:], (0.0, 0, None))
CLEAREST, FAINT = 12, 0.2  # where that many marks are clear, what is fainter by this is none
REACH = 1.9  # square of how far from its middle a pip's blurred edge may lie, in its radii
DEAR = 20_000  # pixels that are measured in the time that it takes to begin
MOST_MEASURED = 600  # marks of one picture that are measured again
MOST = 160  # pips of one picture that are looked at; 40 dice have 140
UNEVEN = 0.24  # spread of the ring over the contrast; dice seldom have 0.15, carpet 0.2 to 0.6


@dataclass(frozen=True)
class Pips:
    """The pips of one picture, a row each.

    at        (N, 2) centres, px.
    shape     (N, 2, 2) ellipse matrices, px²: a point p on the rim has p' inv(shape) p = 1.
    ground    (N,) brightness of the die around the pip, 0 to 255.
    contrast  (N,) ground minus pip, signed: positive for dark pips.
    evenness  (N,) spread of the ring as a share of the contrast; 0 is perfectly even.
    """

    at: Floats
    shape: Floats
    ground: Floats
    contrast: Floats
    evenness: Floats

    def __len__(self) -> int:
        return len(self.at)

    @cached_property
    def half_axes(self) -> tuple[Floats, Floats]:
        """The smaller and the larger half axis of each (N,), px."""
        small, large = axes_squared(self.shape)
        return np.sqrt(small), np.sqrt(large)

    def take(self, rows: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "Pips":
        """Keep some rows, in that order."""
        return Pips(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


class Measured:
    """What has been measured in one picture: a closer look need not measure it again.

    How large a window a mark is measured in depends a little on the marks beside it, so on which
    look came upon it first.
    """

    def __init__(self) -> None:
        self._tried, self._numbers = np.zeros(0, np.float32), np.zeros(0, np.float32)
        self._pips = _joined([])

    def pips(self, pyramid: Pyramid, likely: Marks) -> Pips:
        """Give the pips among marks of the picture."""
        is_known = np.isin(likely.rows[:, NUMBER], self._tried)
        found, numbers = [self._pips], [self._numbers]
        for marks, reach, basis in _by_size(likely.take(~is_known)):
            pips, is_pip = _measured(pyramid, marks, reach, basis)
            found.append(pips)
            numbers.append(marks.rows[is_pip, NUMBER])
        self._tried = np.concatenate([self._tried, likely.rows[~is_known, NUMBER]])
        self._pips, self._numbers = _joined(found), np.concatenate(numbers)
        if not is_known.any():
            return self._pips
        return self._pips.take(np.isin(self._numbers, likely.rows[:, NUMBER]))


def measure_pips(
    pyramid: Pyramid, found: Marks, depth: int = FULL, measured: Measured | None = None
) -> Pips:
    """Measure marks as ellipses and keep those that are pips.

    measured  in the same picture before.
    """
    likely = _clearest(found, depth < FULL)
    return _without_doubles(_strongest((measured or Measured()).pips(pyramid, likely)))


def _clearest(found: Marks, clear_only: bool) -> Marks:
    """Keep the clearest marks of even ground; measuring thousands on a carpet takes too long."""
    found = found.take(found.even)
    clarity = np.sort(found.clarity)[::-1]
    least = clarity[MOST_MEASURED] if len(clarity) > MOST_MEASURED else -np.inf
    if clear_only and len(clarity) > CLEAREST:
        least = max(least, FAINT * clarity[CLEAREST])
    return found.take(found.clarity >= least)


def _strongest(pips: Pips) -> Pips:
    """Keep the clearest ones where a pattern makes hundreds; dice stand out from it."""
    if len(pips) <= MOST:
        return pips
    clarity = np.abs(pips.contrast) * (1 - 2.5 * pips.evenness)
    return pips.take(np.argsort(-clarity, kind="stable")[:MOST])


def _joined(found: list[Pips]) -> Pips:
    if not found:
        return Pips(*(np.zeros((0, *rest)) for rest in ((2,), (2, 2), (), (), ())))
    names = Pips.__dataclass_fields__
    return Pips(*(np.concatenate([getattr(pips, name) for pips in found]) for name in names))


def _by_size(found: Marks) -> Iterator[tuple[Marks, int, Floats]]:
    """Part small from large marks, each with the window around it that is looked at.

    Few small ones are measured with the larger, when that takes less time than to start anew.
    """
    size, least = np.maximum(*found.radii.T), 0.0
    for (most, reach, basis), (limit, _, wider) in zip(WINDOWS, LARGER, strict=True):
        own = (size > least) & (size <= most)
        count = np.count_nonzero(own)
        larger = np.count_nonzero((size > most) & (size <= limit))
        if wider is not None and larger and count * (wider.shape[1] - basis.shape[1]) < DEAR:
            continue
        if count:
            yield found.take(own), reach, basis
        least = most


def _measured(pyramid: Pyramid, found: Marks, reach: int, basis: Floats) -> tuple[Pips, Bools]:
    """Measure marks again with soft edges: a pixel halfway to the ground counts half.

    reach  of the window around each, px; basis, its `powers`.
    Gives the pips among them, and which of the marks those are.
    """
    number, sign = found.number, found.sign
    spots = pyramid.on(number)
    centres, radii = found.at, found.radii
    first = np.rint(centres)
    column, row = spots.windows(first, reach)
    others, patch = found.covered(column, row), spots.seen(column, row)
    shape = diagonal((radii + np.float32(0.5)) ** 2)
    for _ in range(2):
        ground, spread = ring_of(spots.look_up, centres, np.sqrt(shape[:, (0, 1), (0, 1)]), sign)
        far = distances(shape, centres - first, basis)
        depth = ground - mean_of(patch, far < np.maximum(0.4, far.min(axis=1, keepdims=True)))
        depth[np.abs(depth) < 1] = 1
        cover = _cover(ground, patch, depth, others | (far > REACH))
        _, shift, shape = moments(cover, basis)
        centres = first + shift
    solid_area, _, solid = moments((cover > 0.5).astype(np.float32), basis)
    small, large = axes_squared(shape)
    roundness = solid_area / (np.pi * np.sqrt(np.maximum(determinants(solid), 1e-6)))
    uneven = spread / np.abs(depth)
    good = (small > 0.9) & (large < 12 * small) & (large < 81) & (depth * sign > 16)
    good &= (roundness > 0.8) & (roundness < 1.25) & (uneven < UNEVEN)
    scale = (2.0**number)[:, None]
    at = (centres.astype(float) + 0.5) * scale - 0.5
    shape = shape.astype(float) * (scale * scale)[:, :, None]
    return Pips(at, shape, ground, depth, uneven).take(good), good


def _cover(ground: Singles, patch: Singles, depth: Singles, is_none: Bools) -> Singles:
    """How much of each pixel (N, K) a pip covers, 0 to 1; nothing where none can be."""
    cover = ground[:, None] - patch
    cover *= (1 / depth)[:, None]
    np.minimum(cover, 1, out=cover)
    is_none |= cover < 0.12
    np.copyto(cover, 0, where=is_none)
    return cover


def _without_doubles(pips: Pips) -> Pips:
    """Keep the better of two pips that were found at one place in two octaves."""
    order = np.argsort(pips.evenness - 0.002 * np.abs(pips.contrast), kind="stable")
    pips = pips.take(order)
    x, y = (place[:, None] - place for place in pips.at.T)
    radius = 0.9 * np.sqrt(determinants(pips.shape)) ** 0.5
    number = np.arange(len(pips))
    close = x * x + y * y < np.maximum(radius[:, None], radius) ** 2
    close &= number[:, None] < number
    keep = np.ones(len(pips), dtype=bool)
    for row in np.flatnonzero(close.any(axis=1)).tolist():
        if keep[row]:
            keep &= ~close[row]
    return pips.take(keep)
