"""Draw what networks learn from on all cores."""

import functools
import multiprocessing
from collections.abc import Callable, Iterator
from typing import TypeVar

from camera.seek import Seeker

Job = tuple[int, int]
Drawn = TypeVar("Drawn")


@functools.cache
def seeker() -> Seeker:
    """Who finds the dice, one for each process."""
    return Seeker()


def on_all_cores(
    draw: Callable[[Job], Drawn], count: int, seed: int, every: int
) -> Iterator[Drawn]:  # fmt: skip
    """Give what is drawn for a seed and each number below `count`, in order.

    every  how many of them it tells about on its way.
    """
    with multiprocessing.get_context("spawn").Pool() as pool:
        jobs = ((seed, number) for number in range(count))
        for number, one in enumerate(pool.imap(draw, jobs, chunksize=8), 1):
            yield one
            if number % every == 0:
                print(f"{number} of {count} drawn", flush=True)
