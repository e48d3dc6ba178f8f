"""Dice that nobody rolled though they moved: blocked ones that were put aside.

A die that shows what a blocked one of its kind showed, which lies no more where it lay, may be that
one. Whoever throws dice throws all that the hand holds, and puts none aside meanwhile: so where one
of the dice shows something else, all were thrown. Where all of them may be blocked ones, and fewer
moved than a hand holds, nothing was thrown yet. Where no fewer did, nobody can tell.
"""

from collections.abc import Mapping
from typing import NamedTuple

Shown = tuple[str, str]  # kind and face of a die


class Aside(NamedTuple):
    """Numbers of dice that were put aside, with their names; and of those that perhaps were."""

    surely: dict[int, str]
    perhaps: frozenset[int]


def put_aside(moved: Mapping[int, Shown], blocked: Mapping[str, Shown], held: int) -> Aside:
    """Tell which dice that moved were put aside.

    moved    by number, what the dice show that lie where none lay.
    blocked  by name, what those showed that nobody awaits, and that lie no more where they lay.
    held     how many of the awaited dice were taken up, and may have come back.
    """
    left, found = dict(blocked), dict[int, str]()
    for number, shown in moved.items():
        name = next((name for name, had in left.items() if had == shown), None)
        if name is not None:
            found[number] = name
            del left[name]
    if not moved or len(found) < len(moved):
        return Aside({}, frozenset())
    return Aside(found, frozenset()) if len(moved) < held else Aside({}, frozenset(found))
