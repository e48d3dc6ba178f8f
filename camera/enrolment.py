"""Enrol dice in front of the simulated camera: what a person would do before the first game.

Every face of every kind is laid into a tray of its own, under two lamps, at other places and angles
than any game will show, and the real reader learns from the pictures.
"""

import math
from functools import lru_cache

import cv2
import numpy as np

from camera.calibrate import ZoneView
from camera.dice_sets import DiceLooks, Example, joined, kinds_of, learn
from camera.scene import Floor, Scene
from camera.stage import NOISE_LEVELS
from camera.throws import lying
from companion.dice import DiceSet, Die

_FLOOR, _SIZE_PX = Floor(0.0, 6.0, 4.2), (288, 216)  # a small tray is looked through quickly
_LAMPS = 2
_TURNS = 4  # pictures of each face under each lamp


def enrol_simulated(dice: DiceSet, *, seed: int = 0) -> DiceLooks:
    """Learn how simulated dice look, in well under a second; at once where it is known already."""
    return _learnt(tuple(dice), seed)


@lru_cache(maxsize=16)
def _learnt(members: tuple[Die, ...], seed: int) -> DiceLooks:
    dice, lamps = DiceSet.of(members), range(_LAMPS)
    return joined(_under_one_lamp(dice, np.random.default_rng([seed, 7, n])) for n in lamps)


def _under_one_lamp(dice: DiceSet, rng: np.random.Generator) -> DiceLooks:
    floor, (width, height) = _FLOOR, _SIZE_PX
    scene = Scene(list(dice), {"enrolment": floor}, _SIZE_PX, rng)
    view = ZoneView(scene.zones()["enrolment"])
    noise = NOISE_LEVELS * rng.standard_normal((6, height, width, 3), np.float32)
    examples: list[Example] = []
    for kind, members in dice.kinds().items():
        shown = {face: die for die in reversed(members) for face in die.faces}
        for face, die in shown.items():
            for number in range(_TURNS):
                x, y = rng.uniform(1.2, floor.width - 1.2), rng.uniform(1.2, floor.depth - 1.2)
                angle = (number + rng.uniform(0, 1)) * 2 * math.pi / _TURNS
                pixels = scene.empty.copy()
                pose = lying(x, y, angle, face)
                scene.draw_shadow(pixels, pose)
                scene.draw_die(pixels, die, pose)
                noisy = cv2.add(pixels, noise[len(examples) % 6], dtype=cv2.CV_8U)
                examples.append(Example(kind, face, np.asarray(noisy, np.uint8)))
    return learn(kinds_of(dice), examples, view, scene.empty)
