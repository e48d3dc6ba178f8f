"""`companion support-bundle`: what somebody who helps wants to see, in one file, after asking.

What must not leave the house is taken out of settings and log. The game in it can be played again
with `companion replay BUNDLE`.
"""

import io
import platform
import re
import sys
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from companion.config_keys import is_secret
from companion.doctor import machine_with, page
from companion.doctor.libraries import installed
from companion.errors import CompanionError, ConfigError, IllegalAction, JournalError
from companion.evidence import RollPictures, rolls_beside
from companion.games import GAMES
from companion.journal import GameRow, Journal, StepRow, seat_again
from companion.outside import Ran, run_command
from companion.whole_file import write_whole

SETTINGS, VERSIONS, DOCTOR = "settings.json", "versions.json", "doctor.json"
LOG, GAME, README = "log.txt", "game.jsonl", "README.txt"
ROLLS = "rolls"  # folder of the pictures that the rolls of the game were read from
LOG_LINES = "2000"
GONE = "(removed)"
SECRETS = "it tells what lies covered; show it to nobody who plays, until the game is over"
MOST_BYTES = 2**28
IN_TEXT = re.compile(
    r"(?i)((?:token|secret|password|psk|pairing|session|cookie|code|key|pin)[\"']?\s*[=:]\s*[\"']?)"
    r"[^\s\"'&;,]+"
)
SAID = re.compile(r"(PIN of the referee:\s*|/(?:join|pair)/)[^\s?&\"']+")  # on the console
IN_LINK = re.compile(r"(?i)(\w+://)[^/\s@]+@")
Run = Callable[[Sequence[str]], Ran | None]


class Part(msgspec.Struct, frozen=True):
    """One file of a bundle: what is in it, and what people are told of it before it is written."""

    name: str
    text: str | bytes
    what: str
    warning: str = ""


def ask_and_write(
    file: Path,
    journal: Path,
    config: Path,
    console: Console,
    *,
    yes: bool,
    pictures: bool = False,
) -> None:
    """List what a bundle will hold, ask, unless `yes`, and write it."""
    if file.exists():
        raise ConfigError(f"{file}: expected no file of that name; write another name")
    parts = collect(journal, config) + (picture_parts(journal) if pictures else [])
    show(parts, console)
    if not yes and not click.confirm(f"Write {file}?"):
        raise ConfigError("nothing was written")
    write(file, parts)
    has_game = any(part.name == GAME and part.text for part in parts)
    then = f"`companion replay {file}` plays its game" if has_game else "it holds no game"
    console.print(f"{file}: written; {then}", soft_wrap=True)


def collect(journal: Path, config: Path, run: Run = run_command) -> list[Part]:
    """Everything that a bundle holds; what cannot be had is said in its place."""
    machine = machine_with(journal, config if config.is_file() else None)
    return [
        Part(SETTINGS, settings_text(config), "your settings, without passwords and the like"),
        Part(VERSIONS, in_lines(versions()), "what is installed"),
        Part(DOCTOR, in_lines(page(machine)), "what `companion doctor` found"),
        Part(LOG, log_text(run), "the latest lines of the service's log, without secrets"),
        game_part(journal),
    ]


def in_lines(fields: Any) -> str:
    """JSON for people."""
    return msgspec.json.format(msgspec.json.encode(fields, enc_hook=str), indent=2).decode()


# --- settings -------------------------------------------------------------------------------------


def settings_text(config: Path) -> str:
    """The settings as JSON, without secrets; of a file that is none, only that it is none."""
    if not config.is_file():
        return in_lines({"file": "none; the defaults hold"})
    try:
        fields = tomllib.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return in_lines({"file": f"cannot be read as TOML: {type(error).__name__}"})
    return in_lines(without_secrets(fields))


def without_secrets(value: Any, name: str = "") -> Any:
    """The same, with `(removed)` wherever a name sounds like a secret or a link has a password."""
    if name and is_secret(name):
        return GONE
    if isinstance(value, dict):
        return {key: without_secrets(one, f"{name}.{key}" if name else key)
                for key, one in value.items()}  # fmt: skip
    if isinstance(value, list):
        return [without_secrets(one, name) for one in value]
    if isinstance(value, str):
        return IN_LINK.sub(rf"\1{GONE}@", value)
    return value if isinstance(value, int | float) else str(value)


def versions() -> dict[str, Any]:
    """Python, system, libraries and rules."""
    return {
        "python": sys.version,
        "system": platform.platform(),
        "libraries": dict(sorted(installed().items())),
        "rules": {key: game.revision for key, game in GAMES.items()},
    }


def log_text(run: Run) -> str:
    """The latest lines of the service's log; secrets are taken out."""
    words = ["journalctl", "--unit=companion", f"--lines={LOG_LINES}", "--no-pager", "--quiet"]
    ran = run(words)
    if ran is None or not ran.text.strip():
        return "no log: the companion does not run as a service here, or journald is not asked\n"
    return scrubbed(ran.text)


def scrubbed(text: str) -> str:
    """A text without what sounds like a secret, in links and elsewhere."""
    text = SAID.sub(rf"\1{GONE}", text)
    return IN_LINK.sub(rf"\1{GONE}@", IN_TEXT.sub(rf"\1{GONE}", text))


# --- the game -------------------------------------------------------------------------------------


def game_part(path: Path) -> Part:
    """The latest game of the journal, a line for the game and one for each step."""
    if not path.is_file():
        return Part(GAME, "", "no game: there is no journal yet")
    try:
        journal = Journal(path)
        try:
            rows = journal.games()
            steps = list(journal.steps(rows[-1].number)) if rows else []
        finally:
            journal.close()
    except JournalError as error:
        return Part(GAME, "", f"no game: {error}")
    if not rows:
        return Part(GAME, "", "no game: the journal is empty")
    lines = [msgspec.json.encode(row, enc_hook=str).decode() for row in (rows[-1], *steps)]
    names = ", ".join(player.name for player in rows[-1].players)
    what = f"game {rows[-1].number} with the names {names}, {len(steps)} steps"
    warning = SECRETS if keeps_secrets(rows[-1], steps) else ""
    return Part(GAME, "\n".join(lines) + "\n", what, warning)


def picture_parts(path: Path) -> list[Part]:
    """The pictures that the rolls of the latest game were read from; none without a journal."""
    if not path.is_file():
        return []
    journal = Journal(path)
    numbers = [row.number for row in journal.games()]
    journal.close()
    pictures = RollPictures(rolls_beside(path)).of(numbers[-1]) if numbers else []
    what = "a picture of dice, and of what lay beside them"
    return [Part(f"{ROLLS}/{one.name}", one.read_bytes(), what) for one in pictures]


def keeps_secrets(row: GameRow, steps: list[StepRow]) -> bool:
    """True for a running game in which something is hidden that the journal knows."""
    try:
        referee = seat_again(row)
        for step in steps:
            referee.apply(step.report)
    except CompanionError:
        return not row.over and row.game in GAMES and GAMES[row.game].public is not None
    return referee.keeps_secrets


# --- the file -------------------------------------------------------------------------------------


def show(parts: list[Part], console: Console) -> None:
    """List what will be written."""
    table = Table("file", "size", "what")
    for part in parts:
        table.add_row(part.name, f"{len(part.text) // 1024 + 1} kB", escape(part.what))
    console.print(table)
    for part in parts:
        if part.warning:
            console.print(f"[bold red]{part.name}:[/bold red] {part.warning}", soft_wrap=True)


def write(file: Path, parts: list[Part]) -> None:
    """Write a bundle in one go; ConfigError names what is in the way."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        contents = [f"{part.name}: {part.what} {part.warning}".rstrip() for part in parts]
        archive.writestr(README, "\n".join(contents) + "\n")
        for part in parts:
            archive.writestr(part.name, part.text)
    write_whole(file, out.getvalue(), mode=0o600)


def game_of(file: Path) -> tuple[GameRow, list[StepRow]]:
    """The game of a bundle; ConfigError if it is no bundle, or has none."""
    try:
        with zipfile.ZipFile(file) as archive:
            if archive.getinfo(GAME).file_size > MOST_BYTES:
                raise ConfigError(f"{file}: expected a support bundle, got something far too big")
            lines = archive.read(GAME).splitlines()
    except FileNotFoundError as error:
        raise ConfigError(f"{file}: expected a support bundle, found no such file") from error
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise ConfigError(f"{file}: expected a support bundle, got {error}") from error
    except (RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        raise ConfigError(f"{file}: the bundle cannot be read: {error}") from error
    if not lines:
        raise ConfigError(f"{file}: there is no game in this bundle")
    try:
        row = msgspec.json.decode(lines[0], type=GameRow)
        steps = [msgspec.json.decode(line, type=StepRow) for line in lines[1:]]
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{file}: {GAME} is damaged: {error}") from error
    return row, steps


def replay_bundle(file: Path, console: Console, *, as_json: bool) -> None:
    """Play the game of a bundle again, as `companion replay` does one of the journal."""
    from companion.records import replay

    row, steps = game_of(file)
    try:
        replay(row, steps, console, as_json=as_json)
    except IllegalAction as error:
        raise JournalError(f"{file}, game {row.number}: {error}") from error
