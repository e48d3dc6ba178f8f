"""Patches of made-up dice, to train the second reader of pip dice on.

A die is a cube cut by a sphere, as cast dice are; each pixel's ray is intersected with it
exactly, so perspective, side faces and rounded edges are right. Everything else is drawn at
random, wider than real tables are: colours, pips, light, cloth, neighbours, blur, noise.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels
from camera.pip_votes import PATCH_PX, SPAN

PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True)
class Look:
    """How the dice of one scene look: colours in BGR 0 to 1, lengths in edges of a die."""

    body: Floats
    pips: Floats
    pip_radius: float
    step: float
    single: float
    narrow: float
    roundness: float
    gloss: float


@dataclass(frozen=True)
class Die:
    """A die on the ground: the faces up, towards +x and towards +y of its own axes."""

    faces: tuple[int, int, int]
    x: float
    y: float
    turn: float
    tilt: float = 0.0

    def turned(self) -> Floats:
        """Give the matrix from the table's axes to the die's."""
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        lean, rise = np.sin(self.tilt), np.cos(self.tilt)
        level = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1.0]])
        return np.asarray(np.array([[1.0, 0, 0], [0, rise, lean], [0, -lean, rise]]) @ level)

    def height(self) -> float:
        """Give the height of its middle over the table: a die that leans stands on an edge."""
        return float((np.sin(self.tilt) + np.cos(self.tilt)) / 2)


def random_look(rng: np.random.Generator) -> Look:
    """Draw the look of a set of dice; pips stand out from the body by a third at least."""
    while True:
        body = rng.uniform(0, 1, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0.75, 1))
        body = body * rng.uniform(0.4, 1) if rng.random() < 0.3 else body
        dark = rng.uniform(0, 0.2)
        pips = np.clip(rng.choice([dark, 1 - dark]) + rng.normal(0, 0.04, 3), 0, 1)
        if abs(grey_of(body) - grey_of(pips)) > 0.33:
            break
    step = rng.uniform(0.18, 0.27)
    return Look(
        body,
        pips,
        step * rng.uniform(0.28, 0.4),
        step,
        rng.choice([1.0, rng.uniform(1.0, 1.7)]),
        rng.choice([1.0, rng.uniform(0.8, 1.25)]),
        rng.uniform(0.66, 0.82),
        rng.uniform(0, 0.6),
    )


def grey_of(colour: Floats) -> float:
    """Give the brightness of a colour, BGR."""
    return float(colour @ (0.114, 0.587, 0.299))


def random_die(rng: np.random.Generator, x: float, y: float, up: int | None = None) -> Die:
    """Throw a die to a place; opposite faces add up to seven."""
    up = int(rng.integers(1, 7)) if up is None else up
    front = int(rng.choice([face for face in range(1, 7) if face not in (up, 7 - up)]))
    side = int(rng.choice([f for f in range(1, 7) if f not in (up, 7 - up, front, 7 - front)]))
    return Die((up, front, side), x, y, rng.uniform(0, 2 * np.pi))


@dataclass(frozen=True)
class View:
    """A camera that looks at the point `at` (3,) from an elevation, as rays through a patch."""

    at: Floats
    elevation: float
    roll: float
    distance: float
    span: float

    def axes(self) -> tuple[Floats, Floats, Floats]:
        """Give right, down and forward as unit vectors."""
        ce, se = np.cos(self.elevation), np.sin(self.elevation)
        forward = np.array([0.0, ce, -se])
        right, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, -se, -ce])
        cr, sr = np.cos(self.roll), np.sin(self.roll)
        return right * cr + down * sr, down * cr - right * sr, forward

    def rays(self, size: int) -> tuple[Floats, Floats]:
        """Give the eye (3,) and a ray (size * size, 3) through each pixel, not normalised."""
        right, down, forward = self.axes()
        edge = (np.arange(size) + 0.5) / size * self.span - self.span / 2
        across = edge[None, :, None] * right + edge[:, None, None] * down
        return self.at - forward * self.distance, across.reshape(-1, 3) + forward * self.distance


def draw_patch(rng: np.random.Generator, view: View, dice: list[Die], look: Look) -> Pixels:
    """Draw what the view sees of dice on a random ground, as (48, 48) grey uint8."""
    fine = 2 * PATCH_PX
    picture = random_ground(rng, fine)
    light = unit(np.array([*rng.normal(0, 0.7, 2), 1.0]))
    ambient = rng.uniform(0.35, 0.8)
    eye, rays = view.rays(fine)
    near = np.full(len(rays), np.inf)
    flat = picture.reshape(-1)
    if rng.random() < 0.7:
        cast_shadows(rng, flat, eye, rays, dice, light)
    for die in dice:
        rows = towards(eye, rays, die, look)
        depth, colour = cast(eye, rays[rows], die, look, light, ambient)
        seen = depth < near[rows]
        near[rows[seen]], flat[rows[seen]] = depth[seen], colour[seen]
    return photographed(rng, picture)


def towards(eye: Floats, rays: Floats, die: Die, look: Look) -> Floats:
    """Pick the rays that meet the sphere around a die."""
    centre = np.array([die.x, die.y, die.height()]) - eye
    squares = np.einsum("ij,ij->i", rays, rays)
    return np.flatnonzero(centre @ centre - (rays @ centre) ** 2 / squares < look.roundness**2)


def shade(
    eye: Floats, rays: Floats, die: Die, look: Look, light: Floats, ambient: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Intersect rays with a die: depth (inf where missed), on a pip, brightness, glare."""
    turn = die.turned()
    start = turn @ (eye - (die.x, die.y, die.height()))
    along = rays @ turn.T
    with np.errstate(divide="ignore"):
        gates = np.sort(np.stack([(-0.5 - start) / along, (0.5 - start) / along]), axis=0)
    enter, leave = gates[0].max(axis=1), gates[1].min(axis=1)
    a, b = (along**2).sum(axis=1), along @ start
    root = b * b - a * (start @ start - look.roundness**2)
    half = np.sqrt(np.maximum(root, 0))
    ball_in, ball_out = (-b - half) / a, (-b + half) / a
    first = np.maximum(enter, ball_in)
    hit = (first < np.minimum(leave, ball_out)) & (root > 0)
    point = start + along * first[:, None]
    face = np.abs(point).argmax(axis=1)
    sign = np.sign(np.take_along_axis(point, face[:, None], axis=1)[:, 0])
    normal = np.where((ball_in > enter)[:, None], point / look.roundness, 0.0)
    on_cube = ball_in <= enter
    normal[on_cube, face[on_cube]] = sign[on_cube]
    shine = turn @ light
    glint = unit(shine - along / np.sqrt(a)[:, None])
    bright = ambient + (1 - ambient) * np.maximum(normal @ shine, 0)
    glare = look.gloss * np.maximum((normal * glint).sum(axis=1), 0) ** 40
    pip = _on_pip(point, face, sign, die, look)
    return np.where(hit, first, np.inf), pip, bright, glare


def cast(
    eye: Floats, rays: Floats, die: Die, look: Look, light: Floats, ambient: float
) -> tuple[Floats, Floats]:
    """Intersect rays with a die: depth (inf where it is missed) and grey, 0 to 1."""
    depth, pip, bright, glare = shade(eye, rays, die, look, light, ambient)
    grey = np.where(pip, grey_of(look.pips) * (0.7 + 0.3 * bright), grey_of(look.body) * bright)
    return depth, np.clip(grey + glare, 0, 1)


def _on_pip(point: Floats, face: Floats, sign: Floats, die: Die, look: Look) -> Floats:
    up, front, side = die.faces
    pip = np.zeros(len(point), dtype=bool)
    for axis, value in ((2, up), (0, front), (1, side)):
        for direction in (1, -1):
            shown = value if direction > 0 else 7 - value
            mine = (face == axis) & (sign == direction)
            uv = np.delete(point[mine], axis, axis=1)
            places = np.array(PLACES[shown]) * look.step
            if shown == 6:
                places = places * (look.narrow, 1.0)
            radius = look.pip_radius * (look.single if shown == 1 else 1.0)
            gaps = np.linalg.norm(uv[:, None] - places, axis=2)
            pip[mine] = (gaps < radius).any(axis=1)
    return pip


def cast_shadows(
    rng: np.random.Generator,
    flat: Floats,
    eye: Floats,
    rays: Floats,
    dice: list[Die],
    light: Floats,
) -> None:
    """Darken what lies in the shadows of dice, in place: `flat` (N,) is seen along rays (N, 3)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ground = eye + rays * (-eye[2] / rays[:, 2])[:, None]
    dark = rng.uniform(0.15, 0.8)
    for die in dice:
        for height in (0.1, 0.4, 0.8):
            middle = np.array([die.x, die.y]) - light[:2] / light[2] * height
            flat[np.linalg.norm(ground[:, :2] - middle, axis=1) < 0.58] *= dark ** (1 / 3)


def unit(vector: Floats) -> Floats:
    """Scale vectors to a length of 1."""
    return np.asarray(vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), 1e-9))


def random_ground(rng: np.random.Generator, size: int) -> Floats:
    """Draw a ground of (size, size) grey 0 to 1: cloth, weave, wood, knobs, glyphs or plain."""
    base, amount = rng.uniform(0.03, 0.95), rng.uniform(0.0, 0.35)
    kind = rng.integers(0, 5)
    noise = rng.standard_normal((size, size))
    blur = {0: (rng.uniform(0.6, 9),) * 2, 1: (rng.uniform(1, 4), rng.uniform(8, 40))}.get(
        int(kind), (1.0, 1.0)
    )
    noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), sigmaX=blur[0], sigmaY=blur[1]))
    noise = noise / noise.std()
    if kind == 2:
        x, y = np.meshgrid(np.arange(size), np.arange(size))
        wave = rng.uniform(3, 16, 2)
        noise = 0.4 * noise + 1.5 * np.sin(x / wave[0] * 6.28) * np.sin(y / wave[1] * 6.28)
    if kind == 3:
        noise = 0.2 * noise
        for _ in range(rng.integers(3, 30)):
            at = tuple(rng.integers(0, size, 2).tolist())
            axes = tuple(rng.integers(2, 9, 2).tolist())
            cv2.ellipse(noise, at, axes, rng.uniform(0, 180), 0, 360, rng.normal(0, 2), -1)
    if kind == 4 and rng.random() < 0.5:
        for _ in range(rng.integers(1, 8)):
            ends = [tuple(rng.integers(0, size, 2).tolist()) for _ in range(2)]
            cv2.line(noise, ends[0], ends[1], rng.normal(0, 3), int(rng.integers(1, 12)))
    slope = np.linspace(-1, 1, size) * rng.normal(0, 0.1)
    picture = base + amount * 0.5 * noise + slope[:, None]
    return np.ascontiguousarray(np.clip(picture, 0, 1))


def photographed(rng: np.random.Generator, picture: Floats) -> Pixels:
    """Let a cheap camera take it: soft, noisy, badly exposed, compressed."""
    soft = cv2.GaussianBlur(picture, (0, 0), 2 * rng.uniform(0.25, 1.2))
    small = cv2.resize(soft, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    small = small ** rng.uniform(0.6, 1.7) * rng.uniform(0.4, 1.25) * 255
    if rng.random() < 0.3:
        fall = np.linspace(rng.uniform(0.4, 1), 1, PATCH_PX)
        small = small * (fall if rng.random() < 0.5 else fall[:, None])
    small = small + rng.standard_normal(small.shape) * rng.uniform(0, 9)
    patch = np.clip(small, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))]
        patch = np.asarray(cv2.imdecode(cv2.imencode(".jpg", patch, quality)[1], 0), np.uint8)
    return patch


def random_scene(rng: np.random.Generator) -> tuple[Pixels, int]:
    """Draw a patch and its class: the upper face in its middle, or 0 for none.

    None is: bare ground, a side face in the middle, a place beside the middle of a face, the
    gap between dice, a face far too large or too small.
    """
    look = random_look(rng)
    elevation = np.deg2rad(rng.choice([rng.uniform(70, 90), rng.uniform(42, 75)]))
    die = random_die(rng, 0.0, 0.0)
    dice = [die]
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(1.02, 1.9)
        dice.append(random_die(rng, far * np.cos(angle), far * np.sin(angle)))
    target, label, span = np.array([0.0, 0.0, 1.0]), die.faces[0], SPAN * rng.uniform(0.8, 1.25)
    dice = [die] + [other for other in dice[1:] if np.hypot(other.x, other.y) > _room(die, other)]
    chance = rng.random()
    if chance < 0.40:
        label = 0
        match int(rng.integers(0, 6)):
            case 0:
                dice = []
            case 1 | 2:
                axis = int(rng.integers(0, 4)) * np.pi / 2 + die.turn
                target = np.array([0.5 * np.cos(axis), 0.5 * np.sin(axis), 0.5])
            case 3:
                angle = rng.uniform(0, 2 * np.pi)
                target = target + rng.uniform(0.3, 1.0) * np.array(
                    [np.cos(angle), np.sin(angle), 0]
                )
            case 4:
                dice = [random_die(rng, sign * 0.55, rng.uniform(-0.2, 0.2)) for sign in (-1, 1)]
                dice = [Die(d.faces, d.x, d.y, rng.normal(0, 0.05)) for d in dice]
            case 5:
                span *= rng.choice([rng.uniform(0.35, 0.5), rng.uniform(2.2, 3.2)])
    target = target + np.array([*rng.normal(0, 0.04, 2), 0.0])
    view = View(target, elevation, rng.uniform(0, 2 * np.pi), rng.uniform(5, 25), span)
    return draw_patch(rng, view, dice, look), label


def _room(die: Die, other: Die) -> float:
    """Give the distance at which two dice surely do not overlap."""
    return 1.0 if abs(np.sin(2 * (die.turn - other.turn))) < 0.05 else 1.3
