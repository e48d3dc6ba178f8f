import numpy as np
import pytest
from pip_drawing import BLACK, BLUE, WHITE, DrawnDie, draw_dice

from camera.pip_anew import doubts_about, read_anew
from camera.pip_lattice import unlike
from camera.pip_readings import Look, PipReading
from camera.pip_votes import upright_patches, votes
from camera.pips import read_dice
from camera.tray_readers import PipDice
from companion.dice import Die

FACES = (5, 6, 4, 3)


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


def test_upper_sides_are_seen_as_what_they_show(laid):
    grey = laid[0].mean(axis=2).astype(np.uint8)
    chances = votes(upright_patches(grey, np.array([corners_of(die) for die in laid[1]])))
    assert chances.argmax(axis=1).tolist() == list(FACES)


def test_what_was_read_right_and_surely_is_not_doubted(laid):
    assert doubts_about(laid[0], readings_of(laid[1])) == [False] * len(FACES)


def test_another_face_than_lies_there_is_doubted(laid):
    wrong = [
        (corners, PipReading(7 - one.face, 0.99, one.box)) for corners, one in readings_of(laid[1])
    ]
    assert doubts_about(laid[0], wrong) == [True] * len(FACES)


def test_what_was_read_unsurely_is_doubted_and_what_lies_badly_is_not_read_anew(laid):
    assert all(doubts_about(laid[0], readings_of(laid[1], certainty=0.6)))
    assert not any(doubts_about(laid[0], readings_of(laid[1], certainty=0.3, flaw="cut")))


def test_a_die_that_nobody_read_is_doubted_and_bare_floor_is_not(laid):
    bare = [(corners_of(DrawnDie(1, x, 400, 62, 10)), None) for x in (80, 160, 240, 320)]
    places = [(corners, None) for corners, _ in readings_of(laid[1])]
    assert doubts_about(laid[0], places) == [True] * len(FACES)
    assert not all(doubts_about(laid[0], bare))
    assert doubts_about(laid[0], []) == []


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
    monkeypatch.setattr("camera.tray_readers.read_anew", lambda *place: anew.append(place))
    readings = PipDice().read(laid[0], None)
    assert sorted(one.face for one in readings) == sorted(map(str, FACES))
    assert all(not one.doubt for one in readings)
    assert anew == []


def test_a_die_is_read_anew_and_asked_about_where_the_looks_differ(laid, monkeypatch):
    other = PipReading(2, 0.99, (0, 0, 1, 1), ((2, 0.9),))
    monkeypatch.setattr("camera.tray_readers.doubts_about", lambda _, places: [True] * len(places))
    monkeypatch.setattr("camera.tray_readers.read_anew", lambda *_: other)
    readings = PipDice().read(laid[0], None)
    assert [one.doubt for one in readings] == ["unsure"] * len(FACES)
    assert all("2" in one.choices for one in readings)


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
    monkeypatch.setattr("camera.tray_readers.read_dice", lambda *_, **__: Look(seen, False, doubts))
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
