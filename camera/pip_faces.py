"""Faces: pips explained by the lattice patterns of a die.

Theory of operation. Pips of one face share their ellipse: undoing it (dividing by the pip's own
shape) turns the slanted face into one seen from above, up to a turn, with the pip's radius as
unit. There, two pips may be opposite corners of a face; that predicts the other seven places of
its 3 x 3 lattice, and which of them hold pips says which face it is: corners alone are a 2, and
so on. Larger explanations go first; the spacing of the lattice in pip radii is the same for all
dice of a picture, so the clear faces say what spacing the sparse ones must have.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from camera.pip_blobs import Floats, Pixels, look_up
from camera.pip_ellipses import Pips
from camera.pip_lattice import guess_faces
from camera.pip_shapes import axes_squared, median, square_roots

AROUND = np.array([(np.cos(a), np.sin(a)) for a in np.arange(24) * np.pi / 12])
POOR = 0.1  # quality below which an explanation is none
SINGLE_BLEMISH = 0.06
LARGEST_SINGLE = 1.9  # pip of a 1, in pips of the other faces
INSIDE = (np.array([0.2, 0.35, 0.5])[:, None, None] * AROUND).reshape(-1, 2)
STAINED = 0.25  # share of a single pip that may look like its die: glints, no marks of its own


@dataclass(frozen=True)
class Face:
    """One face of a die, top or side.

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
        return float(np.sqrt((a + d) / 2 + np.hypot((a - d) / 2, b)))

    @cached_property
    def unit_shape(self) -> Floats:
        """The ellipse of its pips, scaled to a larger half axis of 1."""
        return np.asarray(self.shape / self.radius_px**2)

    @cached_property
    def quality(self) -> float:
        """How much it looks like a face of a die, 0 to 1: exact places on an even ground."""
        faults = (
            self.uneven / 0.12,
            self.blemish / 0.06,
            self.misfit / 0.1,
            self.motley / (0.16 if self.value == 2 else 0.3),
        )
        return float(np.exp(-sum(fault * fault for fault in faults)))

    @property
    def side_px(self) -> float:
        """Edge of the die, px: five lattice units, of four to five and a half on real dice."""
        return 5 * self.spacing * self.radius_px

    @cached_property
    def frontality(self) -> float:
        """How squarely it is seen: 1 from straight above, 0 edge on."""
        (a, b), (c, d) = self.shape.tolist()
        return float(np.sqrt(max(a * d - b * c, 0.0))) / self.radius_px**2


def find_faces(grey: Pixels, pips: Pips) -> list[Face]:
    """Explain pips as faces, one to six; each pip belongs to one face at most."""
    if len(pips) == 0:
        return []
    guesses = _guesses(grey, pips)
    chosen = [face for face in _chosen(guesses) if face.frontality > 0.45]
    clear = [face.spacing for face in chosen if face.value in (4, 5)]
    clear = clear or [face.spacing for face in chosen if face.value == 3]
    spacing = median(clear) if clear else 2.3
    wide = 1.25 if clear else 1.4
    faces = _chosen([face for face in guesses if _fits(face, spacing, wide)], spacing)
    return faces + _singles(grey, pips, faces, spacing)


def _fits(face: Face, spacing: float, wide: float) -> bool:
    """Compare a face's spacing with the picture's; on many dice 2, 3 and 6 reach out further."""
    if face.value >= 5:
        wide = max(wide, 1.4)  # five pips in their places speak for themselves
    return 1 / wide < face.spacing / spacing < (1.2 * wide if face.value in (2, 3, 6) else wide)


def _singles(grey: Pixels, pips: Pips, faces: list[Face], spacing: float) -> list[Face]:
    """Take unexplained pips for 1s where an even die lies around them."""
    free = np.ones(len(pips), dtype=bool)
    free[[row for face in faces for row in face.rows]] = False
    rows = np.flatnonzero(free)
    roots = square_roots(pips.shape[rows])
    units = _single_units(np.sqrt(axes_squared(pips.shape[rows])[1]), faces, spacing)
    at, ground = pips.at[rows][:, None], pips.ground[rows][:, None]
    limit = np.abs(pips.contrast[rows])[:, None]
    reach = np.linspace(np.maximum(0.7 * units, 1.4), np.maximum(1.5 * units, 1.8), 4, axis=1)
    circles = (reach[:, :, None, None] * AROUND).reshape(len(rows), 4 * len(AROUND), 2)
    rings = at + circles @ roots
    blemishes = (np.abs(look_up(grey, rings) - ground) > 0.3 * limit).mean(axis=1)
    core = at + INSIDE @ roots
    stained = np.abs(look_up(grey, core) - ground + pips.contrast[rows][:, None]) > 0.45 * limit
    good = (blemishes < SINGLE_BLEMISH) & (stained.mean(axis=1) < STAINED)
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


def _single_units(radii: Floats, faces: list[Face], spacing: float) -> Floats:
    """Give the lattice unit around single pips, in their radii: a 1's pip is often larger."""
    known = [face for face in faces if face.value >= 3]
    if not known:
        return np.full(len(radii), spacing)
    larger = radii / median([face.radius_px for face in known])
    unit = median([face.spacing for face in known]) / larger
    return np.where((larger > 1.15) & (larger < LARGEST_SINGLE), unit, spacing)


def _chosen(guesses: list[Face], spacing: float = 2.15) -> list[Face]:
    """Take the largest and best fitting explanation first; each pip is explained once."""

    def oddness(face: Face) -> float:
        return face.misfit + face.motley + abs(float(np.log(face.spacing / spacing)))

    taken: set[int] = set()
    chosen = []
    for face in sorted(guesses, key=lambda face: (-face.value, oddness(face))):
        if not taken & face.rows:
            taken |= face.rows
            chosen.append(face)
    return chosen


def _guesses(grey: Pixels, pips: Pips) -> list[Face]:
    """Take what is likely of all faces that the pips may show."""
    guesses = guess_faces(grey, pips)
    motley = guesses.motley / np.where(guesses.value == 2, 0.16, 0.3)
    faults = guesses.uneven / 0.12, guesses.blemish / 0.06, guesses.misfit / 0.1, motley
    likely = np.exp(-sum(fault * fault for fault in faults)) > POOR
    return [
        Face(
            int(guesses.value[row]),
            guesses.at[row],
            guesses.shape[row],
            guesses.axes[row],
            float(guesses.spacing[row]),
            frozenset(guesses.kin[row, guesses.inside[row]].tolist()),
            float(guesses.misfit[row]),
            float(guesses.blemish[row]),
            float(guesses.motley[row]),
            float(guesses.uneven[row]),
            float(guesses.contrast[row]),
        )
        for row in np.flatnonzero(likely).tolist()
    ]
