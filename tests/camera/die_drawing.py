"""Drawn symbol dice: flat ones on felt, seen from above, and cubes in a scene with one lamp."""

import functools
import math

import cv2
import numpy as np

from camera.learn_art import Face, any_face
from camera.learn_cubes import (
    FACE_PX,
    SIZE_PX,
    Camera,
    Cube,
    Light,
    Look,
    cast_shadows,
    draw_cube,
)
from camera.learn_scenes import draw_scene
from camera.scene import turn_about
from camera.slant import Slant

WIDTH, HEIGHT, SIDE_PX = 480, 360, 78
FACES = {"sun": 3, "moon": 8, "star": 21, "blank": None}  # seeds of drawn faces
BODY = (235.0, 240.0, 242.0)
PLACES = ((-2.0, -1.2), (1.2, -1.0), (2.4, 1.0), (-0.8, 1.3))  # of cubes, one of each face


def floor(seed=0, light=1.0):
    """Green felt with the noise of a small camera."""
    rng = np.random.default_rng(seed)
    felt = np.full((HEIGHT, WIDTH, 3), (70, 110, 60), np.float32) + rng.normal(
        0, 6, (HEIGHT, WIDTH, 1)
    )
    return np.clip(light * felt, 0, 255).astype(np.uint8)


def drawn_face(face, body=BODY):
    """The picture of a face; a blank one shows its body only, a centred one a star."""
    if face == "blank":
        return Face(body).drawn()
    if face == "centred":
        star = any_face(np.random.default_rng(FACES["star"]), body)
        return Face(body, tuple(part._replace(at=(0.5, 0.5)) for part in star.parts)).drawn()
    return any_face(np.random.default_rng(FACES[face]), body).drawn()


def lay(pixels, face, at, turn, light=1.0, body=BODY):
    """Draw a die with this face up: centre in pixels, turn in degrees."""
    drawn = drawn_face(face, body)
    side = drawn.shape[0]
    move = cv2.getRotationMatrix2D((side / 2, side / 2), turn, SIDE_PX / side)
    move[:, 2] += np.array(at) - side / 2
    mask = cv2.warpAffine(np.full((side, side), 255, np.uint8), move, (WIDTH, HEIGHT))
    die = cv2.warpAffine(drawn, move, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
    shadow = cv2.GaussianBlur(
        cv2.warpAffine(mask, np.float32([[1, 0, 6], [0, 1, 8]]), (WIDTH, HEIGHT)), (0, 0), 4
    )
    dark = pixels * (1 - 0.5 * shadow[..., None] / 255)
    whole = np.where(mask[..., None] > 127, light * die.astype(np.float32), dark)
    pixels[:] = np.clip(whole, 0, 255).astype(np.uint8)
    return pixels


def teach(folder, pictures=5):
    """Write a few pictures of each face into KIND/FACE folders."""
    for face in FACES:
        (folder / "white" / face).mkdir(parents=True)
        for n in range(pictures):
            picture = lay(floor(n), face, (200 + 15 * n, 170 + 9 * n), 23 * n, 1.0 - 0.04 * n)
            cv2.imwrite(str(folder / "white" / face / f"{n}.png"), picture)
    return folder


@functools.cache
def side(face, body):
    """The picture of a face in the size that cubes take."""
    return cv2.resize(drawn_face(face, body), (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)


def cube(face, at, turn, lean=0.0, body=BODY):
    """A die in a scene: place in sides, turn and lean in degrees, standing on an edge."""
    sides = tuple(side(one, body) for one in (face, *FACES, "sun"))
    turned = turn_about((1, 0, 0), math.radians(lean)) @ turn_about((0, 0, 1), math.radians(turn))
    height = 0.5 * float(np.abs(turned[2]).sum())
    return Cube(np.array([*at, height]), turned, sides, body, lean > 0)


def thrown(lean=0.0, which=3, body=BODY):
    """One die of each face; one of them may lean."""
    return [
        cube(face, at, 20 + 33 * n, lean if n == which else 0.0, body)
        for n, (face, at) in enumerate(zip(FACES, PLACES, strict=True))
    ]


def camera_at(tilt, far=11.0):
    """A camera so many degrees away from straight above, so many sides away."""
    low = math.radians(tilt)
    turn = np.array(
        [(1, 0, 0), (0, -math.cos(low), -math.sin(low)), (0, math.sin(low), -math.cos(low))]
    )
    return Camera(turn, -far * turn[2], 1.1 * SIZE_PX[0])


def looking(tilt):
    """How the floor looks to a camera so many degrees away from straight down."""
    low = np.radians(tilt)
    return Slant(np.array([0.0, np.sin(low), -np.cos(low)]), 60.0, 736.0, np.array([320.0, 240.0]))


LIGHT = Light(np.array([0.3, 0.4, 0.866]), 0.45, 0.5, 4.0)
LOOK = Look(0.08, 0.95, 0.3, 20.0, 0.0, 0.3)


@functools.lru_cache(maxsize=16)
def bare(seed, tilt):
    """A picture of a floor on which nothing lies; not to be drawn upon."""
    return draw_scene(np.random.default_rng(seed), camera_at(tilt), LIGHT, None, [], LOOK)[0]


def scene(cubes, seed=0, tilt=20.0):
    """A picture of cubes on a floor, seen from above."""
    camera, pixels, boxes = camera_at(tilt), bare(seed, tilt).copy(), [one.box() for one in cubes]
    cast_shadows(pixels, camera, boxes, LIGHT)
    marks = np.zeros(pixels.shape[:2], np.uint8)
    far_first = sorted(cubes, key=lambda one: -np.linalg.norm(one.centre - camera.place))
    for number, one in enumerate(far_first, 1):
        others = [box for box in boxes if 0 < np.hypot(*(box.centre - one.centre)[:2]) < 3.5]
        draw_cube(pixels, marks, number, camera, one, LIGHT, LOOK, others)
    return pixels


def box_of(one, tilt=20.0):
    """Left, top, width and height in pixels around a whole cube in a scene."""
    points = camera_at(tilt).project(one.box().corners())
    low, high = points.min(axis=0).round().astype(int), points.max(axis=0).round().astype(int)
    return (*low.tolist(), *(high - low).tolist())


def teach_cubes(folder, pictures=3, seed=6):
    """Write a few pictures of each face, as cubes in one tray, into KIND/FACE folders."""
    for face in FACES:
        (folder / "white" / face).mkdir(parents=True)
        for n in range(pictures):
            picture = scene([cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n)], seed)
            cv2.imwrite(str(folder / "white" / face / f"{n}.png"), picture)
    return folder
