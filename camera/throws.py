"""How simulated dice and hands move: along prescribed ways, so that any moment can be asked for."""

import math
from typing import NamedTuple, Protocol

import numpy as np

from camera.scene import Floats, Floor, Pose, turn_about

PICK_UP_S = (0.16, 0.12, 0.16)  # the hand comes, sweeps the dice together, goes
THROW_S = (0.5, 0.9)  # from leaving the hand to lying still
SHAKE_S = (0.12, 0.25)  # in the hand, out of the picture
OUT_SIDES = -3.2  # y at which dice and fingertips are out of the picture, on the near side


class Motion(Protocol):
    """Where a die is at any moment of its way; None while it is out of the picture."""

    @property
    def until_s(self) -> float:
        """From then on the die does not move."""
        ...

    def pose(self, at_s: float) -> Pose | None:
        """Where the die is."""
        ...


class Away(NamedTuple):
    """Beside the tray, or in somebody's hand."""

    until_s: float = -math.inf

    def pose(self, at_s: float) -> Pose | None:
        """Nowhere in the picture."""
        return None


class Resting(NamedTuple):
    """Lying still."""

    lies: Pose
    until_s: float = -math.inf

    def pose(self, at_s: float) -> Pose | None:
        """Where it always was."""
        return self.lies


class Glide(NamedTuple):
    """Pushed or carried by a hand, without turning."""

    begin: Pose
    to: tuple[float, float]
    from_s: float
    until_s: float

    def pose(self, at_s: float) -> Pose | None:
        """Where it is on the straight way."""
        part = eased((at_s - self.from_s) / (self.until_s - self.from_s))
        x, y, z = self.begin.centre
        there = (x + part * (self.to[0] - x), y + part * (self.to[1] - y), z)
        return self.begin._replace(centre=there)


class Flight(NamedTuple):
    """Thrown from the near side of the tray: tumbling and hopping, ever slower, to its place."""

    rest: Pose
    start: tuple[float, float]
    from_s: float
    until_s: float
    rolls: float  # radians about the axis across its way
    spins: float  # radians about the upright axis
    hop_sides: float

    def pose(self, at_s: float) -> Pose | None:
        """Where it is, and how it is turned."""
        left = (self.until_s - at_s) / (self.until_s - self.from_s)
        if left <= 0:
            return self.rest
        if left > 1:
            return None
        x, y, _ = self.rest.centre
        way = (self.start[0] - x, self.start[1] - y)
        far = left**1.3
        tumbled = turn_about((-way[1], way[0], 0.0), self.rolls * left**1.15)
        turn = turn_about((0, 0, 1), self.spins * far) @ tumbled @ self.rest.turn
        height = half_height(turn) + self.hop_sides * left * abs(math.sin(3 * math.pi * left))
        return Pose((x + far * way[0], y + far * way[1], height), turn, self.rest.top)


class Visit(NamedTuple):
    """A hand that comes from the near side, moves from one place to another, and goes."""

    places: tuple[tuple[float, float], tuple[float, float]]
    times_s: tuple[float, float, float, float]  # comes, is there, leaves, is gone

    def place(self, at_s: float) -> tuple[float, float] | None:
        """Where the fingertips are; None while no hand is in the picture."""
        comes, there, leaves, gone = self.times_s
        if not comes <= at_s < gone:
            return None
        (x0, y0), (x1, y1) = self.places
        if at_s < there:
            part = eased((at_s - comes) / (there - comes))
            return x0, OUT_SIDES + part * (y0 - OUT_SIDES)
        if at_s < leaves:
            part = eased((at_s - there) / (leaves - there))
            return x0 + part * (x1 - x0), y0 + part * (y1 - y0)
        part = eased((at_s - leaves) / (gone - leaves))
        return x1, y1 + part * (OUT_SIDES - y1)


def eased(part: float) -> float:
    """Start and stop softly: 0 to 1 as `part` goes from 0 to 1."""
    part = min(max(part, 0.0), 1.0)
    return part * part * (3 - 2 * part)


def half_height(turn: Floats) -> float:
    """How high the middle of a cube is above its lowest corner, in sides."""
    return 0.5 * float(np.abs(turn[2]).sum())


def lying(x: float, y: float, angle: float, top: str, lean: float = 0.0) -> Pose:
    """A die on the floor, turned by `angle`, leaning by `lean` (radians) if it lies crooked."""
    turn = turn_about((0, 0, 1), angle) @ turn_about((1, 0, 0), lean)
    return Pose((x, y, half_height(turn)), turn, top)


def fly(
    rest: Pose, floor: Floor, from_s: float, until_s: float, rng: np.random.Generator
) -> Flight:
    """Throw a die so that it comes to rest in a pose at a time."""
    low, high = floor.left + 0.5, floor.left + floor.width - 0.5
    start = float(np.clip(rest.centre[0] + rng.uniform(-2.5, 2.5), low, high))
    return Flight(
        rest,
        (start, OUT_SIDES),
        from_s,
        until_s,
        rolls=rng.uniform(1.2, 2.6) * 2 * math.pi,
        spins=rng.uniform(-1.0, 1.0) * math.pi,
        hop_sides=rng.uniform(0.4, 1.1),
    )
