import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from camera.pip_faces import Face
from camera.pip_planes import lean_shares, shared_plane
from camera.pips import read_dice
from camera.train_tables import make_picture

SIZE = (720, 1280)
STEP, RADIUS = 0.22, 0.08  # of pips on a die, in its edges


def rotation(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def seen(place, value, *, focal, elevation, turn, lean=0.0, about=0.0):
    """Project the upper face of a die at `place` on a table, leaning by some degrees."""
    tip = rotation((np.cos(about), np.sin(about), 0), np.deg2rad(lean))
    own = tip @ rotation((0, 0, 1), turn)
    camera = rotation((1, 0, 0), np.pi / 2 + np.deg2rad(elevation))
    middle = np.array([0, 0, 22.0])

    def pixel(point):
        x, y, z = camera @ (np.append(place, 0) + point) + middle
        return np.array([x, y]) / z * focal * SIZE[1] + (np.array(SIZE[::-1]) - 1) / 2

    at, by = pixel(np.zeros(3)), 1e-4
    onto = np.stack([(pixel(by * own[:, axis]) - at) / by for axis in (0, 1)], axis=1)
    shape = onto @ onto.T * RADIUS**2
    return Face(
        value, at, shape, onto * STEP, STEP / RADIUS, frozenset(), 0.02, 0.0, 0.05, 0.03, 90.0
    )


CLEARLY_LEANING = (2, 10, 13)
cameras = st.tuples(st.floats(0.9, 1.6), st.floats(50, 90))
places = st.permutations([(x, y) for x in (-5.0, 0.0, 5.0) for y in (-2.5, 0.0, 2.5)])
values = st.lists(st.integers(1, 6), min_size=3, max_size=8)


@settings(max_examples=40, derandomize=True)
@given(cameras, places, values, st.integers(0, 2**16))
def test_no_die_leans_when_all_lie_on_one_table(camera, places, values, seed):
    turns = np.random.default_rng(seed).uniform(0, 6.28, len(values))
    focal, elevation = camera
    tops = [
        seen(place, value, focal=focal, elevation=elevation, turn=turn)
        for place, value, turn in zip(places, values, turns, strict=False)
    ]
    assert (lean_shares(tops, shared_plane(tops, SIZE)) < 1).all()


@settings(max_examples=40, derandomize=True)
@given(st.floats(0.9, 1.6), places, st.integers(4, 5), st.floats(36, 45), st.floats(0, 6.28))
def test_the_die_that_leans_is_told_from_those_around_it(focal, places, value, lean, about):
    tops = [
        seen(place, face, focal=focal, elevation=84, turn=0.4 * face)
        for place, face in zip([at for at in places if any(at)], (4, 5, 6, 3), strict=False)
    ]
    odd = seen((0, 0), value, focal=focal, elevation=84, turn=1.0, lean=lean, about=about)
    tops = [*tops, odd]
    shares = lean_shares(tops, shared_plane(tops, SIZE))
    assert (shares > 1).tolist() == [False] * 4 + [True]


def test_leaning_dice_in_pictures_are_named_and_not_accepted():
    noticed = 0
    for seed in CLEARLY_LEANING:
        made = make_picture(np.random.default_rng(seed), size=(480, 360), count=4, side_px=56.0,
                            ground="plain", light="even", steep=True, flaw="cocked")  # fmt: skip
        look = read_dice(made.pixels)
        leaning_dice = [reading for reading in look.readings if reading.flaw == "cocked"]
        noticed += len(leaning_dice)
        assert not look.accepted
        assert any("leans on something: throw this one again" in doubt for doubt in look.doubts)
    assert noticed == len(CLEARLY_LEANING)
