"""What people do in the dragons' cave, as words that tests can say.

    cave = Cave("ann", "bo", assist_level="full")
    cave.up("B B K R")             # tiles that nobody has seen yet, one after another
    cave.flip("2,3", "ring")       # this tile
    cave.stop()                    # and take; of a surplus the latest stays

Letters: B ball, C car, O doll, K candlestick, H chest, R ring, G dragon, S spider.
"""

import random
from typing import Any

from verbs import AtTable

from companion.actions import Flipped, Report
from companion.games.schatz_der_drachen import GAME
from companion.games.schatz_der_drachen.pieces import KINDS
from companion.players import Chance, Policy, action_of, anything, seat_simulated, some_players
from companion.referee import Referee

FACES = dict(zip("BCOKHRGS", KINDS, strict=True))


class Cave(AtTable):
    """A table of Schatz der Drachen."""

    def __init__(self, *seats: str, **options: Any) -> None:
        super().__init__(GAME, seats or ("ann", "bo", "cy"), options)

    def flip(self, square: str, face: str, at_s: float | None = None) -> list[str]:
        """Turn up this tile."""
        return self.apply(Flipped(square, FACES.get(face, face)), at_s)

    def up(self, letters: str) -> list[str]:
        """Turn up tiles that nobody has seen; answer with the cues of the last."""
        for letter in letters.split():
            self.flip(self.unseen(), letter)
        return self.cues

    def unseen(self) -> str:
        """The first square whose tile nobody has seen."""
        table = self.table
        return next(s for s in table.backs if table.tiles[s] not in table.remembered)

    def stop(self) -> list[str]:
        """Stop and take what is complete; of a surplus the latest stays."""
        self.choose(self.active, "stop")
        while self.phase == "collect":
            self.choose(self.active, "take")
        return self.cues

    def pile(self, seat: str) -> int:
        """Height of somebody's pile."""
        return self.count(f"pile.{seat}.total")

    def cell(self, square: str) -> Any:
        """One square as the screens show it."""
        (grid,) = [c for c in self.table.view().zones[0].components if hasattr(c, "cells")]
        return next(cell for cell in grid.cells if cell.name == square)

    def collected(self, **piles: dict[str, int]) -> None:
        """Put tiles on piles by hand: collected(ann={"ring": 3})."""
        for seat, kinds in piles.items():
            for kind, n in kinds.items():
                self.adjust(f"pile.{seat}.{kind}", n)


class RandomGame:
    """A seeded game of people who do anything, step by step."""

    def __init__(self, seed: int, policy: Policy = anything, **options: Any) -> None:
        self.referee = Referee(GAME, some_players(2 + seed % 4), GAME.options(**options))
        self.people = seat_simulated(GAME, self.referee.table.seats, seed)
        for person in self.people.values():
            person._policy = policy
        self.chance = Chance(random.Random(f"{seed}/chance"))
        self.rng = random.Random(f"{seed}/who")

    def play_on(self, steps: int) -> None:
        """Let people do so much more, if the game is not over before."""
        for _ in range(steps):
            if self.referee.outcome is not None:
                return
            table, offers = self.referee.table, self.referee.offers
            intents = [i for p in self.people.values() if (i := p.intend(table, offers))]
            self.referee.apply(Report(action_of(self.rng.choice(intents), table, self.chance)))
