"""Smart dice on the set-up page: live, and everything that `companion dice` does with them."""

from typing import Any, Protocol

from flask import Flask, Response, jsonify, render_template

from companion.words import mark
from web import setup_bodies
from web.bodies import body_as
from web.telling import in_language

ROOT = "/api/v1/setup/dice"
STATES = (mark("connecting"), mark("connected"), mark("lost"), mark("closed"))  # of receivers


class DiceBench(Protocol):
    """What the set-up page asks of the house about smart dice; refusals raise IllegalAction."""

    def look(self) -> dict[str, Any]:
        """How receivers and dice fare, what they play, and how far a calibration is."""
        ...

    def blink(self, own: str) -> dict[str, Any]:
        """Let a die blink."""
        ...

    def call(self, own: str, new: str) -> dict[str, Any]:
        """Give a die another id of its own."""
        ...

    def map(self, own: str, name: str) -> dict[str, Any]:
        """Say which die of the game it plays; none for an empty name."""
        ...

    def calibrate(self, own: str, shape: str) -> dict[str, Any]:
        """Begin to ask for its faces."""
        ...

    def answer(self, *, yes: bool) -> dict[str, Any]:
        """Answer what the calibration asks."""
        ...

    def stop(self) -> dict[str, Any]:
        """End the calibration, or put away how it went."""
        ...

    def go_on(self) -> dict[str, Any]:
        """Let the game in play go on, which waits while something is shown."""
        ...

    def take_up(self) -> dict[str, Any]:
        """Go on with the game in play, with the dice as they are mapped now."""
        ...


def show_dice(app: Flask, bench: DiceBench) -> None:
    """Serve `/setup/dice` and its part of the interface."""

    def drawn(template: str) -> str:
        return render_template(template, dice=in_language(bench.look()))

    def told(look: dict[str, Any]) -> Response:
        return jsonify(in_language(look))

    @app.get("/setup/dice")
    def setup_dice() -> str:
        return drawn("setup_dice.html")

    @app.get("/setup/dice/board")
    def setup_dice_board() -> str:
        return drawn("setup_dice_board.html")

    @app.get(ROOT)
    def api_setup_dice() -> Response:
        return told(bench.look())

    @app.post(f"{ROOT}/take-up")
    def api_setup_dice_take_up() -> Response:
        body_as(setup_bodies.Nothing)
        return jsonify(bench.take_up())

    @app.post(f"{ROOT}/go-on")
    def api_setup_dice_go_on() -> Response:
        body_as(setup_bodies.Nothing)
        return told(bench.go_on())

    calibrate_dice(app, bench)
    change_dice(app, bench)


def change_dice(app: Flask, bench: DiceBench) -> None:
    """Let single dice blink, be named, and be mapped."""

    @app.post(f"{ROOT}/<die>/blink")
    def api_setup_blink(die: str) -> Response:
        body_as(setup_bodies.Nothing)
        return jsonify(in_language(bench.blink(die)))

    @app.put(f"{ROOT}/<die>/name")
    def api_setup_name(die: str) -> Response:
        return jsonify(in_language(bench.call(die, body_as(setup_bodies.DieNamed).name)))

    @app.put(f"{ROOT}/<die>/plays")
    def api_setup_map(die: str) -> Response:
        return jsonify(in_language(bench.map(die, body_as(setup_bodies.DieMapped).name)))


def calibrate_dice(app: Flask, bench: DiceBench) -> None:
    """Ask for the faces of a die, one after the other."""

    @app.post(f"{ROOT}/<die>/calibration")
    def api_setup_calibrate(die: str) -> Response:
        wish = body_as(setup_bodies.DieCalibrated)
        return jsonify(in_language(bench.calibrate(die, wish.shape)))

    @app.post(f"{ROOT}/calibration/answer")
    def api_setup_calibration_answer() -> Response:
        wish = body_as(setup_bodies.CalibrationAnswer)
        return jsonify(in_language(bench.answer(yes=wish.yes)))

    @app.delete(f"{ROOT}/calibration")
    def api_setup_calibration_stop() -> Response:
        return jsonify(in_language(bench.stop()))
