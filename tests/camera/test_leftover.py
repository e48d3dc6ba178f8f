"""What nobody found in a tray is noticed: with a picture of the empty tray, and without one."""

import cv2
import numpy as np
import pytest
from die_drawing import FACES, PLACES, camera_at, cube, floor, lay, scene, thrown

from camera.bench_dice import empty_trays
from camera.edges import squares, stretches
from camera.enrol_dice import Teacher
from camera.leftover import (
    coarse,
    in_same_light,
    is_covered,
    stand_out,
    strangeness,
    unexplained,
)
from camera.seek import Seeker
from camera.stills import StillReader
from companion.errors import ConfigError

TILT, SEED = 20.0, 0
DARK_RED = (22.0, 18.0, 70.0)


class Blind(Seeker):
    """A seeker that overlooks what is near a place in the picture, from close by too if told so."""

    def __init__(self):
        super().__init__()
        self.spot, self.is_near_sighted, self._is_whole = None, False, False

    def seek(self, pixels, least=0.3, turns=0):
        self._is_whole = True
        found = super().seek(pixels, least, turns)
        self._is_whole = False
        if self.spot is None:
            return found
        return [d for d in found if np.hypot(*(d.middle - self.spot)) > 0.8 * d.side_px]

    def seek_at(self, pixels, scale, least, turns=0):
        is_seen = self._is_whole or self.spot is None or self.is_near_sighted
        return super().seek_at(pixels, scale, least, turns) if is_seen else []


@pytest.fixture(scope="module")
def seeker():
    return Blind()


@pytest.fixture(scope="module")
def reader(seeker):
    """White dice with four faces were taught, and dark red ones that are blank."""
    seeker.spot, seeker.is_near_sighted, teacher = None, False, Teacher(None, seeker)
    for kind, face, body in [("white", f, None) for f in FACES] + [("red", "blank", DARK_RED)]:
        for n in range(2):
            more = {} if body is None else {"body": body}
            die = cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n, **more)
            teacher.show(kind, face, scene([die], 6), f"{kind} {face} {n}")
    return StillReader(teacher.learnt([("white", face) for face in FACES]), seeker=seeker)


def with_a_red_one():
    """Three white dice and a dark red blank one."""
    return [*thrown()[:3], cube("blank", PLACES[3], 40, body=DARK_RED)]


def dimmed(pixels, light, seed):
    """The same in so much light (of each channel), with the noise that little light brings."""
    noise = np.random.default_rng(seed).normal(0, 4, pixels.shape)
    return np.clip(pixels * np.array(light) + noise, 0, 255).astype(np.uint8)


def spot_of(one):
    """Where the upper side of a die is in the picture."""
    x, y, z = one.centre
    return camera_at(TILT).project(np.array([[x, y, z + 0.5]]))[0]


@pytest.mark.parametrize("number", [0, 3])
def test_die_that_was_overlooked_is_read_after_a_closer_look_at_what_is_left(
    reader, seeker, number
):
    dice, bare = with_a_red_one(), dimmed(scene([], SEED, TILT), 1.0, 1)
    pixels = dimmed(scene(dice, SEED, TILT), 1.0, 2)
    seeker.spot = spot_of(dice[number])
    seeker.is_near_sighted = True
    look = reader.read(pixels, empty=bare)
    seeker.spot, seeker.is_near_sighted = None, False
    straight = reader.read(pixels, empty=bare)
    assert [(one.kind, one.face) for one in look.readings] == [
        (one.kind, one.face) for one in straight.readings
    ]
    assert not any("not in the empty tray" in doubt for doubt in look.doubts)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.28, 0.3, 0.33)])
def test_roll_that_lacks_a_dark_die_is_asked_about_where_the_empty_tray_is_known(
    reader, seeker, light
):
    dice, bare = with_a_red_one(), dimmed(scene([], SEED, TILT), light, 1)
    pixels = dimmed(scene(dice, SEED, TILT), light, 2)
    seeker.spot = spot_of(dice[-1])
    look = reader.read(pixels, empty=bare)
    assert len(look.readings) == 3
    assert [told for told in look.doubts if "was not in the empty tray" in told]
    assert not look.accepted


def test_nothing_is_left_over_in_other_light_where_all_dice_are_found(reader, seeker):
    seeker.spot = None
    pixels = dimmed(scene(thrown()[:3], SEED, TILT), (0.8, 0.7, 0.6), 3)
    look = reader.read(pixels, empty=scene([], SEED, TILT))
    assert look.doubts == ()
    assert look.accepted
    assert unexplained(
        dimmed(scene([], SEED, TILT), (1.1, 0.9, 1.0), 4), scene([], SEED, TILT), look.slant, ()
    ) == []  # fmt: skip


def test_each_die_alone_would_be_missed(reader, seeker):
    seeker.spot = None
    pixels, bare = scene(thrown()[:3], SEED, TILT), scene([], SEED, TILT)
    look = reader.read(pixels, empty=bare)
    corners = [reading.corners for reading in look.readings]
    assert len(corners) == 3
    for number, one in enumerate(corners):
        others = corners[:number] + corners[number + 1 :]
        (place,) = unexplained(pixels, bare, look.slant, others)
        assert np.hypot(*(one.mean(axis=0) - place)) < 60


def tinted(pixels, corners, strength):
    """The same with so much less red and blue where a die may lie."""
    there = np.zeros(pixels.shape[:2], np.float32)
    cv2.fillConvexPoly(there, np.round(corners).astype(np.int32), (1.0,))
    tint = 1 - there[..., None] * np.float32((strength, 0.0, strength))
    return np.clip(pixels * tint, 0, 255).astype(np.uint8)


def test_less_strangeness_is_enough_where_the_seeker_hardly_saw_a_die(reader, seeker):
    seeker.spot = None
    bare = scene([], SEED, TILT)
    look = reader.read(scene(thrown()[:3], SEED, TILT), empty=bare)
    hint, *others = [reading.corners for reading in look.readings]
    shown = [tinted(bare, hint, strength) for strength in np.linspace(0, 0.6, 13)]
    alone = [unexplained(one, bare, look.slant, ()) for one in shown]
    hinted = [unexplained(one, bare, look.slant, (), [hint, *others]) for one in shown]
    assert (alone[0], hinted[0]) == ([], [])
    assert alone[-1]
    by_hint = [place for place, none in zip(hinted, alone, strict=True) if place and not none]
    assert by_hint
    for (place,) in by_hint:
        assert np.hypot(*(hint.mean(axis=0) - place)) < 5


def test_even_less_strangeness_is_enough_away_from_all_dice(reader, seeker):
    """Beside a die it may be a side or a shadow of that; a pale die hardly stands out on wood."""
    seeker.spot = None
    bare = scene([], SEED, TILT)
    slant = reader.read(scene(thrown()[:3], SEED, TILT), empty=bare).slant
    middle = np.array([(320.0, 240.0)])
    (hint,) = squares(middle, np.zeros(1), stretches(slant, middle))
    shown = [tinted(bare, hint, strength) for strength in np.linspace(0, 0.6, 25)]

    def told(sides):
        die = hint - (sides * slant.scale, 0)
        return [bool(unexplained(one, bare, slant, [die], [hint])) for one in shown]

    beside, away = told(1.2), told(1.5)
    assert not away[0]
    assert away[-1]
    assert sum(beside) < sum(away)
    nobody = [bool(unexplained(one, bare, slant, (), [hint])) for one in shown]
    assert sum(nobody) < sum(away), "away from all dice, where some are known"


@pytest.mark.parametrize("light", [0.5, 1.0])
def test_place_of_a_die_is_covered_by_an_arm_that_hides_half_of_the_tray(reader, seeker, light):
    seeker.spot = None
    empty = scene([], SEED, TILT)
    look = reader.read(scene(thrown()[:3], SEED, TILT), empty=empty)
    corners = [reading.corners for reading in look.readings]
    now = dimmed(empty, (light, light, light), 3)
    assert not is_covered(now, empty, look.slant, (), corners)
    arm = now.copy()
    arm[:, : arm.shape[1] // 2] = np.array([150, 190, 230]) * light
    under = [one for one in corners if one[:, 0].max() < arm.shape[1] // 2]
    assert 0 < len(under) < len(corners)
    assert is_covered(arm, empty, look.slant, (), under)
    assert not is_covered(arm, empty, look.slant, under, under), "that is a die, and no arm"


def test_body_stands_out_and_a_shadow_does_not():
    pixels = lay(floor(), "sun", (120, 100), 0)
    shade = np.full(pixels.shape[:2], 1.0)
    cv2.rectangle(shade, (300, 200), (378, 278), 0.35, -1)
    pixels = (pixels * shade[..., None]).astype(np.uint8)
    square = np.array([(-39.0, -39), (39, -39), (39, 39), (-39, 39)])
    places = np.array([square + (120, 100), square + (339, 239), square + (220, 260)])
    assert stand_out(pixels, places).tolist() == [True, False, False]


def test_empty_trays_of_a_folder_are_found_by_their_set_up(tmp_path):
    assert empty_trays(tmp_path) == {}
    (tmp_path / "empty").mkdir()
    listing = tmp_path / "empty" / "labels.csv"
    listing.write_text("path,dice,light,tray,angle\nempty/a.png,,day,felt,20\n")
    assert empty_trays(tmp_path) == {"felt day 20": tmp_path / "empty" / "a.png"}
    listing.write_text("path\nempty/a.png\n")
    with pytest.raises(ConfigError, match=r"labels\.csv"):
        empty_trays(tmp_path)


def test_coarse_cells_average_the_upper_side_as_it_is_turned():
    pixels = np.zeros((100, 100, 3), np.uint8)
    pixels[:, 50:] = 200
    square = np.array([(30.0, 30), (70, 30), (70, 70), (30, 70)])
    cells = coarse(pixels, np.stack([square, np.roll(square, 1, axis=0)]))
    side = round(cells.shape[1] ** 0.5)
    upright, turned = (one.reshape(side, side, 3)[..., 0] for one in cells)
    assert upright[:, 0].max() == 0
    assert upright[:, -1].min() == 200
    assert np.array_equal(turned, np.rot90(upright, -1)) or np.array_equal(
        turned, np.rot90(upright)
    )


def most_strange(now, before, is_free):
    free = is_free.astype(np.float32)
    return strangeness(now, in_same_light(now, before, free, 11.0), free, 11.0)[is_free].max()


def test_what_is_known_says_nothing_about_the_floor_beside_it():
    before = np.full((40, 60, 3), (20.0, 60, 10), np.float32)
    now, known = before.copy(), np.zeros((40, 60), np.uint8)
    for rows, columns in ((slice(10, 20), slice(10, 20)), (slice(10, 20), slice(24, 34))):
        now[rows, columns], known[rows, columns] = 240, 255
    assert most_strange(now, before, known == 0) < 0.01
    known[:, 22:] = 0
    assert most_strange(now, before, known == 0) > 0.5
