"""The durable, append-only record of the games: nothing is announced before it stands here.

SQLite in WAL mode with `synchronous=FULL`: when `append` returns, the step survives a power cut.
Rows are only ever added. Undo and correction are rows too, so resuming a game is applying its
reports again, from the first to the last; a digest per step proves that it is the same table.
"""

import contextlib
import hashlib
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sql

from companion import journal_words as wrong
from companion.actions import Report
from companion.errors import CompanionError, JournalError
from companion.games import GAMES
from companion.protocol import checked_options
from companion.referee import Referee
from companion.steps import Step
from companion.table import Player

_schema = sql.MetaData()

GAME_ROWS = sql.Table(
    "games",
    _schema,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("game", sql.String(64), nullable=False),
    sql.Column("revision", sql.Integer, nullable=False),
    sql.Column("players", sql.LargeBinary, nullable=False),
    sql.Column("options", sql.LargeBinary, nullable=False),
    sql.Column("begun_at", sql.Float, nullable=False),  # wall clock, for people
)

STEP_ROWS = sql.Table(
    "steps",
    _schema,
    sql.Column("game", sql.Integer, primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("report", sql.LargeBinary, nullable=False),
    sql.Column("told", sql.LargeBinary, nullable=False),
    sql.Column("digest", sql.String(16), nullable=False),
    sql.Column("over", sql.Boolean, nullable=False),
    sql.Column("written_at", sql.Float, nullable=False),
)


ENDED_ROWS = sql.Table(
    "ended",
    _schema,
    sql.Column("game", sql.Integer, primary_key=True),
    sql.Column("ended_at", sql.Float, nullable=False),
)

ROOM_ROWS = sql.Table(
    "rooms",
    _schema,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("game", sql.Integer, nullable=False),
    sql.Column("after_step", sql.Integer, nullable=False),
    sql.Column("simulated", sql.Boolean, nullable=False),
)


class GameRow(msgspec.Struct, frozen=True):
    """A game of the journal: what is played, by whom, since when, and how far it got.

    rooms  after which step it was taken up in another kind of room, and whether a simulated one.
    """

    number: int
    game: str
    revision: int
    players: tuple[Player, ...]
    options: dict[str, Any]
    begun_at: float
    steps: int = 0
    over: bool = False
    ended: bool = False  # by people, before it was over
    rooms: tuple[tuple[int, bool], ...] = ()


class StepRow(msgspec.Struct, frozen=True):
    """One accepted entry as the journal has it."""

    number: int
    report: Report
    told: tuple[str, ...]
    digest: str
    over: bool
    written_at: float


def digest(referee: Referee) -> str:
    """A fingerprint of the public state of the table, 16 hexadecimal digits."""
    table = referee.table
    state = msgspec.json.encode([table.counters, table.phase, table.active])
    return hashlib.blake2b(state, digest_size=8).hexdigest()


class Journal:
    """The journal in one SQLite file; `path` None keeps it in memory, for tests and trials."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.where = str(path) if path is not None else "memory"
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._engine = engine_for(path)
            _schema.create_all(self._engine)
            self._connection = self._engine.connect()
        except (sql.exc.SQLAlchemyError, OSError) as error:
            raise self._failed("open", error) from error

    def begin(self, referee: Referee) -> int:
        """Write down a new game and return its number."""
        with self._writing() as connection:
            return new_row(connection, referee)

    def end(self, game: int) -> None:
        """Write down that people ended a game before it was over; it is not continued."""
        with self._writing() as connection:
            connection.execute(ENDED_ROWS.insert().values(game=game, ended_at=time.time()))

    def enter(self, game: int, after_step: int, *, simulated: bool) -> None:
        """Write down that a game goes on in a real or in a simulated room, if it did not before."""
        before = self._rooms().get(game, ())
        if not before or before[-1][1] != simulated:
            values = {"game": game, "after_step": after_step, "simulated": simulated}
            with self._writing() as connection:
                connection.execute(ROOM_ROWS.insert().values(values))

    def append(self, game: int, step: Step, referee: Referee) -> None:
        """Make one step durable; raise JournalError if that cannot be done."""
        with self._writing() as connection:
            connection.execute(STEP_ROWS.insert(), {"game": game} | step_values(step, referee))

    def games(self) -> list[GameRow]:
        """All games, oldest first."""
        last = (
            sql.select(STEP_ROWS.c.game, sql.func.max(STEP_ROWS.c.number).label("steps"))
            .group_by(STEP_ROWS.c.game)
            .subquery()
        )
        query = (
            sql.select(GAME_ROWS, last.c.steps, STEP_ROWS.c.over, ENDED_ROWS.c.ended_at)
            .select_from(GAME_ROWS)
            .outerjoin(last, last.c.game == GAME_ROWS.c.number)
            .outerjoin(
                STEP_ROWS,
                (STEP_ROWS.c.game == last.c.game) & (STEP_ROWS.c.number == last.c.steps),
            )
            .outerjoin(ENDED_ROWS, ENDED_ROWS.c.game == GAME_ROWS.c.number)
            .order_by(GAME_ROWS.c.number)
        )
        rooms = self._rooms()
        return [self._game_row(row, rooms.get(row.number, ())) for row in self._read(query)]

    def _rooms(self) -> dict[int, tuple[tuple[int, bool], ...]]:
        """By game, in which kinds of rooms it was taken up, in their order."""
        found: dict[int, tuple[tuple[int, bool], ...]] = {}
        for row in self._read(sql.select(ROOM_ROWS).order_by(ROOM_ROWS.c.number)):
            found[row.game] = (*found.get(row.game, ()), (row.after_step, row.simulated))
        return found

    def game(self, number: int) -> GameRow:
        """One game; raises ConfigError if the journal has none of that number."""
        for row in self.games():
            if row.number == number:
                return row
        raise wrong.no_such_game(number)

    def unfinished(self, game: str) -> GameRow | None:
        """The latest game of this kind that has not come to its end."""
        rows = [r for r in self.games() if r.game == game and not (r.over or r.ended)]
        return rows[-1] if rows else None

    def steps(self, game: int) -> Iterator[StepRow]:
        """The steps of one game, in order."""
        query = sql.select(STEP_ROWS).where(STEP_ROWS.c.game == game).order_by(STEP_ROWS.c.number)
        for row in self._read(query):
            yield self._step_row(game, row)

    def resume(self, game: int) -> Referee:
        """Play a game again up to where it was left.

        Raises JournalError, naming the step, if the game was written by another revision of the
        rules or if the table does not come out as it was; it stays readable by `steps`, and goes
        on from the step before by `branch`.
        """
        row = self.game(game)
        self._check_revision(row)
        referee = seated(row)
        for _ in self._alike(referee, row):
            pass
        return referee

    def branch(self, game: int, up_to: int) -> tuple[Referee, int]:
        """Go on with a game from after its step `up_to` as another game; return that one's number.

        The steps are played by the rules as they are now, whatever revision wrote them, and must
        give the same table. The old game is ended, and stays as it is. Raises JournalError, naming
        the step, where the table does not come out alike; then nothing is written.
        """
        row = self.game(game)
        if not 0 <= up_to <= row.steps:
            raise wrong.no_such_step(row.steps, game, up_to)
        referee = seated(row)
        alike = itertools.islice(self._alike(referee, row), up_to)
        kept = [step_values(referee.history[-1], referee) for _ in alike]
        with self._writing() as connection:  # all of it, or nothing
            number = new_row(connection, referee)
            for values in kept:
                connection.execute(STEP_ROWS.insert(), {"game": number} | values)
            for after, simulated in row.rooms:
                if after <= up_to:
                    room = {"game": number, "after_step": after, "simulated": simulated}
                    connection.execute(ROOM_ROWS.insert(), room)
            connection.execute(ENDED_ROWS.insert().values(game=game, ended_at=time.time()))
        return referee, number

    def alike_until(self, game: int) -> int:
        """Number of the last step up to which the rules of today give the same table."""
        row, alike = self.game(game), 0
        with contextlib.suppress(JournalError):
            for step in self._alike(seated(row), row):
                alike = step.number
        return alike

    def _alike(self, referee: Referee, row: GameRow) -> Iterator[StepRow]:
        """Play the steps of a game again, one by one, and give those that come out alike."""
        for step in self.steps(row.number):
            self._apply_again(referee, row, step)
            yield step

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._connection.close()
        self._engine.dispose()

    def _apply_again(self, referee: Referee, row: GameRow, step: StepRow) -> None:
        where = wrong.place(self.where, row.number, step.number)
        if step.number != referee.number + 1:
            raise wrong.rows_missing(where, referee.number + 1)
        try:
            referee.apply(step.report)
        except CompanionError as error:
            raise wrong.refused_now(where, error) from error
        if digest(referee) != step.digest:
            raise wrong.comes_out_differently(where, step.number)

    def _check_revision(self, row: GameRow) -> None:
        """Raise JournalError unless the rules are those that wrote the game."""
        revision = GAMES[row.game].revision if row.game in GAMES else None
        if revision in (None, row.revision):
            return
        until = self.alike_until(row.number)
        raise wrong.alike_until(row.number, row.game, row.revision, revision, until)

    def _game_row(self, row: Any, rooms: tuple[tuple[int, bool], ...]) -> GameRow:
        with self._readable(row.number):
            return GameRow(
                row.number,
                row.game,
                row.revision,
                msgspec.json.decode(row.players, type=tuple[Player, ...]),
                msgspec.json.decode(row.options, type=dict[str, Any]),
                row.begun_at,
                row.steps or 0,
                bool(row.over),
                row.ended_at is not None,
                rooms,
            )

    def _step_row(self, game: int, row: Any) -> StepRow:
        with self._readable(game, row.number):
            return StepRow(
                row.number,
                msgspec.json.decode(row.report, type=Report),
                msgspec.json.decode(row.told, type=tuple[str, ...]),
                row.digest,
                row.over,
                row.written_at,
            )

    @contextlib.contextmanager
    def _readable(self, game: int, step: int | None = None) -> Iterator[None]:
        """What is inside reads a row; JournalError says which one is damaged."""
        try:
            yield
        except (msgspec.MsgspecError, UnicodeDecodeError, TypeError) as error:
            raise wrong.damaged_row(wrong.place(self.where, game, step), error) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        """What is executed inside is durable at the end, all of it; or JournalError, and none."""
        try:
            yield self._connection
            self._connection.commit()
        except (sql.exc.SQLAlchemyError, OSError) as error:
            self._roll_back()
            raise self._failed("write", error) from error

    def _roll_back(self) -> None:
        try:
            self._connection.rollback()
        except sql.exc.SQLAlchemyError:
            self._connection.invalidate()

    def _read(self, query: Any) -> Any:
        try:
            with self._engine.connect() as connection:
                return connection.execute(query).all()
        except (sql.exc.SQLAlchemyError, OSError) as error:
            raise self._failed("read", error) from error

    def _failed(self, verb: str, error: Exception) -> JournalError:
        return wrong.cannot(verb, self.where, getattr(error, "orig", None) or error)


def new_row(connection: sql.Connection, referee: Referee) -> int:
    """Write the row of a game that begins now, and return its number."""
    values = {
        "game": referee.game.key,
        "revision": referee.game.revision,
        "players": msgspec.json.encode(referee.players),
        "options": msgspec.json.encode(referee.options),
        "begun_at": time.time(),
    }
    result = connection.execute(GAME_ROWS.insert().values(values))
    (number,) = result.inserted_primary_key or (0,)
    return int(number)


def step_values(step: Step, referee: Referee) -> dict[str, Any]:
    """The row of the referee's latest step, but for the number of its game."""
    return {
        "number": step.number,
        "report": msgspec.json.encode(step.report),
        "told": msgspec.json.encode([str(told.text) for told in step.told]),
        "digest": digest(referee),
        "over": referee.outcome is not None,
        "written_at": time.time(),
    }


def seated(row: GameRow) -> Referee:
    """A fresh referee for a game of the journal; JournalError if nobody knows its rules."""
    game = GAMES.get(row.game)
    if game is None:
        raise wrong.unknown_rules(row.number, row.game, row.revision)
    return Referee(game, row.players, checked_options(game.options, row.options))


def seat_again(row: GameRow) -> Referee:
    """A fresh referee for a game of the journal; JournalError if its rules are not these."""
    referee = seated(row)
    if referee.game.revision != row.revision:
        raise wrong.other_rules(row.number, row.game, row.revision, referee.game.revision)
    return referee


def engine_for(path: Path | None) -> sql.Engine:
    """An engine whose every commit is on the disk when it returns."""
    if path is None:
        return sql.create_engine(
            "sqlite://", poolclass=sql.StaticPool, connect_args={"check_same_thread": False}
        )
    url = sql.URL.create("sqlite", database=str(path))
    engine = sql.create_engine(url, connect_args={"check_same_thread": False, "timeout": 5})

    @sql.event.listens_for(engine, "connect")
    def durable(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")

    return engine
