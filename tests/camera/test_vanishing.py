"""Straight edges of a tray tell how its camera looks at it."""

import cv2
import numpy as np
import pytest
from die_drawing import SIZE_PX, camera_at, cube, looking, scene, thrown
from pip_drawing import DrawnDie, draw_dice

from camera.edges import squares
from camera.halves import Halves
from camera.leaning import Leaning
from camera.pips import read_dice
from camera.seek import Seeker, Seen
from camera.standing import Standing
from camera.stills import StillReader
from camera.tray_leaning import AGREED, ASKED, CLEAR, _in_tray, leaning_in
from camera.tray_pips import PipDice
from camera.tray_readers import SymbolDice
from camera.upper_sides import Top
from camera.vanishing import FOCALS, slants_seen

RIM = 1.2  # sides above the floor
ALONE = ("sun", (0.5, 0.4), 40)
LEANS = 20  # degrees, which seen from the side look like a flat die under another camera
GREY = np.full((SIZE_PX[1], SIZE_PX[0], 3), 110, np.uint8)


def box(turn=0.0):
    """Corners (8, 3) of a tray: of its floor, then of its rim, in sides."""
    width, depth = 8.4, 5.4
    x, y = (
        np.array([-width, width, width, -width]) / 2,
        np.array([-depth, -depth, depth, depth]) / 2,
    )
    level = [np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y]
    return np.vstack([np.column_stack([*level, np.full(4, height)]) for height in (0.0, RIM)])


def drawn_tray(pixels, tilt, turn=0.0, px=2):
    """Draw the edges of a tray into a picture by a camera of this tilt."""
    corners = camera_at(tilt).project(box(turn=turn))
    for one in range(4):
        following = (one + 1) % 4
        for begin, end in ((one, following), (one + 4, following + 4), (one, one + 4)):
            ends = corners[[begin, end]].round().astype(int).tolist()
            cv2.line(pixels, ends[0], ends[1], (40, 60, 50), px, cv2.LINE_AA)
    return pixels


def degrees_off(slant, tilt):
    upwards = camera_at(tilt).turn @ (0.0, 0.0, 1.0)
    return float(np.degrees(np.arccos(min(1.0, float(slant.normal @ upwards)))))


@pytest.mark.parametrize("tilt", [5, 20, 35])
@pytest.mark.parametrize("turn", [0.0, 0.25, -0.6])
def test_edges_of_a_tray_tell_the_slant(tilt, turn):
    told = slants_seen(drawn_tray(GREY.copy(), tilt, turn))
    assert [one.focal for one in told] == [share * SIZE_PX[0] for share in FOCALS]
    assert min(degrees_off(one, tilt) for one in told) < 3.0  # the lens is none of the three
    steep = [np.hypot(*one.normal[:2]) for one in told]
    assert steep == sorted(steep), "a narrow lens shows less of what is far off"


def test_slant_does_not_depend_on_how_large_the_picture_is():
    pixels = drawn_tray(GREY.copy(), 25)
    small, large = (slants_seen(one)[1] for one in (pixels, cv2.resize(pixels, None, fx=2, fy=2)))
    assert large.focal == 2 * small.focal
    assert np.allclose(large.centre, 2 * small.centre)
    assert np.degrees(np.arccos(large.normal @ small.normal)) < 1.0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_camera_may_hang_on_its_side_or_upside_down(quarters):
    pixels = drawn_tray(GREY.copy(), 25)
    one, other = slants_seen(pixels)[1], slants_seen(np.rot90(pixels, quarters).copy())[1]
    x, y, away = one.normal
    for _ in range(quarters):
        x, y = y, -x
    assert np.degrees(np.arccos(np.clip(other.normal @ (x, y, away), -1, 1))) < 1.0


def test_nothing_is_told_where_nothing_is_straight():
    assert slants_seen(GREY) == ()
    noise = np.random.default_rng(1).integers(0, 255, GREY.shape, np.uint8)
    assert slants_seen(noise) == ()


@pytest.mark.parametrize("shape", [(1, 1), (1, 9000), (9000, 3), (2, 2)])
def test_strip_of_a_picture_tells_nothing(shape):
    assert slants_seen(np.full((*shape, 3), 90, np.uint8)) == ()


def test_planks_alone_do_not_tell_the_slant():
    """All edges are parallel: the floor may be turned around them."""
    pixels = GREY.copy()
    for x in np.linspace(-4, 4, 14):
        ends = camera_at(20).project(np.array([(x, -4, 0), (x, 4, 0)])).round().astype(int).tolist()
        cv2.line(pixels, ends[0], ends[1], (40, 60, 50), 2, cv2.LINE_AA)
    assert slants_seen(pixels) == ()


def lay_anyhow(pixels, count, half_px=60):
    """Draw so many straight edges anywhere, twice that long."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        at, angle = rng.uniform((80, 80), (560, 400)), rng.uniform(0, np.pi)
        way = half_px * np.array([np.cos(angle), np.sin(angle)])
        ends = [tuple((at + sign * way).round().astype(int).tolist()) for sign in (-1, 1)]
        cv2.line(pixels, ends[0], ends[1], (40, 60, 50), 2, cv2.LINE_AA)
    return pixels


def test_edges_that_lie_anyhow_tell_nothing():
    assert slants_seen(lay_anyhow(GREY.copy(), 25)) == ()
    assert slants_seen(lay_anyhow(GREY.copy(), 60)) == ()


def test_things_that_lie_anyhow_in_a_tray_do_not_hide_it():
    bare = drawn_tray(GREY.copy(), 20)
    one, other = slants_seen(bare)[1], slants_seen(lay_anyhow(bare, 20))[1]
    assert np.degrees(np.arccos(one.normal @ other.normal)) < 1.5


def test_corner_of_something_is_no_tray():
    """Its edges are long and at right angles, and nothing lies opposite them."""
    for apart, is_tray in ((1.2, False), (4.5, True)):
        pixels = GREY.copy()
        for n in range(5):
            for ends in (((-4, n / 4 * apart - 3), (4, n / 4 * apart - 3)),
                         ((n / 4 * apart - 4, -3), (n / 4 * apart - 4, 3))):  # fmt: skip
                seen = camera_at(20).project(np.array([(*end, 0.0) for end in ends]))
                begin, end = seen.round().astype(int).tolist()
                cv2.line(pixels, begin, end, (40, 60, 50), 1, cv2.LINE_AA)
        assert bool(slants_seen(pixels)) == is_tray


def test_edges_of_dice_are_none_of_the_tray():
    pixels = drawn_tray(GREY.copy(), 20)
    around = cv2.convexHull(camera_at(20).project(1.1 * box()).astype(np.float32)).reshape(-1, 2)
    assert slants_seen(pixels)
    assert slants_seen(pixels, [around]) == ()


@pytest.mark.parametrize(
    ("seen", "alone", "expected"),
    [
        (CLEAR - 1, 4.0, CLEAR - 1),  # flat in the tray, whatever it looks like beside others
        (CLEAR + 1, 0.5, 0.5),  # either may doubt what is not clear
        (0.5, CLEAR - 1, 0.5),
        (9.0, CLEAR - 1, ASKED),  # but only dice say that one leans
        (9.0, 4.0, 4.0),
    ],
)
def test_die_is_flat_if_the_tray_says_so_clearly_and_doubted_if_anything_does(
    seen, alone, expected
):
    other_lens = np.array([seen + 3.0])
    assert _in_tray([np.array([seen]), other_lens], np.array([alone])) == [expected]
    assert _in_tray([other_lens, np.array([seen])], np.array([alone])) == [expected]


class Told:
    """Tells, in place of the network, log-odds that dice lean: alone, and in a tray."""

    def __init__(self, alone, in_tray):
        self.odds, self.asked = {False: np.array(alone), True: np.array(in_tray)}, 0
        self.sides = []

    def leaning(self, picture, slant, *, middles, sure, hints, turns, is_known):
        self.asked += 1
        self.sides.append(np.median(slant.sides(middles)))
        odds = self.odds[is_known]
        return Leaning(odds, slant, slant.down(middles), odds)


def odds_of(voter, tray):
    """Log-odds of some dice that agree on a camera, in a tray that tells another or the same."""
    places = np.array([(200.0, 150.0), (420.0, 180.0), (300.0, 330.0)])[: len(voter.odds[True])]
    slant = looking(30)
    corners = squares(places, np.zeros(len(places)), np.tile(20 * np.eye(2), (len(places), 1, 1)))
    tops = [
        Top(Seen(one, 0.9, 0.0, down), one, np.zeros(3))
        for one, down in zip(corners, slant.down(places), strict=True)
    ]
    standing = Standing()
    standing.drawn = tray
    return leaning_in(voter, Halves(GREY), None, tops, slant, standing, 0)[0].odds.tolist()


def test_tray_is_asked_where_dice_alone_leave_a_doubt():
    flat, doubt = AGREED - 0.5, -1.0
    for alone, count in (([flat] * 3, 1), ([flat, doubt, flat], 3), ([flat], 3), ([doubt], 3)):
        voter = Told(alone, [CLEAR - 2] * len(alone))
        told = odds_of(voter, [looking(30), looking(31)])
        assert voter.asked == count
        assert np.allclose(voter.sides, voter.sides[0], rtol=0.01), "as large with every lens"
        assert told == (alone if count == 1 else [CLEAR - 2] * len(alone))


def test_tray_that_tells_another_camera_than_all_dice_is_not_heard():
    leans, doubt = 5.0, -1.0
    assert odds_of(Told([doubt] * 3, [leans] * 3), [looking(-20)]) == [doubt] * 3
    assert odds_of(Told([doubt] * 3, [leans] * 3), [looking(-20), looking(30)]) == [ASKED] * 3
    hears_one = Told([doubt] * 3, [leans] * 3)
    odds_of(hears_one, [looking(-20), looking(30), looking(60)])
    assert hears_one.asked == 2
    assert odds_of(Told([doubt], [leans]), [looking(-20)]) == [ASKED], "one die may lean itself"
    assert odds_of(Told([doubt], [leans]), []) == [doubt]


@pytest.mark.parametrize("knows_empty", [True, False])
@pytest.mark.parametrize("tilt", [20, 30])
def test_die_alone_that_leans_in_a_tray_is_doubted(taught, tilt, knows_empty):
    looks, seeker = taught
    leaning = scene([cube(*ALONE, LEANS)], 0, tilt)
    assert not SymbolDice(looks, None, seeker).read(leaning, None)[0].doubt, "needs no tray"
    empty = drawn_tray(scene([], 0, tilt), tilt) if knows_empty else None
    (one,) = SymbolDice(looks, None, seeker).read(drawn_tray(leaning, tilt), empty)
    assert one.doubt


def test_flat_die_alone_in_a_tray_is_read(taught):
    looks, seeker = taught
    flat = scene([cube("moon", (1.5, -0.5), 10)], 0, 10)
    assert SymbolDice(looks, None, seeker).read(flat, None)[0].doubt, "needs no tray"
    (one,) = SymbolDice(looks, None, seeker).read(drawn_tray(flat, 10), None)
    assert (one.face, one.doubt) == ("moon", "")


def test_empty_tray_is_looked_at_once_and_every_picture_with_dice_by_itself(mocker):
    looked = mocker.patch("camera.standing.slants_seen", side_effect=lambda *told: (len(told),))
    standing, dice = Standing(), [np.zeros((4, 2), np.float32)]
    for picture in (GREY, GREY, GREY + 1):
        assert standing.expected(picture, None, dice) == (2,), "dice are left out"
    assert looked.call_count == 2
    for picture in (GREY, GREY + 1):
        assert standing.expected(picture, GREY, dice) == (1,)
    assert standing.expected(GREY, None, dice) == (1,)
    assert looked.call_count == 3


def test_every_new_empty_tray_is_looked_at_anew(taught, mocker):
    looked = mocker.patch("camera.standing.slants_seen", return_value=())
    reader, flat = StillReader(*taught[:1], seeker=taught[1]), scene([cube(*ALONE)], 0, 20)
    for seed in (0, 0, 1):
        reader.read(flat, empty=scene([], seed, 20))
    assert looked.call_count == 2


def test_picture_that_nothing_is_known_of_is_not_compared_with_those_before(taught):
    reader = StillReader(*taught[:1], seeker=taught[1])
    reader.read(scene(thrown(), 0, 20), empty=scene([], 0, 20))
    assert reader.standing.slant is not None
    (one,) = reader.read(scene([cube(*ALONE)], 0, 40)).readings
    assert one.doubt != "cocked"


def test_pip_dice_are_read_beside_the_edges_of_their_empty_tray(mocker):
    rng = np.random.default_rng(3)
    pixels, bare = draw_dice(rng, [DrawnDie(4, 320, 240, 60, 20)]), draw_dice(rng, [])
    alone, in_game = (
        mocker.patch(f"camera.{where}.slants_seen", return_value=())
        for where in ("pip_standing", "standing")
    )
    assert len(read_dice(pixels, empty=bare, seeker=Seeker()).readings) == 1
    assert [(called.args[0] == bare).all() for called in alone.call_args_list] == [True]
    assert len(PipDice().read(pixels, bare)) == 1
    assert [(called.args[0] == bare).all() for called in in_game.call_args_list] == [True]
