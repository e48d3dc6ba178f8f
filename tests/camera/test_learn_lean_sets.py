"""Drawn dice from which the network learns to tell those that lean."""

import cv2
import numpy as np
import pytest

from camera.leaning import SHOWN_PX
from camera.learn_lean_sets import (
    MOST_GAP,
    SHOWN,
    beside,
    samples_in,
    samples_seen,
    scene_of,
    true_slant,
)
from camera.learn_scenes import Scene, any_camera


@pytest.fixture(scope="module")
def samples():
    return [sample for number in range(12) for sample in samples_in((7, number))]


def test_each_die_is_shown_near_the_true_slant_and_farther_away(samples):
    near = [sample for sample in samples if sample.is_near]
    assert len(samples) == 2 * len(near) > 2 * len(SHOWN)
    for sample in samples:
        assert sample.cut.shape == (SHOWN_PX, SHOWN_PX, 3)
        assert np.abs(sample.gap).max() <= MOST_GAP


def test_flat_dice_show_the_way_down_that_is_expected_and_leaning_ones_another(samples):
    flat, leaning = (
        [
            float(np.hypot(*sample.gap))
            for sample in samples
            if sample.leans is leans and sample.is_near
        ]
        for leans in (False, True)
    )
    assert np.median(flat) < 0.1 < 0.3 < np.median(leaning)


def test_the_same_seed_draws_the_same_dice(samples):
    again = samples_in((7, 0)) + samples_in((7, 1))
    for one, other in zip(again, samples, strict=False):
        assert np.array_equal(one.cut, other.cut)


def test_slants_beside_the_true_one_are_off_by_a_few_degrees():
    rng = np.random.default_rng(2)
    slant = true_slant(any_camera(rng))
    off = [beside(slant, SHOWN[-1], rng).normal @ slant.normal for _ in range(40)]
    assert 3 < np.degrees(np.arccos(np.median(off))) < 15


def test_dice_of_traced_scenes_are_shown_as_drawn_ones_are():
    rng = np.random.default_rng(4)
    pixels, labels, camera = scene_of(rng, 4)
    scene = Scene(cv2.imencode(".png", pixels)[1].tobytes(), labels, camera)
    assert np.array_equal(scene.pixels, pixels)
    shown = samples_seen(rng, [scene])
    assert len(shown) == len(SHOWN) * sum(label.shown > 0.55 for label in labels)
    assert sum(one.leans for one in shown) == len(SHOWN) * sum(one.is_crooked for one in labels)
