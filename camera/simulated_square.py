"""The shipped twin of a camera above a square of tiles: hands turn, cover, take and move them.

Tiles lie a little turned and shifted in their squares. What lies face down has no face here: a tile
is given its face when it is turned up. Stage, scene, hands and noise are those of the simulated
dice tray; a tile is two flat things, its face and its back, one of which is there at a time.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from camera.scene import Floor, Pose, Scene, turn_about
from camera.square import COLUMNS, SPACING, THICK_SIDES, ZONE, square_names
from camera.stage import Furniture, Stage, furnished
from camera.throws import OUT_SIDES, PICK_UP_S, Away, Glide, Motion, Resting
from camera.tile_art import BACK, BACK_COLOUR, PAPER_COLOUR
from companion.dice import Die

FACES = ("ball", "car", "doll", "candlestick", "chest", "ring", "dragon", "spider")
CROOKED = 0.10  # radians to either side: how much tiles lie turned in their squares
SHIFTED = 0.04  # tile edges, in every direction
HAND_SIDES = 0.5  # a hand is about as wide as two tiles


def tile_die(face: str) -> Die:
    """What the scene draws for the upper half of a tile: a picture, and plain edges."""
    kind, colour = ("back", BACK_COLOUR) if face == BACK else ("tile", PAPER_COLOUR)
    return Die(f"tile-{face}", kind, (face, "", "", "", "", ""), colour)


class Turning(NamedTuple):
    """Turned about its own x axis in a hand, from one angle to another, in radians."""

    lies: Pose
    angles: tuple[float, float]
    from_s: float
    until_s: float

    def pose(self, at_s: float) -> Pose | None:
        """Where it is; it stands on its edge where its angle is a right one."""
        part = min(max((at_s - self.from_s) / (self.until_s - self.from_s), 0.0), 1.0)
        angle = self.angles[0] + part * (self.angles[1] - self.angles[0])
        x, y, z = self.lies.centre
        lift = 0.5 * abs(math.sin(angle))
        return Pose((x, y, z + lift), self.lies.turn @ turn_about((1, 0, 0), angle), self.lies.top)


class SimulatedSquare(Stage):
    """A square of tiles under one simulated camera; all lie face down at first.

    columns    so many rows and columns; squares are called `row,column`, from `0,0`.
    faces      what tiles can show; any face that camera/art.py can draw.
    size_px    width and height of the pictures.
    tilt_deg   how far the camera leans, and `swing_deg`, how far it stands to one side.
    lamp       colour of the light: how bright blue, green and red are.
    """

    def __init__(
        self,
        *,
        seed: int,
        columns: int = COLUMNS,
        faces: Sequence[str] = FACES,
        size_px: tuple[int, int] = (640, 360),
        tilt_deg: float = 17.0,
        swing_deg: float = 0.0,
        lamp: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> None:
        self.squares, self._columns = square_names(columns), columns
        self._faces = tuple(faces)
        self._floor = Floor(0.0, columns * SPACING, columns * SPACING)
        around = _square(self._faces, self._floor, size_px, (tilt_deg, swing_deg), seed)
        halves = {half_of(square, part): tile_die(BACK) for square in self.squares for part in "ub"}
        super().__init__(around, halves, seed, lamp=lamp)
        self._tiles: dict[str, str | None] = {}  # square -> name of the tile there
        self._up: set[str] = set()
        self.lay({})

    def lay(self, up: Mapping[str, str], gaps: Collection[str] = ()) -> None:
        """Let the tiles lie as somebody finds them: some face up, gaps, all others face down."""
        self._tiles = {square: None if square in gaps else square for square in self.squares}
        self._up = set(up)
        for square, tile in self._tiles.items():
            for part in "ub":
                self._ways[half_of(square, part)] = [(-math.inf, Away())]
            if tile is not None:
                half = self._half(square)
                self._dice[half] = tile_die(up.get(square, BACK))
                self._ways[half] = [(-math.inf, Resting(self._pose(square, half)))]

    def lies(self) -> dict[str, str]:
        """What is on each square once no hand moves any more: `up`, `covered` or `empty`."""
        return {
            square: "empty" if tile is None else "up" if square in self._up else "covered"
            for square, tile in self._tiles.items()
        }

    def turn_up(self, square: str, face: str, at_s: float) -> float:
        """Let a hand turn a tile face up; return when the hand is gone."""
        if face not in self._faces:
            raise ValueError(f"({square}): expected one of {', '.join(self._faces)}, got {face!r}")
        tile = self._check(square, "covered")
        self._dice[half_of(tile, "u")] = tile_die(face)
        self._up.add(square)
        return self._turn(square, half_of(tile, "b"), half_of(tile, "u"), at_s)

    def cover(self, square: str, at_s: float) -> float:
        """Let a hand turn a tile face down; return when the hand is gone."""
        tile = self._check(square, "up")
        self._up.remove(square)
        return self._turn(square, half_of(tile, "u"), half_of(tile, "b"), at_s)

    def take(self, square: str, at_s: float) -> float:
        """Let a hand take a tile away; return when both are gone."""
        half = self._half(square)
        begin = self._lies_at(half)
        times_s = self._reach(square, square, at_s)
        self._tiles[square] = None
        self._up.discard(square)
        out = (begin.centre[0], OUT_SIDES - 1.5)
        self._ways[half] += [
            (times_s[2], Glide(begin, out, times_s[2], times_s[3])),
            (times_s[3], Away()),
        ]
        return times_s[3]

    def put(self, square: str, at_s: float) -> float:
        """Let a hand lay a tile face down into a gap; return when the hand is gone."""
        self._check(square, "empty")
        away = [s for s in self.squares if s not in self._tiles.values()]
        tile = square if square in away else away[0]
        self._tiles[square] = tile
        times_s = self._reach(square, square, at_s)
        half = half_of(tile, "b")
        lies = self._pose(square, half)
        out = lies._replace(centre=(lies.centre[0], OUT_SIDES - 1.5, lies.centre[2]))
        self._ways[half] += [
            (times_s[0], Glide(out, lies.centre[:2], times_s[0], times_s[1])),
            (times_s[1], Resting(lies)),
        ]
        return times_s[3]

    def move(self, square: str, to: str, at_s: float) -> float:
        """Let a hand push a tile into a gap, as it lies; return when the hand is gone."""
        self._check(to, "empty")
        half = self._half(square)
        begin = self._lies_at(half)
        times_s = self._reach(square, to, at_s)
        self._tiles[square], self._tiles[to] = None, self._tiles[square]
        if square in self._up:
            self._up.remove(square)
            self._up.add(to)
        lies = self._pose(to, half)
        self._ways[half] += [
            (times_s[1], Glide(begin, lies.centre[:2], times_s[1], times_s[2])),
            (times_s[2], Resting(begin._replace(centre=lies.centre))),
        ]
        return times_s[3]

    def reach_in(self, at_s: float, *, stays_s: float = PICK_UP_S[1]) -> float:
        """Let a hand pass over the square and touch nothing; return when it is gone."""
        one, other = (self.squares[int(self._rng.integers(len(self.squares)))] for _ in range(2))
        return self._reach(one, one if stays_s > 1 else other, at_s, stays_s)[3]

    def _check(self, square: str, wanted: str) -> str:
        """Name of the tile on a square that lies as it must; of the square itself for a gap."""
        if square not in self._tiles:
            raise ValueError(f"expected a square such as 2,3, got {square!r}")
        if (lies := self.lies()[square]) != wanted:
            raise ValueError(f"({square}): expected it {wanted}, it is {lies}")
        return self._tiles[square] or square

    def _half(self, square: str) -> str:
        """The half of a tile that is seen."""
        tile = self._tiles.get(square)
        if tile is None:
            raise ValueError(f"({square}): expected a tile, there is none")
        return half_of(tile, "u" if square in self._up else "b")

    def _lies_at(self, half: str) -> Pose:
        """Where a half lies after everything that has been begun."""
        pose = self._pose_after(half, self.quiet_after_s())
        assert pose is not None, half
        return pose

    def _turn(self, square: str, before: str, after: str, at_s: float) -> float:
        """Let a hand turn a tile over: one half goes, standing on its edge, the other comes."""
        begin, lies = self._lies_at(before), self._pose(square, after)
        times_s = self._reach(square, square, at_s)
        begin_s, end_s = times_s[1], times_s[2]
        middle_s, quarter = (begin_s + end_s) / 2, math.pi / 2
        going: Motion = Turning(begin, (0.0, quarter), begin_s, middle_s)
        coming: Motion = Turning(lies, (-quarter, 0.0), middle_s, end_s)
        self._ways[before] += [(begin_s, going), (middle_s, Away())]
        self._ways[after] += [(middle_s, coming), (end_s, Resting(lies))]
        return times_s[3]

    def _reach(
        self, square: str, to: str, at_s: float, stays_s: float = PICK_UP_S[1]
    ) -> tuple[float, float, float, float]:
        """Let a hand come to one square, go on to another, and leave."""
        start_s = max(at_s, self._busy_until_s[ZONE])
        places = tuple((x, y) for x, y, _ in (self._middle(square), self._middle(to)))
        times_s = self._visit((places[0], places[1]), start_s, self._floor, stays_s)
        self._busy_until_s[ZONE] = times_s[3]
        return times_s

    def _middle(self, square: str) -> tuple[float, float, float]:
        row, column = (int(part) for part in square.split(","))
        x, y = (column + 0.5) * SPACING, (self._columns - row - 0.5) * SPACING
        return x, y, THICK_SIDES / 2

    def _pose(self, square: str, half: str) -> Pose:
        """How somebody lays a tile down: nearly straight, nearly in the middle."""
        x, y, z = self._middle(square)
        aside, ahead, angle = self._rng.uniform(-1, 1, 3) * (SHIFTED, SHIFTED, CROOKED)
        turn = turn_about((0, 0, 1), float(angle) + self._upside(half))
        return Pose((x + float(aside), y + float(ahead), z), turn, self._dice[half].faces[0])

    def _upside(self, half: str) -> float:
        """Pictures lie in any of four ways."""
        return float(self._rng.integers(4)) * math.pi / 2


def half_of(tile: str, part: str) -> str:
    """Name of the upper (`u`) or lower (`b`) side of a tile."""
    return f"{tile}/{part}"


@lru_cache(maxsize=3)
def _square(
    faces: tuple[str, ...],
    floor: Floor,
    size_px: tuple[int, int],
    stands_deg: tuple[float, float],
    seed: int,
) -> Furniture:
    """A square for tiles; a room that is set up once more has it at once."""
    rng = np.random.default_rng([seed, 3])
    dice = [tile_die(face) for face in (*faces, BACK)]
    tilt_deg, swing_deg = stands_deg
    scene = Scene(
        dice, {ZONE: floor}, size_px, rng,
        thick_sides=THICK_SIDES, tilt_deg=tilt_deg, swing_deg=swing_deg,
    )  # fmt: skip
    return furnished(scene, rng, HAND_SIDES)
