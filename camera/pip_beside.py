"""What lies beside the pip dice that were read: a die whose pips nobody saw, or what one leans on.

A lamp that is mirrored in an upper side hides its pips. The network that finds symbol dice knows no
pips, and finds such a die all the same (camera/seek.py). Where a picture of the empty tray is at
hand, whatever is about as large as a die, and was not there before, is asked about, too. In a game
the tray is compared with its empty picture at each rest (camera/overlooked.py); here, pictures are
looked at one by one.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from camera.halves import Halves, Picture
from camera.leftover import told_at, unexplained
from camera.pip_blobs import Floats
from camera.pip_doubts import UNREAD_BODY
from camera.pip_floor import KnownFloor
from camera.pip_planes import shared_plane
from camera.pip_readings import Look
from camera.pip_standing import Scaled, slant_under
from camera.pips import read_dice
from camera.seek import Seeker, sides_of
from camera.upper_sides import SURE_HEAT, SURELY_HEAT, Top, find_tops

WHOLE = 2.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])  # an upper side, in lattice units
OWN_SIDES = 0.6  # from the middle of a read die, up to which what is found is that die


def read_still(
    picture: Picture,
    seeker: Seeker,
    *,
    expect: int | None = None,
    empty: Picture | None = None,
    floor: KnownFloor | None = None,
) -> Look:
    """Read the pip dice in a picture by itself, as `read_dice`; doubt it if more may lie there.

    Raises PictureError when the picture and that of the empty tray differ in size.
    """
    halves, bare = Halves.of(picture), None if empty is None else Halves.of(empty)
    known = None if bare is None else bare.pixels
    look = read_dice(halves, expect=expect, empty=known, floor=floor)
    if not look.accepted:
        return look
    told = () if bare is None else _new_beside(look, halves, bare)
    if not told:
        found = find_tops(seeker, halves, bare, precise=False)
        middles = np.array([one.middle for one in look.readings])
        told = unread(found.tops, middles, knows_empty=bare is not None)
    return replace(look, accepted=False, doubts=told) if told else look


def unread(tops: Sequence[Top], middles: Floats, *, knows_empty: bool) -> tuple[str, ...]:
    """Name what looks like a die and is none of those that were read, with middles (N, 2), px.

    knows_empty  the tray is known without dice: what looks like one there has been left out.
    """
    least = SURE_HEAT if knows_empty else SURELY_HEAT
    sure = np.array([top.corners for top in tops if top.seen.heat >= least]).reshape(-1, 4, 2)
    apart = np.hypot(*(sure.mean(axis=1)[:, None] - middles.reshape(-1, 2)).transpose(2, 0, 1))
    is_read = (apart < OWN_SIDES * sides_of(sure)[:, None]).any(axis=1)
    return (UNREAD_BODY,) * (not is_read.all())


def _new_beside(look: Look, picture: Halves, empty: Halves) -> tuple[str, ...]:
    """Name what is about as large as a die and was not in the empty tray."""
    tops = [one.upper for one in look.readings if one.upper is not None]
    if not tops:
        return ()
    seen = Scaled(picture, 1.0)
    slant = slant_under(seen, tops, look.side_px, shared_plane(tops, seen.shape))
    dice = [top.at + WHOLE @ top.axes.T for top in tops]
    return tuple(told_at(*place) for place in unexplained(picture, empty, slant, dice))
