"""Charts as geometry: where lines, bars and marks lie in the units of an SVG viewBox.

Templates draw these with attributes and classes only, as the page's policy demands. Each series
keeps its seat's colour and its own dash pattern, so that colours are never alone.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from web.i18n import Fraction

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 46, 100, 14, 34
DASHES = ("none", "9 5", "2 5", "14 4 3 4", "5 5", "1 7")
WIDEST_BAR = 26.0
LABELS_APART = 15.0

Place = Callable[[float], float]  # where a value lies on the chart


class Mark(NamedTuple):
    """A line across the chart at a round number, with its words."""

    at: float
    text: str


class Line(NamedTuple):
    """One player's line: an SVG path, and where its name stands."""

    player: str
    path: str
    dash: str
    label_y: float


class Bar(NamedTuple):
    """One turn: its player, place and size, and what it says."""

    player: str
    x: float
    y: float
    width: float
    height: float
    text: str


class Chart(NamedTuple):
    """A chart: `box` is its viewBox; `zero` where nothing lies, None if that is not in it."""

    box: str
    lines: tuple[Line, ...]
    bars: tuple[Bar, ...]
    across: tuple[Mark, ...]
    along: tuple[Mark, ...]
    zero: float | None


def round_marks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about so many, evenly apart."""
    span = high - low
    if span <= 0:
        return [low]
    rough = span / about
    unit = 10.0 ** math.floor(math.log10(rough))
    apart = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough)
    first = math.ceil(low / apart - 1e-9)
    last = math.floor(high / apart + 1e-9)
    return [round(k * apart, 10) for k in range(first, last + 1)]


def number(value: float) -> str:
    """A number as people write it: no decimals where there are none."""
    return str(int(value)) if float(value).is_integer() else f"{Fraction(value):.1f}"


def scale(low: float, high: float, start: float, end: float, value: float) -> float:
    """Where a value lies between `start` and `end`, to a tenth of a unit."""
    share = 0.5 if high == low else (value - low) / (high - low)
    return round(start + share * (end - start), 1)


def lines(
    series: Mapping[str, Sequence[Sequence[float]]], last: int, *, steps: bool
) -> Chart | None:
    """Lines over the steps of a game up to `last`; None where there is nothing to draw.

    series  points of (step, value) by player.
    steps   True if a value stays until the next one; False to join the points.
    """
    values = [point[1] for points in series.values() for point in points]
    if not values or last < 1:
        return None
    low, high = min(0.0, *values), max(0.0, *values)
    high = high if high > low else low + 1
    across = partial(scale, low, high, HEIGHT - BOTTOM, TOP)
    along = partial(scale, 0, last, LEFT, WIDTH - RIGHT)
    ends = {p: across(points[-1][1]) for p, points in series.items() if points}
    places = apart(ends)
    drawn = tuple(
        Line(player, path(points, last, along, across, steps=steps), DASHES[n % len(DASHES)],
             places[player])
        for n, (player, points) in enumerate(series.items()) if points
    )  # fmt: skip
    return Chart(
        f"0 0 {WIDTH} {HEIGHT}",
        drawn,
        (),
        tuple(Mark(across(v), number(v)) for v in round_marks(low, high)),
        tuple(Mark(along(v), number(v)) for v in round_marks(0, last, 8) if v == int(v)),
        across(0.0),
    )


def path(
    points: Sequence[Sequence[float]], last: int, along: Place, across: Place, *, steps: bool
) -> str:
    """An SVG path through the points, to the end of the game."""
    parts = [f"M{along(points[0][0])} {across(points[0][1])}"]
    for step, value in points[1:]:
        parts.append(
            f"H{along(step)}V{across(value)}" if steps else f"L{along(step)} {across(value)}"
        )
    return "".join([*parts, f"H{along(last)}"])


def apart(ends: Mapping[str, float]) -> dict[str, float]:
    """Where the names stand beside the ends of their lines, none upon another."""
    places: dict[str, float] = {}
    below = -math.inf
    for player, y in sorted(ends.items(), key=lambda item: item[1]):
        below = max(y, below + LABELS_APART)
        places[player] = round(below, 1)
    over = max(places.values(), default=0.0) - (HEIGHT - BOTTOM)
    return {p: round(y - over, 1) for p, y in places.items()} if over > 0 else places


def bars(turns: Sequence[Mapping[str, Any]]) -> Chart | None:
    """A bar for each turn, as high as it was long; None without any."""
    if not turns:
        return None
    longest = max(1.0, *(turn["seconds"] for turn in turns))
    room = (WIDTH - LEFT - 12) / len(turns)
    width = round(min(WIDEST_BAR, room * 0.8), 2)
    across = partial(scale, 0, longest, HEIGHT - BOTTOM, TOP)
    drawn = tuple(
        Bar(turn["player"], round(LEFT + n * room, 2), across(turn["seconds"]), width,
            round(HEIGHT - BOTTOM - across(turn["seconds"]), 1), number(turn["seconds"]))
        for n, turn in enumerate(turns)
    )  # fmt: skip
    return Chart(
        f"0 0 {WIDTH} {HEIGHT}",
        (),
        drawn,
        tuple(Mark(across(v), number(v)) for v in round_marks(0, longest)),
        tuple(
            Mark(round(LEFT + (v - 1) * room + width / 2, 1), number(v))
            for v in round_marks(1, len(turns), 8)
            if v == int(v)
        ),
        across(0.0),
    )


def paces(turns: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """By player: how many turns, how long they took on average and at most, in seconds."""
    lengths: dict[str, list[float]] = {}
    for turn in turns:
        lengths.setdefault(turn["player"], []).append(turn["seconds"])
    return {
        player: {"turns": len(all_of), "mean_s": sum(all_of) / len(all_of), "most_s": max(all_of)}
        for player, all_of in lengths.items()
    }
