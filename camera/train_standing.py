"""Train who tells by what is seen of its sides how a pip die lies: `--out FILE.npz`.

`python -m camera.train_standing --out FILE.npz`, with PyTorch as for `train_votes`. Dice are thrown
on a table before a camera, some leaning on a wall, on another die or on nothing that is seen. Some
plane is taken for the table's, near or far from that of the die; under it the die is drawn as it
would be cut out of the picture, and the network learns by how much it is tilted on that plane.
The weights that are shipped saw 12,500 dice, drawn in five goes, 16 times; on two busy cores that
takes half an hour. Another run draws other dice and gives others, as good.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch  # type: ignore[import-not-found]

from camera.pip_blobs import Floats, Pixels
from camera.pip_faces import Face
from camera.pip_planes import on_rays
from camera.pip_standing import SHOWN_PX, SPREADS, Stand, as_shown, outlines, places, stands
from camera.train_scenes import (
    Die,
    Look,
    cast,
    cast_shadows,
    photographed,
    random_die,
    random_ground,
    random_look,
    towards,
    unit,
)
from camera.train_tables import Lens
from camera.train_votes import as_arrays, as_tensor, begin, network, relit, train

CHANNELS = (
    12,
    24,
    32,
    48,
)  # of four halvings; a tilt across and down comes out, and the log of its spread
SIZE = (960, 540)
EXACT = {1: 0.032, 2: 0.025, 3: 0.014, 4: 0.013, 5: 0.009, 6: 0.016}  # of pips' ellipses
MISPLACED = 0.02  # edges of a die by which the middle of a face is measured wrongly
LEAN = (11.0, 42.0)  # degrees by which a die leans
NEARLY = 12.0  # degrees by which the plane that is tried differs from a die's own, half of the time
FINE = 2 * SHOWN_PX


class Wall(NamedTuple):
    """A board that stands on the table: where its near side is, which way is behind it, height."""

    at: Floats
    behind: Floats
    high: float
    grey: float


class Thrown(NamedTuple):
    """What lies on a table: the first die may lean, on the second or on the wall."""

    dice: list[Die]
    wall: Wall | None


def thrown(rng: np.random.Generator, lens: Lens, count: int) -> Thrown:
    """Throw dice into the picture, half of the time one of them against something."""
    rim = 1.2 * lens.size[0] / lens.span
    first = random_die(rng, *_place(rng, lens, rim))
    first = replace(first, tilt=np.deg2rad(rng.uniform(*LEAN)) if rng.random() < 0.5 else 0.0)
    ey = np.array([-np.sin(first.turn), np.cos(first.turn)])
    reach = (np.sin(first.tilt) + np.cos(first.tilt)) / 2
    dice, wall, beside = [first], None, rng.random()
    at = np.array([first.x, first.y]) + ey * (reach + rng.choice([0.0, rng.uniform(0, 0.4)]))
    if beside < 0.35:
        wall = Wall(at, ey, rng.uniform(0.4, 1.5), rng.uniform(0.05, 0.95))
    elif beside < 0.65:
        turn = first.turn + np.pi / 2 * rng.integers(4) + rng.choice([0.0, rng.normal(0, 0.1)])
        dice.append(replace(random_die(rng, *(at + ey * 0.52)), turn=turn))
    for _ in range(200):
        if len(dice) >= count:
            break
        die = random_die(rng, *_place(rng, lens, rim))
        gaps = [np.hypot(die.x - other.x, die.y - other.y) for other in dice]
        behind = wall is not None and (np.array([die.x, die.y]) - wall.at) @ wall.behind > -0.8
        if min(gaps) > 1.45 and not behind:
            dice.append(die)
    return Thrown(dice, wall)


def _place(rng: np.random.Generator, lens: Lens, rim: float) -> tuple[float, float]:
    width, height = lens.size
    x, y, _ = lens.ground_at(rng.uniform(rim, width - rim), rng.uniform(rim, height - rim))
    return float(x), float(y)


def upper_face(
    rng: np.random.Generator, lens: Lens, die: Die, look: Look
) -> tuple[Face, Floats] | None:
    """Give what a reader takes for the upper face of a die, as inexactly as it is measured.

    Beside it, the direction (3,) in which that face looks.
    """
    own = die.turned()
    middle = np.array([die.x, die.y, die.height()])
    sides = np.array([own[2], own[0], own[1], -own[0], -own[1]])
    frontal = (unit(lens.eye - middle) * sides).sum(axis=1)
    row = int(frontal.argmax()) if rng.random() < 0.7 else 0
    if frontal[row] < 0.5:
        return None
    across = np.roll(np.array([0, 1]), rng.integers(2)) if row == 0 else np.array([2, row % 2])
    value = (die.faces[0], die.faces[1], die.faces[2], 7 - die.faces[1], 7 - die.faces[2])[row]
    centre, small = middle + sides[row] / 2, 1e-3
    points = np.array([centre, centre + small * own[across[0]], centre + small * own[across[1]]])
    at, one, other = lens.seen(points)
    onto = np.stack([one - at, other - at], axis=1) / small
    wrong = EXACT[value] * rng.standard_normal((2, 2))
    wrong = (wrong + wrong.T) / 2 * (1.0 + (rng.random() < 0.1))
    onto = (np.eye(2) + wrong) @ onto
    side_px = lens.size[0] / lens.span
    at = at + MISPLACED * side_px * rng.standard_normal(2)
    shape, axes = onto @ onto.T * (look.pip_radius**2), onto * look.step
    if value == 1:
        values, vectors = np.linalg.eigh(shape)
        axes = (vectors * np.sqrt(values)) @ vectors.T * look.step / look.pip_radius
    spacing = look.step / look.pip_radius
    face = Face(value, at, shape, axes, spacing, frozenset(), 0.0, 0.0, 0.0, 0.0, 90.0)
    return face, sides[row]


def draw(rng: np.random.Generator, lens: Lens, lying: Thrown, look: Look, stand: Stand) -> Pixels:
    """Draw what is cut out of the picture around one die: (48, 48) grey uint8."""
    picture = random_ground(rng, FINE)
    flat = picture.reshape(-1)
    light, ambient = unit(np.array([*rng.normal(0, 0.7, 2), 1.0])), rng.uniform(0.35, 0.85)
    y, x = (np.mgrid[0:FINE, 0:FINE].reshape(2, -1) + 0.5) / 2 - 0.5
    (back,) = places([stand])
    spot = back[:, :2] @ np.stack([x, y]) + back[:, 2:]
    rays, eye = lens.rays(*spot), lens.eye
    if rng.random() < 0.85:
        cast_shadows(rng, flat, eye, rays, lying.dice, light)
    near = np.full(len(rays), np.inf)
    if lying.wall is not None:
        _stand_wall(flat, near, eye, rays, lying.wall)
    for die in lying.dice:
        rows = towards(eye, rays, die, look)
        depth, colour = cast(eye, rays[rows], die, look, light, ambient)
        seen = depth < near[rows]
        near[rows[seen]], flat[rows[seen]] = depth[seen], colour[seen]
    return photographed(rng, picture)


def _stand_wall(flat: Floats, near: Floats, eye: Floats, rays: Floats, wall: Wall) -> None:
    """Draw a wall: its side, and its upper edge, a die thick."""
    with np.errstate(divide="ignore", invalid="ignore"):
        side = ((wall.at - eye[:2]) @ wall.behind) / (rays[:, :2] @ wall.behind)
        top = (wall.high - eye[2]) / rays[:, 2]
    height = eye[2] + side * rays[:, 2]
    on_side = (side > 0) & (height > 0) & (height < wall.high)
    deep = (eye[:2] + top[:, None] * rays[:, :2] - wall.at) @ wall.behind
    on_top = (top > 0) & (deep > 0) & (deep < 0.6)
    for rows, depth, bright in ((on_side, side, 0.75), (on_top, top, 1.0)):
        rows &= depth < near
        near[rows], flat[rows] = depth[rows], wall.grey * bright


def scene(rng: np.random.Generator) -> list[tuple[Pixels, Floats, Floats]]:
    """Throw dice; give what is cut out under some plane, its outlines, how the die leans on it."""
    side_px = float(np.exp(rng.uniform(np.log(28), np.log(120))))
    span = SIZE[0] / side_px
    elevation = np.deg2rad(rng.uniform(50, 90))
    lens = Lens(SIZE, elevation, span * rng.uniform(0.85, 2.2), span, rng.uniform(-3.2, 3.2))
    lying = thrown(rng, lens, int(rng.choice([1, 2, 2, 3])))
    look = random_look(rng)
    lattice_px = 5 * look.step * side_px * rng.uniform(0.94, 1.06)
    shown = []
    for die in lying.dice:
        found = upper_face(rng, lens, die, look)
        if found is None:
            continue
        top, upward = found
        own = as_seen(lens, top, upward)
        off = np.deg2rad(rng.uniform(0, NEARLY if rng.random() < 0.5 else LEAN[1]))
        taken = turned(own, np.cross(own, rng.standard_normal(3)), off)
        (stand,) = stands([top], taken, SIZE[::-1], lattice_px)
        shown.append((draw(rng, lens, lying, look, stand), outlines(stand), stand.frame[:2] @ own))
    return shown


def as_seen(lens: Lens, top: Face, upward: Floats) -> Floats:
    """Give the direction (3,) in which a face looks, as a camera of the usual focal length has it.

    It would see the same face so if that were turned as its ray is.
    """
    axes = np.stack(lens.axes())
    true = unit(axes @ lens.rays(*top.at[:, None])[0])
    ray = unit(np.append(on_rays(top.at, SIZE[::-1]), 1.0))
    across = np.cross(true, ray)
    return turned(axes @ upward, across, float(np.arcsin(np.linalg.norm(across))))


def turned(vector: Floats, about: Floats, angle: float) -> Floats:
    """Turn a vector (3,) about another by an angle in radians."""
    axis = unit(about)
    cross, dot = np.cross(axis, vector), axis @ vector
    return np.asarray(
        vector * np.cos(angle) + cross * np.sin(angle) + axis * dot * (1 - np.cos(angle))
    )


def drawn(count: int, seed: int) -> tuple[Pixels, Floats, Floats]:
    """Draw so many dice: pictures (N, 48, 48), outlines (N, 48, 48), sines of tilts (N, 2)."""
    found: list[tuple[Pixels, Floats, Floats]] = []
    number = 0
    while len(found) < count:
        found += scene(np.random.default_rng([seed, number]))
        number += 1
    patches, told, leans = zip(*found[:count], strict=True)
    return np.stack(patches), np.stack(told), np.array(leans, dtype=np.float32)


def cost(told: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Rate tilts (N, 3) by how unlikely they make the true ones (N, 2): after Laplace, in a plane.

    So it pays to tell a wide spread where a picture tells little.
    """
    spread = told[:, 2].clamp(*SPREADS)
    off = torch.sqrt(((told[:, :2] - truth) ** 2).sum(dim=1) + 1e-4)
    return (off * torch.exp(-spread) + 2 * spread).mean()


def main() -> None:
    """Draw, train, test on dice not trained on, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dice", type=int, default=12_500)
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=11)
    asked = parser.parse_args()
    patches, outline, leans = drawn(asked.dice, asked.seed)
    kept_back = len(leans) // 12
    begin(asked.seed)

    def batch(rng: np.random.Generator, rows: Floats) -> tuple[Floats, Floats]:
        shown, own, truth = relit(rng, patches[rows]), outline[rows], leans[rows]
        if rng.random() < 0.5:
            shown, own = shown[:, :, ::-1], own[:, :, ::-1]
            truth = truth * np.array([-1, 1], np.float32)
        return as_shown(np.ascontiguousarray(shown), own), truth

    model = network(CHANNELS, seen=2, told=3, dropped=0.2)
    train(model, batch, np.arange(kept_back, len(leans)), cost, asked.epochs)
    with torch.no_grad():
        told = model(as_tensor(as_shown(patches[:kept_back], outline[:kept_back]))).numpy()
    off = np.degrees(np.linalg.norm(told[:, :2] - leans[:kept_back], axis=1))
    print(f"{kept_back} dice not trained on: off by {np.median(off):.1f} degrees (median)")
    np.savez_compressed(asked.out, allow_pickle=False, **as_arrays(model))


if __name__ == "__main__":
    main()
