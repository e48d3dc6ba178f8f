"""Ordinary pip dice, read without teaching: which dice lie there and what they show.

Theory of operation. Two readers that work differently look at the picture. The first explains
pips as faces and tells upper faces from sides; it finds the dice. The second is a small network
that looks at each place as a picture. A roll is accepted when both agree on every die and nothing
that looks like a die to either is left over; otherwise the table is asked.

Most pictures are clear: looked at for marks that stand out, they are read in a fraction of the
time. Where that leaves any doubt, everything in the picture is looked at; then it is sharpened, and
its colours are looked at alone. Small dice are read in an enlarged picture.
"""

from dataclasses import replace

import cv2
import numpy as np

from camera.halves import Halves, Picture
from camera.pip_blobs import (
    CLEAR,
    COARSE,
    FINEST_SIDE_PX,
    FULL,
    Pixels,
    Pyramid,
)
from camera.pip_changes import changes
from camera.pip_colours import are_in_pips, vividness
from camera.pip_doubts import FULL_PIPS
from camera.pip_ellipses import Measured
from camera.pip_floor import LEANS, KnownFloor
from camera.pip_look import View, look_at, surplus
from camera.pip_parts import BLOCK_PX
from camera.pip_readings import Look
from camera.pip_sharper import better, doubted, is_soft, may_help, sharpened
from camera.pip_standing import Asked, Scaled
from camera.seek import Seeker

WORK_PIXELS = 1_000_000  # larger pictures are scaled down to this many
SMALL_PX, ENLARGED = 28.0, 2.0  # edge of dice for which a picture is looked at so many times larger
LEAST_COARSE_PX = 56  # edge of dice up to which most are too small for the coarse look
MOST_CLEAR_PX = 4 * FINEST_SIDE_PX  # edge of dice whose pips a coarse look sees well enough
LITTLE = 200_000  # pixels of a picture all of which is soon looked at
VIVIDLY_MORE = 1.0  # dice that must be seen more by their colours than without
MUCH_LARGER = 1.5  # times as many pixels, for fewer of which nobody looks again
TELLING = 0.8  # certainty from which a die tells where the floor lies; none that lies badly has it


def working_scale(pixels: Pixels, times: float = 1.0, most_pixels: float = WORK_PIXELS) -> float:
    """Say which scale a picture is worked on at, as `working_copy`."""
    size = pixels.shape[0] * pixels.shape[1]
    usual, largest = ((most / size) ** 0.5 for most in (WORK_PIXELS, most_pixels))
    return float(min(times * min(1.0, usual), largest))


def working_copy(
    picture: Picture, times: float = 1.0, most_pixels: float = WORK_PIXELS
) -> tuple[Pixels, float]:
    """Make a BGR picture grey, of WORK_PIXELS at most; give it with its scale.

    times        how often as wide it is made after that.
    most_pixels  that it may have then.
    """
    halves = Halves.of(picture)
    grey, scale = halves.grey, working_scale(halves.pixels, times, most_pixels)
    if scale == 1.0:
        return grey, 1.0
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=way)), scale


def read_dice(
    picture: Picture,
    *,
    expect: int | None = None,
    empty: Picture | None = None,
    side_px: float | None = None,
    floor: KnownFloor | None = None,
    seeker: Seeker | None = None,
    asked: Asked | None = None,
) -> Look:
    """Read the pip dice in a BGR picture; say whether a table may rely on it.

    expect   how many dice the table waits for; another number is a doubt.
    empty    the tray without dice, of the same size: what has not changed is no die.
    side_px  edge of the dice, where earlier pictures told it: their pips are sought first.
    floor    what is known of it from earlier pictures by a camera that stands still; it learns.
    seeker   whoever may be asked whether a die leans that nothing can be compared with.
    asked    which of its dice lean, by how they look from the side, if that was asked before.
    Raises PictureError when the two pictures differ in size.
    """
    halves, bare = Halves.of(picture), None if empty is None else Halves.of(empty)
    grey, scale = working_copy(halves)
    if min(grey.shape) < BLOCK_PX:
        return Look((), False, surplus(0, expect))
    look = None
    if not _is_small(side_px, scale):
        view = _view_of(halves, (grey, scale), expect, bare, floor, seeker, asked)
        look = _best_look(view, side_px)
        look = look if _is_small(look.side_px, scale) else _or_clearer(look, view, side_px)
    most_pixels = _most_pixels(look, scale, knows_empty=empty is not None)
    if look is None or most_pixels > MUCH_LARGER * grey.size:
        larger = working_copy(halves, ENLARGED, most_pixels)
        view = _view_of(halves, larger, expect, bare, floor, seeker, asked)
        look = _or_clearer(_best_look(view, side_px), view, side_px)
    if floor is not None and look.readings:
        _tell(floor, view, look)
    return look


def _is_small(side_px: float | None, scale: float) -> bool:
    """Tell whether dice of this edge are too small to be read well at this scale."""
    return side_px is not None and 0 < side_px * scale < SMALL_PX


def _most_pixels(look: Look | None, scale: float, *, knows_empty: bool) -> float:
    """Say how large a picture may be made for dice that are small, or if nothing was seen, 0: not.

    Where it is known what has changed, a large picture takes little more time and memory.
    """
    if look is None or _is_small(look.side_px, scale):
        return WORK_PIXELS * (ENLARGED**2 if knows_empty else ENLARGED)
    return 0 if look.readings else WORK_PIXELS


def _view_of(
    picture: Halves,
    copy: tuple[Pixels, float],
    expect: int | None,
    empty: Halves | None,
    floor: KnownFloor | None,
    seeker: Seeker | None,
    asked: Asked | None,
) -> View:
    grey, scale = copy
    changed = None if empty is None else changes(picture.pixels, empty.pixels, grey.shape)
    pyramid = Pyramid(grey, changed)
    turns = 0 if floor is None else floor.turns
    return View(pyramid, Scaled(picture, scale, seeker, turns, asked, empty), expect, floor, grey)


def _or_clearer(look: Look, view: View, side_px: float | None) -> Look:
    """Look once more, at a sharpened picture, and at colours, where a look leaves a doubt."""
    if not look.accepted and may_help(look) and (look.readings or is_soft(view.grey)):
        sharp = _shown_as(view, sharpened(view.grey))
        look = better(look, _best_look(sharp, side_px))
    if (look.accepted or not may_help(look)) and not look.full_pips:
        return look
    vivid = vividness(view.pixels, view.grey.shape)
    if vivid is None:
        return look
    seen = _best_look(_shown_as(view, vivid), side_px)
    if not look.accepted:
        return better(look, seen, VIVIDLY_MORE)
    return doubted(seen, (FULL_PIPS,)) if are_in_pips(seen, look) else look


def _shown_as(view: View, grey: Pixels) -> View:
    """Show a picture otherwise: as another grey one of the same size."""
    view.pyramid.forget()
    return replace(view, pyramid=Pyramid(grey, view.pyramid.changes), measured=Measured())


def _tell(floor: KnownFloor, view: View, look: Look) -> None:
    """Let the floor know how the dice lay, as they lie in the picture that was worked on."""
    seen = [(one, one.upper.times(view.scale)) for one in look.readings if one.upper]
    flat = [upper for one, upper in seen if one.certainty >= TELLING]
    leaning = [upper for one, upper in seen if one.flaw == LEANS]
    floor.saw(view.seen, flat, leaning, look.side_px * view.scale)


def _best_look(view: View, side_px: float | None) -> Look:
    """Look closer and closer, until a look leaves no doubt or nothing more can be seen."""
    known_px = None if side_px is None else side_px * view.scale
    for depth in _depths(view, side_px):
        look = look_at(view, depth, known_px)
        if look is not None and look.accepted:
            return look
        little = view.pyramid.levels[0].size < LITTLE
        if look is not None and (look.side_px * view.scale > MOST_CLEAR_PX or little):
            break
    return look_at(view, FULL) or Look((), False, surplus(0, view.expect))


def _depths(view: View, side_px: float | None) -> tuple[int, ...]:
    """Say how closely to look, in which order, until dice are seen."""
    if len(view.pyramid.levels) == 1:
        return ()
    if side_px is None or side_px * view.scale > LEAST_COARSE_PX:
        return COARSE, CLEAR
    return (CLEAR,)
