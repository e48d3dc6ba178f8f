"""Doubts: in words why the table is asked, and where in the picture."""

from collections.abc import Iterable

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


def in_whole(doubts: Iterable[str], scale: float) -> tuple[str, ...]:
    """Doubts about a copy of a picture, so many times its size, as doubts about the picture."""
    return tuple(
        Doubt(one, (one.at + 0.5) / scale - 0.5) if isinstance(one, Doubt) else one
        for one in doubts
    )


def in_words(doubts: Iterable[str]) -> tuple[str, ...]:
    """Doubts with their places, for people; what to do about them stays at the end."""
    return tuple(_placed(one) if isinstance(one, Doubt) else one for one in doubts)


def _placed(doubt: Doubt) -> str:
    x, y = (round(float(number)) for number in doubt.at)
    what, colon, to_do = doubt.partition(":")
    return f"{what} at ({max(0, x)}, {max(0, y)}){colon}{to_do}"
