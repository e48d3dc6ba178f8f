"""Teaching dice and tiles on the set-up page, face by face, with a live score."""

from typing import Any, Protocol

from flask import Flask, Response, render_template, request

from web import setup_bodies
from web.bodies import body_as
from web.refusals import Refused
from web.setup_waits import Waiting, show_waiting, told
from web.telling import in_language

ROOT = "/api/v1/setup/faces"
LONGEST_NAME = 200


class FaceBench(Waiting, Protocol):
    """What the set-up page asks of the house about teaching; refusals raise IllegalAction."""

    def look(self) -> dict[str, Any]:
        """What can be taught, and how far the lesson is."""
        ...

    def thumb(self, picture: str) -> bytes:
        """A small JPEG of a picture that was learnt."""
        ...

    def begin(self, what: str) -> dict[str, Any]:
        """Begin a lesson in dice or tiles."""
        ...

    def take(self, kind: str, face: str) -> dict[str, Any]:
        """Take a picture with the camera once nothing moves, and learn it."""
        ...

    def bring(self, kind: str, face: str, data: bytes) -> dict[str, Any]:
        """Learn from a picture that was sent in."""
        ...

    def take_back(self, picture: str) -> dict[str, Any]:
        """Forget a picture."""
        ...

    def choose(self, kind: str, face: str) -> dict[str, Any]:
        """Teach this face now."""
        ...

    def save(self) -> dict[str, Any]:
        """Save what was learnt."""
        ...

    def end(self) -> dict[str, Any]:
        """End the lesson."""
        ...


def show_faces(app: Flask, bench: FaceBench) -> None:
    """Serve `/setup/faces` and its part of the interface."""

    def drawn(template: str) -> str:
        return render_template(template, faces=in_language(bench.look()))

    @app.get("/setup/faces")
    def setup_faces() -> str:
        return drawn("setup_faces.html")

    @app.get("/setup/faces/board")
    def setup_faces_board() -> str:
        return drawn("setup_faces_board.html")

    show_waiting(app, ROOT, bench)
    serve_lesson(app, bench)
    serve_pictures(app, bench)


def serve_lesson(app: Flask, bench: FaceBench) -> None:
    """Begin, steer and end a lesson."""

    @app.get(ROOT)
    def api_setup_faces() -> Response:
        return told(bench.look())

    @app.post(ROOT)
    def api_setup_lesson() -> Response:
        return told(bench.begin(body_as(setup_bodies.LessonBegun).what))

    @app.delete(ROOT)
    def api_setup_lesson_end() -> Response:
        return told(bench.end())

    @app.put(f"{ROOT}/now")
    def api_setup_face() -> Response:
        wish = body_as(setup_bodies.FaceShown)
        return told(bench.choose(wish.kind, wish.face))

    @app.post(f"{ROOT}/save")
    def api_setup_faces_save() -> Response:
        body_as(setup_bodies.Nothing)
        return told(bench.save())


def serve_pictures(app: Flask, bench: FaceBench) -> None:
    """Take pictures with the camera or from files, show them, take them back."""

    @app.post(f"{ROOT}/pictures")
    def api_setup_take() -> Response:
        wish = body_as(setup_bodies.FaceShown)
        return told(bench.take(wish.kind, wish.face))

    @app.post(f"{ROOT}/uploads")
    def api_setup_upload() -> Response:
        kind, face = (request.args.get(name, "")[:LONGEST_NAME] for name in ("kind", "face"))
        if not kind or not face:
            raise Refused(400, "bad_fields", "Expected kind and face in the query.")
        return told(bench.bring(kind, face, request.get_data(cache=False)))

    @app.get(f"{ROOT}/pictures/<picture>")
    def api_setup_thumb(picture: str) -> Response:
        return Response(bench.thumb(picture), mimetype="image/jpeg")

    @app.delete(f"{ROOT}/pictures/<picture>")
    def api_setup_take_back(picture: str) -> Response:
        return told(bench.take_back(picture))
