"""Whether a die with pips lies flat: a small network compares it with how a flat one would look.

Theory of operation. Under the plane that the dice share, it is known where the upper side of a die
that lies flat ends and where its other sides are seen. Each die is cut out as that plane shows it,
its way down pointing down; the network sees that picture, and beside it the outlines that a flat
die has there. A die that leans shows other sides than it should. Nearly upright, an ellipse
changes with the square of a slope, and what is seen of the other sides with the slope itself: so
this tells small slopes that pips do not. Weights: `pip_standing.npz`, by `train_standing.py`.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels
from camera.pip_faces import Face
from camera.pip_lattice import inverses
from camera.pip_planes import (
    FOCAL,
    Floor,
    Plane,
    Tilts,
    floor_under,
    lean_shares,
    on_rays,
    shared_plane,
)
from camera.pip_shapes import axes_squared, median
from camera.pip_votes import AT_ONCE, as_input, patches_through, scores_of

WEIGHTS = Path(__file__).with_suffix(".npz")
SHOWN_PX, SPAN = 48, 2.5  # width of what is cut out, in pixels and in edges of a die
LOWER = 0.2  # edges of a die by which its middle lies below that of the upper side
STRAIGHT = 0.02  # edges; a shorter way down has no direction
APART = 2.0  # spreads that count as much as the ellipse of a leaning die
DOUBTFUL = 0.35  # share of a leaning die's ellipse below which nobody else is asked
BOTH = 1.1  # of both together, from which a die leans
ENOUGH = 2  # dice of earlier pictures, beside which one die alone can be said to lean
LEAST_SPREAD = 0.06  # radians; no table, no lens is as plain as drawn ones
MOST_APART = 3.0  # spreads from which a die tells nothing of where the others lie
SPREADS = (-4.0, 0.5)  # logarithms of radians
TOP, SIDES = 1.0, 2.0  # how outlines are drawn
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
_LOWERED = np.array([0.0, LOWER])
_ROUND = 0.5 * np.array([(np.cos(a), np.sin(a)) for a in np.arange(16) * np.pi / 8])


class Stand(NamedTuple):
    """How a flat die would be seen at some place.

    at     (2,) middle of the upper side, px.
    onto   (2, 2) columns are what is cut out's steps across and down, an edge each, px.
    down   edges by which its lower side is seen below its upper side.
    turn   of the upper side's edges in what is cut out; None where its pips do not tell.
    frame  (3, 3) rows are the directions of steps across and down, and of the plane's normal
           towards the camera: x to the right, y down, z away from the camera.
    """

    at: Floats
    onto: Floats
    down: float
    turn: float | None
    frame: Floats


def stands(
    tops: Sequence[Face],
    normal: Floats,
    shape: tuple[int, ...],
    side_px: float,
    focal: float = FOCAL,
) -> list[Stand]:
    """Say how dice, one at least, with these upper faces would be seen flat on a plane of a normal.

    shape    of the picture (height, width).
    side_px  edge of the dice, seen from straight above.
    focal    focal length in longer sides of the picture.
    """
    at, axes = np.array([top.at for top in tops]), np.array([top.axes for top in tops])
    toward = normal if normal[2] < 0 else -normal
    rays = on_rays(at, shape, focal)
    near = -(rays @ toward[:2] + toward[2])
    steps = _steps(toward)
    seen = (steps[None, :, :2] - rays[:, None] * steps[None, :, 2:]) * near[:, None, None]
    plane, down = seen[:, :2].transpose(0, 2, 1), seen[:, 2]
    size = median(_longest(plane))
    back = inverses(plane)
    way = (back @ down[:, :, None])[:, :, 0]
    edge = (back @ axes[:, :, :1])[:, :, 0]
    length, turn = np.hypot(*way.T), np.arctan2(edge[:, 1], edge[:, 0])
    below = np.where(length > STRAIGHT, np.arctan2(way[:, 1], way[:, 0]) - np.pi / 2, turn)
    cos, sin = np.cos(below), np.sin(below)
    rotation = np.array([(cos, -sin), (sin, cos)]).transpose(2, 0, 1)
    onto = plane @ rotation * (side_px / size)
    frames = np.empty((len(tops), 3, 3))
    frames[:, :2], frames[:, 2] = rotation.transpose(0, 2, 1) @ steps[:2], toward
    turns = (turn - below).tolist()
    edges = [one if top.value > 1 else None for one, top in zip(turns, tops, strict=True)]
    return [Stand(*one) for one in zip(at, onto, length.tolist(), edges, frames, strict=True)]


def _steps(toward: Floats) -> Floats:
    """Give steps across a plane, down it and under it, by its normal (3,) towards the camera."""
    x, y, z = toward.tolist()
    right = np.array([-z, 0.0, x]) / math.hypot(x, z)
    return np.array([right, (-y * right[2], right[2] * x - right[0] * z, right[0] * y), -toward])


def _longest(ways: Floats) -> Floats:
    """Give by how much matrices (N, 2, 2) lengthen what they lengthen most (N,)."""
    return np.sqrt(axes_squared(ways @ ways.transpose(0, 2, 1))[1])


def outlines(stand: Stand) -> Pixels:
    """Draw where a flat die has its upper side and its others: (48, 48) float32."""
    drawn = np.zeros((SHOWN_PX, SHOWN_PX), np.float32)
    outline = _ROUND
    if stand.turn is not None:
        cos, sin = np.cos(stand.turn), np.sin(stand.turn)
        outline = _SQUARE @ np.array([(cos, sin), (-sin, cos)])
    px = SHOWN_PX / SPAN
    top = (outline - _LOWERED) * px + (SHOWN_PX - 1) / 2
    whole = np.concatenate([top, top + np.array([0, stand.down * px])]).astype(np.float32)
    hull = np.rint(16 * cv2.convexHull(whole)).astype(np.int32)
    cv2.fillConvexPoly(drawn, hull, (SIDES,), cv2.LINE_8, 4)
    cv2.fillConvexPoly(drawn, np.rint(16 * top).astype(np.int32), (TOP,), cv2.LINE_8, 4)
    return drawn


def places(stood: Sequence[Stand]) -> Floats:
    """Give the affine maps (N, 2, 3) from pixels of what is cut out to those of the picture."""
    onto = np.array([stand.onto for stand in stood])
    back = np.empty((len(stood), 2, 3))
    back[:, :, :2] = onto * (SPAN / SHOWN_PX)
    middle = np.array([stand.at for stand in stood]) + LOWER * onto[:, :, 1]
    back[:, :, 2] = middle - back[:, :, :2].sum(axis=2) * ((SHOWN_PX - 1) / 2)
    return back


def cut_out(levels: Sequence[Pixels], stood: Sequence[Stand]) -> Pixels:
    """Cut dice out of a picture and its halves and quarters: (N, 48, 48)."""
    back = places(stood)
    return patches_through(levels, back, _longest(back[:, :, :2]))


def as_shown(patches: Pixels, drawn: Floats) -> Floats:
    """Lay pictures (N, 48, 48) uint8 and outlines (N, 48, 48) one upon another, (N, 48, 48, 2)."""
    shown = np.empty((*patches.shape, 2), np.float32)
    shown[..., 0], shown[..., 1] = as_input(patches), drawn
    return shown


def tilts(levels: Sequence[Pixels], stood: Sequence[Stand]) -> Tilts:
    """Tell how dice lie, of which it is known how they would be seen if they lay flat.

    levels  the picture and its halves and quarters, grey.
    """
    shown = as_shown(cut_out(levels, stood), np.array([outlines(stand) for stand in stood]))
    parts = [
        scores_of(shown[first : first + AT_ONCE], WEIGHTS)
        for first in range(0, len(shown), AT_ONCE)
    ]
    told = np.concatenate(parts).astype(float)
    ways = np.clip(told[:, :2], -0.9, 0.9)
    up = np.sqrt(np.maximum(1 - (ways**2).sum(axis=1), 0.05))
    frames = np.array([stand.frame for stand in stood])
    normals = (np.column_stack([ways, up])[:, None] @ frames)[:, 0]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Tilts(normals, np.exp(np.clip(told[:, 2], *SPREADS)))


def off_plane(
    levels: Sequence[Pixels], tops: list[Face], side_px: float, floor: Floor | None = None
) -> Floats:
    """Tell how far dice (N,) of a picture lie in another plane than the others; from 1 they lean.

    levels  the picture and its halves and quarters, grey.
    floor   what earlier pictures told.
    One die alone has no others: a leaning one looks like any die seen from the side.
    """
    others = 0 if floor is None else len(floor.tops)
    if len(tops) < 2 and others < ENOUGH:
        return np.zeros(len(tops))
    plane = shared_plane(tops, levels[0].shape, floor)
    shares = lean_shares(tops, plane)
    if shares.max() < DOUBTFUL:
        return shares
    told = _tilts_on(levels, tops, side_px, plane)
    off = apart(told if floor is None else _joined(told, floor.told))[: len(tops)]
    return np.asarray(np.maximum(shares, np.hypot(off / APART, shares) / BOTH))


def seen_floor(
    levels: Sequence[Pixels], tops: Sequence[Face], side_px: float, before: Floor | None
) -> Floor:
    """Give what dice that lie flat tell of the floor, the last ones of `tops` seen in a picture.

    before  what was told without them: the first ones of `tops` are all of its.
    """
    plane = floor_under(tops, levels[0].shape)
    known = 0 if before is None else len(before.tops)
    told = _tilts_on(levels, tops[known:], side_px, plane)
    if before is not None:
        told = _joined(before.told, told)
    return Floor(tuple(tops), told, plane.normal, plane.focal)


def _tilts_on(
    levels: Sequence[Pixels], tops: Sequence[Face], side_px: float, plane: Plane
) -> Tilts:
    return tilts(levels, stands(tops, plane.normal, levels[0].shape, side_px, plane.focal))


def _joined(one: Tilts, other: Tilts) -> Tilts:
    return Tilts(*(np.concatenate(both) for both in zip(one, other, strict=True)))


def apart(told: Tilts) -> Floats:
    """Tell by how much dice (N,) lie otherwise than the one that most agree with, in spreads."""
    spread = np.hypot(told.spread, LEAST_SPREAD)
    angles = np.arccos(np.clip(told.normals @ told.normals.T, -1, 1))
    middle = int(np.minimum(angles / spread[:, None], MOST_APART).sum(axis=0).argmin())
    return np.asarray(angles[:, middle] / np.hypot(spread, spread[middle]))
