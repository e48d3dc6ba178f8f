"""A second, different reader of pip dice: a small network looks at each die as a picture.

The first reader explains pips; it errs where it misses one or takes a side for the top. The
network knows no pips and no lattices: it sees a patch of two dice edges around a face and says
which upper face lies in its middle, or that none does. Where both agree, a reading is trusted.
Weights: `pip_votes.npz`, trained by `train_votes.py`.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels
from camera.train_scenes import PATCH_PX, SPAN

WEIGHTS = Path(__file__).with_suffix(".npz")
AT_ONCE = 8  # patches that go through together: what they need stays in the processor's cache
ONE_THREAD = 1 << 18  # multiplications up to which BLAS asks no second thread to help


def face_patch(levels: Sequence[Pixels], at: Floats, side_px: float) -> Pixels:
    """Cut the (48, 48) patch around a place (2,) out of a picture and its halves and quarters."""
    scale = PATCH_PX / (SPAN * side_px)
    number = 0
    while scale < 0.6 and number < len(levels) - 1:
        number, scale = number + 1, scale * 2
    middle = (at + 0.5) / 2**number - 0.5
    shift = (PATCH_PX - 1) / 2 - middle * scale
    place = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    return np.asarray(
        cv2.warpAffine(
            levels[number],
            place,
            (PATCH_PX, PATCH_PX),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )


def as_input(patches: Pixels) -> Floats:
    """Make patches (N, 48, 48) uint8 independent of light: (N, 48, 48) float32."""
    values = patches.reshape(len(patches), -1).astype(np.float32)
    values -= values.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.einsum("ij,ij->i", values, values) / max(1, values.shape[1]))
    values /= spread[:, None] + np.float32(4.0)
    return values.reshape(patches.shape)


@cache
def _layers() -> list[tuple[Floats, Floats]]:
    with np.load(WEIGHTS) as stored:
        count = len(stored.files) // 2
        return [(stored[f"weight{n}"], stored[f"bias{n}"]) for n in range(count)]


def scores_of(inputs: Floats, layers: list[tuple[Floats, Floats]]) -> Floats:
    """Run the network on (N, 48, 48) float32; give a score (N, 7) for each class.

    layers  weights and bias of each: matrices whose rows run over the window's rows, columns and
            channels. All but the last look through square windows at every other place. For
            pictures as small as these, OpenCV's own way takes twice as long.
    """
    values = inputs[..., None]
    for weights, bias in layers[:-1]:
        side = values.shape[1] // 2
        windows = _windows(values, round((len(weights) / values.shape[3]) ** 0.5))
        parts = next(n for n in range(1, side + 1) if side % n == 0 and
                     side * side // n * weights.size <= ONE_THREAD)  # fmt: skip
        out = np.matmul(windows.reshape(-1, side * side // parts, len(weights)), weights)
        out += bias
        flat = out.reshape(-1, len(bias))
        cv2.threshold(flat, 0, 0, cv2.THRESH_TOZERO, dst=flat)
        values = out.reshape(-1, side, side, len(bias))
    weights, bias = layers[-1]
    return np.asarray(np.matmul(values.reshape(len(inputs), 1, -1), weights)[:, 0] + bias)


def _windows(values: Floats, width: int) -> Floats:
    """Lay out the windows around every other place of (N, H, H, C): (N H H / 4, width² C)."""
    count, side, _, channels = values.shape
    rim = width // 2
    framed = np.zeros((count, side + 2 * rim, side + 2 * rim, channels), np.float32)
    framed[:, rim:-rim, rim:-rim] = values
    picture, row, column, step = framed.strides
    shape = (count, side // 2, side // 2, width, width * channels)
    strides = (picture, 2 * row, 2 * column, row, step)
    windows = np.lib.stride_tricks.as_strided(framed, shape, strides, writeable=False)
    return windows.reshape(-1, width * width * channels)


def votes(patches: Pixels, turns: int = 1) -> Floats:
    """Give the chances (N, 7) of no upper face (column 0) and of the faces one to six.

    turns  how many quarter turns of each patch are shown and their chances averaged: a die
           shows the same however the camera is turned, and what depends on it is a doubt.
    """
    if len(patches) == 0:
        return np.zeros((0, 7))
    shown = np.concatenate([np.rot90(patches, turn, axes=(1, 2)) for turn in range(turns)])
    inputs, layers = as_input(shown), _layers()
    parts = [
        scores_of(inputs[first : first + AT_ONCE], layers)
        for first in range(0, len(inputs), AT_ONCE)
    ]
    scores = np.concatenate(parts).astype(float).reshape(turns, len(patches), 7)
    chances = np.exp(scores - scores.max(axis=2, keepdims=True))
    return np.asarray((chances / chances.sum(axis=2, keepdims=True)).mean(axis=0))
