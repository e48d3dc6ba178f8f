"""Draw what networks learn from on all cores."""

import functools
import multiprocessing
import pickle
from collections.abc import Callable, Iterator, Sized
from pathlib import Path
from typing import Any, TypeVar

import cv2

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
    spawned = multiprocessing.get_context("spawn")
    with spawned.Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        jobs = ((seed, number) for number in range(count))
        for number, one in enumerate(pool.imap(draw, jobs, chunksize=8), 1):
            yield one
            if number % every == 0:
                print(f"{number} of {count} drawn", flush=True)


def keep(path: Path, things: list[Any]) -> None:
    """Keep what was drawn, for `kept`."""
    path.write_bytes(pickle.dumps(things))


def kept(path: Path | None) -> list[Any]:
    """Give what was drawn before and kept in a file of one's own; nothing without one."""
    return [] if path is None else list(pickle.loads(path.read_bytes()))


def as_many(some: Sized, others: Sized) -> int:
    """How often others are shown, so that they are about as many as some."""
    return max(1, round(len(some) / max(1, len(others))))
