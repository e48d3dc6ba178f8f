"""`companion enrol` for dice: learn a set from pictures, and tell how well it can be told apart."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from camera.dice_sets import DiceLooks, save
from camera.enrol_dice import FEW, Apart, Teacher, learn_dice, pictures_below, tell_apart
from camera.pictures import load_picture
from camera.source import LiveCamera
from companion.clock import RealClock
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


def enrol_live(
    to: Path, device: int, kinds: Sequence[str], console: Console, *, as_json: bool
) -> None:
    """Ask for each face in front of a camera, and save the set."""
    wanted = list(faces_wanted(kinds))
    camera = LiveCamera(device, RealClock())
    teacher = Teacher()
    try:
        for kind, face in wanted:
            _take(teacher, camera, kind, face, console)
    finally:
        camera.close()
    finish(teacher.learnt(wanted), to, (), console, as_json=as_json)


def _take(teacher: Teacher, camera: LiveCamera, kind: str, face: str, console: Console) -> None:
    """Take pictures of one face until there are enough of use."""
    taken = 0
    while taken < A_FACE:
        told = f"{kind}: lay one die with {face} up, turned otherwise ({taken + 1} of {A_FACE})"
        console.input(f"{told}, then press Enter ", markup=False)
        camera.frame()  # one that was taken before Enter
        if teacher.show(kind, face, camera.frame().pixels, f"{kind} {face}"):
            taken += 1
        else:
            console.print(teacher.skipped.pop(), style="yellow", markup=False)


def faces_wanted(kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Kind and face, from `white=troll,key` and the like; raises ConfigError for anything else."""
    for listed in kinds:
        kind, _, faces = listed.partition("=")
        names = [face.strip() for face in faces.split(",") if face.strip()]
        if not kind or not names:
            raise ConfigError(
                f"--kind: expected KIND=FACE,FACE such as white=troll,key, got {listed!r}"
            )
        yield from ((kind.strip(), face) for face in dict.fromkeys(names))


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
