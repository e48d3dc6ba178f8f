"""A camera is set up while it is looked through: it finds good values and is held to them."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from steady_scene import LIMIT_S, Scene

from camera.health import CameraTrouble
from camera.source import Frame
from camera.steady import USED_TO_LIGHT
from companion.errors import DeviceError


class Found:
    """What can be set at a lens: it finds an exposure by itself, and says what it is told."""

    def __init__(self, exposure=156.0):
        self.said, self.exposure = [], exposure

    def values(self):
        return {"exposure": self.exposure}

    def lock(self, values):
        self.said.append(dict(values))

    def free(self):
        self.said.append("free")


def set_up(scene):
    """Set a camera up, with as many pictures as that takes."""
    with ThreadPoolExecutor(1) as other:
        found = other.submit(scene.camera.set_up, LIMIT_S)
        while not found.done():
            scene.show(until_s=scene.clock.now_s() + 0.1)
        return found.result()


def begin(scene, other, timeout_s):
    """Set a camera up, with pictures until it has begun to find values, and none from then on."""
    asked = other.submit(scene.camera.set_up, timeout_s)
    while not asked.done() and "free" not in scene.lens.controls.said:
        scene.show(until_s=scene.clock.now_s() + 0.1)
    return asked


@pytest.fixture
def locked():
    """A steady camera that opens its lens held to an exposure of 100, and finds another."""
    scene = Scene()
    scene.lens.controls, scene.lens.locked = Found(), {"exposure": 100.0}
    with contextlib.closing(scene.camera):
        scene.camera.start()
        scene.show(until_s=10.3)
        yield scene
        scene.lens.given.put(CameraTrouble("lost", "the test is over"))


def test_camera_is_set_up_while_it_is_looked_through(scene):
    """It finds good values, is held to them from then on, and set up anew when asked again."""
    scene.lens.controls = Found()
    for _ in range(2):
        assert set_up(scene).values == {"exposure": 156.0}
    assert scene.lens.controls.said == 2 * ["free", {"exposure": 156.0}, {"exposure": 156.0}]
    assert scene.lens.opened == 1


def test_picture_of_a_set_up_is_one_of_a_camera_used_to_its_values(scene):
    scene.lens.controls, locked_s = Found(), []
    scene.lens.controls.lock = lambda _values: locked_s.append(scene.clock.now_s())
    frame = set_up(scene).frame
    assert frame.at_s >= max(locked_s) + 0.1 * USED_TO_LIGHT - 0.01


def test_camera_lost_after_its_set_up_is_held_to_the_new_values(locked):
    set_up(locked)
    locked.lens.given.put(CameraTrouble("lost", "unplugged"))
    locked.becomes("lost")
    locked.show(until_s=locked.clock.now_s() + 0.3)
    assert locked.lens.opened == 2
    assert locked.lens.controls.said[-1] == {"exposure": 156.0}


def test_camera_that_cannot_be_held_to_its_set_up_is_closed_and_tried_again(locked):
    """Else it would be busy for ever, for us as well."""
    set_up(locked)
    controls, lens = locked.lens.controls, locked.lens
    lock, failing = controls.lock, [{"exposure": 156.0}] * 2

    def fails_twice(values):
        if values in failing:
            failing.remove(values)
            raise RuntimeError("set_controls failed")
        lock(values)

    controls.lock = fails_twice
    lens.given.put(CameraTrouble("lost", "unplugged"))
    locked.wait_for(lambda: not failing)
    locked.becomes("lost")
    locked.show(until_s=locked.clock.now_s() + 0.3)
    locked.becomes("live")
    assert (lens.opened, lens.closed) == (4, 3)
    assert controls.said[-1] == {"exposure": 156.0}


def test_camera_whose_set_up_nobody_waits_for_any_more_is_held_to_the_former_values(locked):
    set_up(locked)
    controls = locked.lens.controls
    controls.said, controls.exposure = [], 300.0
    with ThreadPoolExecutor(1) as other:
        while "free" not in controls.said:  # a machine under load may need more than one try
            asked = begin(locked, other, 0.2)
            with pytest.raises(DeviceError, match="tray: too few pictures in 0.2 s"):
                asked.result()
    locked.show(until_s=locked.clock.now_s() + 0.1 * 3 * USED_TO_LIGHT)
    assert controls.said[0] == "free"
    assert {"exposure": 300.0} not in controls.said
    assert controls.said[-1] == {"exposure": 156.0}


def test_camera_closed_during_its_set_up_is_held_to_the_former_values(locked):
    with ThreadPoolExecutor(1) as other:
        asked = begin(locked, other, LIMIT_S)
        locked.camera._closing.set()
        locked.lens.given.put(Frame(locked.clock.now_s(), np.full((48, 64, 3), 9, np.uint8)))
        locked.camera.close()
        with pytest.raises(DeviceError, match="tray: "):
            asked.result()
    assert locked.lens.controls.said[-2:] == ["free", {"exposure": 100.0}]


def test_camera_without_controls_has_nothing_to_set_up_and_an_unplugged_one_says_so(scene):
    assert set_up(scene) == ({}, None)
    scene.lens.given.put(CameraTrouble("lost", "no camera there"))
    scene.becomes("lost")
    with pytest.raises(DeviceError, match="no camera there"):
        scene.camera.set_up(0.01)
