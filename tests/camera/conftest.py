"""Dice and learnt looks that the tests of the camera share."""

import contextlib
from collections.abc import Callable, Iterator

import die_drawing
import pytest
from steady_scene import Scene
from watched_tray import Watched

from camera.dice_sets import DiceLooks
from camera.enrol_dice import Teacher
from camera.enrolment import enrol_simulated
from camera.health import CameraTrouble
from camera.seek import Seeker
from companion.dice import DiceSet, Die

WHITE = ("troll", "troll", "diamond", "diamond", "key", "door")
GOLD = ("blank", "blank", "blank", "blank", "gold1", "gold2")
RED = ("dragon", "blank", "blank", "blank", "blank", "blank")


@pytest.fixture(scope="session")
def grotto_dice() -> DiceSet:
    """Eight symbol dice of three kinds."""
    return DiceSet.of(
        [Die(f"white-{n}", "white", WHITE) for n in (1, 2, 3, 4)]
        + [Die(f"gold-{n}", "gold", GOLD, "#d9a520") for n in (1, 2)]
        + [Die(f"red-{n}", "red", RED, "#b02020") for n in (1, 2)]
    )


@pytest.fixture(scope="session")
def grotto_looks(grotto_dice: DiceSet) -> DiceLooks:
    """What enrolment learnt of them."""
    return enrol_simulated(grotto_dice, seed=5)


@pytest.fixture(scope="session")
def taught() -> tuple[DiceLooks, Seeker]:
    """Four drawn faces, taught with two pictures each; who found them there."""
    teacher, seeker = Teacher(), Seeker()
    for face in die_drawing.FACES:
        for n in range(2):
            cube = die_drawing.cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n)
            pixels = die_drawing.scene([cube], 6)
            assert teacher.show("white", face, pixels, face), teacher.skipped
    return teacher.learnt([("white", face) for face in die_drawing.FACES]), seeker


@pytest.fixture
def watched(grotto_dice: DiceSet) -> Callable[..., Watched]:
    """Make a simulated tray of them that is watched."""
    return lambda **how: Watched(grotto_dice, **how)


@pytest.fixture
def scene() -> Iterator[Scene]:
    """A steady camera that looks through a lens until the test is over."""
    scene = Scene()
    with contextlib.closing(scene.camera):
        scene.camera.start()
        yield scene
        scene.lens.given.put(CameraTrouble("lost", "the test is over"))
