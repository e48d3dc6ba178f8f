"""Keeps lamps from flashing in a way that can hurt people, whatever is asked of them.

Source: WCAG 2.2, success criterion 2.3.1 (at most three flashes in any second; a flash is a pair of
opposing changes of a tenth of the full brightness or more; saturated red counts for itself: red is
saturated when it makes up 0.8 or more of the light). Here it is stricter: all lamps together share
the three, dark or bright, and saturated red is not shown at all.

Theory of operation. Every flash has one rise, so rises are rationed. An LED rises when it climbs a
tenth above the lowest level that it has had since it last fell by a tenth. Rises at the same moment
are one flash. A lamp that would rise when the ration is spent stays as it is; it may try again.
Falling is always allowed, so going dark never waits.

A lamp behind a network *lags*: nobody knows when it does what it was told, and it may skip what
came too fast. So each of its changes to brighter, however small, is taken for a flash of its own,
whose moment is unknown until it has surely happened (`landed`); until then it counts as just now.
"""

import math
from collections.abc import Collection, Mapping

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


class _Flash:
    # One rise of light; of a lagging lamp, by which of its changes, and still on its way.

    def __init__(self, at_s: float, name: str = "", number: int = 0) -> None:
        self.at_s, self.name, self.number = at_s, name, number


class FlashGuard:
    """Stands between what is wanted and what the lamps show.

    lagging   names of lamps that show a little later what they are told.
    """

    def __init__(self, lagging: Collection[str] = ()) -> None:
        self._leds: dict[str, list[_Led]] = {}
        self._flashes: list[_Flash] = []
        self._in_flash: set[str] = set()
        self._together_s = self._now_s = -math.inf
        self.changes = dict.fromkeys(lagging, 0)  # how often each was told something else

    def allow(self, wanted: Mapping[str, Levels], now_s: float) -> dict[str, Levels]:
        """What may be shown now: what is wanted, or, lamp by lamp, what was shown before.

        wanted  levels from 0 to 1 of each LED of a lamp; three are taken for red, green and blue.
        """
        self._watch_time(now_s)
        safe = {name: soften(levels) for name, levels in wanted.items()}
        rising = {name for name, levels in safe.items() if self._rises(name, levels)}
        late = rising & self.changes.keys()
        allowed = self._allow_at_once(rising - late, now_s) | self._allow_late(sorted(late), now_s)
        return {
            name: self._show(name, levels, name not in rising or name in allowed)
            for name, levels in safe.items()
        }

    def landed(self, name: str, number: int, at_s: float) -> None:
        """A lagging lamp shows, at `at_s` at the latest, what it was told up to this change."""
        for flash in self._flashes:
            if flash.name == name and flash.number <= number and flash.at_s == math.inf:
                flash.at_s = at_s

    def lost(self, name: str) -> None:
        """Nobody knows what a lagging lamp shows: to light it again counts as a flash."""
        self._leds.pop(name, None)

    @property
    def free_at_s(self) -> float:
        """When the next flash may begin; infinite while that hangs on a lagging lamp."""
        if len(self._flashes) < FLASHES:
            return -math.inf
        return sorted(flash.at_s for flash in self._flashes)[-FLASHES] + WINDOW_S + MARGIN_S

    def _allow_at_once(self, rising: set[str], now_s: float) -> set[str]:
        """Which of the lamps that light at once may rise."""
        together = now_s - self._together_s <= TOGETHER_S
        allowed = rising - self._in_flash if together else set()
        if rising - allowed and self.free_at_s <= now_s:
            self._flashes.append(_Flash(now_s))
            self._together_s, self._in_flash, allowed = now_s, set(), rising
        self._in_flash |= allowed
        return allowed

    def _allow_late(self, rising: list[str], now_s: float) -> set[str]:
        """Which of the lagging lamps may rise, each in a flash of its own, one at a time."""
        allowed = set()
        for name in rising:
            is_under_way = any(f.name == name and f.at_s == math.inf for f in self._flashes)
            if self.free_at_s <= now_s and not is_under_way:
                self._flashes.append(_Flash(math.inf, name, self.changes[name] + 1))
                allowed.add(name)
        return allowed

    def _rises(self, name: str, levels: Levels) -> bool:
        leds = self._leds.setdefault(name, [_Led() for _ in levels])
        pairs = list(zip(leds, levels, strict=True))
        if name in self.changes:
            return any(level > led.level for led, level in pairs)
        return any(led.would_rise(level) for led, level in pairs)

    def _show(self, name: str, levels: Levels, is_allowed: bool) -> Levels:
        leds = self._leds[name]
        if is_allowed:
            if name in self.changes and levels != tuple(led.level for led in leds):
                self.changes[name] += 1
            for led, level in zip(leds, levels, strict=True):
                led.set(level)
        return tuple(led.level for led in leds)

    def _watch_time(self, now_s: float) -> None:
        if now_s < self._now_s:
            # Another game's time: take what has flashed for having flashed just now.
            for flash in self._flashes:
                flash.at_s = flash.at_s if flash.at_s == math.inf else now_s
            self._together_s, self._in_flash = now_s, set(self._leds)
        self._now_s = now_s
        over_s = now_s - WINDOW_S - MARGIN_S
        self._flashes = [flash for flash in self._flashes if flash.at_s > over_s]


def soften(levels: Levels) -> Levels:
    """Levels between 0 and 1; of three, red is mixed with a little green and blue if it must be."""
    safe = tuple(min(1.0, level) if level >= LEAST else 0.0 for level in levels)
    if len(safe) != 3 or safe[0] <= MOST_RED * sum(safe):
        return safe
    red, green, blue = safe
    missing = red * (1 - MOST_RED) / MOST_RED - green - blue
    return red, green + missing * 2 / 3, blue + missing / 3
