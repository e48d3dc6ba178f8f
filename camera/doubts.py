"""Doubts: in words why the table is asked, and where in the picture."""

from collections.abc import Iterable

import numpy as np

from camera.seek import Floats


class Doubt(str):
    """Words of a doubt about a place: the same as these words about any other.

    at  (2,) pixels.
    """

    at: Floats

    def __new__(cls, words: str, at: Floats) -> "Doubt":
        """Say this of a place."""
        doubt = super().__new__(cls, words)
        doubt.at = at
        return doubt


def in_whole(doubts: Iterable[str], scale: float, size_px: tuple[int, int]) -> tuple[str, ...]:
    """Doubts about a copy of a picture, so many times its size, as doubts about the picture."""
    last = np.array(size_px) - 1
    return tuple(
        Doubt(one, np.clip((one.at + 0.5) / scale - 0.5, 0, last))
        if isinstance(one, Doubt)
        else one
        for one in doubts
    )


def each_once(doubts: Iterable[str]) -> tuple[str, ...]:
    """The first of all doubts that say the same of the same place."""
    first: dict[str, str] = {}
    for one in doubts:
        first.setdefault(_placed(one), one)
    return tuple(first.values())


def in_words(doubts: Iterable[str]) -> tuple[str, ...]:
    """Doubts with their places, for people; what to do about them stays at the end."""
    return tuple(map(_placed, doubts))


def _placed(doubt: str) -> str:
    if not isinstance(doubt, Doubt):
        return doubt
    x, y = (round(float(number)) for number in doubt.at)
    what, colon, to_do = doubt.partition(":")
    return f"{what} at ({x}, {y}){colon}{to_do}"
