"""Find the upper sides of dice: no side of another die, and not what the bare tray shows."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.bare import is_bare, may_be_shadow
from camera.canvas import Pixels
from camera.edges import angles_of, fitted, squares, stretches
from camera.empty_tray import check_empty
from camera.halves import Halves, Picture
from camera.leftover import are_shadows
from camera.seek import Floats, Seeker, Seen
from camera.slant import Slant, slant_of

SURE_HEAT, SURELY_HEAT = 0.5, 0.68  # from which something is taken for a die; whatever it shows
SHADOW_HEAT = 0.78  # up to which it may be a sharp shadow that another throws
FAINT_HEAT = 0.6  # of the seeker, below which a die may be patches of light on the floor
SURELY_LEANS = 0.5  # of the seeker's own opinion
SIDE_ODD = 0.15  # what lies as dice do is no side of one, unless it is much fainter
FAINT, FAINTER = 0.5, 0.8  # shares of how clear the other is, below which a faint one is a side
SAME_SIDES = 0.6  # nearer than that, two of them are the same die


class Top(NamedTuple):
    """An upper side: as it was seen, its corners measured again.

    warped  (3,), how odd its shape is, see `camera.edges.Fitted`.
    """

    seen: Seen
    corners: Floats
    warped: Floats


class Tops(NamedTuple):
    """All upper sides of a picture, and how the camera looks at them.

    seen     what the seeker found, also sides of dice.
    shadows  what looked like a die, and is the shadow of one.
    """

    tops: list[Top]
    slant: Slant | None
    seen: list[Seen]
    shadows: Sequence[Seen] = ()


def find_tops(
    seeker: Seeker,
    picture: Picture,
    empty: Picture | None = None,
    *,
    precise: bool = True,
    turns: int = 0,
) -> Tops:
    """Find the upper sides of dice and measure them as squares of one size on one plane.

    precise  measure them by their edges too.
    turns    quarter turns to the left after which the picture stands upright.
    """
    halves, bare = Halves.of(picture), None if empty is None else Halves.of(empty)
    if bare is not None:
        check_empty(halves.pixels, bare.pixels)
    seen = _without_bare(halves, bare, seeker.seek(halves, turns=turns))
    flat = [die for die in seen if die.heat >= SURE_HEAT and die.leans < SURELY_LEANS] or seen
    if not flat:
        return Tops([], None, [])
    corners, downs = np.array([d.corners for d in flat]), np.array([d.down for d in flat])
    slant = slant_of(corners, downs, halves.size_px)
    thrown = np.zeros(len(seen), np.bool_)
    if bare is not None:
        thrown = _are_shadows(halves, bare, slant, seen)
    bodies, shadows = ([seen[n] for n in np.flatnonzero(which)] for which in (~thrown, thrown))
    tops = _measured(halves, slant, _without_sides(bodies, slant), precise)
    return Tops(tops, slant, bodies, shadows)


def with_overlooked(picture: Picture, found: Tops, overlooked: Sequence[Seen]) -> Tops:
    """Give what was found in a picture, and dice beside it that are known to lie there."""
    if found.slant is None:
        return found
    kept = [*_beside(_without_sides(found.seen, found.slant), overlooked), *overlooked]
    return found._replace(tops=_measured(Halves.of(picture), found.slant, kept, precise=True))


def _measured(picture: Halves, slant: Slant, kept: Sequence[Seen], precise: bool) -> list[Top]:
    corners = np.array([die.corners for die in kept])
    warped = np.zeros((len(kept), 3))
    if precise:
        corners, warped = fitted(picture.pixels, slant, corners)
    else:
        middles = corners.mean(axis=1)
        stretch = stretches(slant, middles)
        corners = squares(middles, angles_of(stretch, corners), stretch)
    return [Top(*top) for top in zip(kept, corners, warped, strict=True)]


def _beside(seen: Sequence[Seen], others: Sequence[Seen]) -> list[Seen]:
    """Those of them that are none of the others, seen badly."""
    return [
        one for one in seen
        if one.heat >= SURELY_HEAT
        or all(np.hypot(*(one.middle - o.middle)) > SAME_SIDES * o.side_px for o in others)
    ]  # fmt: skip


def _without_sides(seen: Sequence[Seen], slant: Slant) -> list[Seen]:
    """Leave out what is the visible side of a die that is surer."""
    kept: list[Seen] = []
    hulls: list[Pixels] = []
    corners = np.array([die.corners for die in seen])
    lower = corners + 0.9 * slant.down(corners)
    whole = np.concatenate([corners, lower], axis=1).astype(np.float32)
    middles = corners.mean(axis=1).tolist()
    odd = slant.disagrees(corners, np.array([die.down for die in seen])).max(axis=1)
    slack = -0.02 * slant.scale
    for number in sorted(range(len(seen)), key=lambda n: -seen[n].heat):
        die, share = seen[number], FAINT if odd[number] < SIDE_ODD else FAINTER
        is_side = die.heat < SURE_HEAT and any(
            die.heat < share * other.heat
            and cv2.pointPolygonTest(hull, middles[number], True) > slack
            for other, hull in zip(kept, hulls, strict=True)
        )
        if not is_side:
            kept.append(die)
            hulls.append(np.asarray(cv2.convexHull(whole[number])))
    return kept


def _without_bare(picture: Halves, empty: Halves | None, seen: list[Seen]) -> list[Seen]:
    """Leave out what the empty tray looks like too, whatever the light."""
    if empty is None or not seen:
        return seen
    corners = np.array([die.corners for die in seen])
    faint = np.array([die.heat < FAINT_HEAT for die in seen])
    bare = is_bare(picture, empty, corners, faint)
    return [die for die, is_floor in zip(seen, bare, strict=True) if not is_floor]


def _are_shadows(
    picture: Halves, empty: Halves, slant: Slant, seen: Sequence[Seen]
) -> npt.NDArray[np.bool_]:
    """Which of them look like a die a little, and are a shadow that one throws."""
    corners, heats = np.array([die.corners for die in seen]), np.array([die.heat for die in seen])
    dark = heats < SHADOW_HEAT
    if dark.any():
        dark[dark] = may_be_shadow(picture, empty, corners[dark])
    dice = list(corners[~dark & (heats >= SURE_HEAT)])
    if len(dice) < 2:  # nobody knows how others throw theirs
        return np.zeros_like(dark)
    if dark.any():
        dark[dark] = are_shadows(picture, empty, slant, dice, list(corners[dark]))
    return dark
