"""What came to lie in a tray beside the dice that were read: perhaps a die that nobody saw.

At each rest the picture is compared once with that of the empty tray (camera/leftover.py). What lay
there at the rest before was told then, or is no die: it is not told again.
"""

from collections.abc import Callable, Sequence

import numpy as np

from camera.edges import squares, stretches
from camera.halves import Halves, Picture
from camera.leftover import told_at, unexplained
from camera.seek import Floats
from camera.slant import Slant
from camera.tracks import SAME_DIE_SIDES, apart


class Overlooked:
    """Remembers from rest to rest what lies in one tray and is no die that was read.

    empty  the tray without dice; nothing is ever found without it.
    """

    def __init__(self, empty: Picture | None) -> None:
        self._empty = None if empty is None else Halves.of(empty)
        self._known: list[Floats] = []

    def forget(self) -> None:
        """Forget what lay there."""
        self._known = []

    def new(
        self,
        picture: Picture,
        slant: Slant | None,
        dice: Sequence[Floats],
        lies: Callable[[Floats], bool],
        hints: Sequence[Floats] = (),
    ) -> list[Floats]:
        """What lies here since the last rest and is none of the dice: (4, 2) pixels around each.

        dice   corners (4, 2) of their upper sides, in pixels.
        lies   tells of such corners whether what is there lies in the tray, and still.
        hints  corners of what the seeker hardly saw.
        """
        halves = Halves.of(picture)
        if self._empty is None or slant is None or self._empty.size_px != halves.size_px:
            return []
        found = unexplained(halves, self._empty, slant, dice, hints)
        middles = np.array(found, float).reshape(-1, 2)
        here = squares(middles, np.zeros(len(middles)), stretches(slant, middles))
        before, self._known = self._known, [one for one in here if lies(one)]
        return [
            one for one in self._known
            if all(apart(one, old) > SAME_DIE_SIDES for old in before)
        ]  # fmt: skip


def in_words(corners: Floats) -> str:
    """What is doubtful about such a thing."""
    x, y = corners.mean(axis=0).round().astype(int)
    return told_at(x, y)
