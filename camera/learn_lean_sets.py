"""Draw dice as who tells leaning ones sees them: under slants that may be beside the true one.

Half of the scenes hold a few dice only. The finder looks at them as it does at a table, and every
die that it finds is cut out under slants near the true one, to learn whether dice lean, and under
some farther away, to learn which way down they show (camera/learn_leaning.py).
"""

import math
from typing import NamedTuple

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.leaning import tilted, upright
from camera.learn_art import Chance
from camera.learn_cubes import SIZE_PX, Camera, any_look
from camera.learn_pool import Job, on_all_cores, seeker
from camera.learn_scenes import (
    Floats,
    Label,
    Scene,
    any_camera,
    any_cubes,
    any_light,
    any_tray,
    as_seen,
    draw_scene,
)
from camera.slant import Slant
from camera.upper_sides import find_tops

LEAST_HEAT, LEAST_SHOWN = 0.4, 0.55  # of dice that are shown
FEW = (1, 1, 1, 2, 2, 3, 4)  # dice of scenes with a few
LEANING = 0.5  # of all dice, as far as they find a place
MOST_GAP = 1.5  # half diagonals, of ways down from those expected


class Off(NamedTuple):
    """By how much slants differ from true ones: in degrees; logarithms of scale and focal."""

    slant_deg: float
    scale: float
    focal: float


NEAR, FAR = Off(2.0, 0.03, 0.15), Off(7.0, 0.08, 0.35)
SHOWN = (NEAR, NEAR, FAR, FAR)  # under which slants each die is shown


class Sample(NamedTuple):
    """A die as the network sees it, under a slant that may be near the true one.

    cut    what is cut out, (64, 64, 3); `down`, how long the way down is that is expected.
    leans  whether it does; `gap`, (2,), how far its way down is from that, in half diagonals.
    """

    cut: Pixels
    down: float
    leans: bool
    gap: Floats
    is_near: bool


def scene_of(rng: Chance, count: int | None) -> tuple[Pixels, list[Label], Camera]:
    """Draw a scene with so many dice, or as many as there happen to be."""
    while True:
        camera, light = any_camera(rng), any_light(rng)
        tray = any_tray(rng, camera)
        walls = tray if rng.random() < 0.8 else None
        cubes = any_cubes(rng, camera, tray, LEANING)
        if len(cubes) >= (count or 3):
            break
    chosen = rng.permutation(len(cubes))[: count or len(cubes)]
    dice = [cubes[n] for n in sorted(chosen.tolist())]
    pixels, labels = draw_scene(rng, camera, light, walls, dice, any_look(rng))
    return as_seen(pixels, rng), labels, camera


def samples_from(
    rng: Chance, pixels: Pixels, labels: list[Label], camera: Camera
) -> list[Sample]:  # fmt: skip
    """Cut out the dice of a scene, as the table finds them."""
    found = find_tops(seeker(), pixels)
    tops = [top for top in found.tops if top.seen.heat >= LEAST_HEAT]
    pairs = [(top.corners.mean(axis=0), label_at(top.corners, labels)) for top in tops]
    dice = [(at, label) for at, label in pairs if label and label.shown >= LEAST_SHOWN]
    if found.slant is None or not dice:
        return []
    middles = np.array([at for at, _ in dice])
    downs = np.array([label.down for _, label in dice])
    samples = []
    for off in SHOWN:
        shown = upright(beside(true_slant(camera), off, rng), middles)
        gaps = np.clip(shown.gaps(downs), -MOST_GAP, MOST_GAP)
        for cut, down, gap, (_, label) in zip(*shown.shown(pixels), gaps, dice, strict=True):
            samples.append(Sample(cut, float(down), label.is_crooked, gap, off is NEAR))
    return samples


def samples_seen(rng: Chance, scenes: list[Scene]) -> list[Sample]:
    """Let a small camera see traced scenes, and cut out their dice."""
    samples = []
    for number, scene in enumerate(scenes, 1):
        samples += samples_from(rng, as_seen(scene.pixels, rng), scene.labels, scene.camera)
        if number % 500 == 0:
            print(f"{number} of {len(scenes)} traced scenes seen", flush=True)
    return samples


def true_slant(camera: Camera) -> Slant:
    """How a camera looks at the upper sides of dice that lie flat."""
    scale = camera.focal_px / (float(camera.place[2]) - 1)
    return Slant(camera.turn[:, 2].copy(), scale, camera.focal_px, np.array(SIZE_PX) / 2)


def beside(slant: Slant, off: Off, rng: Chance) -> Slant:
    """A slant as a table may know it: a little off in all that it tells."""
    scale = slant.scale * math.exp(rng.normal(0, off.scale))
    focal = slant.focal * math.exp(rng.normal(0, off.focal))
    (normal,) = tilted(slant.normal, rng.normal(0, off.slant_deg, (1, 2)))
    return slant._replace(normal=normal, scale=scale, focal=focal)


def label_at(corners: Floats, labels: list[Label]) -> Label | None:
    """What lies where an upper side was found."""
    apart = [float(np.hypot(*(one.corners - corners).mean(axis=0))) for one in labels]
    sides = [math.sqrt(abs(cv2.contourArea(one.corners.astype(np.float32)))) for one in labels]
    near = [n for n, far in enumerate(apart) if far < 0.4 * sides[n]]
    return labels[min(near, key=lambda n: apart[n])] if near else None


def drawn(scenes: int, seed: int) -> list[Sample]:
    """Draw so many scenes on all cores, half of them with a few dice."""
    parts = on_all_cores(samples_in, scenes, seed, 500)
    return [sample for some in parts for sample in some]


def samples_in(job: Job) -> list[Sample]:
    """Draw one scene: its seed, and its number."""
    rng = np.random.default_rng(list(job))
    count = None if job[1] % 2 == 0 else int(rng.choice(FEW))
    return samples_from(rng, *scene_of(rng, count))
