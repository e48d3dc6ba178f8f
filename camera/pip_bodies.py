"""Dice that nobody read, told by their bodies: things as large as a die that stand out in colour.

Theory of operation. Glare drowns pips, and so does a shadow; the body of the die still stands out
from the table. The picture is made so small that a die is a few pixels wide, and compared with
what lies around at the scale of several dice. Where as much of another colour lies as a die has,
and no read die explains it, the second reader is asked, at and around the middle.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels
from camera.pip_changes import Changes
from camera.pip_faces import Face
from camera.pip_shapes import median
from camera.pip_votes import face_patch, votes

DIE_PX = 8  # edge of a die in the small picture
AROUND_PX = 31  # width of what a die is compared with
OWN = 0.8  # edges of a die around the middle of a read face that it explains
STRENGTH = 0.3  # of that by which the read dice stand out
LEAST_STEPS = 9  # brightness steps by which a body stands out at least
FULL = 0.4  # share of a die's square that stands out
MOST = 5  # places that are looked at
BESIDE = np.array([(-0.2, 0), (0.2, 0), (0, -0.2), (0, 0.2)])  # edges of a die
SQUARE = np.array([(x, y) for x in (-0.4, 0, 0.4) for y in (-0.4, 0, 0.4)])  # edges of a die
NEW = 0.2  # share of a die's square that the empty tray must not show
HOPELESS = 0.03  # chance in the middle below which nobody looks beside it


def unread_dice(
    pixels: Pixels,
    scale: float,
    levels: Sequence[Pixels],
    tops: list[Face],
    side_px: float,
    changes: Changes | None = None,
) -> Floats:
    """Give the chances (N,) that dice lie where something as large as one stands out unread.

    pixels   the picture in colour.
    scale    of `levels[0]`, in which the faces lie and `side_px` counts.
    changes  what the empty tray does not show, if known: what it shows too is no die.
    """
    places = body_places(pixels, scale, tops, side_px)
    if changes is not None and len(places):
        places = places[changes.share(places[:, None] + side_px * SQUARE) > NEW]
    if len(places) == 0:
        return np.zeros(0)
    chances = _chances(levels, places, side_px)
    # the middle of what stands out is seldom that of an upper face: sides and shadows count too
    again = np.flatnonzero(chances > HOPELESS)
    around = (places[again, None] + side_px * BESIDE).reshape(-1, 2)
    beside = _chances(levels, around, side_px).reshape(-1, len(BESIDE))
    chances[again] = np.maximum(chances[again], beside.max(axis=1, initial=0))
    return chances


def _chances(levels: Sequence[Pixels], places: Floats, side_px: float) -> Floats:
    if len(places) == 0:
        return np.zeros(0)
    patches = np.stack([face_patch(levels, place, side_px) for place in places])
    return np.asarray(1 - votes(patches)[:, 0])


def body_places(pixels: Pixels, scale: float, tops: list[Face], side_px: float) -> Floats:
    """Find the middles (N, 2) of what stands out, as large as a die, beside all read ones."""
    small, share = _small(pixels, DIE_PX * scale / side_px)
    if min(small.shape[:2]) < DIE_PX:
        return np.zeros((0, 2))
    apart = cv2.absdiff(small, _around(small))
    blue, green, red = cv2.split(apart)
    apart = np.asarray(cv2.max(cv2.max(blue, green), red))
    own = (np.array([top.at for top in tops]) + 0.5) * share / scale - 0.5
    column, row = np.rint(own).astype(int).T
    inside = cv2.blur(apart, (3, 3))[
        np.clip(row, 0, apart.shape[0] - 1), np.clip(column, 0, apart.shape[1] - 1)
    ]
    least = max(LEAST_STEPS, STRENGTH * median(inside))
    raised = np.asarray((apart > least).astype(np.float32))
    for x, y in own.tolist():
        cv2.circle(raised, (round(x), round(y)), round(OWN * DIE_PX), (0.0,), -1)
    peaks = _peaks(cv2.blur(raised, (DIE_PX, DIE_PX), borderType=cv2.BORDER_CONSTANT))
    return np.asarray((peaks + 0.5) * scale / share - 0.5)


def _small(pixels: Pixels, share: float) -> tuple[Pixels, float]:
    """Shrink a picture to a share of its size, in quarters and halves first: that is quicker."""
    small, left = pixels, share
    while left < 0.5:
        times = 4 if left < 0.25 else 2
        size = max(1, small.shape[1] // times), max(1, small.shape[0] // times)
        small = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
        left *= times
    small = cv2.resize(small, None, fx=left, fy=left, interpolation=cv2.INTER_LINEAR)
    return np.asarray(small), small.shape[1] / pixels.shape[1]


def _around(small: Pixels) -> Pixels:
    """Give what lies around each pixel of a small picture, at the scale of several dice."""
    half = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_LINEAR)
    half = cv2.medianBlur(half, AROUND_PX // 2)
    return np.asarray(cv2.resize(half, small.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def _peaks(full: Pixels) -> Floats:
    """Pick the places (N, 2) of highest shares, each a die's width from the others."""
    full, places = full.copy(), []
    for _ in range(MOST):
        _, most, _, at = cv2.minMaxLoc(full)
        if most < FULL:
            break
        places.append(at)
        cv2.circle(full, at, DIE_PX, (0.0,), -1)
    return np.array(places, dtype=float).reshape(-1, 2)
