"""Dice whose pips stand out by their colour: white on yellow, black on blue, gold on white.

Theory of operation. Some pips are about as bright as their die, and differ in how much colour they
have: there a picture of the distance between a pixel's strongest and its weakest channel shows them
clearly. In brightness alone, a blue die with black pips may be a dark mark, and two of them the
pips of a large 2; so large pips with something in them are looked at in that picture too.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels, look_up
from camera.pip_ellipses import Pips
from camera.pip_faces import AROUND, Face
from camera.pip_readings import Look, PipReading
from camera.pip_shapes import square_roots

SMALL_PX = 320  # the longer side of a copy in which colours are compared
VIVID = 40  # steps between the most and the least colour, from which there is something to see
DIE_LIKE_PX = 6.5  # radius of a pip from which it may be a die
OTHER = 0.35  # of what a pip differs from its die by: what differs so much lies in the pip
SHARE = 0.02  # of a pip, that something else takes up
SEEN = 0.5  # certainty from which a die in a pip counts
INSIDE = (np.array([0.1, 0.2, 0.35, 0.5, 0.6, 0.65])[:, None, None] * AROUND).reshape(-1, 2)
BEYOND = 1.5 * AROUND  # pip radii from the middle of a pip


def vividness(pixels: Pixels, shape: tuple[int, ...]) -> Pixels | None:
    """Tell how much colour a BGR picture has, uint8 (height, width); None where that is little."""
    share = SMALL_PX / max(pixels.shape[:2])
    height, width = (max(1, round(share * length)) for length in pixels.shape[:2])
    small = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA))
    least, most = np.percentile(_spread(small), (0.2, 99.8))
    if most - least < VIVID:
        return None
    vivid = _spread(pixels)
    if vivid.shape == shape[:2]:
        return vivid
    way = cv2.INTER_AREA if shape[0] < vivid.shape[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(vivid, shape[1::-1], interpolation=way))


def _spread(pixels: Pixels) -> Pixels:
    blue, green, red = cv2.split(pixels)
    strongest, weakest = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return np.asarray(cv2.subtract(strongest, weakest))


def has_full_pips(pixels: Pixels, scale: float, pips: Pips, tops: Sequence[Face]) -> bool:
    """Tell whether all pips of a face of two and more are large and have something in them.

    scale  of the copy of the picture in which the pips were measured.
    """
    likely = [top for top in tops if len(top.rows) > 1 and top.radius_px > DIE_LIKE_PX]
    return any(_are_full(pixels, scale, pips.take(np.array(sorted(top.rows)))) for top in likely)


def _are_full(pixels: Pixels, scale: float, pips: Pips) -> bool:
    roots = square_roots(pips.shape)
    inside, beyond = (
        look_up(pixels, (pips.at[:, None] + places @ roots + 0.5) / scale - 0.5)
        for places in (INSIDE, BEYOND)
    )
    own, ground = (np.median(seen, axis=1) for seen in (inside, beyond))
    contrast = np.abs(own - ground).max(axis=1)
    apart: Floats = np.abs(inside - own[:, None]).max(axis=2)
    return bool(((apart > OTHER * contrast[:, None]).mean(axis=1) > SHARE).all())


def are_in_pips(seen: Look, plain: Look) -> bool:
    """Tell whether dice of one look lie within much larger ones of another: these are none."""
    sure = [one for one in seen.readings if one.certainty >= SEEN]
    return any(_lies_in(one, other) for one in sure for other in plain.readings)


def _lies_in(one: PipReading, other: PipReading) -> bool:
    size = np.array(other.box[2:])
    is_inside = bool((np.abs(one.middle - other.middle) < size / 2).all())
    return is_inside and 2 * max(one.box[2:]) < min(other.box[2:])
