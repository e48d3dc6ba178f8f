"""What the interface needs from a table beyond what screens do: history, steering, other games."""

from typing import Any, Protocol, runtime_checkable

from companion.actions import Action
from web.desk import Desk


@runtime_checkable
class Mannered(Protocol):
    """A desk whose lamps, sounds and voice can be quiet or loud."""

    def manner(self) -> dict[str, bool | float]:
        """`{"quiet": bool, "volume": 0 to 1}`."""
        ...

    def be(self, *, quiet: bool | None, volume: float | None) -> dict[str, bool | float]:
        """Change one of them or both; None leaves it as it is."""
        ...


def manner_of(desk: Desk) -> dict[str, bool | float] | None:
    """How quiet and how loud a table is; None for one that cannot be either."""
    return desk.manner() if isinstance(desk, Mannered) else None


@runtime_checkable
class House(Desk, Protocol):
    """A desk for referees and programs. Safe from any thread; what is refused raises."""

    def steps(self, after: int, limit: int) -> list[dict[str, Any]]:
        """The steps after number `after`, oldest first, as far as they may be shown."""
        ...

    def step(self, number: int) -> dict[str, Any]:
        """One step; raises IllegalAction `unknown_step`."""
        ...

    def alternatives(self, number: int) -> list[dict[str, Any]]:
        """What a choice or tile may really have been: `action` and `label`; raises IllegalAction.

        As it counts now comes first, then the likeliest.
        """
        ...

    def preview(self, step: int, action: Action, *, drop_later: bool) -> dict[str, Any]:
        """What a correction would change, as `{"changes": {counter: [before, after]}}`."""
        ...

    def health(self) -> dict[str, Any]:
        """`{"ok": True, "troubles": []}`; troubles are sentences."""
        ...

    def gauges(self) -> dict[str, dict[str, float]]:
        """`ages_s` and `lost_lines`, each by the name of a sensor."""
        ...

    def games(self) -> list[dict[str, Any]]:
        """All games of the journal, oldest first."""
        ...

    def export(self, number: int) -> dict[str, Any]:
        """One game with its `history`; raises ConfigError for a number that is not there."""
        ...

    def check_step(self, step: int) -> None:
        """Raise StaleTap if what a screen showed belongs to another game."""
        ...

    def pause(self, *, paused: bool) -> dict[str, Any]:
        """Let the game stand still, or go on."""
        ...

    def end_game(self) -> dict[str, Any]:
        """End a game before its end, for good."""
        ...

    def new_game(
        self,
        game: str | None = None,
        players: list[str] | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Begin another game when one is over."""
        ...
