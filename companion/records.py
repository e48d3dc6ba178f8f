"""What the journal has to tell: the list of games, and the steps of one."""

import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable

from companion.errors import ConfigError, JournalError
from companion.journal import GameRow, Journal, StepRow, seat_again
from companion.protocol import encode, step_line
from companion.snapshot import describe_report


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
        shown.add_row(str(row.number), row.game, names, begun, str(row.steps), over)
    console.print(shown)


def game_fields(row: GameRow) -> dict[str, Any]:
    """A game as one JSON object."""
    return {
        "game": row.number,
        "key": row.game,
        "players": [player.key for player in row.players],
        "begun_at": row.begun_at,
        "steps": row.steps,
        "over": row.over,
    }


def print_replay(path: Path, number: int | None, console: Console, *, as_json: bool) -> None:
    """Print the steps of a game; as JSON in the form of the line protocol."""
    journal = open_journal(path)
    row = latest(journal, path) if number is None else journal.game(number)
    steps = list(journal.steps(row.number))
    journal.close()
    try:
        replay(row, steps, console, as_json=as_json)
    except JournalError as error:
        raise JournalError(f"{error} (the steps before it were printed)") from error


def latest(journal: Journal, path: Path) -> GameRow:
    """The newest game of a journal."""
    rows = journal.games()
    if not rows:
        raise ConfigError(f"journal {path}: expected a game, got none; play one first")
    return rows[-1]


def replay(row: GameRow, steps: list[StepRow], console: Console, *, as_json: bool) -> None:
    """Play a game again, printing each step as it was told."""
    referee = seat_again(row)
    if as_json:
        write_line(step_line(referee, referee.opening))
    else:
        console.print(f"[bold]{referee.game.title}[/bold], game {row.number}")
    for step in steps:
        applied = referee.apply(step.report)
        if as_json:
            write_line(step_line(referee, applied.told))
            continue
        what = describe_report(referee, step.report)
        at = "" if step.report.at_s is None else f"{step.report.at_s:8.2f} s"
        console.print(f"{step.number:>5} {at}  {what}  [dim]{step.report.source}[/dim]")
        for sentence in step.told:
            console.print(f"              {sentence}", style="bold")


def write_line(fields: dict[str, Any]) -> None:
    """One JSON line to standard output."""
    sys.stdout.buffer.write(encode(fields) + b"\n")
    sys.stdout.buffer.flush()
