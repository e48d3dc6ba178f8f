"""Ordinary pip dice, read without teaching: which dice lie there and what they show.

Theory of operation. Two readers that work differently look at the picture. The first explains
pips as faces and tells upper faces from sides; it finds the dice. The second is a small network
that looks at each place as a picture. A roll is accepted when both agree on every die and nothing
that looks like a die to either is left over; otherwise the table is asked.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pips, Pixels, find_pips, look_up
from camera.pip_faces import BETWEEN, Face, find_faces
from camera.pip_tops import dice_apart, find_tops
from camera.pip_votes import face_patch, votes
from companion.errors import PictureError

WORK_PIXELS = 1_000_000  # larger pictures are scaled down to this many

AGREED = 0.8  # the network's chance of a face from which it counts as the same reading
SURELY_NONE = 0.9  # from which a single mark is dropped without asking anybody
DIE_LIKE = 0.5  # from which an unexplained face is a die that was not read
MOST_LEFT_OVER = 12  # unexplained faces that are looked at again
NAMES = ("none", "a 1", "a 2", "a 3", "a 4", "a 5", "a 6")
CHANGED = 14  # brightness steps that the light or the sensor's noise may account for


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


def read_dice(pixels: Pixels, *, expect: int | None = None, empty: Pixels | None = None) -> Look:
    """Read the pip dice in a BGR picture; say whether a table may rely on it.

    expect  how many dice the table waits for; another number is a doubt.
    empty   the tray without dice, of the same size: what has not changed is no die.
    Raises PictureError when the two pictures differ in size.
    """
    small, scale = working_copy(pixels)
    grey = _grey(small)
    pips = find_pips(grey)
    faces = find_faces(grey, pips)
    if empty is not None:
        faces = _only_new(faces, small, empty, pixels)
    tops, others = find_tops(faces)
    if not tops:
        return Look((), False, tuple(_surplus(0, expect)))
    side_px = float(np.median([top.side_px for top in tops]))
    tops, chances = _seconded(grey, tops, side_px)
    doubts = _surplus(len(tops), expect) + _disagreements(tops, chances)
    doubts += _left_over(grey, tops, others, side_px) + _loose(grey, pips, tops, side_px)
    doubts = list(dict.fromkeys(doubts))
    readings = sorted(
        (
            PipReading(top.value, _certainty(top, chance), _box(top, scale, pixels))
            for top, chance in zip(tops, chances, strict=True)
        ),
        key=lambda reading: reading.box[:2],
    )
    return Look(tuple(readings), bool(readings) and not doubts, tuple(doubts))


def _seconded(grey: Pixels, tops: list[Face], side_px: float) -> tuple[list[Face], Floats]:
    """Ask the second reader about each face; a single mark that it takes for none is dropped."""
    chances = votes(np.stack([face_patch(grey, top.at, side_px) for top in tops]), turns=2)
    kept = [row for row, top in enumerate(tops) if top.value > 1 or chances[row, 0] < SURELY_NONE]
    return [tops[row] for row in kept], chances[kept]


def _surplus(seen: int, expect: int | None) -> list[str]:
    if expect is None or seen == expect:
        return []
    return [f"expected {expect} dice, saw {seen}"]


def _disagreements(tops: list[Face], chances: Floats) -> list[str]:
    return [
        f"a {top.value} that may be {NAMES[int(chance.argmax())]}"
        for top, chance in zip(tops, chances, strict=True)
        if chance[top.value] < AGREED
    ]


def _left_over(grey: Pixels, tops: list[Face], others: list[Face], side_px: float) -> list[str]:
    """Name faces apart from all read dice that one of the readers takes for a die."""
    apart = [
        face
        for face in sorted(others, key=lambda face: -face.quality)
        if all(dice_apart(face, top) > 0.6 for top in tops) and 0.5 < face.side_px / side_px < 2.0
    ][:MOST_LEFT_OVER]
    if not apart:
        return []
    chances = votes(np.stack([face_patch(grey, face.at, side_px) for face in apart]))
    return [
        f"something like a {face.value} that is no upper face"
        for face, chance in zip(apart, chances, strict=True)
        if 1 - chance[0] > DIE_LIKE
    ]


def _loose(grey: Pixels, pips: Pips, tops: list[Face], side_px: float) -> list[str]:
    """Look where pips like those of the dice lie apart from them: at each and between two."""
    if not tops:
        return []
    contrast = np.median([top.contrast for top in tops])
    radius = np.median([top.radius_px for top in tops])
    size = np.sqrt(np.linalg.eigvalsh(pips.shape)[:, 1]) / radius
    alike = (size > 0.6) & (size < 1.9) & (pips.contrast / contrast > 0.5)
    far = np.linalg.norm(pips.at[:, None] - np.array([top.at for top in tops]), axis=2).min(axis=1)
    at = pips.at[alike & (far > 0.8 * side_px)][:MOST_LEFT_OVER]
    first, second = np.triu_indices(len(at))
    near = np.linalg.norm(at[first] - at[second], axis=1) < 0.8 * side_px
    middles = ((at[first] + at[second]) / 2)[near][: 4 * MOST_LEFT_OVER]
    if len(middles) == 0:
        return []
    chances = votes(np.stack([face_patch(grey, middle, side_px) for middle in middles]))
    return ["something like a die that was not read"] * bool((chances[:, 0] < 1 - DIE_LIKE).any())


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


def _certainty(top: Face, chances: Floats) -> float:
    """Join both readers' opinions: neither alone makes a reading certain."""
    return float(min(0.995, chances[top.value] * (0.9 + 0.1 * top.quality)))


def _box(top: Face, scale: float, pixels: Pixels) -> tuple[int, int, int, int]:
    corners: Floats = (
        top.at + np.array([(-2.3, -2.3), (2.3, -2.3), (2.3, 2.3), (-2.3, 2.3)]) @ top.axes.T
    )
    limit = np.array([pixels.shape[1], pixels.shape[0]])
    low = np.clip(np.floor(corners.min(axis=0) / scale), 0, limit - 1).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0) / scale), low + 1, limit).astype(int)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])
