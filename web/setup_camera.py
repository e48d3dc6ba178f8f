"""Cameras on the set-up page: the live picture, and the zones that are dragged on it."""

from collections.abc import Sequence
from typing import Any, Protocol

from flask import Flask, Response, render_template

from web import setup_bodies
from web.bodies import body_as
from web.setup_waits import Waiting, show_waiting, told
from web.telling import in_language

ROOT = "/api/v1/setup/cameras"


class ZoneBench(Waiting, Protocol):
    """What the set-up page asks of the house about zones; refusals raise IllegalAction."""

    def look(self) -> dict[str, Any]:
        """The cameras with their zones."""
        ...

    def picture(self, camera: str) -> bytes:
        """What a camera sees, as JPEG."""
        ...

    def set_zone(
        self,
        camera: str,
        name: str,
        corners: Sequence[tuple[float, float]],
        sides: tuple[float, float] | None,
        dice: Sequence[str],
    ) -> dict[str, Any]:
        """Set where a zone lies."""
        ...

    def drop_zone(self, camera: str, name: str) -> dict[str, Any]:
        """Forget what was set here about a zone."""
        ...

    def set_die_px(self, camera: str, die_px: float) -> dict[str, Any]:
        """Say how wide a die is in the picture."""
        ...

    def keep_empty(self, camera: str) -> dict[str, Any]:
        """Keep the picture as that of the empty trays."""
        ...

    def wait(self) -> dict[str, Any]:
        """Let the game in play wait while somebody empties or moves trays."""
        ...


def show_camera(app: Flask, bench: ZoneBench) -> None:
    """Serve `/setup/camera` and its part of the interface."""

    @app.get("/setup/camera")
    def setup_camera() -> str:
        return render_template("setup_camera.html", eyes=in_language(bench.look()))

    @app.get(ROOT)
    def api_setup_cameras() -> Response:
        return told(bench.look())

    @app.get(f"{ROOT}/<camera>/picture")
    def api_setup_picture(camera: str) -> Response:
        return Response(bench.picture(camera), mimetype="image/jpeg")

    @app.post(f"{ROOT}/wait")
    def api_setup_cameras_wait() -> Response:
        body_as(setup_bodies.Nothing)
        return told(bench.wait())

    show_waiting(app, ROOT, bench)
    change_camera(app, bench)


def change_camera(app: Flask, bench: ZoneBench) -> None:
    """Set zones, and what is known of a camera."""

    @app.put(f"{ROOT}/<camera>/zones/<zone>")
    def api_setup_zone(camera: str, zone: str) -> Response:
        wish = body_as(setup_bodies.ZoneSet)
        return told(bench.set_zone(camera, zone, wish.corners, wish.sides, wish.dice))

    @app.delete(f"{ROOT}/<camera>/zones/<zone>")
    def api_setup_zone_drop(camera: str, zone: str) -> Response:
        return told(bench.drop_zone(camera, zone))

    @app.put(f"{ROOT}/<camera>")
    def api_setup_camera(camera: str) -> Response:
        return told(bench.set_die_px(camera, body_as(setup_bodies.CameraSet).die_px))

    @app.post(f"{ROOT}/<camera>/empty")
    def api_setup_empty(camera: str) -> Response:
        body_as(setup_bodies.Nothing)
        return told(bench.keep_empty(camera))
