"""How fast and how safe the journal is: commits, resuming, and games that are killed while played.

The killed process is the real one (`companion play`). What it announced is read from its output;
after each kill the journal must hold every announced step, and the game must go on from there.
"""

import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from companion.actions import Adjusted, Report
from companion.bench.figures import noise, progress, spread
from companion.games import GAMES
from companion.journal import Journal
from companion.players import Chance, SimulatedPlayer, action_of, anything, some_players
from companion.referee import Referee

ANNOUNCED = re.compile(rb"^ *(\d+)  ")
START_S = 60.0  # a slow machine may take this long before it announces anything


def measure(kills: int, seed: int) -> dict[str, Any]:
    """Commit and resume times, then lost steps after so many kills (must be 0)."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        figures = commits_and_resume(Path(folder) / "speed.sqlite") | noise()
        if kills:
            figures |= kill_again_and_again(Path(folder) / "kills.sqlite", kills, seed)
    return figures


def commits_and_resume(path: Path, length: int = 1000) -> dict[str, Any]:
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


def kill_again_and_again(path: Path, kills: int, seed: int) -> dict[str, Any]:
    """Kill a playing process at random moments; count announced steps that are gone."""
    rng = random.Random(seed)
    announced, lost, resumed, damaged = 0, 0, 0, 0
    with progress("killing games") as step:
        for kill in range(kills):
            told = play_and_kill(path, seed + kill, rng.expovariate(1 / 0.4))
            announced += len(told)
            journal = Journal(path)
            row = journal.games()[-1]
            written = {one.number for one in journal.steps(row.number)}
            lost += len([number for number in told if number not in written])
            damaged += journal.resume(row.number).number != row.steps
            resumed += row.steps > 0
            journal.close()
            step(kill + 1, kills)
    return {
        "kills": kills,
        "announced_steps": announced,
        "lost_steps": lost,
        "damaged_journals": damaged,
        "resumed_games": resumed,
    }


def play_and_kill(path: Path, seed: int, after_s: float) -> list[int]:
    """Play on, kill -9 `after_s` after the first announcement; return the announced steps."""
    command = [sys.executable, "-m", "companion.cli", "play", "--no-web", "--speed", "100"]
    command += ["--journal", str(path), "--seed", str(seed), "--until-end"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            output = read_until_killed(process, after_s)
        finally:
            process.kill()
        output += process.stdout.read()
    lines = output.split(b"\n")[:-1]  # the last line may be cut off; whole ones were announced
    return [int(found[1]) for line in lines if (found := ANNOUNCED.match(line))]


def read_until_killed(process: subprocess.Popen[bytes], after_s: float) -> bytes:
    """Read what the process says until its time has come."""
    assert process.stdout is not None
    output, until_s, first = b"", time.monotonic() + START_S, True
    while (left_s := until_s - time.monotonic()) > 0:
        if not select.select([process.stdout], [], [], left_s)[0]:
            break
        piece = process.stdout.read1(4096)  # type: ignore[attr-defined]
        if not piece:
            break
        output += piece
        if first and ANNOUNCED.search(output.rsplit(b"\n", 2)[-2] if b"\n" in output else b""):
            first, until_s = False, time.monotonic() + after_s
    process.send_signal(signal.SIGKILL)
    return output
