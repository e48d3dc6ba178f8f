"""`companion enrol` for dice: learn a set from pictures, and tell how well it can be told apart."""

import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from camera.answers import replace
from camera.dice_sets import DiceLooks
from camera.enrol_dice import FEW, Apart, Teacher, learn_dice, pictures_below, tell_apart
from camera.pictures import load_picture
from companion.commands import ERR
from companion.errors import ConfigError, PictureError
from companion.protocol import encode
from companion.reading import bar_for, folder_for

A_FACE = 8  # pictures that are taken of each face
ALIKE = (
    (1.0, "taken for each other: look whether all their pictures show the right face"),
    (0.7, "rather alike: more pictures of both will help"),
    (-math.inf, "clearly apart"),
)  # closeness from which this is said of two faces


def enrol_dice(
    to: Path, pictures: Path, empty: str | None, console: Console, *, as_json: bool
) -> None:
    """Learn dice from folders KIND/FACE with pictures of one die each, and save the set."""
    listed = pictures_below(pictures)
    teacher = Teacher(None if empty is None else load_picture(empty))
    with folder_for(to):
        try:
            with bar_for(True) as bar:
                looks = learn_dice(pictures, teacher, bar.track(listed, description="learning"))
        except PictureError:
            tell_left_out(teacher.skipped, ERR if as_json else console)
            raise
        if empty is not None and not teacher.beside_empty:
            raise PictureError(
                f"{empty}: expected the empty tray as large as the pictures in {pictures}; "
                "take it with the same camera, or leave out --empty"
            )
        finish(looks, to, teacher.skipped, console, as_json=as_json)


def finish(
    looks: DiceLooks, to: Path, skipped: Iterable[str], console: Console, *, as_json: bool
) -> None:
    """Save what was learnt and tell how good it is."""
    before = save(looks, to)
    told = summary(to, looks, tell_apart(looks), list(skipped))
    told["set_before"] = None if before is None else str(before)
    if as_json:
        sys.stdout.buffer.write(encode(told) + b"\n")
        return
    show(told, console)
    learnt = f"learnt set: {told['set']}{in_place_of(before)}"
    console.print(learnt, markup=False, soft_wrap=True)
    console.print(f"try it: companion read --set {to} PICTURE", markup=False, soft_wrap=True)


def save(looks: DiceLooks, to: Path) -> Path | None:
    """Save what was learnt; give the folder where the set that was there before lies now."""
    try:
        return replace(looks, to)
    except OSError as error:
        raise ConfigError(f"{to}: cannot be written: {error.strerror}") from error


def in_place_of(before: Path | None) -> str:
    """Say where the set that was replaced lies, in words to be added."""
    return f", in place of what was learnt there before: that lies in {before}" if before else ""


def tell_left_out(skipped: Iterable[str], console: Console) -> None:
    """Print which pictures were of no use, and why."""
    for line in skipped:
        console.print(f"left out: {line}", style="yellow", markup=False, soft_wrap=True)


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
    tell_left_out(told["skipped"], console)
    share, pictures = told["left_out_right_share"], told["left_out_pictures"]
    right = round(share * pictures)
    how = f"the others tell {right} of {pictures} pictures right ({share:.1%})"
    if not pictures:
        how = "there is but one picture of each face; with more, their share told right is known"
    console.print(f"leave-one-out: {how}", soft_wrap=True)
    if told["closest_faces"]:
        one, other = told["closest_faces"]
        near = told["closeness"]
        how = next(words for least, words in ALIKE if near >= least)
        console.print(
            f"most easily confused: {one} and {other} ({how})", markup=False, soft_wrap=True
        )
