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
from camera.pip_lattice import inverses, unlike

WEIGHTS = {1: 0.5, 2: 0.7, 3: 1.3, 4: 2.0, 5: 2.5, 6: 2.5}
SAME_PLANE = 0.3  # how much the ellipses of two upper faces may differ: lens, place, noise
PLAIN, LIKE_SIZE = 0.3, 1.4  # quality, and times as large at most, of faces of other colours
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


def find_tops(faces: list[Face]) -> Sorted:
    """Tell upper faces from sides beside them, and from others, which are unexplained."""
    faces = [face for face in faces if face.quality > 0.1 and face.frontality > 0.45]
    if not faces:
        return Sorted([], [], [], [])
    is_side = _are_sides(faces)
    sides = [face for face, side in zip(faces, is_side, strict=True) if side]
    faces = [face for face, side in zip(faces, is_side, strict=True) if not side]
    best: tuple[float, list[int]] = (-1.0, [])
    strongest = max((abs(face.contrast) for face in faces), default=1.0)
    weights = [_weight(face, strongest) for face in faces]
    slants, apart = _slants(faces), apart_on_table(faces, faces)
    for row, reference in enumerate(faces):
        tops = _in_plane(faces, slants[:, row], apart)
        score = sum(weights[top] for top in tops) * (0.5 + reference.frontality)
        if score > best[0]:
            best = (score, tops)
    more = _of_other_kinds(faces, best[1], apart)
    others = [face for row, face in enumerate(faces) if row not in best[1] + more]
    return Sorted([faces[row] for row in best[1]], [faces[row] for row in more], sides, others)


def _of_other_kinds(faces: list[Face], tops: list[int], apart: Floats) -> list[int]:
    """Find upper faces of dice of other colours, which lie in the plane of `tops` too."""
    side_px = np.median([faces[row].side_px for row in tops])
    shape = np.median([faces[row].unit_shape for row in tops], axis=0)
    shapes = np.array([face.unit_shape for face in faces])
    slants = unlike(shapes, shape)
    kept: list[int] = []
    for row in np.argsort(slants, kind="stable").tolist():
        face = faces[row]
        if row in tops or slants[row] > SAME_PLANE or face.quality < PLAIN:
            continue
        if not 1 / LIKE_SIZE < face.side_px / side_px < LIKE_SIZE:
            continue
        if all(min(apart[row, other], apart[other, row]) > 0.75 for other in tops + kept):
            kept.append(row)
    return kept


def _are_sides(faces: list[Face]) -> Floats:
    """Find faces beside a more frontal one on the same die: they are its sides."""
    contrast, quality, frontality, radius, side_px = (
        np.array([getattr(face, name) for face in faces])
        for name in ("contrast", "quality", "frontality", "radius_px", "side_px")
    )
    at = np.array([face.at for face in faces])
    shapes = np.array([face.unit_shape for face in faces])
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    side = (contrast[:, None] < 0) == (contrast < 0)
    side &= (frontality >= frontality[:, None] + 0.07) & (quality >= 0.5 * quality[:, None])
    side &= np.abs(np.log(radius / radius[:, None])) < np.log(1.67)
    side &= (apart < 0.92 * side_px) & (unlike(shapes[:, None], shapes[None]) > 0.12)
    return np.asarray(side.any(axis=1))


def _weight(face: Face, strongest: float) -> float:
    """Weigh a face as evidence: a lattice of many pips is no accident, a single mark may be."""
    strength = min(1.0, 1.3 * abs(face.contrast) / strongest)
    return float(WEIGHTS[face.value] * face.quality**0.5 * strength**2)


def _in_plane(faces: list[Face], slants: Floats, apart: Floats) -> list[int]:
    """Keep faces of little slant that can lie side by side."""
    kept: list[int] = []
    order = sorted(
        np.flatnonzero(slants < SAME_PLANE).tolist(),
        key=lambda row: float(slants[row]) - 0.02 * faces[row].value,
    )
    for row in order:
        if all(apart[row, other] > 0.75 for other in kept):
            kept.append(row)
    return kept


def _slants(faces: list[Face]) -> Floats:
    """Tell how differently faces (rows) lie from references (columns): 0 for one plane."""
    contrast, radius = (
        np.array([getattr(face, name) for face in faces]) for name in ("contrast", "radius_px")
    )
    is_one = np.array([face.value == 1 for face in faces])
    shapes = np.array([face.unit_shape for face in faces]).reshape(-1, 2, 2)
    slants = unlike(shapes[:, None], shapes[None])
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
    step = np.einsum("mij,nmj->nmi", back, at[:, None] - other_at)
    return np.asarray(np.hypot(step[..., 0], step[..., 1]) / 5)
