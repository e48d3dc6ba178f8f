"""What is shown to the sensors on the set-up page while a game is in play: it is no roll.

Whoever teaches or calibrates dice lays them before the very sensors that watch the game, and who
keeps a picture of the empty trays takes the dice out of them. So the game stands still meanwhile;
what sensors capture then is counted and otherwise forgotten, also where it becomes known only
afterwards. What they captured before still counts.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.actions import Report
from companion.clock import Clock
from companion.errors import IllegalAction
from companion.inbox import BY_HAND
from companion.words import mark

if TYPE_CHECKING:
    from companion.app import Companion
    from companion.desk import Desk

CODE = "setting_up"
WHY = mark("Dice, tiles or trays are being set up. The game goes on afterwards.")
SENSORS = ("camera:", "serial:", "ble:")  # how the names of their sources begin
SPANS = 8  # the latest times of showing; no sensor is late by more than the last one
IDLE_S = 20.0  # so long after somebody last looked, nothing is being shown any more


def is_sensed(report: Report) -> bool:
    """True for what a sensor saw, and nobody said."""
    return report.source.startswith(SENSORS)


class Apart:
    """When something was shown that is no part of the game; safe from any thread.

    seen  so many reports of sensors have been passed over since it began.
    """

    def __init__(self, clock: Clock) -> None:
        self.seen = 0
        self._clock = clock
        self._what: tuple[str, ...] = ()
        self._since_s = 0.0
        self._spans: deque[tuple[float, float]] = deque(maxlen=SPANS)
        self._lock = threading.Lock()

    @property
    def is_on(self) -> bool:
        """True while something is shown."""
        return bool(self._what)

    def begin(self, what: str) -> None:
        """From now on `what` is shown; twice does no harm."""
        with self._lock:
            if not self._what:
                self._since_s, self.seen = self._clock.now_s(), 0
            if what not in self._what:
                self._what += (what,)

    def end(self, what: str) -> None:
        """It is shown no longer; twice does no harm."""
        with self._lock:
            if what in self._what:
                self._what = tuple(one for one in self._what if one != what)
                if not self._what:
                    self._spans.append((self._since_s, self._clock.now_s()))

    def takes(self, report: Report, at_s: float) -> bool:
        """True for what a sensor captured of it; that is counted, and is nothing of the game's."""
        if not is_sensed(report):
            return False
        with self._lock:
            is_it = self.is_on and at_s > self._since_s
            is_it = is_it or any(since < at_s <= until for since, until in self._spans)
            self.seen += is_it
            return is_it

    def why_not(self, report: Report) -> IllegalAction | None:
        """Why nobody can play on now, or None; what a sensor captured before still counts."""
        counts = is_sensed(report) or isinstance(report.action, BY_HAND)
        return IllegalAction(CODE, WHY) if self.is_on and not counts else None

    def row(self) -> dict[str, Any] | None:
        """What is shown, and how much of it sensors saw; None while nothing is."""
        what = self._what
        return {"what": list(what), "seen": self.seen} if what else None


class Showing:
    """Keeps the game in play apart from what somebody shows on one page of the set-up.

    lasts  True while it goes on although nobody looks, such as a calibration.
    """

    def __init__(self, desk: "Desk", what: str, lasts: Callable[[], bool] = lambda: False) -> None:
        self.was_let_go = False  # by hand: it begins again with the next thing that is shown
        self._desk, self._what, self._lasts = desk, what, lasts
        self._companion: Companion | None = None
        self._idle: threading.Timer | None = None
        self._lock = threading.RLock()

    @property
    def is_on(self) -> bool:
        """True while the game in play waits for it."""
        with self._lock:
            mine = self._companion
            return mine is not None and mine is self._in_play() and mine.apart.is_on

    def begin(self) -> None:
        """Something is shown now."""
        with self._lock:
            self.was_let_go = False
            companion = self._in_play()
            if companion is not self._companion:
                self._leave()
            if companion is not None and not companion.is_over:
                self._companion = companion
                companion.apart.begin(self._what)
                companion.inbox.stir()
                self._wait_for_idle()

    def look(self) -> None:
        """Somebody looks, so it goes on."""
        with self._lock:
            if self._companion is not None:
                self._wait_for_idle()

    def let_go(self) -> None:
        """Somebody says that the game is to go on."""
        self.end()
        self.was_let_go = True

    def end(self) -> None:
        """Nothing is shown any more; may be called twice."""
        with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            self._leave()

    def _leave(self) -> None:
        if self._companion is not None:
            self._companion.apart.end(self._what)
            self._companion.inbox.stir()
        self._companion = None

    def _wait_for_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = threading.Timer(IDLE_S, self._end_if_idle)
        self._idle.daemon = True
        self._idle.start()

    def _end_if_idle(self) -> None:
        with self._lock:
            if self._lasts():
                self._wait_for_idle()
            else:
                self._leave()

    def _in_play(self) -> "Companion | None":
        try:
            return self._desk.companion
        except IllegalAction:
            return None
