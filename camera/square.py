"""The geometry of a square of tiles: what its squares are called, and where they lie in its zone.

Squares are called `row,column`, counted from `0,0` in the corner that was marked first. Lengths
count in edges of a tile, as everywhere else in sides of a die.
"""

from collections.abc import Sequence

import numpy as np

from camera.calibrate import Floats, Zone, ZoneView

ZONE = "square"
COLUMNS = 7
SPACING = 1.16  # from the middle of a tile to that of the next one, in tile edges
THICK_SIDES = 0.06  # a cardboard tile of 40 mm is 2.4 mm thick


def square_name(row: int, column: int) -> str:
    """What a square is called: `2,3`."""
    return f"{row},{column}"


def square_names(columns: int) -> tuple[str, ...]:
    """All squares, row by row."""
    return tuple(square_name(r, c) for r in range(columns) for c in range(columns))


def square_zone(
    corners: Sequence[tuple[float, float]],
    picture_px: tuple[int, int],
    *,
    columns: int = COLUMNS,
    spacing: float = SPACING,
) -> Zone:
    """The zone of a square whose corners were found or tapped: upper left, then going round.

    Raises ConfigError if they are not the corners of a square going round.
    """
    edge = columns * spacing
    around = tuple((float(x), float(y)) for x, y in corners)
    return Zone(ZONE, around, (edge, edge), picture_px)


def square_view(zone: Zone) -> ZoneView:
    """The zone as its camera sees it, with upper sides as high as tiles are."""
    return ZoneView(zone, THICK_SIDES)


class Lattice:
    """Where the squares lie in a zone of so many rows and columns."""

    def __init__(self, zone: Zone, columns: int) -> None:
        self.columns = columns
        self._pitch: Floats = np.array(zone.size_sides, np.float64) / columns

    def middle(self, square: str) -> Floats:
        """The middle of a square (x, y), in sides."""
        row, column = (int(part) for part in square.split(","))
        return np.asarray((np.array([column, row]) + 0.5) * self._pitch, np.float64)
