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
    """Make patches (N, 48, 48) uint8 independent of light: (N, 1, 48, 48) float32."""
    values = patches.astype(np.float32)[:, None]
    values -= values.mean(axis=(2, 3), keepdims=True)
    return np.asarray(values / (values.std(axis=(2, 3), keepdims=True) + 4.0))


@cache
def _network() -> cv2.dnn.Net:
    with np.load(WEIGHTS) as stored:
        return cv2.dnn.readNetFromONNX(stored["onnx"], cv2.dnn.ENGINE_CLASSIC)


def votes(patches: Pixels, turns: int = 1) -> Floats:
    """Give the chances (N, 7) of no upper face (column 0) and of the faces one to six.

    turns  how many quarter turns of each patch are shown and their chances averaged: a die
           shows the same however the camera is turned, and what depends on it is a doubt.
    """
    if len(patches) == 0:
        return np.zeros((0, 7))
    shown = [np.rot90(patches, turn, axes=(1, 2)) for turn in range(turns)]
    network = _network()
    network.setInput(as_input(np.concatenate(shown)))
    scores = network.forward().astype(float).reshape(turns, len(patches), 7)
    chances = np.exp(scores - scores.max(axis=2, keepdims=True))
    return np.asarray((chances / chances.sum(axis=2, keepdims=True)).mean(axis=0))
