"""The interface for programs under /api/v1: the table, its history, and all that a referee does.

Every write carries the step that its sender saw. When what it answers has left the table since, the
answer is 409 and brings the table as it is now; refusals are problem details (`web/refusals.py`).
"""

import csv
import io
from typing import Any

from flask import Flask, Response, jsonify, request

from companion.actions import Adjusted, Correct, Rolled, Undo
from companion.errors import ConfigError, IllegalAction
from companion.words import say
from web import asked
from web.access import Access
from web.bodies import body_as, number_in
from web.desk import Answering, Desk
from web.following import PLAIN, stream_of
from web.house import House, Mannered
from web.openapi import document
from web.refusals import Refused
from web.streams import Streams
from web.telling import in_language

ROOT = "/api/v1"
MOST_ROUND_TRIP_S = 0.4  # a slower phone gets no more credit: half of it, 0.2 s, is a long time
LARGEST_PAGE = 500  # steps in one answer
COLUMNS = (
    "step", "at_s", "written_at", "within_s", "source", "simulated", "certainty", "player", "what",
    "told",
)  # fmt: skip
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would calculate


def serve_interface(
    app: Flask, desk: Desk, streams: Streams, access: Access, *, simulated: bool
) -> None:
    """Add the interface to the dashboard; what only a House can do is there if the desk is one."""

    @app.get(f"{ROOT}/openapi.json")
    def openapi() -> Response:
        return jsonify(document())

    @app.get(f"{ROOT}/events")
    def api_events() -> Response:
        return stream_of(desk.feed, streams, PLAIN)

    show_table(app, desk)
    take_actions(app, desk, simulated=simulated)
    if isinstance(desk, House):
        show_history(app, desk)
        take_corrections(app, desk)
        steer(app, desk, access)
        if isinstance(desk, Mannered):
            take_manners(app, desk, desk)


def show_table(app: Flask, desk: Desk) -> None:
    """Serve the table, who sits there, and how its devices fare."""

    @app.get(f"{ROOT}/table")
    def api_table() -> Response:
        return jsonify(desk.snapshot())

    @app.get(f"{ROOT}/seats")
    def api_seats() -> Response:
        return jsonify({"seats": desk.snapshot()["players"]})

    @app.get(f"{ROOT}/devices")
    def api_devices() -> Response:
        snapshot = desk.snapshot()
        gauges = desk.gauges() if isinstance(desk, House) else {}
        shown = {name: snapshot.get(name, []) for name in ("sources", "lamps", "questions")}
        return jsonify({**shown, **gauges})

    @app.get(f"{ROOT}/health")
    def api_health() -> Response:
        return jsonify(desk.health() if isinstance(desk, House) else {"ok": True, "troubles": []})


def take_actions(app: Flask, desk: Desk, *, simulated: bool) -> None:
    """Take what players do."""

    @app.post(f"{ROOT}/actions")
    def api_act() -> Response:
        now_s = desk.now_s()
        return jsonify(act_on(desk, body_as(asked.Act), now_s))

    @app.post(f"{ROOT}/rolls")
    def api_roll() -> Response:
        roll = body_as(asked.EnteredRoll)
        return jsonify(desk.act(Rolled(roll.faces), step=roll.step, player=roll.player))

    @app.post(f"{ROOT}/throws")
    def api_throw() -> Response:
        throw = body_as(asked.Throw)
        if not simulated:
            raise IllegalAction("not_simulated", "These dice are real: roll them on the table.")
        return jsonify(desk.throw(throw.player, throw.dice, step=throw.step))

    @app.post(f"{ROOT}/answers")
    def api_answer() -> Response:
        said = body_as(asked.AnswerGiven)
        if not isinstance(desk, Answering):
            raise IllegalAction("not_offered", "Enter the whole roll instead.")
        if isinstance(desk, House):
            desk.check_step(said.step)
        return jsonify(desk.answer(said.question, said.face))


def act_on(desk: Desk, tap: asked.Act, now_s: float) -> dict[str, Any]:
    """Put a tap that arrived at this moment of the game to the table; it is older by its way."""
    ago_s = min(tap.round_trip_s, MOST_ROUND_TRIP_S) / 2
    arrived_s = max(0.0, now_s - ago_s)
    return desk.act(tap.action, step=tap.step, player=tap.player, arrived_s=arrived_s)


def take_corrections(app: Flask, desk: House) -> None:
    """Take what a referee puts right."""

    @app.post(f"{ROOT}/undo")
    def api_undo() -> Response:
        return jsonify(desk.act(Undo(), step=body_as(asked.Answers).step, player=None))

    @app.post(f"{ROOT}/corrections")
    def api_correct() -> Response:
        wish = body_as(asked.Correction)
        entry = Correct(wish.at, wish.action, wish.drop_later)
        return jsonify(desk.act(entry, step=wish.step, player=None))

    @app.post(f"{ROOT}/corrections/preview")
    def api_preview() -> Response:
        wish = body_as(asked.Correction)
        desk.check_step(wish.step)
        changes = desk.preview(wish.at, wish.action, drop_later=wish.drop_later)
        return jsonify(in_language(changes, desk.snapshot()))

    @app.post(f"{ROOT}/adjustments")
    def api_adjust() -> Response:
        wish = body_as(asked.Adjustment)
        entry = Adjusted(wish.counter, wish.value)
        return jsonify(desk.act(entry, step=wish.step, player=None))


def steer(app: Flask, desk: House, access: Access) -> None:
    """Take what happens to the game as a whole."""

    @app.post(f"{ROOT}/pause", endpoint="api_pause", defaults={"paused": True})
    @app.post(f"{ROOT}/resume", endpoint="api_resume", defaults={"paused": False})
    def api_pause(paused: bool) -> Response:
        desk.check_step(body_as(asked.Answers).step)
        return jsonify(desk.pause(paused=paused))

    @app.put(f"{ROOT}/seats/<player>")
    def api_seat(player: str) -> Response:
        wish = body_as(asked.SeatPlayed)
        desk.check_step(wish.step)
        done = (desk.take_seat if wish.person else desk.leave_seat)(player)
        if wish.new_code:
            if not access.roles().referee:
                raise Refused(403, "needs_referee", "Only the referee makes new codes.")
            access.keys.renew_seat(player)
        return jsonify(done)

    @app.post(f"{ROOT}/games")
    def api_new_game() -> Response:
        wish = body_as(asked.NewGame)
        desk.check_step(wish.step)
        return jsonify(desk.new_game(wish.game, wish.players, wish.options))

    @app.post(f"{ROOT}/games/current/end")
    def api_end_game() -> Response:
        desk.check_step(body_as(asked.Answers).step)
        return jsonify(desk.end_game())


def take_manners(app: Flask, desk: House, table: Mannered) -> None:
    """Tell how quiet and how loud the table is, and let a referee change it."""

    @app.get(f"{ROOT}/manner")
    def api_manner() -> Response:
        return jsonify(table.manner())

    @app.put(f"{ROOT}/manner", endpoint="api_be")
    def api_be() -> Response:
        wish = body_as(asked.MannerWished)
        desk.check_step(wish.step)
        return jsonify(table.be(quiet=wish.quiet, volume=wish.volume))


def show_history(app: Flask, desk: House) -> None:
    """Serve the steps of this game, and all games of the journal."""

    @app.get(f"{ROOT}/steps")
    def api_steps() -> Response:
        after, limit = number_in("after", 0), number_in("limit", 100, most=LARGEST_PAGE)
        return jsonify({"steps": desk.steps(after, limit)})

    @app.get(f"{ROOT}/steps/<int:number>")
    def api_step(number: int) -> Response:
        try:
            return jsonify(desk.step(number))
        except IllegalAction as error:
            raise Refused(404, error.code, error.message) from error

    @app.get(f"{ROOT}/steps/<int:number>/alternatives")
    def api_alternatives(number: int) -> Response:
        try:
            return jsonify({"alternatives": desk.alternatives(number)})
        except IllegalAction as error:
            status = 403 if error.code == "hidden" else 404
            raise Refused(status, error.code, error.message) from error

    @app.get(f"{ROOT}/games")
    def api_games() -> Response:
        return jsonify({"games": desk.games()})

    @app.get(f"{ROOT}/games/<int:number>")
    def api_game(number: int) -> Response:
        return jsonify(game_of(desk, number))

    @app.get(f"{ROOT}/games/<int:number>/export")
    def api_export(number: int) -> Response:
        kind = request.args.get("as", "json")
        if kind not in ("json", "csv"):
            raise Refused(
                400, "bad_fields", say("as: expected json or csv, got {kind!r}.", kind=kind)
            )
        game = game_of(desk, number)
        response = jsonify(game) if kind == "json" else as_csv(game)
        response.headers["Content-Disposition"] = f'attachment; filename="game-{number}.{kind}"'
        return response


def game_of(desk: House, number: int) -> dict[str, Any]:
    """A game of the journal, or 404."""
    try:
        return desk.export(number)
    except (ConfigError, OverflowError) as error:
        raise Refused(
            404, "unknown_game", say("There is no game {number} in the journal.", number=number)
        ) from error


def as_csv(game: dict[str, Any]) -> Response:
    """The history of a game as a table for spreadsheets (RFC 4180)."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([*COLUMNS, "action"])
    for row in game["history"]:
        told = " ".join(one["text"] for one in row["told"])
        cells = [told if name == "told" else row.get(name) for name in COLUMNS]
        writer.writerow([harmless(cell) for cell in [*cells, row["action"]["type"]]])
    return Response(text.getvalue(), mimetype="text/csv")


def harmless(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell
