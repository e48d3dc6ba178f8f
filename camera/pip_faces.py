"""Faces: pips explained by the lattice patterns of a die.

Theory of operation. Pips of one face share their ellipse: undoing it (dividing by the pip's own
shape) turns the slanted face into one seen from above, up to a turn, with the pip's radius as
unit. There, two pips may be opposite corners of a face; that predicts the other seven places of
its 3 x 3 lattice, and which of them hold pips says which face it is: corners alone are a 2, and
so on. Larger explanations go first; the spacing of the lattice in pip radii is the same for all
dice of a picture, so the clear faces say what spacing the sparse ones must have.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from camera.pip_blobs import Floats, Pixels, look_up
from camera.pip_ellipses import Pips
from camera.pip_lattice import Guesses, Ints, guess_faces
from camera.pip_shapes import axes_squared, determinants, median, square_roots

AROUND = np.array([(np.cos(a), np.sin(a)) for a in np.arange(24) * np.pi / 12])
USUAL_SPACING = 2.15
UNTOLD_SPACING = 2.3  # where no 3, 4 or 5 tells it
POOR = 0.1  # quality below which an explanation is none
SINGLE_BLEMISH = 0.06
LARGEST_SINGLE = 1.9  # pip of a 1, in pips of the other faces
INSIDE = (np.array([0.2, 0.35, 0.5])[:, None, None] * AROUND).reshape(-1, 2)
THIRDS = np.arange(4) / 3
STAINED = 0.25  # share of a single pip that may look like its die: glints, no marks of its own


@dataclass(frozen=True, eq=False)
class Face:
    """One face of a die, top or side; equal to itself only.

    at       (2,) centre, px.
    shape    (2, 2) ellipse matrix of its pips, px².
    axes     (2, 2) columns are the lattice's unit steps, px.
    spacing  lattice unit in pip radii; for a 1 the picture's.
    rows     which pips it explains.
    misfit   root mean square distance of the pips from their places, lattice units.
    blemish  share of the face between its pips that does not look like the die around them.
    motley   largest difference between the ellipses of its pips.
    uneven   spread of brightness around its pips as a share of their contrast.
    contrast brightness of the die less that of its pips; negative for light pips.
    """

    value: int
    at: Floats
    shape: Floats
    axes: Floats
    spacing: float
    rows: frozenset[int]
    misfit: float
    blemish: float
    motley: float
    uneven: float
    contrast: float

    @cached_property
    def radius_px(self) -> float:
        """Radius of a pip as it would be seen from straight above, px."""
        (a, b), (_, d) = self.shape.tolist()
        return math.sqrt((a + d) / 2 + math.hypot((a - d) / 2, b))

    @cached_property
    def unit_shape(self) -> Floats:
        """The ellipse of its pips, scaled to a larger half axis of 1."""
        return np.asarray(self.shape / self.radius_px**2)

    @cached_property
    def quality(self) -> float:
        """How much it looks like a face of a die, 0 to 1: exact places on an even ground."""
        return math.exp(-float(_faults(self)))

    def times(self, scale: float) -> "Face":
        """Give it as it lies in the picture made so many times as wide."""
        at = (self.at + 0.5) * scale - 0.5
        return replace(self, at=at, shape=self.shape * scale**2, axes=self.axes * scale)

    @property
    def side_px(self) -> float:
        """Edge of the die, px: five lattice units, of four to five and a half on real dice."""
        return 5 * self.spacing * self.radius_px

    @cached_property
    def frontality(self) -> float:
        """How squarely it is seen: 1 from straight above, 0 edge on."""
        (a, b), (c, d) = self.shape.tolist()
        return math.sqrt(max(a * d - b * c, 0.0)) / self.radius_px**2


def _faults(found: Face | Guesses) -> Any:
    """Tell how far from a face of a die this is, or each of these are: 0 is a perfect one."""
    motley = 0.16 * (found.value == 2) + 0.3 * (found.value != 2)
    faults = found.uneven / 0.12, found.blemish / 0.06, found.misfit / 0.1, found.motley / motley
    return sum(fault * fault for fault in faults)


def usual_contrasts(faces: Sequence[Face]) -> Floats:
    """Usual contrast of dark pips, and of light ones, as far as faces have such (1 or 2)."""
    all_of_them = np.array([face.contrast for face in faces])
    signs = all_of_them[all_of_them >= 0], all_of_them[all_of_them < 0]
    return np.array([median(some) for some in signs if len(some)])


def find_faces(grey: Pixels, pips: Pips) -> list[Face]:
    """Explain pips as faces, one to six; each pip belongs to one face at most."""
    if len(pips) == 0:
        return []
    guesses = _guesses(grey, pips)
    chosen = _chosen(guesses, np.arange(len(guesses)), USUAL_SPACING)
    chosen = chosen[_frontality(guesses.shape[chosen]) > 0.45]
    told = _told_spacing(guesses.value[chosen], guesses.spacing[chosen])
    spacing = told or UNTOLD_SPACING
    fitting = _fitting(guesses, spacing, 1.25 if told else 1.4)
    faces = [_face(guesses, row) for row in _chosen(guesses, fitting, spacing).tolist()]
    free = np.ones(len(pips), dtype=bool)
    free[[row for face in faces for row in face.rows]] = False
    return faces + _singles(grey, pips, np.flatnonzero(free), faces, spacing)


def find_singles(grey: Pixels, pips: Pips, rows: frozenset[int], faces: list[Face]) -> list[Face]:
    """Take the pips in these rows for 1s where an even die lies around them.

    faces  what else lies in the picture, of two pips or more each.
    """
    values = np.array([face.value for face in faces])
    told = _told_spacing(values, np.array([face.spacing for face in faces]))
    free = np.array(sorted(rows), np.intp)
    return _singles(grey, pips, free, faces, told or UNTOLD_SPACING)


def _told_spacing(values: Ints, spacings: Floats) -> float:
    """Give the spacing that the clear ones of faces have, 0 where none of them is clear."""
    clear = spacings[(values == 4) | (values == 5)]
    clear = clear if len(clear) else spacings[values == 3]
    return median(clear) if len(clear) else 0.0


def _fitting(guesses: Guesses, spacing: float, wide: float) -> Ints:
    """Pick faces by the picture's spacing; on many dice 2, 3 and 6 reach out further."""
    value, size = guesses.value, guesses.spacing / spacing
    # five pips in their places speak for themselves
    reach = np.where(value >= 5, max(wide, 1.4), wide)
    further = np.where((value <= 3) | (value == 6), 1.2 * reach, reach)
    return np.flatnonzero((size > 1 / reach) & (size < further))


def _frontality(shapes: Floats) -> Floats:
    """Tell how squarely faces with these ellipses (N, 2, 2) are seen, as `Face` does."""
    return np.sqrt(np.maximum(determinants(shapes), 0)) / axes_squared(shapes)[1]


def _singles(grey: Pixels, pips: Pips, rows: Ints, faces: list[Face], spacing: float) -> list[Face]:
    """Take pips that belong to no lattice for 1s where an even die lies around them."""
    if len(rows) == 0:
        return []
    roots = square_roots(pips.shape[rows])
    units = _single_units(pips.half_axes[1][rows], faces, spacing)
    blemishes, stained = _spots_around(grey, pips, rows, units, roots)
    good = (blemishes < SINGLE_BLEMISH) & (stained < STAINED)
    return [
        Face(
            value=1,
            at=pips.at[rows[row]],
            shape=pips.shape[rows[row]],
            axes=units[row] * roots[row],
            spacing=float(units[row]),
            rows=frozenset({int(rows[row])}),
            misfit=0.0,
            blemish=float(blemishes[row]),
            motley=0.0,
            uneven=float(pips.evenness[rows[row]]),
            contrast=float(pips.contrast[rows[row]]),
        )
        for row in np.flatnonzero(good)
    ]


def _spots_around(
    grey: Pixels, pips: Pips, rows: Ints, units: Floats, roots: Floats
) -> tuple[Floats, Floats]:
    """Which shares of what lies around pips, and of themselves, are as they should not be (N)."""
    near, far = np.maximum(0.7 * units, 1.4)[:, None], np.maximum(1.5 * units, 1.8)[:, None]
    reach = near + (far - near) * THIRDS
    circles = (reach[:, :, None, None] * AROUND).reshape(-1, 4 * len(AROUND), 2)
    inside = np.broadcast_to(INSIDE, (len(rows), *INSIDE.shape))
    places = np.concatenate([circles, inside], axis=1)
    contrast = pips.contrast[rows][:, None]
    seen = look_up(grey, pips.at[rows][:, None] + places @ roots) - pips.ground[rows][:, None]
    around, core = seen[:, : circles.shape[1]], seen[:, circles.shape[1] :]
    blemishes = (np.abs(around) > 0.3 * np.abs(contrast)).mean(axis=1)
    return blemishes, (np.abs(core + contrast) > 0.45 * np.abs(contrast)).mean(axis=1)


def _single_units(radii: Floats, faces: list[Face], spacing: float) -> Floats:
    """Give the lattice unit around single pips, in their radii: a 1's pip is often larger."""
    known = [face for face in faces if face.value >= 3]
    if not known:
        return np.full(len(radii), spacing)
    larger = radii / median([face.radius_px for face in known])
    unit = median([face.spacing for face in known]) / larger
    return np.where((larger > 1.15) & (larger < LARGEST_SINGLE), unit, spacing)


def _chosen(guesses: Guesses, rows: Ints, spacing: float) -> Ints:
    """Take the largest and best fitting explanation first; each pip is explained once."""
    odd = guesses.misfit + guesses.motley + np.abs(np.log(guesses.spacing / spacing))
    taken: set[int] = set()
    chosen = []
    for row in rows[np.lexsort((odd[rows], -guesses.value[rows]))].tolist():
        if taken.isdisjoint(guesses.rows[row]):
            taken |= guesses.rows[row]
            chosen.append(row)
    return np.array(chosen, dtype=np.intp)


def _guesses(grey: Pixels, pips: Pips) -> Guesses:
    """Take what is likely of all faces that the pips may show."""
    guesses = guess_faces(grey, pips)
    return guesses.take(np.exp(-_faults(guesses)) > POOR)


def _face(guesses: Guesses, row: int) -> Face:
    return Face(
        int(guesses.value[row]),
        guesses.at[row],
        guesses.shape[row],
        guesses.axes[row],
        float(guesses.spacing[row]),
        guesses.rows[row],
        float(guesses.misfit[row]),
        float(guesses.blemish[row]),
        float(guesses.motley[row]),
        float(guesses.uneven[row]),
        float(guesses.contrast[row]),
    )
