"""How fast the rules are: recorded random play-outs, applied again through the referee."""

import gc
import time
from collections.abc import Callable
from typing import Any

import msgspec

from companion.actions import Report
from companion.bench.figures import noise, progress, spread
from companion.games import GAMES
from companion.players import anything, play_out, some_players
from companion.referee import Referee
from companion.scripts import Game

REPEATS = 10


def measure(games: int) -> dict[str, Any]:
    """Actions a second, legality and steps included; the bare script alone as the baseline.

    Every game is played `REPEATS` times. `actions_per_s` takes the least time of each game, which
    is what the code needs where nothing else disturbs it; the spread is over whole repeats.
    """
    game = GAMES["troll_and_dragon"]
    recorded = recorded_games(game, games)
    gc.collect()
    gc.freeze()  # the recorded games are the benchmark's own; only the referee's garbage counts
    applied = repeated(apply_all, game, recorded)
    sent = repeated(send_all, game, recorded)
    gc.unfreeze()
    actions = sum(len(referee.history) for referee in recorded)
    sends = sum(len(sent_reports(game, one)) - 1 for one in recorded)
    rate, bare = actions / least_s(applied), sends / least_s(sent)
    return {
        "games": games,
        "actions": actions,
        "actions_per_s": round(rate),
        **spread([actions / sum(one) for one in applied], "rate", "actions_per_s"),
        "bare_script_actions_per_s": round(bare),
        "referee_share_of_bare_script": round(rate / bare, 3),
        **noise(),
    }


def recorded_games(game: Game, games: int) -> list[Referee]:
    """Games of 2 to 5 players who choose at random."""
    recorded = []
    with progress("playing at random") as step:
        for seed in range(games):
            players = some_players(2 + seed % 4)
            recorded.append(play_out(game, players, seed=seed, policy=anything))
            step(seed + 1, games)
    return recorded


Timed = Callable[[Game, Referee], float]


def repeated(timed: Timed, game: Game, recorded: list[Referee]) -> list[list[float]]:
    """Seconds of every game, in every repeat."""
    with progress("measuring") as step:
        times = []
        for repeat in range(REPEATS):
            times.append([timed(game, played) for played in recorded])
            step(repeat + 1, REPEATS)
    return times


def least_s(times: list[list[float]]) -> float:
    """The sum over all games of the least time that each took."""
    return sum(min(repeat[game] for repeat in times) for game in range(len(times[0])))


def apply_all(game: Game, played: Referee) -> float:
    """Seconds of processor time that one game takes through `Referee.apply`."""
    referee = Referee(game, played.players)
    reports = fresh([step.report for step in played.history])
    begun_s = time.process_time()
    for report in reports:
        referee.apply(report)
    return time.process_time() - begun_s


def send_all(game: Game, played: Referee) -> float:
    """Seconds that one game takes the naked generator: no legality, no steps, no history."""
    actions = [report.action for report in fresh(sent_reports(game, played))]
    table = game.table(played.players)
    script = game.play(table)
    next(script)
    begun_s = time.process_time()
    for action in actions[:-1]:
        table.told.clear()
        script.send(action)  # type: ignore[arg-type]
    return time.process_time() - begun_s


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
