"""`companion bench web`: how the dashboard bears a full room."""

import click

from companion.bench.figures import show
from companion.commands import OUT, examples


@click.command("web", epilog=examples("bench web", "bench web --viewers 50 --seconds 5 --json"))
@click.option("--viewers", type=click.IntRange(1, 2000), default=200, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=1.0), default=20.0, show_default=True,
              help="How long the viewers follow, ten steps a second.")  # fmt: skip
@click.option("--paint/--no-paint", default=True, show_default=True,
              help="Also open the big screen in Chromium, where there is one.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def bench_web(viewers: int, seconds: float, paint: bool, as_json: bool) -> None:
    """Many viewers of one table: how soon they hear, and whether they disturb it."""
    from companion.bench.web import measure

    show(measure(viewers, seconds, paint=paint), OUT, as_json=as_json)
