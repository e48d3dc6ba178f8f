"""Remember what looks like dice a little, and is none: it lay in the tray all the time."""

from collections import deque
from collections.abc import Iterable

from camera.rolled import is_read
from camera.seek import Floats
from camera.tracks import SAME_SIDES, Track, apart

CLUTTER_S = 0.19  # so long a thing must lie here while nothing happens to be no die that comes
MOST_CLUTTER = 50  # things that are remembered for being no dice


class Clutter:
    """Places in one tray's picture at which nothing was a die."""

    def __init__(self) -> None:
        self._places: deque[Floats] = deque(maxlen=MOST_CLUTTER)

    def forget(self) -> None:
        """Forget all of them."""
        self._places.clear()

    def holds(self, track: Track) -> bool:
        """True if this is such a thing: it lies in such a place, and no look was certain of it."""
        return not is_read(track) and any(
            apart(track.corners, there) < 2 * SAME_SIDES for there in self._places
        )

    def note(self, things: Iterable[Track], now_s: float, *, at_once: bool = False) -> None:
        """Take these for no dice, those that lie here for long enough, or all of them at once."""
        self._places += [
            one.corners for one in things if at_once or now_s - one.since_s >= CLUTTER_S
        ]
