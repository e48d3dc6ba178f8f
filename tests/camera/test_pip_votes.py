import numpy as np
import pytest

from camera.pip_votes import PATCH_PX, WEIGHTS, votes
from camera.train_scenes import random_scene


@pytest.fixture(scope="module")
def scenes():
    rng = np.random.default_rng(20_000)
    patches, labels = zip(*(random_scene(rng) for _ in range(80)), strict=True)
    return np.stack(patches), np.array(labels)


def test_weights_are_small_enough_for_the_repository():
    assert WEIGHTS.stat().st_size < 2_000_000


def test_votes_are_chances(scenes):
    chances = votes(scenes[0][:7])
    assert chances.shape == (7, 7)
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances >= 0).all()
    assert votes(np.zeros((0, PATCH_PX, PATCH_PX), np.uint8)).shape == (0, 7)


def test_the_network_reads_drawn_dice_that_it_has_not_seen(scenes):
    patches, labels = scenes
    said = votes(patches).argmax(axis=1)
    assert (said == labels).mean() > 0.8
    surely = votes(patches).max(axis=1) > 0.9
    assert (said == labels)[surely].mean() > 0.93


def test_votes_hardly_change_with_light(scenes):
    patches = scenes[0][:60]
    dim = (patches * 0.6).astype(np.uint8)
    assert (votes(patches).argmax(axis=1) == votes(dim).argmax(axis=1)).mean() > 0.85


def test_one_vote_is_the_same_in_any_batch(scenes):
    together = votes(scenes[0][:5])
    alone = np.concatenate([votes(scenes[0][row : row + 1]) for row in range(5)])
    assert np.allclose(together, alone, atol=1e-4)
