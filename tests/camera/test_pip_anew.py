import numpy as np
import pytest
from pip_drawing import BLACK, BLUE, WHITE, DrawnDie, draw_dice

from camera.doubts import Doubt
from camera.leaning import Leaning
from camera.pip_anew import doubted, read_anew, votes_on
from camera.pip_beside import off_dice
from camera.pip_lattice import unlike
from camera.pip_readings import Look, PipReading
from camera.pip_votes import upright_patches, votes
from camera.pips import read_dice
from camera.seek import Seen
from camera.slant import Slant
from camera.tray_pips import PipDice
from camera.upper_sides import Top, Tops
from companion.dice import Die

FACES = (5, 6, 4, 3)
STRAIGHT_DOWN = Slant(np.array([0.0, 0.0, -1.0]), 62.0, 700.0, np.array([320.0, 240.0]))


def corners_of(die):
    turn = np.deg2rad(die.turn_deg)
    half = die.side_px / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (
        die.x,
        die.y,
    )


@pytest.fixture(scope="module")
def laid():
    rng = np.random.default_rng(31)
    dice = [
        DrawnDie(face, 110 + 140 * n, 130 + 70 * n, 62, 23 * n, WHITE, BLACK)
        for n, face in enumerate(FACES)
    ]
    return draw_dice(rng, dice), dice


def readings_of(dice, certainty=0.99, flaw=""):
    return [
        (corners_of(die), PipReading(die.face, certainty, (0, 0, 1, 1), flaw=flaw)) for die in dice
    ]


def tops_of(dice):
    seen = [Seen(corners_of(die), 0.9, 0.0, np.zeros(2)) for die in dice]
    return Tops([Top(one, one.corners, np.zeros(3)) for one in seen], STRAIGHT_DOWN, seen)


def are_doubted(pixels, places, *, accepted=False):
    in_doubt = doubted(pixels, places, accepted=accepted)
    return [row in in_doubt for row in range(len(places))]


def test_upper_sides_are_seen_as_what_they_show(laid):
    grey = laid[0].mean(axis=2).astype(np.uint8)
    chances = votes(upright_patches(grey, np.array([corners_of(die) for die in laid[1]])))
    assert chances.argmax(axis=1).tolist() == list(FACES)


def test_what_was_read_right_and_surely_is_not_doubted(laid):
    assert are_doubted(laid[0], readings_of(laid[1])) == [False] * len(FACES)


def test_another_face_than_lies_there_is_doubted(laid):
    wrong = [
        (corners, PipReading(7 - one.face, 0.99, one.box)) for corners, one in readings_of(laid[1])
    ]
    assert are_doubted(laid[0], wrong) == [True] * len(FACES)


def test_what_was_read_unsurely_is_doubted_and_what_lies_badly_is_not_read_anew(laid):
    assert all(are_doubted(laid[0], readings_of(laid[1], certainty=0.6)))
    assert not any(are_doubted(laid[0], readings_of(laid[1], certainty=0.3, flaw="cut")))


def test_a_die_that_nobody_read_is_doubted_and_bare_floor_is_not(laid):
    bare = [(corners_of(DrawnDie(1, x, 400, 62, 10)), None) for x in (80, 160, 240, 320)]
    places = [(corners, None) for corners, _ in readings_of(laid[1])]
    assert are_doubted(laid[0], places) == [True] * len(FACES)
    assert not all(are_doubted(laid[0], bare))
    assert are_doubted(laid[0], []) == []


def test_only_what_was_unsure_is_looked_at_again_in_a_clear_picture(laid, mocker):
    places = readings_of(laid[1])
    places[0] = readings_of(laid[1], certainty=0.6)[0]
    places[1] = (places[1][0], None)
    looked = mocker.patch("camera.pip_anew.votes_on", wraps=votes_on)
    assert are_doubted(laid[0], places, accepted=True) == [True, True, False, False]
    assert [len(call.args[1]) for call in looked.call_args_list] == [2]


def test_sides_are_read_anew_by_themselves(laid):
    found = [read_anew(laid[0], corners) for corners, _ in readings_of(laid[1])]
    assert [one and one.face for one in found] == list(FACES)
    assert read_anew(laid[0], corners_of(DrawnDie(1, 120, 400, 62, 10))) is None


def test_a_side_that_is_read_anew_says_where_its_face_is_in_the_picture(laid):
    whole = {one.face: one.upper for one in read_dice(laid[0]).readings}
    for die in laid[1]:
        askew = corners_of(die) * (1.0, 1.02) + (2, -3)
        upper = read_anew(laid[0], askew).upper
        assert np.hypot(*(upper.at - whole[die.face].at)) < 0.05 * die.side_px
        assert unlike(upper.shape, whole[die.face].shape) < 0.15


def test_pips_of_a_side_that_can_be_seen_beside_it_belong_to_no_upper_side():
    rng = np.random.default_rng(7)
    top = DrawnDie(4, 200, 200, 62, 0, BLUE, WHITE)
    side = DrawnDie(4, 200, 145, 62, 0, (150, 50, 25), WHITE)  # darker; two pips as of a 6
    one = read_anew(draw_dice(rng, [side, top], grain=4.0), corners_of(top))
    assert one is not None
    assert (one.face, one.flaw) == (4, "")


def test_one_look_more_at_all_is_enough_where_the_whole_picture_was_read_surely(laid, monkeypatch):
    assert read_dice(laid[0]).accepted
    anew = []
    monkeypatch.setattr("camera.tray_pips.read_anew", lambda *place: anew.append(place))
    readings = PipDice().read(laid[0], None)
    assert sorted(one.face for one in readings) == sorted(map(str, FACES))
    assert all(not one.doubt for one in readings)
    assert anew == []


def test_a_die_is_read_anew_and_asked_about_where_the_looks_differ(laid, monkeypatch):
    other = PipReading(2, 0.99, (0, 0, 1, 1), ((2, 0.9),))
    doubtful = dict.fromkeys(range(len(FACES)), np.zeros(7))
    monkeypatch.setattr("camera.tray_pips.doubted", lambda *_, **__: doubtful)
    monkeypatch.setattr("camera.tray_pips.read_anew", lambda *_: other)
    readings = PipDice().read(laid[0], None)
    assert [one.doubt for one in readings] == ["unsure"] * len(FACES)
    assert all("2" in one.choices for one in readings)


def halves_doubted(laid, monkeypatch, *, flaw="", chance=0.97):
    """What is read where both looks are in doubt, and the network is as sure as `chance`."""
    seen = [
        PipReading(die.face, 0.85, (round(die.x) - 31, round(die.y) - 31, 62, 62), flaw=flaw)
        for die in laid[1]
    ]
    look, by_middle = Look(tuple(seen), False, ("a 1 that may be none",)), iter(seen)
    chances = [np.eye(7)[die.face] * chance for die in laid[1]]
    monkeypatch.setattr("camera.tray_pips.read_dice", lambda *_, **__: look)
    monkeypatch.setattr("camera.tray_pips.read_anew", lambda *_: next(by_middle))
    monkeypatch.setattr("camera.tray_pips.is_in", lambda one, _: True)
    monkeypatch.setattr("camera.pip_anew.votes_on", lambda *_: np.array(chances))
    return PipDice().read(laid[0], None)


@pytest.mark.parametrize(
    ("flaw", "chance", "is_sure"), [("", 0.97, True), ("", 0.8, False), ("askew", 0.97, False)]
)
def test_face_that_both_looks_and_the_network_see_is_sure_whatever_else_is_in_doubt(
    laid, monkeypatch, flaw, chance, is_sure
):
    readings = halves_doubted(laid, monkeypatch, flaw=flaw, chance=chance)
    assert len(readings) == len(FACES)
    assert [not one.doubt for one in readings] == [is_sure] * len(FACES)


@pytest.mark.parametrize(("voted", "is_sure"), [(None, True), (4, False)])
def test_face_that_one_look_alone_sees_counts_only_if_the_network_sees_it_too(
    laid, monkeypatch, voted, is_sure
):
    """A pip that the edge of a shadow hides makes a 2 of a 4."""
    dice = [die for die in laid[1] if die.face != voted]
    seen = iter(one for _, one in readings_of(dice))
    chances = [0.98 * np.eye(7)[voted or die.face] for die in dice]
    monkeypatch.setattr("camera.tray_pips.read_dice", lambda *_, **__: Look((), False, ()))
    monkeypatch.setattr("camera.tray_pips.read_anew", lambda *_: next(seen))
    monkeypatch.setattr("camera.tray_pips.find_tops", lambda *_, **__: tops_of(dice))
    monkeypatch.setattr("camera.pip_anew.votes_on", lambda *_: chances)
    readings = PipDice().read(laid[0], None)
    assert [not one.doubt for one in readings] == [is_sure] * len(dice)
    assert all(voted is None or str(voted) in one.choices for one in readings)


@pytest.mark.parametrize(
    ("odds", "count", "is_doubted"), [(1.0, 4, True), (-1.0, 4, False), (-1.0, 1, True)]
)
def test_die_that_looks_as_if_it_leans_is_doubted_whatever_it_shows(
    laid, monkeypatch, odds, count, is_doubted
):
    """Sooner where no other die is there to compare it with."""

    def leaning(voter, picture, empty, tops, slant, *_):
        middles = np.array([top.corners.mean(axis=0) for top in tops])
        flat = np.full(len(tops), -4.0)
        return Leaning(odds + 0 * flat, slant, slant.down(middles), flat), None

    monkeypatch.setattr("camera.tray_leaning.leaning_in", leaning)
    picture = draw_dice(np.random.default_rng(31), laid[1][:count])
    readings = PipDice().read(picture, None)
    assert sorted(one.face for one in readings) == sorted(map(str, FACES[:count]))
    assert [one.doubt for one in readings] == ["unsure" if is_doubted else ""] * count


def test_pips_on_the_side_of_a_die_that_was_read_are_none_of_another():
    slant = Slant(np.array([0.0, -0.6, -0.8]), 60.0, 550.0, np.array([240.0, 180.0]))
    top = corners_of(DrawnDie(4, 200, 150, 60, 0))
    below = top.mean(axis=0) + 0.8 * slant.down(top).mean(axis=0)
    told = [Doubt("pips", below), Doubt("pips", below + (90, 0)), "no place"]
    assert off_dice(told, slant, [top]) == (told[1], "no place")
    assert off_dice(told, None, [top]) == off_dice(told, slant, []) == tuple(told)


@pytest.mark.parametrize(
    ("readings", "doubts", "left"),
    [
        (1, ("pips of a die that was not read", "no dice"), ("pips of a die that was not read",)),
        (1, ("a 1 that may be none", "a 4 on the side of a die that was not read"),
         ("a 4 on the side of a die that was not read",)),
        (0, ("no dice",), ("dice that are seen only from close by: there may be more",)),
    ],
)  # fmt: skip
def test_what_may_be_dice_that_were_not_read_is_told(laid, monkeypatch, readings, doubts, left):
    seen = read_dice(laid[0]).readings[:readings]
    monkeypatch.setattr("camera.tray_pips.read_dice", lambda *_, **__: Look(seen, False, doubts))
    reader = PipDice()
    assert reader.read(laid[0], None)
    assert reader.left_over == left


def test_kinds_that_differ_by_colour_are_not_told_in_a_picture_without_any(laid):
    pips = ("1", "2", "3", "4", "5", "6")
    dice = [Die("a", "white", pips, "#f0f0f0"), Die("b", "blue", pips, "#2040c0")]
    seen = PipDice(dice).read(laid[0], None)
    assert {one.kind for one in seen if not one.doubt} == {"white"}
    grey = np.repeat(laid[0].mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    assert all(one.doubt for one in PipDice(dice).read(grey, None))
    assert not any(one.doubt for one in PipDice(dice[:1]).read(grey, None))
