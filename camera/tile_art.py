"""Our own pictures for tiles: seven of their faces, and the back that all of them share.

The eighth face is the dragon, which dice have as well (camera/art.py). None looks the same turned
or mirrored; the back differs from every face along its rim already.
"""

from collections.abc import Callable, Mapping

import numpy as np

from camera.canvas import Canvas, Colour, Point

BACK = "back"
BACK_COLOUR = "#7a4a22"
PAPER_COLOUR = "#efe9da"
_DARK: Colour = (40, 34, 38)


def _around(x: float, y: float, wide: float, high: float, begin: float, end: float) -> list[Point]:
    """Points on an ellipse, from angle to angle, in radians; 0 is right, then downwards."""
    angles = np.linspace(begin, end, 24)
    return [(x + wide * float(np.cos(a)), y + high * float(np.sin(a))) for a in angles]


def _ball(canvas: Canvas, body: Colour) -> None:
    red, blue, white = (52, 44, 196), (180, 96, 36), (244, 244, 240)
    canvas.disc((0.5, 0.5), 0.31, red)
    canvas.area([*_around(0.5, 0.5, 0.31, 0.31, -0.5, 1.4), (0.52, 0.46)], blue)
    canvas.area([*_around(0.5, 0.5, 0.31, 0.31, 2.0, 3.0), (0.52, 0.46)], white)
    canvas.disc((0.38, 0.36), 0.06, white)


def _car(canvas: Canvas, body: Colour) -> None:
    paint, glass = (58, 158, 44), (226, 206, 168)
    canvas.area(
        [(0.14, 0.62), (0.16, 0.46), (0.34, 0.44), (0.46, 0.28), (0.72, 0.28), (0.80, 0.44),
         (0.87, 0.48), (0.87, 0.62)],
        paint,
    )  # fmt: skip
    canvas.area([(0.42, 0.44), (0.49, 0.33), (0.58, 0.33), (0.58, 0.44)], glass)
    canvas.area([(0.63, 0.44), (0.63, 0.33), (0.69, 0.33), (0.74, 0.44)], glass)
    for x in (0.32, 0.70):
        canvas.disc((x, 0.64), 0.105, _DARK)
        canvas.disc((x, 0.64), 0.045, body)


def _doll(canvas: Canvas, body: Colour) -> None:
    skin, hair, dress = (168, 196, 236), (30, 78, 142), (186, 82, 190)
    canvas.disc((0.48, 0.27), 0.155, hair)
    canvas.area([(0.60, 0.22), (0.76, 0.34), (0.66, 0.46), (0.58, 0.34)], hair)
    canvas.disc((0.46, 0.30), 0.115, skin)
    canvas.area([(0.42, 0.42), (0.54, 0.42), (0.72, 0.80), (0.24, 0.80)], dress)
    canvas.line([(0.42, 0.48), (0.22, 0.60)], skin, 0.06)
    canvas.line([(0.55, 0.48), (0.78, 0.52)], skin, 0.06)
    canvas.line([(0.40, 0.80), (0.40, 0.90)], _DARK, 0.05)
    canvas.line([(0.57, 0.80), (0.57, 0.90)], _DARK, 0.05)


def _candlestick(canvas: Canvas, body: Colour) -> None:
    brass, wax, flame = (30, 134, 178), (226, 236, 240), (34, 140, 250)
    canvas.area([(0.44, 0.30), (0.56, 0.30), (0.56, 0.54), (0.44, 0.54)], wax)
    canvas.line([(0.44, 0.30), (0.44, 0.54), (0.56, 0.54), (0.56, 0.30)], _DARK, 0.02)
    canvas.area([(0.50, 0.10), (0.57, 0.22), (0.50, 0.30), (0.43, 0.22)], flame)
    canvas.area([(0.34, 0.54), (0.66, 0.54), (0.60, 0.62), (0.40, 0.62)], brass)
    canvas.area([(0.46, 0.62), (0.54, 0.62), (0.56, 0.76), (0.44, 0.76)], brass)
    canvas.area([(0.26, 0.76), (0.74, 0.76), (0.80, 0.86), (0.20, 0.86)], brass)
    canvas.ring((0.74, 0.64), 0.085, brass, 0.045)


def _chest(canvas: Canvas, body: Colour) -> None:
    wood, lid, iron, gold = (34, 72, 124), (44, 96, 160), (70, 62, 58), (60, 206, 244)
    canvas.area([(0.16, 0.48), (0.84, 0.48), (0.80, 0.80), (0.20, 0.80)], wood)
    canvas.area([(0.16, 0.46), (0.24, 0.20), (0.90, 0.12), (0.86, 0.40)], lid)
    canvas.area([(0.22, 0.46), (0.86, 0.40), (0.82, 0.50), (0.20, 0.50)], gold)
    canvas.line([(0.30, 0.50), (0.31, 0.80)], iron, 0.05)
    canvas.line([(0.70, 0.50), (0.69, 0.80)], iron, 0.05)
    canvas.area([(0.44, 0.52), (0.56, 0.52), (0.56, 0.66), (0.44, 0.66)], gold)
    canvas.disc((0.50, 0.58), 0.03, _DARK)


def _ring(canvas: Canvas, body: Colour) -> None:
    gold, stone, shine = (28, 152, 212), (216, 178, 60), (250, 240, 210)
    canvas.ring((0.47, 0.60), 0.215, gold, 0.085)
    canvas.area([(0.44, 0.12), (0.72, 0.16), (0.76, 0.28), (0.54, 0.44), (0.38, 0.24)], stone)
    canvas.area([(0.44, 0.12), (0.58, 0.14), (0.54, 0.26), (0.38, 0.24)], shine)
    canvas.line([(0.38, 0.24), (0.54, 0.26), (0.76, 0.28)], (140, 96, 20), 0.02)


def _spider(canvas: Canvas, body: Colour) -> None:
    black = (26, 22, 28)
    for reach, bend in ((-0.24, -0.10), (-0.08, -0.16), (0.10, 0.06), (0.26, 0.12)):
        for side in (-1.0, 1.0):
            knee = (0.5 + 0.25 * side, 0.50 + bend)
            canvas.line([(0.5, 0.50), knee, (0.5 + 0.37 * side, 0.52 + reach)], black, 0.04)
    canvas.disc((0.50, 0.60), 0.17, black)
    canvas.disc((0.50, 0.38), 0.095, black)
    canvas.area([(0.50, 0.52), (0.58, 0.66), (0.42, 0.66)], (40, 40, 214))
    canvas.line([(0.62, 0.72), (0.80, 0.88)], black, 0.05)


def _back(canvas: Canvas, body: Colour) -> None:
    light, dark = (70, 118, 168), (24, 52, 88)
    canvas.area([(0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)], dark)
    canvas.ring((0.5, 0.5), 0.24, light, 0.06)
    canvas.line([(0.16, 0.16), (0.84, 0.84)], light, 0.05)
    canvas.line([(0.84, 0.16), (0.16, 0.84)], light, 0.05)
    canvas.disc((0.5, 0.5), 0.12, light)
    canvas.area([(0.5, 0.42), (0.57, 0.56), (0.43, 0.56)], dark)


TILE_PICTURES: Mapping[str, Callable[[Canvas, Colour], None]] = {
    "ball": _ball,
    "car": _car,
    "doll": _doll,
    "candlestick": _candlestick,
    "chest": _chest,
    "ring": _ring,
    "spider": _spider,
    BACK: _back,
}
