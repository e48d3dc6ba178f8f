"""A camera may hang upside down or on its side: dice are found, taught and read all the same."""

from typing import NamedTuple

import numpy as np
import pytest
from die_drawing import FACES, cube, scene, thrown

from camera.enrol_dice import Teacher, tell_apart
from camera.seek import Seeker, Seen
from camera.stills import StillReader
from camera.tray_readers import SymbolDice, share_tray
from camera.upright import BOTTOMS, EASY, MOST_TRIED, Upright, UprightByOne, turns_under

TAUGHT_IN, STEEP = 6, 38.0
TURNS = (1, 2, 3)


class Told(NamedTuple):
    sure: int
    in_doubt: int


def hung(pixels, turns):
    """What a camera shows whose pictures have to be turned to the left so often."""
    return np.ascontiguousarray(np.rot90(pixels, -turns))


def lessons(turns=0):
    """Pictures of one die each, as such a camera shows them."""
    for face in FACES:
        for n in range(3):
            die = cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n)
            yield face, hung(scene([die], TAUGHT_IN, STEEP), turns)


def taught(turns=0):
    teacher = Teacher()
    for _, pixels in list(lessons(turns))[::2]:
        teacher.look(pixels)
    for face, pixels in lessons(turns):
        teacher.show("white", face, pixels, face)
    return teacher


@pytest.fixture(scope="module")
def looks():
    return taught().learnt([("white", face) for face in FACES])


def faces_in(look):
    return sorted(reading.face for reading in look.readings)


@pytest.mark.parametrize("turns", TURNS)
def test_turned_picture_shows_the_same_dice_to_the_seeker(turns):
    pixels, seeker = scene(thrown(), 0, STEEP), Seeker()
    upright = seeker.seek(pixels)
    turned = hung(pixels, turns)
    spot = np.argwhere(hung(np.arange(pixels[..., 0].size).reshape(pixels.shape[:2]), turns) == 0)
    (y, x), way = spot[0], np.linalg.matrix_power(np.array([(0, -1), (1, 0)]), 4 - turns)
    for before, after in zip(upright, seeker.seek(turned, turns=turns), strict=True):
        there = before.corners @ np.linalg.inv(way).T + np.array([x, y])
        gaps = [np.abs(np.roll(there, n, axis=0) - after.corners).max() for n in range(4)]
        assert min(gaps) < 0.01
        assert np.allclose(before.down @ np.linalg.inv(way).T, after.down, atol=0.01)


@pytest.mark.parametrize("turns", TURNS)
def test_dice_under_a_camera_that_hangs_another_way_are_read_as_under_an_upright_one(looks, turns):
    reader = StillReader(looks)
    rolls = [hung(scene(thrown(), seed, STEEP), turns) for seed in (0, 8, 3)]
    told = [reader.read(roll, expect=4) for roll in rolls]
    assert reader.upright.turns == turns
    assert [faces_in(look) for look in told[1:]] == [sorted(FACES)] * 2
    assert told[-1].accepted


def test_upright_camera_is_never_turned(looks):
    reader = StillReader(looks)
    for seed in (0, 8):
        reader.read(scene(thrown(lean=30), seed, STEEP), expect=4)
    assert reader.upright.turns == 0


@pytest.mark.parametrize("turns", TURNS)
def test_dice_are_taught_as_well_under_a_camera_that_hangs_another_way(turns):
    teacher = taught(turns)
    assert teacher.skipped == []
    apart = tell_apart(teacher.learnt([("white", face) for face in FACES]))
    assert apart.right == apart.patches == 12


def tried(sure: dict[int, Told], upright: Upright) -> tuple[Told, list[int]]:
    """What is told of a picture that shows so much in each of the four ways, and which were."""
    seen: list[int] = []

    def read(turns):
        seen.append(turns)
        return sure[turns]

    return upright.best(read), seen


def test_picture_that_leaves_little_in_doubt_is_looked_at_once():
    upright = Upright()
    told, seen = tried(dict.fromkeys(range(4), Told(3, 1)), upright)
    assert (told, seen) == (Told(3, 1), [0])


def test_other_way_counts_where_several_dice_more_are_sure():
    upright, little = Upright(), Told(1, 3)
    assert tried({0: little, 1: Told(3, 1), 2: little, 3: little}, upright)[0] == little
    assert upright.turns == 0
    assert tried({0: little, 1: Told(2, 2), 2: little, 3: little}, upright)[0] == Told(2, 2)
    assert upright.turns == 1


def test_way_that_was_taken_by_mistake_is_left_again():
    upright, little, much = Upright(), Told(1, 4), Told(4, 1)
    tried({0: little, 1: much, 2: little, 3: little}, upright)
    assert upright.turns == 1
    for _ in range(2):
        tried({0: much, 1: little, 2: little, 3: little}, upright)
    assert upright.turns == 0


def test_ways_are_tried_until_one_is_settled():
    upright, badly, well = Upright(), Told(0, 4), Told(3, 3)
    shown = {0: well, 1: badly, 2: badly, 3: badly}
    looks = [len(tried(shown, upright)[1]) for _ in range(5)]
    assert looks == [4, 4, 4, 1, 1]
    easy = Upright()
    for _ in range(4):
        assert tried({0: Told(4, 0)}, easy)[1] == [0]
    assert tried(shown, easy)[1] == [0]


def test_ways_that_show_nothing_are_not_tried_for_ever():
    upright, nothing = Upright(), dict.fromkeys(range(4), Told(0, 4))
    looks = [len(tried(nothing, upright)[1]) for _ in range(MOST_TRIED + 3)]
    assert looks == [4] * MOST_TRIED + [1] * 3


def shown_by(way: int, dice: int) -> dict[int, Told]:
    """What a picture of a camera that hangs so shows, turned in each of the four ways."""
    return {turns: Told(dice, 0) if turns == way else Told(0, dice) for turns in range(4)}


def after_good_ones(pictures: int, dice: int = 4) -> Upright:
    upright = Upright()
    for _ in range(pictures):
        tried(shown_by(0, dice), upright)
    return upright


ASLANT = np.array([0.0, 0.5, -0.87])  # the floor, seen by a camera that hangs upside down


def until_turned(upright: Upright, dice: int, normal=None) -> int:
    """How many pictures it takes to notice that the camera hangs upside down now; 99 for never."""
    for pictures in range(1, 99):
        tried(shown_by(2, dice), upright)
        if normal is not None:
            upright.hear(normal)
        if upright.turns == 2:
            return pictures
    return 99


@pytest.mark.parametrize(("dice", "normal", "soon"), [(4, ASLANT, 4), (2, None, 20)])
def test_camera_that_is_hung_otherwise_is_noticed_as_soon_after_an_evening_as_after_a_roll(
    dice, normal, soon
):
    needed = [until_turned(after_good_ones(n, dice), dice, normal) for n in (10, 1000)]
    assert needed[0] == needed[1] <= soon


def test_few_bad_pictures_turn_no_camera():
    upright = after_good_ones(10)
    for _ in range(6):
        tried({**shown_by(0, 0), 0: Told(0, 3), 2: Told(1, 2)}, upright)  # a hand lies before dice
        assert upright.turns == 0
    upright = after_good_ones(10)
    for _ in range(9):
        upright.hear(ASLANT)  # told by a heap of dice
        assert upright.turns == 0
        for _ in range(3):
            tried(shown_by(0, 4), upright)


def test_settled_way_is_tried_again_only_after_several_pictures_in_doubt():
    upright, blurred = after_good_ones(10), dict.fromkeys(range(4), Told(0, 4))
    looks = [len(tried(blurred, upright)[1]) for _ in range(40)]
    assert looks == [1] * 16 + [4] * MOST_TRIED
    upright = after_good_ones(10)
    for _ in range(20):
        assert len(tried(blurred, upright)[1]) == 1
        tried(shown_by(0, 4), upright)


def test_table_that_is_always_in_doubt_is_not_looked_at_in_all_ways_for_ever():
    upright, poor = Upright(), {**dict.fromkeys(range(4), Told(0, 4)), 0: Told(2, 2)}
    looks = [len(tried(poor, upright)[1]) for _ in range(200)]
    assert looks.count(4) == MOST_TRIED
    assert upright.turns == 0


def seen_below(way, sides: float) -> Seen:
    square = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])
    return Seen(square, 0.9, 0.0, 10.0 * sides * np.asarray(way, float))


def test_lessons_tell_after_a_few_which_way_the_camera_hangs():
    """Where the seeker expects it, the lower side lies far below; in other ways it hardly does."""
    upright = UprightByOne()

    def seek(turns: int) -> list[Seen]:
        return [seen_below(BOTTOMS[turns], 0.5 if turns == 2 else 0.1)]

    told = []
    for _ in range(6):
        upright.look(seek)
        told.append(upright.turns)
    assert told[0] == 0
    assert told[-1] == 2
    upright.look(lambda turns: [])
    assert upright.turns == 2


@pytest.mark.parametrize(
    ("normal", "turns"),
    [
        ((0.0, -0.5, -0.87), 0),  # the near wall is low
        ((0.5, 0.0, -0.87), 1),
        ((0.1, 0.5, -0.87), 2),
        ((-0.5, 0.1, -0.87), 3),
        ((0.05, 0.1, -0.99), 0),  # looks straight down: all ways are alike
    ],
)
def test_floor_that_is_known_tells_which_way_the_camera_hangs(normal, turns):
    assert turns_under(np.array(normal)) == turns
    assert turns_under(-np.array(normal)) == turns


def test_way_that_a_camera_hangs_is_heard_from_dice_that_show_the_floor_aslant():
    upright = Upright()
    upright._sure[0] = EASY  # an easy picture, read well enough the wrong way up
    upright.hear(np.array([0.1, -0.05, -0.99]))
    assert upright.turns == 0, "nearly straight down: any way"
    for _ in range(2):
        upright.hear(np.array([-0.5, 0.0, -0.87]))
    assert upright.turns == turns_under(np.array([-0.5, 0.0, -0.87])) != 0


def test_what_is_known_of_a_tray_is_shared_by_its_readers(looks):
    one, other = (SymbolDice(looks, None, Seeker()) for _ in range(2))
    share_tray(one, other)
    for seed in (0, 8):
        one.read(hung(scene(thrown(), seed, STEEP), 2), None)
    assert one.turns == other.turns == 2
    assert other.standing is one.standing


def test_slant_that_was_seen_badly_is_forgotten_when_the_camera_turns_out_to_hang_otherwise(looks):
    reader = SymbolDice(looks, None, Seeker())
    reader.read(scene(thrown(), 0, STEEP), None)
    before = reader.standing.slant
    assert before is not None
    for seed in (0, 8):
        reader.read(hung(scene(thrown(), seed, STEEP), 2), None)
    assert reader.turns == 2
    assert reader.standing.slant is not None
    assert reader.standing.slant.normal[1] * before.normal[1] < 0
