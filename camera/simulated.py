"""The shipped twin of a camera above dice trays: dice are thrown, and it takes the pictures.

It knows what was thrown; whoever looks at its pictures has to read them. Seed and calls decide
everything, no clock and no other chance.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np

from camera.scene import Floats, Floor, Pose, Scene, floors_for
from camera.stage import Furniture, Stage, furnished
from camera.throws import (
    OUT_SIDES,
    SHAKE_S,
    THROW_S,
    Away,
    Glide,
    Resting,
    fly,
    lying,
)
from companion.dice import DiceSet, Die

CROOKED_LEAN = 0.55  # radians
REACH_SIDES = 0.7  # a name in the picture belongs to the die that lies so near
_TOUCHING = 0.15  # so many of the thrown dice come to rest against another one


class SimulatedTray(Stage):
    """Trays under one simulated camera, one for each zone, side by side in its picture.

    dice     what is thrown; a die comes to rest with one of its own faces up.
    zones    zone -> names of the dice that are thrown there.
    size_px  width and height of the pictures.
    """

    def __init__(
        self,
        dice: DiceSet,
        zones: Mapping[str, Sequence[str]],
        *,
        seed: int,
        size_px: tuple[int, int] = (640, 360),
    ) -> None:
        self._zone_of = {name: zone for zone, names in zones.items() for name in names}
        thrown = {name: dice[name] for name in self._zone_of}
        counts = tuple((zone, len(names)) for zone, names in zones.items())
        super().__init__(_trays(tuple(thrown.values()), counts, size_px, seed), thrown, seed)

    def lay(self, names: Iterable[str]) -> None:
        """Let these dice lie ready, outside the picture."""
        for name in self._known(names):
            self._ways[name] = [(-math.inf, Away())]

    def throw(
        self, faces: Mapping[str, str], at_s: float, *, crooked: Collection[str] = ()
    ) -> float:
        """Pick up what lies in the tray, and throw these dice; return when they all lie still.

        crooked   dice that come to rest leaning, so that no face is up.
        Dice of a tray where a throw or a hand is still under way are thrown after it.
        """
        self._check(faces)
        return max(
            (self._throw_in(zone, names, faces, at_s, crooked)
             for zone, names in self._by_zone(faces).items()),
            default=at_s,
        )  # fmt: skip

    def take_out(self, names: Iterable[str], at_s: float) -> float:
        """Let a hand take dice out of the tray; return when hand and dice are gone."""
        return max(
            (self._pick_up(zone, taken, max(at_s, self._busy_until_s[zone]))
             for zone, taken in self._by_zone(self._known(names)).items()),
            default=at_s,
        )  # fmt: skip

    def move_aside(self, names: Iterable[str], at_s: float) -> float:
        """Let a hand push dice to a free place, without turning them; return when it is gone."""
        gone_s = at_s
        for name in self._known(names):
            zone = self._zone_of[name]
            start_s = max(at_s, self._busy_until_s[zone])
            pose = self._pose_after(name, start_s)
            if pose is None:
                continue
            floor = self._scene.floors[zone]
            to = self._free_place(floor, self._lying_in(zone, start_s, {name}), pose)
            times_s = self._visit((pose.centre[:2], to), start_s, floor)
            glide = Glide(pose, to, times_s[1], times_s[2])
            there = pose._replace(centre=(*to, pose.centre[2]))
            self._ways[name] += [(times_s[1], glide), (times_s[2], Resting(there))]
            gone_s = max(gone_s, times_s[3])
            self._busy_until_s[zone] = times_s[3]
        return gone_s

    def reach_in(self, zone: str, at_s: float) -> float:
        """Let a hand pass over a tray and touch nothing; return when it is gone."""
        floor = self._scene.floors[zone]
        start_s = max(at_s, self._busy_until_s[zone])
        y = float(self._rng.uniform(0.3, 0.8)) * floor.depth
        places = ((floor.left + 0.2 * floor.width, y), (floor.left + 0.8 * floor.width, y))
        self._busy_until_s[zone] = self._visit(places, start_s, floor)[3]
        return self._busy_until_s[zone]

    def call_as_seen(self, places_px: Mapping[str, tuple[float, float]]) -> None:
        """Call the dice what somebody who looks at the pictures calls them.

        Dice of a kind are interchangeable, so the camera may take white-1 for white-2. People then
        call that die white-2 as well, and pick it up when white-2 is to be thrown. A picture so old
        that no die lies there any more tells nothing.

        places_px   name -> middle of that die in the picture.
        """
        reach_px = REACH_SIDES * self._scene.px_a_side()
        lies_px = {name: self.place_px(name) for name in self._lying()}
        bodies: dict[str, str] = {}  # name that is called -> name that the die had
        for name in self._known(places_px):
            same = [
                n
                for n in lies_px
                if self._dice[n].kind == self._dice[name].kind
                and n not in bodies.values()
                and math.dist(lies_px[n], places_px[name]) <= reach_px
            ]
            nearest = min(same, key=lambda n: math.dist(lies_px[n], places_px[name]), default=None)
            if nearest is not None:
                bodies[name] = nearest
        self._rename(bodies)

    def shows(self, kind: str, place_px: tuple[float, float]) -> str | None:
        """The upper face of the die of a kind that lies nearest to a place in the picture."""
        near = [
            (math.dist(self._scene.project(np.array([lies.centre]))[0], place_px), lies.top)
            for name, lies in self._lying().items()
            if self._dice[name].kind == kind
        ]
        return min(near)[1] if near else None

    def place_px(self, name: str) -> tuple[float, float]:
        """The middle in the picture of a die that lies still or is about to."""
        x, y = self._scene.project(np.array([self._lying()[name].centre]))[0]
        return float(x), float(y)

    def _lying(self) -> dict[str, Pose]:
        """Where the dice lie, or will once they lie still."""
        last = {name: ways[-1][1] for name, ways in self._ways.items()}
        return {name: way.lies for name, way in last.items() if isinstance(way, Resting)}

    def _rename(self, bodies: dict[str, str]) -> None:
        """Let every name mean another die; names that are left over mean those that are."""
        spare = [name for name in bodies.values() if name not in bodies]
        lost = [name for name in bodies if name not in bodies.values()]
        for name in spare:
            mine = next(n for n in lost if self._dice[n].kind == self._dice[name].kind)
            lost.remove(mine)
            bodies[name] = mine
        self._ways |= {name: self._ways[body] for name, body in list(bodies.items())}

    def _check(self, faces: Mapping[str, str]) -> None:
        for name in self._known(faces):
            if faces[name] not in self._dice[name].faces:
                expected = ", ".join(sorted(set(self._dice[name].faces)))
                raise ValueError(f"{name}: expected a face of {expected}, got {faces[name]!r}")

    def _known(self, names: Iterable[str]) -> list[str]:
        listed = list(names)
        for name in listed:
            if name not in self._zone_of:
                expected = ", ".join(self._zone_of)
                raise ValueError(f"expected dice among {expected}, got {name!r}")
        return listed

    def _by_zone(self, names: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in names:
            found.setdefault(self._zone_of[name], []).append(name)
        return found

    def _throw_in(
        self,
        zone: str,
        names: Sequence[str],
        faces: Mapping[str, str],
        at_s: float,
        crooked: Collection[str],
    ) -> float:
        rng, floor = self._rng, self._scene.floors[zone]
        from_s = max(at_s, self._busy_until_s[zone])
        picked_s = self._pick_up(zone, names, from_s)
        if picked_s > from_s:
            from_s = picked_s + rng.uniform(*SHAKE_S)
        rest_s = from_s + rng.uniform(*THROW_S)
        others = self._lying_in(zone, from_s, set(names))
        for name in names:
            lean = CROOKED_LEAN if name in crooked else 0.0
            pose = self._place_on(floor, others, faces[name], lean)
            others.append(pose)
            lies_s = rest_s if name == names[-1] else rest_s - rng.uniform(0, 0.12)
            flight = fly(pose, floor, from_s + rng.uniform(0, 0.08), lies_s, rng)
            self._ways[name] += [(from_s, flight), (lies_s, Resting(pose))]
        self._busy_until_s[zone] = rest_s
        return rest_s

    def _pick_up(self, zone: str, names: Sequence[str], from_s: float) -> float:
        """Take those of `names` that lie in the tray; return when the hand is gone with them."""
        lying_now = {n: p for n in names if (p := self._pose_after(n, from_s)) is not None}
        if not lying_now:
            return from_s
        middle = np.mean([pose.centre[:2] for pose in lying_now.values()], axis=0)
        place = (float(middle[0]), float(middle[1]))
        times_s = self._visit((place, place), from_s, self._scene.floors[zone])
        for name, pose in lying_now.items():
            swept = pose._replace(centre=(*place, pose.centre[2]))
            self._ways[name] += [
                (times_s[1], Glide(pose, place, times_s[1], times_s[2])),
                (times_s[2], Glide(swept, (place[0], OUT_SIDES - 1.5), times_s[2], times_s[3])),
                (times_s[3], Away()),
            ]
        self._busy_until_s[zone] = times_s[3]
        return times_s[3]

    def _lying_in(self, zone: str, at_s: float, without: Collection[str]) -> list[Pose]:
        names = [n for n, z in self._zone_of.items() if z == zone and n not in without]
        return [pose for n in names if (pose := self._pose_after(n, at_s)) is not None]

    def _place_on(self, floor: Floor, others: Sequence[Pose], top: str, lean: float) -> Pose:
        """Find room for a die: sometimes against another one, never inside it."""
        rng = self._rng
        if others and lean == 0.0 and rng.random() < _TOUCHING:
            for _ in range(20):
                pose = _beside(others[int(rng.integers(len(others)))], top, rng)
                if _is_on(floor, pose) and not any(_overlap(pose, other, 0.98) for other in others):
                    return pose
        pose = lying(0.0, 0.0, rng.uniform(0, 2 * math.pi), top, lean)
        x, y = self._free_place(floor, others, pose)
        return pose._replace(centre=(x, y, pose.centre[2]))

    def _free_place(self, floor: Floor, others: Sequence[Pose], pose: Pose) -> tuple[float, float]:
        rng, size = self._rng, 1.30
        while True:
            for _ in range(60):
                x = floor.left + rng.uniform(0.95, floor.width - 0.95)
                y = rng.uniform(0.95, floor.depth - 0.95)
                there = pose._replace(centre=(x, y, pose.centre[2]))
                if not any(_overlap(there, other, size) for other in others):
                    return x, y
            size *= 0.93  # a full tray: dice lie closer


@lru_cache(maxsize=3)
def _trays(
    dice: tuple[Die, ...], counts: tuple[tuple[str, int], ...], size_px: tuple[int, int], seed: int
) -> Furniture:
    """Trays for so many dice each; a room that is set up once more has them at once."""
    rng = np.random.default_rng([seed, 1])
    floors = floors_for(dict(counts), size_px[0] / size_px[1])
    return furnished(Scene(list(dice), floors, size_px, rng), rng)


def _overlap(one: Pose, other: Pose, size: float) -> bool:
    """True if squares `size` sides wide around both dice overlap."""
    first, second = ((p.centre[:2], (size, size), math.degrees(_heading(p))) for p in (one, other))
    return bool(cv2.rotatedRectangleIntersection(first, second)[0] != cv2.INTERSECT_NONE)


def _heading(pose: Pose) -> float:
    turn: Floats = pose.turn
    return math.atan2(turn[1, 0], turn[0, 0])


def _beside(other: Pose, top: str, rng: np.random.Generator) -> Pose:
    """A die that lies against one of the four sides of another one."""
    angle = _heading(other) + rng.integers(4) * math.pi / 2
    away, along = 1.01, rng.uniform(-0.6, 0.6)
    x = other.centre[0] + away * math.cos(angle) - along * math.sin(angle)
    y = other.centre[1] + away * math.sin(angle) + along * math.cos(angle)
    return lying(x, y, angle + rng.integers(4) * math.pi / 2, top)


def _is_on(floor: Floor, pose: Pose) -> bool:
    x, y, _ = pose.centre
    return 0.8 < x - floor.left < floor.width - 0.8 and 0.8 < y < floor.depth - 0.8
