"""Find the dice in one zone: what differs from the empty tray, explained by cubes of one size.

Theory of operation. The zone is shown flat, in the plane of the dice's upper sides. What is not the
empty tray (shadows are: the same colour, only darker) makes blobs: a die covers its upper side, a
square of known size, and everything between it and the floor, in a known direction. Taking that
way off the blob leaves upper sides only. A blob of the size of one square is one die; larger ones
are taken apart square by square, those first that stick out most. What no die explains is reported
too: a hand in the tray is not a die, and no rest either.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.calibrate import MARGIN_SIDES, Floats, Pixels, ZoneView, map_points
from camera.ground import FIND_PX, Ground, flat_px

_SMALLEST = 0.25  # of a square: smaller blobs are fluff
_FOREIGN = 0.45  # of a square: so much that no die explains is a hand, or a thing
_RING = 0.6  # weight of what lies around a square against what lies in it
_LARGEST = 1.8  # squares that a die can cover, its sides included

_IN = np.array([(x, y) for x in np.linspace(-0.46, 0.46, 7) for y in np.linspace(-0.46, 0.46, 7)])
_SIDE = np.linspace(-0.5, 0.5, 7)
_RIMS = (-0.57, 0.57)
_AROUND = np.array([(x, y) for x in _RIMS for y in _SIDE] + [(x, y) for y in _RIMS for x in _SIDE])
_PROBE_X, _PROBE_Y = np.vstack([_IN, _AROUND]).T.astype(np.float32)
_WEIGHTS = np.concatenate(
    [np.full(len(_IN), 1 / len(_IN)), np.full(len(_AROUND), -_RING / len(_AROUND))]
).astype(np.float32)
_ALL = slice(None)
_STRIDE = 3  # pixels between the places that are searched
_COARSE = np.r_[0 : len(_IN) : 2, len(_IN) : len(_PROBE_X) : 2]  # every other point, to search
_NEAR: Floats = np.array([(x, y, a) for x in (-1, 0, 1) for y in (-1, 0, 1) for a in (-1, 0, 1)])
_CORNERS: Floats = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


class Body(NamedTuple):
    """One die, without its meaning.

    x, y    middle of its upper side in the zone, in sides.
    angle   of its edges, 0 to pi/2, radians.
    fit     how well a square explains what is seen, 0 to 1.
    """

    x: float
    y: float
    angle: float
    fit: float

    def corners(self, size: float = 1.0) -> Floats:
        """Corners (4, 2) of the upper side in the zone, in sides."""
        return _turned(size * _CORNERS, self.angle) + (self.x, self.y)


class Found(NamedTuple):
    """The dice of a zone, and how many dice large the largest thing is that is none."""

    bodies: tuple[Body, ...]
    foreign: float

    @property
    def is_clear(self) -> bool:
        """True if nothing but dice lies in the zone."""
        return self.foreign < _FOREIGN


class Finder:
    """Finds dice in one zone.

    empty   a picture of the tray without dice.
    most    so many dice can lie here; what is larger than they are is something else.
    """

    def __init__(self, view: ZoneView, empty: Pixels, most: int = 30) -> None:
        self.view, self._most = view, most
        self._ground = Ground(view, empty)

    def find(self, pixels: Pixels) -> Found:
        """Find the dice in a picture (H, W, 3) uint8 BGR; raise PictureError for anything else."""
        self.view.check(pixels)
        mask = self._ground.foreground(self._ground.flat(pixels))
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        bodies: list[Body] = []
        foreign = 0.0
        for contour in contours:
            if cv2.contourArea(contour) < _SMALLEST * FIND_PX**2:
                continue
            found, unexplained = self._explain(contour)
            bodies += found
            foreign = max(foreign, unexplained)
        return Found(tuple(sorted(bodies, key=lambda body: (body.x, body.y))), foreign)

    def _explain(self, contour: Any) -> tuple[list[Body], float]:
        """Take one blob apart into dice; return them and the area that is left, in squares."""
        if cv2.contourArea(contour) > _LARGEST * (self._most + 1) * FIND_PX**2:
            return [], cv2.contourArea(contour) / FIND_PX**2
        pad = 16  # a square turned about a corner of the blob still lies in the crop
        left, top, width, height = cv2.boundingRect(contour)
        offset = np.array([left - pad, top - pad], np.float64)
        blob = np.zeros((height + 2 * pad, width + 2 * pad), np.uint8)
        cv2.drawContours(blob, [contour - offset.astype(np.int32)], -1, (255,), -1)
        tops = self._upper_sides(blob, offset)
        bodies = [body_of(square, offset) for square in _apart(tops, self._most)]
        if not bodies:
            return [], float(np.count_nonzero(blob)) / FIND_PX**2
        fit = 1.0 - self._too_much(blob, bodies, offset)
        if len(bodies) == 1:  # squares that touch lie in each other's way, and score less
            fit -= 0.5 * (1.0 - bodies[0].fit)
        unexplained = blob & ~self._covered_by(bodies, blob.shape, offset, 1.3)
        left_over = float(np.count_nonzero(unexplained)) / FIND_PX**2
        return [body._replace(fit=max(0.0, fit)) for body in bodies], left_over

    def _too_much(
        self, blob: npt.NDArray[np.uint8], bodies: Sequence[Body], offset: Floats
    ) -> float:
        """How much of a blob sticks out of the cubes that explain it: leaning dice do."""
        explained = self._covered_by(bodies, blob.shape, offset, 1.05)
        covered = max(1, cv2.countNonZero(explained))
        return cv2.countNonZero(cv2.bitwise_and(blob, cv2.bitwise_not(explained))) / covered

    def _upper_sides(self, blob: npt.NDArray[np.uint8], offset: Floats) -> npt.NDArray[np.uint8]:
        """Take off a blob what lies between the upper sides and the floor."""
        middle = (np.array(blob.shape[::-1]) / 2 + offset) / FIND_PX - MARGIN_SIDES
        way = FIND_PX * (map_points(self.view.rise, middle[None])[0] - middle)
        reach = int(np.ceil(np.abs(way).max()))
        if reach == 0:
            return blob
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
        cv2.line(kernel, (reach, reach), (reach + round(way[0]), reach + round(way[1])), 1)
        return np.asarray(cv2.erode(blob, kernel), np.uint8)

    def _covered_by(
        self, bodies: Sequence[Body], shape: tuple[int, ...], offset: Floats, size: float
    ) -> npt.NDArray[np.uint8]:
        """Draw what cubes cover, `size` sides wide, from their upper sides to the floor."""
        drawn = np.zeros(shape, np.uint8)
        for body in bodies:
            corners = body.corners(size)
            both = np.vstack([corners, map_points(self.view.rise, corners)])
            hull = cv2.convexHull((flat_px(both) - offset).astype(np.float32))
            cv2.fillConvexPoly(drawn, np.round(hull - 0.5).astype(np.int32), (255,))
        return drawn


def _turned(points: Floats, angle: float) -> Floats:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]), np.float64)


def body_of(square: Floats, offset: Floats) -> Body:
    """Turn a square (x, y, angle, score) of a crop of the flat picture into zone sides."""
    x, y = (square[:2] + 0.5 + offset) / FIND_PX - MARGIN_SIDES
    fit = min(1.0, max(0.0, float(square[3])))
    return Body(float(x), float(y), float(square[2]) % (math.pi / 2), fit)


def _apart(tops: npt.NDArray[np.uint8], most: int) -> list[Floats]:
    """Cover upper sides with squares (x, y, angle, score), then let each find its place again."""
    soft = cv2.GaussianBlur(tops, (3, 3), 0)
    whole = np.asarray(soft / np.float32(255), np.float32)
    rest = whole.copy()
    squares: list[Floats] = []
    while len(squares) < most and float(rest.sum()) > 0.5 * FIND_PX**2:
        square = _best_square(rest, tops, is_single=not squares)
        if square is None:
            break
        squares.append(square)
        _cover(rest, square)
    for number in (*range(len(squares)), *range(len(squares))) if len(squares) > 1 else ():
        rest = whole.copy()
        for other in squares[:number] + squares[number + 1 :]:
            _cover(rest, other)
        squares[number] = fitted(rest, squares[number])
    return squares


def _cover(rest: npt.NDArray[np.float32], square: Floats) -> None:
    outline = _turned(FIND_PX * 1.04 * _CORNERS, square[2]) + square[:2]
    cv2.fillConvexPoly(rest, np.round(outline).astype(np.int32), (0.0,))


def _best_square(
    rest: npt.NDArray[np.float32], tops: npt.NDArray[np.uint8], *, is_single: bool
) -> Floats | None:
    """Find the square (x, y, angle, score) that covers what is left best; None if none does."""
    start = _outline_square(tops) if is_single else None
    starts = _search(rest) if start is None else [start]
    placed = [fitted(rest, start) for start in starts]
    best = max(placed, key=lambda square: float(square[3]), default=None)
    return best if best is not None and best[3] > 0.55 else None


def fitted(rest: npt.NDArray[np.float32], start: Floats) -> Floats:
    """Move a square (x, y, angle) of the flat picture to where it fits best; with its score."""
    best = start
    for step_px, step_angle in ((1.0, 0.06), (1.0, 0.06), (0.5, 0.03), (0.25, 0.015)):
        squares = best[:3] + _NEAR * (step_px, step_px, step_angle)
        scores = _scores(rest, squares)
        top = int(np.argmax(scores))
        best = np.array([*squares[top], scores[top]])
    return best


def _outline_square(tops: npt.NDArray[np.uint8]) -> Floats | None:
    """Measure a blob that is one square; None if it is anything else."""
    contours, _ = cv2.findContours(tops, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    largest = max(contours, key=cv2.contourArea)
    (x, y), (width, height), degrees = cv2.minAreaRect(largest)
    longest, shortest = max(width, height) + 1, min(width, height) + 1
    if longest > 1.22 * FIND_PX or shortest < 0.78 * FIND_PX:
        return None
    return np.array([x, y, math.radians(degrees), 0.0])


def _search(rest: npt.NDArray[np.float32]) -> list[Floats]:
    """Try squares all over what is left; return the most promising ones, of different angles."""
    rows, columns = np.nonzero(rest[::_STRIDE, ::_STRIDE] > 0.5)
    if not len(rows):
        return []
    places = _STRIDE * np.column_stack((columns, rows))
    angles = np.arange(0, math.pi / 2, math.pi / 28)
    squares = np.column_stack((np.tile(places, (len(angles), 1)), np.repeat(angles, len(places))))
    scores = _scores(rest, squares, _COARSE).reshape(len(angles), -1)
    tops = scores.argmax(axis=1)
    best = np.argsort(-scores.max(axis=1))[:4]
    return [np.array([*squares[turn * len(places) + tops[turn]], 0.0]) for turn in best]


def _scores(
    rest: npt.NDArray[np.float32], squares: Floats, points: slice | npt.NDArray[np.int64] = _ALL
) -> Floats:
    """How well squares (N, 3) fit: full inside, empty around; 1 at best."""
    probe_x, probe_y, weights = _PROBE_X[points], _PROBE_Y[points], _WEIGHTS[points]
    cos = FIND_PX * np.cos(squares[:, 2:3]).astype(np.float32)
    sin = FIND_PX * np.sin(squares[:, 2:3]).astype(np.float32)
    place = (squares[:, :2] + 0.5).astype(np.float32)
    columns = (place[:, 0:1] + cos * probe_x - sin * probe_y).astype(np.int32)
    rows = (place[:, 1:2] + sin * probe_x + cos * probe_y).astype(np.int32)
    seen = rest.take(rows * np.int32(rest.shape[1]) + columns, mode="clip")
    return np.asarray(seen @ weights, np.float64)
