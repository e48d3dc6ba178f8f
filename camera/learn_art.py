"""Random faces of dice that nobody makes, to train readers that must cope with any dice.

A face is a square with a body colour and a picture on it: blots, strokes, letters, rings, stars or
pips, one or several times. `siblings` draws faces that are hard to tell apart: the same picture
twice, in another colour, with one part more.
"""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels, Point

SIDE_PX = 64  # of a face as it is drawn
BIG = 3  # drawn so much larger, then averaged
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
LETTERS = "ABCDEFGHKLMNPQRSTUVWXYZ0123456789!?&%#"
PIPS = (
    (0.5, 0.5),
    (0.26, 0.26),
    (0.74, 0.74),
    (0.26, 0.74),
    (0.74, 0.26),
    (0.26, 0.5),
    (0.74, 0.5),
)
PIPS_OF = ((0,), (1, 2), (0, 1, 2), (1, 2, 3, 4), (0, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6))

Chance = np.random.Generator
Paint = tuple[float, float, float]


class Part(NamedTuple):
    """One part of a picture: what draws it, from which seed, where, how large, in which colour."""

    draw: Callable[[Pixels, Chance, Point, float, Paint], None]
    seed: int
    at: Point
    size: float
    colour: Paint


class Face(NamedTuple):
    """A face: its body colour and the parts of its picture; no part for a blank one."""

    body: Paint
    parts: tuple[Part, ...] = ()

    def drawn(self) -> Pixels:
        """Draw it: (SIDE_PX, SIDE_PX, 3) uint8 BGR."""
        side = SIDE_PX * BIG
        pixels = np.full((side, side, 3), self.body, np.uint8)
        for part in self.parts:
            part.draw(pixels, np.random.default_rng(part.seed), part.at, part.size, part.colour)
        small = cv2.resize(pixels, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)


def any_colour(rng: Chance) -> Paint:
    """Pick a colour: often a strong one, sometimes near black, white or grey."""
    way = rng.random()
    if way < 0.35:
        grey = rng.choice([rng.uniform(8, 50), rng.uniform(200, 250), rng.uniform(60, 190)])
        tint = rng.normal(0, 6, 3)
        blue, green, red = np.clip(grey + tint, 0, 255)
        return float(blue), float(green), float(red)
    parts = (rng.integers(180), rng.integers(90, 256), rng.integers(60, 256))
    hsv = np.array(parts, np.uint8).reshape(1, 1, 3)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def ink_for(body: Paint, rng: Chance) -> Paint:
    """Pick a colour that can be seen on a body."""
    best, apart = body, -1.0
    for _ in range(8):
        ink = any_colour(rng)
        far = float(np.abs(np.subtract(ink, body)).sum())
        if far > 170:
            return ink
        if far > apart:
            best, apart = ink, far
    return best


def _px(points: npt.NDArray[np.float64], side_px: int) -> npt.NDArray[np.int32]:
    return np.round(points * side_px).astype(np.int32)


def _outline(rng: Chance, at: Point, size: float, wild: float) -> npt.NDArray[np.float64]:
    """A closed smooth curve around a place."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    reach = np.ones_like(turn)
    for wave in range(2, 8):
        reach += wild / wave * rng.normal() * np.cos(wave * turn + rng.uniform(0, 6.3))
    reach = np.clip(reach, 0.25, 1.5) * size
    squeeze = rng.uniform(0.55, 1.0)
    tilt = rng.uniform(0, np.pi)
    x, y = reach * np.cos(turn), squeeze * reach * np.sin(turn)
    return np.column_stack(
        (at[0] + x * np.cos(tilt) - y * np.sin(tilt), at[1] + x * np.sin(tilt) + y * np.cos(tilt))
    )


def blot(pixels: Pixels, rng: Chance, at: Point, size: float, colour: Paint) -> None:
    """A filled shape, perhaps outlined, with a few marks inside."""
    side = pixels.shape[0]
    curve = _outline(rng, at, size, rng.uniform(0.1, 0.7))
    cv2.fillPoly(pixels, [_px(curve, side)], colour, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.polylines(pixels, [_px(curve, side)], True, any_colour(rng), int(rng.integers(2, 7)))
    for _ in range(int(rng.integers(0, 4))):
        there = (at[0] + rng.normal(0, 0.4 * size), at[1] + rng.normal(0, 0.4 * size))
        inner = _outline(rng, there, size * rng.uniform(0.1, 0.4), 0.3)
        cv2.fillPoly(pixels, [_px(inner, side)], any_colour(rng), cv2.LINE_AA)


def corners(pixels: Pixels, rng: Chance, at: Point, size: float, colour: Paint) -> None:
    """A polygon or star with straight edges, perhaps cut into facets."""
    side, count = pixels.shape[0], int(rng.integers(3, 9))
    turn = np.sort(rng.uniform(0, 2 * np.pi, count)) if rng.random() < 0.4 else (
        np.linspace(0, 2 * np.pi, count, endpoint=False) + rng.uniform(0, 6.3)
    )  # fmt: skip
    reach = np.full(count, size)
    if rng.random() < 0.5:
        turn = np.linspace(0, 2 * np.pi, 2 * count, endpoint=False) + rng.uniform(0, 6.3)
        reach = np.where(np.arange(2 * count) % 2, size, size * rng.uniform(0.3, 0.7))
    points = np.column_stack((at[0] + reach * np.cos(turn), at[1] + reach * np.sin(turn)))
    if rng.random() < 0.75:
        cv2.fillPoly(pixels, [_px(points, side)], colour, cv2.LINE_AA)
    else:
        thick = int(rng.integers(4, 12))
        cv2.polylines(pixels, [_px(points, side)], True, colour, thick, cv2.LINE_AA)
    if rng.random() < 0.5:
        ink, middle = any_colour(rng), _px(np.array([at]), side)[0]
        for corner in _px(points, side)[:: int(rng.integers(1, 3))]:
            cv2.line(pixels, tuple(map(int, middle)), tuple(map(int, corner)), ink, 3, cv2.LINE_AA)


def strokes(pixels: Pixels, rng: Chance, at: Point, size: float, colour: Paint) -> None:
    """A few lines, as of a key, a sword or a tree."""
    side, thick = pixels.shape[0], int(rng.integers(5, 18))
    start = np.array(at) + rng.uniform(-size, size, 2)
    for _ in range(int(rng.integers(2, 7))):
        end = np.clip(start + rng.uniform(-1.2 * size, 1.2 * size, 2), 0.12, 0.88)
        ends = _px(np.array([start, end]), side)
        cv2.line(pixels, tuple(map(int, ends[0])), tuple(map(int, ends[1])), colour, thick)
        start = end if rng.random() < 0.7 else (start + end) / 2
    if rng.random() < 0.5:
        middle = tuple(map(int, _px(start[None], side)[0]))
        cv2.circle(pixels, middle, int(rng.uniform(0.05, 0.14) * side), colour, thick, cv2.LINE_AA)


def letters(pixels: Pixels, rng: Chance, at: Point, size: float, colour: Paint) -> None:
    """One to three letters or digits."""
    side, font = pixels.shape[0], int(rng.choice(FONTS))
    text = "".join(rng.choice(list(LETTERS), int(rng.choice([1, 1, 1, 2, 3]))))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 3)
    scale = 2 * size * side / max(width, height)
    place = (int(at[0] * side - scale * width / 2), int(at[1] * side + scale * height / 2))
    cv2.putText(pixels, text, place, font, scale, colour, int(rng.integers(5, 16)), cv2.LINE_AA)


def rings(pixels: Pixels, rng: Chance, at: Point, size: float, colour: Paint) -> None:
    """Circles in each other, or part of one."""
    side = pixels.shape[0]
    middle = tuple(map(int, _px(np.array([at]), side)[0]))
    reach = size * side
    if rng.random() < 0.5:
        cv2.circle(pixels, middle, int(reach), colour, -1, cv2.LINE_AA)
        inner = any_colour(rng)
        cv2.circle(pixels, middle, int(reach * rng.uniform(0.3, 0.7)), inner, -1, cv2.LINE_AA)
        return
    sweep = float(rng.choice([360, 180, 270, 120]))
    thick = max(3, int(reach * rng.uniform(0.15, 0.5)))
    axes = (int(reach), int(reach * rng.uniform(0.6, 1.0)))
    cv2.ellipse(pixels, middle, axes, rng.uniform(0, 360), 0, sweep, colour, thick, cv2.LINE_AA)


def dots(pixels: Pixels, rng: Chance, at: Point, size: float, colour: Paint) -> None:
    """Pips, as on an ordinary die, or a few dots anywhere."""
    places, size = PIPS_OF[int(rng.integers(6))], rng.uniform(0.06, 0.11)
    for number in places:
        dot(pixels, rng, PIPS[number], size, colour)


def dot(pixels: Pixels, _rng: Chance, at: Point, size: float, colour: Paint) -> None:
    """One pip."""
    side = pixels.shape[0]
    middle = tuple(map(int, _px(np.array([at]), side)[0]))
    cv2.circle(pixels, middle, int(size * side), colour, -1, cv2.LINE_AA)


WAYS = (blot, blot, corners, corners, strokes, strokes, letters, rings, dots)


def _part(rng: Chance, body: Paint, at: Point, size: float) -> Part:
    draw = WAYS[int(rng.integers(len(WAYS)))]
    return Part(draw, int(rng.integers(2**31)), at, size, ink_for(body, rng))


def any_face(rng: Chance, body: Paint) -> Face:
    """Draw a picture of one to three parts, in the middle or beside it."""
    near = (0.5 + rng.normal(0, 0.03), 0.5 + rng.normal(0, 0.03))
    parts = [_part(rng, body, near, rng.uniform(0.18, 0.36))]
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        beside = (rng.uniform(0.25, 0.75), rng.uniform(0.25, 0.75))
        parts.append(_part(rng, body, beside, rng.uniform(0.06, 0.18)))
    return Face(body, tuple(parts))


def pipped(rng: Chance, body: Paint) -> list[Face]:
    """The six faces of an ordinary die."""
    size, ink = rng.uniform(0.06, 0.12), ink_for(body, rng)
    first = rng.uniform(size, 0.13) if rng.random() < 0.3 else size
    return [
        Face(body, tuple(Part(dot, 0, PIPS[n], size if places[1:] else first, ink) for n in places))
        for places in PIPS_OF
    ]


def repeated(rng: Chance, face: Face, count: int) -> Face:
    """The same picture, smaller, so many times."""
    places = [(0.33, 0.35), (0.67, 0.66), (0.68, 0.32), (0.32, 0.68)][:count]
    first = face.parts[0]
    size = min(first.size, 0.18)
    return Face(face.body, tuple(first._replace(at=place, size=size) for place in places))


def siblings(rng: Chance, body: Paint, count: int) -> list[Face]:
    """Faces of one kind of dice: a blank one often, others that may be hard to tell apart."""
    faces = [Face(body)] if rng.random() < 0.6 else []
    while len(faces) < count:
        face = any_face(rng, body)
        faces.append(face)
        way = rng.random()
        if face.parts[0].draw is dots:
            continue
        if way < 0.15:
            faces.append(repeated(rng, face, 2))
        elif way < 0.25:
            faces += [repeated(rng, face, 1), repeated(rng, face, 2), repeated(rng, face, 3)]
        elif way < 0.35:
            ink = ink_for(body, rng)
            faces.append(Face(body, tuple(part._replace(colour=ink) for part in face.parts)))
        elif way < 0.45:
            faces.append(Face(body, (*face.parts, _part(rng, body, (0.7, 0.3), 0.12))))
    return faces[:count]


def body_colours(rng: Chance, count: int) -> list[Paint]:
    """Body colours for several kinds of dice, which people can tell apart."""
    bodies: list[Paint] = []
    for _ in range(60 * count):
        body = any_colour(rng)
        if all(np.abs(np.subtract(body, other)).sum() > 120 for other in bodies):
            bodies.append(body)
        if len(bodies) == count:
            break
    return bodies
