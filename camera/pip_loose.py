"""Marks like pips beside all dice that were read: where a die may have been missed."""

from typing import NamedTuple

import numpy as np

from camera.doubts import Doubt
from camera.pip_blobs import Floats, Marks, Pyramid
from camera.pip_doubts import beside
from camera.pip_ellipses import Pips
from camera.pip_faces import Face, usual_contrasts
from camera.pip_lattice import Bools, Ints
from camera.pip_shapes import median
from camera.pip_votes import face_patches, votes

LIKE_PIPS = 0.22  # least contrast of what may be a pip, in that of the dice that were read
MEASURED = 2.0  # by which a measured pip counts more than what only stands out
KIN, PIPS_AND_DIE = 3, 0.3  # so many pips like the dice's own, and the chance that makes them a die
FACE = 0.75  # edges of a die: how far from each other pips of one face lie
MOST_LOOSE = 10  # groups of unexplained marks that are looked at again
LIKE_DIE = "something like a die that was not read"
SURELY_DIE = 0.8  # chance from which marks that no face explains are a die


class Groups(NamedTuple):
    """Groups of marks as wide as a face, those of many pips first.

    at       (N, 2) their middles, px.
    kin      (N,) how many measured pips like those of the dice each has.
    chances  (N, 7) of none and of the faces one to six there, by the second reader.
    """

    at: Floats
    kin: Ints
    chances: Floats

    def where(self, kept: Bools) -> "Groups":
        """Those of them (N,) that are kept."""
        return Groups(self.at[kept], self.kin[kept], self.chances[kept])


def loose_groups(
    pyramid: Pyramid, marks: Marks, pips: Pips, tops: list[Face], side_px: float
) -> Groups:
    """Group the marks that lie apart from the upper faces, and ask the second reader about them."""
    usual, radius = usual_contrasts(tops), median([top.radius_px for top in tops])
    least = float(np.abs(usual).min())
    likely = marks.take(marks.contrast > LIKE_PIPS * least)
    at = np.concatenate([pips.at, likely.places()])
    size = np.concatenate([pips.half_axes[1], likely.sizes()]) / radius
    # measured pips count more than anything that only stands out
    strong = (pips.contrast[:, None] / usual).max(axis=1)
    strength = np.concatenate([MEASURED + strong, likely.contrast / least])
    rows = np.flatnonzero((size > 0.6) & (size < 2.2) & beside(at, tops))
    middles, kin = _middles(at[rows], strength[rows], side_px)
    return Groups(middles, kin, votes(face_patches(pyramid.levels, middles, side_px)))


def loose(groups: Groups, *, least: float = SURELY_DIE) -> tuple[str, ...]:
    """Say whether a die may have been missed; `least`: the chance of one from which it may."""
    needed = np.where(groups.kin >= KIN, min(PIPS_AND_DIE, least), least)
    is_die = groups.chances[:, 0] < 1 - needed
    return tuple(Doubt(LIKE_DIE, place) for place in groups.at[is_die][:1])


def _middles(at: Floats, strength: Floats, side_px: float) -> tuple[Floats, Ints]:
    """Give the middles (N, 2) of groups as wide as a face, and how many measured pips each has."""
    groups: list[tuple[int, int, float, Floats]] = []
    order = np.argsort(-strength, kind="stable")
    at, strength = at[order], strength[order]
    while len(at) and len(groups) < 2 * MOST_LOOSE:
        x, y = (at - at[0]).T
        near = np.hypot(x, y) < FACE * side_px
        count = int(near.sum())
        kin = int((strength[near] > MEASURED + 0.5).sum())
        middle = at[near][: kin or count].mean(axis=0)  # the strongest come first
        groups.append((kin, count, float(strength[0]), middle))
        at, strength = at[~near], strength[~near]
    groups.sort(key=lambda group: group[:3], reverse=True)
    groups = groups[:MOST_LOOSE]
    middles = np.array([middle for *_, middle in groups]).reshape(-1, 2)
    return middles, np.array([kin for kin, *_ in groups], dtype=np.intp)
