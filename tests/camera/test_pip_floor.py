import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from camera.halves import Halves
from camera.leaning import Leaning
from camera.pictures import read_picture, save_picture
from camera.pip_faces import Face
from camera.pip_floor import KEPT, LONELY, KnownFloor
from camera.pip_planes import fits_floor, floor_under
from camera.pip_readings import Look
from camera.pip_standing import ADDED, VOTED, Scaled, off_plane
from camera.seek import Seeker
from camera.train_rolls import make_rolls, random_tray
from camera.tray_pips import PipDice
from camera.tray_readers import reader_again, reader_for
from camera.upright import turns_under
from companion.dice import Die

SHAPE, SIDE_PX = (480, 640), 40.0
BLANK = Scaled(Halves(np.full((*SHAPE, 3), 120, np.uint8)), 1.0)
STEP, RADIUS = 0.22, 0.08  # of pips on a die, in its edges


class NoSides:
    """Stands for a network that sees nothing of dice but their pips."""

    def leaning(self, picture, slant, middles, sure, *, earlier=None):
        odds = np.full(len(middles), -ADDED / VOTED)
        return Leaning(odds, slant, slant.down(middles), odds)

    def ways(self, picture, slant, middles):
        return slant.down(middles)


@pytest.fixture
def by_pips(mocker):
    mocker.patch("camera.pip_standing._voter", NoSides)


def turned(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def face(x, y, value=4, *, slope=20.0, lean=0.0, about=0.5, focal=1.2):
    """The upper face of a die at a place in the picture, on a floor that slopes by degrees."""
    ray = np.append((np.array([x, y]) - (319.5, 239.5)) / (focal * 640), 1)
    own = turned((1, 0, 0), np.deg2rad(slope)) @ turned((np.cos(about), np.sin(about), 0),
                                                         np.deg2rad(lean))  # fmt: skip
    own = own @ turned((0, 0, 1), 0.01 * x)
    onto = SIDE_PX * (own[:2, :2] - ray[:2, None] * own[2:, :2])
    shape = onto @ onto.T * RADIUS**2
    return Face(value, np.array([x, y], float), shape, onto * STEP, STEP / RADIUS, frozenset(),
                0.02, 0.0, 0.05, 0.03, 90.0)  # fmt: skip


def roll(number, **how):
    return [face(120 + 90 * number + 11 * n, 90 + 100 * n, 4 + n % 2, **how) for n in range(3)]


def learnt(rolls=2, **how):
    known = KnownFloor()
    for number in range(rolls):
        known.saw(BLANK, roll(number, **how), [], SIDE_PX)
    return known


@pytest.mark.usefixtures("by_pips")
@pytest.mark.parametrize("slope", [-25, 25])
def test_known_floor_tells_which_way_up_the_camera_hangs(slope):
    true = turned((1, 0, 0), np.deg2rad(slope))[:, 2]
    assert learnt(slope=slope).turns == turns_under(true)
    assert {learnt(slope=slope).turns, learnt(slope=-slope).turns} == {0, 2}
    assert KnownFloor().turns == 0


@settings(max_examples=8, derandomize=True)
@given(st.floats(0, 40), st.sampled_from([0.9, 1.2, 2.2]))
def test_the_floor_of_many_dice_is_found_whatever_the_lens(slope, focal):
    tops = [top for number in range(4) for top in roll(number, slope=slope, focal=focal)]
    plane = floor_under(tops, SHAPE)
    true = turned((1, 0, 0), np.deg2rad(slope))[:, 2]
    off = np.degrees(np.arccos(min(1.0, abs(float(plane.normal @ true)))))
    assert off < 4
    assert plane.apart.max() < 0.04


@pytest.mark.usefixtures("by_pips")
@pytest.mark.parametrize("lean", [25, 35])
def test_one_die_alone_that_leans_is_told_from_dice_of_earlier_rolls(lean):
    odd, flat = face(300, 380, lean=lean), face(300, 380)
    assert off_plane(BLANK, [odd], SIDE_PX).max() == 0
    floor = learnt().under([odd], SHAPE)
    assert off_plane(BLANK, [odd], SIDE_PX, floor).max() > 1
    assert off_plane(BLANK, [flat], SIDE_PX, floor).max() < 0.5


@pytest.mark.usefixtures("by_pips")
def test_two_dice_that_lean_alike_are_told_from_dice_of_earlier_rolls():
    odd = [face(200, 380, lean=30), face(480, 300, 5, lean=30)]
    assert off_plane(BLANK, odd, SIDE_PX).max() < 1
    assert (off_plane(BLANK, odd, SIDE_PX, learnt().under(odd, SHAPE)) > 1).all()


@pytest.mark.usefixtures("by_pips")
def test_nothing_is_known_before_dice_lay_there_and_for_pictures_of_another_size():
    tops = roll(0)
    assert KnownFloor().under(tops, SHAPE) is None
    assert learnt().under(tops, SHAPE) is not None
    assert learnt().under(tops, (240, 320)) is None


@pytest.mark.usefixtures("by_pips")
def test_dice_that_lie_as_they_lay_are_remembered_once():
    known = learnt(1)
    before = known.under([], SHAPE)
    known.saw(BLANK, roll(0), [], SIDE_PX)
    assert known.under([], SHAPE) is before
    known.saw(BLANK, roll(1), [], SIDE_PX)
    assert len(known.under([], SHAPE).tops) == 6


@pytest.mark.usefixtures("by_pips")
def test_only_the_newest_dice_are_remembered():
    known = KnownFloor()
    for number in range(KEPT):
        known.saw(BLANK, [face(60 + 22 * number, 90 + 120 * (number % 3))], [], SIDE_PX)
    known.saw(BLANK, roll(9), [], SIDE_PX)
    floor = known.under([], SHAPE)
    assert len(floor.tops) == len(floor.ways) == KEPT
    assert any(top.at[0] > 900 for top in floor.tops)


@pytest.mark.usefixtures("by_pips")
def test_several_dice_that_agree_tell_that_the_camera_was_moved():
    known, moved = learnt(slope=5), roll(4, slope=40)
    assert not fits_floor(moved, SHAPE, known.under([], SHAPE))
    assert known.under(moved, SHAPE) is None
    known.saw(BLANK, moved, [], SIDE_PX)
    assert len(known.under(moved, SHAPE).tops) == len(moved)


@pytest.mark.usefixtures("by_pips")
def test_dice_that_are_thrown_singly_tell_that_the_camera_was_moved_after_some_throws():
    known = learnt(slope=5)
    for number in range(LONELY):
        one = face(100 + 150 * number, 300, slope=40)
        assert off_plane(BLANK, [one], SIDE_PX, known.under([one], SHAPE)).max() > 1
        known.saw(BLANK, [], [one], SIDE_PX)
        known.saw(BLANK, [], [one], SIDE_PX)  # looked at twice, thrown once
    after = face(300, 100, slope=40)
    known.saw(BLANK, [after], [], SIDE_PX)
    assert [top.at[1] for top in known.under([after], SHAPE).tops] == [300, 100]


@pytest.mark.usefixtures("by_pips")
def test_dice_that_lean_each_otherwise_do_not_tell_that_the_camera_was_moved():
    known = learnt()
    before = known.under([], SHAPE)
    for number in range(2 * LONELY):
        odd = face(100 + 80 * number, 300, lean=30, about=1.3 * number)
        known.saw(BLANK, [], [odd], SIDE_PX)
    assert known.under([], SHAPE) is before


@pytest.fixture(scope="module")
def rolls():
    """Four dice that lie flat, then one that leans, in one tray."""
    rng = np.random.default_rng(12)
    tray = random_tray(rng, size=(480, 360), side_px=52.0, elevation=70, ground="plain",
                       light="even")  # fmt: skip
    return [made.pixels for made in make_rolls(rng, tray, [4, 1], [0, 1])[0]]


def test_a_die_that_leans_by_itself_is_told_where_dice_lay_flat_before(rolls):
    assert [one.doubt for one in PipDice().read(rolls[1], None)] == ["unsure"]
    reader = PipDice()
    assert [one.doubt for one in reader.read(rolls[0], None)] == [""] * 4
    assert [one.doubt for one in reader.read(rolls[1], None)] == ["cocked"]


def test_a_die_that_only_the_second_look_reads_is_told_to_lean_too(rolls, monkeypatch):
    reader = PipDice()
    reader.read(rolls[0], None)
    monkeypatch.setattr("camera.tray_pips.read_dice", lambda *_, **__: Look((), False, ()))
    assert [one.doubt for one in PipDice().read(rolls[1], None)] == ["unsure"]
    assert [one.doubt for one in reader.read(rolls[1], None)] == ["cocked"]


def test_pictures_of_one_empty_tray_tell_of_each_other(rolls, tmp_path):
    paths = [str(tmp_path / f"{number}.png") for number in range(2)]
    for path, pixels in zip(paths, rolls, strict=True):
        save_picture(path, pixels)
    floor = KnownFloor()
    lines = [read_picture(path, floor=floor) for path in paths]
    assert [line["accepted"] for line in lines] == [True, False]
    assert [die["flaw"] for die in lines[1]["dice"]] == ["cocked"]


def test_what_is_known_of_a_tray_is_kept_when_something_was_learnt(grotto_looks):
    seeker, dice = Seeker(), [Die("pip-1", "pip", tuple("123456"))]
    white = Die("white-1", "white", ("key", "key", "door", "troll", "diamond", "diamond"))
    alone = reader_for(None, dice, seeker)
    assert reader_again(alone, None, dice, seeker).floor is alone.floor
    mixed = reader_for(grotto_looks, [*dice, white], seeker)
    again = reader_again(mixed, grotto_looks, [*dice, white], seeker)
    assert again.readers[0].standing is mixed.readers[0].standing
    assert again.readers[1].floor is mixed.readers[1].floor
    assert again.readers[1].leaning is mixed.readers[1].leaning
    assert again.readers[0] is not mixed.readers[0]


def test_a_tray_of_pip_dice_alone_needs_nothing_of_a_learnt_set(grotto_looks):
    dice = [Die("pip-1", "pip", tuple("123456"))]
    assert isinstance(reader_for(grotto_looks, dice), PipDice)
