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
from camera.learn_cubes import (
    FACE_PX,
    SIDES,
    SIZE_PX,
    Box,
    Camera,
    Cube,
    Light,
    Look,
    any_look,
    cast_shadows,
    draw_cube,
)
from camera.learn_floors import any_texture
from camera.scene import lay, turn_about

Floats = npt.NDArray[np.float64]
CROOKED = 0.2  # share of dice that lean
HANDS = 0.12  # share of pictures with a hand
STEEPEST_DEG = 56.0  # away from straight down


class Label(NamedTuple):
    """What is to be found: the corners (4, 2) in pixels of an upper side; how much of it shows.

    down  (2,) pixels from the middle of the upper side to that of the lower one.
    """

    corners: Floats
    is_crooked: bool
    shown: float
    down: Floats


class Scene(NamedTuple):
    """What a good camera makes of a traced scene: a PNG of SIZE_PX, what is to be found, whence."""

    png: bytes
    labels: list[Label]
    camera: Camera

    @property
    def pixels(self) -> Pixels:
        """The picture, uint8 BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.png, np.uint8), cv2.IMREAD_COLOR))


def any_camera(rng: Chance) -> Camera:
    """A camera above the tray; dice are 24 to 110 pixels wide in SIZE_PX."""
    tilt = math.radians(float(np.clip(abs(rng.normal(0, 28)), 0, STEEPEST_DEG)))
    turn = np.array(
        [(1, 0, 0), (0, -math.cos(tilt), -math.sin(tilt)), (0, math.sin(tilt), -math.cos(tilt))]
    )
    roll = math.radians(float(rng.normal(0, 14)))
    turn = turn_about((0, 0, 1), roll) @ turn
    focal_px = SIZE_PX[0] * rng.uniform(0.8, 1.9)
    far = focal_px / math.exp(rng.uniform(math.log(26), math.log(92)))
    return Camera(turn, -far * turn[2], focal_px)


def towards(around: float, above: float) -> Floats:
    """Where a lamp is (3,), at angles around the tray and above its floor, in radians."""
    flat = math.cos(above)
    return np.array([math.cos(around) * flat, math.sin(around) * flat, math.sin(above)])


def any_light(rng: Chance) -> Light:
    """A lamp from somewhere above."""
    around, low = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(24, 85))
    rest = rng.uniform(0.2, 0.75)
    return Light(towards(around, low), 1.0 - rest, rest, float(rng.choice([0.8, 2, 5, 11])))


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


def room_for(camera: Camera, tray: Tray) -> tuple[float, float]:
    """How far from the middle dice may lie, along and across, to be seen whole."""
    wide = 0.5 * SIZE_PX[0] * float(np.linalg.norm(camera.place)) / camera.focal_px
    return min(tray.half[0], wide) - 0.75, min(tray.half[1], 0.75 * wide) - 0.75


def any_cubes(rng: Chance, camera: Camera, tray: Tray, crooked: float = CROOKED) -> list[Cube]:
    """One to ten dice of a few kinds, some of them side by side; a share of them may lean."""
    room = room_for(camera, tray)
    kinds = [
        [_face_pixels(face, rng) for face in faces_of(rng, body)]
        for body in body_colours(rng, int(rng.integers(1, 5)))
    ]
    cubes: list[Cube] = []
    may_lean = rng.random() < 0.7
    for _ in range(int(rng.integers(1, 11))):
        faces = kinds[int(rng.integers(len(kinds)))]
        chosen = tuple(faces[int(n)][0] for n in rng.integers(len(faces), size=6))
        if may_lean and rng.random() < crooked:
            lies = leaning_lies(rng, cubes, tray, room)
        else:
            lies = flat_lies(rng, cubes, room)
        if lies is not None:
            centre, turn, is_crooked = lies
            cubes.append(Cube(centre, turn, chosen, faces[0][1], is_crooked))
    return cubes


Lies = tuple[Floats, Floats, bool]


def flat_lies(rng: Chance, cubes: list[Cube], room: tuple[float, float]) -> Lies | None:
    """A die that lies flat."""
    place = flat_place(rng, cubes, room)
    if place is None:
        return None
    return np.array([place[0], place[1], 0.5]), turn_about((0, 0, 1), place[2]), False


def leaning_lies(
    rng: Chance, cubes: list[Cube], tray: Tray, room: tuple[float, float]
) -> Lies | None:
    """A die with one edge on the floor, the other side up on a wall, on a die or on nothing."""
    lean = math.radians(rng.uniform(11, 45))
    around, spin = rng.uniform(0, 2 * math.pi), rng.uniform(0, 2 * math.pi)
    way, at = rng.random(), None
    if way < 0.45:  # on a wall: the side that is up is the one near it
        wall = int(rng.integers(4))
        around = wall * math.pi / 2 + rng.normal(0, 0.25)
    turn = turn_about((0, 0, 1), around + math.pi / 2) @ turn_about((1, 0, 0), -lean)
    turn = turn @ turn_about((0, 0, 1), spin if way > 0.8 else round(spin) * math.pi / 2)
    reach = 0.5 * np.abs(turn).sum(axis=1)
    if way < 0.45:
        out = wall % 2
        at = rng.uniform(-1, 1, 2) * np.maximum(room, 0.1)
        at[out] = (tray.half[out] - reach[out] - 0.01) * (1 if wall < 2 else -1)
    elif way < 0.8 and cubes:  # on a die
        beside = cubes[int(rng.integers(len(cubes)))]
        away = np.array([math.cos(around), math.sin(around)])
        at = beside.centre[:2] - rng.uniform(0.95, 1.3) * away
    else:
        place = flat_place(rng, cubes, room)
        at = None if place is None else np.array(place[:2])
    if at is None or (np.abs(at) > np.array(room) + 0.8).any():
        return None
    apart = [math.hypot(*(at - c.centre[:2])) for c in cubes]
    if min(apart, default=9.0) < 0.93:
        return None
    return np.array([at[0], at[1], reach[2]]), turn, True


def faces_of(rng: Chance, body: Paint) -> list[Face]:
    """Draw the faces of one kind of dice."""
    if rng.random() < 0.1:
        return [Face(body), any_face(rng, body)]
    return siblings(rng, body, int(rng.integers(2, 7)))


def _face_pixels(face: Face, rng: Chance) -> tuple[Pixels, Paint]:
    small = cv2.resize(face.drawn(), (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    turned = np.rot90(small, int(rng.integers(4)))
    return np.ascontiguousarray(turned), face.body


def flat_place(
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


def walls_of(tray: Tray) -> list[Box]:
    """The walls as what casts shadows: far, right, near, left."""
    x, y, h, t = *tray.half, tray.height, tray.thick / 2
    middles = [(0, y + t), (x + t, 0), (0, -y - t), (-x - t, 0)]
    sizes = [(x + 2 * t, t), (t, y), (x + 2 * t, t), (t, y)]
    return [
        Box(np.array([*middle, h / 2]), np.eye(3), np.array([*size, h / 2]))
        for middle, size in zip(middles, sizes, strict=True)
    ]


def any_scene(rng: Chance) -> tuple[Pixels, list[Label]]:
    """Draw a picture, half of SIZE_PX and uint8 BGR, with what is to be found in it."""
    camera, light = any_camera(rng), any_light(rng)
    tray = any_tray(rng, camera)
    walls = tray if rng.random() < 0.8 else None
    cubes = any_cubes(rng, camera, tray) if rng.random() < 0.95 else []
    look, hand = any_look(rng), rng.random() < HANDS
    pixels, labels = draw_scene(rng, camera, light, walls, cubes, look, hand=hand)
    half, labels = halved_scene(pixels, labels)
    return as_seen(half, rng), labels


def draw_scene(
    rng: Chance, camera: Camera, light: Light, tray: Tray | None, cubes: list[Cube], look: Look,
    *, hand: bool = False,
) -> tuple[Pixels, list[Label]]:  # fmt: skip
    """Draw dice on any floor, SIZE_PX and uint8 BGR; the far ones first, as are the labels."""
    pixels = np.asarray(cv2.resize(any_texture(rng, 256), SIZE_PX), np.uint8)
    x, y = (30.0, 30.0) if tray is None else tray.half
    fill(pixels, camera, any_texture(rng), rectangle(-x, -y, x, y, 0.0))
    boxes, walls = [cube.box() for cube in cubes], [] if tray is None else walls_of(tray)
    cast_shadows(pixels, camera, boxes + walls, light)
    if tray is not None:
        draw_walls(pixels, camera, tray, light, is_near=False)
    marks = np.zeros(SIZE_PX[::-1], np.uint8)
    far_first = sorted(cubes, key=lambda c: -float(np.linalg.norm(c.centre - camera.place)))
    for number, cube in enumerate(far_first, 1):
        apart = [float(np.hypot(*(box.centre - cube.centre)[:2])) for box in boxes]
        others = [box for box, far in zip(boxes, apart, strict=True) if 0 < far < 3.5] + walls
        draw_cube(pixels, marks, number, camera, cube, light, look, others)
    if tray is not None:
        _draw_near_wall(pixels, marks, camera, tray, light)
    if hand:
        _lay_hand(pixels, marks, rng)
    return pixels, [_label(camera, cube, marks, n) for n, cube in enumerate(far_first, 1)]


def _draw_near_wall(
    pixels: Pixels, marks: Pixels, camera: Camera, tray: Tray, light: Light
) -> None:
    draw_walls(pixels, camera, tray, light, is_near=True)
    hidden = np.zeros_like(pixels)
    white = tray._replace(colour=(255.0, 255.0, 255.0))
    draw_walls(hidden, camera, white, light._replace(rest=1.0), is_near=True)
    marks[hidden[..., 0] > 0] = 255


def halved_scene(pixels: Pixels, labels: list[Label]) -> tuple[Pixels, list[Label]]:
    """A picture of SIZE_PX as the finder sees it: half of that."""
    half = cv2.resize(pixels, (SIZE_PX[0] // 2, SIZE_PX[1] // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(half, np.uint8), [halved(label) for label in labels]


def halved(label: Label) -> Label:
    """The same in a picture of half the size, where (0, 0) is the middle of the first pixel."""
    return label._replace(corners=(label.corners - 0.5) / 2, down=label.down / 2)


def _label(camera: Camera, cube: Cube, marks: Pixels, number: int) -> Label:
    """Corners of the side that is most up, and which part of it nothing hides."""
    ups = [float((cube.turn @ side.normal)[2]) for side in SIDES]
    top = SIDES[int(np.argmax(ups))]
    corners = camera.project(cube.corners(top))
    ends = np.array([cube.centre + way * cube.turn @ top.normal / 2 for way in (1, -1)])
    above, below = camera.project(ends)
    area = max(1.0, cv2.contourArea(corners.astype(np.float32)))
    shown = float(np.count_nonzero(marks == number)) / area
    return Label(corners, cube.is_crooked, min(1.0, shown), below - above)


def _lay_hand(pixels: Pixels, marks: Pixels, rng: Chance) -> None:
    """Let a hand reach in, from any side of the picture."""
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
    sigma = abs(rng.normal(0, 0.55))
    if sigma > 0.25:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), sigma))
    noise = abs(rng.normal(0, 5))
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
