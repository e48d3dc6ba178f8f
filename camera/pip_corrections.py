"""Where the second reader knows better: faces that pips alone explain wrongly, or not at all.

Theory of operation. Any two marks of a kind can be taken for the opposite corners of a 2; where
that looks odd, one of them may be a 1, and the other one a pip of a side or of the next die. A hand
that moves, or a lens out of focus, lets the pips of a 6 run into each other, so that half of it is
a 3, or nothing; and a glint in its only pip hides a 1. The second reader knows no pips, and what it
says of such places is clear. Whatever it corrects is asked about all the same.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from camera.pip_blobs import Floats, Pixels, Pyramid
from camera.pip_ellipses import Pips
from camera.pip_faces import Face, find_singles
from camera.pip_loose import Groups
from camera.pip_tops import apart_on_table
from camera.pip_votes import face_patches, votes

ODD = 0.6  # quality of a pair of pips below which they may belong to two faces
AGREED = 0.8  # chance of a 2 from which it is one, however odd it looks
ALONE = 0.9  # chance of a 1 from which one pip of a pair is a face by itself
HARDLY, SURELY = 0.1, 0.9  # chance of what was read, and of another face that is read instead
SEEN, SEEN_ONE = 0.85, 0.95  # chance from which a face is read where no pips explain it
NOTHING = 0.05  # most chance of no face there
HARDLY_ANY = 0.9  # the same in the middle of marks, from which nothing is looked for around it
APART = 0.85  # edges of a die from one that was read to the middle of another
UNEXPLAINED = 0.2  # misfit of a face without pips: its quality is next to nothing
AROUND = 0.15 * np.array([(x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)])  # edges


def untied(levels: Sequence[Pixels], pips: Pips, faces: list[Face], side_px: float) -> list[Face]:
    """Give faces in which pairs of pips that are no 2 count one by one.

    levels   the picture, grey, with its halves and quarters.
    side_px  usual edge of the dice.
    """
    odd = [face for face in faces if face.value == 2 and face.quality < ODD]
    no_pairs = {face for face in odd if _is_no_pair(levels, pips, face, side_px)}
    if not no_pairs:
        return faces
    parted = frozenset[int]().union(*(face.rows for face in no_pairs))
    kept = [face for face in faces if face not in no_pairs]
    lattices = [face for face in kept if face.value > 1]
    return kept + find_singles(levels[0], pips, parted, lattices)


def _is_no_pair(levels: Sequence[Pixels], pips: Pips, pair: Face, side_px: float) -> bool:
    places: Floats = np.array([pair.at, *pips.at[sorted(pair.rows)]])
    chances = votes(face_patches(levels, places, side_px), turns=2)
    return bool(chances[0, 2] < AGREED and chances[1:, 1].max() > ALONE)


def overruled(tops: list[Face], chances: Floats) -> list[Face]:
    """Give upper faces as the second reader reads them, where it is sure of another face.

    chances  of none and of the faces one to six (N, 7).
    """
    best = 1 + chances[:, 1:].argmax(axis=1)
    own = chances[np.arange(len(tops)), [top.value for top in tops]]
    is_other = (own < HARDLY) & (chances.max(axis=1) > SURELY) & (chances[:, 0] < HARDLY)
    return [
        replace(top, value=int(face)) if other else top
        for top, face, other in zip(tops, best, is_other.tolist(), strict=True)
    ]


def unexplained(
    pyramid: Pyramid, groups: Groups, tops: list[Face], side_px: float
) -> tuple[list[Face], Floats]:
    """Find dice where marks are left over that make up no face; they lie like their nearest.

    Beside them, the second reader's chances of none and of the faces one to six (N, 7).
    """
    found: list[Face] = []
    told: list[Floats] = [np.zeros((0, 7))]
    for middle in groups.at[groups.chances[:, 0] < HARDLY_ANY]:
        places = middle + AROUND * side_px
        chances = votes(face_patches(pyramid.levels, places, side_px), turns=2)
        best = int(chances[:, 1:].max(axis=1).argmax())
        one = _lying_like(tops, places[best], 1 + int(chances[best, 1:].argmax()))
        if _is_clear(one, chances[best]) and (apart_on_table([one], tops + found) > APART).all():
            found.append(one)
            told.append(chances[best : best + 1])
    return found, np.concatenate(told)


def _is_clear(face: Face, chances: Floats) -> bool:
    least = SEEN_ONE if face.value == 1 else SEEN
    return bool(chances[face.value] >= least and chances[0] <= NOTHING)


def _lying_like(tops: list[Face], at: Floats, value: int) -> Face:
    nearest = min(tops, key=lambda top: float(np.hypot(*(top.at - at))))
    return replace(nearest, at=at, value=value, rows=frozenset(), misfit=UNEXPLAINED)
