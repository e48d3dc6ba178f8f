"""Whether a hand is in a tray, and what it did: told by comparing with the empty tray.

A hand may hide dice, look like some itself, or throw a shadow that does. A hand that pushes a die
moves with it until it lies: so if the tray around a die is bare in the last frame in which it
moved, it was thrown. Without a picture of the empty tray, the last calm one serves for it, but for
where dice lay in that.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from camera.canvas import Pixels
from camera.halves import Halves
from camera.leftover import halvings_for, is_bare_at, is_covered, unexplained
from camera.rolled import LaidDie, are_dice, has_die
from camera.seek import Floats, side_px
from camera.slant import Slant

HAND_S = 2.0  # so long what may be a hand that covers dice is taken for none itself
COVERED_S = 4.5  # the same where something lies over them for sure, or looks like no die
KEPT = 8  # frames that are looked back at
NEAR_SIDES, FAR_SIDES = 1.2, 1.7  # from a die's middle; nearer is the die itself
_TURNS = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_RING = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
_AROUND = np.concatenate([NEAR_SIDES * _RING, FAR_SIDES * _RING])


class _Past(NamedTuple):
    """A frame and the empty tray, halved so many times."""

    at_s: float
    times: int
    small: Pixels
    empty: Pixels


class HandSigns:
    """Remembers the last frames of one tray coarsely.

    empty  the tray without dice, if there is a picture of it.
    """

    def __init__(self, empty: Halves | None) -> None:
        self._empty, self._is_given = empty, empty is not None
        self._dice_there: list[Floats] = []  # in a calm picture that serves for the empty tray
        self._now: tuple[Halves, Halves, Slant] | None = None  # the newest frame, the empty tray
        self._past: deque[_Past] = deque(maxlen=KEPT)

    def keep(self, picture: Halves, dice: Sequence[LaidDie]) -> None:
        """Take in a frame of a calm tray, and the dice in it."""
        self._now = None  # a picture of 720 lines takes 4 MB
        if not self._is_given:
            self._empty, self._dice_there = picture, [die.reading.corners for die in dice]

    def see(self, at_s: float, picture: Halves, slant: Slant | None) -> None:
        """Take in the next frame, and how the camera looks at the tray, once that is known."""
        if slant is None or self._empty is None or self._empty.size_px != picture.size_px:
            self._now = None
            self._past.clear()
            return
        self._now, times = (picture, self._empty, slant), halvings_for(slant)
        self._past.append(_Past(at_s, times, picture.at(times), self._empty.at(times)))

    def may_be_beside(self, dice: Sequence[LaidDie]) -> bool:
        """True if anything but these dice may be in the tray."""
        corners = [*(die.reading.corners for die in dice), *self._dice_there]
        return self._now is None or bool(unexplained(*self._now, corners))

    def may_look_like(self, rolled: Sequence[LaidDie], dice: Sequence[LaidDie]) -> bool:
        """True if these of the dice that lie here may be a hand or its shadow."""
        others = [die for die in dice if die not in rolled]
        return not has_die(rolled) and (self.may_be_beside(dice) or not self.may_be_beside(others))

    def may_hide(
        self, lost: Sequence[LaidDie], rolled: Sequence[LaidDie], dice: Sequence[LaidDie],
        for_s: float,
    ) -> bool:  # fmt: skip
        """True if what looks rolled for so long may be a hand over dice that lay here."""
        if not self._is_given:  # what lies where these dice lay cannot be told
            if not are_dice(rolled):
                return for_s < COVERED_S
            return for_s < HAND_S and not has_die(rolled) and self.may_be_beside(dice)
        if for_s < HAND_S and not are_dice(rolled) and self.may_be_beside(dice):
            return True
        if self._now is None or for_s > COVERED_S or has_die(rolled):
            return False
        known = [one.track.corners for one in dice if one not in rolled or are_dice([one])]
        return is_covered(*self._now, known, [die.track.corners for die in lost])

    def came_alone(self, die: LaidDie, dice: Sequence[LaidDie]) -> bool | None:
        """Whether nothing but these dice was near when one came to lie; none if nobody knows."""
        moving = [one for one in self._past if one.at_s < die.track.since_s]
        if not moving or self._now is None:
            return None
        past, corners = moving[-1], [*(one.track.corners for one in dice), *self._dice_there]
        around = die.track.corners.mean(axis=0) + side_px(die.track.corners) * _AROUND
        return is_bare_at(past.small, past.empty, past.times, self._now[-1], corners, around)
