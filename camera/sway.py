"""Takes out of a tray's pictures what a table that shakes, or a camera that sways, puts into them.

Corners of whatever it shows are followed from a quiet picture to the newest one. Where many of
them, all over the picture, moved by the same few pixels, it was the camera that moved: the picture
is moved back. What light does is left out beforehand. A camera that stands still costs next to
nothing: its pictures are compared, and given on as they are. So are those of one that was pushed
too far for that, as soon as it stands still again.
Source of the following: Lucas and Kanade 1981, in OpenCV's pyramids.
"""

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.halves import Halves
from camera.seek import Floats
from camera.tracks import grey_of

WORK_PX = 320  # the longer side of pictures that are compared, at most
DIFFERENT, CELLS = 12, 6  # levels, pixels: what differs less is a picture like the one before
CORNERS, APART_PX, QUALITY = 60, 8, 0.004  # that are followed, and what they are like
LEAST_CORNERS, LEAST_SHARE = 8, 0.25  # that have to agree: dice and hands are in the way
ALIKE_PX = 0.3  # in pictures that are compared: so far apart are ways that agree
QUARTERS = 3  # of the picture, in which some of them have to be
LEAST_PX, MOST_PX = 0.3, 8.0  # a way that is taken out; less is how exactly it is measured
SOFT_PX, STEEP = 5.0, 150.0  # light is softer than this; how steep contrast becomes
WINDOW_PX, HALVED = (15, 15), 2  # around corners; how often pictures are halved
Bools = npt.NDArray[np.bool_]
Singles = npt.NDArray[np.float32]
_LOGS = np.log(np.arange(256, dtype=np.float32) + 12.0)
_STILL = np.zeros(2)


class MovedBack(Halves):
    """A picture that is moved back by its way (2,), once somebody looks at it."""

    def __init__(self, pixels: Pixels, way: Floats) -> None:
        self._shifted, self._way = pixels, way
        self._sizes = []

    @property
    def pixels(self) -> Pixels:
        """The picture, moved back."""
        return self.at(0)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self._shifted.shape[1], self._shifted.shape[0]

    def at(self, times: int) -> Pixels:
        """The picture, moved back and halved so often, or as often as it is large enough for."""
        if not self._sizes:
            self._sizes.append(moved_back(self._shifted, self._way))
        return super().at(times)


class Sway:
    """Follows one camera."""

    def __init__(self) -> None:
        self._quiet: Pixels | None = None  # small and grey, as the others
        self._before: Pixels | None = None
        self._flat: Pixels | None = None  # the quiet one without its light
        self._corners = np.zeros((0, 1, 2), np.float32)
        self._way, self._is_far = _STILL, False

    def steadied(self, pixels: Pixels) -> tuple[Halves, Pixels, float]:
        """A picture as it were if the camera stood still; the same in grey, and its scale."""
        picture = Halves(pixels)
        grey, scale = grey_of(picture)
        way = self.of(grey)
        if not way.any():
            return picture, grey, scale
        return MovedBack(pixels, way / scale), moved_back(grey, way), scale

    def of(self, grey: Pixels) -> Floats:
        """How far (2,) a grey picture is shifted to the right and down, in its pixels."""
        times = max(1.0, max(grey.shape) / WORK_PX)
        size = tuple(max(1, round(side / times)) for side in grey.shape[::-1])
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        before, self._before = self._before, small
        if self._quiet is None or before is None or before.shape != small.shape:
            self._take(small)
        elif _are_alike(before, small):
            if self._is_far or not self._way.any():
                self._take(small)
        else:
            self._follow(small, times)
        return self._way

    def _take(self, small: Pixels) -> None:
        """Follow from this picture on; its corners are sought when they are needed."""
        self._quiet, self._flat, self._way, self._is_far = small, None, _STILL, False

    def _follow(self, small: Pixels, times: float) -> None:
        """Tell the way that most corners went since the picture was quiet."""
        assert self._quiet is not None
        if self._flat is None:
            self._flat = without_light(self._quiet)
            self._corners = _corners_of(self._flat)
        if len(self._corners) < LEAST_CORNERS:
            return
        there, found, _ = cv2.calcOpticalFlowPyrLK(
            self._flat, without_light(small), self._corners, self._corners.copy(),
            winSize=WINDOW_PX, maxLevel=HALVED,
        )  # fmt: skip
        ways = np.asarray(there - self._corners, np.float64).reshape(-1, 2)
        agree = _most_alike(ways, found.ravel() == 1)
        if not self._is_told_by(agree, small.shape):
            return
        way = times * ways[agree].mean(axis=0)
        self._is_far = bool(np.hypot(*way) > MOST_PX)
        if not self._is_far:
            self._way = way if np.hypot(*way) >= LEAST_PX else _STILL

    def _is_told_by(self, agree: Bools, shape: tuple[int, ...]) -> bool:
        """True if many corners agree, and lie all over the picture."""
        at = self._corners.reshape(-1, 2)[agree]
        right, low = (at[:, n] > shape[1 - n] / 2 for n in (0, 1))
        enough = max(LEAST_CORNERS, LEAST_SHARE * len(self._corners))
        return len(at) >= enough and len(np.unique(2 * low + right)) >= QUARTERS


def _corners_of(flat: Pixels) -> Singles:
    """Corners (N, 1, 2) that can be followed."""
    found = cv2.goodFeaturesToTrack(flat, CORNERS, QUALITY, APART_PX)
    return np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)


def _most_alike(ways: Floats, found: Bools) -> Bools:
    """Which of the corners that were found moved like the most others did (N)."""
    gaps = np.hypot(*(ways[:, None] - ways[None]).T)
    alike = (gaps < ALIKE_PX) & found & found[:, None]
    return np.asarray(alike[alike.sum(axis=1).argmax()], np.bool_)


def moved_back(pixels: Pixels, way: Floats) -> Pixels:
    """A picture as it were if it had not been shifted; its edges are drawn out."""
    matrix = np.array([(1.0, 0.0, -way[0]), (0.0, 1.0, -way[1])])
    size = (pixels.shape[1], pixels.shape[0])
    back = cv2.warpAffine(pixels, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(back, np.uint8)


def without_light(small: Pixels) -> Pixels:
    """What a grey picture shows, however bright it is, and wherever."""
    logs = cv2.LUT(small, _LOGS)
    flat = STEEP * (logs - cv2.GaussianBlur(logs, (0, 0), SOFT_PX)) + 128
    return np.asarray(flat.clip(0, 255), np.uint8)


def _are_alike(one: Pixels, other: Pixels) -> bool:
    differs = cv2.inRange(cv2.absdiff(one, other), (DIFFERENT + 1,), (255,))
    return cv2.countNonZero(differs) < CELLS
