"""Pictures from files: loaded with care, read for dice."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from camera.decoding import decoded
from camera.doubts import in_words
from camera.halves import Picture
from camera.picture_headers import LONGEST_MARK, is_marked, picture_size
from camera.pip_beside import read_still
from camera.pip_blobs import Pixels
from camera.pip_floor import KnownFloor
from camera.pip_readings import Look
from camera.seek import Seeker
from companion.errors import PictureError
from companion.field_words import reason
from companion.words import of_system, say, word

MOST_PIXELS = 100_000_000
SMALLEST_SIDE_PX = 16  # a die of 20 px, the smallest that is read, does not fit into less
ANY_PIPS = "d6"  # the kind of pip dice where no game names them


def load_picture(path: str | Path) -> Pixels:
    """Load a JPEG, PNG, BMP, WebP or TIFF file as (H, W, 3) uint8 BGR.

    Grey pictures get three equal channels, 16 bits become 8, transparency is dropped.
    Raises PictureError, naming the path, for anything that is no whole picture of at least
    16 x 16 and at most 100 million pixels.
    """
    data = _bytes(path)
    _check_size(path, *_told_size(path, data))
    pixels = _decoded(path, data)
    _check_size(path, pixels.shape[1], pixels.shape[0])
    return _eight_bits(path, pixels)


def _bytes(path: str | Path) -> bytes:
    """All of a file that begins as a picture does; else its beginning: others may never end."""
    try:
        with open(path, "rb") as file:
            begins = file.read(LONGEST_MARK)
            return begins + file.read() if is_marked(begins) else begins
    except IsADirectoryError as error:
        raise PictureError(
            say("{path}: expected a picture, got a folder; name its files", path=path)
        ) from error
    except (OSError, ValueError) as error:
        raise PictureError(
            say("{path}: cannot be read: {why}", path=path, why=reason(error))
        ) from error


def _told_size(path: str | Path, data: bytes) -> tuple[int, int]:
    """Width and height, as the file's header tells them, before anything is decoded."""
    try:
        size = picture_size(data)
    except ValueError as error:
        raise PictureError(
            say(
                "{path}: expected a whole picture, but {why}; copy it again, or take another",
                path=path,
                why=reason(error),
            )
        ) from error
    if size is None:
        raise PictureError(
            say(
                "{path}: expected a JPEG, PNG, BMP, WebP or TIFF picture, got something else; "
                "save it as one of them",
                path=path,
            )
        )
    return size


def _decoded(path: str | Path, data: bytes) -> Any:
    """The picture as OpenCV gives it: grey or BGR, 8 or 16 bits, or floats."""
    try:
        pixels = decoded(data, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
    except cv2.error as error:
        raise PictureError(
            say("{path}: the picture cannot be decoded: {why}", path=path, why=error.err)
        ) from error
    if pixels is None:
        raise PictureError(
            say("{path}: the picture cannot be decoded; the file may be damaged", path=path)
        )
    return pixels


def _check_size(path: str | Path, width: int, height: int) -> None:
    if min(width, height) < SMALLEST_SIDE_PX:
        raise PictureError(
            say(
                "{path}: expected at least {least} x {least} pixels, got {width} x {height}",
                path=path,
                least=SMALLEST_SIDE_PX,
                width=width,
                height=height,
            )
        )
    if width * height > MOST_PIXELS:
        raise PictureError(
            say(
                "{path}: expected at most 100 million pixels, got {width} x {height}; scale it "
                "down",
                path=path,
                width=width,
                height=height,
            )
        )


def _eight_bits(path: str | Path, pixels: Any) -> Pixels:
    if pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    if pixels.dtype != np.uint8:
        raise PictureError(
            say(
                "{path}: expected 8 or 16 bits a channel, got {dtype}",
                path=path,
                dtype=pixels.dtype,
            )
        )
    if pixels.ndim == 2:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
    return np.ascontiguousarray(pixels)


def read_picture(
    path: str | Path,
    *,
    expect: int | None = None,
    empty: Picture | None = None,
    floor: KnownFloor | None = None,
    seeker: Seeker | None = None,
) -> dict[str, Any]:
    """Read the pip dice in a picture file; give the line that `companion read` prints.

    expect  how many dice the table waits for; another number is not accepted.
    empty   the tray without dice, of the same size: what has not changed is no die.
    floor   what earlier pictures by the same camera told of it.
    seeker  who finds dice by their looks; made anew where none is given.
    A file that is no picture gets a line with an `error`; nothing is raised for it.
    """
    line: dict[str, Any] = {"picture": str(path), "accepted": False, "dice": []}
    try:
        picture = load_picture(path)
        look = read_still(picture, seeker or Seeker(), expect=expect, empty=empty, floor=floor)
    except PictureError as error:
        said = str(error)
        return {**line, "error": said if said.startswith(str(path)) else f"{path}: {said}"}
    asked = {} if look.accepted else {"doubts": list(in_words(look.doubts))}
    return {**line, "accepted": look.accepted, "dice": dice_of(look), **asked}


def dice_of(look: Look) -> list[dict[str, Any]]:
    """Give the readings of a look as plain values, ready for JSON."""
    return [
        {
            "kind": ANY_PIPS,
            "face": str(reading.face),
            "certainty": round(reading.certainty, 3),
            "box": list(reading.box),
            "likeliest": [str(face) for face, _ in reading.likeliest],
            **({"flaw": reading.flaw} if reading.flaw else {}),
        }
        for reading in look.readings
    ]


def save_picture(path: str | Path, pixels: Pixels) -> None:
    """Write a picture, (H, W, 3) uint8 BGR; the ending of `path` says in which format.

    Raises PictureError, naming `path`, where it cannot be written.
    """
    try:
        written, coded = cv2.imencode(Path(path).suffix or ".png", pixels)
    except cv2.error:  # instead of saying so
        written = False
    try:
        if written:
            Path(path).write_bytes(coded.tobytes())
            return
        why = word("OpenCV knows no such format; write it as .png")
    except OSError as error:
        why = of_system(error)
    raise PictureError(say("{path}: the picture cannot be written: {why}", path=path, why=why))
