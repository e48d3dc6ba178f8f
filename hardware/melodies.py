"""Which melody the buzzer plays: by priority, one after the other, none too late.

Sans-I/O: time comes as an argument, in seconds.
"""

import math
from typing import Any

import msgspec

from hardware.cues import Manner, Tone
from hardware.patterns import Started, next_end_s, step_at

STALE_S = 2.0  # a melody that comes later than this belongs to nothing any more
MELODIES = 4  # waiting at most; the lowest are dropped


class Melodies:
    """The melodies that wait for the buzzer, and the one that it plays."""

    def __init__(self) -> None:
        self._playing: Started | None = None
        self._waiting: list[Started] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, started: Started) -> None:
        """Let a melody wait its turn; one without notes is none."""
        if started.alert.buzzer:
            self._waiting.append(started)

    def clear(self) -> None:
        """Forget them all."""
        self._waiting, self._playing = [], None

    def choose(self, now_s: float) -> None:
        """Begin the next melody if it is time; a higher one breaks off a lower one."""
        playing = self._playing
        if playing is not None and step_at(playing.alert.buzzer, now_s - playing.at_s) is None:
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

    def note(self, now_s: float, manner: Manner) -> tuple[str | None, float]:
        """The note that sounds now (None for silence), and how loud, 0 to 1."""
        playing = self._playing
        if playing is None or manner.quiet:
            return None, 0.0
        tone, volume = step_at(playing.alert.buzzer, now_s - playing.at_s), self._volume(manner)
        if not isinstance(tone, Tone) or tone.note == "-" or volume <= 0:
            return None, 0.0
        return tone.note, volume

    def score(self, manner: Manner) -> dict[str, Any] | None:
        """The melody that plays, for whoever plays it too: None where nothing is to be heard.

        `order` tells it from the others, `tones` are notes with `for_s`, `volume` is 0 to 1.
        """
        playing = self._playing
        if playing is None or manner.quiet or (volume := self._volume(manner)) <= 0:
            return None
        tones = [msgspec.to_builtins(tone) for tone in playing.alert.buzzer]
        return {"order": playing.order, "tones": tones, "volume": volume}

    def next_s(self, now_s: float) -> float:
        """When the note changes that sounds now; infinite for never."""
        if self._playing is None:
            return math.inf
        return next_end_s(self._playing.at_s, self._playing.alert.buzzer, now_s)

    def _volume(self, manner: Manner) -> float:
        assert self._playing is not None
        alert = self._playing.alert
        is_mute = alert.mute or self._playing.name in manner.mute
        return 0.0 if is_mute else manner.volume * alert.volume
