"""How fast the rules are: recorded random play-outs, applied again through the referee."""

import gc
import time
from typing import Any

import msgspec

from companion.actions import Report
from companion.bench.figures import noise, progress, spread
from companion.games import GAMES
from companion.players import anything, play_out, some_players
from companion.referee import Referee
from companion.scripts import Game

REPEATS = 5


def measure(games: int) -> dict[str, Any]:
    """Actions a second, legality and steps included; the bare script alone as the baseline."""
    game = GAMES["troll_and_dragon"]
    with progress("playing at random") as step:
        recorded = []
        for seed in range(games):
            players = some_players(2 + seed % 4)
            recorded.append(play_out(game, players, seed=seed, policy=anything))
            step(seed + 1, games)
    gc.collect()
    gc.freeze()  # the recorded games are the benchmark's own; only the referee's garbage counts
    rates = [apply_all(game, recorded) for _ in range(REPEATS)]
    bare = [send_all(game, recorded) for _ in range(REPEATS)]
    gc.unfreeze()
    return {
        "games": games,
        "actions": sum(len(referee.history) for referee in recorded),
        "actions_per_s": round(max(rates)),
        **spread(rates, "rate", "actions_per_s"),
        "bare_script_actions_per_s": round(max(bare)),
        "referee_share_of_bare_script": round(max(rates) / max(bare), 3),
        **noise(),
    }


def apply_all(game: Game, recorded: list[Referee]) -> float:
    """Actions a second of processor time through `Referee.apply`."""
    spent_s, count = 0.0, 0
    for played in recorded:
        referee = Referee(game, played.players)
        reports = fresh([step.report for step in played.history])
        begun_s = time.process_time()
        for report in reports:
            referee.apply(report)
        spent_s += time.process_time() - begun_s
        count += len(reports)
    return count / spent_s


def send_all(game: Game, recorded: list[Referee]) -> float:
    """Actions a second through the naked generator: no legality, no steps, no history."""
    spent_s, count = 0.0, 0
    for played in recorded:
        actions = [report.action for report in fresh(sent_reports(game, played))]
        table = game.table(played.players)
        script = game.play(table)
        next(script)
        begun_s = time.process_time()
        for action in actions[:-1]:
            table.told.clear()
            script.send(action)  # type: ignore[arg-type]
        spent_s += time.process_time() - begun_s
        count += len(actions) - 1
    return count / spent_s


def fresh(reports: list[Report]) -> list[Report]:
    """Reports as they come in at a table: just made, not fetched from cold memory."""
    return msgspec.json.decode(msgspec.json.encode(reports), type=list[Report])


def sent_reports(game: Game, played: Referee) -> list[Report]:
    """What the script really received, waits that passed by themselves included."""
    sent: list[Report] = []
    referee = Referee(game, played.players)
    send = referee._send

    def noting(action: Any) -> None:
        sent.append(Report(action))
        send(action)

    referee._send = noting  # type: ignore[method-assign]
    for step in played.history:
        referee.apply(step.report)
    return sent
