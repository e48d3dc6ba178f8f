"""How figures are gathered and shown: percentiles, ratios, units in the names."""

import contextlib
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from companion.protocol import encode


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of all values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: Sequence[float], name: str, unit: str) -> dict[str, float]:
    """Median, 90th and 99th percentile under names with their unit."""
    return {
        f"{name}_median_{unit}": round(statistics.median(values), 4),
        f"{name}_p90_{unit}": round(percentile(values, 0.90), 4),
        f"{name}_p99_{unit}": round(percentile(values, 0.99), 4),
    }


def spin_s() -> float:
    """How long this machine takes for a fixed piece of work: shows its noise from run to run."""
    begun_s = time.perf_counter()
    total = 0
    for number in range(200_000):
        total += number & 3
    return time.perf_counter() - begun_s


def noise(samples: int = 9) -> dict[str, float]:
    """The spread of the same work done again and again, as a share of its median."""
    times = [spin_s() for _ in range(samples)]
    median = statistics.median(times)
    return {
        "machine_spin_median_ms": round(median * 1000, 3),
        "machine_noise_share": round((max(times) - min(times)) / median, 3),
    }


def show(figures: dict[str, Any], console: Console, *, as_json: bool) -> None:
    """Print figures for people, or as one flat JSON object."""
    if as_json:
        sys.stdout.buffer.write(encode(figures) + b"\n")
        return
    table = Table("figure", "value")
    for name, value in figures.items():
        table.add_row(name, f"{value:,}" if isinstance(value, int) else str(value))
    console.print(table)


@contextlib.contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr; call it with what is done and how much there is."""
    bar = Progress(console=Console(stderr=True), transient=True)
    with bar:
        task = bar.add_task(what, total=None)

        def step(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield step
