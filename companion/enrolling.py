"""`companion enrol` for dice: learn a set from pictures, and tell how well it can be told apart."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from camera.dice_sets import DiceLooks, save
from camera.enrol_dice import FEW, Apart, Teacher, learn_dice, pictures_below, tell_apart
from camera.pictures import load_picture
from companion.errors import ConfigError
from companion.protocol import encode

A_FACE = 8  # pictures that are taken of each face


def enrol_dice(
    to: Path, pictures: Path, empty: str | None, console: Console, *, as_json: bool
) -> None:
    """Learn dice from folders KIND/FACE with pictures of one die each, and save the set."""
    teacher = Teacher(None if empty is None else load_picture(empty))
    listed = pictures_below(pictures)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        looks = learn_dice(pictures, teacher, bar.track(listed, description="learning"))
    finish(looks, to, teacher.skipped, console, as_json=as_json)


def finish(
    looks: DiceLooks, to: Path, skipped: Iterable[str], console: Console, *, as_json: bool
) -> None:
    """Save what was learnt and tell how good it is."""
    try:
        save(looks, to)
    except OSError as error:
        raise ConfigError(f"{to}: cannot be written: {error.strerror}") from error
    told = summary(to, looks, tell_apart(looks), list(skipped))
    if as_json:
        sys.stdout.buffer.write(encode(told) + b"\n")
    else:
        show(told, console)


def summary(to: Path, looks: DiceLooks, apart: Apart, skipped: list[str]) -> dict[str, Any]:
    """What was learnt, as plain values."""
    faces = [
        {"kind": kind, "face": face, "pictures": len(found),
         "looks_same_turned": apart.turns.get((kind, face), "none")}
        for kind, by_face in looks.patches.items() for face, found in by_face.items()
    ]  # fmt: skip
    closest = None if apart.closest is None else [" ".join(face) for face in apart.closest]
    return {
        "set": str(to),
        "kinds": {name: kind.colour for name, kind in looks.kinds.items()},
        "faces": faces,
        "left_out_right_share": round(apart.right / max(1, apart.patches), 4),
        "left_out_pictures": apart.patches,
        "closest_faces": closest,
        "closeness": round(apart.closeness, 3),
        "skipped": skipped,
    }


def show(told: dict[str, Any], console: Console) -> None:
    """Print what was learnt for people."""
    table = Table("kind", "face", "pictures", "looks the same after")
    turns = {"any": "any turn", "half": "half a turn", "none": "no turn"}
    for row in told["faces"]:
        few = " (few)" if row["pictures"] < FEW else ""
        table.add_row(
            row["kind"], row["face"], f"{row['pictures']}{few}", turns[row["looks_same_turned"]]
        )
    console.print(table)
    for line in told["skipped"]:
        console.print(f"left out: {line}", style="yellow", markup=False, soft_wrap=True)
    right, pictures = told["left_out_right_share"], told["left_out_pictures"]
    console.print(f"{right:.1%} of {pictures} pictures are told by the others")
    if told["closest_faces"]:
        one, other = told["closest_faces"]
        near = told["closeness"]
        how = "clearly apart" if near < 0.7 else "rather alike" if near < 1 else "confused"
        console.print(f"most easily confused: {one} and {other} ({how})", markup=False)
    console.print(f"learnt set: {told['set']}", markup=False)
