"""Whole pictures of made-up tables with dice on them, to measure and tune the reader with.

The dice are those of `train_scenes`; here they lie on a whole table that a camera looks down at,
on grounds, in lights and beside things that a living room has. What lies there is known exactly,
and so is what each picture is hard for: size, ground, light, view.
"""

import copy
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels
from camera.train_grounds import GROUNDS, draw_ground, draw_things
from camera.train_scenes import Die, Look, random_die, random_look, shade, unit

LIGHTS = ("even", "dim", "glare", "shadow", "soft", "slope")
LOOKS = ("white", "black", "colour")


@dataclass(frozen=True)
class Lens:
    """A camera over the table: from a height of `distance`, `span` edges of a die wide."""

    size: tuple[int, int]  # width, height in px
    elevation: float
    distance: float
    span: float
    roll: float

    def axes(self) -> tuple[Floats, Floats, Floats]:
        """Give right, down and forward as unit vectors."""
        ce, se = np.cos(self.elevation), np.sin(self.elevation)
        right, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, -se, -ce])
        cr, sr = np.cos(self.roll), np.sin(self.roll)
        return right * cr + down * sr, down * cr - right * sr, np.array([0.0, ce, -se])

    @property
    def eye(self) -> Floats:
        """Where it is."""
        return -self.axes()[2] * self.distance

    def rays(self, x: Floats, y: Floats) -> Floats:
        """Give the rays (N, 3) through places in the picture, px."""
        right, down, forward = self.axes()
        px = self.span / self.size[0]
        u, v = (x + 0.5 - self.size[0] / 2) * px, (y + 0.5 - self.size[1] / 2) * px
        return np.asarray(u[:, None] * right + v[:, None] * down + forward * self.distance)

    def seen(self, points: Floats) -> Floats:
        """Project points (N, 3) into the picture, px."""
        right, down, forward = self.axes()
        ray = points - self.eye
        scale = self.distance / (ray @ forward) * self.size[0] / self.span
        u, v = ray @ right * scale, ray @ down * scale
        return np.stack([u + self.size[0] / 2 - 0.5, v + self.size[1] / 2 - 0.5], axis=1)

    def ground_at(self, x: float, y: float, height: float = 0.5) -> Floats:
        """Give the point over the table that is seen at a place in the picture."""
        ray = self.rays(np.array([x]), np.array([y]))[0]
        return np.asarray(self.eye + ray * (height - self.eye[2]) / ray[2])


@dataclass(frozen=True)
class MadeDie:
    """A die of a made-up picture: its face, its box (x, y, w, h) in px, "" or what is wrong.

    top      centre (2,) of the upper face, px.
    sides    centres (N, 2) of the faces beside it that the camera sees, px.
    side_px  an edge, as seen from straight above.
    """

    face: int
    box: tuple[int, int, int, int]
    flaw: str = ""
    top: tuple[float, float] = (0.0, 0.0)
    sides: tuple[tuple[float, float], ...] = ()
    side_px: float = 0.0


@dataclass(frozen=True)
class MadePicture:
    """A made-up picture (H, W, 3) uint8 BGR, what lies there, and what it is hard for.

    empty  the same table without dice, where that was asked for.
    """

    pixels: Pixels
    dice: tuple[MadeDie, ...]
    factors: dict[str, str]
    empty: Pixels | None = None


def make_picture(
    rng: np.random.Generator,
    *,
    size: tuple[int, int] = (1280, 720),
    count: int = 5,
    side_px: float = 60.0,
    ground: str | None = None,
    light: str | None = None,
    look: str | None = None,
    steep: bool | None = None,
    touching: bool = False,
    flaw: str = "",
    things: str = "",
    with_empty: bool = False,
) -> MadePicture:
    """Draw a table with `count` dice of about `side_px`; what is None is drawn at random.

    flaw    "cocked" or "cut": one die leans, or lies across the picture's edge.
    things  "domino", "button", "screw", "text", "coin": lie there beside the dice.
    with_empty  take a picture of the table before the dice, too.
    """
    ground = ground or str(rng.choice(GROUNDS))
    light = light or str(rng.choice(LIGHTS))
    look = look or str(rng.choice(LOOKS))
    steep = bool(rng.random() < 0.6) if steep is None else steep
    elevation = np.deg2rad(rng.uniform(72, 89) if steep else rng.uniform(50, 70))
    span = size[0] / side_px
    lens = Lens(size, elevation, span * rng.uniform(0.9, 2.2), span, rng.uniform(-0.1, 0.1))
    picture = draw_ground(rng, size, ground, side_px)
    for _ in range(int(rng.integers(2, 7)) if things else 0):
        draw_things(rng, picture, things, side_px)
    bare = picture.copy() if with_empty else None
    dice = thrown(rng, lens, count, touching, flaw)
    draw_dice(rng, picture, lens, dice, look_like(rng, look), light)
    before = copy.deepcopy(rng)
    pixels = photographed(rng, lit(rng, picture, light), light, side_px)
    empty = None
    if bare is not None:
        empty = photographed(before, lit(before, bare, light), light, side_px, anew=1)
    made = tuple(as_made(lens, die) for die in dice)
    factors = {"ground": ground, "light": light, "look": look, "view": "steep" if steep else "side"}
    return MadePicture(pixels, made, factors | {"size": _size_class(side_px)}, empty)


def _size_class(side_px: float) -> str:
    for most, name in ((32, "20-32 px"), (60, "32-60 px"), (120, "60-120 px"), (200, "120-200 px")):
        if side_px <= most:
            return name
    return "200-400 px"


def look_like(rng: np.random.Generator, name: str) -> Look:
    """Draw a look of a family: white with dark pips, dark with light ones, or any colour."""
    look = random_look(rng)
    if name == "white":
        body, pips = rng.uniform(0.8, 1.0) * np.array([0.97, 1, 1]), np.full(3, rng.uniform(0, 0.2))
    elif name == "black":
        body, pips = np.full(3, rng.uniform(0.03, 0.2)), np.full(3, rng.uniform(0.75, 1.0))
    else:
        return look
    return replace(look, body=body, pips=pips)


def thrown(
    rng: np.random.Generator, lens: Lens, count: int, touching: bool, flaw: str
) -> list[Die]:
    """Lay dice apart from each other inside the picture; with `touching`, some side by side."""
    dice: list[Die] = []
    width, height = lens.size
    rim = 0.95 * width / lens.span
    for _ in range(600):
        if len(dice) == count:
            break
        if touching and dice and rng.random() < 0.7:
            last = dice[-1]
            angle = last.turn + np.pi / 2 * rng.integers(0, 4)
            x, y = last.x + 1.02 * np.cos(angle), last.y + 1.02 * np.sin(angle)
            die = replace(random_die(rng, x, y), turn=last.turn)
        else:
            place = rng.uniform((rim, rim), (max(width - rim, rim + 1), max(height - rim, rim + 1)))
            die = random_die(rng, *lens.ground_at(*place)[:2])
        middle = lens.seen(np.array([[die.x, die.y, 0.5]]))[0]
        inside = rim < middle[0] < width - rim and rim < middle[1] < height - rim
        if inside and all(are_apart(die, other) for other in dice):
            dice.append(die)
    if flaw == "cocked" and dice:
        dice[0] = replace(dice[0], tilt=np.deg2rad(rng.uniform(18, 40)))
    if flaw == "cut" and dice:
        x = (rng.choice([0.0, width - 1.0])) + rng.uniform(-0.3, 0.3) * rim
        cut = lens.ground_at(x, rng.uniform(rim, height - rim))
        dice = [replace(dice[0], x=cut[0], y=cut[1])] + [
            die for die in dice[1:] if np.hypot(die.x - cut[0], die.y - cut[1]) > 1.5
        ]
    return sorted(dice, key=lambda die: -die.y)


def are_apart(die: Die, other: Die) -> bool:
    """Tell whether two dice have room beside each other."""
    apart = np.hypot(die.x - other.x, die.y - other.y)
    aligned = abs(np.sin(2 * (die.turn - other.turn))) < 0.01
    return bool(apart > (1.01 if aligned else 1.42))


def draw_dice(
    rng: np.random.Generator, picture: Pixels, lens: Lens, dice: list[Die], look: Look, light: str
) -> None:
    """Draw dice and their shadows into a picture (H, W, 3) of 0 to 1, the farthest first."""
    direction = unit(np.array([*rng.normal(0, 0.6, 2), 1.0]))
    ambient = rng.uniform(0.45, 0.8)
    if light == "glare":
        look = replace(look, gloss=rng.uniform(0.5, 1.0))
    for die in dice:
        _shadow(picture, lens, die, direction, float(rng.uniform(0.3, 0.85)))
    for die in dice:
        _draw_die(picture, lens, die, look, direction, ambient)


def _shadow(picture: Pixels, lens: Lens, die: Die, light: Floats, dark: float) -> None:
    base = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    cos, sin = np.cos(die.turn), np.sin(die.turn)
    corners = base @ np.array([[cos, sin], [-sin, cos]]) + (die.x, die.y)
    fall = -light[:2] / light[2] * 0.9
    outline = np.concatenate([corners, corners + fall])
    seen = lens.seen(np.column_stack([outline, np.zeros(len(outline))])).astype(np.float32)
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, cv2.convexHull(seen).astype(np.int32), 1.0)
    soft = 0.06 * lens.size[0] / lens.span
    x, y, w, h = cv2.boundingRect(seen)
    pad = int(4 * soft) + 2
    rows = slice(max(y - pad, 0), max(y + h + pad, 0))
    columns = slice(max(x - pad, 0), max(x + w + pad, 0))
    if mask[rows, columns].size:
        blurred = cv2.GaussianBlur(mask[rows, columns], (0, 0), soft)
        picture[rows, columns] *= 1 - (1 - dark) * blurred[..., None]


def _draw_die(
    picture: Pixels, lens: Lens, die: Die, look: Look, light: Floats, ambient: float
) -> None:
    x, y, w, h = _bounds(lens, die)
    left, top = max(x, 0), max(y, 0)
    right, bottom = min(x + w, lens.size[0]), min(y + h, lens.size[1])
    if right <= left or bottom <= top:
        return
    fine = 1 if w > 260 else 2 if w > 130 else 3
    steps = (np.arange(fine) + 0.5) / fine - 0.5
    columns = (np.arange(left, right)[:, None] + steps).ravel()
    rows = (np.arange(top, bottom)[:, None] + steps).ravel()
    grid = np.meshgrid(columns, rows)
    rays = lens.rays(grid[0].ravel(), grid[1].ravel())
    depth, pip, bright, glare = shade(lens.eye, rays, die, look, light, ambient)
    colour = np.where(
        pip[:, None], look.pips * (0.7 + 0.3 * bright[:, None]), look.body * bright[:, None]
    )
    colour = np.clip(colour + glare[:, None], 0, 1)
    hit = np.isfinite(depth)
    layers = np.column_stack([colour * hit[:, None], hit]).astype(np.float32)
    shape = (bottom - top, fine, right - left, fine, 4)
    layers = layers.reshape(shape).mean(axis=(1, 3))
    area = picture[top:bottom, left:right]
    area[:] = area * (1 - layers[..., 3:]) + layers[..., :3]


def _bounds(lens: Lens, die: Die) -> tuple[int, int, int, int]:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 2)]) / 2
    corners[:, :2] *= 1.45 if die.tilt else 1.0
    corners[:, 2] += 0.35 * (corners[:, 2] > 0.5) if die.tilt else 0.0
    cos, sin = np.cos(die.turn), np.sin(die.turn)
    corners[:, :2] = corners[:, :2] @ np.array([[cos, sin], [-sin, cos]]) + (die.x, die.y)
    seen = lens.seen(corners)
    low, high = (
        np.floor(seen.min(axis=0)).astype(int) - 1,
        np.ceil(seen.max(axis=0)).astype(int) + 2,
    )
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def as_made(lens: Lens, die: Die) -> MadeDie:
    """Say where a camera sees a die."""
    x, y, w, h = _bounds(lens, die)
    inside = x >= 0 and y >= 0 and x + w <= lens.size[0] and y + h <= lens.size[1]
    middle = np.array([die.x, die.y, die.height()])
    across, along, up = die.turned()
    normals = np.array([up, across, -across, along, -along])
    faces = middle + normals / 2
    seen = ((lens.eye - faces) * normals).sum(axis=1) > 0.2 * lens.distance
    top, *sides = lens.seen(faces).tolist()
    depth = float((faces[0] - lens.eye) @ lens.axes()[2])
    return MadeDie(
        die.faces[0],
        (x, y, w, h),
        "cocked" if die.tilt else "" if inside else "cut",
        (top[0], top[1]),
        tuple((x, y) for (x, y), shown in zip(sides, seen[1:], strict=True) if shown),
        lens.distance / depth * lens.size[0] / lens.span,
    )


def lit(rng: np.random.Generator, picture: Pixels, light: str) -> Pixels:
    """Light a picture as a room does: one of LIGHTS."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = (np.cos(angle) * (x / width - 0.5) + np.sin(angle) * (y / height - 0.5)).astype(
        np.float32
    )
    if light == "dim":
        return np.asarray(picture * np.float32(rng.uniform(0.15, 0.35)))
    if light == "shadow":
        steps = (along - rng.uniform(-0.2, 0.2)) * rng.uniform(20, 120)
        edge = 1 / (1 + np.exp(-np.clip(steps, -60, 60)))
        return np.asarray(picture * (rng.uniform(0.3, 0.55) + (1 - 0.45) * edge)[..., None])
    if light == "slope":
        return np.asarray(picture * np.clip(0.7 + 0.9 * along, 0.2, 1.4)[..., None])
    if light == "glare":
        middle, wide = rng.uniform((0, 0), (width, height)), rng.uniform(0.05, 0.2) * width
        spot = np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * wide**2))
        return np.asarray(picture + np.float32(rng.uniform(0.1, 0.4)) * spot[..., None])
    return picture


def photographed(
    rng: np.random.Generator, picture: Pixels, light: str, side_px: float, anew: int = 0
) -> Pixels:
    """Let a cheap camera take it: soft, noisy, a little too dark or bright, compressed.

    anew  for another picture by the same camera: its noise is another one.
    """
    soft = rng.uniform(0.3, 0.8) + (side_px * rng.uniform(0.012, 0.028) if light == "soft" else 0)
    picture = cv2.GaussianBlur(picture, (0, 0), soft)
    picture = np.clip(picture, 0, None) ** rng.uniform(0.75, 1.3) * (255 * rng.uniform(0.8, 1.15))
    noise: Floats = np.zeros(picture.shape, np.float32)
    cv2.setRNGSeed(int(rng.integers(1 << 30)) + anew)
    spread = rng.uniform(0.5, 5.0) + 3.0 * (light == "dim")
    cv2.randn(noise, np.zeros(3), np.full(3, spread))
    pixels = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality: list[Any] = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))]
        pixels = np.asarray(cv2.imdecode(cv2.imencode(".jpg", pixels, quality)[1], 1))
    return np.asarray(pixels)
