"""A second, different reader of pip dice: a small network looks at each die as a picture.

The first reader explains pips; it errs where it misses one or takes a side for the top. The
network knows no pips and no lattices: it sees a patch of two dice edges around a face and says
which upper face lies in its middle, or that none does. Where both agree, a reading is trusted.
Weights: `pip_votes.npz`, trained by `train_votes.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels

WEIGHTS = Path(__file__).with_suffix(".npz")
PATCH_PX = 48
SPAN = 2.0  # edges of a die that a patch is wide
AT_ONCE = 8  # patches that go through together: what they need stays in the processor's cache
COARSEST = 1 / 0.6  # pixels of a level that one of a patch is wide; above it, a smaller one serves
WARP = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
BESIDE = 6  # windows of the first layer that are laid out together
IN_CACHE = 1 << 18  # multiplications of one product: what a larger one needs leaves the cache


def face_patches(levels: Sequence[Pixels], places: Floats, side_px: float) -> Pixels:
    """Cut patches (N, 48, 48) around places (N, 2) out of a picture.

    levels  it with its halves and quarters: the smallest one that is large enough serves.
    """
    step = SPAN * side_px / PATCH_PX
    level = min(math.ceil(math.log2(max(step / COARSEST, 1))), len(levels) - 1)
    shrink = 0.5**level
    corners = shrink * (places - step * (PATCH_PX - 1) / 2 + 0.5) - 0.5
    patches = np.empty((len(places), PATCH_PX, PATCH_PX), np.uint8)
    for (x, y), patch in zip(corners.tolist(), patches, strict=True):
        way = np.array([(shrink * step, 0, x), (0, shrink * step, y)])
        cv2.warpAffine(levels[level], way, patch.shape, patch, WARP, cv2.BORDER_REPLICATE)
    return patches


def upright_patches(grey: Pixels, corners: Floats) -> Pixels:
    """Cut patches (N, 48, 48) around upper sides (N, 4, 2) out, each seen from straight above.

    grey  the picture, uint8.
    """
    side_px = PATCH_PX / SPAN
    low, high = (PATCH_PX - side_px) / 2 - 0.5, (PATCH_PX + side_px) / 2 - 0.5
    square = np.array([(low, low), (high, low), (high, high), (low, high)], dtype=np.float32)
    longest = float(np.hypot(*(corners - np.roll(corners, 1, axis=1)).reshape(-1, 2).T).max())
    while longest > 2 * side_px and min(grey.shape) > 2:
        grey = np.asarray(cv2.pyrDown(grey))
        corners, longest = (corners + 0.5) / 2 - 0.5, longest / 2
    moves = [cv2.getPerspectiveTransform(one.astype(np.float32), square) for one in corners]
    return np.array(
        [
            cv2.warpPerspective(
                grey, move, (PATCH_PX, PATCH_PX),
                flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
            )
            for move in moves
        ],
        dtype=np.uint8,
    ).reshape(-1, PATCH_PX, PATCH_PX)  # fmt: skip


def as_input(patches: Pixels) -> Floats:
    """Make patches (N, 48, 48) uint8 independent of light: (N, 48, 48) float32."""
    values = patches.reshape(len(patches), -1).astype(np.float32)
    values -= values.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.einsum("ij,ij->i", values, values) / max(1, values.shape[1]))
    values /= spread[:, None] + np.float32(4.0)
    return values.reshape(patches.shape)


@dataclass(frozen=True)
class _Layer:
    """A layer that looks through square windows at every other place.

    width    of a window.
    beside   how many windows are laid out together: where they overlap, that takes less time.
    weights  a matrix whose rows run over the rows, columns and channels of what is laid out.
    bias     what is added in the end.
    """

    width: int
    beside: int
    weights: Floats
    bias: Floats


@cache
def _layers(channels: int) -> tuple[list[_Layer], tuple[Floats, Floats]]:
    """Give the layers that look through windows, and the last one's weights and bias."""
    with np.load(WEIGHTS) as stored:
        parts = [(stored[f"weight{n}"], stored[f"bias{n}"]) for n in range(len(stored.files) // 2)]
    layers = []
    for weights, bias in parts[:-1]:
        width = round((len(weights) / channels) ** 0.5)
        beside = BESIDE if width > 3 else 1
        laid_out = _side_by_side(weights, width, channels, beside)
        layers.append(_Layer(width, beside, laid_out, np.tile(bias, beside)))
        channels = len(bias)
    return layers, parts[-1]


def _side_by_side(weights: Floats, width: int, channels: int, beside: int) -> Floats:
    """Make the weights of windows that lie beside each other, each two columns from the last."""
    given = weights.reshape(width, width, channels, -1)
    wide = np.zeros((width, width + 2 * beside - 2, channels, beside, given.shape[3]), np.float32)
    for number in range(beside):
        wide[:, 2 * number : 2 * number + width, :, number] = given
    return wide.reshape(-1, beside * given.shape[3])


def scores_of(inputs: Floats) -> Floats:
    """Run a network on (N, 48, 48) or (N, 48, 48, C) float32; give its scores (N, classes).

    For pictures as small as these, OpenCV's own way takes twice as long.
    """
    values = inputs[..., None] if inputs.ndim == 3 else inputs
    layers, (weights, bias) = _layers(values.shape[3])
    for layer in layers:
        framed, inner = _framed(values.shape, layer.width // 2)
        # what the layer before gave below 0 is dropped on the way; pictures are kept whole
        np.maximum(values, -np.inf if layer is layers[0] else 0, out=inner)
        values = _looked_through(framed, layer, values.shape[1] // 2)
    values = np.maximum(values, 0, out=values).reshape(len(inputs), 1, -1)
    return np.asarray(np.matmul(values, weights)[:, 0] + bias)


def _framed(shape: tuple[int, ...], rim: int) -> tuple[Floats, Floats]:
    """Make room for pictures (N, H, W, C) with a rim of zeros around each; give both."""
    count, height, width, channels = shape
    framed = np.zeros((count, height + 2 * rim, width + 2 * rim, channels), np.float32)
    return framed, framed[:, rim:-rim, rim:-rim]


def _looked_through(framed: Floats, layer: _Layer, side: int) -> Floats:
    """Give what a layer sees in pictures with a rim: (N, side, side, channels)."""
    windows = _windows(framed, layer, side)
    rows = _at_most(len(windows), max(1, IN_CACHE // layer.weights.size))
    out = np.matmul(windows.reshape(-1, rows, windows.shape[1]), layer.weights)
    out += layer.bias
    return np.asarray(out.reshape(len(framed), side, side, -1))


@cache
def _at_most(count: int, most: int) -> int:
    """Give the largest number up to `most` that parts `count` evenly."""
    return next(rows for rows in range(min(most, count), 0, -1) if count % rows == 0)


def _windows(framed: Floats, layer: _Layer, side: int) -> Floats:
    """Lay out the windows around every other place of pictures, some together, a row each."""
    count, _, _, channels = framed.shape
    picture, row, column, step = framed.strides
    wide = layer.width + 2 * layer.beside - 2
    shape = (count, side, side // layer.beside, layer.width, wide * channels)
    strides = (picture, 2 * row, 2 * layer.beside * column, row, step)
    # numpy's own way to make such a view takes as long as a small picture's layer
    windows: Floats = np.ndarray(shape, framed.dtype, framed, 0, strides)
    return windows.reshape(-1, layer.width * wide * channels)


def votes(patches: Pixels, turns: int = 1) -> Floats:
    """Give the chances (N, 7) of no upper face (column 0) and of the faces one to six.

    turns  how many quarter turns of each patch are shown and their chances averaged: a die
           shows the same however the camera is turned, and what depends on it is a doubt.
    """
    if len(patches) == 0:
        return np.zeros((0, 7))
    shown = [np.rot90(patches, turn, axes=(1, 2)) for turn in range(turns)]
    inputs = as_input(np.concatenate(shown) if turns > 1 else patches)
    parts = -(-len(inputs) // AT_ONCE)
    ends = [len(inputs) * part // parts for part in range(parts + 1)]
    told = [scores_of(inputs[first:end]) for first, end in zip(ends, ends[1:], strict=False)]
    scores = np.concatenate(told).astype(float).reshape(turns, len(patches), 7)
    chances = np.exp(scores - scores.max(axis=2, keepdims=True))
    return np.asarray((chances / chances.sum(axis=2, keepdims=True)).mean(axis=0))
