"""What the journal has to tell: the list of games, and the steps of one."""

import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from companion.errors import ConfigError, IllegalAction, JournalError
from companion.inbox import describe
from companion.journal import GameRow, Journal, StepRow, seat_again
from companion.protocol import encode, outcome_fields, replayed
from companion.room_kinds import room_of, simulated_steps
from companion.snapshot import describe_report, step_row


def open_journal(path: Path) -> Journal:
    """Open a journal that is there; reading must not make one."""
    if not path.is_file():
        raise ConfigError(
            f"journal: expected a file at {path}; play a game first, or say --journal"
        )
    return Journal(path)


def print_games(path: Path, console: Console, *, as_json: bool) -> None:
    """List all games, oldest first."""
    journal = open_journal(path)
    rows = journal.games()
    journal.close()
    if as_json:
        for row in rows:
            write_line(game_fields(row))
        return
    shown = RichTable("game", "what", "players", "begun", "steps", "state")
    for row in rows:
        begun = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.begun_at))
        names = ", ".join(player.name for player in row.players)
        over = "over" if row.over else "unfinished"
        shown.add_row(str(row.number), row.game, escape(names), begun, str(row.steps), over)
    console.print(shown)


def game_fields(row: GameRow) -> dict[str, Any]:
    """A game as one JSON object; `room` tells where it was played (`companion.room_kinds`)."""
    return {
        "game": row.number,
        "key": row.game,
        "players": [player.key for player in row.players],
        "begun_at": row.begun_at,
        "steps": row.steps,
        "over": row.over,
        "ended": row.ended,
        "room": room_of(row),
    }


def exported(row: GameRow, rows: list[StepRow]) -> dict[str, Any]:
    """A game with all its steps, as far as they may be shown now."""
    is_simulated = simulated_steps(row, rows)
    outcome: dict[str, Any] | None = None
    try:
        referee = seat_again(row)
        shown = [step_row(referee, step) for step in [referee.apply(one.report) for one in rows]]
        outcome = outcome_fields(referee.outcome)
    except (JournalError, IllegalAction):
        if not row.over:
            raise  # what of a running game is secret, only its own rules know
        shown = [written_row(one) for one in rows]
    for one, line in zip(rows, shown, strict=True):
        line |= {"written_at": one.written_at, "simulated": is_simulated(one.number)}
    return game_fields(row) | {"outcome": outcome, "history": shown}


def written_row(row: StepRow) -> dict[str, Any]:
    """A step as the journal has it, where the rules of today cannot play it again."""
    report = msgspec.to_builtins(row.report)
    told = [
        {"cue": "", "family": "note", "title": "", "text": t, "step": row.number} for t in row.told
    ]
    return {
        "step": row.number,
        "player": None,
        "at_s": row.report.at_s,
        "within_s": row.report.within_s,
        "source": row.report.source,
        "certainty": row.report.certainty,
        "evidence": row.report.evidence,
        "action": report["action"],
        "what": describe(row.report.action),
        "told": told,
    }


def print_replay(path: Path, number: int | None, console: Console, *, as_json: bool) -> None:
    """Print the steps of a game; as JSON in the form of the line protocol."""
    journal = open_journal(path)
    row = latest(journal, path) if number is None else journal.game(number)
    steps = list(journal.steps(row.number))
    journal.close()
    try:
        replay(row, steps, console, as_json=as_json)
    except IllegalAction as error:
        raise JournalError(f"journal {path}, game {row.number}: {error}") from error


def latest(journal: Journal, path: Path) -> GameRow:
    """The newest game of a journal."""
    rows = journal.games()
    if not rows:
        raise ConfigError(f"journal {path}: expected a game, got none; play one first")
    return rows[-1]


def replay(row: GameRow, rows: list[StepRow], console: Console, *, as_json: bool) -> None:
    """Play a game again, printing each step as it was told; a running game keeps its secrets."""
    if as_json:
        for line in replayed(seat_again(row), [one.report for one in rows]):
            write_line(line)
        return
    referee = seat_again(row)
    console.print(f"[bold]{referee.game.title}[/bold], game {row.number}")
    steps = [referee.apply(one.report) for one in rows]
    for step in map(referee.public, steps):
        what = describe_report(referee, step.report)
        at = "" if step.report.at_s is None else f"{step.report.at_s:8.2f} s"
        console.print(
            f"{step.number:>5} {at}  {escape(what)}  [dim]{escape(step.report.source)}[/dim]"
        )
        for told in step.told:
            console.print(f"              {told.text}", style="bold", markup=False)


def write_line(fields: dict[str, Any]) -> None:
    """One JSON line to standard output."""
    sys.stdout.buffer.write(encode(fields) + b"\n")
    sys.stdout.buffer.flush()
