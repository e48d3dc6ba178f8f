"""`companion backup` and `restore`: journal and settings in one file, checked on both ways.

The file is a zip archive with the journal as SQLite's own backup gives it (also while a game is in
play), the settings as they are, and a list of what is in it with a digest each.
"""

import contextlib
import hashlib
import io
import sqlite3
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click
import msgspec
from rich.console import Console

from companion.errors import CompanionError, ConfigError, JournalError
from companion.init import aside
from companion.journal import Journal
from companion.whole_file import write_whole

FORMAT = 1
JOURNAL, CONFIG, MANIFEST = "journal.sqlite", "companion.toml", "manifest.json"
BESIDE = ("", "-wal", "-shm")  # SQLite keeps what is new in files beside the journal
MOST_BYTES = 2**31  # a hundred thousand games have less


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself; digests are SHA-256 by name."""

    format: int
    version: str
    made_at: float
    digests: dict[str, str]


# --- there ----------------------------------------------------------------------------------------


def write_backup(
    file: Path, journal: Path, config: Path, console: Console, *, replace: bool = False
) -> None:
    """Write a backup in one go; ConfigError if there is a file, JournalError for a damaged one."""
    if file.exists() and not replace:
        raise ConfigError(f"{file}: expected no file of that name; say --replace, or another name")
    parts = {JOURNAL: copy_of(journal)}
    if config.is_file():
        parts[CONFIG] = config.read_bytes()
    write_whole(file, packed(parts), mode=0o600)
    names = ", ".join(parts)
    console.print(f"{file}: {names}, {file.stat().st_size // 1024 + 1} kB", soft_wrap=True)


def packed(parts: dict[str, bytes]) -> bytes:
    """A zip archive of these parts, and what they are."""
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in parts.items()}
    manifest = Manifest(FORMAT, metadata.version("table-companion"), time.time(), digests)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, msgspec.json.encode(manifest))
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def copy_of(journal: Path) -> bytes:
    """The journal as it is at one moment, in one piece, undamaged; else JournalError."""
    if not journal.is_file():
        raise ConfigError(f"journal: expected a file at {journal}; say --journal FILE")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / JOURNAL
        try:
            with contextlib.closing(sqlite3.connect(path)) as copy:
                with contextlib.closing(sqlite3.connect(f"{journal.absolute().as_uri()}?mode=ro",
                                                        uri=True)) as original:  # fmt: skip
                    original.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as error:
            raise JournalError(f"journal {journal}: cannot be copied: {error}") from error
        check_journal(path, f"journal {journal}")
        return path.read_bytes()


def check_journal(path: Path, name: str) -> None:
    """Raise JournalError unless the file is an undamaged journal, down to its rows."""
    try:
        with contextlib.closing(sqlite3.connect(path)) as pages:
            said = [str(row[0]) for row in pages.execute("PRAGMA integrity_check(3)")]
            tables = {row[0] for row in pages.execute("SELECT name FROM sqlite_master")}
    except sqlite3.Error as error:
        said, tables = [str(error)], set()
    if said != ["ok"]:
        raise JournalError(f"{name}: is damaged: {'; '.join(said)}")
    if not {"games", "steps"} <= tables:
        raise JournalError(f"{name}: expected a journal, got another database")
    with contextlib.closing(Journal(path)) as journal:
        for row in journal.games():
            for _ in journal.steps(row.number):
                pass


# --- and back -------------------------------------------------------------------------------------


def bring_back(file: Path, journal: Path, config: Path, console: Console, *, yes: bool) -> None:
    """Put a backup's journal and settings in place, after asking; nothing is lost by it."""
    parts = unpacked(file)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / JOURNAL
        path.write_bytes(parts[JOURNAL])
        check_journal(path, f"{file}: {JOURNAL}")
    check_settings(file, parts)
    places = {JOURNAL: journal, CONFIG: config}
    for name in parts:
        place = places[name]
        kept = f" (what is there is kept as {aside(place).name})" if place.exists() else ""
        console.print(f"{name} -> {place}{kept}", soft_wrap=True)
    if not yes and not click.confirm("Bring these back?"):
        raise ConfigError("nothing was changed")
    with nobody_playing(journal):
        for name, data in parts.items():
            put(places[name], data)
    console.print("done")


@contextlib.contextmanager
def nobody_playing(journal: Path) -> Iterator[None]:
    """Hold the journal for us alone; JournalError while a companion plays with it."""
    from companion.service import alone_with

    with alone_with(journal):
        yield


def unpacked(file: Path) -> dict[str, bytes]:
    """The parts of a backup, each as its digest says; else ConfigError."""
    try:
        with zipfile.ZipFile(file) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_BYTES:
                raise ConfigError(f"{file}: expected a backup, got something far too big")
            manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
            parts = {name: archive.read(name) for name in manifest.digests}
    except (OSError, KeyError, zipfile.BadZipFile, msgspec.MsgspecError) as error:
        raise ConfigError(f"{file}: expected a backup of the companion, got {error}") from error
    except (RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        raise ConfigError(f"{file}: the backup cannot be read: {error}") from error
    if manifest.format != FORMAT or set(parts) - {JOURNAL, CONFIG} or JOURNAL not in parts:
        raise ConfigError(f"{file}: expected a backup of format {FORMAT}; use a newer companion")
    for name, data in parts.items():
        if hashlib.sha256(data).hexdigest() != manifest.digests[name]:
            raise ConfigError(f"{file}: {name} is damaged; use another backup")
    return parts


def check_settings(file: Path, parts: dict[str, bytes]) -> None:
    """Raise ConfigError if the settings of a backup are no TOML."""
    try:
        tomllib.loads(parts.get(CONFIG, b"").decode())
    except ValueError as error:
        raise ConfigError(f"{file}: {CONFIG} is damaged: {error}") from error


def put(place: Path, data: bytes) -> None:
    """Write a file in one go; one that is there is kept aside, with what lies beside it."""
    fresh = place.with_name(f"{place.name}.new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(data)
        kept = aside(place)
        for suffix in BESIDE:
            old = place.with_name(place.name + suffix)
            if old.exists():
                old.replace(kept.with_name(kept.name + suffix))
        fresh.replace(place)
    except OSError as error:
        raise CompanionError(f"{place}: cannot be written: {error.strerror}") from error
