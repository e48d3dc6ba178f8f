"""Which way up a camera hangs, found out from what is read in its pictures.

The seeker knows pictures in which the tray's near wall is low. A camera that hangs upside down, or
on its side, shows the sides of dice where the seeker does not expect them: much remains in doubt.
Such a picture is looked at in all four ways, and once one of them has shown several sure dice more,
pictures of this camera are turned so from then on. It may be hung otherwise later: however many
pictures told for a way, a few that tell against it are enough.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from camera.seek import Floats, Seen

MUCH = 2  # things in doubt, from which a picture is tried in all ways
AHEAD = 3  # sure dice more, in all pictures that were tried, from which another way is right
EASY = 2  # sure dice that a picture which leaves little in doubt is worth
TELLING = 6  # sure dice that it is worth how several dice together show the floor
SETTLED = 8  # sure dice ahead, from which a way is not tried against others any more
MOST_AHEAD = 20  # it gets no farther: four pictures that show the floor otherwise are enough
DOUBT = 1  # sure dice that a picture in doubt takes from a way that is settled ...
UNSETTLED = 4  # ... until it is so few ahead: then it is tried against the others again
MOST_TRIED = 24  # pictures that are tried; where these tell nothing, more would only take time
LESSONS = 24  # the same of pictures of one die each
HEAD_START = 0.6  # of pictures as they are; that many sides have other ways to be ahead
FARTHEST = 0.6  # sides that a lower side can lie below the upper one
STEEP = 0.2  # sine of the angle to straight down, from which the way that a camera hangs matters
BOTTOMS = np.array([(0, 1), (-1, 0), (0, -1), (1, 0)])  # of turned pictures, as they are


class Told(Protocol):
    """What was read in a picture."""

    @property
    def sure(self) -> int:
        """How many of its dice are."""
        ...

    @property
    def in_doubt(self) -> int:
        """How much of it has to be asked about."""
        ...


T = TypeVar("T", bound=Told)


class Upright:
    """Remembers of one camera by how many quarter turns to the left its pictures stand upright."""

    def __init__(self) -> None:
        self.turns = 0
        self._sure = np.zeros(4)  # dice, by how often the picture was turned
        self._tried = 0
        self._is_settled = False

    def best(self, read: Callable[[int], T]) -> T:
        """Read a picture as it is known to stand, and in other ways if much remains in doubt.

        read  reads it, turned to the left so many times.
        """
        told = read(self.turns)
        if told.in_doubt < MUCH:
            self._add(min(told.sure, EASY))
            self._tried = max(0, self._tried - min(told.sure, 1))  # what it earns may be tried anew
            return told
        if self._is_settled:
            self._add(-DOUBT)
            return told
        return told if self._tried >= MOST_TRIED else self._best_of_all(told, read)

    def hear(self, normal: Floats) -> None:
        """Several dice tell together how the camera sees the floor: (3,), as in `turns_under`.

        One that looks nearly straight down may hang any way.
        """
        told = turns_under(normal)
        if np.hypot(*normal[:2]) <= STEEP or told == self.turns:
            return
        self._sure[told] += TELLING
        self._decide(told)

    def _best_of_all(self, told: T, read: Callable[[int], T]) -> T:
        """Read a picture in the other ways, too."""
        self._tried += 1
        ways = [told if turns == self.turns else read(turns) for turns in range(4)]
        self._sure += [way.sure for way in ways]
        self._decide(int(self._sure.argmax()))
        return ways[self.turns]

    def _add(self, dice: int) -> None:
        """So many sure dice more, or fewer, tell for the way that is taken."""
        self._sure[self.turns] += dice
        self._decide(self.turns)

    def _decide(self, best: int) -> None:
        """Take a way that is far enough ahead; see whether the one taken is settled."""
        if self._sure[best] >= self._sure[self.turns] + AHEAD:
            self.turns, self._is_settled = best, False
        # However long a camera hung one way, it may be hung another way at any time.
        self._sure = np.maximum(self._sure, self._sure[self.turns] - MOST_AHEAD)
        ahead = self._sure[self.turns] - np.delete(self._sure, self.turns).max()
        self._is_settled = ahead >= SETTLED or (self._is_settled and ahead > UNSETTLED)


class UprightByOne:
    """Finds the same out from pictures of one die each, before any face is known.

    Where the seeker expects the lower side of a die, it sees it well; elsewhere it hardly does.
    """

    def __init__(self) -> None:
        self._below = np.array([HEAD_START, 0.0, 0.0, 0.0])
        self._left = LESSONS

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which pictures stand upright, as far as is known."""
        return int(self._below.argmax())

    def look(self, seek: Callable[[int], Sequence[Seen]]) -> None:
        """Take note of one more picture; `seek` finds dice in it, turned so many times."""
        if self._left:
            self._left -= 1
            self._below += [_below(seek(turns), turns) for turns in range(4)]


def _below(seen: Sequence[Seen], turns: int) -> float:
    """How far below its upper side the surest die's lower side lies, by how sure it is."""
    if not seen:
        return 0.0
    die = max(seen, key=lambda one: one.heat)
    return die.heat * float(np.clip(die.down @ BOTTOMS[turns] / die.side_px, 0, FARTHEST))


def turns_under(normal: Floats) -> int:
    """The same for a camera that sees the floor so: (3,), to the right, down and away from it."""
    down = normal[:2] * (1 if normal[2] > 0 else -1)
    return int((BOTTOMS @ down).argmax()) if np.hypot(*down) > STEEP else 0
