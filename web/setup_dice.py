"""Smart dice on the set-up page: live, and everything that `companion dice` does with them."""

from typing import Any, Protocol

from flask import Flask, Response, render_template

from companion.words import mark
from web import setup_bodies
from web.bodies import body_as
from web.setup_waits import Waiting, show_waiting, told
from web.telling import in_language

ROOT = "/api/v1/setup/dice"
STATES = (mark("connecting"), mark("connected"), mark("lost"), mark("closed"))  # of receivers


class DiceBench(Waiting, Protocol):
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


def show_dice(app: Flask, bench: DiceBench) -> None:
    """Serve `/setup/dice` and its part of the interface."""

    def drawn(template: str) -> str:
        return render_template(template, dice=in_language(bench.look()))

    @app.get("/setup/dice")
    def setup_dice() -> str:
        return drawn("setup_dice.html")

    @app.get("/setup/dice/board")
    def setup_dice_board() -> str:
        return drawn("setup_dice_board.html")

    @app.get(ROOT)
    def api_setup_dice() -> Response:
        return told(bench.look())

    show_waiting(app, ROOT, bench)
    calibrate_dice(app, bench)
    change_dice(app, bench)


def change_dice(app: Flask, bench: DiceBench) -> None:
    """Let single dice blink, be named, and be mapped."""

    @app.post(f"{ROOT}/<die>/blink")
    def api_setup_blink(die: str) -> Response:
        body_as(setup_bodies.Nothing)
        return told(bench.blink(die))

    @app.put(f"{ROOT}/<die>/name")
    def api_setup_name(die: str) -> Response:
        return told(bench.call(die, body_as(setup_bodies.DieNamed).name))

    @app.put(f"{ROOT}/<die>/plays")
    def api_setup_map(die: str) -> Response:
        return told(bench.map(die, body_as(setup_bodies.DieMapped).name))


def calibrate_dice(app: Flask, bench: DiceBench) -> None:
    """Ask for the faces of a die, one after the other."""

    @app.post(f"{ROOT}/<die>/calibration")
    def api_setup_calibrate(die: str) -> Response:
        wish = body_as(setup_bodies.DieCalibrated)
        return told(bench.calibrate(die, wish.shape))

    @app.post(f"{ROOT}/calibration/answer")
    def api_setup_calibration_answer() -> Response:
        wish = body_as(setup_bodies.CalibrationAnswer)
        return told(bench.answer(yes=wish.yes))

    @app.delete(f"{ROOT}/calibration")
    def api_setup_calibration_stop() -> Response:
        return told(bench.stop())
