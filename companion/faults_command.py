"""The command that lists the faults, and the benchmark that plays with them."""

from typing import Any

import click
from rich.table import Table

from companion.commands import OUT, examples
from companion.config import game_named

fault_option = click.option(
    "--fault", "faults", multiple=True, metavar="NAME[@WHEN][=AMOUNT][+DURATION]",
    help="Let something fail in a simulated game; repeatable. `companion faults` lists what can.",
)  # fmt: skip


@click.command(epilog=examples("faults", "faults --json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def faults(as_json: bool) -> None:
    """List what can fail by name in a simulated game: `companion play --fault NAME`."""
    from companion.faults import table_of_faults
    from companion.protocol import encode

    rows = table_of_faults()
    if as_json:
        click.echo(encode({"faults": rows}).decode())
        return
    table = Table()
    for heading in ("name", "of", "what happens", "usual amount", "the table is told"):
        table.add_column(heading, no_wrap=heading == "name")  # names are there to be typed
    for row in rows:
        told = f"... {row['told']} ..." if row["told"] else f"nothing: {row['untold']}"
        table.add_row(row["name"], row["subject"], row["happens"], row["amount"] or "", told)
    OUT.print(table)


@click.command(
    name="faults",
    epilog=examples(
        "bench faults",
        "bench faults --schedules 20 --json",
        "bench faults --game roll_for_adventure --schedules 20",
    ),
)
@click.option("--schedules", "count", type=click.IntRange(1), default=500, show_default=True)
@click.option("--game", default="troll_and_dragon", show_default=True, help="Which game.")
@click.option("--from", "first", type=click.IntRange(0), default=0, show_default=True,
              help="Seed of the first schedule.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def bench_faults(count: int, game: str, first: int, as_json: bool) -> None:
    """Random schedules of faults: hangs, wrong rolls, lost steps."""
    from companion.bench.faults import schedules
    from companion.bench.figures import progress, show

    key, seeds = game_named(game).key, range(first, first + count)
    figures: dict[str, Any] = {"schedules": count, "hangs": 0, "wrong": 0, "lost": 0, "steps": 0}
    bad = []
    with progress("schedules") as step:
        for done, outcome in enumerate(schedules(seeds, game=key), 1):
            figures["hangs"] += outcome.hangs
            figures["wrong"] += len(outcome.wrong)
            figures["lost"] += bool(outcome.lost)
            figures["steps"] += outcome.steps
            if not outcome.is_fine:
                bad.append(f"{seeds[done - 1]}: {', '.join(outcome.faults)}")
            step(done, count)
    show(figures | {"seeds_that_failed": "; ".join(bad)}, OUT, as_json=as_json)
