"""Faces: pips explained by the lattice patterns of a die.

Theory of operation. Pips of one face share their ellipse: undoing it (dividing by the pip's own
shape) turns the slanted face into one seen from above, up to a turn, with the pip's radius as
unit. There, two pips may be opposite corners of a face; that predicts the other seven places of
its 3 x 3 lattice, and which of them hold pips says which face it is: corners alone are a 2, and
so on. Larger explanations go first; the spacing of the lattice in pip radii is the same for all
dice of a picture, so the clear faces say what spacing the sparse ones must have.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from camera.pip_blobs import Floats, Pips, Pixels, look_up

Ints = npt.NDArray[np.intp]

SPACING = (1.6, 4.3)  # lattice unit in pip radii, over all dice that we have seen
LATTICE = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], dtype=float)
PATTERNS = {
    0b100000001: 2,
    0b100010001: 3,
    0b101000101: 4,
    0b101010101: 5,
    0b101101101: 6,
    0b111000111: 6,
}
BETWEEN = np.array([(x, y) for y in np.linspace(-1.4, 1.4, 8) for x in np.linspace(-1.4, 1.4, 8)])
AROUND = np.array([(np.cos(a), np.sin(a)) for a in np.arange(24) * np.pi / 12])
SINGLE_RINGS = (np.linspace(0.7, 1.5, 4)[:, None, None] * AROUND).reshape(-1, 2)
MOST_KIN = 18  # near pips of one kind that are looked at; a die's three faces have 15 at most
POOR = 0.1  # quality below which an explanation is none
SINGLE_BLEMISH = 0.06
TOLERANCE = 0.25  # lattice units between a pip and its place; on dice seldom above 0.1


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
        return float(np.sqrt(np.linalg.eigvalsh(self.shape)[1]))

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
        return float(np.sqrt(np.linalg.det(self.shape))) / self.radius_px**2


def find_faces(grey: Pixels, pips: Pips) -> list[Face]:
    """Explain pips as faces, one to six; each pip belongs to one face at most."""
    guesses = [_examined(grey, pips, face) for face in _guesses(grey, pips)]
    guesses = [face for face in guesses if face.quality > POOR]
    chosen = [face for face in _chosen(guesses) if face.frontality > 0.45]
    clear = [face.spacing for face in chosen if face.value in (4, 5)]
    clear = clear or [face.spacing for face in chosen if face.value == 3]
    spacing = float(np.median(clear)) if clear else 2.3
    wide = 1.25 if clear else 1.4
    faces = _chosen([face for face in guesses if _fits(face, spacing, wide)], spacing)
    return faces + _singles(grey, pips, faces, spacing)


def _fits(face: Face, spacing: float, wide: float) -> bool:
    """Compare a face's spacing with the picture's; on many dice 2, 3 and 6 reach out further."""
    if face.value >= 5:
        wide = max(wide, 1.4)  # five pips in their places speak for themselves
    return 1 / wide < face.spacing / spacing < (1.2 * wide if face.value in (2, 3, 6) else wide)


def _examined(grey: Pixels, pips: Pips, face: Face) -> Face:
    """Look between the pips of a face: a die is even there."""
    rows = list(face.rows)
    places = (pips.at[rows] - face.at) @ _inverse(face.axes).T
    clear = np.linalg.norm(BETWEEN[:, None] - places[None], axis=2).min(axis=1) > 0.7
    ground = _median(pips.ground[rows])
    contrast = abs(face.contrast)
    seen = look_up(grey, face.at + BETWEEN[clear] @ face.axes.T)
    return replace(face, blemish=float(np.mean(np.abs(seen - ground) > 0.3 * contrast)))


def _singles(grey: Pixels, pips: Pips, faces: list[Face], spacing: float) -> list[Face]:
    """Take unexplained pips for 1s where an even die lies around them."""
    taken = [row for face in faces for row in face.rows]
    rows = np.setdiff1d(np.arange(len(pips)), np.array(taken, dtype=np.intp))
    values, vectors = np.linalg.eigh(pips.shape[rows])
    axes = spacing * (vectors * np.sqrt(values)[:, None]) @ vectors.transpose(0, 2, 1)
    rings = np.einsum("nij,pj->npi", axes, SINGLE_RINGS) + pips.at[rows][:, None]
    off = np.abs(look_up(grey, rings) - pips.ground[rows][:, None])
    blemishes = (off > 0.3 * np.abs(pips.contrast[rows])[:, None]).mean(axis=1)
    return [
        Face(
            value=1,
            at=pips.at[row],
            shape=pips.shape[row],
            axes=lattice,
            spacing=spacing,
            rows=frozenset({int(row)}),
            misfit=0.0,
            blemish=float(blemish),
            motley=0.0,
            uneven=float(pips.evenness[row]),
            contrast=float(pips.contrast[row]),
        )
        for row, lattice, blemish in zip(rows, axes, blemishes, strict=True)
        if blemish < SINGLE_BLEMISH
    ]


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


def _guesses(grey: Pixels, pips: Pips) -> Iterator[Face]:
    """Take every likely pair of pips for opposite corners, and look what lies between."""
    known: set[tuple[int, int]] = set()
    for i in range(len(pips)):
        kin = _kin(pips, i)
        for j in map(int, _opposite(grey, pips, i, kin[kin > i])):
            face = None if (i, j) in known else _face(pips, i, j, kin)
            if face is not None:
                yield face
                if face.value >= 4 and face.misfit < 0.06:
                    known.update(itertools.combinations(sorted(face.rows), 2))


def _kin(pips: Pips, i: int) -> Ints:
    """List the pips near pip i that could belong to its face: alike in shape and ground."""
    reach = 2.83 * SPACING[1] * float(np.trace(pips.shape[i])) ** 0.5
    apart = np.abs(pips.at - pips.at[i]).max(axis=1)
    own = abs(pips.contrast[i])
    weaker = np.minimum(np.abs(pips.contrast), own)
    alike = (apart < reach) & ((pips.contrast < 0) == (pips.contrast[i] < 0))
    alike &= np.abs(pips.ground - pips.ground[i]) < 0.8 * weaker
    alike &= weaker > 0.45 * np.maximum(np.abs(pips.contrast), own)
    rows = np.flatnonzero(alike)
    rows = rows[unlike(pips.shape[rows], pips.shape[i]) < 0.7]
    return np.asarray(rows[np.argsort(apart[rows], kind="stable")[:MOST_KIN]])


def _opposite(grey: Pixels, pips: Pips, i: int, kin: Ints) -> Ints:
    """Keep the pips that can be the corner opposite to pip i: in reach, on even ground."""
    step = pips.at[kin] - pips.at[i]
    flat = np.linalg.inv((pips.shape[kin] + pips.shape[i]) / 2)
    spacing = np.sqrt(np.einsum("ni,nij,nj->n", step, flat, step) / 8)
    quarters = pips.at[i] + np.multiply.outer((0.25, 0.75), step)
    limit = 0.3 * np.abs(pips.contrast[kin])
    ground = np.stack([pips.ground[kin], np.full(len(kin), pips.ground[i])])
    seen = look_up(grey, quarters)
    even = (np.abs(seen - ground.min(axis=0)) < limit) | (np.abs(seen - ground.max(axis=0)) < limit)
    return np.asarray(kin[(SPACING[0] <= spacing) & (spacing <= SPACING[1]) & even.all(axis=0)])


def unlike(shapes: Floats, shape: Floats) -> Floats:
    """Compare ellipses: 0 for equal ones, about the log of the ratio of their axes."""
    ratio = _inverse(shape) @ shapes
    half = (ratio[..., 0, 0] + ratio[..., 1, 1]) / 2
    det = ratio[..., 0, 0] * ratio[..., 1, 1] - ratio[..., 0, 1] * ratio[..., 1, 0]
    spread = np.sqrt(np.maximum(half * half - det, 0))
    low, high = np.maximum(half - spread, 1e-6), half + spread
    return np.asarray(0.5 * np.hypot(np.log(low), np.log(high)))


def _inverse(matrix: Floats) -> Floats:
    """Invert a (2, 2) matrix; for one of them, five times faster than numpy's general way."""
    (a, b), (c, d) = matrix.tolist()
    return np.asarray(np.array([[d, -b], [-c, a]]) / (a * d - b * c))


def _face(pips: Pips, i: int, j: int, kin: Ints) -> Face | None:
    """Explain the pips around two opposite corners; None when they show no face."""
    shape = (pips.shape[i] + pips.shape[j]) / 2
    flat = _flattener(shape)
    half = flat @ (pips.at[j] - pips.at[i]) / 2
    reach = float(np.hypot(*half))
    if not SPACING[0] <= reach / 2**0.5 <= SPACING[1]:
        return None
    centre = (pips.at[i] + pips.at[j]) / 2
    flat_at = (pips.at[kin] - centre) @ flat.T
    axes = _axes(half, flat_at, reach)
    places = flat_at @ _inverse(axes).T
    inside = np.abs(places).max(axis=1) < 1.4
    rows, places = kin[inside], places[inside]
    gaps = np.linalg.norm(places[:, None] - LATTICE, axis=2)
    nearest, gap = gaps.argmin(axis=1), gaps.min(axis=1)
    value = PATTERNS.get(int(np.bitwise_or.reduce(1 << nearest)) if len(rows) else 0)
    if value is None or value != len(rows) or gap.max() > TOLERANCE:
        return None
    return Face(
        value,
        pips.at[rows].mean(axis=0),
        pips.shape[rows].mean(axis=0),
        _inverse(flat) @ axes,
        float(np.sqrt(abs(np.linalg.det(axes)))),
        frozenset(map(int, rows)),
        float(np.sqrt(np.mean(gap**2))),
        0.0,
        float(unlike(pips.shape[rows], pips.shape[rows].mean(axis=0)).max()),
        float(np.mean(pips.evenness[rows])),
        _median(pips.contrast[rows]),
    )


def _axes(half: Floats, flat_at: Floats, reach: float) -> Floats:
    """Find the lattice's axes, as columns, from half a diagonal and the pips around its middle.

    The other two corners lie as far from the middle (a rectangle's do), opposite each other;
    where there are none (2 and 3), the face is taken to be square.
    """
    turned = np.array([-half[1], half[0]])
    apart = np.linalg.norm(flat_at[:, None] + flat_at[None], axis=2)
    across = flat_at @ turned / reach**2
    corner = (apart.min(axis=1) < 0.3 * reach) & (across > 0.8)
    corner &= np.abs(np.linalg.norm(flat_at, axis=1) / reach - 1) < 0.22
    if corner.any():
        candidates = np.flatnonzero(corner)
        best = candidates[np.argmax(across[candidates])]
        turned = (flat_at[best] - flat_at[apart[best].argmin()]) / 2
    return np.stack([(half - turned) / 2, (half + turned) / 2], axis=1)


def _median(values: Floats) -> float:
    """Give the median of a handful of values, sooner than numpy starts."""
    ordered = sorted(values.tolist())
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _flattener(shape: Floats) -> Floats:
    """Make the matrix that turns an ellipse into the unit circle: its inverse square root."""
    (a, b), (_, d) = shape.tolist()
    root = max(a * d - b * b, 1e-12) ** 0.5
    return _inverse((shape + root * np.eye(2)) / (a + d + 2 * root) ** 0.5)
