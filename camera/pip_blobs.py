"""Pips: small round marks on an even ground, dark on light or light on dark.

Theory of operation. A pip seen at a slant is an ellipse that is darker (or lighter) than the die
around it. Each octave of a pyramid looks for pips of 3 to 11 px across: pixels that stand out
from their neighbourhood's mean become connected marks; marks of a likely size whose surrounding
ring is even are measured again with soft edges, which gives the ellipse to a tenth of a pixel.
Carpet and wood have marks too, but seldom an even ring and an elliptic shape.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[Any]  # uint8; cv2's own annotations allow no more
Floats = npt.NDArray[Any]  # float64

BLOCK_PX = 27  # neighbourhood of one octave: two and a half of its largest pips
SMALLEST_PX = 6  # area; below it an ellipse cannot be told from noise
LARGEST_PX = 150  # area; larger pips belong to the next octave
NEAR, FAR = (np.mgrid[-half : half + 1, -half : half + 1].reshape(2, -1).T for half in (7, 10))
SHARES = (0.11, 0.35)  # of the mean that a mark differs: faint pips, and pips on dark dice
REACH = 1.9  # square of how far from its middle a pip's blurred edge may lie, in its radii
MOST_MARKS = 120  # of one size and sign; carpet has thousands, dice stand out from it
MOST = 160  # pips of one picture that are looked at; 40 dice have 140
UNEVEN = (
    0.24  # spread of the ring over the contrast; on dice seldom above 0.15, on carpet 0.2 to 0.6
)
RING = np.stack([f(np.arange(16) * np.pi / 8) for f in (np.cos, np.sin)], axis=1)


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


def find_pips(grey: Pixels) -> Pips:
    """Find dark and light pips in a grey picture, 3 px across and larger."""
    found = []
    level, scale = grey, 1.0
    while min(level.shape) >= BLOCK_PX:
        mean = cv2.blur(level, (BLOCK_PX, BLOCK_PX))
        for sign in (1, -1):
            known = np.zeros((0, 2))
            for share in SHARES:
                marks = _marks(level, mean, sign, share).apart_from(known)
                known = marks.at
                for some, window in marks.by_size():
                    found.append(_measured(level, some, window, sign, scale))
        level = cv2.pyrDown(level)
        scale *= 2
    return _without_doubles(_strongest(_joined(found)))


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


@dataclass(frozen=True)
class Marks:
    """What could be pips: centres (N, 2), half widths (N, 2) in px, names (N,) on the map."""

    at: Floats
    radii: Floats
    names: Floats
    map: Pixels

    def apart_from(self, known: Floats) -> "Marks":
        """Drop marks that lie at places (M, 2) which are known."""
        if len(known) == 0 or len(self.at) == 0:
            return self
        new = np.abs(self.at[:, None] - known).max(axis=2).min(axis=1) > 1.0
        return Marks(self.at[new], self.radii[new], self.names[new], self.map)

    def by_size(self) -> Iterator[tuple["Marks", Floats]]:
        """Part small from large marks, each with the pixels around it that are looked at."""
        small = self.radii.max(axis=1) <= 4.5
        for rows, window in ((small, NEAR), (~small, FAR)):
            if rows.any():
                yield Marks(self.at[rows], self.radii[rows], self.names[rows], self.map), window


def _marks(level: Pixels, mean: Pixels, sign: int, share: float) -> Marks:
    """Find even, compact marks that differ from their neighbourhood by a share of its mean."""
    beyond = cv2.subtract(mean, level) if sign > 0 else cv2.subtract(level, mean)
    raised = cv2.compare(beyond, np.maximum(cv2.convertScaleAbs(mean, alpha=share), 7), cv2.CMP_GT)
    _, names, stats, centres = cv2.connectedComponentsWithStats(raised, connectivity=4)
    stats, centres = stats[1:], centres[1:]
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    likely = (area >= SMALLEST_PX) & (area <= LARGEST_PX) & (area > 0.42 * width * height)
    likely &= np.maximum(width, height) <= 4 * np.minimum(width, height)
    centres, radii, own = centres[likely], stats[likely, 2:4] / 2, np.flatnonzero(likely) + 1
    ground, spread = _rings(level, centres, radii, sign)
    core = look_up(level, centres)
    contrast = sign * (ground - core)
    even = (contrast > 14) & (contrast > 0.18 * np.maximum(ground, core))
    even &= spread < 0.35 * contrast
    clearest = np.argsort((2.5 * spread - contrast)[even], kind="stable")[:MOST_MARKS]
    return Marks(centres[even][clearest], radii[even][clearest], own[even][clearest], names)


def look_up(level: Pixels, points: Floats) -> Floats:
    """Look up the brightness at points (..., 2), the nearest pixel inside the picture."""
    x = np.clip(np.rint(points[..., 0]).astype(np.intp), 0, level.shape[1] - 1)
    y = np.clip(np.rint(points[..., 1]).astype(np.intp), 0, level.shape[0] - 1)
    return level[y, x].astype(np.float32)


def _rings(level: Pixels, centres: Floats, radii: Floats, sign: int) -> tuple[Floats, Floats]:
    """Measure brightness and spread on an ellipse around each mark.

    Up to 40 % of a ring may lie on neighbouring pips or beyond the die's edge, which are darker
    than the die around dark pips: only the brighter part counts. Where the light falls off evenly
    over the die, the means of opposite places are alike though the places are not.
    """
    around = sign * look_up(level, centres[:, None] + RING * (radii[:, None] * 1.25 + 1.0))
    balanced = np.sort(around[:, :8] + around[:, 8:], axis=1) / 2
    around = np.sort(around, axis=1)
    spread = np.minimum(around[:, 13] - around[:, 7], balanced[:, 6] - balanced[:, 3])
    return sign * around[:, 9], 1.3 * spread


def _measured(level: Pixels, marks: Marks, window: Floats, sign: int, scale: float) -> Pips:
    """Measure marks again with soft edges: a pixel halfway to the ground counts half."""
    centres = marks.at
    first = np.rint(centres)
    named = look_up(marks.map, first[:, None] + window)
    others = (named != 0) & (named != marks.names[:, None])
    patch = look_up(level, first[:, None] + window)
    shape = _diagonal((marks.radii + 0.5) ** 2)
    for _ in range(2):
        ground, spread = _rings(level, centres, np.sqrt(shape[:, (0, 1), (0, 1)]), sign)
        x, y = np.moveaxis(first[:, None] + window - centres[:, None], 2, 0)
        inverse = np.linalg.inv(shape)
        far = inverse[:, 0, :1] * x * x + inverse[:, 1, 1:] * y * y
        far += 2 * inverse[:, 0, 1:] * x * y
        depth = ground - _mean(patch, far < np.maximum(0.4, far.min(axis=1, keepdims=True)))
        depth[np.abs(depth) < 1] = 1
        cover = np.clip((ground[:, None] - patch) / depth[:, None], 0, 1)
        cover[(cover < 0.12) | (far > REACH) | others] = 0
        area, shift, shape = _moments(cover, x, y)
        centres = centres + shift
    solid_area, _, solid = _moments((cover > 0.5).astype(float), x, y)
    small, large = np.linalg.eigvalsh(shape).T
    roundness = solid_area / (np.pi * np.sqrt(np.maximum(np.linalg.det(solid), 1e-6)))
    uneven = spread / np.abs(depth)
    good = (small > 0.9) & (large < 12 * small) & (large < 81) & (depth * sign > 16)
    good &= (roundness > 0.8) & (roundness < 1.25) & (uneven < UNEVEN)
    at = (centres + 0.5) * scale - 0.5
    return Pips(at, shape * scale * scale, ground, depth, uneven).take(good)


def _diagonal(values: Floats) -> Floats:
    """Make (N, 2, 2) diagonal matrices from (N, 2) values."""
    return values[:, :, None] * np.eye(2)


def _mean(values: Floats, where: npt.NDArray[np.bool_]) -> Floats:
    return np.asarray((values * where).sum(axis=1) / np.maximum(where.sum(axis=1), 1))


def _moments(weight: Floats, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Give the area, the centre and the ellipse matrix of weights (N, P) at places x, y."""
    area = np.maximum(weight.sum(axis=1), 1e-3)
    wx, wy = weight * x, weight * y
    mx, my = wx.sum(axis=1) / area, wy.sum(axis=1) / area
    xx = (wx * x).sum(axis=1) / area - mx * mx
    yy = (wy * y).sum(axis=1) / area - my * my
    xy = (wx * y).sum(axis=1) / area - mx * my
    shape = 4 * np.stack([xx - 1 / 12, xy, xy, yy - 1 / 12], axis=1).reshape(-1, 2, 2)
    return area, np.stack([mx, my], axis=1), shape + 0.4 * np.eye(2)


def _without_doubles(pips: Pips) -> Pips:
    """Keep the better of two pips that were found at one place in two octaves."""
    order = np.argsort(pips.evenness - 0.002 * np.abs(pips.contrast), kind="stable")
    pips = pips.take(order)
    apart = np.linalg.norm(pips.at[:, None] - pips.at[None], axis=2)
    radius = np.sqrt(np.linalg.det(pips.shape)) ** 0.5
    close = apart < 0.9 * np.maximum(radius[:, None], radius[None])
    keep = np.ones(len(pips), dtype=bool)
    for row in range(len(pips)):
        if keep[row]:
            keep[row + 1 :] &= ~close[row, row + 1 :]
    return pips.take(keep)
