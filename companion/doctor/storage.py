"""Checks of what is kept: disk, card, settings, journal."""

import contextlib
import itertools
import os
import shutil
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

from companion.config import load_config, players_named
from companion.doctor.finding import Finding, bad, none, note, ok
from companion.doctor.machine import Machine
from companion.errors import CompanionError
from companion.games import GAMES
from companion.journal import Journal
from companion.words import fact, say, word

ENOUGH_MB = 200
ENOUGH_INODES = 1000
TRIALS = 12
SLOW_MS, TOO_SLOW_MS = 50.0, 500.0  # a step is told after its write; half a second is felt
JUMP_S = 1.0  # a clock that is nudged into step stays below that
CARD_WORDS = ("i/o error", "mmc0: error", "mmc0: timeout", "card stuck", "ext4-fs error")
NEW_GAME = "begin another game with --new, or restore a backup"


def folder_of(machine: Machine) -> Path:
    """The folder of the journal, or the nearest one above it that is there."""
    path = machine.journal.absolute()
    return next(p for p in path.parents if p.exists())


def check_space(machine: Machine) -> Finding:
    """The disk of the journal needs some space."""
    folder = folder_of(machine)
    free_mb = shutil.disk_usage(folder).free // 2**20
    if free_mb >= ENOUGH_MB:
        return ok("disk_space", say("{mb} MB free in {folder}", mb=free_mb, folder=folder))
    fix = "remove what is not needed; sudo apt clean; journalctl --vacuum-size=100M"
    return bad("disk_space", say("{mb} MB free in {folder}", mb=free_mb, folder=folder), fix)


def check_inodes(machine: Machine) -> Finding:
    """A disk may be full of small files."""
    about = os.statvfs(folder_of(machine))
    if about.f_files == 0 or about.f_favail >= ENOUGH_INODES:
        return ok("disk_files", say("{n} more file fits", "{n} more files fit", n=about.f_favail))
    return bad(
        "disk_files",
        say("{n} more file fits", "{n} more files fit", n=about.f_favail),
        "remove small files",
    )


def check_folder(machine: Machine) -> Finding:
    """The journal's folder must be writable."""
    folder = folder_of(machine)
    if machine.access(folder, os.W_OK):
        return ok("disk_writable", fact(folder))
    fix = say("sudo chown $USER {folder}; a card that turned read-only is worn out", folder=folder)
    return bad("disk_writable", say("{name} may not be written", name=folder), fix)


def check_speed(machine: Machine) -> Finding:
    """Every step waits until it is on the disk."""
    ms = statistics.median(write_times_ms(folder_of(machine)))
    found = say("{ms} ms until a step is on the disk", ms=round(ms, 1))
    if ms < SLOW_MS:
        return ok("disk_speed", found)
    return (note if ms < TOO_SLOW_MS else bad)("disk_speed", found, "use a faster card, or a disk")


def write_times_ms(folder: Path) -> list[float]:
    """How long some small writes take until the disk has them."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as trial:
        for _ in range(TRIALS):
            begun_s = time.perf_counter()
            trial.write(b"x" * 4096)
            trial.flush()
            os.fsync(trial.fileno())
            times.append((time.perf_counter() - begun_s) * 1000)
    return times


def check_card(machine: Machine) -> Finding:
    """A card that fails says so to the kernel before it loses data."""
    counts = [machine.text(str(p.relative_to(machine.root)))
              for p in machine.paths("sys/fs/ext4/*/errors_count")]  # fmt: skip
    errors = sum(int(count) for count in counts if count.isdigit())
    log = machine.said("journalctl", "--dmesg", "--boot", "--no-pager", "--quiet", "--lines=2000")
    lines = [line for line in log.lower().splitlines() if any(w in line for w in CARD_WORDS)]
    if not errors and not lines:
        return ok("card_errors", "no errors known")
    found = say(
        "{errors} errors of the file system, {n} lines in the kernel's log",
        errors=errors,
        n=len(lines),
    )
    return bad("card_errors", found, "companion backup now, then use another card")


def check_settings(machine: Machine) -> Finding:
    """companion.toml must be readable and right."""
    path = machine.config or Path("companion.toml")
    if not path.is_file():
        return none("settings", "no settings; defaults hold (`companion init` writes some)")
    try:
        load_config(path)
    except CompanionError as error:
        return bad("settings", str(error), say("correct {path}", path=path))
    return ok("settings", fact(path))


def check_players(machine: Machine) -> Finding:
    """As many people as the game is for, with names that can be told apart."""
    table = machine.settings.table
    game = GAMES[table.game]
    fix = say(
        "companion.toml [table] players: {least} to {most} names",
        least=game.seats.start,
        most=game.seats.stop - 1,
    )
    try:
        players = players_named(table.players)
    except CompanionError as error:
        return bad("players", str(error), fix)
    if len(players) in game.seats:
        return ok(
            "players",
            say("{game}: {names}", game=word(game.title), names=", ".join(p.name for p in players)),
        )
    return bad(
        "players",
        say("{game}: {n} person", "{game}: {n} people", game=word(game.title), n=len(players)),
        fix,
    )


def check_journal(machine: Machine) -> Finding:
    """The journal must open, and its latest game come out as it was."""
    path = machine.journal
    if not path.is_file():
        return none("journal", say("no journal yet at {path}", path=path))
    try:
        with contextlib.closing(Journal(path)) as journal:
            rows = journal.games()
            if rows:
                journal.resume(rows[-1].number)
    except CompanionError as error:
        return bad("journal", str(error), NEW_GAME)
    return ok("journal", say("{n} game in {path}", "{n} games in {path}", n=len(rows), path=path))


def check_integrity(machine: Machine) -> Finding:
    """SQLite's own look at every page of the journal; reads only."""
    path = machine.journal
    if not path.is_file():
        return none("journal_integrity", "no journal yet")
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        ) as db:
            said = [str(row[0]) for row in db.execute("PRAGMA quick_check(5)")]
    except sqlite3.Error as error:
        said = [str(error)]
    if said == ["ok"]:
        return ok(
            "journal_integrity",
            say("{kilobytes} kB, undamaged", kilobytes=path.stat().st_size // 1024),
        )
    return bad(
        "journal_integrity", fact("; ".join(said)), "companion restore, from the latest backup"
    )


def check_unfinished(machine: Machine) -> Finding:
    """A game of older rules cannot go on."""
    path = machine.journal
    if not path.is_file():
        return none("unfinished_game", "no journal yet")
    with contextlib.closing(Journal(path)) as journal:
        row = journal.unfinished(machine.settings.table.game)
    if row is None:
        return ok("unfinished_game", "no unfinished game")
    if row.revision == GAMES[row.game].revision:
        return ok(
            "unfinished_game",
            say("game {number} goes on after step {steps}", number=row.number, steps=row.steps),
        )
    found = say(
        "game {number} was begun by rules of revision {revision}",
        number=row.number,
        revision=row.revision,
    )
    return note("unfinished_game", found, "begin another game with --new")


def check_clock_jumps(machine: Machine) -> Finding:
    """Steps are written one after the other; where the clock says otherwise, it was put back."""
    path = machine.journal
    if not path.is_file():
        return none("clock_jumps", "no journal yet")
    with contextlib.closing(Journal(path)) as journal:
        rows = journal.games()
        steps = list(journal.steps(rows[-1].number)) if rows else []
    times_s = [step.written_at for step in steps]
    back_s = [a - b for a, b in itertools.pairwise(times_s) if a - b > JUMP_S]
    if not back_s:
        return ok("clock_jumps", say("none in the latest game (steps: {n})", n=len(steps)))
    found = say(
        "{n} in the latest game, the largest {seconds} s back",
        n=len(back_s),
        seconds=round(max(back_s)),
    )
    return note("clock_jumps", found, "sudo timedatectl set-ntp true; the game itself did not mind")


CHECKS = (
    check_space,
    check_inodes,
    check_folder,
    check_speed,
    check_card,
    check_settings,
    check_players,
    check_journal,
    check_integrity,
    check_unfinished,
    check_clock_jumps,
)
