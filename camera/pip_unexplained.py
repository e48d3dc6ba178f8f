"""Pips that no face explains, though they lie as flat as those of the upper faces that were read.

Where marks are looked for that stand out only, a die may show some of its pips and not all: what
is left of it fits no face, or a smaller one. Such pips are a reason to look more closely.
"""

import numpy as np

from camera.pip_ellipses import Pips
from camera.pip_faces import Face
from camera.pip_lattice import unlike
from camera.pip_shapes import axes_squared, median

FEW = 3  # fewer may be anything
FLAT = 0.25  # difference of ellipses: those of side faces differ by more
LARGE = (0.7, 1.43)  # of such a pip, in those of the read dice
STRONG = 0.5  # least contrast, in that of the read dice, however these are coloured
ROW = (2.8, 4.6)  # half as long as three pips in a row that look like one, in the radius of one
STRETCHED = 2.0  # times as long as wide
FACE = 0.75  # edges of a die: so wide is the face that holds them


def unexplained_pips(pips: Pips, faces: list[Face], tops: list[Face], side_px: float) -> bool:
    """Tell whether FEW pips, as near to each other as on one face, belong to no face.

    side_px  edge of the dice, px.
    """
    free = np.ones(len(pips), dtype=bool)
    free[[row for face in faces for row in face.rows]] = False
    small, large = np.sqrt(axes_squared(pips.shape))
    shape = np.median([top.unit_shape for top in tops], axis=0)
    size = large / median([top.radius_px for top in tops])
    contrast = np.abs(pips.contrast) / median([abs(top.contrast) for top in tops])
    rows = (size > ROW[0]) & (size < ROW[1]) & (large > STRETCHED * small) & (contrast > STRONG)
    if (free & rows).any():
        return True
    free &= (size > LARGE[0]) & (size < LARGE[1]) & (contrast > STRONG)
    free &= unlike(pips.shape / large[:, None, None] ** 2, shape) < FLAT
    at = pips.at[free]
    near = np.linalg.norm(at[:, None] - at, axis=2) < FACE * side_px
    return bool((near.sum(axis=1) >= FEW).any())
