"""`companion read --set`: symbol dice in photographs, with a set that was learnt before."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from camera.canvas import Pixels
from camera.dice_sets import load
from camera.pictures import load_picture
from camera.stills import StillReader, as_values
from companion.errors import PictureError
from companion.reading import keep_drawing, show


def read_all_symbols(
    pictures: Sequence[str],
    console: Console,
    *,
    learnt: Path,
    expect: int | None,
    empty: str | None,
    draw: Path | None,
    as_json: bool,
) -> bool:
    """Read every picture with a learnt set; False if one of them was no picture.

    Raises ConfigError for a bad set, PictureError for a bad `empty`.
    """
    reader = StillReader(load(learnt))
    reference = None if empty is None else load_picture(empty)
    bar = Progress(console=Console(stderr=True), disable=len(pictures) < 10, transient=True)
    fine, drawn = True, list[Path]()
    with bar:
        for path in bar.track(pictures, description="reading"):
            line = read_symbols(path, reader, expect=expect, empty=reference)
            fine = fine and "error" not in line
            show(line, console, as_json=as_json)
            if draw is not None and "error" not in line:
                drawn.append(keep_drawing(path, line, draw, drawn))
    return fine


def read_symbols(
    path: str, reader: StillReader, *, expect: int | None, empty: Pixels | None
) -> dict[str, Any]:
    """Read one picture; give the line that is printed, with an `error` where it is none."""
    line: dict[str, Any] = {"picture": path, "accepted": False, "dice": []}
    try:
        look = reader.read(load_picture(path), expect=expect, empty=empty)
    except PictureError as error:
        said = str(error)
        return {**line, "error": said if said.startswith(path) else f"{path}: {said}"}
    doubts = {"doubts": list(look.doubts)} if look.doubts else {}
    return {**line, "accepted": look.accepted, "dice": as_values(look.readings), **doubts}
