"""Made-up rolls in one tray, to measure and tune what earlier rolls tell of later ones.

The dice and grounds are those of `train_tables`; here the camera, the ground and the light stay,
and dice are thrown again and again, some of which come to lean on another die or on nothing seen.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from camera.pip_blobs import Pixels
from camera.train_grounds import GROUNDS, draw_ground
from camera.train_scenes import Die, Look, random_die
from camera.train_tables import (
    LIGHTS,
    LOOKS,
    Lens,
    MadePicture,
    are_apart,
    as_made,
    draw_dice,
    lit,
    look_like,
    photographed,
    thrown,
)

LEAN = (12.0, 42.0)  # degrees by which a die leans
ON_ANOTHER = 0.5  # share of leaning dice that lean on another one
BESIDE = 0.4  # edges of a die between the lower edge of one that leans and the middle of the other


@dataclass(frozen=True)
class Tray:
    """A camera over a ground, and in which light it sees which dice."""

    lens: Lens
    ground: Pixels
    light: str
    looks: tuple[Look, ...]
    side_px: float


def random_tray(
    rng: np.random.Generator,
    *,
    size: tuple[int, int] = (960, 640),
    side_px: float = 56.0,
    elevation: float | None = None,
    ground: str | None = None,
    light: str | None = None,
    kinds: int = 1,
) -> Tray:
    """Set a tray up; what is None is drawn at random.

    elevation  degrees by which the camera looks down, 50 to 89.
    kinds      so many looks dice have.
    """
    degrees = rng.uniform(50, 89) if elevation is None else elevation
    span = size[0] / side_px
    roll = rng.uniform(-0.1, 0.1)
    lens = Lens(size, np.deg2rad(degrees), span * rng.uniform(0.9, 1.6), span, roll)
    light = light or str(rng.choice(LIGHTS))
    looks = tuple(look_like(rng, str(rng.choice(LOOKS))) for _ in range(kinds))
    floor = draw_ground(rng, size, ground or str(rng.choice(GROUNDS)), side_px)
    return Tray(lens, floor, light, looks, side_px)


def make_rolls(
    rng: np.random.Generator, tray: Tray, counts: Sequence[int], leaning: Sequence[int]
) -> tuple[list[MadePicture], Pixels]:
    """Throw dice again and again; give the pictures, and one of the tray without dice.

    counts   so many dice are thrown each time, of which so many come to lean (`leaning`).
    """
    camera = copy.deepcopy(rng)
    made = []
    for number, (count, lean) in enumerate(zip(counts, leaning, strict=True)):
        own = np.random.default_rng(rng.integers(1 << 40))
        picture = tray.ground.copy()
        dice = _with_leaning(own, tray.lens, thrown(own, tray.lens, count, False, ""), lean)
        sorts = own.integers(len(tray.looks), size=len(dice))
        direction = copy.deepcopy(camera)
        for sort, look in enumerate(tray.looks):
            mine = [die for die, other in zip(dice, sorts, strict=True) if other == sort]
            draw_dice(copy.deepcopy(direction), picture, tray.lens, mine, look, tray.light)
        shown = _taken(camera, tray, picture, number + 1)
        dies = tuple(as_made(tray.lens, die) for die in dice)
        made.append(MadePicture(shown, dies, {}))
    return made, _taken(camera, tray, tray.ground.copy(), 0)


def _taken(camera: np.random.Generator, tray: Tray, picture: Pixels, anew: int) -> Pixels:
    own = copy.deepcopy(camera)
    return photographed(own, lit(own, picture, tray.light), tray.light, tray.side_px, anew)


def _with_leaning(rng: np.random.Generator, lens: Lens, dice: list[Die], count: int) -> list[Die]:
    """Let some of the dice lean, half of them on another one."""
    order = rng.permutation(len(dice)).tolist()
    for row in order[:count]:
        tilt = np.deg2rad(rng.uniform(*LEAN))
        die = replace(dice[row], tilt=tilt)
        dice[row] = die
        rest = order[count:]
        if not rest or rng.random() > ON_ANOTHER:
            continue
        reach = (np.sin(tilt) + np.cos(tilt)) / 2
        way = np.array([-np.sin(die.turn), np.cos(die.turn)])
        x, y = np.array([die.x, die.y]) + way * (reach + BESIDE)
        other = replace(random_die(rng, x, y), turn=die.turn + np.pi / 2 * rng.integers(4))
        others = [one for n, one in enumerate(dice) if n not in (row, rest[0])]
        if _is_inside(lens, other) and all(are_apart(other, one) for one in others):
            dice[rest[0]] = other
            order.remove(rest[0])
            order.append(rest[0])
    return sorted(dice, key=lambda die: -die.y)


def _is_inside(lens: Lens, die: Die) -> bool:
    rim = 0.95 * lens.size[0] / lens.span
    ((x, y),) = lens.seen(np.array([[die.x, die.y, 0.5]]))
    return bool(rim < x < lens.size[0] - rim and rim < y < lens.size[1] - rim)
