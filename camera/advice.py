"""What would make a camera's pictures better: told from many frames, for people who can do it.

Sans-I/O. Nothing here makes a picture one that is not to be trusted: dice are read for as long as
they can be, and asked about where they cannot. Figures are medians and shares over the latest
`WINDOW` frames, so that one hand, one flash or one bad frame tells nothing.
"""

from collections import deque
from statistics import fmean, median

from camera.measures import Look
from companion.words import mark

WINDOW = 25  # frames: about a second
ENOUGH = 10  # frames before anything is said
LOST_SHARE = 0.3  # of the pictures that should have come
TORN_SHARE = 0.1
NOISY_LEVELS = 15.0  # a good camera by a lamp has 2 to 5
BURNT_SHARE = 0.04  # of the picture; a die's highlights are a tenth of that
SWING = 0.1  # brightness this far from its mean, up and down
SWINGS = 5  # so often within the window: a lamp that is switched swings once
FEWEST_HZ = 8.0  # a throw takes half a second, and has to be seen moving

LOSES = mark("many pictures are lost on their way; try another cable or another port")
SLOW = mark("it gives few pictures a second; give it more light, or a smaller picture")
TORN = mark("pictures come torn; try another cable or another port")
FLICKERS = mark("the light flickers; try another lamp")
BURNT = mark("a lamp shines into it, or the table is too bright; move the lamp")
NOISY = mark("its pictures are noisy; give it more light")


class Advice:
    """Gathers frames, and says what would make them better."""

    def __init__(self) -> None:
        self._looks: deque[Look] = deque(maxlen=WINDOW)
        self._missed: deque[int] = deque(maxlen=WINDOW)
        self._is_counted = False

    def saw(self, look: Look, missed: int | None = None) -> None:
        """Take in a frame, and how many should have come before it, where that is known."""
        self._is_counted = missed is not None
        self._looks.append(look)
        self._missed.append(missed or 0)

    def told(self) -> str:
        """The advice that matters most, in words; empty if there is none."""
        if len(self._looks) < ENOUGH and sum(self._missed) < ENOUGH:
            return ""
        said = (
            (self._lost_share() > LOST_SHARE, LOSES),
            (self._rate_hz() < FEWEST_HZ, SLOW),
            (fmean(look.is_torn for look in self._looks) > TORN_SHARE, TORN),
            (self._swings() >= SWINGS, FLICKERS),
            (median(look.burnt for look in self._looks) > BURNT_SHARE, BURNT),
            (median(look.noise for look in self._looks) > NOISY_LEVELS, NOISY),
        )
        return next((words for is_so, words in said if is_so), "")

    def _lost_share(self) -> float:
        """Share of the pictures that did not come: as counted, or by the gaps between the times."""
        if self._is_counted:
            lost = sum(self._missed)
            return lost / (lost + len(self._looks))
        gaps_s = self._gaps_s()
        usual_s = sorted(gaps_s)[len(gaps_s) // 4]
        due = (
            sum(max(1, round(gap_s / usual_s)) for gap_s in gaps_s) if usual_s > 0 else len(gaps_s)
        )
        return 1 - len(gaps_s) / due

    def _rate_hz(self) -> float:
        """Pictures a second; a counted camera is as fast as it is asked."""
        return FEWEST_HZ if self._is_counted else 1 / max(1e-6, median(self._gaps_s()))

    def _gaps_s(self) -> list[float]:
        times_s = [look.at_s for look in self._looks]
        return [later - one for one, later in zip(times_s, times_s[1:], strict=False)]

    def _swings(self) -> int:
        """How often the brightness went from well above its mean to well below, or back."""
        levels = [look.brightness for look in self._looks]
        mean = fmean(levels)
        sides = [level > mean for level in levels if abs(level - mean) > SWING * mean]
        return sum(one != later for one, later in zip(sides, sides[1:], strict=False))
