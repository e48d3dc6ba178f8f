"""The buttons of the simulated room: simulated people press them, and the contacts bounce."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

from companion.inbox import Inbox
from companion.pressing import ButtonSensor
from companion.referee import Referee
from hardware.simulated_buttons import SimulatedFingers


class FingersInRoom:
    """Fingers, buttons, and the sensor that makes choices of presses.

    light   told which seats (from 0) have a button that does something now.
    """

    def __init__(self, seats: Sequence[str], inbox: Inbox, seed: int) -> None:
        self.light: Callable[[Collection[int]], None] = lambda seats: None
        self._seats = tuple(seats)
        self._fingers = SimulatedFingers(len(self._seats), seed)
        self._sensor = ButtonSensor(self._seats, inbox, lambda seats: self.light(seats))
        self._pressing = set[str]()

    def look(self, referee: Referee, now_s: float) -> None:
        """See what each button means now."""
        self._sensor.look(referee, now_s)

    def press(self, player: str, at_s: float) -> None:
        """A simulated person presses the button of a seat, shortly."""
        self._pressing.add(player)
        self._fingers.press(self._seats.index(player), at_s)

    def is_pressing(self, player: str) -> bool:
        """True until the table has been told what the press means."""
        return player in self._pressing

    def next_due_s(self) -> float | None:
        """When something happens to a contact; None for never."""
        due_s = self._fingers.next_due_s()
        return None if math.isinf(due_s) else due_s

    def tick(self, now_s: float) -> None:
        """Hand on what has been pressed by now."""
        presses = self._fingers.tick(now_s)
        self._sensor.take(presses, self._fingers.panel.known_until_s(now_s))
        for press in presses:
            player = self._seats[press.seat]
            if not self._sensor.waits(player):
                self._pressing.discard(player)

    def row(self, silent: Collection[str]) -> dict[str, Any]:
        """How a screen shows the buttons."""
        return self._sensor.row(silent)
