"""Our own pictures for faces: what simulated dice and tiles show and the reader learns.

Everything is drawn in code, in a square with corners (0, 0) and (1, 1). Pictures of the same kind
of dice differ in outline, and none looks the same turned or mirrored, so that a test can tell.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from camera.canvas import Canvas, Colour, Pixels, Point
from camera.tile_art import TILE_PICTURES

OVERSAMPLE = 4  # drawn four times as large, then averaged: smooth edges
_INK: Colour = (46, 38, 34)
_PAPER: Colour = (236, 241, 244)


def colour_of(hex_colour: str) -> Colour:
    """Turn `#rrggbb` into OpenCV's (blue, green, red), 0 to 255 each."""
    digits = hex_colour.removeprefix("#")
    return int(digits[4:6], 16), int(digits[2:4], 16), int(digits[0:2], 16)


def ink_on(body: Colour) -> Colour:
    """Dark ink on a light body, light ink on a dark one."""
    brightness = 0.11 * body[0] + 0.59 * body[1] + 0.30 * body[2]
    return _INK if brightness > 120 else _PAPER


def draw_face(face: str, body: Colour, side_px: int = 48) -> Pixels:
    """Draw one face of a die: (side_px, side_px, 3) uint8 BGR, up is up.

    Faces without a picture of their own are drawn as pips (`1` to `6`) or as their first letters.
    """
    canvas = Canvas(side_px * OVERSAMPLE, body)
    if face in PICTURES:
        PICTURES[face](canvas, body)
    elif face in PIPS:
        for centre in PIPS[face]:
            canvas.disc(centre, 0.085, ink_on(body))
    elif face not in BLANK:
        _letters(canvas, face, ink_on(body))
    smooth: Any = cv2.resize(canvas.pixels, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return np.asarray(smooth, np.uint8)


def _letters(canvas: Canvas, face: str, ink: Colour) -> None:
    """Write the first three letters, underlined so that 6 and 9 differ."""
    text, font = face[:3].upper(), cv2.FONT_HERSHEY_DUPLEX
    (width_px, height_px), _ = cv2.getTextSize(text, font, 1.0, 2)
    scale = 0.52 * canvas.side_px / max(width_px, height_px)
    thick_px = max(2, round(0.05 * canvas.side_px))
    left = round((canvas.side_px - scale * width_px) / 2)
    base = round((canvas.side_px + scale * height_px) / 2 - 0.04 * canvas.side_px)
    cv2.putText(canvas.pixels, text, (left, base), font, scale, ink, thick_px, cv2.LINE_AA)
    canvas.line([(0.3, 0.82), (0.7, 0.82)], ink, 0.04)


def _troll(canvas: Canvas, body: Colour) -> None:
    skin, dark = (62, 118, 58), (34, 62, 30)
    canvas.area([(0.16, 0.20), (0.34, 0.36), (0.26, 0.52)], skin)
    canvas.area([(0.84, 0.34), (0.66, 0.36), (0.72, 0.54)], skin)
    canvas.area(
        [(0.27, 0.34), (0.42, 0.22), (0.60, 0.22), (0.74, 0.36), (0.72, 0.70), (0.56, 0.84),
         (0.40, 0.82), (0.26, 0.66)],
        skin,
    )  # fmt: skip
    canvas.area([(0.56, 0.24), (0.66, 0.12), (0.70, 0.32)], dark)
    canvas.disc((0.40, 0.44), 0.055, _PAPER)
    canvas.disc((0.60, 0.44), 0.055, _PAPER)
    canvas.line([(0.34, 0.66), (0.50, 0.71), (0.66, 0.64)], dark, 0.07)
    canvas.area([(0.38, 0.68), (0.47, 0.70), (0.42, 0.56)], _PAPER)


def _diamond(canvas: Canvas, body: Colour) -> None:
    light, middle, dark = (226, 178, 96), (196, 116, 40), (140, 66, 18)
    canvas.area([(0.30, 0.24), (0.66, 0.24), (0.84, 0.44), (0.16, 0.44)], light)
    canvas.area([(0.16, 0.44), (0.84, 0.44), (0.48, 0.84)], middle)
    canvas.area([(0.58, 0.44), (0.84, 0.44), (0.48, 0.84)], dark)
    canvas.area([(0.66, 0.24), (0.84, 0.44), (0.58, 0.44)], middle)


def _key(canvas: Canvas, body: Colour) -> None:
    canvas.ring((0.32, 0.32), 0.12, _INK, 0.075)
    canvas.line([(0.41, 0.41), (0.80, 0.80)], _INK, 0.08)
    canvas.line([(0.66, 0.66), (0.77, 0.55)], _INK, 0.07)
    canvas.line([(0.78, 0.78), (0.87, 0.69)], _INK, 0.07)


def _door(canvas: Canvas, body: Colour) -> None:
    frame, wood = (30, 46, 78), (44, 84, 142)
    arch = [(0.50 + 0.25 * np.sin(a), 0.40 - 0.24 * np.cos(a)) for a in np.linspace(-1.57, 1.57)]
    canvas.area([*arch, (0.75, 0.85), (0.25, 0.85)], frame)
    inner = [(0.50 + 0.18 * np.sin(a), 0.40 - 0.17 * np.cos(a)) for a in np.linspace(-1.57, 1.57)]
    canvas.area([*inner, (0.68, 0.85), (0.32, 0.85)], wood)
    canvas.line([(0.44, 0.26), (0.44, 0.84)], frame, 0.025)
    canvas.disc((0.60, 0.58), 0.045, (70, 210, 240))


def _nugget(canvas: Canvas, x: float, y: float, size: float) -> None:
    edge, gold, shine = (12, 52, 92), (26, 104, 158), (170, 232, 250)
    shape = [(-1.0, 0.1), (-0.6, -0.8), (0.3, -1.0), (1.0, -0.2), (0.8, 0.7), (-0.3, 1.0)]
    canvas.area([(x + size * a, y + size * b) for a, b in shape], edge)
    canvas.area([(x + 0.74 * size * a, y + 0.74 * size * b) for a, b in shape], gold)
    canvas.disc((x - 0.25 * size, y - 0.3 * size), 0.2 * size, shine)


def _gold1(canvas: Canvas, body: Colour) -> None:
    _nugget(canvas, 0.5, 0.5, 0.22)


def _gold2(canvas: Canvas, body: Colour) -> None:
    _nugget(canvas, 0.34, 0.36, 0.19)
    _nugget(canvas, 0.67, 0.66, 0.19)


def _dragon(canvas: Canvas, body: Colour) -> None:
    ink = ink_on(body)
    canvas.area(
        [(0.20, 0.78), (0.30, 0.44), (0.22, 0.18), (0.42, 0.30), (0.56, 0.28), (0.84, 0.44),
         (0.82, 0.54), (0.60, 0.54), (0.76, 0.62), (0.72, 0.70), (0.50, 0.66), (0.46, 0.84)],
        ink,
    )  # fmt: skip
    canvas.disc((0.50, 0.41), 0.05, body)


Picture = Callable[[Canvas, Colour], None]
PICTURES: Mapping[str, Picture] = {
    "troll": _troll,
    "diamond": _diamond,
    "key": _key,
    "door": _door,
    "gold1": _gold1,
    "gold2": _gold2,
    "dragon": _dragon,
    **TILE_PICTURES,
}
BLANK = frozenset({"blank", ""})

_A, _B, _C = 0.26, 0.5, 0.74
PIPS: Mapping[str, Sequence[Point]] = {
    "1": [(_B, _B)],
    "2": [(_A, _A), (_C, _C)],
    "3": [(_A, _A), (_B, _B), (_C, _C)],
    "4": [(_A, _A), (_C, _A), (_A, _C), (_C, _C)],
    "5": [(_A, _A), (_C, _A), (_B, _B), (_A, _C), (_C, _C)],
    "6": [(_A, _A), (_C, _A), (_A, _B), (_C, _B), (_A, _C), (_C, _C)],
}
