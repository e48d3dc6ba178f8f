"""Which dice that lay in a tray were seen to be gone: their place was as bare as the empty tray.

A die that is thrown may come to lie where it lay, with the same face up: only that its place was
bare meanwhile tells that it was rolled. Nothing is told of a die that looks like the floor, nor in
light in which one might.
"""

from collections.abc import Sequence

import numpy as np

from camera.bare import unlike
from camera.halves import Halves
from camera.rolled import LaidDie

TOLD = 0.1  # share of light by which a die must differ from the floor, and a bare place at most
SHARE = 0.33  # of what the die differed by, up to which its place is bare; dim pictures have noise


class SeenGone:
    """Looks at the places of dice while something moves in one tray.

    empty  the tray without dice; without a picture of it nothing is told.
    """

    def __init__(self, empty: Halves | None) -> None:
        self._empty = empty

    def see(self, at_s: float, picture: Halves, dice: Sequence[LaidDie]) -> None:
        """Take in a frame; `dice` lay here at the last rest, or before it."""
        if self._empty is None or self._empty.size_px != picture.size_px:
            return
        tracks = [die.track for die in dice if not die.track.has_left]
        asked = [one for one in tracks if one.unlike_bare is None or one.lay_s < at_s]
        if not asked:
            return
        told = unlike(picture, self._empty, np.array([one.corners for one in asked])).tolist()
        for one, by in zip(asked, told, strict=True):
            if one.lay_s >= at_s:
                one.unlike_bare = by
            elif one.unlike_bare is not None and one.unlike_bare > TOLD:
                one.bare_frames += by < min(TOLD, SHARE * one.unlike_bare)
