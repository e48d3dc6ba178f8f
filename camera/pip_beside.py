"""What lies beside the pip dice that were read: a die whose pips nobody saw, or what one leans on.

A lamp that is mirrored in an upper side hides its pips. The network that finds symbol dice knows no
pips, and finds such a die all the same (camera/seek.py). Where a picture of the empty tray is at
hand, whatever is about as large as a die, and was not there before, is asked about, too; in a game
the tray is compared with it at each rest (camera/overlooked.py), while here pictures are looked at
one by one. Where a picture leaves a doubt anyhow, what is surely a die is looked at by itself, and
read if its pips can be seen then.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from camera.doubts import Doubt, each_once
from camera.halves import Halves, Picture
from camera.left_parts import told_left
from camera.leftover import lying
from camera.pip_anew import read_anew
from camera.pip_blobs import Floats
from camera.pip_doubts import BY_SIGHT, UNREAD_BODY
from camera.pip_floor import KnownFloor
from camera.pip_look import surplus
from camera.pip_planes import shared_plane
from camera.pip_readings import Look
from camera.pip_sharper import DOUBTED
from camera.pip_standing import Scaled, slant_under
from camera.pips import read_dice
from camera.seek import Seeker, sides_of
from camera.slant import Slant, are_cut, boxes_around, hulls
from camera.upper_sides import SAME_SIDES, SURELY_HEAT, Top, find_tops

NEW_HEAT = 0.4  # of the seeker, from which what the empty tray has not may be a die
LIKE_A_DIE = 0.75  # the same where nobody knows the empty tray
WHOLE = 2.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])  # an upper side, in lattice units


def read_still(
    picture: Picture,
    seeker: Seeker,
    *,
    expect: int | None = None,
    empty: Picture | None = None,
    floor: KnownFloor | None = None,
) -> Look:
    """Read the pip dice in a picture by itself, as `read_dice`, and what that left unread.

    Raises PictureError when the picture and that of the empty tray differ in size.
    """
    halves, bare = Halves.of(picture), None if empty is None else Halves.of(empty)
    look = read_dice(halves, expect=expect, empty=bare, floor=floor, seeker=seeker)
    told = _new_beside(look, halves, bare) if look.accepted and bare is not None else ()
    if told:
        return replace(look, accepted=False, doubts=told)
    turns = 0 if floor is None else floor.turns
    found = find_tops(seeker, halves, bare, precise=False, turns=turns)
    middles = np.array([one.middle for one in look.readings])
    if not look.accepted:
        return _with_more(look, halves, unread(found.tops, middles, SURELY_HEAT), expect)
    told = told_unread(found.tops, middles, knows_empty=bare is not None)
    return replace(look, accepted=False, doubts=told) if told else look


def told_unread(tops: Sequence[Top], middles: Floats, *, knows_empty: bool) -> tuple[str, ...]:
    """Say that something looks like a die and is none of those that were read, as `unread`.

    knows_empty  the tray is known without dice: what looks like one there has been left out.
    """
    least = NEW_HEAT if knows_empty else LIKE_A_DIE
    sides = unread(tops, middles, least)
    return tuple(Doubt(UNREAD_BODY, corners.mean(axis=0)) for corners in sides[:1])


def off_dice(doubts: Sequence[str], slant: Slant | None, dice: Sequence[Floats]) -> tuple[str, ...]:
    """Leave out doubts about the sides of dice that were read, whose upper sides (4, 2) these are.

    Pips on a side of a die are none of another one, if that side is where it has to be.
    """
    if slant is None:
        return tuple(doubts)
    wholes = hulls(slant, np.array(dice).reshape(-1, 4, 2))
    return tuple(one for one in doubts if not (isinstance(one, Doubt) and _is_on(one.at, wholes)))


def _is_on(at: Floats, wholes: Sequence[npt.NDArray[np.float32]]) -> bool:
    x, y = at.tolist()
    return any(cv2.pointPolygonTest(one, (x, y), False) >= 0 for one in wholes)


def unread(tops: Sequence[Top], middles: Floats, least: float) -> Floats:
    """Find upper sides (K, 4, 2) that are none of the read dice, whose middles are (N, 2), px.

    least  heat that they have.
    """
    sure = np.array([top.corners for top in tops if top.seen.heat >= least]).reshape(-1, 4, 2)
    apart = np.hypot(*(sure.mean(axis=1)[:, None] - middles.reshape(-1, 2)).transpose(2, 0, 1))
    return np.asarray(sure[(apart >= SAME_SIDES * sides_of(sure)[:, None]).all(axis=1)])


def _with_more(look: Look, picture: Halves, sides: Floats, expect: int | None) -> Look:
    """Read upper sides (K, 4, 2), each by itself; somebody is asked about what that shows."""
    boxes, cut = boxes_around(sides, picture.size_px), are_cut(sides, picture.size_px)
    seen = [
        None if out else read_anew(picture.pixels, one) for one, out in zip(sides, cut, strict=True)
    ]
    more = [
        replace(one, box=box, certainty=min(one.certainty, DOUBTED))
        for one, box in zip(seen, boxes, strict=True)
        if one is not None
    ]
    if not more:
        return look
    readings = sorted([*look.readings, *more], key=lambda one: one.box[:2])
    other = [one for one in look.doubts if one not in surplus(len(look.readings), expect)]
    hard = [Doubt(BY_SIGHT.format(one.face), one.middle) for one in more]
    told = each_once((*surplus(len(readings), expect), *other, *hard))
    return replace(look, readings=tuple(readings), doubts=told)


def _new_beside(look: Look, picture: Halves, empty: Halves) -> tuple[str, ...]:
    """Name what is about as large as a die and was not in the empty tray."""
    tops = [one.upper for one in look.readings if one.upper is not None]
    if not tops:
        return ()
    seen = Scaled(picture, 1.0)
    slant = slant_under(seen, tops, look.side_px, shared_plane(tops, seen.shape))
    dice = [top.at + WHOLE @ top.axes.T for top in tops]
    return tuple(map(told_left, lying(picture, empty, slant, dice, with_cut=True)))
