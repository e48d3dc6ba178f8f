"""Dice that lay in a tray when a roll was told, and that nobody saw: they are not rolled later.

A shadow, a hand or another die may hide one for a while. It was there all the time if the tray
looked there, when that roll was told, as it looks now; or if it lies where one lay before that
roll, and shows the same.
"""

from collections.abc import Sequence

from camera.halves import Halves
from camera.lying import is_in
from camera.rolled import CameAlone, Compared, LaidDie, compared, is_among
from camera.tracks import SAME_DIE_SIDES


class Unseen:
    """Remembers one tray as it was when the last roll was told."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget how it was."""
        self._lost: list[LaidDie] = []
        self._picture: Halves | None = None

    def keep(self, picture: Halves, lost: Sequence[LaidDie]) -> None:
        """Take this for the picture of the last roll; `lost` dice lay there before, and no more."""
        self._picture, self._lost = picture, list(lost)

    def compared(
        self,
        known: Sequence[LaidDie],
        gone: Sequence[LaidDie],
        now: Sequence[LaidDie],
        picture: Halves,
        came_alone: CameAlone,
    ) -> Compared:
        """Tell which of the dice in a picture were rolled, as camera.rolled.compared does."""
        moved, lost = compared(known, [*gone, *self._lost], now, came_alone)
        lay = [*known, *gone]
        for number, die in enumerate(now):
            if moved[number] and not is_among(die.track, lay, SAME_DIE_SIDES):
                moved[number] = not is_in(self._picture, die.track.corners, picture)
        return Compared(moved, [one for one in lost if one not in self._lost])
