"""Seeded games of simulated people, to their ends: lengths, winners, speed."""

import statistics
import time
from collections import Counter
from typing import Any

from companion.bench.figures import progress
from companion.players import play_out, some_players
from companion.scripts import Game


def measure(game: Game, games: int) -> dict[str, Any]:
    """Play `games` seeded games for all player counts; raises if one does not end."""
    steps, endings = [], Counter[str]()
    begun_s = time.perf_counter()
    with progress(game.title) as step:
        for seed in range(games):
            count = game.seats.start + seed % len(game.seats)
            referee = play_out(game, some_players(count), seed=seed)
            steps.append(referee.number)
            assert referee.outcome is not None
            endings["shared" if len(referee.outcome.winners) > 1 else "decided"] += 1
            endings["lost"] += not referee.outcome.winners
            step(seed + 1, games)
    spent_s = time.perf_counter() - begun_s
    return {
        "game": game.key,
        "games": games,
        "steps_mean": round(statistics.mean(steps), 1),
        "steps_max": max(steps),
        "shared_victories": endings["shared"],
        "lost_by_all": endings["lost"],
        "games_per_s": round(games / spent_s, 1),
        "steps_per_s": round(sum(steps) / spent_s),
    }
