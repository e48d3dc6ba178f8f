"""Follow the frames of one zone until nothing moves in it: motion and rest, put together."""

from typing import NamedTuple

from camera.calibrate import Pixels, ZoneView
from camera.motion import MotionWatch
from camera.settle import Settled, Settler
from camera.source import Frame


class Stir(NamedTuple):
    """What one frame told: the small picture of the zone, whether it differs, since when it rests.

    gap_s  how long before the first frame of this rest the one before it was taken.
    """

    small: Pixels
    differs: bool
    settled: Settled
    gap_s: float


class Stillness:
    """Watches one zone for motion.

    empty     a picture with nothing in the zone.
    settle_s  so long must nothing change before it counts as rest.
    """

    def __init__(self, view: ZoneView, empty: Pixels, settle_s: float) -> None:
        self.motion, self.settler = MotionWatch(view, empty), Settler(settle_s)
        self.has_moved = False  # since the first frame
        self._anchor: Pixels | None = None
        self._gap_s = self._last_s = 0.0

    def start_anew(self) -> None:
        """Forget what was seen: whatever the next frame shows comes to rest anew."""
        self._anchor = None

    def see(self, frame: Frame) -> Stir:
        """Take in one frame."""
        small = self.motion.small(frame.pixels)
        differs = self._anchor is None or self.motion.differs(small, self._anchor)
        settled = self.settler.update(frame.at_s, differs=differs)
        if differs:
            self.has_moved = self.has_moved or self._anchor is not None
            self._anchor, self._gap_s = small, frame.at_s - self._last_s
        self._last_s = frame.at_s
        return Stir(small, differs, settled, self._gap_s)
