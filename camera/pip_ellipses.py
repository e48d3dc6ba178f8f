"""Pips as ellipses: marks measured again, with soft edges, and those kept that are pips.

A pixel halfway between pip and die counts half, which gives the ellipse to a tenth of a pixel.
Carpet and wood have marks too, but seldom an even ring and an elliptic shape.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from camera.pip_blobs import FULL, Floats, Marks, Pyramid, ring_of, stacked
from camera.pip_shapes import (
    axes_squared,
    determinants,
    diagonal,
    distances,
    mean_of,
    moments,
    powers,
)

WINDOWS = tuple(
    (radius, np.mgrid[-half : half + 1, -half : half + 1].reshape(2, -1).T)
    for radius, half in ((2.5, 4), (4.5, 7), (np.inf, 10))
)  # the pixels around a mark that are looked at, up to a radius of the mark
CLEAREST, FAINT = 12, 0.2  # where that many marks are clear, what is fainter by this is none
REACH = 1.9  # square of how far from its middle a pip's blurred edge may lie, in its radii
DEAR = 20_000  # pixels that are measured in the time that it takes to begin
MOST_MEASURED = 600  # marks of one picture that are measured again
MOST = 160  # pips of one picture that are looked at; 40 dice have 140
UNEVEN = (
    0.24  # spread of the ring over the contrast; on dice seldom above 0.15, on carpet 0.2 to 0.6
)


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

    def take(self, rows: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "Pips":
        """Keep some rows, in that order."""
        return Pips(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


def measure_pips(pyramid: Pyramid, found: list[Marks], depth: int = FULL) -> Pips:
    """Measure marks as ellipses and keep those that are pips."""
    likely = _clearest([marks for marks in found if len(marks)], depth < FULL)
    measured = [_measured(pyramid, *part) for part in _by_size(likely)]
    return _without_doubles(_strongest(_joined(measured)))


def _clearest(found: list[Marks], clear_only: bool) -> list[Marks]:
    """Keep the clearest marks of even ground; measuring thousands on a carpet takes too long."""
    even = [marks.even for marks in found]
    own = (marks.clarity[is_even] for marks, is_even in zip(found, even, strict=True))
    clarity = np.sort(np.concatenate([np.zeros(0), *own]))[::-1]
    least = clarity[MOST_MEASURED] if len(clarity) > MOST_MEASURED else -np.inf
    if clear_only and len(clarity) > CLEAREST:
        least = max(least, FAINT * clarity[CLEAREST])
    kept = (is_even & (marks.clarity >= least) for marks, is_even in zip(found, even, strict=True))
    return [marks.take(rows) for marks, rows in zip(found, kept, strict=True) if rows.any()]


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


def _by_size(found: list[Marks]) -> Iterator[tuple[list[Marks], Floats]]:
    """Part small from large marks, each with the pixels around it that are looked at.

    Few small ones are measured with the larger, when that takes less time than to start anew.
    """
    sizes = [marks.radii.max(axis=1, initial=0) for marks in found]
    every, least = np.concatenate([np.zeros(0), *sizes]), 0.0
    for (most, window), (limit, wider) in zip(WINDOWS, (*WINDOWS[1:], (0.0, None)), strict=True):
        own = np.count_nonzero((every > least) & (every <= most))
        larger = np.count_nonzero((every > most) & (every <= limit))
        if wider is not None and larger and own * (len(wider) - len(window)) < DEAR:
            continue
        if own:
            parts = [(size > least) & (size <= most) for size in sizes]
            chosen = zip(found, parts, strict=True)
            yield [marks.take(rows) for marks, rows in chosen if rows.any()], window
        least = most


def _measured(pyramid: Pyramid, found: list[Marks], window: Floats) -> Pips:
    """Measure marks again with soft edges: a pixel halfway to the ground counts half."""
    rows, number, sign = stacked(found)
    centres, radii = rows[:, 0:2], rows[:, 2:4]
    first, basis = np.rint(centres), powers(window)
    column, row = pyramid.nearest(number, first[:, :1] + basis[1], first[:, 1:] + basis[2])
    ends = np.cumsum([0, *map(len, found)]).tolist()
    others = np.concatenate(
        [marks.covered(column[start:end], row[start:end])
         for marks, start, end in zip(found, ends, ends[1:], strict=False)]
    )  # fmt: skip
    patch = pyramid.brightness(number, column, row)
    look = partial(pyramid.look_up, number)
    shape = diagonal((radii + np.float32(0.5)) ** 2)
    for _ in range(2):
        ground, spread = ring_of(look, centres, np.sqrt(shape[:, (0, 1), (0, 1)]), sign)
        far = distances(shape, centres - first, basis)
        depth = ground - mean_of(patch, far < np.maximum(0.4, far.min(axis=1, keepdims=True)))
        depth[np.abs(depth) < 1] = 1
        cover = ground[:, None] - patch
        cover /= depth[:, None]
        np.minimum(cover, 1, out=cover)
        cover[(cover < 0.12) | (far > REACH) | others] = 0
        area, shift, shape = moments(cover, basis)
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
    return Pips(at, shape, ground, depth, uneven).take(good)


def _without_doubles(pips: Pips) -> Pips:
    """Keep the better of two pips that were found at one place in two octaves."""
    order = np.argsort(pips.evenness - 0.002 * np.abs(pips.contrast), kind="stable")
    pips = pips.take(order)
    x, y = pips.at.T
    apart = np.hypot(x[:, None] - x, y[:, None] - y)
    radius = np.sqrt(determinants(pips.shape)) ** 0.5
    close = np.triu(apart < 0.9 * np.maximum(radius[:, None], radius[None]), 1)
    keep = np.ones(len(pips), dtype=bool)
    for row in np.flatnonzero(close.any(axis=1)).tolist():
        if keep[row]:
            keep &= ~close[row]
    return pips.take(keep)
