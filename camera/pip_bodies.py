"""Dice that nobody read, told by their bodies: things as large as a die that stand out in colour.

Theory of operation. Glare drowns pips, and so does a shadow; the body of the die still stands out
from the table. The picture is made so small that a die is a few pixels wide, and compared with
what lies around at the scale of several dice. Where as much of another colour lies as a die has,
and no read die explains it, the second reader is asked, at and around the middle.

Of a die that the picture's edge cuts there may be no upper side to look at. There, what stands by
itself and differs from the table in the same way as the read dice is taken for one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels
from camera.pip_changes import Changes
from camera.pip_faces import Face
from camera.pip_shapes import median
from camera.pip_votes import face_patches, votes

DIE_PX = 8  # edge of a die in the small picture
AROUND_PX = 7  # width of what a die is compared with, in a quarter of the small picture
OWN = 0.8  # edges of a die around the middle of a read face that it explains
STRENGTH = 0.3  # of that by which the read dice stand out
LEAST_STEPS = 9  # brightness steps by which a body stands out at least
FULL = 0.4  # share of a die's square that stands out
MOST, MOST_PEAKS = 5, 8  # places that are looked at; that may be cut
BESIDE = np.array([(-0.2, 0), (0.2, 0), (0, -0.2), (0, 0.2)])  # edges of a die
SQUARE = np.array([(x, y) for x in (-0.4, 0, 0.4) for y in (-0.4, 0, 0.4)])  # edges of a die
NEW = 0.2  # share of a die's square that the empty tray must not show
SHADY = 0.5  # the same in the middle of what may be a shadow
HOPELESS = 0.1  # chance in the middle below which nobody looks beside it; at 0.25, 9 % are missed
NEAR_EDGE = 0.45  # edges of a die from the picture's edge to the middle of what is cut by it
CUT_FULL, CUT_CHANCE = 0.25, 0.02  # as FULL and HOPELESS, of what is cut
CUT_ALIKE = 0.8  # cosine between what is cut and a read die, as differences of colours
CUT_STRENGTH = (0.4, 2.0)  # of what is cut, in that by which such a read die stands out
ALONE = 0.2  # most that stands out in a ring around what is cut, of its area
RING = (1.3, 1.7)  # edges of a die from the middle to that ring


@dataclass(frozen=True)
class Surroundings:
    """A picture in which dice were read, for what may lie beside them.

    pixels   the picture in colour.
    scale    of `levels[0]`, in which the faces lie and `side_px` counts.
    tops     upper faces of the dice that were read.
    changes  what the empty tray does not show, if known: what it shows too is no die.
    """

    pixels: Pixels
    scale: float
    levels: Sequence[Pixels]
    tops: list[Face]
    side_px: float
    changes: Changes | None = None

    @cached_property
    def relief(self) -> "_Relief | None":
        """What stands out, in a small picture; None where too little is left of it."""
        shrunk = None if self.changes is None else self.changes.small
        quarter = None if shrunk is None else shrunk[0]
        return _relief(self.pixels, self.scale, self.tops, self.side_px, quarter)


def unread_dice(seen: Surroundings) -> tuple[Floats, Floats]:
    """Give places (N, 2) where something as large as a die stands out unread, and their chances."""
    side_px, changes = seen.side_px, seen.changes
    places = _new(body_places(seen), side_px, changes)
    if len(places) == 0:
        return places, np.zeros(0)
    chances = _chances(seen.levels, places, side_px)
    # the middle of what stands out is seldom that of an upper face: sides and shadows count too
    shady = False if changes is None else changes.may_be_shade(places[:, None] + side_px * SQUARE)
    again = np.flatnonzero(chances > np.where(shady, SHADY, HOPELESS))
    around = (places[again, None] + side_px * BESIDE).reshape(-1, 2)
    beside = _chances(seen.levels, around, side_px).reshape(-1, len(BESIDE))
    chances[again] = np.maximum(chances[again], beside.max(axis=1, initial=0))
    return places, chances


def cut_ones(seen: Surroundings) -> Floats:
    """Give places (N, 2) where the picture's edge cuts something like the read dice."""
    relief, side_px = seen.relief, seen.side_px
    if relief is None:
        return np.zeros((0, 2))
    peaks = [peak for peak in _peaks(_shares(relief), CUT_FULL) if _is_cut(relief, peak)]
    places = (np.array(peaks).reshape(-1, 2) + 0.5) * seen.scale / relief.share - 0.5
    places = _new(places, side_px, seen.changes)
    around = places[:, None] + side_px * np.concatenate([np.zeros((1, 2)), BESIDE])
    chances = _chances(seen.levels, around.reshape(-1, 2), side_px).reshape(-1, 1 + len(BESIDE))
    return np.asarray(places[(chances > CUT_CHANCE).any(axis=1)])


def _new(places: Floats, side_px: float, changes: Changes | None) -> Floats:
    """Keep places at which the empty tray shows something else, if that is known."""
    if changes is None or len(places) == 0:
        return places
    return np.asarray(places[changes.share(places[:, None] + side_px * SQUARE) > NEW])


def _chances(levels: Sequence[Pixels], places: Floats, side_px: float) -> Floats:
    if len(places) == 0:
        return np.zeros(0)
    return np.asarray(1 - votes(face_patches(levels, places, side_px))[:, 0])


class _Relief(NamedTuple):
    """What stands out in a small picture.

    small, around  (H, W, 3) the picture and what lies around each pixel.
    raised, free   (H, W) where anything stands out, 1 or 0; the same without the read dice.
    own            (N, 2) middles of the upper faces that were read.
    share          of the size of the whole picture.
    """

    small: Pixels
    around: Pixels
    raised: Pixels
    free: Pixels
    own: Floats
    share: float


def body_places(seen: Surroundings) -> Floats:
    """Find the middles (N, 2) of what stands out, as large as a die, beside all read ones."""
    relief = seen.relief
    if relief is None:
        return np.zeros((0, 2))
    peaks = _peaks(_shares(relief), FULL)[:MOST]
    return np.asarray((peaks + 0.5) * seen.scale / relief.share - 0.5)


def _relief(
    pixels: Pixels, scale: float, tops: list[Face], side_px: float, quarter: Pixels | None
) -> _Relief | None:
    """Shrink a picture until a die is DIE_PX wide; None where little is left of it.

    quarter  the picture as small as that, where it has been made.
    """
    small, share = _small(pixels, DIE_PX * scale / side_px, quarter)
    if min(small.shape[:2]) < DIE_PX:
        return None
    around = _around(small)
    blue, green, red = cv2.split(cv2.absdiff(small, around))
    apart = np.asarray(cv2.max(cv2.max(blue, green), red))
    own = (np.array([top.at for top in tops]) + 0.5) * share / scale - 0.5
    column, row = np.rint(own).astype(int).T
    inside = cv2.blur(apart, (3, 3))[
        np.clip(row, 0, apart.shape[0] - 1), np.clip(column, 0, apart.shape[1] - 1)
    ]
    least = max(LEAST_STEPS, STRENGTH * median(inside))
    raised = np.asarray((apart > least).astype(np.float32))
    free = raised.copy()
    for x, y in own.tolist():
        cv2.circle(free, (round(x), round(y)), round(OWN * DIE_PX), (0.0,), -1)
    return _Relief(small, around, raised, free, own, share)


def _shares(relief: _Relief) -> Pixels:
    return np.asarray(cv2.blur(relief.free, (DIE_PX, DIE_PX), borderType=cv2.BORDER_CONSTANT))


def _is_cut(relief: _Relief, peak: Floats) -> bool:
    """Tell whether what stands out lies at the edge, by itself, and is coloured as a read die."""
    height, width = relief.raised.shape
    x, y = peak.tolist()
    if min(x, y, width - 1 - x, height - 1 - y) >= NEAR_EDGE * DIE_PX:
        return False
    far = np.hypot(np.arange(width)[None] - x, np.arange(height)[:, None] - y) / DIE_PX
    ring = (far > RING[0]) & (far < RING[1])
    if ring.any() and relief.raised[ring].mean() > ALONE:
        return False
    colour = _difference(relief, peak)
    dice = np.array([_difference(relief, place) for place in relief.own])
    lengths = np.maximum(np.linalg.norm(dice, axis=1), 1e-6)
    strength = float(np.linalg.norm(colour))
    alike = dice @ colour / (lengths * max(strength, 1e-6))
    best = int(alike.argmax())
    low, high = CUT_STRENGTH
    return bool(alike[best] > CUT_ALIKE and low < strength / lengths[best] < high)


def _difference(relief: _Relief, place: Floats) -> Floats:
    """Give by how much a spot of five pixels differs from what lies around, (3,)."""
    limits = np.array(relief.raised.shape[::-1]) - 1
    x, y = np.clip(np.rint(place).astype(int), 0, limits).tolist()
    spot = np.s_[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
    return np.asarray(
        (relief.small[spot].astype(np.float32) - relief.around[spot]).mean(axis=(0, 1))
    )


def _small(pixels: Pixels, share: float, quarter: Pixels | None) -> tuple[Pixels, float]:
    """Shrink a picture to a share of its size, in quarters and halves first: that is quicker."""
    small, left = pixels, share
    if left < 0.25 and quarter is not None and quarter.shape[0] == pixels.shape[0] // 4:
        small, left = quarter, 4 * left
    while left < 0.5:
        times = 4 if left < 0.25 else 2
        size = max(1, small.shape[1] // times), max(1, small.shape[0] // times)
        small = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
        left *= times
    small = cv2.resize(small, None, fx=left, fy=left, interpolation=cv2.INTER_LINEAR)
    return np.asarray(small), small.shape[1] / pixels.shape[1]


def _around(small: Pixels) -> Pixels:
    """Give what lies around each pixel of a small picture, at the scale of several dice."""
    quarter = cv2.resize(small, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_LINEAR)
    quarter = cv2.medianBlur(quarter, AROUND_PX)
    return np.asarray(cv2.resize(quarter, small.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def _peaks(full: Pixels, least: float) -> Floats:
    """Pick the places (N, 2) of highest shares, each a die's width from the others."""
    full, places = full.copy(), []
    for _ in range(MOST_PEAKS):
        _, most, _, at = cv2.minMaxLoc(full)
        if most < least:
            break
        places.append(at)
        cv2.circle(full, at, DIE_PX, (0.0,), -1)
    return np.array(places, dtype=float).reshape(-1, 2)
