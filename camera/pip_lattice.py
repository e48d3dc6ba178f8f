"""Which pips may make up one face: pairs of opposite corners, and what lies in their lattice.

All pairs of a picture are looked at together, as arrays: M pairs, each with the K nearest pips
of the same kind as its first.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
import numpy.typing as npt

from camera.pip_blobs import Floats, Pixels, look_up
from camera.pip_ellipses import Pips
from camera.pip_shapes import determinants, inverses

Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]
Ellipses = tuple[Floats, Floats, Floats]  # two diagonal places of matrices, the other one

SPACING = (1.6, 4.3)  # lattice unit in pip radii, over all dice that we have seen
PATTERNS = {
    0b100000001: 2,
    0b100010001: 3,
    0b101000101: 4,
    0b101010101: 5,
    0b101101101: 6,
    0b111000111: 6,
}
OUTSIDE = 5  # where a place that no lattice has comes in `BITS`
BITS = np.roll([1 << place for place in range(9)] + [0], -4)  # by x + 3 y, from -4 to 4
FACE_OF = np.zeros(512, dtype=np.int8)
FACE_OF[list(PATTERNS)] = list(PATTERNS.values())
BETWEEN = np.array([(x, y) for y in np.linspace(-1.4, 1.4, 8) for x in np.linspace(-1.4, 1.4, 8)])
MOST_PIPS = 6
MOST_KIN = 18  # near pips of one kind that are looked at; a die's three faces have 15 at most
TOLERANCE = 0.25  # lattice units between a pip and its place; on dice seldom above 0.1
FAR_AWAY = 1e6  # where pips are put that there are none of


@dataclass(frozen=True)
class Guesses:
    """Faces that pips may show, a row each; fields as in `Face`, pips by number.

    kin     (M, K) the pips near each face.
    inside  (M, K) which of them belong to it.
    """

    value: Ints
    at: Floats
    shape: Floats
    axes: Floats
    spacing: Floats
    kin: Ints
    inside: Bools
    misfit: Floats
    blemish: Floats
    motley: Floats
    uneven: Floats
    contrast: Floats

    def __len__(self) -> int:
        return len(self.value)

    @cached_property
    def rows(self) -> list[frozenset[int]]:
        """Numbers of the pips that each explains."""
        pairs = zip(self.kin.tolist(), self.inside.tolist(), strict=True)
        return [frozenset(compress(kin, inside)) for kin, inside in pairs]

    def take(self, chosen: Bools) -> "Guesses":
        """Keep some rows."""
        return Guesses(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def guess_faces(grey: Pixels, pips: Pips) -> Guesses:
    """Take every likely pair of pips for opposite corners, and look what lies between."""
    kin, known = _kin(pips)
    first, second = _opposite(grey, pips, kin, known)
    shape = (pips.shape[first] + pips.shape[second]) / 2
    flat = flatteners(shape)
    ends = pips.at[first], pips.at[second]
    half = _turned(flat, *((ends[1] - ends[0]) / 2).T)
    own, known = kin[first], known[first]
    middles = (ends[0] + ends[1]) / 2
    ways = (pips.at[:, axis].take(own) - middles[:, axis, None] for axis in (0, 1))
    flat_at = _turned(flat[:, None], *ways)
    flat_at[:, ~known] = FAR_AWAY
    axes = _axes(half, flat_at)
    value, inside, gap = _shown(_turned(inverses(axes)[:, None], *flat_at))
    rows = np.flatnonzero((value > 0) & (gap.max(axis=1) <= TOLERANCE))
    # from here on the pips of the face alone, six at most
    column = np.argsort(~inside[rows], axis=1, kind="stable")[:, :MOST_PIPS]
    place = rows[:, None], column
    return _measured(
        grey,
        pips,
        value[rows],
        inverses(flat[rows]) @ axes[rows],
        np.sqrt(np.abs(determinants(axes[rows]))),
        own[place],
        inside[place],
        gap[place],
    )


def _shown(places: Floats) -> tuple[Ints, Bools, Floats]:
    """Which faces pips make at places (2, N, K) of lattices: (N), 0 where they make none.

    Also which of the pips lie on the lattice, and how far off its points, both (N, K).
    """
    nearest = np.rint(places)
    inside = np.abs(places).max(axis=0) < 1.4
    gap = np.where(inside, np.hypot(*(places - nearest)), 0.0)
    bits = BITS.take(np.where(inside, nearest[0] + 3 * nearest[1], OUTSIDE).astype(np.intp))
    value = FACE_OF[np.bitwise_or.reduce(bits, axis=1)].astype(int)
    return np.where(value == inside.sum(axis=1), value, 0), inside, gap


def _measured(
    grey: Pixels,
    pips: Pips,
    value: Ints,
    axes: Floats,
    spacing: Floats,
    kin: Ints,
    inside: Bools,
    gap: Floats,
) -> Guesses:
    share = (inside / value[:, None])[:, None]
    at, shapes = pips.at[kin], pips.shape[kin]
    middle = (share @ at)[:, 0]
    shape = (share @ shapes.reshape(*kin.shape, 4)).reshape(-1, 2, 2)
    contrast = _medians(pips.contrast[kin], inside)
    motley = np.where(inside, unlike(shapes, shape[:, None]), 0).max(axis=1, initial=0)
    return Guesses(
        value,
        middle,
        shape,
        axes,
        spacing,
        kin,
        inside,
        np.sqrt((gap**2).sum(axis=1) / value),
        _blemishes(grey, middle, axes, at, inside, _medians(pips.ground[kin], inside), contrast),
        motley,
        (share[:, 0] * pips.evenness[kin]).sum(axis=1),
        contrast,
    )


def _blemishes(
    grey: Pixels,
    middle: Floats,
    axes: Floats,
    at: Floats,
    inside: Bools,
    ground: Floats,
    contrast: Floats,
) -> Floats:
    """Look between the pips of faces, at (M, K, 2): a die is even there."""
    places = _turned(inverses(axes)[:, None], *(at - middle[:, None]).transpose(2, 0, 1))
    places[:, ~inside] = FAR_AWAY
    x, y = (places[axis, :, :, None] - BETWEEN[:, axis] for axis in (0, 1))
    clear = (x * x + y * y).min(axis=1) > 0.7**2
    seen = look_up(grey, middle[:, None] + BETWEEN @ axes.transpose(0, 2, 1))
    off = np.abs(seen - ground[:, None]) > 0.3 * np.abs(contrast)[:, None]
    return np.asarray((off & clear).sum(axis=1) / np.maximum(clear.sum(axis=1), 1))


def _kin(pips: Pips) -> tuple[Ints, Bools]:
    """List the pips near each that could belong to its face: alike in shape and ground."""
    reach = 2.83 * SPACING[1] * np.sqrt(pips.shape[:, 0, 0] + pips.shape[:, 1, 1])
    apart = np.maximum(*(np.abs(place[:, None] - place) for place in pips.at.T))
    strength = np.abs(pips.contrast)
    weaker = np.minimum(strength[:, None], strength)
    dark = pips.contrast > 0
    alike = (apart < reach[:, None]) & (dark[:, None] == dark)
    alike &= np.abs(pips.ground[:, None] - pips.ground) < 0.8 * weaker
    alike &= weaker > 0.45 * np.maximum(strength[:, None], strength)
    pairs = np.nonzero(alike)
    alike[pairs] = unlike(*(pips.shape[of] for of in pairs[::-1])) < 0.7
    apart[~alike] = np.inf
    kin = np.argsort(apart, axis=1, kind="stable")[:, :MOST_KIN]
    return kin, np.isfinite(apart[np.arange(len(kin))[:, None], kin])


def _opposite(grey: Pixels, pips: Pips, kin: Ints, known: Bools) -> tuple[Ints, Ints]:
    """List the pairs that can be opposite corners: in reach, on even ground."""
    first, place = np.nonzero(known & (kin > np.arange(len(kin))[:, None]))
    second = kin[first, place]
    step = pips.at[second] - pips.at[first]
    flat = inverses((pips.shape[first] + pips.shape[second]) / 2)
    x, y = step.T
    spacing = np.sqrt(
        (flat[:, 0, 0] * x * x + 2 * flat[:, 0, 1] * x * y + flat[:, 1, 1] * y * y) / 8
    )
    fits = (SPACING[0] <= spacing) & (spacing <= SPACING[1])
    first, second, step = first[fits], second[fits], step[fits]
    limit = 0.3 * np.abs(pips.contrast[second])[:, None]
    ends = np.stack([pips.ground[first], pips.ground[second]], axis=1)
    seen = look_up(grey, pips.at[first][:, None] + step[:, None] * np.array([0.25, 0.75])[:, None])
    even = np.abs(seen - ends.min(axis=1, keepdims=True)) < limit
    even |= np.abs(seen - ends.max(axis=1, keepdims=True)) < limit
    both = even.all(axis=1)
    return first[both], second[both]


def _axes(half: Floats, flat_at: Floats) -> Floats:
    """Find the lattices' axes, as columns, from half diagonals (2, M) and the pips around middles.

    The other two corners lie as far from the middle (a rectangle's do), opposite each other;
    where there are none (2 and 3), the face is taken to be square.
    """
    reach = np.hypot(*half)[:, None]
    turned = np.stack([-half[1], half[0]])
    x, y = flat_at
    across = (x * turned[0, :, None] + y * turned[1, :, None]) / reach**2
    row, corner = np.nonzero((across > 0.8) & (np.abs(np.hypot(x, y) / reach - 1) < 0.22))
    at = flat_at[:, row, corner]
    apart = np.hypot(x[row] + at[0, :, None], y[row] + at[1, :, None])
    other = apart.argmin(axis=1)
    far = across[row, corner]
    order = np.argsort(far, kind="stable")  # the farthest comes last and stays
    order = order[(apart[np.arange(len(row)), other] < 0.3 * reach[row, 0])[order]]
    row, other, at = row[order], other[order], at[:, order]
    turned[:, row] = (at - flat_at[:, row, other]) / 2
    return np.stack([half - turned, half + turned]).transpose(2, 1, 0) / 2


def unlike(shapes: Floats, shape: Floats) -> Floats:
    """Compare ellipses: 0 for equal ones, about the log of the ratio of their axes."""
    return unlike_parts(_parts(shapes), _parts(shape))


def _parts(shapes: Floats) -> Ellipses:
    return shapes[..., 0, 0], shapes[..., 0, 1], shapes[..., 1, 1]


def unlike_parts(shapes: Ellipses, shape: Ellipses) -> Floats:
    """Compare ellipses as `unlike` does: of each matrix two diagonal places, the other between."""
    (a, b, d), (e, f, h) = shape, shapes
    own = a * d - b * b
    half = (d * e - 2 * b * f + a * h) / (2 * own)
    spread = np.sqrt(np.maximum(half * half - (e * h - f * f) / own, 0))
    low, high = np.maximum(half - spread, 1e-6), half + spread
    return np.asarray(0.5 * np.hypot(np.log(low), np.log(high)))


def _medians(values: Floats, where: Bools) -> Floats:
    """Give the median of the chosen values of each row (M, K)."""
    ordered = np.sort(np.where(where, values, np.inf), axis=1)
    count = where.sum(axis=1)
    row = np.arange(len(values))
    return np.asarray((ordered[row, (count - 1) // 2] + ordered[row, count // 2]) / 2)


def flatteners(shapes: Floats) -> Floats:
    """Make the matrices that turn ellipses into the unit circle: their inverse square roots."""
    root = np.sqrt(np.maximum(determinants(shapes), 1e-12))
    trace = shapes[..., 0, 0] + shapes[..., 1, 1]
    scale = np.sqrt(trace + 2 * root)[..., None, None]
    return inverses((shapes + root[..., None, None] * np.eye(2)) / scale)


def _turned(matrices: Floats, x: Floats, y: Floats) -> Floats:
    """Multiply matrices (..., 2, 2) with vectors of parts x and y; give both parts, one each."""
    return np.array([matrices[..., row, 0] * x + matrices[..., row, 1] * y for row in range(2)])
