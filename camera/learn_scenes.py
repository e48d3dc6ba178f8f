"""Random pictures of dice in trays, to train a finder that must cope with any room.

Cubes of one size stand, and some lean, on a floor with walls or without, under a camera that looks
down at up to 45 degrees; lamps, shadows, coloured glow, glare, blur, noise and hands come on top.
Nothing of it is taken from a photograph.
"""

import math
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.hand import draw_hand
from camera.learn_art import Chance, Face, Paint, any_colour, any_face, body_colours, siblings
from camera.scene import lay, turn_about

Floats = npt.NDArray[np.float64]
SIZE_PX = (640, 480)  # as it is drawn; the finder sees half of it
FACE_PX = 72
UP = np.array([0.0, 0.0, 1.0])
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


class Side(NamedTuple):
    """One side of a cube: its outward direction and its corners, in the frame of the die."""

    normal: Floats
    corners: Floats


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
        found.append(Side(normal, 0.5 * normal + _SQUARE[:, :1] * right - _SQUARE[:, 1:] * up))
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


class Label(NamedTuple):
    """What is to be found: the corners (4, 2) in pixels of an upper side; how much of it shows."""

    corners: Floats
    is_crooked: bool
    shown: float


class Cube(NamedTuple):
    """A die as it lies: middle, rotation, faces in the order of `SIDES`, and how round it is."""

    centre: Floats
    turn: Floats
    faces: tuple[Pixels, ...]
    body: Paint
    is_crooked: bool

    def corners(self, side: Side, size: float = 1.0) -> Floats:
        """The corners (4, 3) of one side."""
        return np.asarray(self.centre + (size * side.corners) @ self.turn.T, np.float64)


class Light(NamedTuple):
    """A lamp: where it is, how strong it and all other light are, how hard its shadows are."""

    towards: Floats
    lamp: float
    rest: float
    soft_px: float


def any_camera(rng: Chance) -> Camera:
    """A camera above the tray; dice are 24 to 110 pixels wide in SIZE_PX."""
    tilt = math.radians(float(np.clip(abs(rng.normal(0, 24)), 0, 46)))
    turn = np.array(
        [(1, 0, 0), (0, -math.cos(tilt), -math.sin(tilt)), (0, math.sin(tilt), -math.cos(tilt))]
    )
    roll = math.radians(float(rng.normal(0, 14)))
    turn = turn_about((0, 0, 1), roll) @ turn
    focal_px = SIZE_PX[0] * rng.uniform(0.8, 1.9)
    far = focal_px / math.exp(rng.uniform(math.log(26), math.log(92)))
    return Camera(turn, -far * turn[2], focal_px)


def any_light(rng: Chance) -> Light:
    """A lamp from somewhere above."""
    around, low = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(28, 85))
    towards = np.array(
        [math.cos(around) * math.cos(low), math.sin(around) * math.cos(low), math.sin(low)]
    )
    rest = rng.uniform(0.2, 0.75)
    return Light(towards, 1.0 - rest, rest, float(rng.choice([0.8, 2, 5, 11])))


def cloud(rng: Chance, size: tuple[int, int], cells: int, stretch: float = 1.0) -> Floats:
    """Soft noise around 0, (height, width), for cloth and wood."""
    wide = max(2, int(cells / stretch))
    small = rng.normal(0, 1, (max(2, cells), wide)).astype(np.float32)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), np.float64)


def any_texture(rng: Chance, side_px: int = 384) -> Pixels:
    """A floor: plain, cloth, wood, checks, stripes or a print, (side_px, side_px, 3)."""
    size = (side_px, side_px)
    colour = np.array(any_colour(rng)) * rng.uniform(0.3, 1.0)
    floor = np.empty((*size, 3), np.float64)
    floor[:] = colour
    way = rng.random()
    if way < 0.3:
        _checks(floor, rng)
    elif way < 0.5:
        grain = cloud(rng, size, int(rng.integers(20, 90)), rng.uniform(4, 14))
        floor *= (1 + rng.uniform(0.05, 0.3) * grain)[..., None]
    elif way < 0.6:
        for _ in range(int(rng.integers(10, 60))):
            points = rng.uniform(0, side_px) + rng.normal(0, rng.uniform(6, 50), (4, 2))
            points += rng.uniform(0, side_px, 2) - points.mean(axis=0)
            cv2.fillPoly(floor, [np.round(points).astype(np.int32)], any_colour(rng))
    floor *= (1 + rng.uniform(0, 0.12) * cloud(rng, size, int(rng.integers(4, 60))))[..., None]
    floor *= (1 + rng.uniform(0, 0.08) * rng.normal(0, 1, size))[..., None]
    return np.clip(floor, 0, 255).astype(np.uint8)


def _checks(floor: Floats, rng: Chance) -> None:
    """Squares in two colours, perhaps with a small print on them."""
    side_px, count = floor.shape[0], int(rng.integers(5, 16))
    step = side_px / count
    inks = [any_colour(rng), any_colour(rng)]
    is_stripes, prints = rng.random() < 0.25, [any_colour(rng), any_colour(rng)]
    is_printed = rng.random() < 0.6
    for row in range(count):
        for column in range(1 if is_stripes else count):
            odd = (row + column) % 2
            left, top = round(column * step), round(row * step)
            right = side_px if is_stripes else round((column + 1) * step)
            cv2.rectangle(floor, (left, top), (right, round((row + 1) * step)), inks[odd], -1)
            if is_printed and not is_stripes:
                middle = (round((column + 0.5) * step), round((row + 0.5) * step))
                cv2.circle(floor, middle, max(2, round(step / (4 + 4 * odd))), prints[odd], 2)


def fill(pixels: Pixels, camera: Camera, texture: Pixels, corners: Floats) -> None:
    """Lay a texture on a flat quadrangle (4, 3) of the scene."""
    quad = camera.project(corners).astype(np.float32)
    end = texture.shape[0]
    square = np.array([(0, 0), (end, 0), (end, end), (0, end)], np.float32)
    mapped = cv2.getPerspectiveTransform(square, quad)
    cv2.warpPerspective(texture, mapped, SIZE_PX, pixels, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)


def rectangle(left: float, low: float, right: float, high: float, z: float) -> Floats:
    """A level rectangle, (4, 3)."""
    return np.array([(left, high, z), (right, high, z), (right, low, z), (left, low, z)])


class Tray(NamedTuple):
    """Walls around the floor: half width and depth inside, height, thickness, colour."""

    half: tuple[float, float]
    height: float
    thick: float
    colour: Paint


def any_tray(rng: Chance, camera: Camera) -> Tray:
    """A tray that about fills the picture."""
    far = float(np.linalg.norm(camera.place))
    wide = SIZE_PX[0] * far / camera.focal_px / 2
    half = (wide * rng.uniform(0.65, 1.15), wide * rng.uniform(0.5, 0.85))
    colour = np.array(any_colour(rng)) * rng.uniform(0.3, 1.0)
    blue, green, red = (float(v) for v in colour)
    return Tray(half, rng.uniform(0.5, 3.2), rng.uniform(0.3, 1.6), (blue, green, red))


def draw_walls(pixels: Pixels, camera: Camera, tray: Tray, light: Light, *, is_near: bool) -> None:
    """Draw the walls behind the dice, or the one in front of them."""
    x, y, h, t = *tray.half, tray.height, tray.thick
    inner = [(-x, -y), (x, -y), (x, y), (-x, y)]
    outer = [(-x - t, -y - t), (x + t, -y - t), (x + t, y + t), (-x - t, y + t)]
    normals = [(0, 1, 0), (-1, 0, 0), (0, -1, 0), (1, 0, 0)]
    for side in (0,) if is_near else (2, 1, 3):
        a, b = inner[side], inner[(side + 1) % 4]
        normal = np.array(normals[side])
        if normal @ (camera.place - np.array([*a, 0.0])) > 0:
            shade = light.rest + light.lamp * max(0.0, float(normal @ light.towards))
            wall = np.array([(*a, 0.0), (*b, 0.0), (*b, h), (*a, h)])
            _polygon(pixels, camera.project(wall), tray.colour, shade)
        c, d = outer[(side + 1) % 4], outer[side]
        rim = np.array([(*a, h), (*b, h), (*c, h), (*d, h)])
        shade = light.rest + light.lamp * float(light.towards[2])
        _polygon(pixels, camera.project(rim), tray.colour, shade)


def _polygon(pixels: Pixels, points: Floats, colour: Paint, shade: float) -> None:
    ink = tuple(min(255.0, shade * part) for part in colour)
    cv2.fillPoly(
        pixels, [np.round(np.clip(points, -4000, 4000)).astype(np.int32)], ink, cv2.LINE_AA
    )


def any_cubes(rng: Chance, camera: Camera, tray: Tray) -> list[Cube]:
    """One to ten dice of a few kinds, some of them side by side, some leaning."""
    far = float(np.linalg.norm(camera.place))
    wide = 0.5 * SIZE_PX[0] * far / camera.focal_px
    room = (min(tray.half[0], wide) - 0.75, min(tray.half[1], 0.75 * wide) - 0.75)
    kinds = [
        [_face_pixels(face, rng) for face in _faces(rng, body)]
        for body in body_colours(rng, int(rng.integers(1, 5)))
    ]
    cubes: list[Cube] = []
    for _ in range(int(rng.integers(1, 11))):
        place = _free_place(rng, cubes, room)
        if place is None:
            continue
        x, y, angle = place
        turn = turn_about((0, 0, 1), angle)
        is_crooked = rng.random() < 0.12
        if is_crooked:
            lean = math.radians(rng.uniform(14, 45))
            turn = turn_about((0, 0, 1), rng.uniform(0, 6.3)) @ turn_about((1, 0, 0), lean) @ turn
        z = 0.5 * float(np.abs(turn[2]).sum())
        faces = kinds[int(rng.integers(len(kinds)))]
        chosen = tuple(faces[int(n)][0] for n in rng.integers(len(faces), size=6))
        cubes.append(Cube(np.array([x, y, z]), turn, chosen, faces[0][1], is_crooked))
    return cubes


def _faces(rng: Chance, body: Paint) -> list[Face]:
    if rng.random() < 0.1:
        return [Face(body), any_face(rng, body)]
    return siblings(rng, body, int(rng.integers(2, 7)))


def _face_pixels(face: Face, rng: Chance) -> tuple[Pixels, Paint]:
    small = cv2.resize(face.drawn(), (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    turned = np.rot90(small, int(rng.integers(4)))
    return np.ascontiguousarray(turned), face.body


def _free_place(
    rng: Chance, cubes: list[Cube], room: tuple[float, float]
) -> tuple[float, float, float] | None:
    """A place where no other die lies; often right beside one."""
    for _ in range(20):
        angle = rng.uniform(0, math.pi / 2)
        if cubes and rng.random() < 0.3:
            beside = cubes[int(rng.integers(len(cubes)))]
            angle = math.atan2(beside.turn[1, 0], beside.turn[0, 0])
            way = beside.turn @ np.array([1.02, rng.uniform(-0.7, 0.7), 0])
            if rng.random() < 0.5:
                angle, way = rng.uniform(0, math.pi / 2), 1.22 * way / np.linalg.norm(way)
            x, y = float(beside.centre[0] + way[0]), float(beside.centre[1] + way[1])
        else:
            x, y = rng.uniform(-room[0], room[0]), rng.uniform(-room[1], room[1])
        apart = [math.hypot(x - c.centre[0], y - c.centre[1]) for c in cubes]
        if min(apart, default=9.0) > 1.01 and abs(x) < room[0] + 0.3 and abs(y) < room[1] + 0.3:
            return x, y, angle
    return None


def cast_shadows(pixels: Pixels, camera: Camera, cubes: list[Cube], light: Light) -> None:
    """Darken the floor behind the dice, as seen from the lamp."""
    shade = np.zeros(SIZE_PX[::-1], np.uint8)
    way = light.towards[:2] / light.towards[2]
    for cube in cubes:
        corners = np.vstack([cube.corners(SIDES[0]), cube.corners(SIDES[1])])
        ground = np.column_stack((corners[:, :2] - corners[:, 2:] * way, np.zeros(8)))
        hull = cv2.convexHull(camera.project(ground).astype(np.float32))
        cv2.fillConvexPoly(shade, np.round(hull).astype(np.int32), (255,))
    _darken(pixels, shade, light.lamp * 0.95, light.soft_px)


def _darken(pixels: Pixels, shade: Pixels, strength: float, soft_px: float) -> None:
    soft = cv2.GaussianBlur(shade, (0, 0), soft_px)
    left = cv2.convertScaleAbs(cv2.bitwise_not(soft), alpha=strength, beta=255 * (1 - strength))
    cv2.multiply(pixels, cv2.cvtColor(left, cv2.COLOR_GRAY2BGR), pixels, scale=1 / 255)


def draw_cube(
    pixels: Pixels, marks: Pixels, number: int, camera: Camera, cube: Cube, light: Light,
    look: "Look",
) -> None:  # fmt: skip
    """Draw a die, and its number where its sides are in `marks`."""
    both = np.vstack([cube.corners(SIDES[0], look.hull), cube.corners(SIDES[1], look.hull)])
    hull = np.round(cv2.convexHull(camera.project(both).astype(np.float32))).astype(np.int32)
    _polygon(pixels, hull[:, 0].astype(np.float64), cube.body, light.rest + 0.4 * light.lamp)
    for side, face in zip(SIDES, cube.faces, strict=True):
        normal = cube.turn @ side.normal
        corners = cube.corners(side)
        if normal @ (camera.place - corners[0]) <= 0.02:
            continue
        shade = light.rest + light.lamp * max(0.0, float(normal @ light.towards)) * 1.2
        shade *= 1.0 if normal[2] > 0.3 else look.dim_sides
        _draw_side(pixels, camera.project(corners), face, shade, look)
        outline = np.round(camera.project(corners)).astype(np.int32)
        cv2.fillConvexPoly(marks, outline, (number,) if side is SIDES[0] else (255,))


class Look(NamedTuple):
    """How dice are made: how round, how bright their edges are, how much they shine."""

    hull: float
    cover: Pixels
    edge: float
    gloss: float
    dim_sides: float


def any_look(rng: Chance) -> Look:
    """Dice with rounder or sharper edges."""
    cover = np.zeros((FACE_PX, FACE_PX), np.uint8)
    reach = int(FACE_PX * rng.uniform(0.03, 0.16))
    end = FACE_PX - 1
    cv2.rectangle(cover, (reach, 1), (end - reach, end - 1), 255, -1)
    cv2.rectangle(cover, (1, reach), (end - 1, end - reach), 255, -1)
    for x in (reach, end - reach):
        for y in (reach, end - reach):
            cv2.circle(cover, (x, y), reach, 255, -1)
    gloss = rng.uniform(0.15, 0.7) if rng.random() < 0.25 else 0.0
    return Look(rng.uniform(0.9, 0.99), cover, rng.uniform(-0.3, 0.5), gloss, rng.uniform(0.5, 1))


def _draw_side(pixels: Pixels, quad: Floats, face: Pixels, shade: float, look: Look) -> None:
    left, top = np.floor(quad.min(axis=0)).astype(int) - 1
    right, low = np.ceil(quad.max(axis=0)).astype(int) + 2
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, SIZE_PX[0]), min(low, SIZE_PX[1])
    if x1 <= x0 or y1 <= y0 or max(right - left, low - top) > 300:
        return
    end = float(FACE_PX)
    square = np.array([(0, 0), (end, 0), (end, end), (0, end)], np.float32)
    mapped = cv2.getPerspectiveTransform(square, (quad - (x0, y0)).astype(np.float32))
    size = (x1 - x0, y1 - y0)
    lit = cv2.convertScaleAbs(face, alpha=min(shade, 1.4))
    if look.gloss and shade > 0.8:
        lit = cv2.addWeighted(lit, 1 - look.gloss, np.full_like(lit, 255), look.gloss, 0)
    rim = cv2.convertScaleAbs(lit, alpha=1 + look.edge, beta=12 * look.edge)
    inner = slice(3, FACE_PX - 3)
    rim[inner, inner] = lit[inner, inner]
    drawn = cv2.warpPerspective(rim, mapped, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(look.cover, mapped, size, flags=cv2.INTER_LINEAR)
    under = pixels[y0:y1, x0:x1]
    part = cover[..., None].astype(np.float32) / 255
    under[:] = (under * (1 - part) + drawn * part + 0.5).astype(np.uint8)


def any_scene(rng: Chance) -> tuple[Pixels, list[Label]]:
    """Draw a picture, half of SIZE_PX and uint8 BGR, with what is to be found in it."""
    camera, light = any_camera(rng), any_light(rng)
    tray = any_tray(rng, camera)
    pixels = np.asarray(cv2.resize(any_texture(rng, 256), SIZE_PX), np.uint8)
    has_tray = rng.random() < 0.75
    x, y = tray.half if has_tray else (30.0, 30.0)
    fill(pixels, camera, any_texture(rng), rectangle(-x, -y, x, y, 0.0))
    cubes = any_cubes(rng, camera, tray) if rng.random() < 0.95 else []
    cast_shadows(pixels, camera, cubes, light)
    if has_tray:
        draw_walls(pixels, camera, tray, light, is_near=False)
    marks = np.zeros(SIZE_PX[::-1], np.uint8)
    look = any_look(rng)
    far_first = sorted(cubes, key=lambda c: -float(np.linalg.norm(c.centre - camera.place)))
    for number, cube in enumerate(far_first, 1):
        draw_cube(pixels, marks, number, camera, cube, light, look)
    if has_tray:
        draw_walls(pixels, camera, tray, light, is_near=True)
        hidden = np.zeros_like(pixels)
        white = tray._replace(colour=(255.0, 255.0, 255.0))
        draw_walls(hidden, camera, white, light._replace(rest=1.0), is_near=True)
        marks[hidden[..., 0] > 0] = 255
    _lay_hand(pixels, marks, rng)
    labels = [_label(camera, cube, marks, n) for n, cube in enumerate(far_first, 1)]
    half = cv2.resize(pixels, (SIZE_PX[0] // 2, SIZE_PX[1] // 2), interpolation=cv2.INTER_AREA)
    return as_seen(np.asarray(half, np.uint8), rng), [halved(label) for label in labels]


def halved(label: Label) -> Label:
    """The same in a picture of half the size, where (0, 0) is the middle of the first pixel."""
    return label._replace(corners=(label.corners - 0.5) / 2)


def _label(camera: Camera, cube: Cube, marks: Pixels, number: int) -> Label:
    """Corners of the side that is most up, and which part of it nothing hides."""
    ups = [float((cube.turn @ side.normal)[2]) for side in SIDES]
    corners = camera.project(cube.corners(SIDES[int(np.argmax(ups))]))
    area = max(1.0, cv2.contourArea(corners.astype(np.float32)))
    shown = float(np.count_nonzero(marks == number)) / area
    return Label(corners, cube.is_crooked, 1.0 if cube.is_crooked and shown else min(1.0, shown))


def _lay_hand(pixels: Pixels, marks: Pixels, rng: Chance) -> None:
    """Let a hand reach in, from any side of the picture."""
    if rng.random() > 0.12:
        return
    hand = draw_hand(rng.uniform(30, 70), SIZE_PX[1], rng)
    turns = int(rng.integers(4))
    ink, cover = (np.ascontiguousarray(np.rot90(p, turns)) for p in (hand.ink, hand.cover))
    height, width = ink.shape[:2]
    x, y = rng.uniform(0.1, 0.9) * SIZE_PX[0], rng.uniform(0.2, 0.9) * SIZE_PX[1]
    left = (x - width / 2, x, x - width / 2, x - width)[turns]
    top = (y, y - height / 2, y - height, y - height / 2)[turns]
    placed = hand._replace(ink=ink, cover=cover, left=round(left), top=round(top))
    lay(pixels, placed)
    hidden = np.zeros((*marks.shape, 3), np.uint8)
    lay(hidden, placed._replace(ink=cover))
    marks[hidden[..., 0] > 150] = 255


def as_seen(pixels: Pixels, rng: Chance) -> Pixels:
    """Put coloured glow, large shadows, exposure, blur and noise of a small camera on it."""
    seen = pixels.astype(np.float32)
    height, width = seen.shape[:2]
    if rng.random() < 0.3:
        _large_shadow(seen, rng)
    if rng.random() < 0.25:
        corner = np.array([rng.choice([0, width]), rng.choice([0, height])]) * 1.0
        rows, columns = np.mgrid[0:height:8, 0:width:8]
        near = np.exp(-np.hypot(columns - corner[0], rows - corner[1]) / rng.uniform(45, 200))
        near = np.asarray(cv2.resize(near, (width, height)), np.float64)[..., None]
        glow = np.array(rng.choice([(0, 0, 1), (0, 1, 0), (1, 0.3, 0), (0, 0.7, 1)], axis=0))
        seen += np.float32(near * glow * (0.25 * seen + rng.uniform(30, 130)))
    gain = math.exp(rng.normal(0.1, 0.3)) * np.exp(rng.normal(0, 0.1, 3))
    curved = np.clip(seen * gain / 255, 0, None) ** rng.uniform(0.75, 1.3)
    seen = np.asarray(255 * curved, np.float32)
    sigma = abs(rng.normal(0, 0.7))
    if sigma > 0.25:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), sigma))
    noise = abs(rng.normal(0, 6))
    seen += rng.standard_normal(seen.shape, np.float32) * noise
    return np.clip(seen, 0, 255).astype(np.uint8)


def _large_shadow(seen: npt.NDArray[np.float32], rng: Chance) -> None:
    """The shadow of something beside the tray: a wall, a hand, a person."""
    height, width = seen.shape[:2]
    points = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * (width, height)
    shade = np.zeros((height, width), np.float32)
    cv2.fillPoly(shade, [np.round(points).astype(np.int32)], (1.0,))
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), rng.uniform(0.6, 8)), np.float32)
    seen *= (1 - rng.uniform(0.3, 0.75) * shade)[..., None]
