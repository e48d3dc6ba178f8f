"""Which faces are the upper ones: told from sides by the plane that the dice share.

Theory of operation. Faces that share a slant lie in one plane: the tops of all dice. A die's
sides are seen more edge on than its top as long as the camera looks down steeply, so the most
frontal plane that most dice agree on is the upper one; faces in other planes must be the sides
of a die whose top is known, or something is unexplained and the table is asked.
"""

import numpy as np

from camera.pip_faces import Face, unlike

WEIGHTS = {1: 0.5, 2: 0.7, 3: 1.3, 4: 2.0, 5: 2.5, 6: 2.5}
SAME_PLANE = 0.3  # how much the ellipses of two upper faces may differ: lens, place, noise


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
    strength = min(1.0, 1.3 * abs(face.contrast) / strongest)
    return float(WEIGHTS[face.value] * face.quality**0.5 * strength**2)


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
