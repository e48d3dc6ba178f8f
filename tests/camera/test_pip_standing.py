from dataclasses import replace

import numpy as np
import pytest

from camera import pip_standing
from camera.pip_blobs import Pyramid, find_marks
from camera.pip_ellipses import measure_pips
from camera.pip_faces import Face, find_faces
from camera.pip_planes import shared_plane
from camera.pip_standing import (
    APART,
    SHOWN_PX,
    SIDES,
    TOP,
    WEIGHTS,
    Tilts,
    apart,
    cut_out,
    off_plane,
    outlines,
    stands,
    tilts,
)
from camera.pip_tops import find_tops
from camera.pips import working_copy
from camera.train_tables import make_picture

SHAPE = (480, 640)
SEED = 2


def face_at(x, y, value=4, step=8.0):
    axes = np.eye(2) * step
    return Face(value, np.array([x, y]), axes @ axes / 9, axes, 3.0, frozenset(), 0, 0, 0, 0, 90.0)


def tilted(degrees):
    return np.array([0.0, np.sin(np.deg2rad(degrees)), np.cos(np.deg2rad(degrees))])


def seen_in(pixels):
    grey, _ = working_copy(pixels)
    pyramid = Pyramid(grey)
    found = find_tops(find_faces(grey, measure_pips(pyramid, find_marks(pyramid))))
    return found.tops, pyramid.levels


def drawn(seed):
    return make_picture(np.random.default_rng(seed), size=SHAPE[::-1], count=4, side_px=60.0,
                        ground="plain", light="even", look="white", steep=True)  # fmt: skip


def test_weights_are_small_enough_for_the_repository():
    assert WEIGHTS.stat().st_size < 500_000


@pytest.mark.parametrize("degrees", [0, 20, 40])
def test_more_of_a_die_is_seen_below_its_upper_side_the_more_the_table_slopes(degrees):
    (stand,) = stands([face_at(319.5, 239.5)], tilted(degrees), SHAPE, 40.0)
    assert stand.down == pytest.approx(np.tan(np.deg2rad(degrees)), abs=0.02)
    drawing = outlines(stand)
    shown = (drawing == SIDES).sum() / (drawing == TOP).sum()
    assert shown == pytest.approx(np.tan(np.deg2rad(degrees)), abs=0.15)


def test_a_die_is_cut_out_upright_and_in_one_size():
    picture = np.full(SHAPE, 60, np.uint8)
    picture[220:260, 300:340] = 220
    (stand,) = stands([face_at(319.5, 239.5)], tilted(0.0), SHAPE, 40.0)
    (cut,) = cut_out([picture], [stand])
    assert cut.shape == (SHOWN_PX, SHOWN_PX)
    assert ((cut > 140) == (outlines(stand) == TOP)).mean() > 0.95


def test_only_the_die_that_lies_otherwise_than_most_is_far_from_them():
    normals = np.array([-tilted(10)] * 3 + [-tilted(40)])
    far = apart(Tilts(normals, np.full(4, 0.08)))
    assert (far > APART).tolist() == [False, False, False, True]
    unsure = apart(Tilts(normals, np.array([0.08, 0.08, 0.08, 0.9])))
    assert not (unsure > APART).any()


def test_normals_of_drawn_dice_are_told_to_a_few_degrees():
    tops, levels = seen_in(drawn(SEED).pixels)
    plane = shared_plane(tops, SHAPE)
    told = tilts(levels, stands(tops, plane.normal, SHAPE, float(tops[0].side_px)))
    assert len(tops) == 4
    middle = told.normals.mean(axis=0)
    off = np.degrees(np.arccos(np.clip(told.normals @ (middle / np.linalg.norm(middle)), -1, 1)))
    assert np.median(off) < 8
    assert (told.spread > 0).all()


def test_one_die_alone_is_never_said_to_lean():
    assert off_plane([np.zeros(SHAPE, np.uint8)], [face_at(300, 200)], 40.0).tolist() == [0.0]


def test_dice_whose_ellipses_all_fit_one_table_are_looked_at_no_further(monkeypatch):
    tops, levels = seen_in(drawn(SEED).pixels)
    asked = []
    monkeypatch.setattr(pip_standing, "tilts", lambda *given: asked.append(given))
    flat = [replace(top, value=4, axes=np.eye(2) * 12, at=np.array([319.5, 239.5])) for top in tops]
    assert (off_plane(levels, flat, 60.0) < 1).all()
    assert not asked
