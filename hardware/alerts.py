"""Shows by light and sound what the rules tell.

Theory of operation. A cue of a step starts its alert (see `cues.toml`): for each lamp a row of
steps, and a melody. What a lamp shows is looked up, never stored: among the alerts whose row for
that lamp has not ended, the one with the highest priority has it (of equals the newest); where
there is none, the lamp shows how things stand (`follow`). So whatever interrupts, what was there
comes back, and nothing has to be undone; an alert told again begins anew. Melodies queue by
priority; a higher one breaks off a lower one, and what has waited too long is not played any more.
`tick` looks everything up and is told the time; a thread calls it when something is due. Whoever
calls `show`, `follow` or `refused` never waits for a lamp, and never gets an exception from here.
"""

import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import msgspec

from companion.clock import Clock
from companion.steps import Cue, Step
from hardware import pins
from hardware.cues import Alert, CueBook, Gauge, Glow, Light, Tone
from hardware.flashes import Levels, soften
from hardware.lamps import Lamps

LOG = logging.getLogger(__name__)
REFUSED = Cue("refused", family="bad", title="Refused")
STALE_S = 2.0  # a melody that comes later than this belongs to nothing any more
MELODIES = 4  # waiting at most; the lowest are dropped
LOOK_S = 0.05  # the clock of the game may run faster than the thread's: look at it so often

Row = Sequence[Light] | Sequence[Glow] | Sequence[Tone]


class _Started(msgspec.Struct, frozen=True):
    # An alert and when it began; `order` breaks ties.
    alert: Alert
    at_s: float
    order: int

    def rank(self) -> tuple[int, int]:
        return self.alert.priority, self.order

    def ends_s(self) -> float:
        return self.at_s + max(sum(step.for_s for step in row) for row in _rows(self))


class Alerts:
    """The alerts of one table; `clock` is asked for the time of each call.

    Without `start` there is no thread: then somebody has to call `tick`.
    """

    def __init__(self, lamps: Lamps, cues: CueBook, clock: Clock) -> None:
        self._lamps, self._cues, self._clock = lamps, cues, clock
        self._started: list[_Started] = []
        self._count = 0
        self._playing: _Started | None = None
        self._waiting: list[_Started] = []
        self._counters: Mapping[str, int] = {}
        self._seat: int | None = None
        self._shown: list[dict[str, Any]] = []
        self._changed = threading.Condition(threading.RLock())
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._now_s = -math.inf
        self.failures = 0
        self._note_shown()

    def show(self, step: Step) -> None:
        """Show what a step told; its first lights are on when this returns (see FlashGuard)."""
        self._safely(lambda: self._begin([told.cue for told in step.told]))

    def refused(self) -> None:
        """Show that a report was refused."""
        self._safely(lambda: self._begin([REFUSED]))

    def follow(self, counters: Mapping[str, int], active_seat: int | None) -> None:
        """Let the lamps that show how things stand follow; seats count from 0."""
        self._safely(lambda: self._stand(dict(counters), active_seat))

    def lamps(self) -> list[dict[str, Any]]:
        """What shines and sounds now: name, label, colour (`#rrggbb`), level (0 to 1), and note."""
        return [dict(lamp) for lamp in self._shown]

    def tick(self, now_s: float) -> float | None:
        """Bring lamps and buzzer up to `now_s`; return when to look again, None if never."""
        with self._changed:
            if self._is_closed:
                return None
            if now_s < self._now_s:
                self._drop_all()
            self._now_s = now_s
            self._started = [one for one in self._started if one.ends_s() > now_s]
            self._choose_melody(now_s)
            wanted = self._wanted(now_s)
            shown = self._lamps.shine(wanted, now_s)
            self._lamps.sound(self._note_at(now_s))
            self._note_shown()
            held = any(
                shown[name] != levels
                for name, levels in {n: soften(x) for n, x in wanted.items()}.items()
            )
            return self._next_s(now_s, held)

    def start(self) -> Self:
        """Start the thread that steps the patterns."""
        if self._thread is None and not self._is_closed:
            self._thread = threading.Thread(target=self._run, name="alerts", daemon=True)
            self._thread.start()
        return self

    def close(self) -> None:
        """Go dark and give the pins back; may be called again, and from any thread."""
        with self._changed:
            self._is_closed = True
            self._drop_all()
            self._lamps.close()
            self._note_shown()
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _safely(self, work: Callable[[], None]) -> None:
        with self._changed:
            if self._is_closed:
                return
            try:
                work()
                self.tick(self._clock.now_s())
            except Exception:
                self._fail()
            self._changed.notify_all()

    def _fail(self) -> None:
        self.failures += 1
        LOG.exception("an alert failed; going dark")
        self._drop_all()
        try:
            self._lamps.dark()
        except Exception:
            LOG.exception("the lamps do not answer")
        self._note_shown()

    def _begin(self, cues: Sequence[Cue]) -> None:
        now_s = self._clock.now_s()
        for cue in dict.fromkeys(cues):
            self._count += 1
            started = _Started(self._cues.alert(cue), now_s, self._count)
            others = [one for one in self._started if one.alert is not started.alert]
            self._started = [*others, started]
            if started.alert.buzzer:
                self._waiting.append(started)

    def _stand(self, counters: Mapping[str, int], active_seat: int | None) -> None:
        self._counters, self._seat = counters, active_seat

    def _drop_all(self) -> None:
        self._started, self._waiting, self._playing = [], [], None

    # Light

    def _wanted(self, now_s: float) -> dict[str, Levels]:
        wanted = self._standing()
        for started in sorted(self._started, key=_Started.rank):
            past_s, alert = now_s - started.at_s, started.alert
            light = _step_at(alert.table, past_s)
            if isinstance(light, Light):
                wanted[pins.TABLE.name] = _rgb(light)
            self._overlay(wanted, [lamp.name for lamp in pins.TROLL], alert.troll, past_s)
            self._overlay(wanted, [pins.DRAGON.name], alert.dragon, past_s)
            self._overlay(wanted, self._seat_names(), alert.seat, past_s)
        return wanted

    def _overlay(
        self, wanted: dict[str, Levels], names: Sequence[str], row: Sequence[Glow], past_s: float
    ) -> None:
        glow = _step_at(row, past_s)
        if isinstance(glow, Glow):
            wanted |= dict.fromkeys(names, (glow.level,))

    def _standing(self) -> dict[str, Levels]:
        follow = self._cues.follow
        levels: dict[str, Levels] = {name: (follow.seat_level,) for name in self._seat_names()}
        troll, dragon = follow.troll, follow.dragon
        if troll is not None:
            lit = round(self._share(troll) * len(pins.TROLL))
            levels |= {lamp.name: (troll.level,) for lamp in pins.TROLL[:lit]}
        if dragon is not None:
            levels[pins.DRAGON.name] = (dragon.level * self._share(dragon),)
        return levels

    def _share(self, gauge: Gauge) -> float:
        return min(1.0, max(0.0, self._counters.get(gauge.counter, 0) / gauge.of))

    def _seat_names(self) -> list[str]:
        known = {lamp.name for lamp in self._lamps.all}
        name = "" if self._seat is None else f"seat-{self._seat + 1}"
        return [name] if name in known else []

    # Sound

    def _choose_melody(self, now_s: float) -> None:
        playing = self._playing
        if playing is not None and _step_at(playing.alert.buzzer, now_s - playing.at_s) is None:
            self._playing = playing = None
        fresh = [one for one in self._waiting if now_s - one.at_s <= STALE_S]
        fresh.sort(key=lambda one: (-one.alert.priority, one.order))
        self._waiting = fresh[:MELODIES]
        if not self._waiting:
            return
        first = self._waiting[0]
        if playing is None or first.alert.priority > playing.alert.priority:
            self._waiting.pop(0)
            self._playing = msgspec.structs.replace(first, at_s=now_s)

    def _note_at(self, now_s: float) -> str | None:
        if self._playing is None:
            return None
        tone = _step_at(self._playing.alert.buzzer, now_s - self._playing.at_s)
        return tone.note if isinstance(tone, Tone) and tone.note != "-" else None

    # What comes next, and what is seen from outside

    def _next_s(self, now_s: float, is_held: bool) -> float | None:
        ends = [_next_end_s(one.at_s, row, now_s) for one in self._started for row in _rows(one)]
        if self._playing is not None:
            ends.append(_next_end_s(self._playing.at_s, self._playing.alert.buzzer, now_s))
        if is_held:
            ends.append(max(self._lamps.free_at_s, now_s + 0.001))
        soonest = min(ends, default=math.inf)
        return None if math.isinf(soonest) else soonest

    def _note_shown(self) -> None:
        levels, note = self._lamps.levels, self._lamps.note
        shown = [_seen(lamp, levels[lamp.name]) for lamp in self._lamps.all]
        level = 0.0 if note is None else 1.0
        sound = {"name": "buzzer", "label": "Buzzer", "colour": "#ffffff", "level": level}
        self._shown = [*shown, {**sound, "note": note}]

    def _run(self) -> None:
        with self._changed:
            while not self._is_closed:
                try:
                    now_s = self._clock.now_s()
                    next_s = self.tick(now_s)
                except Exception:
                    self._fail()
                    next_s = None
                pause_s = None if next_s is None else min(max(next_s - now_s, 0.001), LOOK_S)
                self._changed.wait(pause_s)


def _differ(wanted: Mapping[str, Levels], shown: Mapping[str, Levels]) -> bool:
    return any(shown[name] != soften(levels) for name, levels in wanted.items())


def _rows(started: _Started) -> tuple[Row, ...]:
    alert = started.alert
    return alert.table, alert.troll, alert.dragon, alert.seat


def _step_at(row: Row, past_s: float) -> Light | Glow | Tone | None:
    for step in row:
        if past_s < step.for_s:
            return step
        past_s -= step.for_s
    return None


def _next_end_s(at_s: float, row: Row, now_s: float) -> float:
    for step in row:
        at_s += step.for_s
        if at_s > now_s:
            return at_s
    return math.inf


def _rgb(light: Light) -> Levels:
    whole = bytes.fromhex(light.colour[1:])
    return tuple(light.level * part / 255 for part in whole)


def _seen(lamp: pins.Lamp, levels: Levels) -> dict[str, Any]:
    level = max(levels)
    colour = lamp.colour
    if len(levels) > 1 and level > 0:
        colour = "#" + "".join(f"{round(255 * part / level):02x}" for part in levels)
    return {"name": lamp.name, "label": lamp.label, "colour": colour, "level": round(level, 3)}
