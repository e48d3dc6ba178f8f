"""Who sits where: from one game to the next, and over a power cut.

At a simulated table nobody sits until somebody takes a seat; at a real one everybody sits until
somebody goes home. Which seats stand-ins play at a real table is kept beside the journal.
"""

from functools import partial
from pathlib import Path

import msgspec

from companion.real_room import RealRoom
from companion.referee import Referee
from companion.simulation import SimulatedRoom
from companion.table import Player
from companion.whole_file import keep, kept


class Kept(msgspec.Struct):
    """The seats that stand-ins play in one game of the journal, by its number."""

    game: int
    simulated: set[str]


class Seating:
    """The seats of one table.

    path  file that keeps who went home; None for a table without memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._people: set[str] = set()  # of the game before
        self._players: tuple[Player, ...] = ()

    def begin(self, room: RealRoom | SimulatedRoom, referee: Referee, number: int) -> None:
        """Let people sit where they sat; at a real table, where this very game is played on."""
        seats = set(referee.table.seats)
        if not isinstance(room, RealRoom):
            room.people |= self._people & seats
            return
        if referee.players == self._players:
            gone = seats - self._people
        else:
            gone = self._kept(number) & seats
        room.people -= gone
        room.stand_ins.note = partial(self._keep, number)

    def end(self, room: RealRoom | SimulatedRoom, referee: Referee) -> None:
        """A game is over, or another one is taken up."""
        self._people, self._players = set(room.people), tuple(referee.players)

    def _keep(self, number: int, simulated: set[str]) -> None:
        keep(self._path, Kept(number, simulated))

    def _kept(self, number: int) -> set[str]:
        before = kept(self._path, Kept, "people sit in all seats")
        return before.simulated if before is not None and before.game == number else set()
