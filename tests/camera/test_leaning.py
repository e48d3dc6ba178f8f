"""Dice that lean are told from flat ones, best where it is known how the camera looks."""

import numpy as np
import pytest
from die_drawing import FACES, cube, looking, scene, thrown

from camera import leaning
from camera.agreed_slant import OFF
from camera.edges import squares
from camera.faces import Likeness
from camera.leaning import AROUND, RINGS_DEG, LeanVoter, Told, around, tilted, upright, weighed
from camera.seek import Seen
from camera.slant import Slants
from camera.standing import ALIKE, KEPT, LONELY, MOVED, Sight, Standing, may_be_used
from camera.stills import MAY_LEAN, StillReader, _reading
from camera.tray_readers import SymbolDice
from camera.upper_sides import Top

SIZE = (480, 640)
TILT, SEED = 30.0, 0


def seen_by(slant, *places, told=None):
    """Flat dice at places (x, y) in pixels, as this camera sees them."""
    middles = np.array(places, float)
    return Sight(middles, slant.down(middles), told or slant)


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


def test_slant_is_remembered_once_single_dice_agree_three_times():
    known = Standing()
    for number in range(LONELY):
        assert known.slant is None
        for _ in range(3):  # the same throw, frame after frame
            known.saw(seen_by(looking(30), (200 + 90 * number, 200)), SIZE)
    assert np.allclose(known.slant.normal, looking(30).normal)


def test_single_dice_that_disagree_tell_no_slant():
    known = Standing()
    for number, tilt in enumerate((30, 60, 30, 5, 32, 55)):
        known.saw(seen_by(looking(tilt), (200 + 50 * number, 200)), SIZE)
    assert known.slant is None


def test_dice_that_disagree_tell_no_slant():
    flat, leaning = seen_by(looking(30), *FOUR[:2]), seen_by(looking(-20), *FOUR[2:])
    both = Sight(
        np.concatenate([flat.middles, leaning.middles]),
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


def test_throw_of_leaning_dice_is_no_camera_that_was_moved(standing):
    all_three = [seen_by(looking(tilt), (200 + 90 * tilt / 10, 200)) for tilt in (75, 60, 2)]
    middles, downs = (np.concatenate([one[n] for one in all_three]) for n in (0, 1))
    odd = Sight(middles, downs, looking(45))
    assert odd.off(odd.slant) > ALIKE
    assert odd.off(standing.slant) > MOVED
    assert may_be_used(standing.slant, odd)


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


def test_slants_count_the_less_the_more_the_others_say_against_them():
    votes = np.array([2.0, -3.0])
    assert np.isclose(weighed(votes, np.array([0.0, 30.0])), 2)
    assert np.isclose(weighed(votes, np.array([30.0, 0.0])), -3)
    assert -3 < weighed(votes, np.zeros(2)) < 2
    assert np.isclose(weighed(votes, np.array([7.0, 9.0])), weighed(votes, np.array([0.0, 2.0])))


@pytest.mark.parametrize(
    ("chance", "doubt"),
    [(0.01, ""), (0.09, ""), (0.11, "unsure"), (0.9, "unsure"), (0.95, "cocked")],
)
def test_die_that_may_lean_is_doubted_however_clear_its_face_is(chance, doubt):
    corners = squares(np.array([(200.0, 150.0)]), np.zeros(1), 40 * np.eye(2)[None])[0]
    top = Top(Seen(corners, 0.9, 0.1, np.zeros(2)), corners, np.zeros(3))
    like = Likeness("white", "sun", 0.999, (("white", "sun", 1.0),), 0.5, 0.0)
    assert _reading(top, like, chance, (0, 0, 60, 60), False).doubt == doubt


def test_normals_are_tilted_by_so_many_degrees():
    by_deg = np.array([(0.0, 8.0), (-8.0, 0.0), (5.0, 5.0)])
    normals = tilted(looking(30).normal, by_deg)
    turned = np.degrees(np.arccos(normals @ looking(30).normal))
    assert np.allclose(turned, np.hypot(*by_deg.T), rtol=0.02)
    assert np.allclose(np.linalg.norm(normals, axis=1), 1)


def test_slants_around_one_lie_on_rings_nearer_ones_first():
    normals = around(looking(30).normal)
    turned = np.degrees(np.arccos(normals @ looking(30).normal))
    assert np.allclose(turned, np.repeat(RINGS_DEG, AROUND), rtol=0.02)
    assert np.allclose(normals[:AROUND].mean(axis=0) - looking(30).normal, 0, atol=0.01)


def test_other_slants_are_tried_for_dice_in_doubt_only(mocker):
    """Three dice of which the second may lean, in a picture that shows nothing."""
    voter, pixels = LeanVoter(), np.full((480, 640, 3), 90, np.uint8)
    middles, sure = np.array([(200.0, 200.0), (300.0, 220.0), (420.0, 180.0)]), np.ones(3, bool)
    expected = looking(30).down(middles)

    def told(net, picture, slants, at):
        lean = np.where(at[:, 0] == 300, 3.0, -9.0)
        ways = expected if len(at) == 3 else np.zeros((len(at), 2))
        return Told(lean, ways, np.full(len(at), OFF))

    looked = mocker.patch.object(leaning, "_told", side_effect=told)
    for tilt, looks in ((30, [3]), (38, [3, 3])):  # once more where the others tell otherwise
        looked.reset_mock()
        chances = voter.leaning(pixels, looking(tilt), middles, sure).chances
        assert [len(call.args[3]) for call in looked.call_args_list] == [*looks, 2 * AROUND]
        assert chances[1] > 0.5 > chances[0]


def test_die_that_nothing_can_be_compared_with_is_doubted_less(mocker):
    pixels, middles = np.full((480, 640, 3), 90, np.uint8), np.array([(300.0, 220.0)])

    def told(net, picture, slants, at):
        return Told(np.full(len(at), -0.5), slants.down(at), np.full(len(at), OFF))

    mocker.patch.object(leaning, "_told", side_effect=told)
    alone, known = (
        LeanVoter().leaning(pixels, looking(30), middles, np.ones(1, bool), is_known=is_known)
        for is_known in (False, True)
    )
    assert alone.chances[0] < MAY_LEAN < known.chances[0]


def test_finder_that_says_a_die_leans_is_heard(mocker):
    pixels, middles = np.full((480, 640, 3), 90, np.uint8), np.array([(200.0, 200.0), (400, 220)])

    def told(net, picture, slants, at):
        return Told(np.full(len(at), -0.5), slants.down(at), np.full(len(at), OFF))

    mocker.patch.object(leaning, "_told", side_effect=told)
    chances = [
        LeanVoter().leaning(pixels, looking(30), middles, np.ones(2, bool), hints=hints).chances
        for hints in (np.array([0.01, 0.01]), np.array([0.01, 0.9]), np.array([0.0, 1.0]))
    ]
    assert np.allclose(chances[0][0], chances[1][0])
    assert chances[0][1] < MAY_LEAN < chances[1][1] < chances[2][1] < 0.9, "but not alone"


def test_finder_is_heard_more_than_the_network_where_nothing_can_be_compared(mocker):
    """A die that leans alone looks flat under some slant, whatever lies there that may be none."""
    pixels, middles = np.full((480, 640, 3), 90, np.uint8), np.array([(200.0, 200.0), (400, 220)])

    def told(net, picture, slants, at):
        return Told(np.full(len(at), -9.0), slants.down(at), np.full(len(at), OFF))

    def chance(hint, *, other_is_sure=False, is_known=False):
        sure, hints = np.array([True, other_is_sure]), np.array([hint, 0.01])
        told = voter.leaning(pixels, looking(30), middles, sure, is_known=is_known, hints=hints)
        return float(told.chances[0])

    voter = LeanVoter()
    mocker.patch.object(leaning, "_told", side_effect=told)
    assert chance(0.02) < MAY_LEAN < 0.5 < chance(0.9)
    assert chance(0.9, other_is_sure=True) < MAY_LEAN
    assert chance(0.9, is_known=True) < MAY_LEAN


@pytest.mark.parametrize(
    ("tilt", "to_side", "turns", "is_likely"),
    [
        (30, 0, 0, True),
        (50, 0, 0, False),  # hardly any camera looks so steeply
        (30, 90, 0, False),  # or hangs so askew
        (30, 90, 1, True),  # it hangs on its side
        (30, 90, 2, False),
        (10, 90, 0, True),  # looks nearly straight down
    ],
)
def test_die_alone_is_doubted_where_no_camera_would_look_so_if_it_lay_flat(
    mocker, tilt, to_side, turns, is_likely
):
    pixels, middles = np.full((480, 640, 3), 90, np.uint8), np.array([(300.0, 220.0)])

    def told(net, picture, slants, at):
        return Told(np.full(len(at), -9.0), slants.down(at), np.full(len(at), OFF))

    mocker.patch.object(leaning, "_told", side_effect=told)
    down, aside = looking(tilt), np.radians(to_side)
    _, low, away = down.normal
    slant = down._replace(normal=np.array([low * np.sin(aside), low * np.cos(aside), away]))
    sure, hints = np.ones(1, bool), np.array([0.02])
    chances = LeanVoter().leaning(pixels, slant, middles, sure, hints=hints, turns=turns).chances
    assert (chances[0] < MAY_LEAN) == is_likely


def test_ways_down_are_told_as_gaps_and_back():
    middles = np.array([(200.0, 150.0), (420.0, 330.0), (320.0, 240.0)])
    for tilt in (0, 12, 40):
        shown = upright(looking(tilt), middles)
        assert np.allclose(shown.ways(np.zeros((3, 2))), looking(tilt).down(middles))
        ways = looking(tilt).down(middles) + [(6, -3), (0, 9), (-4, 1)]
        assert np.allclose(shown.ways(shown.gaps(ways)), ways)


def test_each_die_may_be_shown_under_a_slant_of_its_own():
    middles = np.array([(200.0, 150.0), (420.0, 330.0)])
    normals = np.stack([looking(10).normal, looking(35).normal])
    both = upright(Slants(normals, np.full(2, 60.0), 736.0, looking(0).centre), middles)
    for die, tilt in enumerate((10, 35)):
        alone = upright(looking(tilt), middles[die : die + 1])
        for part, same in zip(both, alone, strict=True):
            assert np.allclose(part[die], same[0])


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
        (cut,), (length,) = upright(slant, np.array([(320.0, 240.0)])).shown(pixels)
        assert cut[:30, :, 2].min() > 200
        assert cut[34:, :, 0].min() > 200
        assert length > 0.2


def test_voter_rates_any_number_of_dice():
    voter, pixels = LeanVoter(), np.full((480, 640, 3), 90, np.uint8)
    for count in (0, 1, 5):
        middles, sure = np.full((count, 2), 200.0), np.ones(count, bool)
        told = voter.leaning(pixels, looking(30), middles, sure)
        assert told.chances.shape == (count,)
        assert told.downs.shape == (count, 2)
        assert ((told.chances > 0) & (told.chances < 1)).all()


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


def test_pictures_beside_one_empty_tray_are_of_one_camera(taught):
    looks, seeker = taught
    reader, bare = StillReader(looks, None, seeker), scene([], SEED, TILT)
    reader.read(scene(thrown(), SEED, TILT))
    assert reader.standing.slant is None, "no tray tells that it is the same camera"
    reader.read(scene(thrown(), SEED, TILT), empty=bare)
    known = reader.standing.slant
    assert known is not None
    leans = scene([cube("sun", (0.5, 0.4), 40, 25)], SEED, TILT)
    (one,) = reader.read(leans, empty=bare.copy()).readings
    assert one.doubt
    (one,) = reader.read(scene([cube("sun", (0.5, 0.4), 40)], SEED, TILT), empty=bare).readings
    assert (one.face, one.doubt) == ("sun", "")
    reader.read(leans, empty=scene([], SEED + 1, TILT))
    assert reader.standing.slant is None
