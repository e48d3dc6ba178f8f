"""Seeded games of simulated people, to their ends: lengths, winners, speed."""

import statistics
import time
from collections import Counter
from typing import Any

import msgspec

from companion.bench.figures import progress
from companion.players import play_out, some_players
from companion.referee import Referee
from companion.scripts import Game


def measure(
    game: Game, games: int, *, players: int | None = None, options: msgspec.Struct | None = None
) -> dict[str, Any]:
    """Play `games` seeded games, of all player counts or one; raises if one does not end."""
    steps, turns, endings = [], [], Counter[str]()
    begun_s = time.process_time()
    with progress(game.title) as step:
        for seed in range(games):
            count = players or game.seats.start + seed % len(game.seats)
            referee = play_out(game, some_players(count), seed=seed, options=options)
            steps.append(referee.number)
            turns.append(turns_of(referee))
            endings[ending_of(referee)] += 1
            step(seed + 1, games)
    spent_s = time.process_time() - begun_s
    return {
        "game": game.key,
        "games": games,
        "players": players or "all counts",
        "steps_mean": round(statistics.mean(steps), 1),
        "steps_max": max(steps),
        "turns_mean": round(statistics.mean(turns), 1),
        "turns_max": max(turns),
        "won_share": round(1 - endings["lost"] / games, 3),
        "shared_victories": endings["shared"],
        "lost_by_all": endings["lost"],
        "games_per_s": round(games / spent_s, 1),
        "steps_per_s": round(sum(steps) / spent_s),
    }


def turns_of(referee: Referee) -> int:
    """How often somebody was told that it was their turn."""
    told = [*referee.opening, *(one for step in referee.history for one in step.told)]
    return sum(one.cue.name == "your_turn" for one in told)


def ending_of(referee: Referee) -> str:
    """How a finished game ended."""
    assert referee.outcome is not None
    return {0: "lost", 1: "decided"}.get(len(referee.outcome.winners), "shared")
