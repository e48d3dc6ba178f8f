"""A desk with a real referee behind it: any game, played on to any moment, for looking at."""

import random
from collections.abc import Callable
from typing import Any

from companion.actions import Entry, Report
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.players import Chance, action_of, seat_simulated, some_players
from companion.protocol import refusal_fields
from companion.referee import Referee
from companion.snapshot import recent_rows, remedy_labels, table_fields, told_rows
from web.feed import Feed


def played(
    key: str, seats: int, until: Callable[[Referee], bool], seed: int = 3, **options: Any
) -> Referee:
    """A game that simulated people have played until something is true."""
    game = GAMES[key]
    referee = Referee(game, some_players(seats), game.options(**options))
    people = seat_simulated(game, referee.table.seats, seed)
    chance = Chance(random.Random(f"{seed}/chance"))
    while not until(referee):
        intents = [i for p in people.values() if (i := p.intend(referee.table, referee.offers))]
        action = action_of(intents[0], referee.table, chance)
        referee.apply(Report(action, source="simulated"))
    return referee


class PlayedDesk:
    """Shows a referee's table and puts entries to it; one person sits in the active seat."""

    def __init__(self, referee: Referee) -> None:
        self.feed = Feed(boot="played")
        self.referee = referee
        self.asked: list[Any] = []
        self.publish([])

    def snapshot(self) -> dict[str, Any]:
        table = self.referee.table
        return table_fields(self.referee, 1) | {
            "players": [
                {"key": p.key, "name": p.name, "person": p.key == table.active, "score": None}
                for p in self.referee.players
            ],
            "told": recent_rows(self.referee, 20),
            "lamps": [],
            "sources": [],
            "moving": [],
            "questions": [],
            "waiting": [],
            "journal_error": None,
        }

    def publish(self, told: list[dict[str, Any]], refused: dict[str, Any] | None = None) -> None:
        data = {"told": told, "refused": refused, "snapshot": self.snapshot()}
        self.feed.publish("table", data, self.referee.number)

    def act(
        self, entry: Entry, *, step: int | None, player: str | None, arrived_s: float | None = None
    ) -> dict[str, Any]:
        self.asked.append(entry)
        try:
            taken = self.referee.apply(Report(entry, source="web"))
        except IllegalAction as refusal:
            refusal.details |= remedy_labels(self.referee, refusal)
            self.publish([], refusal_fields(refusal))
            raise
        self.publish(told_rows(taken.told, taken.number))
        return {"step": taken.number}

    def turn_up(self, player: str, square: str, *, step: int | None) -> dict[str, Any]:
        self.asked.append(("turn_up", player, square))
        return {"step": self.referee.number}

    def throw(self, player: str, dice: list[str], *, step: int | None) -> dict[str, Any]:
        raise IllegalAction("not_offered", "That cannot be done now.")

    def take_seat(self, player: str) -> dict[str, Any]:
        return {"player": player, "person": True}

    def leave_seat(self, player: str) -> dict[str, Any]:
        return {"player": player, "person": False}

    def new_game(self) -> dict[str, Any]:
        raise IllegalAction("game_not_over", "This game is not over yet.")

    def now_s(self) -> float:
        return 0.0
