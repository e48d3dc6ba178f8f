"""What a game in play has around it: a room, lamps and sounds, screens that hear of it."""

from typing import Any, Protocol

from companion.actions import Report
from companion.offers import Offer
from companion.referee import Referee
from companion.steps import Step


class Room(Protocol):
    """Where the game takes place: real sensors, or a simulated room full of people."""

    people: set[str]

    def expect(self, offers: list[Offer]) -> None:
        """Tell the sensors what is awaited."""

    def set_apart(self, is_apart: bool) -> None:
        """What sensors see now is shown on the set-up page, and no part of the game; or it is."""

    def decided(self, referee: Referee, report: Report | None) -> None:
        """This report became a step or was refused; None when the game is taken up."""

    def advance(self, due_s: float | None) -> None:
        """Let time pass until something may have happened."""

    def sources(self) -> list[dict[str, Any]]:
        """How the sensors fare, for the screens."""

    def throw(self, player: str, dice: list[str]) -> None:
        """Throw simulated dice."""

    def turn_up(self, player: str, square: str) -> None:
        """Turn up a simulated tile or card."""

    def now_s(self) -> float:
        """The moment of the game."""

    def close(self) -> None:
        """Put everything away."""


class Alerts(Protocol):
    """Lamps and sounds; returns at once, never raises."""

    def show(self, step: Step) -> None:
        """Show what a step told."""

    def follow(self, counters: dict[str, int], active_seat: int | None) -> None:
        """Set the lamps that show a count or a turn."""

    def refused(self) -> None:
        """Sound that something was refused."""

    def lamps(self) -> list[dict[str, Any]]:
        """How the lamps shine."""


class News(Protocol):
    """Where screens hear of things; never blocks."""

    def publish(
        self, kind: str, data: dict[str, Any], number: int | None, *, keeps_past: bool = True
    ) -> None:
        """Send a message to every screen; without its past, what was sent before is forgotten."""


class Nuisance(Protocol):
    """What goes wrong on purpose, in the time of the game."""

    def tick(self, now_s: float) -> None:
        """Let everything begin and end that is due."""

    def next_due_s(self) -> float | None:
        """When something begins or ends; None for never."""
