"""What all parts of the set-up page with sensors have: the game waits for them, and goes on."""

from typing import Any, Protocol

from flask import Flask, Response, jsonify

from web import setup_bodies
from web.bodies import body_as
from web.telling import in_language


class Waiting(Protocol):
    """A part of the set-up page for which the game in play may wait."""

    def go_on(self) -> dict[str, Any]:
        """Let the game in play go on, which waits while something is shown."""
        ...

    def take_up(self) -> dict[str, Any]:
        """Go on with the game in play, with what has been set meanwhile."""
        ...


def told(look: dict[str, Any]) -> Response:
    """What is there now, in the language of the viewer."""
    return jsonify(in_language(look))


def show_waiting(app: Flask, root: str, bench: Waiting) -> None:
    """Serve what lets the game go on, below the part's own address."""

    @app.post(f"{root}/go-on", endpoint=f"{root}/go-on")
    def api_setup_go_on() -> Response:
        body_as(setup_bodies.Nothing)
        return told(bench.go_on())

    @app.post(f"{root}/take-up", endpoint=f"{root}/take-up")
    def api_setup_take_up() -> Response:
        body_as(setup_bodies.Nothing)
        return jsonify(bench.take_up())
