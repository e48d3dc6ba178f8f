"""The yardstick for symbol dice: what a tutorial's reader makes of them.

Otsu's threshold and contours, as often shown: what is about square is a die, its rectangle is cut
out and compared with each learnt picture in four turns by normalised correlation.
"""

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks

Box = tuple[int, int, int, int]
SIDE_PX = 24
LEAST, MOST = 0.0004, 0.08  # of the picture's area
SLIM = 1.6  # sides' ratio up to which a rectangle counts as square


class NaiveReader:
    """Reads dice by threshold, contours and correlation."""

    def __init__(self, looks: DiceLooks) -> None:
        rows, self._faces = [], []
        for kind, faces in looks.patches.items():
            for face, patches in faces.items():
                for patch in patches:
                    rows += [_normal(np.rot90(patch, turn)) for turn in range(4)]
                    self._faces += [(kind, face)] * 4
        self._rows = np.array(rows)

    def read(self, pixels: Pixels) -> list[tuple[str, str, Box]]:
        """Kind, face and box of each die that is found."""
        grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (5, 5), 0)
        _, black = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        contours, _ = cv2.findContours(black, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for contour in contours:
            rectangle = cv2.minAreaRect(contour)
            short, long = sorted(rectangle[1])
            if LEAST < short * long / grey.size < MOST and long < SLIM * short:
                square = np.array(
                    [(0, SIDE_PX), (0, 0), (SIDE_PX, 0), (SIDE_PX, SIDE_PX)], np.float32
                )
                move = cv2.getPerspectiveTransform(cv2.boxPoints(rectangle), square)
                patch = np.asarray(cv2.warpPerspective(pixels, move, (SIDE_PX, SIDE_PX)), np.uint8)
                kind, face = self._faces[int(np.argmax(self._rows @ _normal(patch)))]
                x, y, width, height = (int(v) for v in cv2.boundingRect(contour))
                found.append((kind, face, (x, y, width, height)))
        return found


def _normal(patch: Pixels) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """A patch as a row of mean 0 and length 1."""
    small = cv2.resize(np.ascontiguousarray(patch), (SIDE_PX, SIDE_PX)).astype(np.float32).ravel()
    small -= small.mean()
    return np.asarray(small / max(1e-6, float(np.linalg.norm(small))), np.float32)
