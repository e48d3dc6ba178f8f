"""Draw dice in trays as a camera above the table would see them.

Lengths count in die edges ("sides"); x goes right, y away from the viewer, z up, and the floors of
the trays are the plane z = 0. Only what changes is drawn: trays, light and resting dice are kept as
a picture, and a moving die is drawn into the small patch that it covers.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.art import colour_of, draw_face
from camera.calibrate import Zone
from camera.canvas import Colour
from companion.dice import Die

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

GAP_SIDES = 1.5  # between two trays
TILT_DEG = 17.0  # how far the camera leans away from straight down
CAMERA_SIDES = 26.0  # distance of the camera from the trays' middle
LIGHT_FROM: Floats = np.array([-0.42, 0.30, 0.86])
TEXTURE_PX = 36
SHADOW_PX = 32
_FELT_LIGHTS = np.linspace(0.5, 1.1, 7)  # felt in shadow must not look like a die either
_SHADES = 48  # steps between dark and bright in which faces are drawn
FELTS: Sequence[Colour] = (
    (62, 98, 46), (104, 74, 48), (84, 60, 88), (92, 92, 92), (60, 84, 110), (76, 150, 90),
    (160, 146, 66), (150, 108, 156),
)  # fmt: skip

# The six sides of a cube: its normal, and the corners as the picture of a face is laid on it
# (upper left, upper right, lower right, lower left), of a cube with edges of 2.
_SIDES: Sequence[tuple[tuple[int, int, int], Sequence[tuple[int, int, int]]]] = (
    ((0, 0, 1), ((-1, 1, 1), (1, 1, 1), (1, -1, 1), (-1, -1, 1))),
    ((0, -1, 0), ((-1, -1, 1), (1, -1, 1), (1, -1, -1), (-1, -1, -1))),
    ((1, 0, 0), ((1, -1, 1), (1, 1, 1), (1, 1, -1), (1, -1, -1))),
    ((0, 1, 0), ((1, 1, 1), (-1, 1, 1), (-1, 1, -1), (1, 1, -1))),
    ((-1, 0, 0), ((-1, 1, 1), (-1, -1, 1), (-1, -1, -1), (-1, 1, -1))),
    ((0, 0, -1), ((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1))),
)
_SHADOW_CORNERS: Floats = 0.78 * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
_NORMALS: Floats = np.array([normal for normal, _ in _SIDES], np.float64)
_CORNERS: Floats = np.array([corners for _, corners in _SIDES], np.float64) / 2


class Floor(NamedTuple):
    """The floor of one tray: its left edge, width and depth in sides."""

    left: float
    width: float
    depth: float


class Pose(NamedTuple):
    """Where a die is: its middle in sides, its rotation (3, 3), and its upper face."""

    centre: tuple[float, float, float]
    turn: Floats
    top: str


class Sprite(NamedTuple):
    """A patch to lay on a picture: colour times cover, cover (uint8, 3 channels), its place."""

    ink: Pixels
    cover: Pixels
    left: int
    top: int


def turn_about(axis: tuple[float, float, float], angle: float) -> Floats:
    """Rotation (3, 3) by `angle` in radians about `axis`."""
    turn, _ = cv2.Rodrigues(np.array(axis) * (angle / max(math.hypot(*axis), 1e-9)))
    return np.asarray(turn, np.float64)


def floors_for(counts: Mapping[str, int], aspect: float) -> dict[str, Floor]:
    """Choose trays in which so many dice have room, side by side in a picture of this aspect."""
    for depth in range(8, 60):
        widths = {zone: max(5.5, 8.6 * n / depth + 1.5) for zone, n in counts.items()}
        total = sum(widths.values()) + GAP_SIDES * (len(widths) - 1)
        if total + 1.4 <= aspect * (depth + 1.2):
            break
    floors, left = {}, 0.0
    for zone, width in widths.items():
        floors[zone] = Floor(left, width, float(depth))
        left += width + GAP_SIDES
    return floors


def felt_for(dice: Sequence[Die]) -> Colour:
    """Choose the felt from which the bodies and the pictures of these dice stand out best."""
    looks = {(face, die.colour) for die in dice for face in die.faces}
    return _felt_for(tuple(sorted(looks)), tuple(die.colour for die in dice))


@lru_cache(maxsize=32)
def _felt_for(looks: tuple[tuple[str, str], ...], dice: tuple[str, ...]) -> Colour:
    """The same for faces with the colours under them, and the colours of all dice."""
    drawn = [draw_face(face, colour_of(body), 16).reshape(-1, 3) for face, body in looks]
    colours = np.concatenate(drawn).astype(np.float64) if drawn else np.zeros((1, 3))

    lit = np.array([colour_of(colour) for colour in dice] or [(0, 0, 0)], np.float64)
    bodies = np.concatenate([shade * lit for shade in (1.0, 0.8, 0.62)])

    def gap(felt: Colour) -> float:
        alike = float((_apart_from(felt, colours) < 40).mean())
        return min(100.0, float(_apart_from(felt, bodies).min())) - 100 * alike

    return max(FELTS, key=gap)


def _apart_from(felt: Colour, colours: Floats) -> Floats:
    """How far colours (N, 3) are from felt in any light, from deep shadow on."""
    shades = [np.abs(colours - light * np.array(felt)).sum(axis=1) for light in _FELT_LIGHTS]
    return np.asarray(np.min(shades, axis=0), np.float64)


class Scene:
    """Trays under a camera and a lamp, and how dice look in them.

    thick_sides  height of what lies there: 1 for dice, less for tiles.
    tilt_deg     how far the camera leans away from straight down, 0 to 60.
    swing_deg    how far it stands beside the middle of the near side, -45 to 45.
    """

    def __init__(
        self,
        dice: Sequence[Die],
        floors: Mapping[str, Floor],
        size_px: tuple[int, int],
        rng: np.random.Generator,
        *,
        thick_sides: float = 1.0,
        tilt_deg: float = TILT_DEG,
        swing_deg: float = 0.0,
    ) -> None:
        self.size_px, self.floors = size_px, dict(floors)
        self._thick = np.array([1.0, 1.0, thick_sides])
        self._place_camera(math.radians(tilt_deg), math.radians(swing_deg))
        felt = felt_for(dice)
        self.light = self._light(rng)
        self.empty = self._draw_trays(felt, rng)
        self._textures = {
            (die.kind, face): _texture(face, colour_of(die.colour))
            for die in dice
            for face in die.faces
        }
        self._lit: dict[tuple[str, str, int], Pixels] = {}
        self._shadow = _soft_square(SHADOW_PX)

    def _place_camera(self, tilt: float, swing: float) -> None:
        last = list(self.floors.values())[-1]
        width, depth = last.left + last.width, last.depth
        lean = np.array(
            [[1, 0, 0], [0, -math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), -math.cos(tilt)]]
        )
        around = turn_about((0, 0, 1), swing)
        turn = lean @ around.T
        distance = CAMERA_SIDES * max(1.0, depth / 9)
        aim = np.array([width / 2, depth / 2 + 0.15, 0.0])
        self.eye: Floats = aim + distance * around @ np.array([0, -math.sin(tilt), math.cos(tilt)])
        outer = (
            np.array([(x, y, 0.4) for x in (-0.6, width + 0.6) for y in (-0.7, depth + 0.7)])
            - self.eye
        )
        seen = outer @ turn.T
        spread = np.abs(seen[:, :2] / seen[:, 2:]).max(axis=0)
        focal_px = min(self.size_px[0] / 2 / spread[0], self.size_px[1] / 2 / spread[1])
        camera = np.array(
            [[focal_px, 0, self.size_px[0] / 2], [0, focal_px, self.size_px[1] / 2], [0, 0, 1]]
        )
        self._projection: Floats = camera @ np.column_stack((turn, -turn @ self.eye))

    def project(self, points: Floats) -> Floats:
        """Picture pixels (N, 2) of points (N, 3) in sides."""
        seen = points @ self._projection[:, :3].T + self._projection[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)

    def px_a_side(self) -> float:
        """Pixels from one edge of a die to the other, in the middle of the first tray."""
        floor = next(iter(self.floors.values()))
        side = np.array([(floor.left + x, floor.depth / 2, 0.0) for x in (0, 1)])
        return float(np.ptp(self.project(side)[:, 0]))

    def zones(self) -> dict[str, Zone]:
        """The floors as somebody would mark them in the picture."""
        zones = {}
        for name, floor in self.floors.items():
            right = floor.left + floor.width
            around = np.array(
                [(floor.left, floor.depth, 0), (right, floor.depth, 0), (right, 0, 0),
                 (floor.left, 0, 0)]
            )  # fmt: skip
            corners = tuple((float(x), float(y)) for x, y in self.project(around))
            zones[name] = Zone(name, corners, (floor.width, floor.depth), self.size_px)
        return zones

    def _light(self, rng: np.random.Generator) -> Pixels:
        """Draw how bright the lamp is in every place, 255 for brightest: a falloff, a vignette."""
        width, height = self.size_px
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        lamp_x, lamp_y = rng.uniform(-0.1, 0.45) * width, rng.uniform(-0.2, 0.4) * height
        away = np.hypot(x - lamp_x, y - lamp_y) / width
        corner = np.hypot(x - width / 2, y - height / 2) / width
        bright = (1.0 - 0.34 * np.clip(away, 0, 1.2)) * (1.0 - 0.30 * corner**2)
        return np.asarray(255 * bright / bright.max(), np.uint8)

    def _draw_trays(self, felt: Colour, rng: np.random.Generator) -> Pixels:
        width, height = self.size_px
        grain = cv2.resize(
            rng.normal(0, 5, (height // 24, 8)).astype(np.float32),
            self.size_px,
            interpolation=cv2.INTER_CUBIC,
        )
        pixels = np.clip(np.array((78, 104, 134)) + grain[..., None], 0, 255).astype(np.uint8)
        for floor in self.floors.values():
            self._fill(pixels, floor, 0.42, (38, 56, 84), 0.5)
            self._fill(pixels, floor, 0.0, tuple(round(0.6 * c) for c in felt), 0.0)
        rough = rng.normal(0, 7, (height, width)).astype(np.float32)
        fibre = 2 * np.asarray(cv2.GaussianBlur(rough, (0, 0), 1.1))[..., None]
        cloth = np.clip(np.array(felt) + fibre, 0, 255).astype(np.uint8)
        for floor in self.floors.values():
            mask = np.zeros((height, width), np.uint8)
            self._fill(mask, floor, -0.12, (255,), 0.0)
            cv2.copyTo(cloth, mask, pixels)
        lit = cv2.multiply(pixels, cv2.cvtColor(self.light, cv2.COLOR_GRAY2BGR), scale=1 / 255)
        return np.asarray(cv2.GaussianBlur(lit, (0, 0), 0.7), np.uint8)

    def _fill(
        self, pixels: Pixels, floor: Floor, wider: float, colour: Sequence[int], height: float
    ) -> None:
        left, right = floor.left - wider, floor.left + floor.width + wider
        low, high = -wider, floor.depth + wider
        around = np.array(
            [(left, high, height), (right, high, height), (right, low, height), (left, low, height)]
        )
        corners = np.round(self.project(around) * 16).astype(np.int32)
        cv2.fillPoly(pixels, [corners], tuple(colour), cv2.LINE_AA, 4)

    def draw_die(
        self, pixels: Pixels, die: Die, pose: Pose, blur_px: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Draw a die into `pixels`; `blur_px` is its way while the shutter is open."""
        sprite = self.die_sprite(die, pose, blur_px)
        if sprite is not None:
            lay(pixels, sprite)

    def draw_shadow(self, pixels: Pixels, pose: Pose) -> None:
        """Draw the shadow of a die into `pixels`."""
        sprite = self.shadow_sprite(pose)
        if sprite is not None:
            lay(pixels, sprite)

    def die_sprite(self, die: Die, pose: Pose, blur_px: tuple[float, float]) -> Sprite | None:
        """Draw a die; None if it is out of the picture."""
        centre = np.array(pose.centre)
        normals = _NORMALS @ pose.turn.T
        corners = (_CORNERS * self._thick) @ pose.turn.T + centre
        middles = centre + (_NORMALS * self._thick / 2) @ pose.turn.T
        is_seen = ((self.eye - middles) * normals).sum(axis=1) > 0
        outline = self.project(corners.reshape(-1, 3)).reshape(6, 4, 2)
        pad = 2 + math.ceil(max(abs(blur_px[0]), abs(blur_px[1])))
        left, top, right, low = _bounds(outline, pad)
        if right <= 0 or low <= 0 or left >= self.size_px[0] or top >= self.size_px[1]:
            return None
        size = (right - left, low - top)
        drawn: Any = np.zeros((size[1], size[0], 4), np.uint8)
        light = self._light_at((left + right) // 2, (top + low) // 2)
        shown = _shown_faces(die, pose.top)
        quads = (outline - (left, top)).astype(np.float32)
        for side in np.flatnonzero(is_seen):
            shade = light * (0.62 + 0.38 * max(0.0, float(normals[side] @ LIGHT_FROM)))
            texture = self._lit_texture(die.kind, shown[side], round(shade * _SHADES))
            cv2.add(drawn, _warped(texture, quads[side], size), drawn)
        if max(abs(blur_px[0]), abs(blur_px[1])) > 0.7:
            drawn = _smear(drawn, blur_px)
        cover = cv2.cvtColor(cv2.extractChannel(drawn, 3), cv2.COLOR_GRAY2BGR)
        ink = cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR)
        return Sprite(np.asarray(ink, np.uint8), np.asarray(cover, np.uint8), left, top)

    def _lit_texture(self, kind: str, face: str, level: int) -> Pixels:
        """Dim a face to `level` of _SHADES; each is made once."""
        key = (kind, face, level)
        if key not in self._lit:
            channels: Any = (*[level / _SHADES] * 3, 1.0)
            lit = cv2.multiply(self._textures[kind, face], channels)
            self._lit[key] = np.asarray(lit, np.uint8)
        return self._lit[key]

    def _light_at(self, x: int, y: int) -> float:
        column = min(max(x, 0), self.size_px[0] - 1)
        row = min(max(y, 0), self.size_px[1] - 1)
        return float(self.light[row, column]) / 255

    def shadow_sprite(self, pose: Pose) -> Sprite | None:
        """Darken the floor on the side away from the lamp, fainter the higher the die is."""
        x, y, z = pose.centre
        lean = (z + 0.1) / LIGHT_FROM[2]
        middle = np.array([x - lean * LIGHT_FROM[0], y - lean * LIGHT_FROM[1]])
        along = pose.turn[:2, 0] / max(math.hypot(*pose.turn[:2, 0]), 0.2)
        corners = np.zeros((4, 3))
        square = np.array([along, (-along[1], along[0])])
        corners[:, :2] = middle + _SHADOW_CORNERS @ square
        quad = self.project(corners)
        left, top, right, low = _bounds(quad, 0)
        size = (right - left, low - top)
        if min(size) < 2 or max(size) > 400:
            return None
        shade = _warped(self._shadow, (quad - (left, top)).astype(np.float32), size)
        strength = 0.46 / (1.0 + 0.6 * max(0.0, z - 0.5))
        cover = cv2.cvtColor(cv2.convertScaleAbs(shade, alpha=strength), cv2.COLOR_GRAY2BGR)
        return Sprite(np.zeros_like(cover), np.asarray(cover, np.uint8), left, top)


def _bounds(points: Floats, pad: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of points (..., 2), rounded outwards and widened by `pad`."""
    x, y = points[..., 0], points[..., 1]
    return (
        math.floor(x.min()) - pad,
        math.floor(y.min()) - pad,
        math.ceil(x.max()) + pad,
        math.ceil(y.max()) + pad,
    )


def _shown_faces(die: Die, top: str) -> list[str]:
    """Which face each side shows, in the order of `_SIDES`, when `top` is up."""
    first = die.faces.index(top) if top in die.faces else 0
    around = (top, *die.faces[first + 1 :], *die.faces[:first])
    return [around[k % len(around)] for k in range(6)]


@lru_cache(maxsize=512)
def _texture(face: str, body: Colour) -> Pixels:
    """Draw a face with bevelled edges as colour times cover, and cover (TEXTURE_PX, ..., 4).

    Scenes share it, so nobody may draw into it.
    """
    pixels = draw_face(face, body, TEXTURE_PX - 2)
    end = TEXTURE_PX - 3
    edge = tuple(round(0.74 * c) for c in body)
    cv2.rectangle(pixels, (0, 0), (end, end), edge, 1)
    pixels = np.asarray(cv2.GaussianBlur(pixels, (3, 3), 0), np.uint8)  # or edges look like teeth
    texture = np.zeros((TEXTURE_PX, TEXTURE_PX, 4), np.uint8)
    texture[1:-1, 1:-1, :3] = pixels
    texture[1:-1, 1:-1, 3] = 255
    texture.flags.writeable = False
    return texture


def _soft_square(side_px: int) -> Pixels:
    square = np.zeros((side_px, side_px), np.uint8)
    rim = side_px // 5
    square[rim:-rim, rim:-rim] = 255
    return np.asarray(cv2.GaussianBlur(square, (0, 0), side_px / 13), np.uint8)


def _warped(texture: Pixels, quad: Any, size: tuple[int, int]) -> Pixels:
    """Lay a texture on a quadrangle of a patch."""
    rim = 0.5 if texture.ndim == 3 else -0.5  # faces carry a transparent rim
    end = texture.shape[0] - 1 - rim
    corners = np.array([(rim, rim), (end, rim), (end, end), (rim, end)], np.float32)
    to_patch = cv2.getPerspectiveTransform(corners, quad)
    return np.asarray(cv2.warpPerspective(texture, to_patch, size), np.uint8)


def _smear(drawn: Pixels, way_px: tuple[float, float]) -> Pixels:
    """Blur along the way that a thing moves while the shutter is open."""
    reach = math.ceil(max(abs(way_px[0]), abs(way_px[1])) / 2)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    ends = [(round(reach + s * way_px[0] / 2), round(reach + s * way_px[1] / 2)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    kernel /= kernel.sum()
    return np.asarray(cv2.filter2D(drawn, -1, kernel), np.uint8)


def lay(pixels: Pixels, sprite: Sprite) -> None:
    """Lay a sprite on a picture, in place; what lies outside is cut off."""
    height, width = pixels.shape[:2]
    x0, y0 = max(sprite.left, 0), max(sprite.top, 0)
    x1 = min(sprite.left + sprite.cover.shape[1], width)
    y1 = min(sprite.top + sprite.cover.shape[0], height)
    if x1 <= x0 or y1 <= y0:
        return
    rows = slice(y0 - sprite.top, y1 - sprite.top)
    columns = slice(x0 - sprite.left, x1 - sprite.left)
    under = pixels[y0:y1, x0:x1]
    through = cv2.bitwise_not(sprite.cover[rows, columns])
    cv2.multiply(under, through, under, scale=1 / 255)
    cv2.add(under, sprite.ink[rows, columns], under)
