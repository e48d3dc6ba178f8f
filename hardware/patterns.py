"""Rows of steps in time: what an alert shows at a moment, and when that changes."""

import math
from collections.abc import Sequence

import msgspec

from hardware.cues import Alert, Glow, Light, Tone
from hardware.flashes import Levels

SOON_S = 0.001  # a sum of fractions may miss the end of a step by less
DIMMED = 0.5  # how bright lamps are in quiet mode, as a share

Row = Sequence[Light] | Sequence[Glow] | Sequence[Tone]


class Started(msgspec.Struct, frozen=True):
    """An alert and when it began, in seconds; `order` breaks ties."""

    alert: Alert
    at_s: float
    order: int
    name: str = ""

    def rank(self) -> tuple[int, int]:
        """Who has a lamp: the highest priority, of equals the newest."""
        return self.alert.priority, self.order

    def rows(self) -> tuple[Row, ...]:
        """The rows of all lamps."""
        alert = self.alert
        return alert.table, alert.on_strip(), alert.troll, alert.dragon, alert.seat

    def ends_s(self) -> float:
        """When the last of its lamps has shown its last step."""
        return self.at_s + max(sum(step.for_s for step in row) for row in self.rows())


def step_at(row: Row, past_s: float) -> Light | Glow | Tone | None:
    """The step that is on so long after the beginning; None after the end."""
    for step in row:
        if past_s < step.for_s:
            return step
        past_s -= step.for_s
    return None


def next_end_s(at_s: float, row: Row, now_s: float) -> float:
    """When the step ends that is on now, in a row that began at `at_s`; infinite after the last."""
    for step in row:
        at_s += step.for_s
        if at_s > now_s:
            return at_s
    return math.inf


def round_at(row: Sequence[Glow], past_s: float, quiet: bool) -> tuple[float, float]:
    """The level of a lamp whose row goes round for ever, and in how many seconds that changes.

    quiet   the first step for as long as it goes: nothing blinks.
    """
    past_s %= sum(step.for_s for step in row)
    if quiet or len(row) == 1:
        return row[0].level, math.inf
    shown = step_at(row, past_s)
    assert isinstance(shown, Glow)
    return shown.level, max(SOON_S, next_end_s(0.0, row, past_s) - past_s)


def light_at(row: Sequence[Light] | Sequence[Glow], past_s: float, quiet: bool) -> Levels | None:
    """Levels of each LED at that moment: three for a light with a colour, one for a glow.

    quiet   dimmed, and the first step for as long as all of them: nothing blinks.
    """
    step = step_at(row, past_s)
    if step is None or isinstance(step, Tone):
        return None
    shown = row[0] if quiet else step
    share = DIMMED if quiet else 1.0
    if isinstance(shown, Light):
        whole = bytes.fromhex(shown.colour[1:])
        return tuple(share * shown.level * part / 255 for part in whole)
    return (share * shown.level,)
