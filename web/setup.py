"""The set-up page: what is played next and by whom, and the ways to devices.

The game is set up by a form that works without scripts; programs do the same by the interface.
What the page asks of the house is a `GameBench`; access keeps all of it for the referee.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from flask import Flask, Response, current_app, jsonify, make_response, redirect, render_template
from flask import request as asked_by

from companion.errors import IllegalAction
from companion.words import mark
from web import setup_bodies
from web.access import Access
from web.bodies import body_as
from web.guard import POLICY
from web.telling import in_words

API = "/api/v1/setup"
FORM_POLICY = POLICY.replace("form-action 'none'", "form-action 'self'")
MISTAKES = {"bad_setup": 422, "game_running": 409}
PAGES = (
    ("setup", "/setup", mark("Game and seats")),
    ("setup_dice", "/setup/dice", mark("Smart dice")),
    ("setup_camera", "/setup/camera", mark("Camera and trays")),
    ("setup_faces", "/setup/faces", mark("Teach faces")),
)


class GameBench(Protocol):
    """What the set-up page asks of the house about games and seats."""

    @property
    def colours(self) -> Sequence[str]:
        """The colours of seats, by name."""
        ...

    def games(self) -> list[dict[str, Any]]:
        """The games there are: key, title, least and most seats."""
        ...

    def form(self, key: str | None) -> dict[str, Any]:
        """What can be filled in for a game, and what is usual; None for the game in play."""
        ...

    def set_aside(self) -> list[dict[str, Any]]:
        """Unfinished games of the journal, newest first: number, title, players, step."""
        ...

    def go_on_with(self, number: int, *, aside: int | None = None) -> dict[str, Any]:
        """Take up an unfinished game; raises IllegalAction `bad_setup` or `game_running`."""
        ...

    def begin(
        self,
        key: str,
        seats: Sequence[Mapping[str, Any]],
        options: Mapping[str, str],
        *,
        begins: int = 0,
        aside: int | None = None,
    ) -> dict[str, Any]:
        """Begin another game; raises IllegalAction `bad_setup` or `game_running`."""
        ...


def show_setup(app: Flask, bench: GameBench, access: Access) -> None:
    """Serve `/setup` and its part of the interface."""
    app.jinja_env.filters.update(in_words=in_words, capitalized=capitalized)
    app.jinja_env.globals.update(setup_pages=setup_pages, colours=bench.colours)

    @app.get("/setup")
    def setup() -> Response:
        form = bench.form(asked_by.args.get("game"))
        return drawn(access, bench, filled(form, {}), {})

    @app.post("/setup")
    def setup_form() -> Response:
        said = asked_by.form.to_dict()
        try:
            do_as_said(bench, said)
        except IllegalAction as error:
            if error.code not in MISTAKES:
                raise
            form = filled(bench.form(said.get("game")), {} if "number" in said else said)
            return answered(access, bench, form, error)
        return laid_out()

    serve_setup(app, bench)


def do_as_said(bench: GameBench, said: Mapping[str, str]) -> None:
    """Begin the game of a form that was sent, or go on with one that was set aside."""
    number = number_or_none(said.get("number"))
    if number is not None:
        bench.go_on_with(number, aside=number_or_none(said.get("aside")))
    else:
        bench.begin(**wish_of(bench.form(said.get("game")), said))


def serve_setup(app: Flask, bench: GameBench) -> None:
    """Serve the same to programs."""

    @app.get(f"{API}/games")
    def api_setup_games() -> Response:
        return jsonify({"games": bench.games(), "set_aside": bench.set_aside()})

    @app.get(f"{API}/games/<game>")
    def api_setup_form(game: str) -> Response:
        return jsonify(bench.form(game))

    @app.post(f"{API}/game")
    def api_setup_game() -> Response:
        wish = body_as(setup_bodies.GameSetUp)
        seats = [
            {"name": one.name, "colour": one.colour, "place": place}
            for place, one in enumerate(wish.seats)
        ]
        return jsonify(
            bench.begin(wish.game, seats, wish.options, begins=wish.begins, aside=wish.aside)
        )

    @app.post(f"{API}/games/<int:number>/resume")
    def api_setup_resume(number: int) -> Response:
        wish = body_as(setup_bodies.GameResumed)
        return jsonify(bench.go_on_with(number, aside=wish.aside))


def drawn(
    access: Access, bench: GameBench, form: dict[str, Any], errors: Mapping[str, str]
) -> Response:
    """The page, with what was filled in and what is wrong with it."""
    page = render_template(
        "setup.html", form=form, games=bench.games(), errors=errors, csrf=access.csrf(),
        set_aside=bench.set_aside(),
    )  # fmt: skip
    return with_forms(page)


def answered(
    access: Access, bench: GameBench, form: dict[str, Any], error: IllegalAction
) -> Response:
    """The page again, with what is wrong; or the question whether a game is to be set aside."""
    if error.code == "game_running":
        page = render_template(
            "setup_aside.html", running=error.details["running"], form=form, csrf=access.csrf(),
            resumed=number_or_none(asked_by.form.get("number")),
            sent=[(k, v) for k, v in asked_by.form.items() if k not in ("csrf", "aside")],
        )  # fmt: skip
        response = with_forms(page)
    else:
        response = drawn(access, bench, form, error.details["errors"])
    response.status_code = MISTAKES[error.code]
    return response


def laid_out() -> Response:
    """Over to the table, where the new game is laid out."""
    response = redirect("/", 303)
    assert isinstance(response, Response)
    return response


def with_forms(page: str) -> Response:
    """A page that may send forms to its own address, and says where they come from."""
    response = make_response(page)
    response.headers["Content-Security-Policy"] = FORM_POLICY
    response.headers["Referrer-Policy"] = "same-origin"  # else a form has no Origin to check
    return response


def wish_of(form: Mapping[str, Any], said: Mapping[str, str]) -> dict[str, Any]:
    """What a form that was sent asks for; a seat without a name stays empty."""
    seats = [
        {"name": name, "colour": number_or_none(said.get(f"colour.{n}")), "place": n}
        for n in range(form["most"])
        if (name := said.get(f"name.{n}", "").strip())
    ]
    options = {
        row["name"]: option_of(row, said)
        for row in form["options"]
        if row["kind"] == "truth" or f"option.{row['name']}" in said
    }
    return {
        "key": form["key"],
        "seats": seats,
        "options": options,
        "begins": number_or_none(said.get("begins")) or 0,
        "aside": number_or_none(said.get("aside")),
    }


def option_of(row: Mapping[str, Any], said: Mapping[str, str]) -> str:
    """The text of a house rule; a box that is not ticked is not sent."""
    left = "false" if row["kind"] == "truth" else row["value"]
    return said.get(f"option.{row['name']}", left)


def number_or_none(text: str | None) -> int | None:
    """A small whole number of a form."""
    fits = text is not None and text.isascii() and text.isdigit() and len(text) < 10
    return int(text) if fits and text is not None else None


def filled(form: dict[str, Any], said: Mapping[str, str]) -> dict[str, Any]:
    """The form with a row for every seat, and with what was said in place of what is usual."""
    usual = {n: seat for n, seat in enumerate(form["seats"][: form["most"]])}
    rows = []
    for n in range(form["most"]):
        one = usual.get(n, {"name": "", "colour": n % form["colours"]})
        colour = number_or_none(said.get(f"colour.{n}"))
        rows.append(
            {
                "name": said.get(f"name.{n}", one["name"] if not said else ""),
                "colour": one["colour"] if colour is None else colour,
            }
        )
    begins = number_or_none(said.get("begins"))
    options = [{**row, "value": option_of(row, said)} for row in form["options"]]
    return {
        **form,
        "seats": rows,
        "begins": form["begins"] if begins is None else begins,
        "options": options if said else form["options"],
    }


def capitalized(text: str) -> str:
    """A label with a capital at its beginning, in any language."""
    return text[:1].upper() + text[1:]


def setup_pages() -> list[tuple[str, str]]:
    """The parts of the set-up that this dashboard has: address and name."""
    known = current_app.view_functions
    return [(path, name) for endpoint, path, name in PAGES if endpoint in known]
