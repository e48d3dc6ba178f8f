"""What the web needs from the table: a desk to put questions and taps on."""

from typing import Any, Protocol, runtime_checkable

from companion.actions import Entry
from web.feed import Feed


class Desk(Protocol):
    """The table as the screens meet it; whoever owns the table keeps one. Safe from any thread."""

    feed: Feed

    def snapshot(self) -> dict[str, Any]:
        """Everything that a screen shows, as plain JSON values; the caller may keep it."""
        ...

    def act(
        self,
        entry: Entry,
        *,
        step: int | None,
        player: str | None,
        arrived_s: float | None = None,
    ) -> dict[str, Any]:
        """Put an entry to the table and wait for its answer: `{"step": 13}`.

        step       the step that the screen showed when it was tapped; None where it showed none.
        arrived_s  when the tap was made, in seconds since the start of the game.
        Raises IllegalAction, or StaleTap when the offer has left the table since `step`.
        """
        ...

    def throw(self, player: str, dice: list[str], *, step: int | None) -> dict[str, Any]:
        """Throw simulated dice for `player`; raises IllegalAction. What falls comes by the feed."""
        ...

    def take_seat(self, player: str) -> dict[str, Any]:
        """Let a person play this seat; raises IllegalAction."""
        ...

    def leave_seat(self, player: str) -> dict[str, Any]:
        """Hand this seat back to the simulated player; raises IllegalAction."""
        ...

    def new_game(self) -> dict[str, Any]:
        """Begin another game with the same seats, when one is over; raises IllegalAction."""
        ...

    def now_s(self) -> float:
        """Seconds since the start of the game."""
        ...


@runtime_checkable
class Answering(Protocol):
    """A desk that also takes answers to what the sensors asked; without it questions only show."""

    def answer(self, question: str, face: str) -> dict[str, Any]:
        """Say which face a questioned die shows; raises IllegalAction."""
        ...


@runtime_checkable
class Turning(Protocol):
    """A desk at whose table simulated tiles and cards can be turned up."""

    def turn_up(self, player: str, square: str, *, step: int | None) -> dict[str, Any]:
        """Turn up what lies on `square` for `player`; raises IllegalAction. The rest is news."""
        ...
