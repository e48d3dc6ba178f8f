"""Path-trace scenes for networks to learn from.

`python -m camera.learn_traced --out FILE.pkl` needs Blender as a module (`pip install bpy`). Dice
are those of camera/learn_face_sets.py and ordinary ones; light falls on them as camera/trace.py
tells. One scene takes some 0.8 seconds of a core.
"""

import argparse
import math
from pathlib import Path

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.learn_art import Chance
from camera.learn_cubes import SIZE_PX, Cube, Singles, any_look
from camera.learn_face_sets import Kind, any_set, side_of
from camera.learn_pool import Job, keep, on_all_cores
from camera.learn_scenes import (
    Scene,
    Tray,
    any_camera,
    any_light,
    any_tray,
    draw_scene,
    flat_lies,
    leaning_lies,
    room_for,
)

FEWEST, MOST = 1, 11  # dice of a scene, as far as they find a place
EMPTY = 0.04  # share of scenes without any
LEANING = 0.35  # of dice, in scenes where any may lean
MAY_LEAN = 0.7  # share of those scenes
ORDINARY = 0.25  # share of kinds that have pips
TRIES = 3  # to find a place for each die


def dice_of(
    rng: Chance, kinds: list[Kind], room: tuple[float, float], tray: Tray
) -> list[Cube]:  # fmt: skip
    """Dice of a set, some of which may lean."""
    cubes: list[Cube] = []
    leaning = LEANING if rng.random() < MAY_LEAN else 0.0
    count = int(rng.integers(FEWEST, MOST + 1))
    for _ in range(TRIES * count):
        if len(cubes) == count:
            break
        leans = rng.random() < leaning
        lies = leaning_lies(rng, cubes, tray, room) if leans else flat_lies(rng, cubes, room)
        if lies is None:
            continue
        kind = kinds[int(rng.integers(len(kinds)))]
        numbers = rng.integers(len(kind.faces), size=6).tolist()
        sides = tuple(side_of(rng, kind, number) for number in numbers)
        cubes.append(Cube(lies[0], lies[1], sides, kind.body, lies[2]))
    return cubes


def scene_of(job: Job) -> Scene:
    """Trace a scene, by its seed and its number."""
    # Blender puts its folders first where modules are looked for, and who is started inherits that.
    from camera.trace import traced

    rng = np.random.default_rng(list(job))
    kinds, look = any_set(rng, with_pips=ORDINARY), any_look(rng)
    camera, light = any_camera(rng), any_light(rng)
    tray = any_tray(rng, camera)
    has_dice = rng.random() >= EMPTY
    cubes = dice_of(rng, kinds, room_for(camera, tray), tray) if has_dice else []
    walls = tray if rng.random() < 0.8 else None
    pixels = developed(traced(rng, camera, light, walls, cubes, look), rng)
    _, labels = draw_scene(rng, camera, light, walls, cubes, look)
    return Scene(cv2.imencode(".png", pixels)[1].tobytes(), labels, camera)


def developed(light: Singles, rng: Chance) -> Pixels:
    """What a camera makes of light: white balance, exposure, highlights, SIZE_PX and uint8."""
    means = light.reshape(-1, 3).mean(axis=0) + 1e-6
    seen = light * (means.mean() / means) ** np.float32(rng.uniform(0.2, 0.8))
    wanted, low, high = rng.uniform(70, 130), -14.0, 14.0
    for _ in range(14):
        stops = (low + high) / 2
        dark = 255 * _encoded(seen[::4, ::4] * 2**stops).mean() < wanted
        low, high = (stops, high) if dark else (low, stops)
    burnt = float(np.percentile(seen.max(axis=2), 98.5))
    stops = min(low, math.log2(1.15 / max(burnt, 1e-9)) + 0.2)
    pixels = 255 * _encoded(seen * 2**stops)
    share = light.shape[1] / SIZE_PX[0]
    back = np.array([(share, 0, -0.5), (0, share, -0.5)])
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    large = cv2.warpAffine(pixels, back, SIZE_PX, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.clip(large, 0, 255), np.uint8)


def _encoded(light: Singles) -> Singles:
    """Linear light as a camera writes it, 0 to 1, with soft highlights."""
    soft = np.where(light < 0.7, light, 1 - 0.3 * np.exp(-(light - 0.7) / 0.3))
    bright = 1.055 * np.power(np.maximum(soft, 1e-6), 1 / 2.4) - 0.055
    return np.asarray(np.where(soft < 0.0031308, 12.92 * soft, bright), np.float32)


def main() -> None:
    """Trace scenes, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=77001)
    given = parser.parse_args()
    keep(given.out, list(on_all_cores(scene_of, given.scenes, given.seed, 100)))


if __name__ == "__main__":
    main()
