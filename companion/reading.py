"""`companion read`: the dice in photographs, a line or a table row for each picture."""

import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from camera.faces import CERTAIN
from camera.halves import Halves
from camera.left_in import check_bare
from camera.pictures import load_picture, read_picture, save_picture
from camera.pip_floor import KnownFloor
from camera.reading_drawing import draw_readings, name_of
from camera.seek import Seeker
from companion.errors import ConfigError
from companion.protocol import encode

MANY = 10  # pictures, from which a bar shows how far it is


def read_all(
    pictures: Sequence[str],
    console: Console,
    *,
    expect: int | None,
    empty: str | None,
    draw: Path | None,
    as_json: bool,
) -> bool:
    """Read every picture; False if one of them was none. Raises PictureError for a bad `empty`."""
    reference = None
    if empty is not None:
        reference = Halves(load_picture(empty))
        check_bare(reference.pixels, empty)
    # pictures of one empty tray are by one camera: each tells the next how dice lie flat in it
    floor, seeker = None if empty is None else KnownFloor(), Seeker()
    return tell_each(
        pictures,
        lambda path: read_picture(path, expect=expect, empty=reference, floor=floor, seeker=seeker),
        console,
        draw=draw,
        as_json=as_json,
    )


def tell_each(
    pictures: Sequence[str],
    read: Callable[[str], dict[str, Any]],
    console: Console,
    *,
    draw: Path | None,
    as_json: bool,
) -> bool:
    """Read pictures, print and draw what was seen; False if one of them was none.

    Raises ConfigError, before anything is read, for a folder `draw` that cannot be written.
    """
    if draw is not None:
        make_folder(draw)
    fine, drawn = True, list[Path]()
    with bar_for(len(pictures) >= MANY) as bar:
        for path in bar.track(pictures, description="reading"):
            line = read(path)
            fine = fine and "error" not in line
            show(line, console, as_json=as_json)
            if draw is not None and "error" not in line:
                drawn.append(keep_drawing(path, line, draw, drawn))
    return fine


def bar_for(is_wanted: bool) -> Progress:
    """A bar on stderr for what takes long; none where nobody looks on."""
    on = Console(stderr=True)
    return Progress(console=on, transient=True, disable=not (is_wanted and on.is_terminal))


def make_folder(folder: Path) -> None:
    """Make a folder before anything is done for it; raise ConfigError if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigError(
            f"{folder}: expected a folder that can be written: {error.strerror}; name another"
        ) from error


@contextlib.contextmanager
def folder_for(folder: Path) -> Iterator[None]:
    """Make a folder before anything is done for it; where nothing comes of it, it goes again."""
    is_new = not folder.exists()
    make_folder(folder)
    try:
        yield
    except BaseException:  # Ctrl-C, too
        if is_new:
            with contextlib.suppress(OSError):  # something lies there after all
                folder.rmdir()
        raise


def show(line: dict[str, Any], console: Console, *, as_json: bool) -> None:
    """Print one picture's dice."""
    if as_json:
        sys.stdout.buffer.write(encode(line) + b"\n")
        sys.stdout.buffer.flush()
    elif "error" in line:
        console.print(str(line["error"]), style="red", markup=False, soft_wrap=True)
    else:
        faces = " ".join(f"{name_of(die)} ({die['certainty']:.2f})" for die in line["dice"])
        mark = "[green]ok [/green]" if line["accepted"] else "[yellow]ask[/yellow]"
        console.print(
            f"{mark} {escape(str(line['picture']))}: {faces or 'no dice'}", soft_wrap=True
        )
        for doubt in line.get("doubts", ()) if line["dice"] else ():
            console.print(f"    {doubt}", markup=False, soft_wrap=True)
        for die in () if line["accepted"] else line["dice"]:
            likeliest = die.get("likeliest", ())
            is_told = "doubt" in die  # in words, of symbol dice
            if die["certainty"] < CERTAIN and len(likeliest) > 1 and not is_told:
                x, y = (die["box"][side] + die["box"][side + 2] // 2 for side in (0, 1))
                offered = ", ".join(likeliest[:3])
                console.print(f"    the die at {x},{y}: is it {offered}?", soft_wrap=True)


def keep_drawing(path: str, line: dict[str, Any], folder: Path, kept: Sequence[Path] = ()) -> Path:
    """Save the picture with what was read drawn on it; give where.

    kept  drawings of this run: one of the same name gets a number.
    """
    name, number = folder / f"{Path(path).stem}.png", 1
    while name in kept:
        number += 1
        name = folder / f"{Path(path).stem}-{number}.png"
    save_picture(name, draw_readings(load_picture(path), line))
    return name
