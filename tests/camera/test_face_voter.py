"""The network that compares faces: the same face is alike in any light, others are not."""

import cv2
import numpy as np
import pytest
from die_drawing import FACES, drawn_face

from camera.face_voter import NUMBERS, SEEN_PX, WEIGHTS, FaceVoter, planes
from camera.faces import CERTAIN, FaceMatcher
from camera.patches import PATCH_PX, rims_of


@pytest.fixture(scope="module")
def voter():
    return FaceVoter()


def patch(face, *, light=1.0, turn=0, noise=0.0, seed=0):
    """A face as it is cut out of a picture, in some light, after quarter turns."""
    whole = cv2.resize(drawn_face(face), (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng(seed)
    seen = light * whole.astype(np.float32) + rng.normal(0, noise, whole.shape)
    return np.clip(np.rot90(seen, turn), 0, 255).astype(np.uint8)


def described_by(voter, *patches):
    whole = np.stack(patches)
    return voter.described(whole, rims_of(whole))


def test_weights_of_all_networks_together_are_small():
    networks = list(WEIGHTS.parent.glob("*.onnx"))
    assert len(networks) == 3
    assert sum(one.stat().st_size for one in networks) <= 2 * 2**20


@pytest.mark.parametrize("light", [0.35, 0.6, 0.8])
def test_what_the_network_sees_hardly_changes_with_the_light(light):
    bright, dim = (np.stack([patch("sun", light=one)]) for one in (1.0, light))
    seen = [planes(one, rims_of(one)) for one in (bright, dim)]
    assert seen[0].shape == (1, 3, SEEN_PX, SEEN_PX)
    assert np.abs(seen[0]).max() <= 1
    assert np.abs(seen[0] - seen[1]).mean() < 0.2 * np.abs(seen[0]).mean() + 0.02


@pytest.mark.parametrize("face", [face for face in FACES if face != "blank"])
def test_a_face_is_like_itself_in_other_light_more_than_like_others(voter, face):
    learnt = described_by(voter, *(patch(one) for one in FACES))
    seen = described_by(voter, patch(face, light=(0.8, 0.5, 0.4), noise=8.0))
    alike = dict(zip(FACES, (learnt @ seen[0]).tolist(), strict=True))
    assert max(alike, key=alike.get) == face
    assert seen.shape == (1, NUMBERS)


def test_a_turned_face_is_another_picture(voter):
    upright, turned = described_by(voter, patch("star"), patch("star", turn=1))
    assert upright @ turned < 0.9 * (upright @ upright)


def test_faces_are_described_by_themselves_whoever_lies_beside(voter):
    alone = described_by(voter, patch("moon"))
    beside = described_by(voter, *(patch(one) for one in FACES))
    assert np.allclose(alone[0], beside[list(FACES).index("moon")], atol=1e-3)


@pytest.mark.parametrize("face", [face for face in FACES if face != "blank"])
def test_a_face_that_was_never_taught_is_asked_about(face):
    lessons = {one: np.stack([patch(one, light=light) for light in (1.0, 0.7)]) for one in FACES}
    others = {one: some for one, some in lessons.items() if one != face}
    shown = patch(face, light=0.85, noise=5.0)[None]
    (known,) = FaceMatcher({"white": lessons}).match(shown)
    (unknown,) = FaceMatcher({"white": others}).match(shown)
    assert (known.face, known.certainty >= CERTAIN) == (face, True)
    assert unknown.certainty < CERTAIN


@pytest.mark.parametrize("face", FACES)
def test_one_lesson_of_each_face_is_enough_in_other_light(face):
    lessons = {one: patch(one, noise=3.0)[None] for one in FACES}
    shown = patch(face, light=(0.75, 0.6, 0.55), turn=1, noise=3.0, seed=1)
    (like,) = FaceMatcher({"white": lessons}).match(shown[None])
    assert (like.face, like.certainty >= CERTAIN) == (face, True)
