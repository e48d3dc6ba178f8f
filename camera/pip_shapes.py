"""Ellipses as matrices: N of them at once, quicker than numpy's general ways."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
ROUNDED = 0.4 - 4 / 12  # what an ellipse lacks that is cut at its rim, less the width of a pixel
ONE_CORE = 1 << 18  # multiplications up to which BLAS asks no second core to help


def inverse_parts(shapes: Floats) -> tuple[Floats, Floats, Floats]:
    """Invert (N, 2, 2) symmetric matrices; give their two diagonal places and the other one."""
    a, b, d = shapes[:, 0, 0], shapes[:, 0, 1], shapes[:, 1, 1]
    det = a * d - b * b
    return d / det, -b / det, a / det


def determinants(matrices: Floats) -> Floats:
    """Give the determinants of matrices (..., 2, 2)."""
    return np.asarray(
        matrices[..., 0, 0] * matrices[..., 1, 1] - matrices[..., 0, 1] * matrices[..., 1, 0]
    )


def inverses(matrices: Floats) -> Floats:
    """Invert matrices (..., 2, 2); many times faster than numpy's general way."""
    a, b = matrices[..., 0, 0], matrices[..., 0, 1]
    c, d = matrices[..., 1, 0], matrices[..., 1, 1]
    share = 1 / (a * d - b * c)
    back = np.empty(matrices.shape)
    back[..., 0, 0], back[..., 0, 1] = d * share, -b * share
    back[..., 1, 0], back[..., 1, 1] = -c * share, a * share
    return back


def axes_squared(shapes: Floats) -> tuple[Floats, Floats]:
    """Give the smaller and the larger half axis of ellipse matrices (N, 2, 2), squared."""
    half = (shapes[:, 0, 0] + shapes[:, 1, 1]) / 2
    spread = np.sqrt(np.maximum(half * half - determinants(shapes), 0))
    return half - spread, half + spread


def median(values: Sequence[float] | Floats) -> float:
    """Give the median of a few values; many times faster than numpy's general way."""
    ordered = np.sort(np.asarray(values, dtype=float))
    return float((ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)


def medians(values: Floats) -> Floats:
    """Give the medians over the rows of values (N, ...); many times faster than numpy's way."""
    ordered = np.sort(values, axis=0)
    return np.asarray((ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)


def square_roots(shapes: Floats) -> Floats:
    """Give the matrices (N, 2, 2) that turn the unit circle into ellipses: symmetric ones.

    Source: the square root of a 2 x 2 matrix in closed form, after Levinger, 1980.
    """
    root = np.sqrt(np.maximum(determinants(shapes), 1e-12))
    scale = np.sqrt(shapes[:, 0, 0] + shapes[:, 1, 1] + 2 * root)
    return np.asarray((shapes + root[:, None, None] * np.eye(2)) / scale[:, None, None])


def diagonal(values: Floats) -> Floats:
    """Make (N, 2, 2) diagonal matrices from (N, 2) values."""
    return np.asarray(values[:, :, None] * np.eye(2, dtype=values.dtype))


def mean_of(values: Floats, where: npt.NDArray[np.bool_]) -> Floats:
    """Give the mean of the chosen values of each row."""
    chosen = where.astype(values.dtype)
    whole = np.einsum("np,np->n", values, chosen)
    return np.asarray(whole / np.maximum(chosen.sum(axis=1), 1))


def powers(window: Floats) -> Floats:
    """Give 1, x, y, x², xy, y² (6, P) of a window's pixels (P, 2)."""
    x, y = window.astype(np.float32).T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def distances(shapes: Floats, centres: Floats, basis: Floats) -> Floats:
    """Tell how far pixels lie from ellipses (N, 2, 2) around centres (N, 2): (N, P), 1 on the rim.

    basis  of the pixels, see `powers`.
    """
    a, b, d = inverse_parts(shapes)
    x, y = centres.T
    along, across = a * x + b * y, b * x + d * y
    terms = np.empty((len(shapes), 6), basis.dtype)
    terms[:, 0] = along * x + across * y
    terms[:, 1], terms[:, 2] = -2 * along, -2 * across
    terms[:, 3], terms[:, 4], terms[:, 5] = a, 2 * b, d
    return products(terms, basis)


def moments(weight: Floats, basis: Floats) -> tuple[Floats, Floats, Floats]:
    """Give the area, the centre and the ellipse matrix of weights (N, P) of pixels.

    basis  of the pixels, see `powers`.
    """
    sums = products(weight, basis.T)
    area = np.maximum(sums[:, 0], 1e-3)
    x, y, xx, xy, yy = (sums[:, 1:] / area[:, None]).T
    shape = np.empty((len(sums), 2, 2), sums.dtype)
    shape[:, 0, 0], shape[:, 1, 1] = 4 * (xx - x * x) + ROUNDED, 4 * (yy - y * y) + ROUNDED
    shape[:, 0, 1] = shape[:, 1, 0] = 4 * (xy - x * y)
    return area, np.stack([x, y], axis=1), shape


def products(rows: Floats, columns: Floats) -> Floats:
    """Multiply matrices (N, K) and (K, M) in parts so small that one core does each by itself.

    Waiting for a second core that is busy takes longer than the whole product.
    """
    step = max(1, ONE_CORE // columns.size)
    parts = [rows[first : first + step] @ columns for first in range(0, len(rows), step)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
