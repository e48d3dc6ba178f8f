"""What networks learn from that is path-traced: how dice lie, and what a camera makes of light."""

import numpy as np
import pytest

from camera.learn_cubes import SIZE_PX
from camera.learn_face_sets import any_set
from camera.learn_pool import as_many, keep, kept
from camera.learn_scenes import any_camera, any_tray, room_for
from camera.learn_traced import MOST, developed, dice_of


def scene(seed):
    rng = np.random.default_rng(seed)
    camera, kinds = any_camera(rng), any_set(rng)
    tray = any_tray(rng, camera)
    return kinds, dice_of(rng, kinds, room_for(camera, tray), tray)


SCENES = [scene(seed) for seed in range(20)]


def test_dice_lie_apart_and_some_lean():
    for _, cubes in SCENES:
        middles = np.array([cube.centre[:2] for cube in cubes])
        apart = np.hypot(*(middles[:, None] - middles).T) + 9 * np.eye(len(cubes))
        assert apart.min() > 0.9
        assert len(cubes) <= MOST
    leaning = [cube.is_crooked for _, cubes in SCENES for cube in cubes]
    assert len(leaning) > 3 * len(SCENES)
    assert 0.05 < np.mean(leaning) < 0.6


def test_every_die_is_of_a_kind_of_its_set():
    for kinds, cubes in SCENES:
        assert {cube.body for cube in cubes} <= {kind.body for kind in kinds}


def light(strength):
    ramp = np.linspace(0.02, 1.0, 96, dtype=np.float32)[None, :, None]
    return np.repeat(np.repeat(strength * ramp, 72, axis=0), 3, axis=2)


def test_a_camera_exposes_bright_and_dim_light_alike():
    bright, dim = (developed(light(one), np.random.default_rng(3)) for one in (40.0, 0.01))
    assert bright.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    assert abs(float(bright.mean()) - float(dim.mean())) < 3
    assert 40 < bright.mean() < 160
    assert np.all(np.diff(bright[100, ::40, 1].astype(int)) >= 0)


def test_a_camera_takes_some_of_a_colour_cast_away():
    cast = light(1.0) * np.array([0.4, 1.0, 1.6], np.float32)
    seen = developed(cast, np.random.default_rng(5)).reshape(-1, 3).mean(axis=0)
    before = 255 * (cast.reshape(-1, 3).mean(axis=0) / cast.max()) ** (1 / 2.2)
    assert np.ptp(seen) < np.ptp(before)


def test_what_is_traced_is_shown_as_often_as_what_is_drawn():
    assert kept(None) == []
    assert as_many(range(900), range(300)) == 3
    assert as_many(range(5), range(300)) == 1


@pytest.mark.parametrize("things", [[], ["a", "b"]])
def test_what_was_kept_comes_back(tmp_path, things):
    path = tmp_path / "traced.pkl"
    keep(path, things)
    assert kept(path) == things
