"""The buttons of the simulated room: simulated people press them, and the contacts bounce."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from companion.inbox import Inbox
from companion.pressing import ButtonSensor
from companion.referee import Referee
from hardware.simulated_buttons import SimulatedFingers

PATIENCE_S = 2.0  # so long a person presses before she taps the screen instead


class FingersInRoom:
    """Fingers, buttons, and the sensor that makes choices of presses.

    light   told which seats (from 0) have a button that does something now, and which choice.
    """

    def __init__(self, seats: Sequence[str], inbox: Inbox, seed: int) -> None:
        self.light: Callable[[Mapping[int, str]], None] = lambda seats: None
        self._seats = tuple(seats)
        self.fingers = SimulatedFingers(len(self._seats), seed)
        self._sensor = ButtonSensor(self._seats, inbox, lambda seats: self.light(seats))
        self._pressing: dict[str, float] = {}  # player -> since when
        self._distrusted = set[str]()
        self._now_s = 0.0

    def look(self, referee: Referee, now_s: float) -> None:
        """See what each button means now."""
        self._sensor.look(referee, now_s)

    def press(self, player: str, at_s: float) -> None:
        """A simulated person presses the button of a seat, shortly."""
        self._pressing[player] = at_s
        self.fingers.press(self._seats.index(player), at_s)

    def is_pressing(self, player: str) -> bool:
        """True until the table has been told what the press means."""
        return player in self._pressing

    def trusts(self, player: str) -> bool:
        """False once a button has done nothing: its player taps the screen from then on."""
        return player not in self._distrusted

    def give_up(self, now_s: float) -> bool:
        """True if somebody has pressed for long enough without anything happening."""
        tired = [one for one, at_s in self._pressing.items() if now_s >= at_s + PATIENCE_S]
        for player in tired:
            del self._pressing[player]
            self._distrusted.add(player)
        return bool(tired)

    def next_due_s(self) -> float | None:
        """When something happens to a contact, or somebody gives up; None for never."""
        patient_s = min(self._pressing.values(), default=math.inf) + PATIENCE_S
        due_s = min(self.fingers.next_due_s(), patient_s)
        return None if math.isinf(due_s) else due_s

    def tick(self, now_s: float) -> None:
        """Hand on what has been pressed by now."""
        self._now_s = now_s
        presses = self.fingers.tick(now_s)
        self._sensor.take(presses, self.fingers.panel.known_until_s(now_s))
        for press in presses:
            player = self._seats[press.seat]
            if not self._sensor.waits(player):
                self._pressing.pop(player, None)

    def row(self, silent: Collection[str]) -> dict[str, Any]:
        """How a screen shows the buttons."""
        trouble = self.fingers.panel.troubles(self._now_s, self._seats)
        return self._sensor.row(silent, trouble)
