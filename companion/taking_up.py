"""What the set-up page changes counts once a game is taken up with it."""

from typing import Any

from companion.errors import IllegalAction
from companion.house_desk import HouseDesk


class TakesUp:
    """A part of the set-up whose changes count from the moment in which a game is taken up.

    is_changed  true if something was set since then.
    """

    counts_simulated = False  # whether what is set of simulated devices is used at all

    def __init__(self, desk: HouseDesk, *, simulated: bool) -> None:
        self._desk, self._simulated = desk, simulated
        self.is_changed = False

    @property
    def may_take_up(self) -> bool:
        """True where the game in play could go on with what was set."""
        return self.is_changed and self._is_going_on()

    def take_up(self) -> dict[str, Any]:
        """Go on with the game in play, with what was set; raises IllegalAction `game_over`."""
        if not self._is_going_on():
            raise IllegalAction("game_over", "No game is being played.")
        self._make_way()
        done = self._desk.take_up_anew()
        self.is_changed = False
        return done

    def _make_way(self) -> None:
        """Give back what the room opens next; nothing, usually."""

    def _is_going_on(self) -> bool:
        try:
            is_used = self.counts_simulated or not self._simulated
            return is_used and not self._desk.companion.is_over
        except IllegalAction:
            return False
