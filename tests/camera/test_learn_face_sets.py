"""Drawn sets of dice from which the network learns to compare faces."""

import numpy as np
import pytest

from camera import learn_face_sets
from camera.learn_face_sets import any_set, blank_of, colourful, emblems, ordinary, set_of
from camera.patches import PATCH_PX

BODY = (40.0, 150.0, 90.0)


@pytest.fixture(scope="module")
def drawn():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(learn_face_sets, "SCENES", 2)
        return [set_of((9, number)) for number in range(3)]


def test_upper_sides_come_with_their_face_and_scene(drawn):
    for one in drawn:
        assert one.patches.shape[1:] == (PATCH_PX, PATCH_PX, 3)
        assert len(one.patches) == len(one.faces) == len(one.scenes) > 4
        assert one.faces.max() < len(one.blank)
        assert set(one.scenes.tolist()) <= {0, 1}


def test_the_same_seed_draws_the_same_set(drawn, monkeypatch):
    monkeypatch.setattr(learn_face_sets, "SCENES", 2)
    again = set_of((9, 1))
    assert np.array_equal(again.patches, drawn[1].patches)
    assert np.array_equal(again.faces, drawn[1].faces)


def test_faces_with_one_ink_hold_no_colour_beside_it_and_the_body():
    for seed in range(5):
        shown = emblems(np.random.default_rng(seed), BODY)
        colours = np.concatenate([face.reshape(-1, 3) for face in shown]) - np.array(BODY)
        strong = colours[np.linalg.norm(colours, axis=1) > 25]
        ways = strong / np.linalg.norm(strong, axis=1)[:, None]
        assert (ways @ ways[0]).min() > 0.97


@pytest.mark.parametrize("draw", [emblems, colourful, ordinary])
def test_faces_of_one_kind_differ(draw):
    shown = [face for seed in range(4) for face in draw(np.random.default_rng(seed), BODY)]
    flat = {face.tobytes() for face in shown}
    assert len(flat) > len(shown) / 2


def test_faces_are_numbered_across_kinds_and_blank_ones_known():
    kinds = any_set(np.random.default_rng(4))
    blank = blank_of(kinds)
    assert len(blank) == sum(len(kind.faces) for kind in kinds)
    for kind in kinds:
        for number, face in enumerate(kind.faces):
            assert blank[kind.first + number] == (len(np.unique(face.reshape(-1, 3), axis=0)) == 1)


def test_ordinary_dice_show_one_pip_more_on_each_face():
    for seed in range(5):
        faces = ordinary(np.random.default_rng(seed), BODY)
        inked = [float(np.abs(face.astype(float) - BODY).sum()) for face in faces]
        assert len(inked) == 6
        assert inked[0] > 0
        assert np.all(np.diff(inked[1:]) > 0)
