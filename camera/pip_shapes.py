"""Ellipses as matrices: N of them at once, quicker than numpy's general ways."""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]


def inverses(shapes: Floats) -> tuple[Floats, Floats, Floats]:
    """Invert (N, 2, 2) symmetric matrices; give their two diagonal places and the other one."""
    a, b, d = shapes[:, 0, 0], shapes[:, 0, 1], shapes[:, 1, 1]
    det = a * d - b * b
    return d / det, -b / det, a / det


def determinants(shapes: Floats) -> Floats:
    """Give the determinants of matrices (N, 2, 2)."""
    return np.asarray(shapes[:, 0, 0] * shapes[:, 1, 1] - shapes[:, 0, 1] * shapes[:, 1, 0])


def axes_squared(shapes: Floats) -> tuple[Floats, Floats]:
    """Give the smaller and the larger half axis of ellipse matrices (N, 2, 2), squared."""
    half = (shapes[:, 0, 0] + shapes[:, 1, 1]) / 2
    spread = np.sqrt(np.maximum(half * half - determinants(shapes), 0))
    return half - spread, half + spread


def diagonal(values: Floats) -> Floats:
    """Make (N, 2, 2) diagonal matrices from (N, 2) values."""
    return np.asarray(values[:, :, None] * np.eye(2, dtype=values.dtype))


def mean_of(values: Floats, where: npt.NDArray[np.bool_]) -> Floats:
    """Give the mean of the chosen values of each row."""
    return np.asarray((values * where).sum(axis=1) / np.maximum(where.sum(axis=1), 1))


def moments(weight: Floats, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Give the area, the centre and the ellipse matrix of weights (N, P) at places x, y."""
    area = np.maximum(weight.sum(axis=1), 1e-3)
    wx, wy = weight * x, weight * y
    mx, my = wx.sum(axis=1) / area, wy.sum(axis=1) / area
    xx = (wx * x).sum(axis=1) / area - mx * mx
    yy = (wy * y).sum(axis=1) / area - my * my
    xy = (wx * y).sum(axis=1) / area - mx * my
    shape = 4 * np.stack([xx - 1 / 12, xy, xy, yy - 1 / 12], axis=1).reshape(-1, 2, 2)
    return area, np.stack([mx, my], axis=1), shape + 0.4 * np.eye(2, dtype=shape.dtype)
