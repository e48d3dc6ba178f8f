"""What was read of pip dice: their faces, how sure that is, where they lie, what to ask about."""

from dataclasses import dataclass, field

import numpy as np

from camera.pip_blobs import Floats, Pixels
from camera.pip_certainty import certainties
from camera.pip_faces import Face
from camera.pip_shapes import median
from camera.slant import Box, boxes_around

LIKELY = 0.02  # chance from which a face is offered to the table as an answer
FLAWED = 0.5  # most that a reading of a die which lies badly is worth
SQUARE = 2.3 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])  # a die, in lattice units


@dataclass(frozen=True)
class PipReading:
    """One die: its upper face, how sure that is, and where it lies.

    certainty  0 to 1; of readings given as 0.99, at least 99 in 100 are right.
    box        x, y, w, h in px of the picture.
    likeliest  faces with their chances, the likeliest first: what to ask the table.
    flaw       "cut" by the picture's edge, "cocked", "askew" for one that may be, or "" for a die
               that lies well.
    upper      its upper face, in px of the picture.
    """

    face: int
    certainty: float
    box: tuple[int, int, int, int]
    likeliest: tuple[tuple[int, float], ...] = ()
    flaw: str = ""
    upper: Face | None = field(default=None, repr=False, compare=False)

    @property
    def middle(self) -> Floats:
        """The middle of its box, (2,) px of the picture."""
        left, top, width, height = self.box
        return np.array([left + width / 2, top + height / 2])


@dataclass(frozen=True)
class Look:
    """What was seen in one picture.

    readings   the dice, left to right, then top to bottom.
    accepted   False when the table should be asked.
    doubts     why not, in words.
    side_px    usual edge of the dice, px of the picture; 0 where there are none.
    full_pips  True if their pips are large, with something in them: these may be the dice.
    """

    readings: tuple[PipReading, ...]
    accepted: bool
    doubts: tuple[str, ...]
    side_px: float = 0.0
    full_pips: bool = False


def readings_of(
    pixels: Pixels,
    scale: float,
    tops: list[Face],
    chances: Floats,
    flaws: list[str],
    *,
    accepted: bool,
) -> tuple[PipReading, ...]:
    """Give the readings of upper faces, left to right, then top to bottom.

    pixels   the picture; scale: of the copy of it in which the faces were found.
    chances  of none and of the faces one to six (N, 7), by the second reader.
    flaws    of each die, "" where it has none.
    """
    known = certainties(tops, chances, accepted=accepted)
    readings = [
        PipReading(
            top.value,
            min(sure, FLAWED if flaw else 1.0),
            box,
            _likeliest(top.value, chance),
            flaw,
            top.times(1 / scale),
        )
        for top, sure, box, chance, flaw in zip(
            tops, known, _boxes(tops, pixels, scale), chances.tolist(), flaws, strict=True
        )
    ]
    return tuple(sorted(readings, key=lambda reading: reading.box[:2]))


def _likeliest(face: int, chances: list[float]) -> tuple[tuple[int, float], ...]:
    """Put the faces in the order in which to ask for them; what the pips say counts as much."""
    joint = [0.0, *chances[1:]]
    joint[face] += 1.0
    whole = sum(joint)
    likely = [(row, share / whole) for row, share in enumerate(joint) if share > LIKELY * whole]
    likely.sort(key=lambda one: -one[1])
    return tuple((row, round(share, 3)) for row, share in likely)


def _boxes(tops: list[Face], pixels: Pixels, scale: float) -> list[Box]:
    at, axes = np.array([top.at for top in tops]), np.array([top.axes for top in tops])
    # the pip of a 1 may be as large as the others, or twice as large: they tell its die's size
    sizes, is_one = np.sqrt(np.abs(np.linalg.det(axes))), np.array([top.value == 1 for top in tops])
    if is_one.any() and not is_one.all():
        axes[is_one] *= (median(sizes[~is_one]) / sizes[is_one])[:, None, None]
    corners = (at[:, None] + SQUARE @ axes.transpose(0, 2, 1)) / scale
    return boxes_around(corners, pixels.shape[1::-1])
