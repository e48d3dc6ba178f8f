"""Shows by light and sound what the rules tell.

Theory of operation. A cue of a step starts its alert (see `cues.toml`): for each lamp a row of
steps, and a melody. What a lamp shows is looked up, never stored: among the alerts whose row for
that lamp has not ended, the one with the highest priority has it (of equals the newest); where
there is none, the lamp shows how things stand (`follow`). So whatever interrupts, what was there
comes back, and nothing has to be undone; an alert told again begins anew. Melodies queue by
priority; a higher one breaks off a lower one, and what has waited too long is not played any more.
`tick` looks everything up and is told the time; a thread calls it when something is due. Whoever
calls `show`, `follow` or `refused` never waits for a lamp, and never gets an exception from here.

While dice are being read (`reading`), the lamps near the tray stay as they are: no alert may look
like a die that moves, or change its colour.
"""

import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self

from companion.actions import Correct, Undo
from companion.clock import Clock
from companion.steps import Cue, Step, Told
from hardware import pins
from hardware.cues import CueBook, Glow, Light, Manner
from hardware.flashes import Levels, soften
from hardware.lamps import Lamps
from hardware.melodies import Melodies
from hardware.patterns import Started, light_at, next_end_s, round_at

LOG = logging.getLogger(__name__)
REFUSED = Cue("refused", family="bad", title="Refused")
AS_USUAL = Manner()
LOOK_S = 0.05  # the clock of the game may run faster than the thread's: look at it so often


class Speaker(Protocol):
    """Who says sentences aloud; returns at once, never raises."""

    def say(self, text: str, priority: int) -> None:
        """Say it soon; a higher priority breaks off a lower one."""

    def hush(self) -> None:
        """Be silent, and forget what was to be said."""

    def close(self) -> None:
        """Be silent for ever."""


class Alerts:
    """The alerts of one table; `clock` is asked for the time of each call.

    manner   how loud and bright the table likes it.
    voice    who says sentences, or None.
    Without `start` there is no thread: then somebody has to call `tick`.
    """

    def __init__(
        self,
        lamps: Lamps,
        cues: CueBook,
        clock: Clock,
        *,
        manner: Manner = AS_USUAL,
        voice: Speaker | None = None,
    ) -> None:
        self._lamps, self._cues, self._clock = lamps, cues, clock
        self._manner, self._voice = manner, voice
        self._started: list[Started] = []
        self._count = 0
        self._melodies = Melodies()
        self._counters: Mapping[str, int] = {}
        self._seat: int | None = None
        self._buttons: dict[int, tuple[str, float]] = {}  # seat -> choice, and since when
        self._shown: list[dict[str, Any]] = []
        self._changed = threading.Condition(threading.RLock())
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._now_s = -math.inf
        self.failures = 0
        lamps.when_free = self._look_again
        self._note_shown()

    # From outside

    def show(self, step: Step) -> None:
        """Show what a step told; its first lights are on when this returns (see FlashGuard).

        Undo and correction are silent: they end what was being shown, and show nothing.
        """
        if isinstance(step.report.action, Undo | Correct):
            self._safely(self._drop_all)
        else:
            self._safely(lambda: self._tell(step.told))

    def refused(self) -> None:
        """Show that a report was refused."""
        self._safely(lambda: self._begin([REFUSED]))

    def follow(self, counters: Mapping[str, int], active_seat: int | None) -> None:
        """Let the lamps that show how things stand follow; seats count from 0."""
        self._safely(lambda: self._stand(dict(counters), active_seat))

    def buttons(self, seats: Mapping[int, str]) -> None:
        """Let the lamps shine of the seats whose button does something now: which choice it is."""
        self._safely(lambda: self._await_buttons(dict(seats)))

    def reading(self, is_reading: bool) -> None:
        """Dice move, or are being read, or (False) not any more: keep the light on them steady."""
        self._safely(lambda: self._lamps.steady(is_reading, self._clock.now_s()))

    def be(self, manner: Manner) -> None:
        """From now on be quiet, or loud."""
        self._safely(lambda: self._take_on(manner))

    @property
    def manner(self) -> Manner:
        """How loud and bright it is."""
        return self._manner

    def lamps(self) -> list[dict[str, Any]]:
        """What shines and sounds now: name, label, colour (`#rrggbb`), level (0 to 1).

        The buzzer has its `note` and its `melody` as well, as in `Melodies.score`.
        """
        return [dict(lamp) for lamp in self._shown]

    def light(self) -> tuple[float, float, float]:
        """How brightly red, green and blue fall on the table, 0 to 1: the lamp above it."""
        red, green, blue = self._lamps.levels[pins.TABLE.name]
        return red, green, blue

    def tick(self, now_s: float) -> float | None:
        """Bring lamps and buzzer up to `now_s`; return when to look again, None if never."""
        with self._changed:
            if self._is_closed:
                return None
            if now_s < self._now_s:
                self._drop_all()
            self._now_s = now_s
            self._started = [one for one in self._started if one.ends_s() > now_s]
            self._melodies.choose(now_s)
            wanted = self._wanted(now_s)
            shown = self._lamps.shine(wanted, now_s)
            self._lamps.sound(*self._melodies.note(now_s, self._manner))
            self._note_shown()
            return self._next_s(now_s, _held(wanted, shown))

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
            self._changed.notify_all()
        self._lamps.close()  # outside the lock, which a strip that goes dark may want for a moment
        self._note_shown()
        if self._voice is not None:
            self._voice.close()
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

    def _tell(self, told: Sequence[Told]) -> None:
        self._begin([one.cue for one in told])
        self._say(told)

    def _begin(self, cues: Sequence[Cue]) -> None:
        now_s = self._clock.now_s()
        for cue in dict.fromkeys(cues):
            self._count += 1
            started = Started(self._cues.alert(cue), now_s, self._count, cue.name)
            others = [one for one in self._started if one.alert is not started.alert]
            self._started = [*others, started]
            self._melodies.add(started)

    def _stand(self, counters: Mapping[str, int], active_seat: int | None) -> None:
        self._counters, self._seat = counters, active_seat

    def _await_buttons(self, seats: dict[int, str]) -> None:
        now_s, before = self._clock.now_s(), self._buttons
        self._buttons = {
            seat: before[seat] if before.get(seat, ("",))[0] == choice else (choice, now_s)
            for seat, choice in seats.items()
        }

    def _take_on(self, manner: Manner) -> None:
        self._manner = manner
        if manner.quiet and self._voice is not None:
            self._voice.hush()

    def _drop_all(self) -> None:
        self._started = []
        self._melodies.clear()
        if self._voice is not None:
            self._voice.hush()

    def _say(self, told: Sequence[Told]) -> None:
        """Let the voice say what was told, as `cues.toml` wants it."""
        if self._voice is None or self._manner.quiet:
            return
        for one in told:
            alert = self._cues.alert(one.cue)
            if alert.say != "no" and not alert.mute and one.cue.name not in self._manner.mute:
                text = one.cue.title if alert.say == "title" else one.text
                self._voice.say(text, alert.priority)

    # Light

    def _wanted(self, now_s: float) -> dict[str, Levels]:
        wanted = self._standing(now_s)
        for started in sorted(self._started, key=Started.rank):
            past_s, alert = now_s - started.at_s, started.alert
            self._overlay(wanted, [pins.TABLE.name], alert.table, past_s)
            self._overlay(wanted, [pins.STRIP.name], alert.on_strip(), past_s)
            self._overlay(wanted, [lamp.name for lamp in pins.TROLL], alert.troll, past_s)
            self._overlay(wanted, [pins.DRAGON.name], alert.dragon, past_s)
            self._overlay(wanted, self._seat_names(), alert.seat, past_s)
        return wanted

    def _overlay(
        self,
        wanted: dict[str, Levels],
        names: Sequence[str],
        row: Sequence[Light] | Sequence[Glow],
        past_s: float,
    ) -> None:
        levels = light_at(row, past_s, self._manner.quiet)
        if levels is not None:
            wanted |= dict.fromkeys(names, levels)

    def _standing(self, now_s: float) -> dict[str, Levels]:
        follow = self._cues.follow
        levels: dict[str, Levels] = {name: (follow.seat_level,) for name in self._seat_names()}
        for seat in sorted(self._buttons):
            level, _ = self._of_button(seat, now_s)
            levels |= {name: (level,) for name in self._names_of(seat)}
        dragon, warning = follow.dragon, follow.warning
        bars = [bar for bar in (follow.troll, *follow.bar) if bar and bar.share(self._counters)]
        for bar in bars[:1]:
            lit = round(bar.share(self._counters) * len(pins.TROLL))
            levels |= {lamp.name: (bar.level,) for lamp in pins.TROLL[:lit]}
        if dragon is not None:
            levels[pins.DRAGON.name] = (dragon.level * dragon.share(self._counters),)
        if warning is not None and self._counters.get(warning.counter, 0) > 0:
            light = Light(warning.colour, 1.0, warning.level)
            self._overlay(levels, [pins.TABLE.name], (light,), 0.0)
        return levels

    def _of_button(self, seat: int, now_s: float) -> tuple[float, float]:
        """How a seat's lamp shines for its button, and in how many seconds that changes."""
        choice, since_s = self._buttons[seat]
        row = self._cues.follow.buttons.get(choice)
        if row is None:
            return self._cues.follow.button_level, math.inf
        return round_at(row, now_s - since_s, self._manner.quiet)

    def _seat_names(self) -> list[str]:
        return [] if self._seat is None else self._names_of(self._seat)

    def _names_of(self, seat: int) -> list[str]:
        """The lamp of a seat, if it has one."""
        return [lamp.name for lamp in self._lamps.all if lamp.name == f"seat-{seat + 1}"]

    # What comes next, and what is seen from outside

    def _next_s(self, now_s: float, held: list[str]) -> float | None:
        ends = [next_end_s(one.at_s, row, now_s) for one in self._started for row in one.rows()]
        ends.append(self._melodies.next_s(now_s))
        ends += [now_s + self._of_button(seat, now_s)[1] for seat in self._buttons]
        if held:
            ends.append(max(self._lamps.free_at_s(held), now_s + 0.001))
        soonest = min(ends)
        return None if math.isinf(soonest) else soonest

    def _note_shown(self) -> None:
        levels, note = self._lamps.levels, self._lamps.note
        shown = [_seen(lamp, levels[lamp.name]) for lamp in self._lamps.all]
        level = 0.0 if note is None else 1.0
        sound = {"name": "buzzer", "label": "Buzzer", "colour": "#ffffff", "level": level}
        melody = self._melodies.score(self._manner)
        self._shown = [*shown, {**sound, "note": note, "melody": melody}]

    def _look_again(self) -> None:
        """Whoever holds light back may let it go now."""
        with self._changed:
            self._changed.notify_all()

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


def _held(wanted: Mapping[str, Levels], shown: Mapping[str, Levels]) -> list[str]:
    """Which lamps do not show what they should: they are held back."""
    return [n for n, levels in wanted.items() if n in shown and shown[n] != soften(levels)]


def _seen(lamp: pins.Lamp, levels: Levels) -> dict[str, Any]:
    level = max(levels)
    colour = lamp.colour
    if len(levels) > 1 and level > 0:
        colour = "#" + "".join(f"{round(255 * part / level):02x}" for part in levels)
    return {"name": lamp.name, "label": lamp.label, "colour": colour, "level": round(level, 3)}
