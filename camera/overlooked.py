"""What came to lie in a tray beside the dice that were read: perhaps a die that nobody saw.

At each rest the picture is compared once with that of the empty tray (camera/leftover.py); without
one, its edges are looked at (camera/cut_off.py). What lay there at the rest before was told then,
or is no die: it is not told again.
"""

from collections.abc import Callable, Sequence

import numpy as np

from camera.cut_off import cut_off
from camera.edges import squares, stretches
from camera.halves import Halves, Picture
from camera.left_parts import told_at, told_cut
from camera.leftover import unexplained
from camera.seek import Floats, Seeker
from camera.slant import Slant, are_cut
from camera.tracks import SAME_DIE_SIDES, apart


class Overlooked:
    """Remembers from rest to rest what lies in one tray and is no die that was read.

    empty  the tray without dice; without it dice are found that the picture's edge cuts.
    turns  quarter turns to the left after which pictures stand upright.
    """

    def __init__(self, empty: Picture | None, seeker: Seeker) -> None:
        self._empty, self._seeker = None if empty is None else Halves.of(empty), seeker
        self.turns = 0
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
        if slant is None:
            return []
        middles = np.array(self._found(halves, slant, dice, hints), float).reshape(-1, 2)
        here = squares(middles, np.zeros(len(middles)), stretches(slant, middles))
        before, self._known = self._known, [one for one in here if lies(one)]
        return [
            one for one in self._known
            if all(apart(one, old) > SAME_DIE_SIDES for old in before)
        ]  # fmt: skip

    def _found(
        self, picture: Halves, slant: Slant, dice: Sequence[Floats], hints: Sequence[Floats]
    ) -> list[tuple[int, int]]:
        if self._empty is None:
            return cut_off(self._seeker, picture, dice, self.turns)
        if self._empty.size_px != picture.size_px:
            return []
        return unexplained(picture, self._empty, slant, dice, hints, with_cut=True)

    def told(self, corners: Floats) -> str:
        """What is doubtful about such a thing, in words."""
        x, y = corners.mean(axis=0).round().astype(int)
        is_cut = self._empty is None or are_cut(corners[None], self._empty.size_px)[0]
        return told_cut(x, y) if is_cut else told_at(x, y)
