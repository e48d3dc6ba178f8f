"""`companion bench`: speed and accuracy on this machine, one benchmark a command."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.commands import OUT, examples, json_option, option_option
from companion.config import game_named
from companion.faults_command import bench_faults
from companion.protocol import options_from


@click.group(epilog=examples("bench rules", "bench journal --kills 200 --json"))
def bench() -> None:
    """Measure speed and accuracy on this machine."""


def bench_command(
    name: str, *shown: str, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """A benchmark: takes --json and then prints one flat JSON object.

    shown  more ways to call it, for its help.
    """
    return bench.command(
        name, epilog=examples(f"bench {name}", f"bench {name} --json", *shown), **attributes
    )


def report_figures(figures: dict[str, Any], as_json: bool) -> None:
    """Print figures, units in their names."""
    from companion.bench.figures import show

    show(figures, OUT, as_json=as_json)


@bench_command("rules")
@click.option("--games", "count", type=click.IntRange(1), default=300, show_default=True)
@json_option
def bench_rules(count: int, as_json: bool) -> None:
    """Actions a second through the referee, in random play-outs on one core."""
    from companion.bench.rules import measure

    report_figures(measure(count), as_json)


@bench_command("games")
@click.argument("game", default="troll_and_dragon")
@click.option("--games", "count", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seats", type=click.IntRange(1), help="How many play. Default: all counts in turn.")
@option_option
@json_option
def bench_games(
    game: str, count: int, seats: int | None, options: tuple[str, ...], as_json: bool
) -> None:
    """Play seeded games of simulated people to their ends."""
    from companion.bench.games import measure

    chosen = game_named(game)
    rules = options_from(chosen.options, options)
    report_figures(measure(chosen, count, players=seats, options=rules), as_json)


@bench_command("journal")
@click.option("--kills", type=click.IntRange(0), default=50, show_default=True,
              help="How often a playing process is killed.")  # fmt: skip
@click.option("--steps", type=click.IntRange(1), default=1000, show_default=True,
              help="How many steps are written and resumed.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True)
@json_option
def bench_journal(kills: int, steps: int, seed: int, as_json: bool) -> None:
    """Commit and resume times; then kill playing processes and look for lost steps."""
    from companion.bench.journal import measure

    report_figures(measure(kills, seed, steps), as_json)


@bench_command("latency")
@click.option("--rolls", type=click.IntRange(1), default=300, show_default=True)
@json_option
def bench_latency(rolls: int, as_json: bool) -> None:
    """From the frame on which rest is declared to the lamp's pin, journal included."""
    from companion.bench.latency import measure

    report_figures(measure(rolls), as_json)


@bench_command("alerts")
@click.option("--decisions", type=click.IntRange(1), default=500, show_default=True)
@json_option
def bench_alerts(decisions: int, as_json: bool) -> None:
    """From the decision to the edge on a pin, on a calm and on a busy machine."""
    from companion.bench.alerts import measure

    report_figures(measure(decisions), as_json)


@bench_command("camera", "bench camera --photos photos", "bench camera --dice dice")
@click.option("--photos", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder with photographs of pip dice and labels.csv: path,faces in its first "
              "line, and then such as table/1.jpg,2 3 5.")  # fmt: skip
@click.option("--dice", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder of symbol dice: enrol/KIND/FACE/*.jpg, labels.csv, clips.")  # fmt: skip
@click.option("--part", type=click.Choice(["all", "even", "odd"]), default="all",
              show_default=True,
              help="Half of the set-ups of --dice: tune on one, report the other.")  # fmt: skip
@click.option("--tables", type=click.IntRange(1), default=12, show_default=True,
              help="How many made-up ones times are measured on, without --dice.")  # fmt: skip
@json_option
def bench_camera(
    photos: Path | None, dice: Path | None, part: str, tables: int, as_json: bool
) -> None:
    """How well photographs of pip dice, or a folder of symbol dice, are read.

    With neither: how fast eight dice of either sort are read in made-up pictures of 1280 x 720.
    """
    from companion.bench.figures import noise, progress

    if photos is not None and dice is not None:
        raise click.UsageError("expected --photos DIR or --dice DIR, not both")
    with progress("photographs" if dice is None else "pictures and clips") as step:
        if photos is not None:
            from camera.bench import bench_photos

            figures = bench_photos(photos, step, tables)
        elif dice is not None:
            from camera.bench_dice import bench_dice

            figures = bench_dice(dice, part, step)
        else:
            from camera.bench import read_like_a_tutorial
            from camera.bench_game import game_speed
            from camera.bench_speed import speed
            from camera.bench_symbols import symbol_speed

            figures = speed(read_like_a_tutorial, tables) | game_speed(tables)
            figures |= symbol_speed(tables)
    report_figures({**figures, **noise()}, as_json)


@bench_command("tiles")
@click.option("--squares", type=click.IntRange(1), default=40, show_default=True,
              help="How many simulated squares, each in a light of its own.")  # fmt: skip
@click.option("--minutes", type=click.FloatRange(min=0.1), default=10.0, show_default=True,
              help="How long hands move about, in simulated time.")  # fmt: skip
@json_option
def bench_tiles(squares: int, minutes: float, as_json: bool) -> None:
    """How well the tiles of simulated squares are read."""
    from camera.bench_tiles import bench_squares
    from companion.bench.figures import progress

    with progress("squares") as step:
        figures = bench_squares(squares, minutes, step)
    report_figures(figures, as_json)


@bench_command("dice")
@click.option("--rolls", type=click.IntRange(0), default=2000, show_default=True)
@click.option("--messages", type=click.IntRange(0), default=20_000, show_default=True)
@click.option("--schedules", type=click.IntRange(0), default=10_000, show_default=True,
              help="How many random evenings of broken cables.")  # fmt: skip
@click.option("--throws", type=click.IntRange(0), default=2000, show_default=True,
              help="How many throws of a simulated tumbling die.")  # fmt: skip
@click.option("--handlings", type=click.IntRange(1), default=5000, show_default=True,
              help="How often it is shaken, carried, pushed and put back, too.")  # fmt: skip
@click.option("--handfuls", type=click.IntRange(0), default=600, show_default=True,
              help="How many throws of several dice, another one being handled.")  # fmt: skip
@json_option
def bench_dice(
    rolls: int,
    messages: int,
    schedules: int,
    throws: int,
    handlings: int,
    handfuls: int,
    as_json: bool,
) -> None:
    """Smart dice: byte to inbox, messages a second, faults of every kind, tumbling dice."""
    from companion.bench.dice import measure

    report_figures(measure(rolls, messages, schedules, throws, handlings, handfuls), as_json)


@bench.command("web", epilog=examples("bench web", "bench web --viewers 50 --seconds 5 --json"))
@click.option("--viewers", type=click.IntRange(1, 2000), default=200, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=1.0), default=20.0, show_default=True,
              help="How long the viewers follow, ten steps a second.")  # fmt: skip
@click.option("--paint/--no-paint", default=True, show_default=True,
              help="Also open the big screen in Chromium, where there is one.")  # fmt: skip
@json_option
def bench_web(viewers: int, seconds: float, paint: bool, as_json: bool) -> None:
    """Many viewers of one table: how soon they hear, and whether they disturb it."""
    from companion.bench.web import measure

    report_figures(measure(viewers, seconds, paint=paint), as_json)


bench.add_command(bench_faults)
