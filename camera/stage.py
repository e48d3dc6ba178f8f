"""What simulated trays and squares have in common: things that lie or move, hands, lamp, noise.

Each thing goes a list of ways, one after the other, so that the picture of any moment can be taken.
Seed and calls decide everything, no clock and no other chance.
"""

import copy
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import cv2
import numpy as np

from camera.calibrate import Zone
from camera.hand import draw_hand
from camera.scene import Floor, Pixels, Pose, Scene, Sprite, lay
from camera.source import Frame
from camera.throws import PICK_UP_S, Away, Motion, Resting, Visit
from companion.dice import Die

EXPOSURE_S = 1 / 100
LAMP_SHARE = 0.4  # how much a table lamp at its brightest adds to the light of the room
NOISE_LEVELS = 3.0  # standard deviation of a pixel, of 255
_SPARE_PX = 64
_LONGEST_BLUR_PX = 9.0  # longer ones cost more time, and show no more


class Furniture(NamedTuple):
    """What chance draws before anything moves; several stages may share it, for none alters it.

    scene        trays or a square, and how things look there.
    reach_sides  a side as the hand feels it: its size is told in die edges.
    chance       how chance goes on from there; each stage takes a copy.
    """

    scene: Scene
    reach_sides: float
    hand: Sprite
    noise: tuple[Pixels, Pixels]
    chance: np.random.Generator


def furnished(scene: Scene, rng: np.random.Generator, reach_sides: float = 1.0) -> Furniture:
    """Put a hand and noise to a scene; `rng` belongs to the furniture from then on."""
    hand = draw_hand(reach_sides * scene.px_a_side(), scene.size_px[1], rng)
    return Furniture(scene, reach_sides, hand, _noise_tiles(scene.size_px, rng), rng)


class Stage:
    """Things under one simulated camera.

    dice        name -> what it looks like; may change while nothing is drawn.
    lamp        how bright blue, green and red are, against the light of the scene.
    """

    def __init__(
        self,
        furniture: Furniture,
        dice: dict[str, Die],
        seed: int,
        *,
        lamp: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> None:
        scene = furniture.scene
        self._scene, self._dice, self._seed = scene, dice, seed
        self._rng = copy.deepcopy(furniture.chance)
        self._own_lamp = self._lamp = lamp
        self._reach_sides = furniture.reach_sides
        self._ways: dict[str, list[tuple[float, Motion]]] = {
            name: [(-math.inf, Away())] for name in dice
        }
        self._visits: list[Visit] = []
        self._busy_until_s = dict.fromkeys(scene.floors, -math.inf)
        self._hand, self._noise = furniture.hand, furniture.noise
        self._sprites: dict[str, tuple[Resting, Sprite | None, Sprite | None]] = {}
        self._still: tuple[tuple[tuple[str, int], ...], Pixels] = ((), scene.empty)

    def zones(self) -> dict[str, Zone]:
        """Where the floors lie in the picture, as calibration would find them."""
        return self._scene.zones()

    def empty(self) -> Pixels:
        """Take a picture in which nothing lies there, (H, W, 3) uint8 BGR."""
        return self._lit(self._scene.empty.copy())

    def quiet_after_s(self) -> float:
        """From then on the pictures differ by noise only, until the next throw or hand."""
        return max(self._busy_until_s.values(), default=-math.inf)

    def frame(self, at_s: float) -> Frame:
        """Take the picture of one moment; the shutter is open from `at_s` on for EXPOSURE_S."""
        now = {name: self._motion_at(name, at_s) for name in self._ways}
        pixels = self._with_resting(now).copy()
        moving = []
        for name, motion in now.items():
            if not isinstance(motion, Resting) and (pose := motion.pose(at_s)) is not None:
                moving.append((pose.centre[2], name, motion, pose))
        for _, _, _, pose in moving:
            self._scene.draw_shadow(pixels, pose)
        for _, name, motion, pose in sorted(moving, key=lambda entry: entry[:2]):
            way = self._way_px(pose, motion.pose(at_s + EXPOSURE_S))
            self._scene.draw_die(pixels, self._dice[name], pose, way)
        for visit in self._visits:
            if (place := visit.place(at_s)) is not None:
                self._lay_hand(pixels, place)
        pixels = self._lit(pixels)
        self._add_noise(pixels, at_s)
        return Frame(at_s, pixels)

    def shine(self, light: tuple[float, float, float]) -> None:
        """Let a lamp add its light, from the next picture on: red, green and blue from 0 to 1."""
        red, green, blue = (1.0 + LAMP_SHARE * part for part in light)
        own = self._own_lamp
        self._lamp = (own[0] * blue, own[1] * green, own[2] * red)

    def _visit(
        self, places: tuple[Any, Any], from_s: float, floor: Floor, stays_s: float = PICK_UP_S[1]
    ) -> tuple[float, float, float, float]:
        """Let a hand come, go from one place to another, and go; return when it does."""
        comes, _, goes = PICK_UP_S
        there_s = from_s + comes
        times_s = (from_s, there_s, there_s + stays_s, there_s + stays_s + goes)
        edge, ahead = 1.4 * self._reach_sides, 0.8 * self._reach_sides
        low, high = floor.left + edge, floor.left + floor.width - edge
        kept = [(float(np.clip(x, low, high)), float(y) + ahead) for x, y in places]
        self._visits = [v for v in self._visits if v.times_s[3] > from_s - 5.0]
        self._visits.append(Visit((kept[0], kept[1]), times_s))
        return times_s

    def _pose_after(self, name: str, at_s: float) -> Pose | None:
        """Where a die lies once nothing moves in its zone any more; forget how it came there."""
        last = self._ways[name][-1]
        ways = self._ways[name]
        until_s = [start_s for start_s, _ in ways[1:]] + [math.inf]
        self._ways[name] = [w for w, end_s in zip(ways, until_s, strict=True) if end_s > at_s - 5.0]
        return last[1].pose(max(at_s, last[0]))

    def _motion_at(self, name: str, at_s: float) -> Motion:
        ways = self._ways[name]
        if ways[-1][0] <= at_s:  # most things lie still
            return ways[-1][1]
        return next(way for way in reversed(ways) if way[0] <= at_s)[1]

    def _with_resting(self, now: Mapping[str, Motion]) -> Pixels:
        """Draw the trays with the dice that lie still; kept until another die lies or leaves."""
        still = {name: m for name, m in now.items() if isinstance(m, Resting)}
        key = tuple((name, id(motion)) for name, motion in still.items())
        if key != self._still[0]:
            pixels = self._scene.empty.copy()
            far_first = sorted(still.items(), key=lambda entry: -entry[1].lies.centre[1])
            sprites = [self._sprites_of(name, motion) for name, motion in far_first]
            for sprite in [shadow for shadow, _ in sprites] + [die for _, die in sprites]:
                if sprite is not None:
                    lay(pixels, sprite)
            self._still = (key, pixels)
        return self._still[1]

    def _sprites_of(self, name: str, motion: Resting) -> tuple[Sprite | None, Sprite | None]:
        """Shadow and picture of a die that lies still; each is drawn once."""
        known = self._sprites.get(name)
        if known is None or known[0] is not motion:
            shadow = self._scene.shadow_sprite(motion.lies)
            known = (motion, shadow, self._scene.die_sprite(self._dice[name], motion.lies, (0, 0)))
            self._sprites[name] = known
        return known[1:]

    def _way_px(self, pose: Pose, later: Pose | None) -> tuple[float, float]:
        if later is None:
            return 0.0, 0.0
        begin, end = self._scene.project(np.array([pose.centre, later.centre]))
        x, y = float(end[0] - begin[0]), float(end[1] - begin[1])
        shorter = min(1.0, _LONGEST_BLUR_PX / max(abs(x), abs(y), 1e-9))
        return shorter * x, shorter * y

    def _lay_hand(self, pixels: Pixels, place: tuple[float, float]) -> None:
        x, y = self._scene.project(np.array([(*place, 1.5)]))[0]
        left = round(float(x) - self._hand.cover.shape[1] / 2)
        lay(pixels, self._hand._replace(left=left, top=round(float(y))))

    def _add_noise(self, pixels: Pixels, at_s: float) -> None:
        chance = np.random.default_rng([self._seed, 2, round(abs(at_s) * 1e6)])
        height, width = pixels.shape[:2]
        for tile, apply in zip(self._noise, (cv2.add, cv2.subtract), strict=True):
            x, y = (int(v) for v in chance.integers(0, _SPARE_PX, 2))
            apply(pixels, tile[y : y + height, x : x + width], pixels)

    def _lit(self, pixels: Pixels) -> Pixels:
        """Show pixels under the lamp."""
        if self._lamp == (1.0, 1.0, 1.0):
            return pixels
        channels: Any = (*self._lamp, 0.0)
        return np.asarray(cv2.multiply(pixels, channels), np.uint8)


def _noise_tiles(size_px: tuple[int, int], rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """Two pictures of one-sided noise, larger than a frame: one to add, one to take away."""
    shape = (size_px[1] + _SPARE_PX, size_px[0] + _SPARE_PX, 3)
    noise = rng.normal(0, NOISE_LEVELS, (2, *shape))
    np.clip(np.rint(noise, out=noise), 0, 255, out=noise)
    brighter, darker = noise.astype(np.uint8)
    return brighter, darker
