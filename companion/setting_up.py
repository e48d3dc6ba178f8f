"""What is played next, and by whom: games, seats and house rules as the set-up page meets them.

A *wish* is what people filled in: the key of a game, its seats (a name, a colour, who begins), and
the house rules as text. It is checked field by field, so that every mistake is told at its field,
and nothing happens before all of it fits.
"""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from companion.config import game_named, player_key
from companion.errors import CompanionError, ConfigError, IllegalAction
from companion.games import GAMES
from companion.house_desk import HouseDesk
from companion.option_fields import option_rows, read_options
from companion.referee import Referee
from companion.scripts import Game
from companion.table import COLOURS, Player
from companion.words import say

LONGEST_NAME = 24  # letters; what fits on a phone in one line
FIRST = "first_player"  # the house rule that is asked at the seats instead
FIRST_WORD = re.compile(r"(?:option )?(\w+)")  # a complaint begins with what it is about
RUNNING = "game_running"
LOOK_S = 0.05

Errors = dict[str, str]


class Seat(msgspec.Struct, frozen=True):
    """Somebody at the table: a name, and which of the colours, or None for the next that is free.

    place  of the row on the page, from 0: where a mistake is told.
    """

    name: str
    colour: int | None = None
    place: int = 0


@dataclass(frozen=True)
class Plan:
    """A game that can begin."""

    game: Game
    players: tuple[Player, ...]
    options: msgspec.Struct


@dataclass
class SetUp:
    """What the set-up page asks of the table about games and seats.

    house_rules  of the settings file, by game.
    fits         raises ConfigError for a game that this table's devices do not fit.
    patience_s   so long `begin` waits for the game to be laid out, at most.
    """

    desk: HouseDesk
    house_rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    fits: Callable[[Plan], None] = lambda plan: None
    patience_s: float = 0.0

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of seats, by name."""
        return COLOURS

    def games(self) -> list[dict[str, Any]]:
        """The games there are."""
        return [
            {"key": g.key, "title": g.title, "least": g.seats.start, "most": g.seats.stop - 1}
            for g in GAMES.values()
        ]

    def form(self, key: str | None) -> dict[str, Any]:
        """What can be filled in for a game, and what is usual; the game in play for None."""
        referee = self._referee()
        game = game_of(key) if key else (referee.game if referee else next(iter(GAMES.values())))
        options = self._usual(game, referee)
        rows = [row for row in option_rows(game, options) if row["name"] != FIRST]
        return {
            "key": game.key,
            "title": game.title,
            "least": game.seats.start,
            "most": game.seats.stop - 1,
            "colours": len(COLOURS),
            "begins": self._begins(options, referee),
            "seats": [
                {"name": p.name, "colour": p.colour if p.colour is not None else n % len(COLOURS)}
                for n, p in enumerate(referee.players if referee else ())
            ],
            "options": rows,
            "running": self.running(),
        }

    def running(self) -> dict[str, Any] | None:
        """The game that would be set aside, or None where nothing would be lost from sight."""
        referee = self._referee()
        if referee is None or self.desk.companion.is_over or not referee.number:
            return None
        names = [player.name for player in referee.players]
        return {
            "title": referee.game.title,
            "number": self.desk.companion.number,
            "players": names,
            "step": referee.number,
        }

    def set_aside(self) -> list[dict[str, Any]]:
        """The unfinished games of the journal but the one in play, newest first."""
        journal, now = self.desk.journal, self._number()
        rows = [] if journal is None else journal.games()
        return [
            {"number": row.number, "title": GAMES[row.game].title, "step": row.steps,
             "players": [player.name for player in row.players]}
            for row in reversed(rows)
            if row.game in GAMES and row.number != now and not (row.over or row.ended)
        ]  # fmt: skip

    def go_on_with(self, number: int, *, aside: int | None = None) -> dict[str, Any]:
        """Take up an unfinished game where it was left; the one in play as with `begin`.

        Raises IllegalAction `bad_setup` for a game that cannot go on, or `game_running`.
        """
        if all(row["number"] != number for row in self.set_aside()):
            raise bad_setup({"game": say("No unfinished game has the number {n}.", n=number)})
        self._check_aside(aside)
        assert self.desk.journal is not None
        try:
            referee = self.desk.journal.resume(number)
            self.fits(Plan(referee.game, referee.players, referee.options))
        except CompanionError as error:
            raise bad_setup({"game": str(error)}) from error
        return self._go_over_to({**wanted_by(referee), "new": False, "number": number})

    def begin(
        self,
        key: str,
        seats: Sequence[Mapping[str, Any]],
        options: Mapping[str, str],
        *,
        begins: int = 0,
        aside: int | None = None,
    ) -> dict[str, Any]:
        """Begin another game; the one in play is set aside if `aside` is its number.

        Raises IllegalAction `bad_setup` with the mistakes by field, or `game_running`.
        """
        rows = tuple(msgspec.convert(dict(seat), Seat) for seat in seats)
        plan = self.plan(key, rows, options, begins=begins)
        self._check_aside(aside)
        return self._go_over_to(wanted_by(plan))

    def _go_over_to(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Go over to a game, and wait until it lies on the table: screens are led there next."""
        before, pause = self.desk.companion, threading.Event()
        done = self.desk.go_over_to(wanted)
        for _ in range(int(self.patience_s / LOOK_S)):
            if self.desk.companion is not before:
                break
            pause.wait(LOOK_S)
        return done

    def _check_aside(self, aside: int | None) -> None:
        running = self.running()
        if running is not None and aside != running["number"]:
            told = say(
                "{game} is being played. Confirm that it is to be set aside.",
                game=running["title"],
            )
            raise IllegalAction(RUNNING, told, running=running)

    def plan(
        self, key: str, seats: Sequence[Seat], options: Mapping[str, str], *, begins: int = 0
    ) -> Plan:
        """Check a wish; raises IllegalAction `bad_setup` with the mistakes by field."""
        game = game_of(key)
        players, errors = seated(game, seats)
        values, wrong = read_options(game, {k: v for k, v in options.items() if k != FIRST})
        errors |= wrong
        first = next((p.key for p, s in zip(players, seats, strict=False) if s.place == begins), "")
        if FIRST in game.options.__struct_fields__ and first:
            values[FIRST] = first
        if errors:
            raise bad_setup(errors)
        return self._checked(game, players, values)

    def _checked(self, game: Game, players: tuple[Player, ...], values: dict[str, Any]) -> Plan:
        try:
            plan = Plan(game, players, game.options(**values))
            Referee(game, players, plan.options)
            self.fits(plan)
        except CompanionError as error:
            first = FIRST_WORD.match(str(error))
            name = first[1] if first else ""
            place = f"option.{name}" if name in game.options.__struct_fields__ else "game"
            raise bad_setup({place: str(error)}) from error
        return plan

    def _number(self) -> int | None:
        return None if self._referee() is None else self.desk.companion.number

    def _referee(self) -> Referee | None:
        try:
            return self.desk.companion.referee
        except IllegalAction:
            return None

    def _usual(self, game: Game, referee: Referee | None) -> msgspec.Struct:
        """The house rules as they were last, or as the settings have them."""
        if referee is not None and referee.game is game:
            return referee.options
        return msgspec.convert(dict(self.house_rules.get(game.key, {})), game.options, strict=False)

    def _begins(self, options: msgspec.Struct, referee: Referee | None) -> int:
        first = getattr(options, FIRST, "")
        keys = [player.key for player in referee.players] if referee else []
        return keys.index(first) if first in keys else 0


def game_of(key: str) -> Game:
    """A game by its key; IllegalAction for one that there is not."""
    try:
        return game_named(key)
    except ConfigError as error:
        raise bad_setup({"game": str(error)}) from error


def wanted_by(plan: Plan | Referee) -> dict[str, Any]:
    """What such a game changes in the setting of the table."""
    return {"game": plan.game, "players": plan.players, "options": plan.options}


def bad_setup(errors: Errors) -> IllegalAction:
    """What does not fit, as a refusal that names every field."""
    return IllegalAction(
        "bad_setup", "Some of this does not fit yet; see what is marked.", errors=errors
    )


def seated(game: Game, seats: Sequence[Seat]) -> tuple[tuple[Player, ...], Errors]:
    """The players of these seats, and what is wrong with them by field."""
    errors: Errors = {}
    players: list[Player] = []
    for seat in seats:
        colour = free_colour(seat, players, seats)
        wrong, key = wrong_name(seat.name, players)
        if wrong:
            errors[f"name.{seat.place}"] = wrong
        if seat.colour is not None and not 0 <= seat.colour < len(COLOURS):
            errors[f"colour.{seat.place}"] = say("Choose one of the colours.")
        elif any(player.colour == colour for player in players):
            errors[f"colour.{seat.place}"] = say("Another seat has this colour already.")
        players.append(Player(key, " ".join(seat.name.split()), colour))
    least, most = game.seats.start, game.seats.stop - 1
    if len(players) not in game.seats:
        errors["seats"] = say(
            "Expected {least} to {most} names, got {n}.",
            "Expected {least} to {most} names, got {n}.",
            least=least,
            most=most,
            n=len(players),
        )
    return tuple(players), errors


def free_colour(seat: Seat, before: Sequence[Player], seats: Sequence[Seat]) -> int:
    """The colour of a seat: as it was chosen, or the first that nobody has."""
    if seat.colour is not None:
        return seat.colour
    taken = {p.colour for p in before} | {s.colour for s in seats}
    return next((n for n in range(len(COLOURS)) if n not in taken), len(before) % len(COLOURS))


def wrong_name(name: str, before: Sequence[Player]) -> tuple[str, str]:
    """What is wrong with a name, or nothing; and the key that is made of it."""
    key = player_key(name)
    if not key and any(map(str.isalnum, name)):
        key = f"player-{len(before) + 1}"
    if not key:
        return say("Expected a name with letters or digits."), f"seat-{len(before) + 1}"
    if len(name) > LONGEST_NAME or not name.isprintable():
        return say("Expected at most {n} letters.", "Expected at most {n} letters.",
                   n=LONGEST_NAME), key  # fmt: skip
    if any(player.key == key for player in before):
        return say("Somebody else is called that already; add a letter."), f"{key}-{len(before)}"
    return "", key
