"""Disks that fail on purpose, with the errors that SQLite has for it."""

import contextlib
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sql

from companion.journal import Journal
from companion.referee import Referee
from companion.steps import Step

Heal = Callable[[], None]
LOCKED_MS = 20  # so long a writer waits for the lock, instead of five seconds


class BrittleJournal(Journal):
    """A journal whose disk can be full, read-only, slow, or locked by somebody else."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path)
        self.slow_s = 0.0

    def append(self, game: int, step: Step, referee: Referee) -> None:
        """Make one step durable, if the disk lets it; so slowly, if that is what it is."""
        if self.slow_s:
            time.sleep(self.slow_s)
        super().append(game, step, referee)

    def fill_up(self) -> Heal:
        """Let every commit fail as SQLite's do on a full disk."""

        def refuse(connection: sql.Connection) -> None:
            full = sqlite3.OperationalError("database or disk is full")
            raise sql.exc.OperationalError("COMMIT", None, full)

        sql.event.listen(self._engine, "commit", refuse)
        return lambda: sql.event.remove(self._engine, "commit", refuse)

    def protect(self) -> Heal:
        """Let nothing be written, as on a card that has turned read-only."""
        self._tell("PRAGMA query_only = ON")
        return lambda: self._tell("PRAGMA query_only = OFF")

    def be_slow(self, each_s: float) -> Heal:
        """Take so long for every step."""
        self.slow_s = each_s

        def heal() -> None:
            self.slow_s = 0.0

        return heal

    def lock(self) -> Heal:
        """Let another program hold the file, as a backup or a browser of databases may."""
        if self.path is None:
            return self.protect()  # memory has no other programs
        self._tell(f"PRAGMA busy_timeout = {LOCKED_MS}")
        other = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")

        def heal() -> None:
            with contextlib.suppress(sqlite3.Error):
                other.execute("ROLLBACK")
            other.close()
            self._tell("PRAGMA busy_timeout = 5000")

        return heal

    def _tell(self, pragma: str) -> None:
        self._connection.exec_driver_sql(pragma)
        self._connection.rollback()  # it holds at once; there is nothing to keep
