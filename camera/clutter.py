"""Remember what looks like dice a little, and is none: it lay in the tray all the time.

A shadow that falls on a printed cloth may make a die of a figure in it. What shows the same figures
in the picture of the empty tray, or showed them when nothing happened, is none, whatever the light
does.
"""

from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np

from camera.halves import Halves
from camera.lying import is_in
from camera.rolled import LaidDie, is_among, is_read
from camera.seek import Floats, side_px
from camera.tracks import SAME_DIE_SIDES, SAME_SIDES, Track

CLUTTER_S = 0.19  # so long a thing must lie here while nothing happens to be no die that comes
MOST_CLUTTER = 50  # things that are remembered for being no dice


class Clutter:
    """Places in one tray's picture at which nothing was a die.

    empty  the tray without dice, if there is a picture of it.
    """

    def __init__(self, empty: Halves | None = None) -> None:
        self._places: deque[Floats] = deque(maxlen=MOST_CLUTTER)  # middles (2,)
        self._old: deque[Track] = deque(maxlen=MOST_CLUTTER)
        self._bare: deque[Track] = deque(maxlen=MOST_CLUTTER)
        self._empty = empty
        self._calm: Halves | None = None

    def keep(self, picture: Halves) -> None:
        """Remember the tray as it is now: nothing has happened for a while."""
        self._calm = picture

    def note_old(
        self, things: Iterable[Track], picture: Halves, dice: Sequence[LaidDie] = ()
    ) -> None:
        """Take for no dice what looks now as it does in the empty tray, or did at rest.

        dice  that lay here: what lies where they did is judged otherwise, and one that a hand half
              covers is seen a little beside its place.
        """
        for one in things:
            at = one.corners
            if is_among(one, dice) or one in self._bare:
                continue
            if is_in(self._empty, at, picture):
                self._bare.append(one)
            elif (
                one not in self._old
                and not is_among(one, dice, SAME_DIE_SIDES)
                and is_in(self._calm, at, picture)
            ):
                self._old.append(one)

    def note_shadows(self, things: Iterable[Track]) -> None:
        """Take these for shadows of dice, unless a look is certain of them."""
        self._old += [one for one in things if one not in self._old]

    def forget(self) -> None:
        """Forget all of them."""
        self._places.clear()
        self._old.clear()
        self._bare.clear()
        self._calm = None

    def holds(self, track: Track) -> bool:
        """True if this is such a thing, or lies where one lay, and no look was certain of it.

        What is part of the empty tray is none, however certain a look was.
        """
        if track in self._bare:
            return True
        return not is_read(track) and (track in self._old or self._lies_there(track.corners))

    def _lies_there(self, corners: Floats) -> bool:
        """True if an upper side (4, 2) lies where such a thing did; asked of all, all the time."""
        if not self._places:
            return False
        gaps = np.array(self._places) - corners.mean(axis=0)
        near_px = 2 * SAME_SIDES * max(1.0, side_px(corners))
        return bool((np.hypot(gaps[:, 0], gaps[:, 1]) < near_px).any())

    def note(self, things: Iterable[Track], now_s: float, *, at_once: bool = False) -> None:
        """Take these for no dice, those that lie here for long enough, or all of them at once."""
        self._places += [
            one.corners.mean(axis=0)
            for one in things
            if at_once or now_s - one.since_s >= CLUTTER_S
        ]
