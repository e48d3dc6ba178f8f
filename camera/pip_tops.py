"""Which faces are the upper ones: told from sides by the plane that the dice share.

Theory of operation. Faces that share a slant lie in one plane: the tops of all dice. A die's
sides are seen more edge on than its top as long as the camera looks down steeply, so the most
frontal plane that most dice agree on is the upper one; faces in other planes must be the sides
of a die whose top is known, or something is unexplained and the table is asked.
"""

from typing import NamedTuple

import numpy as np

from camera.pip_blobs import Floats
from camera.pip_faces import Face
from camera.pip_lattice import Bools, unlike
from camera.pip_shapes import inverses, median, medians

WEIGHTS = {1: 0.5, 2: 0.7, 3: 1.3, 4: 2.0, 5: 2.5, 6: 2.5}
SAME_PLANE = 0.3  # how much the ellipses of two upper faces may differ: lens, place, noise
PLAIN, LIKE_SIZE = 0.3, 1.4  # quality, and times as large at most, of faces of other colours
LEAST_APART = 0.75  # edges of a die between the middles of two, with what is measured wrongly
OTHER_KIND = 9.0  # slant between faces that cannot lie on dice of one kind


class Sorted(NamedTuple):
    """Faces by what they are.

    tops    upper faces, of dice of one kind.
    more    what may be upper faces of dice that are coloured otherwise.
    sides   of dice, beside more frontal faces of the same.
    others  what is unexplained.
    """

    tops: list[Face]
    more: list[Face]
    sides: list[Face]
    others: list[Face]


class _Table(NamedTuple):
    """What is compared of faces, an array each."""

    value: Floats
    contrast: Floats
    quality: Floats
    frontality: Floats
    radius: Floats
    side_px: Floats

    @classmethod
    def of(cls, faces: list[Face]) -> "_Table":
        rows = [
            (one.value, one.contrast, one.quality, one.frontality, one.radius_px, one.side_px)
            for one in faces
        ]
        return cls(*np.array(rows).T)


def find_tops(faces: list[Face]) -> Sorted:
    """Tell upper faces from sides beside them, and from others, which are unexplained."""
    faces = [face for face in faces if face.quality > 0.1 and face.frontality > 0.45]
    if not faces:
        return Sorted([], [], [], [])
    table, shapes = _Table.of(faces), np.array([face.unit_shape for face in faces])
    slants = unlike(shapes[:, None], shapes[None])
    is_side = _are_sides(faces, table, slants)
    sides = [face for face, side in zip(faces, is_side.tolist(), strict=True) if side]
    own = np.flatnonzero(~is_side)
    faces, table = [faces[row] for row in own], _Table(*(part[own] for part in table))
    apart = apart_on_table(faces, faces)
    tops = _best_plane(table, _of_one_kind(table, slants[own[:, None], own]), apart)
    more = _of_other_kinds(table, shapes[own], tops, apart)
    known = {*tops, *more}
    others = [face for row, face in enumerate(faces) if row not in known]
    return Sorted([faces[row] for row in tops], [faces[row] for row in more], sides, others)


def _of_other_kinds(table: _Table, shapes: Floats, tops: list[int], apart: Floats) -> list[int]:
    """Find upper faces of dice of other colours, which lie in the plane of `tops` too."""
    slants = unlike(shapes, medians(shapes[tops]))
    size = table.side_px / median(table.side_px[tops])
    may_be = (slants <= SAME_PLANE) & (table.quality >= PLAIN)
    may_be &= (size > 1 / LIKE_SIZE) & (size < LIKE_SIZE)
    may_be[tops] = False
    rows = np.flatnonzero(may_be)
    kept: list[int] = []
    for row in rows[slants[rows].argsort(kind="stable")].tolist():
        near = tops + kept
        if min(apart[row, near].min(), apart[near, row].min()) > LEAST_APART:
            kept.append(row)
    return kept


def _are_sides(faces: list[Face], table: _Table, slants: Floats) -> Bools:
    """Find faces beside a more frontal one on the same die: they are its sides."""
    _, contrast, quality, frontality, radius, side_px = table
    at = np.array([face.at for face in faces])
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    side = (contrast[:, None] < 0) == (contrast < 0)
    side &= (frontality >= frontality[:, None] + 0.07) & (quality >= 0.5 * quality[:, None])
    side &= np.abs(np.log(radius / radius[:, None])) < np.log(1.67)
    side &= (apart < 0.92 * side_px) & (slants > 0.12)
    return np.asarray(side.any(axis=1))


def _best_plane(table: _Table, slants: Floats, apart: Floats) -> list[int]:
    """Give the faces of the plane that is the most frontal and that most agree on.

    slants  of faces (rows) in the plane of each (columns).
    """
    strength = np.minimum(1.0, 1.3 * np.abs(table.contrast) / np.abs(table.contrast).max())
    # a lattice of many pips is no accident, a single mark may be
    usual = np.array([WEIGHTS[value] for value in table.value.tolist()])
    weights = (usual * table.quality**0.5 * strength**2).tolist()
    order = np.argsort(slants - 0.02 * table.value[:, None], axis=0, kind="stable").T
    is_flat = np.take_along_axis(slants.T, order, axis=1) < SAME_PLANE
    near = [set(np.flatnonzero(row).tolist()) for row in apart <= LEAST_APART]
    best: tuple[float, list[int]] = (-1.0, [])
    for rows, flat, frontality in zip(order, is_flat, table.frontality.tolist(), strict=True):
        tops = _side_by_side(rows[flat].tolist(), near)
        score = sum(weights[top] for top in tops) * (0.5 + frontality)
        if score > best[0]:
            best = (score, tops)
    return best[1]


def _side_by_side(rows: list[int], near: list[set[int]]) -> list[int]:
    """Keep the first ones of faces that can lie side by side.

    near  of each face, those that it cannot lie beside.
    """
    kept: list[int] = []
    for row in rows:
        if near[row].isdisjoint(kept):
            kept.append(row)
    return kept


def _of_one_kind(table: _Table, slants: Floats) -> Floats:
    """Tell how differently faces (rows) lie from references (columns), if both may be of one kind.

    slants  difference of their ellipses, whatever they are.
    """
    contrast, radius, is_one = table.contrast, table.radius, table.value == 1
    larger = radius[:, None] / radius
    kin = (np.abs(contrast)[:, None] >= 0.5 * np.abs(contrast)) & (
        (contrast[:, None] < 0) == (contrast < 0)
    )
    kin &= larger > np.where(is_one, 0.74, 0.7)[:, None]
    kin &= larger < np.where(is_one, 1.9, 1.43)[:, None]
    return np.where(kin, slants, OTHER_KIND)


def apart_on_table(faces: list[Face], others: list[Face]) -> Floats:
    """Measure how far faces (rows) lie from others (columns) in their planes, in edges of a die."""
    at, other_at = (np.array([face.at for face in some]).reshape(-1, 2) for some in (faces, others))
    back = inverses(np.array([face.axes for face in others]).reshape(-1, 2, 2))
    x, y = (at[:, None] - other_at).transpose(2, 0, 1)
    across, along = (back[:, row, 0] * x + back[:, row, 1] * y for row in (0, 1))
    return np.asarray(np.hypot(across, along) / 5)
