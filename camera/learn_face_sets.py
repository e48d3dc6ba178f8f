"""Draw sets of dice that nobody makes, each in several trays, lights and cameras.

The finder looks at every scene as it does at a table, and every upper side is cut out as it is
there: who compares faces learns from them (camera/learn_faces.py).
"""

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.learn_art import Chance, Face, Paint, any_face, body_colours, ink_for, pipped
from camera.learn_cubes import FACE_PX, Cube, Look, any_look
from camera.learn_floors import cloud
from camera.learn_pool import Job, on_all_cores, seeker
from camera.learn_scenes import (
    Floats,
    any_camera,
    any_light,
    any_tray,
    as_seen,
    draw_scene,
    faces_of,
    flat_place,
    room_for,
)
from camera.patches import PATCH_PX, cut_tops
from camera.scene import turn_about
from camera.top_faces import flat_part
from camera.upper_sides import find_tops

SCENES, DICE = 8, 9  # of each set
MOST_FACES = 14
LEAST_HEAT, NEAR = 0.3, 0.3  # of what the finder found; of a side, how exactly it lies there
ONE_INK = 0.7  # share of kinds
LIKE_ANOTHER, HOLES = 0.35, 0.35  # shares of faces in one ink, and of their parts
GRAINED = 0.4  # share of sets of marble, wood or metal
Numbers = npt.NDArray[np.int64]


class Drawn(NamedTuple):
    """Upper sides of one set: (N, 40, 40, 3), which face each shows, in which scene.

    blank  (faces) which of them are.
    """

    patches: Pixels
    faces: Numbers
    scenes: Numbers
    blank: npt.NDArray[np.bool_]


class Kind(NamedTuple):
    """Dice of one body: their faces, the number of the first, how much and how finely grained."""

    body: Paint
    faces: list[Pixels]
    first: int
    grain: float
    cells: int


def any_set(rng: Chance, *, with_pips: float = 0.0) -> list[Kind]:
    """Kinds of dice that belong together; a share of them has pips."""
    kinds, count = [], 0
    is_grained = rng.random() < GRAINED
    for body in body_colours(rng, int(rng.integers(1, 4))):
        draw = emblems if rng.random() < ONE_INK else colourful
        if with_pips and rng.random() < with_pips:
            draw = ordinary
        faces = draw(rng, body)[: MOST_FACES - count]
        if len(faces) < 2:
            break
        grain = rng.uniform(0.02, 0.16) if is_grained else 0.0
        kinds.append(Kind(body, faces, count, grain, int(rng.integers(2, 24))))
        count += len(faces)
    return kinds


def colourful(rng: Chance, body: Paint) -> list[Pixels]:
    """Faces of one kind with pictures in any colours."""
    return [_small(one) for one in faces_of(rng, body)]


def emblems(rng: Chance, body: Paint) -> list[Pixels]:
    """Faces of one kind whose pictures have one ink, as on most dice; some are hardly different."""
    ink, is_crisp, faces = ink_for(body, rng), rng.random() < 0.7, [Face(body)]
    for _ in range(int(rng.integers(3, 9))):
        like = faces[int(rng.integers(len(faces)))]
        if not like.parts or rng.random() > LIKE_ANOTHER:
            like = any_face(rng, body)
        faces.append(varied_face(rng, like))
    shown = faces[rng.random() < 0.4 :]
    return [_in_one_ink(_small(one), body, ink, is_crisp=is_crisp) for one in shown]


def ordinary(rng: Chance, body: Paint) -> list[Pixels]:
    """Faces of one kind with pips, from 1 to 6."""
    return [_small(one) for one in pipped(rng, body)]


def varied_face(rng: Chance, face: Face) -> Face:
    """A face with a few parts more, or holes in it, or one part less."""
    parts = list(face.parts)
    if len(parts) > 2 and rng.random() < 0.3:
        parts.pop(int(rng.integers(len(parts))))
    for _ in range(int(rng.integers(1, 4))):
        (part,) = any_face(rng, face.body).parts[:1]
        at = (float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.3, 0.7)))
        colour = face.body if rng.random() < HOLES else part.colour
        parts.append(part._replace(at=at, size=float(rng.uniform(0.07, 0.25)), colour=colour))
    return Face(face.body, tuple(parts))


def _in_one_ink(face: Pixels, body: Paint, ink: Paint, *, is_crisp: bool) -> Pixels:
    """The same picture in one ink: the more, the further its colours are from the body's."""
    apart = np.linalg.norm(face.astype(np.float64) - body, axis=2)
    much = np.clip(apart / max(60.0, 0.7 * float(apart.max())), 0, 1)
    if is_crisp:
        much = np.clip(4 * much - 0.8, 0, 1)
    whole = np.add(body, much[..., None] * np.subtract(ink, body))
    return np.asarray(np.clip(whole, 0, 255), np.uint8)


def _small(face: Face) -> Pixels:
    small = cv2.resize(face.drawn(), (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def side_of(rng: Chance, kind: Kind, number: int) -> Pixels:
    """A face of one die, whose grain no other die has."""
    face = np.rot90(kind.faces[number], int(rng.integers(4)))
    if not kind.grain:
        return np.ascontiguousarray(face)
    veins = cloud(rng, (FACE_PX, FACE_PX), kind.cells, rng.uniform(1, 4))
    if rng.random() < 0.5:
        veins = 1.2 - 2.5 * np.abs(veins)
    whole = face * (1 + kind.grain * veins)[..., None]
    return np.asarray(np.clip(whole, 0, 255), np.uint8)


def any_dice(
    rng: Chance, kinds: list[Kind], room: tuple[float, float]
) -> tuple[list[Cube], list[int]]:  # fmt: skip
    """Dice of a set that lie flat, and which face is up."""
    cubes: list[Cube] = []
    up = []
    for _ in range(DICE):
        place = flat_place(rng, cubes, room)
        kind = kinds[int(rng.integers(len(kinds)))]
        number = int(rng.integers(len(kind.faces)))
        if place is None:
            continue
        others = rng.integers(len(kind.faces), size=5).tolist()
        sides = tuple(side_of(rng, kind, n) for n in (number, *others))
        turn = turn_about((0, 0, 1), place[2])
        cubes.append(Cube(np.array([place[0], place[1], 0.5]), turn, sides, kind.body, False))
        up.append(kind.first + number)
    return cubes, up


def scene_of(rng: Chance, kinds: list[Kind], look: Look) -> tuple[Pixels, Numbers]:
    """Draw dice of a set, find them, and cut out what they show: (N, 40, 40, 3), and which (N)."""
    camera, light = any_camera(rng), any_light(rng)
    tray = any_tray(rng, camera)
    cubes, up = any_dice(rng, kinds, room_for(camera, tray))
    walls = tray if rng.random() < 0.8 else None
    pixels, _ = draw_scene(rng, camera, light, walls, cubes, look)
    pixels = as_seen(pixels, rng)
    found = [top for top in find_tops(seeker(), pixels).tops if top.seen.heat >= LEAST_HEAT]
    places = camera.project(np.array([cube.centre + (0, 0, 0.5) for cube in cubes]).reshape(-1, 3))
    corners = np.array([top.corners for top in found]).reshape(-1, 4, 2)
    there = [_nearest(one, places) for one in corners]
    good = np.array([at is not None for at in there], np.bool_)
    if not good.any():
        return np.empty((0, PATCH_PX, PATCH_PX, 3), np.uint8), np.empty(0, np.int64)
    faces = np.array([up[at] for at in there if at is not None])
    return np.ascontiguousarray(cut_tops(pixels, flat_part(corners[good]))), faces


def _nearest(corners: Floats, places: Floats) -> int | None:
    """Which of some places (N, 2) is in the middle of an upper side."""
    apart = np.hypot(*(places - corners.mean(axis=0)).T)
    side_px = float(np.hypot(*(corners[1] - corners[0])))
    return int(apart.argmin()) if len(apart) and apart.min() < NEAR * side_px else None


def set_of(job: Job) -> Drawn:
    """Draw one set in all its scenes: its seed, and its number."""
    rng = np.random.default_rng(list(job))
    kinds, look = any_set(rng), any_look(rng)
    parts = [scene_of(rng, kinds, look) for _ in range(SCENES)]
    scenes = np.repeat(np.arange(SCENES), [len(faces) for _, faces in parts])
    patches = np.concatenate([cuts for cuts, _ in parts])
    faces = np.concatenate([faces for _, faces in parts])
    return Drawn(patches, faces, scenes, blank_of(kinds))


def blank_of(kinds: list[Kind]) -> npt.NDArray[np.bool_]:
    """Which faces of a set show nothing."""
    return np.array([not np.ptp(face, (0, 1)).any() for kind in kinds for face in kind.faces])


def drawn(sets: int, seed: int) -> list[Drawn]:
    """Draw so many sets on all cores."""
    return list(on_all_cores(set_of, sets, seed, 100))
