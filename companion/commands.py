"""What commands share, and those that set up a camera over a square of tiles."""

from pathlib import Path
from typing import Any

import click
from rich.console import Console

OUT = Console(highlight=False)
ERR = Console(stderr=True, highlight=False)


def examples(*lines: str) -> str:
    """Examples as the end of a help text."""
    return "\b\nExamples:\n" + "\n".join(f"  companion {line}" for line in lines)


option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="A house rule; repeatable."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
square_option = click.option(
    "--square", "square", default="square.toml", show_default=True,
    type=click.Path(dir_okay=False, path_type=Path), help="File that says where the square lies.",
)  # fmt: skip
columns_option = click.option(
    "--columns", type=click.IntRange(2, 20), default=7, show_default=True,
    help="Rows and columns of the square.",
)  # fmt: skip


@click.command(
    epilog=examples(
        "calibrate --print cards.pdf",
        "calibrate square.jpg",
        'calibrate square.jpg --corners "120,40;520,44;560,330;90,326"',
    )
)
@click.argument("picture", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--print", "sheet", type=click.Path(dir_okay=False, path_type=Path),
              help="Write a sheet with corner cards to print, .pdf or .png.")  # fmt: skip
@click.option("--corners", help="Corners in pixels, x,y;x,y;x,y;x,y: upper left, then clockwise.")
@square_option
@columns_option
@click.option("--spacing", type=click.FloatRange(1.0, 3.0), default=1.16, show_default=True,
              help="From tile to tile, in tile edges.")  # fmt: skip
def calibrate(picture: Path | None, sheet: Path | None, corners: str | None, **given: Any) -> None:
    """Find the square of tiles in a picture of it without tiles, and keep where it lies.

    Four corner cards lie around it, or four points of the picture are given.
    """
    from companion import calibrating

    if picture is None and sheet is None:
        raise click.UsageError("expected a picture of the square without tiles, or --print FILE")
    if sheet is not None:
        calibrating.print_sheet(sheet, OUT)
    if picture is not None:
        calibrating.calibrate(picture, corners, given.pop("square"), OUT, **given)


@click.command(
    epilog=examples(
        "enrol grotto --from pictures",
        "enrol grotto --camera 0 --kind white=troll,diamond,key,door --kind gold=blank,gold1,gold2",
        "enrol trial --camera simulated --kind white=troll,key",
        "enrol photos --square square.toml --to tiles",
    )
)
@click.argument("target", metavar="SET", type=click.Path(file_okay=False, path_type=Path))
@click.option("--from", "pictures",
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder with KIND/FACE/*.jpg, one die in each picture.")  # fmt: skip
@click.option("--empty", help="Picture of the empty tray, of the same camera.")
@click.option(
    "--camera",
    "device",
    help="Take the pictures live: 0, /dev/video0 or picamera; or `simulated`, to try it.",
)
@click.option("--kind", "kinds", multiple=True, metavar="KIND=FACE,...",
              help="Faces of a kind, for --camera; repeatable.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; for dice.")
@square_option
@columns_option
@click.option("--to", default="tiles", show_default=True,
              type=click.Path(file_okay=False, path_type=Path),
              help="Folder for learnt tiles.")  # fmt: skip
def enrol(
    target: Path,
    pictures: Path | None,
    empty: str | None,
    device: str | None,
    kinds: tuple[str, ...],
    as_json: bool,
    square: Path,
    columns: int,
    to: Path,
) -> None:
    """Learn how dice or tiles look, from a few pictures of each face.

    Dice: SET is the folder for what is learnt. The pictures, about 8 of each face, come from
    --from or a live --camera, whose exposure, white balance and focus are locked before. How well
    the faces can be told apart is printed.

    Tiles (neither of the two given): SET holds a folder for each face (ball, car, doll,
    candlestick, chest, ring, dragon, spider) and one called back; every picture shows one or more
    tiles that lie in the square that way.
    """
    if pictures is not None or device is not None:
        from companion import enrol_live, enrolling

        if pictures is not None and device is not None:
            raise click.UsageError("expected --from or --camera, not both")
        if pictures is not None and kinds:
            raise click.UsageError("expected --kind with --camera only; folders name the faces")
        if pictures is not None:
            enrolling.enrol_dice(target, pictures, empty, OUT, as_json=as_json)
        elif device is not None and kinds:
            asks_on = ERR if as_json else OUT
            enrol_live.enrol_live(target, device, kinds, asks_on, empty=empty, as_json=as_json)
        else:
            raise click.UsageError("expected --kind KIND=FACE,... with --camera")
        return
    if not (target / "back").is_dir():
        raise click.UsageError(
            f"{target}: expected --from FOLDER or --camera DEVICE for dice, or a folder of tiles: "
            "one folder for each face and one called back"
        )
    from companion import calibrating

    calibrating.enrol(target, square, to, OUT, columns=columns)
