"""Ordinary pip dice, read without teaching: which dice lie there and what they show.

Theory of operation. Faces that share a slant lie in one plane: the tops of all dice. A die's
sides are seen more edge on than its top as long as the camera looks down steeply, so the most
frontal plane that most dice agree on is the upper one; faces in other planes must be the sides
of a die whose top is known, or something is unexplained and the table is asked.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels, find_pips, look_up
from camera.pip_faces import BETWEEN, Face, find_faces, unlike
from companion.errors import PictureError

WORK_PIXELS = 1_000_000  # larger pictures are scaled down to this many

WEIGHTS = {1: 0.5, 2: 0.7, 3: 1.3, 4: 2.0, 5: 2.5, 6: 2.5}
CHANGED = 14  # brightness steps that the light or the sensor's noise may account for
SAME_PLANE = 0.3  # how much the ellipses of two upper faces may differ: lens, place, noise


@dataclass(frozen=True)
class PipReading:
    """One die: its upper face, how sure that is, and where it lies (x, y, w, h in pixels)."""

    face: int
    certainty: float
    box: tuple[int, int, int, int]


@dataclass(frozen=True)
class Look:
    """What was seen in one picture.

    readings   the dice, left to right, then top to bottom.
    accepted   False when the table should be asked.
    doubts     why not, in words.
    """

    readings: tuple[PipReading, ...]
    accepted: bool
    doubts: tuple[str, ...]


def working_copy(pixels: Pixels) -> tuple[Pixels, float]:
    """Scale a BGR picture down to WORK_PIXELS; give it with the scale (1 or less)."""
    scale = min(1.0, (WORK_PIXELS / (pixels.shape[0] * pixels.shape[1])) ** 0.5)
    if scale == 1.0:
        return pixels, 1.0
    smaller = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, dtype=np.uint8), scale


def find_tops(faces: list[Face]) -> tuple[list[Face], list[Face]]:
    """Tell upper faces from the others, which are sides of those dice or unexplained."""
    faces = [face for face in faces if face.quality > 0.1 and face.frontality > 0.45]
    faces, sides = _without_sides(faces)
    best: tuple[float, list[Face]] = (-1.0, [])
    strongest = max((abs(face.contrast) for face in faces), default=1.0)
    for reference in faces:
        tops = _in_plane(faces, reference)
        score = sum(_weight(face, strongest) for face in tops)
        score *= 0.5 + reference.frontality
        if score > best[0]:
            best = (score, tops)
    tops = best[1]
    return tops, sides + [face for face in faces if not any(face is top for top in tops)]


def _without_sides(faces: list[Face]) -> tuple[list[Face], list[Face]]:
    """Set aside faces beside a more frontal one on the same die, as its sides."""
    sides = [face for face in faces if any(_is_side(face, other) for other in faces)]
    return [face for face in faces if not any(face is side for side in sides)], sides


def _is_side(face: Face, other: Face) -> bool:
    if face is other or (face.contrast < 0) != (other.contrast < 0):
        return False
    if other.frontality < face.frontality + 0.07 or other.quality < 0.5 * face.quality:
        return False
    if not 0.6 < other.radius_px / face.radius_px < 1.67:
        return False
    apart = float(np.hypot(*(face.at - other.at)))
    slant = float(unlike(face.unit_shape, other.unit_shape))
    return apart < 0.92 * other.side_px and slant > 0.12


def _weight(face: Face, strongest: float) -> float:
    """Weigh a face as evidence: a lattice of many pips is no accident, a single mark may be."""
    return (
        WEIGHTS[face.value]
        * face.quality**0.5
        * min(1.0, 1.3 * abs(face.contrast) / strongest) ** 2
    )


def _in_plane(faces: list[Face], reference: Face) -> list[Face]:
    """Keep faces that lie in the reference's plane, and can lie side by side."""
    kept: list[Face] = []
    slants = {id(face): _slant(face, reference) for face in faces}
    for face in sorted(faces, key=lambda face: slants[id(face)] - 0.02 * face.value):
        if slants[id(face)] < SAME_PLANE and all(dice_apart(face, other) > 0.75 for other in kept):
            kept.append(face)
    return kept


def _slant(face: Face, reference: Face) -> float:
    """Tell how differently two faces lie: 0 for one plane, 9 for dice of different kinds."""
    if abs(face.contrast) < 0.5 * abs(reference.contrast):
        return 9.0
    if (face.contrast < 0) != (reference.contrast < 0):
        return 9.0
    larger = face.radius_px / reference.radius_px
    if not (0.74 if face.value == 1 else 0.7) < larger < (1.9 if face.value == 1 else 1.43):
        return 9.0
    return float(unlike(face.unit_shape, reference.unit_shape))


def dice_apart(face: Face, other: Face) -> float:
    """Measure how far a face lies from another in its plane, in edges of the die."""
    step = np.linalg.inv(other.axes) @ (face.at - other.at)
    return float(np.hypot(*step)) / 5


def read_dice(pixels: Pixels, *, expect: int | None = None, empty: Pixels | None = None) -> Look:
    """Read the pip dice in a BGR picture; say whether a table may rely on it.

    expect  how many dice the table waits for; another number is a doubt.
    empty   the tray without dice, of the same size: what has not changed is no die.
    Raises PictureError when the two pictures differ in size.
    """
    small, scale = working_copy(pixels)
    grey = _grey(small)
    faces = find_faces(grey, find_pips(grey))
    if empty is not None:
        faces = _only_new(faces, small, empty, pixels)
    tops, others = find_tops(faces)
    doubts = _doubts(tops, others, expect)
    readings = sorted(
        (PipReading(top.value, _certainty(top), _box(top, scale, pixels)) for top in tops),
        key=lambda reading: reading.box[:2],
    )
    return Look(tuple(readings), not doubts and bool(readings), tuple(doubts))


def _grey(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _only_new(faces: list[Face], small: Pixels, empty: Pixels, pixels: Pixels) -> list[Face]:
    """Keep faces that cover something which the empty tray does not show."""
    if empty.shape != pixels.shape:
        raise PictureError(
            f"the empty tray: expected a picture of {pixels.shape[1]} x {pixels.shape[0]} pixels,"
            f" got {empty.shape[1]} x {empty.shape[0]}; take it with the same camera"
        )
    before = cv2.GaussianBlur(working_copy(empty)[0], (0, 0), 2)
    change = cv2.absdiff(cv2.GaussianBlur(small, (0, 0), 2), before).max(axis=2)
    change = change.astype(np.uint8)
    own = [look_up(change, face.at + BETWEEN @ face.axes.T) > CHANGED for face in faces]
    return [face for face, new in zip(faces, own, strict=True) if new.mean() > 0.5]


def _doubts(tops: list[Face], others: list[Face], expect: int | None) -> list[str]:
    doubts = []
    if expect is not None and len(tops) != expect:
        doubts.append(f"expected {expect} dice, saw {len(tops)}")
    for face in others:
        near = min((dice_apart(face, top) for top in tops), default=9.0)
        if face.value > 1 and near > 1.3:
            doubts.append(f"something like a {face.value} that is no upper face")
    return doubts


def _certainty(top: Face) -> float:
    return 0.9 if top.value > 1 else 0.8


def _box(top: Face, scale: float, pixels: Pixels) -> tuple[int, int, int, int]:
    corners: Floats = (
        top.at + np.array([(-2.3, -2.3), (2.3, -2.3), (2.3, 2.3), (-2.3, 2.3)]) @ top.axes.T
    )
    limit = np.array([pixels.shape[1], pixels.shape[0]])
    low = np.clip(np.floor(corners.min(axis=0) / scale), 0, limit - 1).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0) / scale), low + 1, limit).astype(int)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])
