"""A game of the journal over its steps: for charts, and for looking at its table once more.

Everything is replayed from the reports. What of a game that is not over is secret, its past tables
would tell; so those stay hidden until the end, while scores and dice are public all along.
"""

from collections.abc import Iterable
from typing import Any

from companion.actions import Undo
from companion.dice_fairness import fairness_parts
from companion.errors import IllegalAction, JournalError
from companion.games import GAMES
from companion.journal import GameRow, StepRow, seat_again
from companion.luck import luck, why_no_luck
from companion.records import game_fields
from companion.referee import Referee
from companion.room_kinds import simulated_steps
from companion.snapshot import step_row, table_fields
from companion.steps import Step
from companion.words import say


def chronicle(row: GameRow, rows: list[StepRow]) -> dict[str, Any]:
    """Scores, luck and time of a game, and how fair its dice were.

    scores    by player: points of `[step, score]`, where it changed; empty without scores.
    luck      by player: `[step, brought more than expected so far]`, after each of their rolls;
              `luck_words` tells what the numbers mean (`companion.luck`).
    no_luck   why luck cannot be told in this game, a sentence; "" where it can.
    turns     `{"player", "step", "seconds"}`, in their order; only where steps carry times.
    fairness  `{"simulated", "dice"}` for real and for simulated dice, with one row for each die
              that was rolled (`companion.dice_fairness.py`).
    Raises JournalError or IllegalAction where the rules of today cannot play it again.
    """
    referee = seat_again(row)
    scores: dict[str, list[list[int]]] = {}
    played: list[tuple[str, Step]] = []
    note_scores(scores, 0, referee.table.scores)
    for one in rows:
        hero = referee.table.active
        step = referee.apply(one.report)
        note_scores(scores, step.number, referee.table.scores)
        played.append((hero, step))
    entries = [one.report.action for one in rows]
    lucky, luck_words = luck(referee, seat_again(row))
    return {
        "scores": scores,
        "luck": lucky,
        "luck_words": luck_words,
        "no_luck": why_no_luck(referee.game.key, referee.table.dice),
        "turns": turns(played),
        "fairness": fairness_parts(referee.table.dice, entries, simulated_steps(row, rows)),
        "last": referee.number,
        "secret": referee.keeps_secrets,
    }


def remembered(row: GameRow) -> dict[str, Any]:
    """A game of the journal with what it and its players are called."""
    game = GAMES.get(row.game)
    return game_fields(row) | {
        "title": row.game if game is None else game.title,
        "names": {player.key: player.name for player in row.players},
    }


def note_scores(scores: dict[str, list[list[int]]], number: int, now: dict[str, int]) -> None:
    """Add a point for every player whose score is another now."""
    for player, score in now.items():
        points = scores.setdefault(player, [])
        if not points or points[-1][1] != score:
            points.append([number, score])


def turns(played: Iterable[tuple[str, Step]]) -> list[dict[str, Any]]:
    """How long each turn took, from its first to its last step or the first of the next."""
    found: list[dict[str, Any]] = []
    began_s, last_s = 0.0, 0.0
    for hero, step in played:
        at_s = step.report.at_s
        if at_s is None or isinstance(step.report.action, Undo):
            continue
        if not found or found[-1]["player"] != hero:
            began_s = last_s
            found.append({"player": hero, "step": step.number, "seconds": 0.0})
        last_s = max(last_s, at_s)
        found[-1]["seconds"] = round(last_s - began_s, 3)
    return found


def past(row: GameRow, rows: list[StepRow], number: int) -> dict[str, Any]:
    """The table as it lay after step `number`, as a screen shows it, without any offers.

    Raises IllegalAction `unknown_step`, or `hidden` where it would tell what lies face down now.
    """
    if not 0 <= number <= len(rows):
        raise IllegalAction(
            "unknown_step", say("There is no step {number} in that game.", number=number)
        )
    try:
        referee = seat_again(row)
    except JournalError as error:
        raise IllegalAction("other_rules", str(error)) from error
    if referee.game.public is not None and not row.over and number != len(rows):
        raise IllegalAction("hidden", "What lay open then may lie face down now, until the end.")
    step = None
    for one in rows[:number]:
        step = referee.apply(one.report)
    return past_fields(referee, row.number, step)


def past_fields(referee: Referee, game: int, step: Step | None) -> dict[str, Any]:
    """The table for a screen on which nothing can be done."""
    scores = referee.table.scores
    shown = None if step is None else step_row(referee, step)
    quiet: dict[str, Any] = {name: [] for name in ("lamps", "sources", "questions", "moving")}
    return table_fields(referee, game) | quiet | {
        "offers": [],
        "undoable": None,
        "players": [
            {"key": p.key, "name": p.name, "person": False, "score": scores.get(p.key),
             "colour": p.colour}
            for p in referee.players
        ],
        "told": [] if shown is None else shown["told"],
        "shown": shown,
    }  # fmt: skip
