"""Random floors of trays: plain, cloth, wood, checks, stripes or a print."""

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.learn_art import Chance, any_colour

Floats = npt.NDArray[np.float64]


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
