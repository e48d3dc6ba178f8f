import numpy as np
import pytest

from camera.pip_blobs import CLEAR, COARSE, FULL
from camera.pip_ellipses import Pips
from camera.pip_faces import Face
from camera.pip_unexplained import LOOK_CLOSER, NO_SIZE, left_open_by, unexplained_pips

RADIUS_PX, SIDE_PX = 6.0, 60.0
ROUND, SLANTED = np.diag([36.0, 36.0]), np.diag([36.0, 9.0])
THREE_IN_A_ROW = np.diag([36.0, 500.0])


def pips_at(places, shape=ROUND, contrast=100.0):
    n = len(places)
    shapes, ones = np.repeat(shape[None], n, axis=0), np.ones(n)
    return Pips(np.array(places, float), shapes, 200 * ones, contrast * ones, 0.02 * ones)


def read(at, rows=()):
    at, axes = np.array(at, float), 12.0 * np.eye(2)
    return Face(1, at, ROUND, axes, 2.0, frozenset(rows), 0.0, 0.0, 0.0, 0.0, 100.0)


def are_unexplained(pips, rows=()):
    top = read((300, 300), rows)
    return unexplained_pips(pips, [top], [top], SIDE_PX)


TRIO = [(100, 100), (112, 100), (124, 100)]


@pytest.mark.parametrize(
    ("pips", "are"),
    [
        (pips_at(TRIO), True),
        (pips_at(TRIO, contrast=-100.0), True),  # of a die that is coloured otherwise
        (pips_at(TRIO[:2]), False),  # two may be anything
        (pips_at([(100, 100), (150, 100), (200, 100)]), False),  # wider than a face
        (pips_at(TRIO, SLANTED), False),  # on the side of a die
        (pips_at(TRIO, contrast=30.0), False),  # fainter than pips are
        (pips_at(TRIO[:1], THREE_IN_A_ROW), True),  # pips that run into one
    ],
)
def test_pips_that_lie_flat_and_near_each_other_belong_to_a_die(pips, are):
    assert are_unexplained(pips) == are


def test_pips_of_a_face_are_explained():
    assert not are_unexplained(pips_at(TRIO), rows=(0,))


@pytest.mark.parametrize(
    ("depth", "told"), [(COARSE, {NO_SIZE, LOOK_CLOSER}), (CLEAR, {NO_SIZE}), (FULL, set())]
)
def test_only_a_hasty_look_leaves_open_what_a_closer_one_would_find(depth, told):
    top = read((300, 300))
    given = left_open_by(depth, pips_at(TRIO), [top], [top], SIDE_PX, (720, 1280))
    assert told <= set(given)
    assert not ({NO_SIZE, LOOK_CLOSER} - told) & set(given)


@pytest.mark.parametrize(
    ("strewn", "explained", "is_left"), [(40, 6, True), (40, 30, False), (14, 2, False)]
)
def test_most_of_many_pips_on_no_die_call_for_a_closer_look(strewn, explained, is_left):
    """One die was read, and five that its pips said nothing of lay beside it."""
    wide_apart = [(100 + 90 * (n % 10), 80 + 90 * (n // 10)) for n in range(strewn)]
    pips = pips_at(wide_apart, contrast=30.0)
    top = read((300, 300), range(explained))
    given = left_open_by(COARSE, pips, [top], [top], SIDE_PX, (720, 1280))
    assert (LOOK_CLOSER in given) == is_left
    assert LOOK_CLOSER not in left_open_by(CLEAR, pips, [top], [top], SIDE_PX, (720, 1280))
