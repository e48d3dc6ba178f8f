"""Dice as they are seen: rounded cubes, traced ray by ray, lit by one lamp and by the room.

Every pixel's ray is followed to the rounded cube; the normal there tells how the lamp lights it,
where the lamp mirrors itself, and whether a wall or another die stands in its way.
Source of the distance that rays are followed by: Hart, "Sphere tracing", 1996.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.learn_art import Chance, Paint
from camera.scene import turn_about

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
SIZE_PX = (640, 480)  # as it is drawn; the finder sees half of it
FACE_PX = 72
STEPS = 7  # along a ray; at the rounded edges more would change less than a pixel
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


class Side(NamedTuple):
    """One side of a cube: outward direction, corners, and what is right and up on its picture."""

    normal: Floats
    corners: Floats
    right: Floats
    up: Floats


def _sides() -> list[Side]:
    """The six sides, the upper one first; corners go round as their picture does."""
    sides = []
    for way in (1.0, -1.0):
        sides.append((np.array([1.0, 0, 0]), np.array([0, way, 0])))
    for turn in range(4):
        spin = turn_about((0, 0, 1), turn * math.pi / 2)
        sides.append((spin @ np.array([1.0, 0, 0]), np.array([0.0, 0, 1])))
    found = []
    for right, up in sides:
        normal = np.cross(right, up)
        corners = 0.5 * normal + _SQUARE[:, :1] * right - _SQUARE[:, 1:] * up
        found.append(Side(normal, corners, right, up))
    return found


SIDES = _sides()


class Camera(NamedTuple):
    """A pinhole camera: rotation (3, 3), place, focal length in pixels."""

    turn: Floats
    place: Floats
    focal_px: float

    def project(self, points: Floats) -> Floats:
        """Picture pixels (N, 2) of points (N, 3), in sides."""
        seen = (points - self.place) @ self.turn.T
        depth = np.maximum(seen[:, 2:], 0.05)
        return np.asarray(self.focal_px * seen[:, :2] / depth + np.array(SIZE_PX) / 2, np.float64)

    def rays(self, left: int, top: int, right: int, low: int) -> Singles:
        """Directions (N, 3) of length 1, for each pixel of a part of the picture."""
        x, y = np.meshgrid(np.arange(left, right), np.arange(top, low))
        seen = np.empty((x.size, 3))
        seen[:, 0] = (x.ravel() - SIZE_PX[0] / 2) / self.focal_px
        seen[:, 1] = (y.ravel() - SIZE_PX[1] / 2) / self.focal_px
        seen[:, 2] = 1.0
        seen /= np.sqrt(np.einsum("ij,ij->i", seen, seen))[:, None]
        return np.asarray(seen @ self.turn, np.float32)


class Light(NamedTuple):
    """A lamp: where it is, how strong it and all other light are, how hard its shadows are."""

    towards: Floats
    lamp: float
    rest: float
    soft_px: float


class Box(NamedTuple):
    """Something that casts a shadow: middle, rotation, half sizes (3,)."""

    centre: Floats
    turn: Floats
    half: Floats

    def hides(self, points: Singles, towards: Floats) -> npt.NDArray[np.bool_]:
        """Which points (N, 3) lie behind it, seen from the lamp."""
        there = (points - self.centre.astype(np.float32)) @ self.turn.astype(np.float32)
        way = towards @ self.turn
        way = np.where(np.abs(way) < 1e-6, 1e-6, way)
        first = (-self.half - there) / way
        second = (self.half - there) / way
        enter = np.minimum(first, second).max(axis=1)
        leave = np.maximum(first, second).min(axis=1)
        return np.asarray((leave > np.maximum(enter, 0.0)), np.bool_)

    def corners(self) -> Floats:
        """Its eight corners (8, 3)."""
        signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return np.asarray(self.centre + (signs * self.half) @ self.turn.T, np.float64)


class Cube(NamedTuple):
    """A die as it lies: middle, rotation, faces in the order of `SIDES`, body colour."""

    centre: Floats
    turn: Floats
    faces: tuple[Pixels, ...]
    body: Paint
    is_crooked: bool

    def corners(self, side: Side) -> Floats:
        """The corners (4, 3) of one side."""
        return np.asarray(self.centre + side.corners @ self.turn.T, np.float64)

    def box(self) -> Box:
        """The same as something that casts a shadow."""
        return Box(self.centre, self.turn, np.full(3, 0.48))


class Look(NamedTuple):
    """How dice are made and lit.

    round   radius of their edges, in sides; print, which share of a side its picture takes.
    gloss   how much of the lamp mirrors itself, and how sharply; sky, how much the room does.
    deep    how dark they get towards the floor.
    """

    round: float
    print: float
    gloss: float
    sharp: float
    sky: float
    deep: float


def any_look(rng: Chance) -> Look:
    """Dice with rounder or sharper edges, dull or shining."""
    gloss = rng.uniform(0.2, 1.2) if rng.random() < 0.5 else 0.0
    sky = rng.uniform(0.0, 0.5) if rng.random() < 0.3 else 0.0
    return Look(
        rng.uniform(0.02, 0.16), rng.uniform(0.88, 1.0), gloss, math.exp(rng.uniform(1.5, 4.5)),
        sky, rng.uniform(0.1, 0.6),
    )  # fmt: skip


def cast_shadows(pixels: Pixels, camera: Camera, boxes: Sequence[Box], light: Light) -> None:
    """Darken the floor behind what stands on it, as seen from the lamp, and right below it."""
    shade, below = (np.zeros(SIZE_PX[::-1], np.uint8) for _ in range(2))
    way = light.towards[:2] / light.towards[2]
    for box in boxes:
        corners = box.corners()
        for mask, stretch in ((shade, way), (below, np.zeros(2))):
            ground = np.column_stack((corners[:, :2] - corners[:, 2:] * stretch, np.zeros(8)))
            hull = cv2.convexHull(np.clip(camera.project(ground), -4000, 4000).astype(np.float32))
            cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), (255,))
    _darken(pixels, shade, 0.95 * light.lamp / (light.lamp + light.rest), light.soft_px)
    _darken(pixels, below, 0.35, 6.0)


def _darken(pixels: Pixels, shade: Pixels, strength: float, soft_px: float) -> None:
    soft = cv2.GaussianBlur(shade, (0, 0), soft_px)
    left = cv2.convertScaleAbs(cv2.bitwise_not(soft), alpha=strength, beta=255 * (1 - strength))
    cv2.multiply(pixels, cv2.cvtColor(left, cv2.COLOR_GRAY2BGR), pixels, scale=1 / 255)


def draw_cube(
    pixels: Pixels, marks: Pixels, number: int, camera: Camera, cube: Cube, light: Light,
    look: Look, boxes: Sequence[Box],
) -> None:  # fmt: skip
    """Draw a die, and its number where its upper side is in `marks`."""
    there = camera.project(cube.box().corners())
    left, top = np.clip(np.floor(there.min(axis=0)).astype(int) - 3, 0, SIZE_PX)
    right, low = np.clip(np.ceil(there.max(axis=0)).astype(int) + 4, 0, SIZE_PX)
    if right - left < 2 or low - top < 2 or max(right - left, low - top) > 330:
        return
    rays = camera.rays(left, top, right, low)
    turn = cube.turn.astype(np.float32)
    start = ((camera.place - cube.centre) @ cube.turn).astype(np.float32)
    local = rays @ turn
    far, hit = _follow(start, local, look.round)
    if not hit.any():
        return
    points = start + far[hit, None] * local[hit]
    normals = _normals(points, look.round)
    albedo, side = _painted(points, cube, look)
    world = points @ turn.T + cube.centre.astype(np.float32)
    upward = np.asarray(normals @ turn.T, np.float32)
    lit = _lamp_seen(world, upward, light, boxes, hit, (low - top, right - left))
    lamp = light.lamp * 1.2 * lit * np.maximum(upward @ light.towards.astype(np.float32), 0)
    room = light.rest * (0.75 + 0.25 * upward[:, 2])
    room = room * (1 - look.deep * np.exp(-2.5 * np.maximum(world[:, 2], 0)) * (upward[:, 2] < 0.7))
    ink = albedo * (lamp + room)[:, None] + _shine(rays[hit], upward, light, look, lit)[:, None]
    part, seen = pixels[top:low, left:right], hit.reshape(low - top, right - left)
    part[seen] = np.clip(ink, 0, 255).astype(np.uint8)
    marks[top:low, left:right][seen] = np.where(side == 0, number, 255).astype(np.uint8)


def _follow(start: Singles, ways: Singles, rounded: float) -> tuple[Singles, npt.NDArray[np.bool_]]:
    """How far rays go until they meet a rounded cube, and which of them do."""
    safe = np.where(np.abs(ways) < 1e-6, np.float32(1e-6), ways)
    first, second = (-0.5 - start) / safe, (0.5 - start) / safe
    far = np.minimum(first, second).max(axis=1)
    hit = far < np.maximum(first, second).min(axis=1)
    apart = np.ones(len(far), np.float32)
    for _ in range(STEPS):
        out = np.abs(start + far[:, None] * ways) - np.float32(0.5 - rounded)
        beyond = np.maximum(out, 0)
        apart = np.sqrt(np.einsum("ij,ij->i", beyond, beyond)) - np.float32(rounded)
        apart += np.minimum(out.max(axis=1), 0)
        far = far + apart
    return far, hit & (apart < 0.012)


def _normals(points: Singles, rounded: float) -> Singles:
    beyond = np.sign(points) * np.maximum(np.abs(points) - np.float32(0.5 - rounded), 1e-4)
    return np.asarray(beyond / np.linalg.norm(beyond, axis=1)[:, None], np.float32)


def _painted(points: Singles, cube: Cube, look: Look) -> tuple[Singles, npt.NDArray[np.int64]]:
    """The colours (N, 3) of points on a die, and the sides that they are on."""
    side = np.argmax(points @ np.array([s.normal for s in SIDES], np.float32).T, axis=1)
    right = np.array([s.right for s in SIDES], np.float32)[side]
    up = np.array([s.up for s in SIDES], np.float32)[side]
    along = np.einsum("ij,ij->i", points, right) / np.float32(look.print)
    above = np.einsum("ij,ij->i", points, up) / np.float32(look.print)
    x = np.clip((along + 0.5) * FACE_PX - 0.5, 0, FACE_PX - 1)
    y = np.clip((0.5 - above) * FACE_PX - 0.5, 0, FACE_PX - 1) + side * FACE_PX
    atlas = np.concatenate(cube.faces)
    ink = cv2.remap(atlas, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(ink.reshape(-1, 3), np.float32), side


def _lamp_seen(
    points: Singles, normals: Singles, light: Light, boxes: Sequence[Box],
    hit: npt.NDArray[np.bool_], size: tuple[int, int],
) -> Singles:  # fmt: skip
    """How much of the lamp each point sees, 0 to 1: what stands before it has a soft edge."""
    outside = points + np.float32(0.02) * normals
    dark = np.zeros(len(points), np.bool_)
    for box in boxes:
        dark |= box.hides(outside, light.towards)
    whole = np.zeros(len(hit), np.float32)
    if not dark.any():
        return np.ones(len(points), np.float32)
    whole[hit] = dark
    cover = cv2.GaussianBlur(hit.reshape(size).astype(np.float32), (0, 0), light.soft_px)
    soft = cv2.GaussianBlur(whole.reshape(size), (0, 0), light.soft_px) / np.maximum(cover, 1e-3)
    return np.asarray(1 - np.clip(soft.ravel()[hit], 0, 1), np.float32)


def _shine(ways: Singles, normals: Singles, light: Light, look: Look, lit: Singles) -> Singles:
    """What mirrors itself in the surface: the lamp, and a brighter part of the room."""
    back = ways - 2 * np.einsum("ij,ij->i", ways, normals)[:, None] * normals
    lamp = np.maximum(back @ light.towards.astype(np.float32), 0) ** np.float32(look.sharp)
    grazing = 0.04 + 0.6 * (1 + np.einsum("ij,ij->i", ways, normals)).clip(0, 1) ** 4
    sky = np.float32(look.sky) * (0.5 + 0.5 * back[:, 0]) * (0.3 + grazing)
    return np.asarray(255 * (look.gloss * lamp * lit * light.lamp + 0.5 * sky), np.float32)
