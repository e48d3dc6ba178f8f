"""Move the squares that stand for upper sides to where the picture shows their edges.

Across each half of an edge the picture is sampled along a few lines; where colours change most, the
edge is. The eight places of a die say how far to move and turn it, and those of all dice how large
they are. What shows no edge has little weight, so noise or a symbol moves a square hardly.
"""

import math
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.pip_shapes import square_roots
from camera.seek import ONE_MAP, Floats
from camera.slant import Slant, Slants

Singles = npt.NDArray[np.float32]
ENOUGH = 42.0  # difference of colours, summed, from which an edge counts whole
ALONG, ACROSS = 8, 15  # samples along an edge, and across it
STEPS = (0.035, 0.015)  # between samples across, of half a side; first coarse, then fine
STAYS = 0.03  # weight of an edge's old place
DEAR = 0.35  # how much clearer an edge must be a whole half side away
_ANGLES = math.pi / 4 + np.arange(4) * math.pi / 2
_NORMALS = np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))
_PLACES = np.linspace(-0.78, 0.78, ALONG)
_HALVES = _PLACES.reshape(2, -1).mean(axis=1)  # where the halves of an edge are, of half a side


def _basis() -> Floats:
    """How the eight halves of edges (8, 6) go out as a square moves across, down, turns, becomes

    longer one way than the other, slanted, larger; by 1 half side each.
    """
    lever, signs = np.tile(_HALVES, 4), np.repeat([1.0, -1.0, 1.0, -1.0], 2)
    across, down = np.repeat(_NORMALS, 2, axis=0).T
    return np.column_stack((across, down, -lever, signs, signs * lever, np.ones(8)))


def _samples(step: float) -> Singles:
    """Where the picture is sampled around a square of half the size 1, (points, 2)."""
    across = 1 + step * (np.arange(ACROSS) - ACROSS // 2)
    ways = np.column_stack((-_NORMALS[:, 1], _NORMALS[:, 0]))
    return np.asarray(
        across[None, :, None, None] * _NORMALS[:, None, None]
        + _PLACES[None, None, :, None] * ways[:, None, None],
        np.float32,
    ).reshape(-1, 2)


_BASIS = _basis()
_SAMPLES = {step: _samples(step) for step in STEPS}


def stretches(slant: Slant | Slants, middles: Floats) -> Floats:
    """Symmetric matrices (N, 2, 2) that make squares of corners out of unit circles there."""
    return square_roots(slant.shapes(middles))


def angles_of(stretch: Floats, corners: Floats) -> Floats:
    """By how much (N) the squares are turned whose corners (N, 4, 2) are nearly these."""
    unit = (corners - corners.mean(axis=1, keepdims=True)) @ np.linalg.inv(stretch)
    whole = (unit[..., 0] + 1j * unit[..., 1]) * np.array([1, -1j, -1, 1j])
    return np.asarray(np.angle(whole.sum(axis=1)), np.float64)


def squares(middles: Floats, angles: Floats, stretch: Floats, size: float = 1.0) -> Floats:
    """The corners (N, 4, 2) of squares, clockwise."""
    turns = angles[:, None] + np.arange(4) * (math.pi / 2)
    unit = size * np.stack((np.cos(turns), np.sin(turns)), axis=-1)
    return np.asarray(middles[:, None] + unit @ stretch, np.float64)


class Fitted(NamedTuple):
    """Upper sides, measured again.

    corners  (N, 4, 2) of squares of one size on one plane.
    warped   (N, 3) by how much what the picture shows is no such square: longer one way than the
             other, slanted, larger than the others; in half sides.
    """

    corners: Floats
    warped: Floats


def fitted(pixels: Pixels, slant: Slant, corners: Floats) -> Fitted:
    """Measure upper sides (N, 4, 2) again, all as squares of one size on one plane."""
    middles = corners.mean(axis=1)
    stretch = stretches(slant, middles)
    angles, size = angles_of(stretch, corners), 1.0
    warped = np.zeros((len(corners), 3))
    for step in STEPS:
        offsets, weights = _edges(pixels, middles, angles, stretch, size, step)
        grow = float((weights * offsets).sum() / (weights.sum() + STAYS * weights.size))
        if step == STEPS[0]:
            warped = _solved(_BASIS, offsets - grow, weights)[:, 3:]
        moves = _solved(_BASIS[:, :3], offsets - grow, weights)
        turned = _turned(moves[:, :2], angles) * size / math.sqrt(2)
        middles = middles + (turned[:, None] @ stretch)[:, 0]
        angles = angles + moves[:, 2]
        size *= 1 + grow
    return Fitted(squares(middles, angles, stretch, size), warped)


def _turned(ways: Floats, angles: Floats) -> Floats:
    """Ways (N, 2) turned by angles (N)."""
    cos, sin = np.cos(angles), np.sin(angles)
    x, y = ways.T
    return np.stack((cos * x - sin * y, sin * x + cos * y), axis=1)


def _edges(
    pixels: Pixels, middles: Floats, angles: Floats, stretch: Floats, size: float, step: float
) -> tuple[Floats, Floats]:
    """How far out each half of an edge is, and how clear: (N, 4, 2) each, in half sides."""
    cos, sin = np.cos(angles), np.sin(angles)
    turns = np.stack([cos, sin, -sin, cos], axis=-1).reshape(-1, 2, 2)
    at = _SAMPLES[step] @ (turns @ stretch * (size / math.sqrt(2))).astype(np.float32)
    at += middles[:, None].astype(np.float32)
    seen = cv2.remap(pixels, at, ONE_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(-1, ACROSS, 3 * ALONG).astype(np.float32)
    # numpy's own sums take far longer than products with ones where rows are so short
    change = np.abs(colours[:, 2:] - colours[:, :-2]).reshape(-1, 3) @ np.ones(3, np.float32)
    share = np.full(ALONG // 2, 2 / ALONG / ENOUGH, np.float32)
    clear = np.minimum(change, np.float32(ENOUGH)).reshape(-1, ALONG // 2) @ share
    clear = clear.reshape(len(middles), 4, ACROSS - 2, 2)
    places = step * (np.arange(ACROSS - 2) - (ACROSS - 2) // 2)
    rated = clear - DEAR * np.abs(places)[:, None]
    best = np.argmax(rated, axis=2)[:, :, None]
    offsets = places[best[:, :, 0]]
    peak = np.take_along_axis(clear, best, axis=2)[:, :, 0]
    weights = np.maximum(peak - clear.mean(axis=2), 0) + 1e-3
    return np.asarray(offsets, np.float64), np.asarray(weights, np.float64)


def _solved(basis: Floats, offsets: Floats, weights: Floats) -> Floats:
    """What of a basis (8, K) explains offsets (N, 4, 2) best: (N, K); little, where in doubt."""
    weighted = weights.reshape(-1, 8)[:, :, None] * basis
    square = np.swapaxes(weighted, 1, 2) @ basis + STAYS * np.eye(basis.shape[1])
    wanted = np.swapaxes(weighted, 1, 2) @ offsets.reshape(-1, 8, 1)
    return np.asarray(np.linalg.solve(square, wanted)[..., 0], np.float64)
