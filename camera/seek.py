"""Seek dice in a picture of any tray, without knowing where the camera is.

Theory of operation. A small network (trained by camera/learn_finder.py on drawn scenes) looks at
the picture, scaled down to 320 pixels, and tells for every cell of 8 x 8 pixels whether the middle
of an upper side is there. The shape of a side, seen from anywhere, is nearly a parallelogram: a
square, turned by an angle, then stretched by a symmetric matrix S. The network gives log S (three
numbers, no direction is special) and cosine and sine of four times the angle (a square has no
first corner).
"""

import math
import weakref
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.halves import Halves, Picture

Floats = npt.NDArray[np.float64]
WEIGHTS = Path(__file__).with_name("seek.onnx")
WORK_PX = 320  # the longer side of the picture that the network sees
SMALL_PX, LARGE_PX = 12.5, 46.0  # a die's side there; others are looked at in another size
LEAST_HEAT = 0.3
MOST = 400  # cells that are looked at
CELL_PX = 8
ONE_MAP: Any = None  # for remap's second map, where the first holds x and y
_BEFORE = [3, 0, 1, 2]  # the corner before each
CHANNELS = 11  # heat, x, y, log S (xx, xy, yy), cosine, sine, leans, down (x, y)


def shape_of(corners: Floats) -> Floats:
    """Five numbers for a parallelogram (4, 2) in pixels: log S, cosine and sine of the turn."""
    ways = corners - corners.mean(axis=0)
    ways = (ways - np.roll(ways, 2, axis=0))[:2] / 2
    spread, axes = np.linalg.eigh(ways.T @ ways)
    log_size = 0.5 * np.log(np.maximum(spread, 1e-6))
    logs = axes @ np.diag(log_size) @ axes.T
    whole = axes @ np.diag(np.exp(-log_size)) @ axes.T
    turned = whole @ ways[0]
    angle = 4 * math.atan2(turned[1], turned[0])
    return np.array([logs[0, 0], logs[0, 1], logs[1, 1], math.cos(angle), math.sin(angle)])


def corners_from(shapes: Floats) -> Floats:
    """The corners (..., 4, 2) around the middle that `shape_of` would describe so, clockwise."""
    xx, xy, yy = shapes[..., 0], shapes[..., 1], shapes[..., 2]
    mean, half = (xx + yy) / 2, (xx - yy) / 2
    apart = np.maximum(np.hypot(half, xy), 1e-9)
    size, along, across = np.exp(mean), np.cosh(apart), np.sinh(apart) / apart
    stretch = np.stack(
        [along + across * half, across * xy, across * xy, along - across * half], axis=-1
    )
    stretch = (size[..., None] * stretch).reshape(*size.shape, 2, 2)
    angle = np.arctan2(shapes[..., 4], shapes[..., 3]) / 4
    turns = angle[..., None] + np.arange(4) * (math.pi / 2)
    return np.asarray(np.stack((np.cos(turns), np.sin(turns)), axis=-1) @ stretch, np.float64)


def half_diagonal(shape: Floats) -> float:
    """Geometric mean of the half axes of a shape (five numbers), in pixels."""
    return math.exp((float(shape[0]) + float(shape[2])) / 2)


def ways_of(corners: Floats) -> Floats:
    """From the first corner of upper sides (N, 4, 2) to its neighbours: (N, 2, 2)."""
    first = corners[:, 0]
    return np.stack((corners[:, 1] - first, corners[:, 3] - first), axis=1)


class Seen(NamedTuple):
    """The upper side of one die.

    corners  (4, 2) in picture pixels, clockwise.
    heat     how sure it is that a die is here, 0 to 1.
    leans    how sure it is that the die does not lie flat, 0 to 1.
    down     (2,) picture pixels from the middle of the upper side to that of the lower one.
    """

    corners: Floats
    heat: float
    leans: float
    down: Floats

    @property
    def middle(self) -> Floats:
        """Its middle, (2,) in picture pixels."""
        return np.asarray(self.corners.mean(axis=0), np.float64)

    @property
    def side_px(self) -> float:
        """How long its edges are on the average."""
        return float(sides_of(self.corners[None])[0])


def sides_of(corners: Floats) -> Floats:
    """How long the edges of upper sides (N, 4, 2) are on the average: (N) pixels."""
    ways = corners - corners[:, _BEFORE]
    return np.asarray(np.hypot(ways[..., 0], ways[..., 1]).sum(axis=1) / 4, np.float64)


def side_px(corners: Floats) -> float:
    """How long the first edge of an upper side (4, 2) is, in pixels."""
    return float(np.hypot(*(corners[1] - corners[0])))


def log_odds(chances: Floats) -> Floats:
    """Logarithms of the odds of something that is as likely as this, 0 to 1."""
    within = np.clip(chances, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(within / (1 - within)), np.float64)


def chances_of(odds: Floats) -> Floats:
    """How likely something is, 0 to 1, whose log-odds are these."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float64)


class Seeker:
    """Seeks dice, in one thread at a time; loads its network once.

    A network that gets a picture of another size lays itself out anew, which takes half a
    millisecond or less; another network would hold 11 MB.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights), cv2.dnn.ENGINE_CLASSIC)
        self._last: tuple[weakref.ref[Halves], dict[int, _Maps]] | None = None

    def seek(self, picture: Picture, least: float = LEAST_HEAT, turns: int = 0) -> list[Seen]:
        """Find dice in a picture (H, W, 3) uint8 BGR; those that are surest first.

        Dice that are too small or too large for the usual size are looked at in another one. The
        same picture is looked at once, if it comes as `Halves`.

        turns  quarter turns to the left after which it stands upright: the near wall low.
        """
        halves = Halves.of(picture)
        if self._last is None or self._last[0]() is not halves:
            self._last = (weakref.ref(halves), {})
        known = self._last[1]
        if turns not in known:
            known[turns] = self._sought(halves, turns)
        return known[turns].seen(least)

    def _sought(self, halves: Halves, turns: int) -> "_Maps":
        longest = max(halves.pixels.shape[:2])
        found = _seek_at(self._net, halves, WORK_PX / longest, turns)
        likely = [die.corners for die in found.seen(LEAST_HEAT) if die.heat > 0.5]
        if likely:
            typical = np.sort(sides_of(np.array(likely)))[len(likely) // 2] * WORK_PX / longest
            if typical < SMALL_PX and longest > WORK_PX * 1.3:
                factor = min(1.5, longest / WORK_PX)
                return _seek_at(self._net, halves, factor * WORK_PX / longest, turns)
            if typical > LARGE_PX:
                return _seek_at(self._net, halves, 0.5 * WORK_PX / longest, turns)
        return found

    def seek_at(self, picture: Picture, scale: float, least: float, turns: int = 0) -> list[Seen]:
        """Find dice in a picture that the network sees so many times its size."""
        return _seek_at(self._net, Halves.of(picture), scale, turns).seen(least)


class _Maps:
    """What the network tells of the cells of a picture (CHANNELS, rows, columns)."""

    def __init__(self, told: npt.NDArray[np.float32], ratio: Floats, back: Floats) -> None:
        self._told, self._ratio, self._back = told, ratio, back
        self._seen: dict[float, list[Seen]] = {}

    def seen(self, least: float) -> list[Seen]:
        """Dice that are as sure as this, the surest first."""
        if least not in self._seen:
            self._seen[least] = _decoded(self._told, least, self._ratio, self._back)
        return list(self._seen[least])


def _seek_at(net: Any, halves: Halves, scale: float, turns: int) -> _Maps:
    times = max(0, math.floor(math.log2(1 / scale) + 1e-9)) if scale < 1 else 0
    near, shrink = halves.near(times)
    height, width = (max(8, round(n * scale / shrink)) for n in near.shape[:2])
    small: Pixels = near
    if (height, width) != near.shape[:2]:
        small = np.asarray(cv2.resize(near, (width, height), interpolation=cv2.INTER_AREA))
    turned = np.ascontiguousarray(np.rot90(small, turns)) if turns else small
    low, right = (-n % 16 for n in turned.shape[:2])
    whole = cv2.copyMakeBorder(turned, 0, low, 0, right, cv2.BORDER_REPLICATE)
    net.setInput(cv2.dnn.blobFromImage(whole, 1 / 255))
    maps = np.asarray(net.forward()[0])
    ratio = np.array([near.shape[1] / width, near.shape[0] / height]) / shrink
    return _Maps(maps, ratio, _turned_back((width, height), turns))


def _turned_back(size: tuple[int, int], turns: int) -> Floats:
    """What brings places in a turned picture back to the one of this width and height: (2, 3)."""
    width, height = size
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    turn = np.linalg.matrix_power(np.array([(0.0, -1.0), (1.0, 0.0)]), turns % 4)
    before = middle[::-1] if turns % 2 else middle
    return np.column_stack([turn, middle - turn @ before])


def _decoded(
    maps: npt.NDArray[np.float32], least: float, ratio: Floats, back: Floats
) -> list[Seen]:
    """What the cells tell that may hold the middle of a die, hottest first."""
    rows, columns = np.nonzero(maps[0] > math.log(least / (1 - least)))
    order = np.argsort(-maps[0, rows, columns], kind="stable")[:MOST]
    numbers = maps[:, rows[order], columns[order]].astype(np.float64).T
    cells = np.column_stack((columns[order], rows[order]))
    middles = (cells + 0.5 + numbers[:, 1:3]) * CELL_PX - 0.5
    corners = middles[:, None] + corners_from(numbers[:, 3:8])
    corners = (corners @ back[:, :2].T + back[:, 2] + 0.5) * ratio - 0.5
    kept = _apart(corners)
    numbers = numbers[kept]
    half = np.exp((numbers[:, 3] + numbers[:, 5]) / 2)
    downs = numbers[:, 9:11] @ back[:, :2].T * half[:, None] * ratio
    chances = chances_of(numbers[:, [0, 8]])
    return [
        Seen(at, heat, leans, down)
        for at, (heat, leans), down in zip(corners[kept], chances.tolist(), downs, strict=True)
    ]


def _apart(corners: Floats) -> list[int]:
    """Numbers of those dice (N, 4, 2), surest first, that are not where a surer one is already."""
    sides, middles = sides_of(corners), corners.sum(axis=1) / 4
    gaps = middles[:, None] - middles[None]
    near = np.hypot(gaps[..., 0], gaps[..., 1]) < 0.55 * np.minimum(sides[:, None], sides[None])
    left, kept = np.ones(len(corners), np.bool_), []
    for number in range(len(corners)):
        if left[number]:
            kept.append(number)
            left &= ~near[number]
    return kept
