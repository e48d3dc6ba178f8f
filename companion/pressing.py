"""The buttons of the seats, joined to the inbox: what a press means, and when.

Theory of operation. At most one choice a player is marked for the button (`Choose(button=True)`). A
short press is that choice, as it lay there when the button went down. A long one takes back the
player's own last choice, while nothing has happened since. Where a long press would mean nothing,
nobody waits for the release: the choice is reported as soon as the contact is believed. Either way
its moment is the first edge, and until it is reported the watermark stands still before that.
"""

import math
import threading
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from companion.actions import Chose, Report, Undo, Waited
from companion.inbox import Inbox
from companion.offers import Choose
from companion.referee import Referee
from companion.sensor_rows import source_row
from companion.words import row_of
from hardware.buttons import Press

SOURCE = "buttons"
KEPT = 64  # so many looks at the table are remembered
NOTHING = "button"  # what is reported, and refused, where a button does nothing


class Meaning(msgspec.Struct, frozen=True):
    """What the buttons mean from a moment on.

    number   the latest step when that was so.
    choices  player -> the choice that the button makes, closed ones too, which say why not.
    own      player -> the step that a long press takes back.
    """

    from_s: float
    number: int
    choices: Mapping[str, str]
    own: Mapping[str, int]


class ButtonSensor:
    """The buttons of all seats: one source, with a watermark of its own.

    seats   players, in the order of their buttons.
    light   told which seats (from 0) have a button that does something now, and which choice.
    """

    def __init__(
        self,
        seats: Sequence[str],
        inbox: Inbox,
        light: Callable[[Mapping[int, str]], None] = lambda seats: None,
    ) -> None:
        self._seats, self._inbox, self._light = tuple(seats), inbox, light
        self._meanings: deque[Meaning] = deque([Meaning(-math.inf, 0, {}, {})], maxlen=KEPT)
        self._undecided: dict[int, Press] = {}
        self._lock = threading.Lock()
        self.presses = 0
        inbox.add_source(SOURCE, (), seats)

    def look(self, referee: Referee, now_s: float) -> None:
        """See what each button means now; in the deciding thread."""
        marked = [o for o in referee.offers if isinstance(o, Choose) and o.button]
        choices = {offer.player: offer.choice for offer in marked}
        own = own_last_choice(referee)
        with self._lock:
            self._meanings.append(Meaning(now_s, referee.number, choices, own))
        able = {offer.player: offer.choice for offer in marked if offer.closed is None}
        seats = enumerate(self._seats)
        self._light({seat: able[player] for seat, player in seats if player in able})

    def take(self, presses: Sequence[Press], known_until_s: float) -> None:
        """Report what was pressed, and up to when all is known; in the thread of the buttons."""
        for press in presses:
            if press.seat < len(self._seats):
                self._take(press)
        waiting_s = min((press.at_s for press in self._undecided.values()), default=math.inf)
        self._inbox.heard(SOURCE, min(known_until_s, math.nextafter(waiting_s, -math.inf)))

    @property
    def is_undecided(self) -> bool:
        """True while a button is down and may become a long press."""
        return bool(self._undecided)

    def waits(self, player: str) -> bool:
        """True while this player's button is down and may become a long press."""
        return self._seats.index(player) in self._undecided

    def row(self, silent: Collection[str], troubles: Sequence[str] = ()) -> dict[str, Any]:
        """How a screen shows the buttons, and what is wrong with them."""
        state = "silent" if SOURCE in silent else "ok"
        row = source_row(SOURCE, "Buttons", state, row_of(troubles))
        return row | {"moving": False, "dice": []}

    def _take(self, press: Press) -> None:
        meaning, player = self._meaning_at(press.at_s), self._seats[press.seat]
        if press.kind == "down":
            self.presses += 1
            if player in meaning.choices and player not in meaning.own:
                self._choose(press, meaning)
            else:
                self._undecided[press.seat] = press
        elif self._undecided.pop(press.seat, None) is not None:
            if press.kind == "short":
                self._choose(press, meaning)
            else:
                undo = Report(Undo(), at_s=press.at_s, within_s=press.within_s, source=SOURCE)
                self._inbox.put(undo, seen=meaning.own.get(player, 0))

    def _choose(self, press: Press, meaning: Meaning) -> None:
        player = self._seats[press.seat]
        chose = Chose(player, meaning.choices.get(player, NOTHING))
        report = Report(chose, at_s=press.at_s, within_s=press.within_s, source=SOURCE)
        self._inbox.put(report, seen=meaning.number)

    def _meaning_at(self, at_s: float) -> Meaning:
        """What the buttons meant when one went down: what the person saw."""
        with self._lock:
            return next(
                (m for m in reversed(self._meanings) if m.from_s <= at_s), self._meanings[0]
            )


def own_last_choice(referee: Referee) -> dict[str, int]:
    """The player whose choice was the last thing that happened, with its step; {} for nobody."""
    number = referee.undoable
    if number is None:
        return {}
    action = referee.step(number).report.action
    later = referee.history[number:]
    if not isinstance(action, Chose) or any(type(s.report.action) is not Waited for s in later):
        return {}
    return {action.player: number}
