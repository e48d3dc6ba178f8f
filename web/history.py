"""The history: all games of the journal, each replayed step by step, with charts and its dice."""

import time
from typing import Any, Protocol, runtime_checkable

from flask import Flask, Response, jsonify

from companion.errors import CompanionError, ConfigError, IllegalAction
from companion.words import say
from web import charts
from web.bodies import number_in
from web.drawing import Brush
from web.house import House
from web.refusals import Refused


@runtime_checkable
class Remembering(House, Protocol):
    """A desk that looks back on the games of its journal."""

    def chronicle(self, number: int) -> dict[str, Any]:
        """Scores, luck, turns and fairness of a game."""
        ...

    def house_dice(self) -> dict[str, Any]:
        """How fair the dice of all games were: `parts` by kind of game, and games `left_out`.

        Real dice and simulated ones are parts of their own, told apart by `simulated`.
        """
        ...

    def past(self, number: int, step: int) -> dict[str, Any]:
        """The table as it lay after a step; raises IllegalAction where that is hidden."""
        ...


def show_history(app: Flask, desk: Remembering, brush: Brush) -> None:
    """Serve `/games`, `/games/N`, and the table of one step."""
    app.jinja_env.filters["day_and_time"] = day_and_time

    @app.get("/games")
    def games() -> str:
        return brush.draw("games.html", desk.snapshot(), games=desk.games()[::-1])

    @app.get("/games/<int:number>")
    def game(number: int) -> str:
        row = game_row(desk, number)
        told = chronicle_of(desk, number)
        last = row["steps"] or 0
        at = min(number_in("step", last), last)
        shown = None if told is None else past_of(desk, number, at)
        return brush.draw(
            "game.html",
            shown or desk.snapshot(),
            shown=shown is not None,
            row=row,
            at=at,
            last=last,
            told=told,
            drawn=None if told is None else charts_of(told),
            paces=None if told is None else charts.paces(told["turns"]),
        )

    @app.get("/games/dice")
    def dice() -> str:
        told = desk.house_dice()
        shown, others = dice_to_show(told["parts"], asked=bool(number_in("simulated", 0, most=1)))
        return brush.draw("dice.html", desk.snapshot(), told=told, shown=shown, others=others)

    @app.get("/api/v1/fairness")
    def api_fairness() -> Response:
        return jsonify(desk.house_dice())

    @app.get("/games/<int:number>/steps/<int:step>")
    def game_step(number: int, step: int) -> str:
        game_row(desk, number)
        try:
            shown = desk.past(number, step)
        except IllegalAction as error:
            status = 403 if error.code == "hidden" else 404
            raise Refused(status, error.code, error.message) from error
        return brush.draw("past.html", shown, at=step)


def dice_to_show(
    parts: list[dict[str, Any]], *, asked: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The parts that are shown, and those that are not: simulated dice step back behind real ones.

    asked  somebody wants to see the simulated ones all the same.
    """
    real = [part for part in parts if not part["simulated"]]
    made_up = [part for part in parts if part["simulated"]]
    return (real, made_up) if real and not asked else (real + made_up, [])


def day_and_time(at: float, between: str = " ") -> str:
    """A moment of the wall clock, in this machine's time zone: `2026-01-31 20:15`."""
    return time.strftime(f"%Y-%m-%d{between}%H:%M", time.localtime(at))


def game_row(desk: Remembering, number: int) -> dict[str, Any]:
    """A game of the journal; raises Refused with 404."""
    for row in desk.games():
        if row["game"] == number:
            return row
    said = say("There is no game {number} in the journal.", number=number)
    raise Refused(404, "unknown_game", said)


def chronicle_of(desk: Remembering, number: int) -> dict[str, Any] | None:
    """What can be told of a game; None where the rules of today cannot play it again."""
    try:
        return desk.chronicle(number)
    except (CompanionError, IllegalAction):
        return None


def past_of(desk: Remembering, number: int, step: int) -> dict[str, Any] | None:
    """The table of a step; None where it is hidden."""
    try:
        return desk.past(number, step)
    except (ConfigError, IllegalAction):
        return None


def charts_of(told: dict[str, Any]) -> dict[str, charts.Chart | None]:
    """The charts of a game, by name."""
    return {
        "scores": charts.lines(told["scores"], told["last"], steps=True),
        "luck": charts.lines(told["luck"], told["last"], steps=False),
        "turns": charts.bars(told["turns"]),
    }
