"""`companion calibrate` and `companion enrol`: where a square lies, and how its tiles look."""

import re
from pathlib import Path

from rich.console import Console

from camera.calibrate import load_zones, save_zones
from camera.corners import sheet_pdf, sheet_png, zone_from_cards, zone_from_taps
from camera.pictures import load_picture, save_picture
from camera.simulated_square import FACES
from camera.tile_art import BACK
from camera.tiles_looks import learn_tiles, pictures_in
from companion.enrolling import in_place_of, save
from companion.errors import ConfigError
from companion.words import of_system, say

SHEETS = {".pdf": sheet_pdf, ".png": sheet_png}
POINT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*")


def print_sheet(path: Path, console: Console) -> None:
    """Write the sheet of corner cards as a PDF or PNG file."""
    draw = SHEETS.get(path.suffix.lower())
    if draw is None:
        raise ConfigError(say("{path}: expected a name that ends in .pdf or .png", path=path))
    try:
        path.write_bytes(draw())
    except OSError as error:
        raise ConfigError(
            say("{path}: cannot be written: {why}", path=path, why=of_system(error))
        ) from error
    console.print(f"{path}: four corner cards; print the page, cut along the grey lines")


def calibrate(
    picture: Path,
    corners: str | None,
    to: Path,
    console: Console,
    *,
    columns: int,
    spacing: float,
) -> None:
    """Find the square in a picture of it without tiles, by its cards or by four points; save it."""
    pixels = load_picture(picture)
    if corners is None:
        zone = zone_from_cards(pixels, columns=columns, spacing=spacing)
    else:
        zone = zone_from_taps(points_from(corners), pixels, columns=columns, spacing=spacing)
    try:
        save_zones([zone], to)
    except OSError as error:
        raise ConfigError(
            say("{path}: cannot be written: {why}", path=to, why=of_system(error))
        ) from error
    save_picture(empty_of(to), pixels)
    where = " ".join(f"({x:.0f}, {y:.0f})" for x, y in zone.corners)
    console.print(f"{to}: the square lies between {where}")
    console.print(f"{empty_of(to)}: the square without tiles")


def points_from(corners: str) -> list[tuple[float, float]]:
    """Points from `x,y;x,y;x,y;x,y`, in picture pixels."""
    found = [POINT.fullmatch(part) for part in corners.split(";")]
    points = [(float(match[1]), float(match[2])) for match in found if match]
    if len(points) != 4 or len(found) != 4:
        raise ConfigError(
            say(
                '--corners: expected four points such as "120,40;520,44;560,330;90,326", got '
                "{corners!r}",
                corners=corners,
            )
        )
    return points


def enrol(folder: Path, square: Path, to: Path, console: Console, *, columns: int) -> None:
    """Learn tiles from a folder of pictures for each face and one for the backs; save them."""
    zone = next((zone for zone in load_zones(square)), None)
    if zone is None:
        raise ConfigError(
            say("{path}: expected a square, found none; calibrate first", path=square)
        )
    empty = load_picture(empty_of(square))
    looks = learn_tiles(pictures_in(folder), zone, empty, columns=columns)
    before = save(looks, to)
    counts = {f: len(patches) for faces in looks.patches.values() for f, patches in faces.items()}
    learnt = ", ".join(f"{face} {counts[face]}" for face in (*FACES, BACK))
    told = f"{to}: learnt pictures of {learnt}{in_place_of(before)}"
    console.print(told, markup=False, soft_wrap=True)


def empty_of(square: Path) -> Path:
    """Where the picture of the square without tiles lies, beside where it lies in the picture."""
    return square.with_suffix(".empty.png")
