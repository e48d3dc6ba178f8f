"""What reading eight symbol dice in a zone of 1280 x 720 px costs on one core, and how much memory.

Dice of three kinds, two of them with a blank face, are drawn in trays, taught as people teach them,
one at a time, and then read eight together in larger pictures, from other angles, with seeds that
nothing was tuned on. Each picture is read twice: as one that nothing is known of, and with its
empty tray, as a live table does. Then a process of its own watches clips of them.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from camera.bench_speed import Table, one_thread, took_ms, watched
from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.enrol_dice import Teacher
from camera.scene import Floor, Scene
from camera.stage import NOISE_LEVELS
from camera.stills import DieReading, StillReader
from camera.throws import lying
from companion.dice import Die

DICE = (
    Die("ivory-1", "ivory", ("troll", "diamond", "key", "door"), "#f4f1e8"),
    Die("gold-1", "gold", ("gold1", "gold2", "blank"), "#d9a520"),
    Die("red-1", "red", ("dragon", "blank"), "#b3262b"),
)
COUNT, SIZE_PX = 8, (1280, 720)
FLOORS = (Floor(0.0, 15.5, 7.8), Floor(0.0, 12.0, 6.0))
TILTS_DEG = (10.0, 20.0, 30.0, 38.0)  # of the camera, away from straight down
TAUGHT_PX, TAUGHT_FLOOR, TAUGHT_DEG = (640, 360), Floor(0.0, 10.0, 5.0), 20.0
PICTURES = 4  # of each face that is taught
APART_SIDES, EDGE_SIDES = 1.35, 1.0  # between the middles of dice, and from them to a wall


class Lies(NamedTuple):
    """A die as it lies in a tray: which face is up, place in sides, turn in radians."""

    die: Die
    face: str
    x: float
    y: float
    turn: float


class Drawn(NamedTuple):
    """A picture of a tray, the same one without dice, and what lies there."""

    table: Table
    lies: tuple[Lies, ...]


def symbol_speed(tables: int = 12) -> dict[str, float | int]:
    """Give milliseconds and megabytes, with their units in the keys."""
    with one_thread():
        looks = taught()
        drawn = [draw_table(number) for number in range(tables)]
        return _times(StillReader(looks), drawn) | watched(
            "symbols_720p", [one.table for one in drawn[:2]], looks
        )


def taught() -> DiceLooks:
    """Teach every face from a few pictures of one die each."""
    rng, teacher = np.random.default_rng(36), Teacher()
    scene = Scene(DICE, {"tray": TAUGHT_FLOOR}, TAUGHT_PX, rng, tilt_deg=TAUGHT_DEG)
    for die in DICE:
        for face in die.faces:
            for number in range(PICTURES):
                turn = (number + rng.random()) * math.pi / 2 / PICTURES
                (place,) = _places(rng, TAUGHT_FLOOR, 1)
                picture = _taken(scene, [Lies(die, face, *place, turn)], rng)
                teacher.show(die.kind, face, picture, f"{die.kind} {face} {number}")
    return teacher.learnt([(die.kind, face) for die in DICE for face in die.faces])


def draw_table(number: int, dice: Sequence[Die] = DICE) -> Drawn:
    """Draw the picture of a tray with eight dice of three kinds; the number decides everything."""
    rng = np.random.default_rng([720, number])
    floor = FLOORS[number % len(FLOORS)]
    tilt_deg = TILTS_DEG[number // len(FLOORS) % len(TILTS_DEG)]
    scene = Scene(dice, {"tray": floor}, SIZE_PX, rng, tilt_deg=tilt_deg)
    lies = []
    for place in _places(rng, floor, COUNT):
        die = dice[int(rng.choice(len(dice), p=(0.5, 0.3, 0.2)))]
        face = die.faces[int(rng.integers(len(die.faces)))]
        lies.append(Lies(die, face, *place, float(rng.uniform(0, 2 * math.pi))))
    return Drawn((_taken(scene, lies, rng), _taken(scene, [], rng)), tuple(lies))


def _places(rng: np.random.Generator, floor: Floor, count: int) -> list[tuple[float, float]]:
    """Places in sides that are so far from each other that dice may nearly touch."""
    found: list[tuple[float, float]] = []
    while len(found) < count:
        x = float(floor.left + rng.uniform(EDGE_SIDES, floor.width - EDGE_SIDES))
        y = float(rng.uniform(EDGE_SIDES, floor.depth - EDGE_SIDES))
        if all(math.dist((x, y), other) > APART_SIDES for other in found):
            found.append((x, y))
    return found


def _taken(scene: Scene, dice: Sequence[Lies], rng: np.random.Generator) -> Pixels:
    """Take a picture; dice that are nearer hide those behind them."""
    pixels = scene.empty.copy()
    poses = [(one.die, lying(one.x, one.y, one.turn, one.face)) for one in dice]
    for _, pose in poses:
        scene.draw_shadow(pixels, pose)
    for die, pose in sorted(poses, key=lambda pair: -pair[1].centre[1]):
        scene.draw_die(pixels, die, pose)
    noise = NOISE_LEVELS * rng.standard_normal(pixels.shape, np.float32)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def _times(reader: StillReader, drawn: Sequence[Drawn]) -> dict[str, float | int]:
    tables = [one.table for one in drawn]
    looks = [reader.read(pixels, empty=empty) for pixels, empty in tables]
    first = [took_ms(partial(reader.read, pixels)) for pixels, _ in tables]
    known = [took_ms(partial(reader.read, pixels, empty=empty)) for pixels, empty in tables]
    right = [are_right(look.readings, one) for look, one in zip(looks, drawn, strict=True)]
    return {
        "eight_symbol_dice_720p_tables": len(drawn),
        "eight_symbol_dice_720p_right": sum(right),
        "eight_symbol_dice_720p_accepted": sum(look.accepted for look in looks),
        "eight_symbol_dice_720p_min_ms": round(min(first), 2),
        "eight_symbol_dice_720p_median_ms": round(float(np.median(first)), 2),
        "eight_symbol_dice_720p_known_min_ms": round(min(known), 2),
        "eight_symbol_dice_720p_known_median_ms": round(float(np.median(known)), 2),
    }


def are_right(readings: Sequence[DieReading], drawn: Drawn) -> bool:
    """Whether all faces were read; where dice lie is not compared."""
    read = sorted((one.kind, one.face) for one in readings)
    return read == sorted((one.die.kind, one.face) for one in drawn.lies)
