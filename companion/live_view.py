"""The live pipeline in the terminal: what a camera sees and reads, and how it fares."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import click
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from companion.clock import RealClock
from companion.commands import OUT
from companion.config import CameraSettings
from companion.errors import DeviceError
from companion.looking import Moment, moments
from companion.protocol import encode

source_argument = click.argument("source", required=False)
set_option = click.option(
    "--set", "learnt", type=click.Path(file_okay=False, path_type=Path),
    help="Learnt set of symbol dice; see `companion enrol`. Without: pip dice.",
)  # fmt: skip
settings_option = click.option(
    "--config", "config_path", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Settings file. Default: companion.toml in this folder.",
)  # fmt: skip


def watch_live(
    name: str,
    learnt: Path | None,
    settings: CameraSettings | None,
    frames: int | None,
    *,
    as_json: bool,
) -> None:
    """Show live what a source gives, until it is over, `frames` have been seen, or Ctrl-C.

    Raises DeviceError where it gave no picture at all.
    """
    told = Told(islice(moments(name, learnt, RealClock(), settings), frames))
    try:
        print_lines(told) if as_json else show_live(name, told)
    except KeyboardInterrupt:
        return
    if not told.has_picture:
        raise DeviceError(f"{name}: nothing to show: {told.why or 'it holds no picture'}")


class Told:
    """Hands moments on and notes whether there was a picture among them, and why not."""

    def __init__(self, seen: Iterator[Moment]) -> None:
        self._seen = seen
        self.has_picture, self.why = False, ""

    def __iter__(self) -> Iterator[Moment]:
        for moment in self._seen:
            self.has_picture = self.has_picture or moment.frame is not None
            self.why = str(moment.health["why"]) or self.why
            yield moment


def print_lines(seen: Iterable[Moment]) -> None:
    """Print a JSON line for each moment."""
    for moment in seen:
        sys.stdout.buffer.write(encode(moment.values()) + b"\n")
        sys.stdout.buffer.flush()


def show_live(name: str, seen: Iterable[Moment]) -> None:
    """Keep a picture of the newest moment in the terminal; the last one stays."""
    with Live(console=OUT, refresh_per_second=8) as live:
        for moment in seen:
            live.update(drawn(name, moment))
    if not OUT.is_terminal:
        OUT.print()  # the last line of a live view is left open there


def drawn(name: str, moment: Moment) -> Group:
    """Draw one moment as a table."""
    from camera.reading_drawing import name_of

    zones = Table("zone", "state", "dice", "asked")
    for sight in moment.sights:
        dice = "  ".join(f"{name_of(d)} {d['certainty']:.2f}" for d in sight.dice)
        zones.add_row(*map(escape, (sight.zone, sight.state, dice, sight.asked)))
    health = moment.health
    colour = "green" if health["state"] == "live" else "red"
    told = f"[{colour}]{escape(str(health['state']))}[/{colour}] {escape(str(health['why']))}"
    figures = f"{moment.fps:.1f} frames a second, newest {1000 * moment.age_s:.0f} ms old"
    return Group(f"{escape(name)}: {told}", figures, zones)
