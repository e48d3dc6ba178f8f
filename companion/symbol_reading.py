"""`companion read --set`: symbol dice in photographs, with a set that was learnt before."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from camera.canvas import Pixels
from camera.dice_sets import SET_FILE, DiceLooks, load
from camera.left_in import check_bare
from camera.pictures import load_picture
from camera.stills import StillReader, as_values
from companion.errors import ConfigError, PictureError
from companion.reading import tell_each


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
    looks = learnt_set(learnt)
    reader, reference = StillReader(looks), None
    if empty is not None:
        reference = load_picture(empty)
        check_bare(reference, empty, looks)
    return tell_each(
        pictures,
        lambda path: read_symbols(path, reader, expect=expect, empty=reference),
        console,
        draw=draw,
        as_json=as_json,
    )


def learnt_set(folder: Path) -> DiceLooks:
    """The set that was learnt into a folder; ConfigError says how to make one."""
    if not (folder / SET_FILE).is_file():
        raise ConfigError(
            f"{folder}: expected a learnt set, a folder with {SET_FILE}; "
            f"make it with `companion enrol {folder}`"
        )
    return load(folder)


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
