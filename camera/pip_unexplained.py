"""Pips that no face explains, though they lie as flat as those of the upper faces that were read.

Where marks are looked for that stand out only, a die may show some of its pips and not all: what
is left of it fits no face, or a smaller one. Such pips are a reason to look more closely. What
pips leave open is soon found out, before anybody is asked what lies at a place.
"""

import numpy as np

from camera.pip_blobs import COARSE, FULL
from camera.pip_doubts import crowded, orphans, strays
from camera.pip_ellipses import Pips
from camera.pip_faces import Face
from camera.pip_lattice import unlike
from camera.pip_shapes import median, medians

FEW = 3  # fewer may be anything
MANY, LITTLE = 20, 0.25  # pips, and the share of them on dice below which others may lie there
FLAT = 0.25  # difference of ellipses: those of side faces differ by more
LARGE = (0.7, 1.43)  # of such a pip, in those of the read dice
STRONG = 0.5  # least contrast, in that of the read dice, however these are coloured
ROW = (2.8, 4.6)  # half as long as three pips in a row that look like one, in the radius of one
STRETCHED = 2.0  # times as long as wide
FACE = 0.75  # edges of a die: so wide is the face that holds them
NO_SIZE = "single pips alone: how large is a die?"  # a whole die far away may look like one
LOOK_CLOSER = "not all of it is clear"  # never told: a closer look follows


def left_open_by(
    depth: int,
    pips: Pips,
    faces: list[Face],
    tops: list[Face],
    side_px: float,
    shape: tuple[int, ...],
) -> tuple[str, ...]:
    """Say what pips leave open that a look of some depth found, and the faces made of them.

    side_px  edge of the dice, px.
    shape    of the picture (height, width).
    """
    told = crowded(tops) + orphans(faces, tops, side_px) + strays(pips, tops, side_px, shape)
    if depth < FULL and all(top.value == 1 for top in tops):
        told += (NO_SIZE,)
    if depth == COARSE and (
        is_little_explained(pips, faces) or unexplained_pips(pips, faces, tops, side_px)
    ):
        told += (LOOK_CLOSER,)
    return told


def is_little_explained(pips: Pips, faces: list[Face]) -> bool:
    """Tell whether most of MANY pips belong to no face: a carpet's, or those of other dice."""
    return len(pips) > MANY and sum(len(face.rows) for face in faces) < LITTLE * len(pips)


def unexplained_pips(pips: Pips, faces: list[Face], tops: list[Face], side_px: float) -> bool:
    """Tell whether FEW pips, as near to each other as on one face, belong to no face.

    side_px  edge of the dice, px.
    """
    free = np.ones(len(pips), dtype=bool)
    free[[row for face in faces for row in face.rows]] = False
    small, large = pips.half_axes
    shape = medians(np.array([top.unit_shape for top in tops]))
    size = large / median([top.radius_px for top in tops])
    contrast = np.abs(pips.contrast) / median([abs(top.contrast) for top in tops])
    rows = (size > ROW[0]) & (size < ROW[1]) & (large > STRETCHED * small) & (contrast > STRONG)
    if (free & rows).any():
        return True
    free &= (size > LARGE[0]) & (size < LARGE[1]) & (contrast > STRONG)
    free &= unlike(pips.shape / large[:, None, None] ** 2, shape) < FLAT
    if np.count_nonzero(free) < FEW:
        return False
    x, y = (place[:, None] - place for place in pips.at[free].T)
    near = np.hypot(x, y) < FACE * side_px
    return bool((near.sum(axis=1) >= FEW).any())
