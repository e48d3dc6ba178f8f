"""Pictures of dice: those of open questions, and those that the steps of a game were read from.

Whoever may look at the table may see them; nobody else, and no browser keeps them.
"""

from pathlib import Path

from flask import Flask, Response, send_from_directory

from web.refusals import Refused

PICTURES = "/evidence/"
ENDINGS = (".png", ".jpg", ".webp")


def show_evidence(app: Flask, questions: Path | None, rolls: Path | None) -> None:
    """Serve the pictures of two folders; `picture_address` tells templates where one is, if any."""

    def picture_address(evidence: str | None) -> str | None:
        name = (evidence or "").removeprefix(PICTURES).lstrip("/")
        return PICTURES + name if found(rolls, name) or found(questions, name) else None

    app.jinja_env.filters["picture_address"] = picture_address

    @app.get(f"{PICTURES}<path:name>")
    def evidence(name: str) -> Response:
        if questions is not None and found(questions, name):
            return shown(questions, name)
        if rolls is not None and found(rolls, name):
            return shown(rolls, name)
        raise Refused(404, "no_picture", "There is no such picture.")


def found(folder: Path | None, name: str) -> bool:
    """True if the folder has a picture of that name; what leads out of it is none."""
    if folder is None or not name.endswith(ENDINGS):
        return False
    try:
        path = (folder / name).resolve()
        return path.is_relative_to(folder.resolve()) and path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def shown(folder: Path, name: str) -> Response:
    """A picture, for this once."""
    reply = send_from_directory(folder.resolve(), name)
    reply.headers["Cache-Control"] = "no-store"  # it may show what is hidden in a moment
    return reply
