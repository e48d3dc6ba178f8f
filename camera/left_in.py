"""Dice that were left in the picture of an empty tray: beside it, they would never be seen."""

from pathlib import Path

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.faces import CERTAIN
from camera.pip_anew import is_in
from camera.pip_beside import read_still
from camera.seek import Seeker
from camera.stills import StillReader
from camera.upper_sides import SURELY_HEAT, find_tops
from companion.errors import PictureError
from companion.words import say

Box = tuple[int, int, int, int]


def check_bare(empty: Pixels, path: str | Path, looks: DiceLooks | None = None) -> None:
    """Raise PictureError where a tray's picture surely shows dice, and is to be without.

    looks  the learnt set of the dice; without one, dice with pips are looked for.
    """
    dice = _pip_dice(empty) if looks is None else _symbol_dice(empty, looks)
    if dice:
        left, top, width, height = dice[0]
        raise PictureError(
            say(
                "{path}: expected a tray without dice, got one at ({x}, {y}); take the picture "
                "again with nothing in the tray",
                path=path,
                x=left + width // 2,
                y=top + height // 2,
            )
        )


def _symbol_dice(empty: Pixels, looks: DiceLooks) -> list[Box]:
    readings = StillReader(looks).read(empty).readings
    return [one.box for one in readings if not one.doubt]


def _pip_dice(empty: Pixels) -> list[Box]:
    """Those that the reader and the finder are both sure of: a pattern may look like pips."""
    seeker = Seeker()
    sure = [one for one in read_still(empty, seeker).readings if one.certainty >= CERTAIN]
    tops = [top for top in find_tops(seeker, empty).tops if top.seen.heat >= SURELY_HEAT]
    return [one.box for one in sure if any(is_in(one, top.corners) for top in tops)]
