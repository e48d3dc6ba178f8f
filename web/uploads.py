"""Pictures that people send in: decoded, written anew, kept under names of our own.

What comes in is never stored as it came, and no name that a sender chose is ever used. Decoding is
the camera's business; this room is given a function for it.
"""

import re
import secrets
from collections.abc import Callable
from pathlib import Path

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import NotFound

from companion.errors import PictureError
from web.keys import write_privately
from web.refusals import Refused

ROOT = "/api/v1/pictures"
LARGEST_PICTURE = 8 * 1024 * 1024  # bytes; a telephone's photograph has 3 to 6 million
MOST_PICTURES = 500
KINDS = ("image/jpeg", "image/png", "image/webp")
NAME = re.compile(r"[0-9a-f]{32}\.png")
Clean = Callable[[bytes], bytes]


def take_pictures(app: Flask, folder: Path, clean: Clean) -> None:
    """Serve the pictures of a folder, and take new ones; all of it for referees only.

    clean  decodes a JPEG, PNG or WebP picture and gives it back as PNG; raises PictureError.
    """

    @app.get(ROOT)
    def api_pictures() -> Response:
        names = sorted(one.name for one in folder.glob("*.png") if NAME.fullmatch(one.name))
        return jsonify({"pictures": names})

    @app.post(ROOT)
    def api_upload() -> tuple[Response, int]:
        if folder.is_dir() and sum(1 for _ in folder.glob("*.png")) >= MOST_PICTURES:
            raise Refused(422, "too_many_pictures", "Throw some pictures away first.")
        try:
            picture = clean(request.get_data(cache=False))
        except PictureError as error:
            raise Refused(422, "no_picture", str(error)) from error
        name = f"{secrets.token_hex(16)}.png"
        write_privately(folder / name, picture)
        return jsonify({"name": name}), 201

    @app.get(f"{ROOT}/<name>")
    def api_picture(name: str) -> Response:
        return Response(path_of(folder, name).read_bytes(), mimetype="image/png")

    @app.delete(f"{ROOT}/<name>")
    def api_discard(name: str) -> tuple[str, int]:
        path_of(folder, name).unlink(missing_ok=True)
        return "", 204


def path_of(folder: Path, name: str) -> Path:
    """Where a picture lies; NotFound for every name that is not one of ours."""
    path = folder / name
    if not NAME.fullmatch(name) or path.is_symlink() or not path.is_file():
        raise NotFound(f"There is no picture {name!r}.")
    return path
