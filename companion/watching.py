"""`companion watch`: the live pipeline over a clip, one line for each roll."""

import math
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from companion.commands import OUT, examples
from companion.looking import check_lasts
from companion.protocol import encode

MOST_PER_S = 1000.0


def _finite(context: click.Context, option: click.Parameter, value: float) -> float:
    """Refuse `nan`, which lies in any range."""
    if not math.isfinite(value):
        raise click.BadParameter(f"expected a number of pictures a second, got {value}")
    return value


# fmt: off
@click.command(epilog=examples("watch clip.mp4 --set grotto",
                               "watch clip.avi --set grotto --expect 4 --json", "watch frames"))
@click.argument("clip", type=click.Path(path_type=Path))
@click.option("--set", "learnt", type=click.Path(file_okay=False, path_type=Path),
              help="Learnt set of symbol dice, from `companion enrol`; without: pip dice.")
@click.option("--expect", type=click.IntRange(1),
              help="How many dice lie there after each roll. Default: as many as before.")
@click.option("--fps", "per_s", type=click.FloatRange(0, MOST_PER_S, min_open=True), default=30.0,
              show_default=True, callback=_finite,
              help="Pictures a second of a folder that tells no times.")
@click.option("--figures", is_flag=True,
              help="Afterwards tell what a frame cost on one core, and how much memory it took.")
@click.option("--empty", help="Picture of the empty tray.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each roll.")
# fmt: on
def watch(
    clip: Path, learnt: Path | None, expect: int | None, per_s: float, figures: bool,
    empty: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Watch a clip of a tray as if it were live, as fast as it goes, and print each roll.

    CLIP is a video file or a folder of pictures. A video plays at its own rate. For a folder, a
    file times.csv in it tells the times, with a line NAME,SECONDS for each picture; or the names
    do, where all are seconds with a point, such as 12.345.png; else --fps does.
    """
    print_rolls(clip, learnt, empty, OUT, expect=expect, per_s=per_s, figures=figures,
                as_json=as_json)  # fmt: skip


def print_rolls(
    clip: Path,
    learnt: Path | None,
    empty: str | None,
    console: Console,
    *,
    expect: int | None = None,
    per_s: float = 30.0,
    figures: bool = False,
    as_json: bool,
) -> None:
    """Watch a clip and print each roll once it is known.

    Raises PictureError for what is no clip, and in the end for one of which a part is missing.
    """
    from camera.clips import throws_in
    from camera.figures import Figures
    from camera.left_in import check_bare
    from camera.pictures import load_picture
    from camera.source import check_whole, frames_told, use_one_core
    from companion.reading import bar_for
    from companion.symbol_reading import learnt_set

    check_lasts(clip)
    looks = None if learnt is None else learnt_set(learnt)
    reference = None
    if empty is not None:
        reference = load_picture(empty)
        check_bare(reference, empty, looks)
    rolls, costs = list[dict[str, Any]](), Figures()
    use_one_core()
    told, seen = frames_told(clip), 0
    with bar_for(not as_json) as bar:
        task = bar.add_task("watching", total=told or None)
        for line in throws_in(
            clip, looks, reference, lambda n: bar.update(task, completed=n),
            expect=expect, per_s=per_s, figures=costs,
        ):  # fmt: skip
            rolls.append(line)
            show(line, console, as_json=as_json)
        seen = int(bar.tasks[task].completed)
    if figures:
        tell(costs.values(), console, as_json=as_json)
    if not as_json:
        console.print(f"{counted(len(rolls), 'roll')} in {counted(seen, 'frame')}")
        if looks is None and rolls and all(map(nothing_was_read, rolls)):
            console.print("No pips were found on them: dice with symbols are read with --set.")
    check_whole(clip, told, seen)


def nothing_was_read(roll: dict[str, Any]) -> bool:
    """True if something came to lie there, and none of it was read."""
    from camera.rolled import UNREAD

    return all(die["kind"] == UNREAD for die in roll["dice"])


def counted(number: int, of: str) -> str:
    """So many of something, in English."""
    return f"{number} {of}{'' if number == 1 else 's'}"


def tell(values: dict[str, Any], console: Console, *, as_json: bool) -> None:
    """Print what watching cost."""
    if as_json:
        show({"figures": values}, console, as_json=True)
        return
    for name, words in (("idle", "nothing moved"), ("busy", "something did")):
        one = values[name]
        if one["frames"]:
            told = f"median {one['median_ms']} ms, 99 % below {one['p99_ms']} ms"
            console.print(f"{one['frames']} frames in which {words}: {told}", soft_wrap=True)
    console.print(f"at most {values['peak_mb']} MB of memory", soft_wrap=True)


def show(line: dict[str, Any], console: Console, *, as_json: bool) -> None:
    """Print one roll."""
    from camera.reading_drawing import name_of
    from camera.rolled import UNREAD

    if as_json:
        sys.stdout.buffer.write(encode(line) + b"\n")
        sys.stdout.buffer.flush()
        return
    mark = "[green]ok [/green]" if line["accepted"] else "[yellow]ask[/yellow]"
    faces = " ".join(
        "something" if die["kind"] == UNREAD else
        f"{name_of(die)} ({die['certainty']:.2f})"
        for die in line["dice"]
        if die["moved"]
    )  # fmt: skip
    console.print(f"{mark} {line['at_s']:7.2f} s: {faces}", soft_wrap=True)
    for doubt in line.get("doubts", ()):
        console.print(f"    {doubt}", markup=False, soft_wrap=True)
