"""How fast and how safe the journal is: commits, resuming, and games that are killed."""

import random
import tempfile
import time
from pathlib import Path
from typing import Any

from companion.actions import Adjusted, Report
from companion.bench.figures import noise, spread
from companion.bench.kills import kill_again_and_again
from companion.games import GAMES
from companion.journal import Journal
from companion.players import Chance, SimulatedPlayer, action_of, anything, some_players
from companion.referee import Referee


def measure(kills: int, seed: int, steps: int) -> dict[str, Any]:
    """Commit and resume times of so many steps, then lost steps after so many kills (must be 0)."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        figures = commits_and_resume(Path(folder) / "speed.sqlite", steps) | noise()
        if kills:
            figures |= kill_again_and_again(Path(folder) / "kills.sqlite", kills, seed)
    return figures


def commits_and_resume(path: Path, length: int) -> dict[str, Any]:
    """Write `length` steps one by one; then come back to the last of them."""
    game, players = GAMES["troll_and_dragon"], some_players(3)
    journal, referee = Journal(path), Referee(game, players)
    number = journal.begin(referee)
    times_ms: list[float] = []
    for report in endless_reports(length):
        step = referee.apply(report)
        begun_s = time.perf_counter()
        journal.append(number, step, referee)
        times_ms.append((time.perf_counter() - begun_s) * 1000)
    resumes_ms = []
    for _ in range(7):
        begun_s = time.perf_counter()
        again = journal.resume(number)
        resumes_ms.append((time.perf_counter() - begun_s) * 1000)
        assert again.table.counters == referee.table.counters
    journal.close()
    return {
        "steps": length,
        **spread(times_ms, "commit", "ms"),
        **spread(resumes_ms, f"resume_{length}_steps", "ms"),
    }


def endless_reports(count: int) -> list[Report]:
    """Reports of one long game: the rooms are filled again by hand whenever they run low."""
    referee = Referee(GAMES["troll_and_dragon"], some_players(3))
    chance = Chance(random.Random(1))
    people = [SimulatedPlayer(seat, anything, chance.rng) for seat in referee.table.seats]
    reports: list[Report] = []
    while len(reports) < count:
        counters = referee.table.counters
        low = [n for n in ("supply.diamonds", "supply.gold") if counters[n] < 9]
        if low:
            report = Report(Adjusted(low[0], 50))
        else:
            intents = [i for p in people if (i := p.intend(referee.table, referee.offers))]
            report = Report(action_of(intents[0], referee.table, chance))
        referee.apply(report)
        reports.append(report)
    return reports
