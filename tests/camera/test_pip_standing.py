"""Whether pip dice lie flat is told by their pips and by what is seen of their other sides."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from pip_drawing import face_at

from camera import pip_standing
from camera.halves import Halves
from camera.leaning import Leaning
from camera.pip_floor import ASKEW, MAY_LEAN, flaws_on
from camera.pip_planes import Floor, Plane, lean_shares, shared_plane
from camera.pip_standing import DOUBTED, Asked, Scaled, off_plane, slant_under
from camera.pips import read_dice
from camera.seek import Seen
from camera.slant import Slant
from camera.train_rolls import make_rolls, random_tray

SHAPE = (480, 640)
PIXELS = np.full((*SHAPE, 3), 90, np.uint8)


def sloped(degrees):
    normal = np.array([0.0, np.sin(np.deg2rad(degrees)), np.cos(np.deg2rad(degrees))])
    return Plane(normal, np.zeros(1), np.ones(1))


class Told:
    """Stands for the network: tells the same of every die, and remembers what it was asked.

    in_tray  what it tells where the slant is known, for each lens; `trays`, of how many dice.
    """

    def __init__(self, odds, in_tray=()):
        self.odds, self.in_tray, self.asked, self.trays = odds, list(in_tray), [], []
        self.sides = []

    def leaning(self, picture, slant, middles, sure, *, earlier=None, is_known=False):
        if is_known:
            odds = np.full(len(middles), self.in_tray[len(self.trays) % len(self.in_tray)])
            self.trays.append(len(middles))
            self.sides.append(np.median(slant.sides(middles)))
        else:
            self.asked.append((middles, earlier))
            odds = self.odds + np.arange(len(middles)) / 100
        return Leaning(odds, slant, slant.down(middles), odds)


@pytest.fixture
def told(mocker):
    one = Told(-2.0)
    mocker.patch.object(pip_standing, "_voter", return_value=one)
    return one


@pytest.mark.parametrize("degrees", [0, 20, 40])
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_slant_shows_dice_as_large_as_they_are_and_more_of_their_sides_on_steeper_floors(
    degrees, scale
):
    seen = Scaled(Halves(PIXELS), scale)
    middle = (scale * 640 / 2 - 0.5, scale * 480 / 2 - 0.5)
    slant = slant_under(seen, [face_at(*middle)], 40.0 * scale, sloped(degrees))
    at = np.array([[319.0, 239.0]])
    longest = np.sqrt(np.linalg.eigvalsh(2 * slant.shapes(at))[0, 1])
    assert longest == pytest.approx(40.0, rel=0.01)
    down = slant.down(at)[0]
    assert down[1] == pytest.approx(40 * np.sin(np.deg2rad(degrees)), abs=0.12 * 40)
    assert abs(down[0]) < 0.1


FOUND = [face_at(150, 100), face_at(300, 200), face_at(420, 350)]
BESIDE = np.array([(3.0, -4)])  # pixels, by which a finder is off


def asked_of(tops, odds=-3.0, scale=1.0, side_px=40.0):
    """What was asked before of dice that a finder saw a little beside."""
    middles = np.array([top.at for top in tops]) / scale + BESIDE
    slant = Slant(np.array([0.0, 0, -1]), side_px / scale, 800.0, np.array([320.0, 240]) / scale)
    told = np.full(len(tops), odds)
    corners = middles[:, None] + side_px / scale / 2 * np.array(
        [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    )
    return Asked(corners, Leaning(np.full(len(tops), 9.0), slant, slant.down(middles), told))


@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_what_was_asked_before_is_not_asked_again(told, scale):
    before = asked_of(FOUND[::-1], scale=scale)
    seen = Scaled(Halves(PIXELS), scale, asked=before)
    off_plane(seen, FOUND, 40.0)
    assert not told.asked
    slant = before.told.slant
    assert (
        seen.odds(slant, np.array([top.at for top in FOUND]) / scale, None).tolist() == [-3.0] * 3
    )


def test_dice_that_nobody_was_asked_about_before_are_asked_about_with_the_others(told):
    off_plane(Scaled(Halves(PIXELS), 1.0, asked=asked_of(FOUND[:2])), FOUND, 40.0)
    assert [len(middles) for middles, _ in told.asked] == [3]


def test_those_asked_about_before_are_dice_of_that_size():
    seen = Scaled(Halves(PIXELS), 1.0, asked=asked_of(FOUND, side_px=FOUND[0].side_px))
    assert seen.are_dice(FOUND)
    assert seen.are_dice(FOUND[1:])
    assert not seen.are_dice([*FOUND, face_at(100, 400)])
    smaller = asked_of(FOUND, side_px=FOUND[0].side_px / 2)
    assert not Scaled(Halves(PIXELS), 1.0, asked=smaller).are_dice(FOUND)
    assert not Scaled(Halves(PIXELS), 1.0).are_dice(FOUND)


def test_places_on_dice_that_were_asked_about_and_read_are_covered():
    side_px = FOUND[0].side_px
    seen = Scaled(Halves(PIXELS), 1.0, asked=asked_of(FOUND, side_px=side_px))
    places = np.array([top.at for top in FOUND[:2]] + [FOUND[0].at + (0, 2 * side_px)])
    assert seen.covers(places, FOUND).tolist() == [True, True, False]
    assert seen.covers(places, FOUND[1:]).tolist() == [False, True, False]
    assert not seen.covers(places, [*FOUND, face_at(100, 400)]).any()
    assert not Scaled(Halves(PIXELS), 1.0).covers(places, FOUND).any()


def test_one_die_alone_is_never_said_to_lean(told):
    alone = [face_at(300, 200)]
    assert off_plane(Scaled(Halves(PIXELS), 1.0), alone, 40.0).tolist() == [0.0]
    assert not told.asked


@pytest.mark.parametrize(
    ("at", "leans", "flaw"),
    [((300, 200), 0.1, ""), ((300, 200), 0.99, ASKEW), ((380, 200), 0.99, "")],
)
def test_one_die_alone_is_asked_about_where_the_seeker_takes_it_for_leaning(
    told, mocker, at, leans, flaw
):
    corners = np.array(at) + 20 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
    seeker = mocker.Mock(seek=lambda picture, turns: [Seen(corners, 0.9, leans, np.zeros(2))])
    seen = Scaled(Halves(PIXELS), 0.5, seeker)
    assert flaws_on(None, seen, [face_at(150, 100)], 20.0) == [flaw]
    assert not told.asked


@pytest.mark.parametrize(
    ("heat", "leans", "flaw"), [(0.9, 0.6, ""), (0.9, 0.95, ASKEW), (0.4, 0.95, "")]
)
def test_die_beside_others_is_asked_about_where_the_seeker_is_sure_that_it_leans(
    mocker, heat, leans, flaw
):
    mocker.patch.object(pip_standing, "_voter", return_value=Told(-9.0))
    corners = np.array([200, 200]) + 20 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
    seeker = mocker.Mock(seek=lambda picture, turns: [Seen(corners, heat, leans, np.zeros(2))])
    seen, tops = Scaled(Halves(PIXELS), 1.0, seeker), [face_at(200, 200), face_at(400, 260)]
    assert flaws_on(None, seen, tops, 40.0) == [flaw, ""]


def looking(degrees):
    """How the tray is looked at, as its edges tell."""
    low = np.deg2rad(degrees)
    return Slant(np.array([0.0, -np.sin(low), -np.cos(low)]), 1.0, 640.0, np.array([320.0, 240.0]))


def narrower(top, across_px=7.7):
    """The upper face of a die that may lean a little."""
    axes = np.diag([8.0, across_px])
    return replace(top, axes=axes, shape=axes @ axes / 9)


@pytest.fixture
def in_tray(mocker):
    """A picture of a tray that is looked at from above; what the network tells of dice in it."""

    def made(odds, *degrees, **given):
        told, tray = Told(-1.2, odds), tuple(looking(one) for one in degrees)
        mocker.patch.object(pip_standing, "_voter", return_value=told)
        mocker.patch.object(pip_standing, "slants_seen", return_value=tray)
        return Scaled(Halves(PIXELS), 1.0, **({"empty": Halves(PIXELS)} | given)), told

    return made


@pytest.mark.parametrize(("odds", "flaw"), [((3.0, 9.0), ASKEW), ((9.0, -6.0), "")])
def test_one_die_alone_is_asked_about_where_it_leans_in_its_tray_with_every_lens(
    in_tray, odds, flaw
):
    seen, told = in_tray(odds, 0, 4)
    assert flaws_on(None, seen, [face_at(300, 200)], 40.0) == [flaw]
    assert told.trays == [1, 1]
    assert told.sides == pytest.approx([40.0, 40.0], rel=0.05)


def test_tray_is_asked_about_those_of_several_dice_that_may_lean(in_tray):
    odd = narrower(FOUND[1])
    dice = [FOUND[0], odd, FOUND[2]]
    before = off_plane(in_tray(())[0], dice, 40.0)
    assert before[0] < DOUBTED < before[1] < MAY_LEAN
    for odds, most in ((9.0, 1.0), (-6.0, MAY_LEAN)):
        seen, told = in_tray((odds, 9.0), 0, 4)
        off = off_plane(seen, dice, 40.0)
        assert told.trays == [1, 1]
        assert off[[0, 2]].tolist() == before[[0, 2]].tolist()
        assert MAY_LEAN < off[1] == most if odds > 0 else off[1] < most


def test_die_that_leans_beside_others_does_so_whatever_the_tray_says(in_tray):
    dice = [FOUND[0], narrower(FOUND[1], 6.8), FOUND[2]]
    before = off_plane(in_tray(())[0], dice, 40.0)
    assert before[1] > 1
    assert off_plane(in_tray((-6.0,), 0)[0], dice, 40.0).tolist() == before.tolist()


def test_tray_that_lies_otherwise_than_several_dice_is_not_heard(in_tray):
    odd = narrower(FOUND[1])
    seen, told = in_tray((9.0,), 35)
    off_plane(seen, [FOUND[0], odd, FOUND[2]], 40.0)
    assert not told.trays
    off_plane(seen, [FOUND[0], odd], 40.0)
    assert told.trays == [2], "two tell too little against it"


def test_tray_is_not_asked_again_nor_where_earlier_dice_tell_more(in_tray):
    seen, told = in_tray((9.0,), 0, asked=asked_of(FOUND[:1]))
    off_plane(seen, FOUND[:1], 40.0)
    seen, told_too = in_tray((9.0,), 0)
    floor = Floor((face_at(100, 100), face_at(500, 400)), np.full((2, 2), 7.0),
                  sloped(0).normal, 1.2)  # fmt: skip
    off_plane(seen, FOUND[:1], 40.0, floor)
    assert told.trays == told_too.trays == []


def test_edges_of_the_empty_tray_are_looked_at_or_those_around_dice(mocker):
    looked = mocker.patch.object(pip_standing, "slants_seen", return_value=())
    corners = np.array([200, 200]) + 20 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
    seeker = mocker.Mock(seek=lambda picture, turns: [Seen(corners, 0.9, 0.1, np.array((0, 9.0)))])
    empty = Halves(PIXELS + 1)
    assert Scaled(Halves(PIXELS), 1.0, seeker, empty=empty).tray == ()
    assert looked.call_args.args == (empty.pixels,)
    assert Scaled(Halves(PIXELS), 1.0, seeker).tray == ()
    pixels, (outline,) = looked.call_args.args
    assert pixels is not empty.pixels
    assert outline.min(axis=0).tolist() == [180, 180]
    assert outline.max(axis=0).tolist() == [220, 229]
    looked.reset_mock()
    assert Scaled(Halves(PIXELS), 1.0).tray == ()
    assert not looked.called, "nobody knows where dice are"


def test_sides_are_looked_at_once_for_all_looks_at_one_picture(told):
    seen, tops = Scaled(Halves(PIXELS), 1.0), [face_at(200, 200), face_at(400, 260)]
    first = off_plane(seen, tops, 40.0)
    again = off_plane(seen, [face_at(401, 261), face_at(201, 200)], 40.0)
    assert len(told.asked) == 1
    assert np.allclose(first, again[::-1], atol=0.01)
    off_plane(seen, [face_at(200, 200), face_at(430, 260)], 40.0)
    off_plane(seen, [*tops, face_at(300, 100)], 40.0)
    assert len(told.asked) == 3


def test_dice_of_earlier_pictures_are_heard_and_sides_alone_do_not_outvote_pips(told):
    seen, upper = Scaled(Halves(PIXELS), 1.0), face_at(300, 200)
    narrow = np.diag([8.0, 5.0])
    odd = replace(upper, axes=narrow, shape=narrow @ narrow / 9)
    floor = Floor((face_at(100, 100), face_at(500, 400)), np.full((2, 2), 7.0),
                  sloped(0).normal, 1.2)  # fmt: skip
    told.odds = -20.0
    assert off_plane(seen, [upper], 40.0, floor)[0] < 0 < 1 < off_plane(seen, [odd], 40.0, floor)[0]
    ((_, earlier),) = told.asked
    assert earlier.middles.tolist() == [[100, 100], [500, 400]]
    assert earlier.ways.tolist() == [[7, 7], [7, 7]]


@pytest.mark.parametrize("seed", [8, 9])
def test_die_whose_pips_hardly_tell_that_it_leans_is_told_by_its_sides(seed):
    rng = np.random.default_rng(seed)
    tray = random_tray(rng, size=(480, 360), side_px=52.0, elevation=70, ground="plain",
                       light="even")  # fmt: skip
    ((made,), _) = make_rolls(rng, tray, [4], [1])
    look = read_dice(made.pixels)
    tops = [one.upper for one in look.readings]
    (x, y) = next(die.top for die in made.dice if die.flaw)
    leans = [bool(np.hypot(*(top.at - (x, y))) < 8) for top in tops]
    assert sum(leans) == 1
    shares = lean_shares(tops, shared_plane(tops, made.pixels.shape))
    assert shares[leans][0] < 0.7
    assert [one.flaw == "cocked" for one in look.readings] == leans


def test_each_thread_has_a_network_of_its_own():
    mine, theirs = pip_standing._voter(), []
    thread = threading.Thread(target=lambda: theirs.append(pip_standing._voter()))
    thread.start()
    thread.join()
    assert pip_standing._voter() is mine
    assert theirs[0] is not mine
