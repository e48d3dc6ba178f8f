"""What the accelerometer of a die feels, simulated: a solid that tumbles on a table, and a sensor.

Theory of operation. A cube and an octahedron turn about every axis alike, so a body is a point
with one moment of inertia and its corners. In steps of a millisecond gravity pulls; every corner
below a plane (table, wall, ramp) that still moves into it is pushed back by an impulse, with
bounce and friction, a few rounds over all corners. A body whose corners rest on the planes in
three places, slower than QUIET_M_S for QUIET_MS, is at rest. The sensor feels the change of its
own velocity against gravity, in the axes of the body; it saturates, is as slow as its filter,
noisy, off zero and off scale, and speaks in whole steps. Everything follows a seeded chance.

Lengths are in m, angles in rad, accelerations in g where the name ends in `_g`, else m/s2.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]  # rows; turns body axes into those of the room
Plane = tuple[float, float, float, float]  # unit normal, and how far from the origin

G = 9.81
STEP_S = 0.001
ROUNDS = 3
SLOW_M_S = 0.12  # a slower corner does not bounce
QUIET_M_S = 0.012
QUIET_MS = 15
TOUCH_M = 0.0004
TABLE: Plane = (0.0, 0.0, 1.0, 0.0)

UPRIGHT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def dot(a: Vector, b: Vector) -> float:
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Outer product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def unit(a: Vector) -> Vector:
    """The direction of a vector that is not zero."""
    length = math.sqrt(dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length)


def into_room(turn: Matrix, a: Vector) -> Vector:
    """A vector of the body in the axes of the room."""
    return (dot(turn[0], a), dot(turn[1], a), dot(turn[2], a))


def into_body(turn: Matrix, a: Vector) -> Vector:
    """A vector of the room in the axes of the body."""
    x, y, z = turn
    return (
        x[0] * a[0] + y[0] * a[1] + z[0] * a[2],
        x[1] * a[0] + y[1] * a[1] + z[1] * a[2],
        x[2] * a[0] + y[2] * a[1] + z[2] * a[2],
    )


def turned(turn: Matrix, by: Vector) -> Matrix:
    """Turn a body further: `by` is the axis in the room, as long as the angle in rad."""
    angle = math.sqrt(dot(by, by))
    if angle < 1e-12:
        return turn
    x, y, z = by[0] / angle, by[1] / angle, by[2] / angle
    cosine, sine = math.cos(angle), math.sin(angle)
    rest = 1 - cosine
    columns = []
    for a, b, c in zip(*turn, strict=True):  # Rodrigues' formula, for each axis of the body
        along = (x * a + y * b + z * c) * rest
        columns.append(
            (
                a * cosine + (y * c - z * b) * sine + x * along,
                b * cosine + (z * a - x * c) * sine + y * along,
                c * cosine + (x * b - y * a) * sine + z * along,
            )
        )
    (ax, ay, az), (bx, by_, bz), (cx, cy, cz) = columns
    return ((ax, bx, cx), (ay, by_, cy), (az, bz, cz))


def any_turn(chance: random.Random) -> Matrix:
    """An orientation by chance, every one as likely."""
    turn = turned(UPRIGHT, (0.0, 0.0, chance.uniform(0, math.tau)))
    x, y = chance.gauss(0, 1), chance.gauss(0, 1)
    tilt = math.acos(chance.uniform(-1, 1))
    axis = unit((x, y, 0.0))
    return turned(turn, (axis[0] * tilt, axis[1] * tilt, 0.0))


def with_up(up: Vector, chance: random.Random) -> Matrix:
    """An orientation in which this direction of the body points up, turned anyhow about it."""
    away = (1.0, 0.0, 0.0) if abs(up[0]) < 0.9 else (0.0, 1.0, 0.0)
    x = unit(cross(away, up))
    rows: Matrix = (x, cross(up, x), up)
    return turned(rows, (0.0, 0.0, chance.uniform(0, math.tau)))


@dataclass(frozen=True)
class Solid:
    """The shape of a die.

    corners  in m from its centre.     ups  directions of its sides, side 1 first.
    inertia  about any axis, for a mass of 1 (m2).
    """

    corners: tuple[Vector, ...]
    ups: tuple[Vector, ...]
    inertia: float

    @property
    def radius(self) -> float:
        """From the centre to a corner, in m."""
        return math.sqrt(dot(self.corners[0], self.corners[0]))

    def side_up(self, turn: Matrix) -> tuple[int, float]:
        """The side that is most up, from 1, and how far it leans in degrees."""
        slopes = [dot(turn[2], up) for up in self.ups]
        best = max(range(len(slopes)), key=slopes.__getitem__)
        return best + 1, math.degrees(math.acos(min(1.0, slopes[best])))


def cube(side_m: float = 0.018) -> Solid:
    """A d6; sides that face each other add up to 7."""
    h = side_m / 2
    corners = tuple((x, y, z) for x in (-h, h) for y in (-h, h) for z in (-h, h))
    ups = tuple(
        (float(x), float(y), float(z))
        for x, y, z in ((0, 0, -1), (0, -1, 0), (-1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    )
    return Solid(corners, ups, side_m**2 / 6)


def octahedron(edge_m: float = 0.022) -> Solid:
    """A d8; sides that face each other add up to 9."""
    r, e = edge_m / math.sqrt(2), 1 / math.sqrt(3)
    corners = ((r, 0.0, 0.0), (-r, 0.0, 0.0), (0.0, r, 0.0), (0.0, -r, 0.0), (0.0, 0.0, r))
    ups = tuple((x, y, z) for x in (e, -e) for y in (e, -e) for z in (e, -e))
    return Solid((*corners, (0.0, 0.0, -r)), ups, edge_m**2 / 10)


@dataclass
class Body:
    """A solid on its way: where its centre is and how fast, its turn and spin (rad/s, room)."""

    solid: Solid
    at: Vector
    speed: Vector
    turn: Matrix
    spin: Vector
    bounce: float = 0.45
    friction: float = 0.35
    planes: Sequence[Plane] = (TABLE,)

    def velocity_at(self, arm: Vector) -> Vector:
        """How fast a point moves that is `arm` from the centre, in the room."""
        v, s = self.speed, cross(self.spin, arm)
        return (v[0] + s[0], v[1] + s[1], v[2] + s[2])

    def step(self) -> int:
        """Let a millisecond pass; return at how many places it touches."""
        v = self.speed
        self.speed = (v[0], v[1], v[2] - G * STEP_S)
        touching = self._touching()
        for _ in range(ROUNDS if touching else 0):
            for arm, plane, depth in touching:
                self._push(arm, plane, depth)
        self.at = _moved(self.at, self.speed, STEP_S)
        w = self.spin
        self.turn = turned(self.turn, (w[0] * STEP_S, w[1] * STEP_S, w[2] * STEP_S))
        self._lift_out(touching)
        return len(touching)

    def _touching(self) -> list[tuple[Vector, Plane, float]]:
        found = []
        near = self.solid.radius + TOUCH_M
        for plane in self.planes:
            height = plane[0] * self.at[0] + plane[1] * self.at[1] + plane[2] * self.at[2]
            if height - plane[3] > near:
                continue
            for corner in self.solid.corners:
                arm = into_room(self.turn, corner)
                low = plane[0] * arm[0] + plane[1] * arm[1] + plane[2] * arm[2]
                depth = plane[3] - height - low
                if depth > -TOUCH_M:
                    found.append((arm, plane, depth))
        return found

    def _push(self, arm: Vector, plane: Plane, depth: float) -> None:
        normal = (plane[0], plane[1], plane[2])
        velocity = self.velocity_at(arm)
        inward = -dot(velocity, normal)
        if inward <= 0 or depth < -inward * STEP_S:
            return
        lever = cross(arm, normal)
        bounce = self.bounce if inward > SLOW_M_S else 0.0
        push = (1 + bounce) * inward / (1 + dot(lever, lever) / self.solid.inertia)
        self._kick(arm, normal, push)
        self._rub(arm, normal, push)

    def _rub(self, arm: Vector, normal: Vector, push: float) -> None:
        velocity = self.velocity_at(arm)
        away = dot(velocity, normal)
        slip = _moved(velocity, normal, -away)
        speed = math.sqrt(dot(slip, slip))
        if speed < 1e-9:
            return
        along = (slip[0] / speed, slip[1] / speed, slip[2] / speed)
        lever = cross(arm, along)
        stop = speed / (1 + dot(lever, lever) / self.solid.inertia)
        self._kick(arm, along, -min(self.friction * push, stop))

    def _kick(self, arm: Vector, along: Vector, size: float) -> None:
        self.speed = _moved(self.speed, along, size)
        self.spin = _moved(self.spin, cross(arm, along), size / self.solid.inertia)

    def _lift_out(self, touching: Sequence[tuple[Vector, Plane, float]]) -> None:
        # What is still below after the pushes is lifted gently, or the lift would be felt as speed.
        for plane in self.planes:
            deepest = max((depth for _, p, depth in touching if p is plane), default=0.0)
            if deepest > TOUCH_M / 2:
                by = min(0.2 * (deepest - TOUCH_M / 2), 0.0005)
                self.at = _moved(self.at, (plane[0], plane[1], plane[2]), by)

    def is_slow(self) -> bool:
        """True if no corner moves faster than QUIET_M_S."""
        speed, spin = math.sqrt(dot(self.speed, self.speed)), math.sqrt(dot(self.spin, self.spin))
        return speed + spin * self.solid.radius < QUIET_M_S


def _moved(a: Vector, b: Vector, by: float) -> Vector:
    return (a[0] + b[0] * by, a[1] + b[1] * by, a[2] + b[2] * by)


@dataclass
class Accelerometer:
    """A sensor in a die, and what it makes of the truth; one sample every `every_ms`.

    Values as the data sheets of LIS3DH and LSM6DS3 allow them before any calibration.
    place     from the centre of the die, in m.    range_g     where it saturates.
    filter_hz two poles of its own low pass.       noise_mg    standard deviation.
    step_mg   of one digit.                        off_mg, gain  errors of each axis.
    """

    place: Vector = (0.001, -0.0015, 0.001)
    range_g: float = 8.0
    filter_hz: float = 44.0
    noise_mg: float = 3.0
    step_mg: int = 4
    every_ms: int = 10
    off_mg: Vector = (0.0, 0.0, 0.0)
    gain: Vector = (1.0, 1.0, 1.0)
    _low: list[float] = field(default_factory=lambda: [0.0] * 6)
    _is_warm: bool = False
    _share: float = field(init=False)

    def __post_init__(self) -> None:
        self._share = 1 - math.exp(-math.tau * self.filter_hz * STEP_S)

    @classmethod
    def any(cls, chance: random.Random) -> "Accelerometer":
        """One out of the bag."""
        return cls(
            place=tuple(chance.uniform(-0.0015, 0.0015) for _ in range(3)),  # type: ignore[arg-type]
            noise_mg=chance.uniform(1.5, 4.5),
            step_mg=chance.choice((1, 4)),
            off_mg=tuple(chance.uniform(-40, 40) for _ in range(3)),  # type: ignore[arg-type]
            gain=tuple(chance.uniform(0.97, 1.03) for _ in range(3)),  # type: ignore[arg-type]
        )

    def feel(self, force_g: Vector) -> None:
        """Let a millisecond pass under this force (body axes, in g)."""
        low, share, most = self._low, self._share, self.range_g
        if not self._is_warm:
            low[:3] = low[3:] = [max(-most, min(most, one)) for one in force_g]
            self._is_warm = True
        for i in (0, 1, 2):
            true = force_g[i]
            if not -most <= true <= most:
                true = most if true > 0 else -most
            low[i] += share * (true - low[i])
            low[i + 3] += share * (low[i] - low[i + 3])

    def read(self, chance: random.Random) -> tuple[int, int, int]:
        """What it says now, in mg."""
        x, y, z = (self._digits(i, chance) for i in range(3))
        return x, y, z

    def _digits(self, i: int, chance: random.Random) -> int:
        said = self._low[i + 3] * self.gain[i] * 1000 + self.off_mg[i]
        said += chance.gauss(0, self.noise_mg)
        most = int(self.range_g * 1000)
        return max(-most, min(most, round(said / self.step_mg) * self.step_mg))
