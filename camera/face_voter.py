"""Compare faces of dice by a small network that learnt what light and lenses do to a picture.

It knows no dice: it was trained by camera/learn_faces.py on faces that nobody makes, each seen in
several trays, lights and cameras, to give the same face the same 48 numbers and others different
ones. What it sees is relative to the colour of the body, as in camera/face_features.py, and a
quarter turn is another picture to it, so learnt faces are kept in all four.
"""

from pathlib import Path

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.patches import PATCH_PX, Singles, light_on

WEIGHTS = Path(__file__).with_name("faces.onnx")
SEEN_PX, NUMBERS = 32, 48
AT_ONCE = 4  # as fast as all of them together, and what a network holds grows with their number
SEEN = slice((PATCH_PX - SEEN_PX) // 2, (PATCH_PX + SEEN_PX) // 2)  # of a patch


def planes(patches: Pixels, bodies: Singles) -> Singles:
    """What the network sees of patches (N, 40, 40, 3) on bodies (N, 3): (N, 3, 32, 32), -1 to 1."""
    inner = patches[:, SEEN, SEEN].astype(np.float32)
    sample = inner[:, 2:-2:2, 2:-2:2].max(axis=3).reshape(len(patches), -1)
    light = light_on(bodies, sample.T)
    shown = (inner - bodies[:, None, None]) / light[:, None, None, None]
    return np.ascontiguousarray(np.clip(shown, -1, 1).transpose(0, 3, 1, 2))


class FaceVoter:
    """Describes faces so that the same ones are alike."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights), cv2.dnn.ENGINE_CLASSIC)

    def described(self, patches: Pixels, bodies: Singles) -> Singles:
        """Describe patches (N, 40, 40, 3) on bodies of such colours (N, 3): rows (N, 48).

        Inner products of rows are log-odds, but for what all of them have in common.
        """
        told = [np.zeros((0, NUMBERS), np.float32)]
        for begin in range(0, len(patches), AT_ONCE):
            few = slice(begin, begin + AT_ONCE)
            self._net.setInput(planes(patches[few], bodies[few]))
            told.append(np.asarray(self._net.forward(), np.float32))
        return np.concatenate(told)
