"""One look at a picture of pip dice: what both readers see in it, and why not to rely on it.

A look finds the dice by their pips, tells upper faces from sides, asks the second reader about
each, lets it correct them, and lists the doubts. How closely it looks is the caller's choice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from camera.doubts import Doubt, each_once, in_whole
from camera.pip_blobs import (
    COARSE,
    FULL,
    Floats,
    Marks,
    Pixels,
    Pyramid,
    find_marks,
)
from camera.pip_bodies import Surroundings, cut_ones, unread_dice
from camera.pip_changes import Changes
from camera.pip_colours import has_full_pips
from camera.pip_corrections import overruled, unexplained, untied
from camera.pip_doubts import (
    BY_SIGHT,
    CUT_BODY,
    FULL_PIPS,
    MAY_BE,
    NAMES,
    NONE_AT_ALL,
    STRANGE,
    UNREAD_BODY,
    bodiless,
    cut_by_edge,
    disagreements,
    left_over,
    unread_bodies,
)
from camera.pip_ellipses import Measured, Pips, measure_pips
from camera.pip_faces import LARGEST_SINGLE, Face, find_faces
from camera.pip_floor import ASKEW, LEANS, KnownFloor, flaws_on
from camera.pip_lattice import BETWEEN
from camera.pip_loose import SURELY_DIE, Groups, loose, loose_groups
from camera.pip_readings import Look, readings_of
from camera.pip_shapes import median
from camera.pip_standing import Scaled
from camera.pip_tops import Sorted, find_tops
from camera.pip_unexplained import LOOK_CLOSER, left_open_by
from camera.pip_votes import face_patches, votes

LEAST_RADIUS_PX = (3.5, 2.5, 0.0)  # of pips that are surely found among clear marks
FEW, LEAST_OF_FEW_PX = 3, (4.0, 2.5, 0.0)  # so few dice tell a slant only where they are exact
LARGE_PX = 150  # edge of dice whose pips may be dice themselves
LIKELY_NONE = 0.6  # chance of none from which a single mark is no reading, but asked about
SURELY_NONE = 0.9  # the same, from which it is dropped without asking anybody
CLEAR_LATTICE = 0.8  # quality of a face of two pips or more that counts unless it is likely none
SURE = 0.97  # chance of a face from which the network is not shown it a second time
SECONDED = 0.5  # chance of a face from which a die counts that is coloured otherwise than most
SECONDED_ONE = 0.85  # the same for a single mark: buttons and keys look like 1s
CLEARLY = 0.93  # the same, below which the coarsest look is not relied on
SUSPICIOUS = 0.5  # chance of a missed die from which the whole picture is looked at
BODY_LIKE = 0.4  # the same for a spot as large and bright as a die
OVERLOOKED = 0.85  # chance of a die where nothing was read, from which the table is asked
CUT = "cut"


@dataclass(frozen=True)
class View:
    """A picture as it is worked on.

    pyramid   with its halves and quarters, grey, as it is or made clearer.
    seen      the picture itself, BGR, and the scale of that: how dice lie is told by it.
    expect    how many dice the table waits for, if it does.
    floor     what is known of it, if anything is.
    grey      as `pyramid.levels[0]`, of the picture as it is.
    measured  what was measured in it so far.
    """

    pyramid: Pyramid
    seen: Scaled
    expect: int | None
    floor: KnownFloor | None
    grey: Pixels
    measured: Measured = field(default_factory=Measured)

    @property
    def pixels(self) -> Pixels:
        """The picture itself."""
        return self.seen.picture.pixels

    @property
    def scale(self) -> float:
        """Of the copy that is worked on."""
        return self.seen.scale


@dataclass(frozen=True)
class _Found:
    """What lies in a picture, by its pips alone."""

    marks: Marks
    pips: Pips
    faces: list[Face]
    dice: Sorted
    side_px: float


def _found(view: View, depth: int, known_px: float | None) -> _Found | None:
    """Find dice by their pips; None when there are none, or none large enough to be clear."""
    pyramid = view.pyramid
    marks = find_marks(pyramid, depth, known_px)
    pips = measure_pips(pyramid, marks, depth, view.measured)
    if depth == COARSE and len(pips) and _median_radius_px(pips) < LEAST_RADIUS_PX[COARSE] - 0.1:
        return None
    faces = find_faces(pyramid.levels[0], pips)
    if pyramid.changes is not None:
        faces = _only_new(faces, pyramid.changes)
    dice = find_tops(faces)
    if depth == FULL and dice.tops:
        side_px = median([top.side_px for top in dice.tops])
        tied, faces = faces, untied(pyramid.levels, pips, faces, side_px)
        dice = dice if faces is tied else find_tops(faces)
    if not dice.tops:
        return None
    least_px = LEAST_OF_FEW_PX[depth] if len(dice.tops) < FEW else LEAST_RADIUS_PX[depth]
    if _pip_radius_px(dice.tops) < least_px:
        return None
    side_px = median([top.side_px for top in dice.tops])
    return _Found(marks, pips, faces, dice, side_px)


def look_at(view: View, depth: int, known_px: float | None = None) -> Look | None:
    """Look for dice; None when there are none, or none that are large enough to be clear."""
    found = _found(view, depth, known_px)
    if found is None:
        return None
    dice, side_px = found.dice, found.side_px
    closer = Look((), False, (LOOK_CLOSER,), side_px / view.scale)
    left_open = _left_open(view, depth, found, dice.tops)
    if depth < FULL and (_may_be_dice(found) or (left_open and not dice.more)):
        return closer
    read = _read(view, depth, found)
    if not read.tops:
        return None
    if depth < FULL and (
        read.odd or surplus(len(read.tops), view.expect) or _differ(depth, read.tops, read.chances)
    ):
        return closer
    if read.tops != dice.tops:
        left_open = _left_open(view, depth, found, read.tops)
    seen = _Seen(depth, found, read, left_open)
    # one doubt is enough to look more closely; only the last look tells all of them
    doubts = list(_doubts(view, seen) if depth == FULL else islice(_doubts(view, seen), 1))
    if doubts and depth < FULL:
        return closer
    flaws = _flaws(view, read.tops, side_px)
    told, full = _why_not(view, seen, doubts, flaws)
    readings = readings_of(
        view.pixels, view.scale, read.tops, read.chances, flaws, accepted=not told
    )
    doubts_told = in_whole(told, view.scale, view.seen.picture.size_px)
    return Look(readings, not told, doubts_told, side_px / view.scale, full)


def _left_open(view: View, depth: int, found: _Found, tops: list[Face]) -> tuple[str, ...]:
    shape = view.pyramid.levels[0].shape
    return left_open_by(depth, found.pips, found.faces, tops, found.side_px, shape)


class _Read(NamedTuple):
    """What the upper faces are taken for.

    chances  of none and of the faces one to six (N, 7), by the second reader.
    odd      in words, what the readers don't agree on.
    groups   marks beside them, where these were looked at.
    """

    tops: list[Face]
    chances: Floats
    odd: tuple[str, ...]
    groups: Groups | None


@dataclass(frozen=True)
class _Seen:
    """What one look at a picture saw."""

    depth: int
    found: _Found
    read: _Read
    left_open: tuple[str, ...]


def _why_not(
    view: View, seen: _Seen, doubts: list[str], flaws: list[str]
) -> tuple[tuple[str, ...], bool]:
    """Say why the table should be asked, and whether the pips may be dice."""
    tops = seen.read.tops
    named = [
        Doubt(NAMED[flaw].format(top.value), top.at)
        for flaw, top in zip(flaws, tops, strict=True)
        if flaw
    ]
    told = each_once([*named, *doubts])
    full = (
        not told
        and not view.seen.are_dice(tops)
        and has_full_pips(view.pixels, view.scale, seen.found.pips, tops)
    )
    return ((FULL_PIPS,) if full and _may_be_dice(seen.found) else told), full


def _doubts(view: View, seen: _Seen) -> Iterator[str]:
    """Say why the table should be asked; what is soon found out comes first."""
    pyramid, tops, found, side_px = view.pyramid, seen.read.tops, seen.found, seen.found.side_px
    first = surplus(len(tops), view.expect) + disagreements(tops, seen.read.chances)
    yield from first
    yield from seen.read.odd
    other = bodiless(view.pixels, view.scale, tops)
    yield from other
    left = left_over(pyramid, tops, found.dice.sides, found.dice.others, side_px)
    yield from left
    yield from seen.left_open
    unread = unread_bodies(pyramid, found.marks, tops, side_px, least=BODY_LIKE)
    yield from unread
    # where only clear marks were looked for, the slightest suspicion calls for a closer look
    least = SUSPICIOUS if seen.depth < FULL else SURELY_DIE
    groups = seen.read.groups or _groups(pyramid, found, tops)
    # pips on the side of a die that somebody saw there are none of another
    strewn = loose(groups.where(~view.seen.covers(groups.at, tops)), least=least)
    yield from strewn
    if not (first or other or left or seen.left_open or unread or strewn):
        yield from _overlooked(view, tops, side_px)


def _may_be_dice(found: _Found) -> bool:
    """Tell whether the pips that were found may be dice, too small to be seen so coarsely."""
    return found.side_px > LARGE_PX and all(top.value <= 2 for top in found.dice.tops)


def _differ(depth: int, tops: list[Face], chances: Floats) -> bool:
    """Tell whether both readers differ, or come so near to it that a closer look is worth it."""
    is_near = depth == COARSE and bool((_own_chances(tops, chances) < CLEARLY).any())
    return is_near or bool(disagreements(tops, chances))


def _overlooked(view: View, tops: list[Face], side_px: float) -> tuple[str, ...]:
    """Ask, before a roll is accepted, whether something as large as a die was not read at all."""
    pyramid = view.pyramid
    seen = Surroundings(view.pixels, view.scale, pyramid.levels, tops, side_px, pyramid.changes)
    places, chances = unread_dice(seen)
    told = [Doubt(UNREAD_BODY, place) for place in places[chances > OVERLOOKED]]
    told = told or [Doubt(CUT_BODY, place) for place in cut_ones(seen)]
    return tuple(told[:1])


def _median_radius_px(pips: Pips) -> float:
    """Give the usual radius of all marks that look like pips."""
    return median(pips.half_axes[1])


def _pip_radius_px(tops: list[Face]) -> float:
    """Give the usual radius of pips; that of a 1 may be nearly twice as large."""
    shares = [1 / LARGEST_SINGLE if top.value == 1 else 1.0 for top in tops]
    return median([top.radius_px * share for top, share in zip(tops, shares, strict=True)])


NAMED = {
    CUT: "a {} is cut by the edge of the picture: throw this one again",
    LEANS: "a {} leans on something: throw this one again",
    ASKEW: "a {} that may lean on something",
}


def _flaws(view: View, tops: list[Face], side_px: float) -> list[str]:
    shape = view.grey.shape
    floor = None if view.floor is None else view.floor.under(tops, shape)
    cut, leans = cut_by_edge(tops, shape), flaws_on(floor, view.seen, tops, side_px)
    return [CUT if is_cut else lean for is_cut, lean in zip(cut, leans, strict=True)]


def _seconded(
    pyramid: Pyramid, tops: list[Face], more: list[Face], side_px: float
) -> tuple[list[Face], Floats, list[Face]]:
    """Ask the second reader about each face; a single mark that it takes for none is dropped.

    more  faces that count only where it agrees; those that may still be dice are given last.
    """
    both = tops + more
    patches = face_patches(pyramid.levels, np.array([top.at for top in both]), side_px)
    chances = votes(patches)
    unsure = np.flatnonzero(_own_chances(both, chances) < SURE)
    if len(unsure):
        turned = np.ascontiguousarray(np.rot90(patches[unsure], axes=(1, 2)))
        chances[unsure] = (chances[unsure] + votes(turned)) / 2
    is_usual = np.arange(len(both)) < len(tops)
    has_more_pips = np.array([top.value > 1 for top in both])
    is_lattice = has_more_pips & np.array([top.quality > CLEAR_LATTICE for top in both])
    none = chances[:, 0]
    is_agreed = _own_chances(both, chances) > np.where(has_more_pips, SECONDED, SECONDED_ONE)
    is_kept = np.where(
        is_usual,
        has_more_pips | (none < LIKELY_NONE),
        is_agreed | (is_lattice & (none < LIKELY_NONE)),
    )
    kept, strange = np.flatnonzero(is_kept), np.flatnonzero(~is_kept & (none < SURELY_NONE))
    return [both[row] for row in kept], chances[kept], [both[row] for row in strange]


def _groups(pyramid: Pyramid, found: _Found, tops: list[Face]) -> Groups:
    return loose_groups(pyramid, found.marks, found.pips, tops, found.side_px)


def _read(view: View, depth: int, found: _Found) -> _Read:
    """Take the upper faces for what both readers say; tell in words what the second corrected."""
    pyramid, dice = view.pyramid, found.dice
    tops, chances, strange = _seconded(pyramid, dice.tops, dice.more, found.side_px)
    odd = tuple(Doubt(STRANGE.format(face.value), face.at) for face in strange)
    if depth < FULL or not tops:
        return _Read(tops, chances, odd, None)
    read = overruled(tops, chances)
    odd += tuple(
        Doubt(MAY_BE.format(new.value, NAMES[old.value]), new.at)
        for old, new in zip(tops, read, strict=True)
        if old is not new
    )
    groups = _groups(pyramid, found, read)
    more, theirs = unexplained(pyramid, groups, read, found.side_px)
    odd += tuple(Doubt(BY_SIGHT.format(face.value), face.at) for face in more)
    return _Read(read + more, np.concatenate([chances, theirs]), odd, groups)


def _own_chances(tops: list[Face], chances: Floats) -> Floats:
    """Give what the second reader says of the faces that the first one read (N,)."""
    return np.asarray(chances[np.arange(len(tops)), [top.value for top in tops]])


def surplus(seen: int, expect: int | None) -> tuple[str, ...]:
    """Say that another number of dice lies there than the table waits for."""
    if expect is None:
        return () if seen else (NONE_AT_ALL,)
    return () if seen == expect else (f"expected {expect} dice, saw {seen}",)


def _only_new(faces: list[Face], changes: Changes) -> list[Face]:
    """Keep faces that cover something which the empty tray does not show."""
    if not faces:
        return []
    at, axes = np.array([face.at for face in faces]), np.array([face.axes for face in faces])
    shares = changes.share(at[:, None] + BETWEEN @ axes.transpose(0, 2, 1))
    return [face for face, share in zip(faces, shares.tolist(), strict=True) if share > 0.5]
