"""Dice that lean are told from flat ones, best where it is known how the camera looks."""

import numpy as np
import pytest
from die_drawing import FACES, cube, scene, thrown

from camera.edges import squares, stretches
from camera.enrol_dice import Teacher
from camera.faces import Likeness
from camera.leaning import (
    AROUND,
    RINGS_DEG,
    SPREAD_DEG,
    USUAL,
    LeanVoter,
    doubts_of,
    slants_beside,
    tilted_by,
    upright,
    weighed,
)
from camera.seek import Seen
from camera.slant import Slant
from camera.standing import KEPT, LONELY, Sight, Standing, may_be_used
from camera.stills import _reading
from camera.tray_readers import SymbolDice
from camera.upper_sides import Top

SIZE = (480, 640)
TILT, SEED = 30.0, 0


def looking(tilt):
    """A camera so many degrees away from straight down."""
    low = np.radians(tilt)
    return Slant(np.array([0.0, np.sin(low), -np.cos(low)]), 60.0, 736.0, np.array([320.0, 240.0]))


def seen_by(slant, *places, told=None):
    """Flat dice at places (x, y) in pixels, as this camera sees them."""
    middles = np.array(places, float)
    corners = squares(middles, np.arange(len(middles)) * 0.4, stretches(slant, middles))
    return Sight(corners, slant.down(middles), told or slant)


FOUR = (200, 150), (420, 180), (300, 330), (500, 400)


@pytest.fixture
def standing():
    """What remembers a camera that looks 30 degrees from the side."""
    known = Standing()
    known.saw(seen_by(looking(30), *FOUR), SIZE)
    return known


def test_slant_is_remembered_once_several_dice_agree():
    known = Standing()
    known.saw(seen_by(looking(30), (200, 150), (420, 180)), SIZE)
    assert known.slant is None, "two dice tell too little"
    known.saw(seen_by(looking(30), *FOUR), SIZE)
    assert known.slant is not None
    assert np.allclose(known.slant.normal, looking(30).normal)


def test_dice_that_disagree_tell_no_slant():
    flat, leaning = seen_by(looking(30), *FOUR[:2]), seen_by(looking(-20), *FOUR[2:])
    both = Sight(
        np.concatenate([flat.corners, leaning.corners]),
        np.concatenate([flat.downs, leaning.downs]),
        looking(30),
    )
    known = Standing()
    known.saw(both, SIZE)
    assert known.slant is None


def test_die_alone_that_leans_does_not_change_what_is_remembered(standing):
    for _ in range(3 * LONELY):  # the same throw, frame after frame
        standing.saw(seen_by(looking(62), (300, 200)), SIZE)
    assert np.allclose(standing.slant.normal, looking(30).normal)


def test_camera_that_was_moved_is_noticed_by_several_dice_at_once(standing):
    moved = seen_by(looking(55), (210, 160), (400, 300), (520, 200))
    assert not may_be_used(standing.slant, moved)
    standing.saw(moved, SIZE)
    assert np.allclose(standing.slant.normal, looking(55).normal)


def test_camera_that_was_moved_is_noticed_by_single_dice_that_agree(standing):
    for number in range(LONELY):
        standing.saw(seen_by(looking(55), (200 + 90 * number, 200)), SIZE)
    assert np.allclose(standing.slant.normal, looking(55).normal)


def test_leaning_dice_one_after_the_other_do_not_pass_for_a_moved_camera(standing):
    for number, tilt in enumerate((60, -10, 75, 5, 66)):
        standing.saw(seen_by(looking(tilt), (200 + 70 * number, 200)), SIZE)
    assert np.allclose(standing.slant.normal, looking(30).normal)


def test_pictures_of_another_size_begin_anew(standing):
    standing.saw(seen_by(looking(30), (200, 150)), (960, 1280))
    assert standing.slant is None


def test_no_more_pictures_are_remembered_than_needed(standing):
    for number in range(2 * KEPT):
        shifted = [(x + 60 * (number % 2), y) for x, y in FOUR]
        standing.saw(seen_by(looking(30), *shifted), SIZE)
    assert len(standing._kept) == KEPT


def test_slant_under_which_the_others_lie_flat_tells_whether_a_die_leans():
    """Two slants: under the first one all dice look odd, under the second one the last one does."""
    votes = np.array([(2.0, 2.0, 2.0, -2.0), (-3.0, -3.0, -3.0, 3.0)])
    sure, doubts = np.ones(4, bool), np.zeros(2)
    first, *_, last = weighed(votes, doubts, sure)
    assert first < -1 < 1 < last
    likely = weighed(votes, np.array([0.0, 20.0]), sure)
    assert likely[0] > 1 > -1 > likely[-1]
    unsure = weighed(votes, doubts, np.zeros(4, bool))
    assert abs(unsure[0]) < 1, "what is no die for sure has no say"


def test_die_alone_has_no_say_in_the_slant_that_it_is_seen_under():
    votes = np.array([(4.0,), (-4.0,)])
    assert np.isclose(weighed(votes, np.zeros(2), np.ones(1, bool))[0], 0)


@pytest.mark.parametrize(
    ("chance", "doubt"),
    [(0.01, ""), (0.09, ""), (0.11, "unsure"), (0.7, "unsure"), (0.9, "cocked")],
)
def test_die_that_may_lean_is_doubted_however_clear_its_face_is(chance, doubt):
    corners, down = seen_by(looking(30), (200, 150))[:2]
    top = Top(Seen(corners[0], 0.9, 0.1, down[0]), corners[0], np.zeros(3))
    like = Likeness("white", "sun", 0.999, (("white", "sun", 1.0),), 0.5, 0.0)
    assert _reading(top, like, chance, (0, 0, 60, 60), False).doubt == doubt


def test_slant_is_tilted_by_so_many_degrees():
    slant = looking(30)
    for across, along in ((0.0, 8.0), (-8.0, 0.0), (5.0, 5.0)):
        other = tilted_by(slant, across, along)
        turned = np.degrees(np.arccos(other.normal @ slant.normal))
        assert np.isclose(turned, np.hypot(across, along), rtol=0.02)
        assert np.isclose(np.linalg.norm(other.normal), 1)


def test_other_slants_are_the_less_likely_the_farther_away_but_a_look_straight_down_is_usual():
    for tilt, usual in ((10, (10 / SPREAD_DEG) ** 2 / 2), (30, USUAL)):
        rounds = slants_beside(looking(tilt))
        first, nearer, farther = (doubts_of(looking(tilt), slants) for slants in rounds)
        assert np.isclose(first, 0).all()
        for doubts, far in zip((nearer[:-1], farther), RINGS_DEG, strict=True):
            assert len(doubts) == AROUND
            assert np.allclose(doubts, (far / SPREAD_DEG) ** 2 / 2, rtol=0.1)
        assert np.isclose(nearer[-1], usual, rtol=0.01)


def test_no_more_slants_are_tried_than_needed(mocker):
    voter, pixels = LeanVoter(), np.full((480, 640, 3), 90, np.uint8)
    middles, sure = np.full((2, 2), 200.0), np.ones(2, bool)
    for vote, tried in ((-3.0, 1), (3.0, 2 + len(RINGS_DEG) * AROUND)):
        votes = mocker.patch.object(voter, "votes", return_value=np.full(2, vote))
        chances = voter.chances(pixels, looking(30), middles, sure)
        assert votes.call_count == tried
        assert ((chances > 0.1) == (vote > 0)).all()


def test_dice_are_cut_out_upright_wherever_they_lie():
    """Of a picture that is red above and blue below its middle, seen from any side, as is down."""
    for turn in range(4):
        slant = looking(30)
        normal = np.array([*np.roll(slant.normal[:2], turn), slant.normal[2]])
        normal[:2] *= 1 if turn < 2 else -1
        slant = slant._replace(normal=normal)
        down = slant.down(np.array([(320.0, 240.0)]))[0]
        rows, columns = np.mgrid[0:480, 0:640]
        below = (columns - 320) * down[0] + (rows - 240) * down[1] > 0
        pixels = np.where(below[..., None], (255, 0, 0), (0, 0, 255)).astype(np.uint8)
        (cut,), (length,) = upright(pixels, slant, np.array([(320.0, 240.0)]))
        assert cut[:30, :, 2].min() > 200
        assert cut[34:, :, 0].min() > 200
        assert length > 0.2


def test_voter_rates_any_number_of_dice():
    voter, pixels = LeanVoter(), np.full((480, 640, 3), 90, np.uint8)
    for count in (0, 1, 5):
        middles, sure = np.full((count, 2), 200.0), np.ones(count, bool)
        chances = voter.chances(pixels, looking(30), middles, sure)
        assert chances.shape == (count,)
        assert ((chances > 0) & (chances < 1)).all()


@pytest.fixture(scope="module")
def taught():
    """Four faces, taught with two pictures each."""
    teacher = Teacher()
    for face in FACES:
        for n in range(2):
            pixels = scene([cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n)], 6)
            assert teacher.show("white", face, pixels, face), teacher.skipped
    return teacher.learnt([("white", face) for face in FACES]), teacher._seeker


def test_die_alone_that_leans_is_doubted_once_the_camera_is_known(taught):
    looks, seeker = taught
    reader = SymbolDice(looks, None, seeker)
    assert len(reader.read(scene(thrown(), SEED, TILT), None)) == len(FACES)
    for lean in (25, 35):
        (one,) = reader.read(scene([cube("sun", (0.5, 0.4), 40, lean)], SEED, TILT), None)
        assert one.doubt, lean
    for face, at, turn in (("sun", (0.5, 0.4), 40), ("blank", (-1.0, 0.2), 75)):
        (one,) = reader.read(scene([cube(face, at, turn)], SEED, TILT), None)
        assert (one.face, one.doubt) == (face, "")
