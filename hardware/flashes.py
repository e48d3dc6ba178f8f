"""Keeps lamps from flashing in a way that can hurt people, whatever is asked of them.

Source: WCAG 2.2, success criterion 2.3.1 (at most three flashes in any second; a flash is a pair of
opposing changes of a tenth of the full brightness or more; saturated red counts for itself: red is
saturated when it makes up 0.8 or more of the light). Here it is stricter: all lamps together share
the three, dark or bright, and saturated red is not shown at all.

Theory of operation. Every flash has one rise, so rises are rationed. An LED rises when it climbs a
tenth above the lowest level that it has had since it last fell by a tenth. Rises at the same moment
are one flash. A lamp that would rise when the ration is spent stays as it is; it may try again.
Falling is always allowed, so going dark never waits.
"""

import math
from collections import deque
from collections.abc import Mapping

Levels = tuple[float, ...]

FLASHES = 3
WINDOW_S = 1.0
MARGIN_S = 0.02  # pins switch a little later than they are told to, and not always equally late
CHANGE = 0.1
TOGETHER_S = 0.03  # the eye sees one flash
LEAST = 0.001  # less is dark: no pin can show it
MOST_RED = 0.75  # share of red in the light; 0.8 is saturated


class _Led:
    # One LED: its level, and where it stands between valley and peak.

    def __init__(self) -> None:
        self.level = self.extreme = 0.0
        self.is_up = False

    def would_rise(self, level: float) -> bool:
        return not self.is_up and level >= min(self.extreme, level) + CHANGE

    def set(self, level: float) -> None:
        self.level = level
        if self.is_up:
            self.extreme = max(self.extreme, level)
            if level <= self.extreme - CHANGE:
                self.is_up, self.extreme = False, level
        elif self.would_rise(level):
            self.is_up, self.extreme = True, level
        else:
            self.extreme = min(self.extreme, level)


class FlashGuard:
    """Stands between what is wanted and what the lamps show."""

    def __init__(self) -> None:
        self._leds: dict[str, list[_Led]] = {}
        self._flashes_s: deque[float] = deque(maxlen=FLASHES)
        self._in_flash: set[str] = set()
        self._now_s = -math.inf

    def allow(self, wanted: Mapping[str, Levels], now_s: float) -> dict[str, Levels]:
        """What may be shown now: what is wanted, or, lamp by lamp, what was shown before.

        wanted  levels from 0 to 1 of each LED of a lamp; three are taken for red, green and blue.
        """
        self._watch_time(now_s)
        safe = {name: soften(levels) for name, levels in wanted.items()}
        rising = {name for name, levels in safe.items() if self._rises(name, levels)}
        allowed = rising - self._in_flash if self._is_same_flash(now_s) else set()
        if rising - allowed and self.free_at_s <= now_s:
            self._flashes_s.append(now_s)
            self._in_flash = set()
            allowed = rising
        self._in_flash |= allowed
        return {
            name: self._show(name, levels, name not in rising or name in allowed)
            for name, levels in safe.items()
        }

    @property
    def free_at_s(self) -> float:
        """When the next flash may begin."""
        if len(self._flashes_s) < FLASHES:
            return -math.inf
        return self._flashes_s[0] + WINDOW_S + MARGIN_S

    def _is_same_flash(self, now_s: float) -> bool:
        return bool(self._flashes_s) and now_s - self._flashes_s[-1] <= TOGETHER_S

    def _rises(self, name: str, levels: Levels) -> bool:
        leds = self._leds.setdefault(name, [_Led() for _ in levels])
        return any(led.would_rise(level) for led, level in zip(leds, levels, strict=True))

    def _show(self, name: str, levels: Levels, is_allowed: bool) -> Levels:
        leds = self._leds[name]
        if is_allowed:
            for led, level in zip(leds, levels, strict=True):
                led.set(level)
        return tuple(led.level for led in leds)

    def _watch_time(self, now_s: float) -> None:
        if now_s < self._now_s:
            # Another game's time: take what has flashed for having flashed just now.
            self._flashes_s = deque([now_s] * len(self._flashes_s), maxlen=FLASHES)
            self._in_flash = set(self._leds)
        self._now_s = now_s


def soften(levels: Levels) -> Levels:
    """Levels between 0 and 1; of three, red is mixed with a little green and blue if it must be."""
    safe = tuple(min(1.0, level) if level >= LEAST else 0.0 for level in levels)
    if len(safe) != 3 or safe[0] <= MOST_RED * sum(safe):
        return safe
    red, green, blue = safe
    missing = red * (1 - MOST_RED) / MOST_RED - green - blue
    return red, green + missing * 2 / 3, blue + missing / 3
