"""What people do with a die, simulated: throw it, shake it, carry it, knock on the table.

A `Die` goes through what is done to it, one call after the other, and writes down what its
accelerometer says every 10 ms. What is thrown tumbles by the laws of `simulated_motion`; a hand
moves it from one pose to another on a smooth path, and trembles. Truth (when it came to rest, which
side is up, how far it leans) stands beside it.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from hardware.simulated_motion import (
    QUIET_MS,
    STEP_S,
    TABLE,
    Accelerometer,
    Body,
    G,
    Matrix,
    Plane,
    Solid,
    Vector,
    cube,
    dot,
    into_body,
    into_room,
    turned,
    unit,
    with_up,
)

LONGEST_TUMBLE_MS = 8000
CHATTER_G = 0.2  # of a die that slides: it sticks and slips many times a second
Sample = tuple[int, int, int, int]  # at_ms, and x, y, z in mg


@dataclass(frozen=True)
class Rest:
    """How a die really lies: since when, which side is up (from 1), how far it leans."""

    at_ms: int
    side: int
    leans_deg: float


class Die:
    """A die on a table, and what its accelerometer says.

    chance   decides everything that is not given.     solid  its shape.
    sensor   by default one out of the bag.            side   that is up at first.
    """

    def __init__(
        self,
        chance: random.Random,
        solid: Solid | None = None,
        sensor: Accelerometer | None = None,
        side: int | None = None,
    ) -> None:
        self.chance = chance
        self.solid = cube() if solid is None else solid
        self.sensor = Accelerometer.any(chance) if sensor is None else sensor
        self.samples: list[Sample] = []
        self.now_ms = 0
        self._phase_ms = chance.randrange(self.sensor.every_ms)
        self._slope = (chance.gauss(0, 0.006), chance.gauss(0, 0.006), 0.0)  # no table is level
        up = chance.randrange(len(self.solid.ups)) + 1 if side is None else side
        self.turn = self.lying(up)

    def lying(self, side: int) -> Matrix:
        """A pose on the table with this side up."""
        return turned(with_up(self.solid.ups[side - 1], self.chance), self._slope)

    @property
    def rest(self) -> Rest:
        """How it lies now, if it does."""
        side, leans_deg = self.solid.side_up(self.turn)
        return Rest(self.now_ms, side, leans_deg)

    @property
    def stands_low_m(self) -> float:
        """How much lower its centre may be than its farthest corner, without touching the table."""
        return self.solid.radius + min(into_room(self.turn, c)[2] for c in self.solid.corners)

    # What is done to it

    def lie(self, for_ms: int, shaking_g: float = 0.0) -> None:
        """Leave it alone; the table may shake (standard deviation)."""
        for _ in range(for_ms):
            shake = tuple(self.chance.gauss(0, shaking_g) for _ in range(3))
            self._feel((shake[0], shake[1], 1.0 + shake[2]))

    def knock(self, hard_g: float) -> None:
        """Hit the table beside it: the table rings, the die with it, and lies as before."""
        rings_hz, fades_s = self.chance.uniform(50, 160), self.chance.uniform(0.008, 0.03)
        way = unit((self.chance.gauss(0, 0.4), self.chance.gauss(0, 0.4), 1.0))
        for ms in range(200):
            swing = hard_g * math.exp(-ms * STEP_S / fades_s)
            swing *= math.sin(math.tau * rings_hz * ms * STEP_S)
            up_g = max(0.0, 1.0 + way[2] * swing)  # a table cannot pull a die down
            self._feel((way[0] * swing, way[1] * swing, up_g))

    def push(self, hit_g: float, slides_ms: int) -> None:
        """Push or hit it so that it slides and turns on the table, the same side up."""
        heading, spin = self.chance.uniform(0, math.tau), self.chance.gauss(0, 3)
        way = (math.cos(heading), math.sin(heading))
        for ms in range(slides_ms):
            force = hit_g * math.exp(-ms / 4) - 0.3 * (ms > 12)
            force += self.chance.gauss(0, 0.15)  # it sticks and slips
            self.turn = turned(self.turn, (0.0, 0.0, spin * STEP_S))
            self._feel((way[0] * force, way[1] * force, 1.0 + self.chance.gauss(0, 0.15)))

    def carry(
        self, to: Matrix, for_ms: int, trembles_g: float = 0.03, lifts_m: float = 0.1
    ) -> None:
        """Take it in the hand to another pose, on the smoothest path, trembling a little."""
        axis, angle = _between(self.turn, to)
        start, wobble = self.turn, self._wobbling(0.06)
        tremble = self._trembling(trembles_g)
        for ms in range(for_ms):
            part = (ms + 1) / for_ms
            way = part**3 * (10 - 15 * part + 6 * part**2)
            pulled = lifts_m * _pull(part) / (for_ms * STEP_S) ** 2 / G
            self.turn = turned(
                start, (axis[0] * angle * way, axis[1] * angle * way, axis[2] * angle * way)
            )
            self.turn = turned(self.turn, wobble(ms, math.sin(math.pi * part)))
            x, y, z = tremble(ms)
            self._feel((x + 0.5 * pulled, y, 1.0 + z + pulled))

    def hold(self, for_ms: int, trembles_g: float = 0.03) -> None:
        """Keep it in the hand, as quiet as hands are."""
        tremble, wobble, start = self._trembling(trembles_g), self._wobbling(0.05), self.turn
        for ms in range(for_ms):
            self.turn = turned(start, wobble(ms, 1.0))
            x, y, z = tremble(ms)
            self._feel((x, y, 1.0 + z))

    def shake(self, for_ms: int, hard_g: float, rattles_per_s: float = 15.0) -> None:
        """Shake it in closed hands, where it hits others and the palm, and turns anyhow."""
        shakes_hz, way = self.chance.uniform(3, 7), unit((1.0, self.chance.gauss(0, 0.5), 0.4))
        phase, kick, kick_g = self.chance.uniform(0, math.tau), (0.0, 0.0, 1.0), 0.0
        spin: Vector = (0.0, 0.0, 0.0)
        for ms in range(for_ms):
            if self.chance.random() < rattles_per_s * STEP_S:
                kick, kick_g = self._any_way(), self.chance.expovariate(1 / 4.0)
                spin = tuple(self.chance.gauss(0, 12) for _ in range(3))  # type: ignore[assignment]
            kick_g *= 0.7
            swing = hard_g * math.sin(math.tau * shakes_hz * ms * STEP_S + phase)
            self.turn = turned(self.turn, (spin[0] * STEP_S, spin[1] * STEP_S, spin[2] * STEP_S))
            x, y, z = (way[i] * swing + kick[i] * kick_g for i in range(3))
            self._feel((x, y, 1.0 + z))

    def walk(self, for_ms: int, steps_g: float = 0.35) -> None:
        """Carry it about in a hand or a pocket."""
        steps_hz, tremble = self.chance.uniform(1.6, 2.2), self._trembling(0.06)
        wobble, start = self._wobbling(0.4), self.turn
        for ms in range(for_ms):
            x, y, z = tremble(ms)
            beat = steps_g * math.sin(math.tau * steps_hz * ms * STEP_S)
            self.turn = turned(start, wobble(ms, 1.0))
            self._feel((x + 0.3 * beat, y, 1.0 + z + beat))

    def set_down(self, side: int, for_ms: int, trembles_g: float = 0.03) -> Rest:
        """Bring it to the table, this side up: one edge touches first, then it lies flat."""
        flat = self.lying(side)
        tilt = (self.chance.gauss(0, 0.07), self.chance.gauss(0, 0.07), 0.0)
        self.carry(turned(flat, tilt), for_ms, trembles_g, lifts_m=-0.1)
        self._touch(self.chance.uniform(0.03, 0.25))
        settling_ms = self.chance.randrange(20, 70)
        for ms in range(settling_ms):
            left = (1 - (ms + 1) / settling_ms) ** 2
            self.turn = turned(flat, (tilt[0] * left, tilt[1] * left, 0.0))
            self._feel((0.0, 0.0, 1.0 + self.chance.gauss(0, 0.1) * left))
        self._touch(self.chance.uniform(0.0, 0.08))
        self.turn = flat
        return self.rest

    def tip_over(self, onto: int) -> Rest:
        """Turn it onto a side beside this one with a finger: up to its edge, then it falls."""
        start, flat = self.turn, self.lying(onto)
        axis, angle = _between(start, flat)
        lift_ms = self.chance.randrange(150, 600)
        for ms in range(lift_ms):
            way = 0.5 * angle * (ms + 1) / lift_ms
            self.turn = turned(start, (axis[0] * way, axis[1] * way, axis[2] * way))
            self._feel((0.0, 0.0, 1.0 + self.chance.gauss(0, 0.08)))
        for ms in range(60):
            way = angle * (0.5 + 0.5 * ((ms + 1) / 60) ** 2)
            self.turn = turned(start, (axis[0] * way, axis[1] * way, axis[2] * way))
            self._feel((0.1, 0.0, 0.85 + self.chance.gauss(0, 0.05)))
        self.turn = flat
        self._touch(self.chance.uniform(0.1, 0.35))
        return self.rest

    def throw(
        self,
        speed_m_s: float | None = None,
        spin_rad_s: float | None = None,
        from_m: float | None = None,
        planes: tuple[Plane, ...] = (TABLE,),
        bounce: float | None = None,
        friction: float | None = None,
    ) -> Rest:
        """Let it go and tumble until it lies still; what is not given is as people throw."""
        body = Body(self.solid, *self._let_go(speed_m_s, spin_rad_s, from_m), planes=planes)
        body.bounce = self.chance.uniform(0.25, 0.6) if bounce is None else bounce
        body.friction = self.chance.uniform(0.2, 0.55) if friction is None else friction
        quiet_ms, ends_ms = 0, self.now_ms + LONGEST_TUMBLE_MS
        while quiet_ms < QUIET_MS and self.now_ms < ends_ms:
            before = self._sensor_velocity(body)
            touches = body.step()
            after = self._sensor_velocity(body)
            self.turn = body.turn
            rough_g = CHATTER_G if touches and not body.is_slow() else 0.0
            felt = [(after[i] - before[i]) / STEP_S / G for i in range(3)]
            x, y, z = (one + self.chance.gauss(0, rough_g) for one in felt)
            self._feel((x, y, 1.0 + z))
            quiet_ms = quiet_ms + 1 if touches >= 3 and body.is_slow() else 0
        side, leans_deg = self.solid.side_up(self.turn)
        return Rest(self.now_ms - quiet_ms, side, leans_deg)

    def _let_go(
        self, speed_m_s: float | None, spin_rad_s: float | None, from_m: float | None
    ) -> tuple[Vector, Vector, Matrix, Vector]:
        chance = self.chance
        speed = chance.uniform(0.2, 1.6) if speed_m_s is None else speed_m_s
        spin = chance.uniform(5, 80) if spin_rad_s is None else spin_rad_s
        height = chance.uniform(0.02, 0.22) if from_m is None else from_m
        way = self._any_way()
        return (
            (0.0, 0.0, height + self.solid.radius),
            (speed, 0.1 * speed * chance.gauss(0, 1), chance.uniform(-0.6, 0.4) * speed),
            self.turn,
            (way[0] * spin, way[1] * spin, way[2] * spin),
        )

    def _sensor_velocity(self, body: Body) -> Vector:
        return body.velocity_at(into_room(body.turn, self.sensor.place))

    # What it feels

    def _feel(self, force_g: Vector) -> None:
        self.sensor.feel(into_body(self.turn, force_g))
        self.now_ms += 1
        if self.now_ms % self.sensor.every_ms == self._phase_ms:
            self.samples.append((self.now_ms, *self.sensor.read(self.chance)))

    def _touch(self, speed_m_s: float) -> None:
        for _ in range(2):
            self._feel((0.0, 0.0, 1.0 + speed_m_s / (2 * STEP_S) / G))

    def _any_way(self) -> Vector:
        return unit((self.chance.gauss(0, 1), self.chance.gauss(0, 1), self.chance.gauss(0, 1)))

    def _trembling(self, size_g: float) -> Callable[[int], Vector]:
        # Hands tremble at 6 to 12 Hz, and drift.
        waves = [
            (size_g * self.chance.uniform(0.5, 1.2), self.chance.uniform(*hz), self.chance.random())
            for hz in ((6, 12),) * 3 + ((0.5, 2),) * 3
        ]

        def tremble(ms: int) -> Vector:
            fast = [a * math.sin(math.tau * (hz * ms * STEP_S + at)) for a, hz, at in waves]
            return (fast[0] + fast[3], fast[1] + fast[4], fast[2] + fast[5])

        return tremble

    def _wobbling(self, size_rad: float) -> Callable[[int, float], Vector]:
        waves = [
            (size_rad * self.chance.gauss(0, 1), self.chance.uniform(0.3, 2), self.chance.random())
            for _ in range(3)
        ]

        def wobble(ms: int, share: float) -> Vector:
            x, y, z = (
                share * a * (math.sin(math.tau * (hz * ms * STEP_S + at)) - math.sin(math.tau * at))
                for a, hz, at in waves
            )
            return (x, y, z)

        return wobble


def _between(start: Matrix, to: Matrix) -> tuple[Vector, float]:
    # The turn from one pose to the other, as axis in the room and angle.
    rows = [[sum(to[i][k] * start[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
    angle = math.acos(max(-1.0, min(1.0, (rows[0][0] + rows[1][1] + rows[2][2] - 1) / 2)))
    axis = (rows[2][1] - rows[1][2], rows[0][2] - rows[2][0], rows[1][0] - rows[0][1])
    if angle < 1e-6 or dot(axis, axis) < 1e-12:
        if angle < 1.0:
            return (0.0, 0.0, 1.0), 0.0
        column = max(range(3), key=lambda i: rows[i][i])  # half a turn: R = 2 a a' - 1
        half = tuple(rows[i][column] + (i == column) for i in range(3))
        return unit((half[0], half[1], half[2])), angle
    return unit(axis), angle


def _pull(part: float) -> float:
    # The acceleration of the smoothest path from rest to rest, for a length and a time of 1.
    return 60 * part - 180 * part**2 + 120 * part**3
