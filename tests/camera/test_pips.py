from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pip_drawing import BLACK, BLUE, RED, WHITE, DrawnDie, draw_dice, textured_ground

from camera import pips
from camera.pip_doubts import FULL_PIPS
from camera.pip_look import look_at
from camera.pips import read_dice
from camera.train_tables import make_picture
from companion.errors import PictureError

COLOURS = [(WHITE, BLACK), (BLACK, WHITE), (RED, WHITE), (BLUE, WHITE), ((60, 200, 230), BLACK)]
SMALL = (360, 480)
few = settings(
    max_examples=5, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def faces_of(look):
    return sorted(reading.face for reading in look.readings)


def scattered(rng, faces, side_px, colours=(WHITE, BLACK), size=SMALL):
    """Lay dice on the cells of a grid, turned and shifted at random."""
    step = side_px * 1.75
    cells = [
        (x, y)
        for y in np.arange(step * 0.6, size[0] - step * 0.5, step)
        for x in np.arange(step * 0.6, size[1] - step * 0.5, step)
    ]
    chosen = rng.permutation(len(cells))[: len(faces)]
    shift = rng.uniform(-0.1, 0.1, (len(faces), 2)) * side_px
    return [
        DrawnDie(face, *(np.array(cells[cell]) + by), side_px, rng.uniform(0, 360), *colours)
        for face, cell, by in zip(faces, chosen, shift, strict=True)
    ]


@pytest.mark.parametrize("colours", COLOURS)
def test_all_six_faces_are_read_when_dice_have_any_colour(colours):
    rng = np.random.default_rng(5)
    look = read_dice(draw_dice(rng, scattered(rng, [1, 2, 3, 4, 5, 6], 60, colours), SMALL))
    assert faces_of(look) == [1, 2, 3, 4, 5, 6]
    assert look.accepted, look.doubts


@pytest.mark.parametrize("seed", [1, 2])
def test_dice_of_several_colours_are_read_in_one_picture(seed):
    rng = np.random.default_rng(seed)
    faces = [6, 5, 4, 3, 2, 4]
    dice = [
        replace(die, body=body, pips=pips)
        for die, (body, pips) in zip(
            scattered(rng, faces, 60, size=(480, 640)), COLOURS + COLOURS[:1], strict=True
        )
    ]
    look = read_dice(draw_dice(rng, dice))
    assert faces_of(look) == sorted(faces)
    assert look.accepted, look.doubts


@pytest.mark.parametrize("side_px", [24, 40, 100, 180, 300])
def test_dice_are_read_when_they_are_small_or_large(side_px):
    rng = np.random.default_rng(side_px)
    size = {100: (480, 640), 180: (480, 720), 300: (600, 1200)}.get(side_px, SMALL)
    faces = [5, 3, 6] if side_px < 150 else [4, 2]
    picture = draw_dice(rng, scattered(rng, faces, side_px, size=size), size)
    assert faces_of(read_dice(picture)) == sorted(faces)


def test_touching_dice_are_read_as_single_dice():
    rng = np.random.default_rng(2)
    dice = [DrawnDie(face, 150 + 61 * n, 200, 60, 0) for n, face in enumerate([4, 6, 5, 2, 3, 1])]
    assert faces_of(read_dice(draw_dice(rng, dice))) == [1, 2, 3, 4, 5, 6]


def test_boxes_cover_the_dice_and_run_from_left_to_right():
    rng = np.random.default_rng(3)
    dice = [DrawnDie(4, 400, 120, 70, 20), DrawnDie(5, 150, 300, 70, 50)]
    readings = read_dice(draw_dice(rng, dice)).readings
    assert [reading.face for reading in readings] == [5, 4]
    for reading, die in zip(readings, reversed(dice), strict=True):
        x, y, w, h = reading.box
        assert abs(x + w / 2 - die.x) < 6
        assert abs(y + h / 2 - die.y) < 6
        assert 60 < w < 120
        assert 60 < h < 120


@pytest.mark.parametrize("grain", [3.0, 12.0, 30.0])
def test_nothing_is_read_where_no_dice_lie(grain):
    rng = np.random.default_rng(int(grain))
    ground = textured_ground(rng, (480, 640), grain=grain, weave_px=3.0)
    look = read_dice(np.clip(ground, 0, 255).astype(np.uint8))
    assert not look.accepted


def test_another_count_than_expected_is_not_accepted():
    rng = np.random.default_rng(8)
    picture = draw_dice(rng, scattered(rng, [5, 6], 60), SMALL)
    assert read_dice(picture, expect=2).accepted
    assert not read_dice(picture, expect=3).accepted


def test_what_the_empty_tray_shows_too_is_no_die():
    rng = np.random.default_rng(4)
    printed = DrawnDie(6, 500, 120, 60, 10)
    seed = np.random.default_rng(77)
    tray = draw_dice(seed, [printed], noise=0)
    seed = np.random.default_rng(77)
    played = draw_dice(seed, [printed, DrawnDie(3, 200, 300, 60, 33)], noise=0)
    played = np.clip(played + rng.normal(0, 2, played.shape), 0, 255).astype(np.uint8)
    assert faces_of(read_dice(played)) == [3, 6]
    assert faces_of(read_dice(played, empty=tray)) == [3]


def test_pips_as_dark_as_the_empty_tray_are_seen_on_it():
    rng = np.random.default_rng(6)
    tray = np.full((360, 480, 3), BLACK, np.uint8)
    dice = [DrawnDie(5, 120, 120, 70, 20), DrawnDie(6, 300, 200, 70, 50)]
    played = draw_dice(rng, dice, (360, 480), colour=BLACK, grain=0.5)
    assert faces_of(read_dice(played, empty=tray)) == [5, 6]


@pytest.fixture(scope="module")
def five():
    """A picture of five dice, and what is read in it where nothing is known."""
    rng = np.random.default_rng(9)
    picture = draw_dice(rng, scattered(rng, [1, 2, 4, 5, 6], 64), SMALL)
    return picture, read_dice(picture)


@pytest.mark.parametrize("told", [0.8, 1.0, 1.25, 4.0])
def test_dice_are_read_alike_when_their_size_was_learnt_before(five, told):
    picture, first = five
    assert first.accepted
    assert abs(first.side_px - 64) < 10
    again = read_dice(picture, side_px=told * first.side_px)
    assert faces_of(again) == faces_of(first)
    assert again.accepted


def test_an_empty_tray_of_another_size_is_refused():
    picture = np.zeros((100, 100, 3), np.uint8)
    with pytest.raises(PictureError, match="same camera"):
        read_dice(picture, empty=np.zeros((100, 120, 3), np.uint8))


rolls = st.lists(st.integers(1, 6), min_size=1, max_size=6)


@few
@given(rolls, st.integers(0, 2**16), st.sampled_from(COLOURS))
def test_accepted_readings_are_right_and_do_not_turn_with_the_picture(faces, seed, colours):
    rng = np.random.default_rng(seed)
    picture = draw_dice(rng, scattered(rng, faces, float(rng.uniform(36, 80)), colours), SMALL)
    looks = [read_dice(np.ascontiguousarray(np.rot90(picture, turns))) for turns in range(4)]
    for look in looks:
        if look.accepted:
            assert faces_of(look) == sorted(faces)


@few
@given(rolls, st.integers(0, 2**16), st.floats(0.5, 1.15), st.floats(0.6, 1.6))
def test_accepted_readings_do_not_change_with_brightness_and_scale(faces, seed, light, scale):
    rng = np.random.default_rng(seed)
    picture = draw_dice(rng, scattered(rng, faces, 55), SMALL)
    lit = np.clip(picture * light, 0, 255).astype(np.uint8)
    scaled = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for changed in (lit, scaled):
        look = read_dice(changed)
        if look.accepted:
            assert faces_of(look) == sorted(faces)


@few
@given(st.permutations([1, 2, 3, 5]), st.integers(0, 2**16))
def test_accepted_readings_do_not_change_with_the_order_of_the_dice(faces, seed):
    look = read_dice(draw_dice(np.random.default_rng(seed), _in_a_row(faces), (160, 480)))
    if look.accepted:
        assert [reading.face for reading in look.readings] == faces


def _in_a_row(faces):
    return [
        DrawnDie(face, 70 + 110 * place, 80 + 3 * place, 55, 25 * face)
        for place, face in enumerate(faces)
    ]


def test_most_drawn_rolls_are_accepted():
    rng = np.random.default_rng(11)
    accepted = 0
    for _ in range(8):
        faces = rng.integers(1, 7, rng.integers(1, 7)).tolist()
        look = read_dice(draw_dice(rng, scattered(rng, faces, 55), SMALL))
        accepted += look.accepted and faces_of(look) == sorted(faces)
    assert accepted >= 6


@few
@given(st.integers(0, 2**16), st.integers(16, 90), st.integers(16, 90), st.booleans())
def test_noise_is_never_accepted_as_dice(seed, height, width, smooth):
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)
    if smooth:
        noise = cv2.GaussianBlur(noise, (0, 0), 2)
    assert not read_dice(noise).accepted


def small_table(seed, side_px):
    """A made-up table with four dice, of this edge in the picture."""
    made = make_picture(np.random.default_rng(seed), size=(960, 600), count=4, side_px=66)
    share = side_px / 66
    picture = cv2.resize(made.pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return picture, sorted(die.face for die in made.dice)


@pytest.mark.parametrize("seed", [6, 12, 16, 22])
def test_dice_of_16_px_are_read_in_an_enlarged_picture(seed, monkeypatch):
    picture, faces = small_table(seed, 16)
    look = read_dice(picture)
    assert faces_of(look) == faces
    assert look.accepted, look.doubts
    assert all(8 < max(reading.box[2:]) < 32 for reading in look.readings)
    monkeypatch.setattr(pips, "ENLARGED", 1.0)
    assert not read_dice(picture).accepted


def test_a_small_die_is_not_overlooked_beside_others():
    picture, faces = small_table(28, 18)
    look = read_dice(picture)
    assert faces_of(look) == faces or not look.accepted


@pytest.fixture
def scales_seen(monkeypatch):
    """How large pictures are looked at, in their own sizes."""
    scales = set()
    monkeypatch.setattr(
        pips, "look_at", lambda view, *rest: scales.add(view.scale) or look_at(view, *rest)
    )
    return scales


def test_small_dice_are_sought_in_the_enlarged_picture_only_once_their_size_is_known(scales_seen):
    picture, faces = small_table(9, 16)
    side_px = read_dice(picture).side_px
    scales_seen.clear()
    assert 8 < side_px < 32
    assert faces_of(read_dice(picture, side_px=side_px)) == faces
    assert scales_seen == {2.0}


def test_upper_faces_lie_in_the_picture_whatever_was_worked_on():
    picture, _ = small_table(9, 16)
    for reading in read_dice(picture).readings:
        left, top, width, height = reading.box
        x, y = reading.upper.at
        assert left < x < left + width
        assert top < y < top + height


def test_two_small_dice_are_not_taken_for_the_pips_of_a_large_2():
    rng = np.random.default_rng(3)
    dice = [DrawnDie(4, 200, 120, 26, 20, RED, BLACK), DrawnDie(3, 320, 240, 26, 50, RED, BLACK)]
    picture = draw_dice(rng, dice, (400, 560), colour=(120, 180, 120))
    look = read_dice(picture)
    assert faces_of(look) == [3, 4]
    assert 15 < look.side_px < 40


@pytest.mark.parametrize(("size", "scales"), [((720, 1280), {1.0}), ((150, 200), {1.0, 2.0})])
def test_only_little_pictures_are_enlarged_when_nothing_is_seen(size, scales, scales_seen):
    picture = draw_dice(np.random.default_rng(1), [], size)
    assert read_dice(picture).readings == ()
    assert scales_seen == scales


def test_large_pictures_with_small_dice_are_enlarged_less_when_the_tray_is_not_known(
    monkeypatch, scales_seen
):
    picture, _ = small_table(9, 16)
    monkeypatch.setattr(pips, "WORK_PIXELS", picture.shape[0] * picture.shape[1])
    read_dice(picture, side_px=16.0)
    assert {round(scale, 2) for scale in scales_seen} == {1.41}
    scales_seen.clear()
    empty = np.full_like(picture, 90)
    read_dice(picture, side_px=16.0, empty=empty)
    assert scales_seen == {2.0}


def test_a_large_2_whose_pips_have_something_in_them_is_asked_about():
    rng = np.random.default_rng(20384)
    side_px = float(np.exp(rng.uniform(np.log(20), np.log(150))))
    count = int(rng.integers(1, 7))
    made = make_picture(rng, size=(960, 540), count=count, side_px=side_px)
    look = read_dice(made.pixels)
    assert faces_of(look) != sorted(die.face for die in made.dice)  # this one is beyond us
    assert FULL_PIPS in look.doubts


@pytest.mark.parametrize("size", [(28, 20_000), (20_000, 28), (40, 3000), (27, 27), (1, 1)])
@pytest.mark.parametrize("options", [{}, {"side_px": 10.0}])
def test_pictures_of_any_shape_are_read(size, options):
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 255, (*size, 3), dtype=np.uint8)
    plain = np.full((*size, 3), (10, 200, 250), np.uint8)
    for picture in (noise, plain):
        assert not read_dice(picture, **options).accepted
        assert not read_dice(picture, empty=255 - picture, **options).accepted
