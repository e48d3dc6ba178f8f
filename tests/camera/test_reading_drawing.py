"""What is drawn on pictures can be read: nothing is hidden, cut off or written over."""

import cv2
import numpy as np
import pytest
from pip_drawing import DrawnDie, draw_dice

from camera.reading_drawing import ASKED_BGR, Area, draw_readings, name_of


@pytest.fixture(scope="module")
def roll():
    rng = np.random.default_rng(1)
    return draw_dice(rng, [DrawnDie(5, 90, 100, 70, 15), DrawnDie(2, 220, 120, 70, 40)], (240, 320))


def test_drawing_marks_a_copy(roll):
    before = roll.copy()
    dice = [{"kind": "d6", "face": "5", "certainty": 0.98, "box": [55, 65, 70, 70]}]
    drawn = draw_readings(roll, {"picture": "a", "accepted": True, "dice": dice})
    assert drawn.shape == roll.shape
    assert (drawn != roll).any()
    assert (roll == before).all()


def test_drawing_tells_what_is_sure_from_what_is_asked_and_why_below(roll):
    sure = {"kind": "white", "face": "key", "certainty": 0.98, "box": [55, 65, 70, 70]}
    asked = {**sure, "certainty": 0.5, "box": [10, 100, 30, 30], "doubt": "unsure"}
    why = "a white die at (25, 115) may show a key or a door, or whatever else there is in the box"
    drawn = draw_readings(roll, {"accepted": False, "dice": [sure, asked], "doubts": [why] * 2})
    more, right = drawn.shape[0] - roll.shape[0], drawn.shape[1] - 1
    assert more > 0
    assert tuple(drawn[100, 125]) == (80, 200, 60)
    assert tuple(drawn[115, 10]) == (0, 140, 255)
    for line in np.split(drawn[-more:], 2):
        assert line.any()
        assert (line[:, right] == 0).all(), "the words are cut off"


def test_die_of_a_set_is_named_with_its_kind():
    assert name_of({"kind": "d6", "face": "5"}) == "5"
    assert name_of({"kind": "red", "face": "blank"}) == "red blank"


def test_place_where_something_may_be_a_die_has_a_ring_and_a_die_that_is_asked_about_has_none(roll):
    die = {"kind": "white", "face": "key", "certainty": 0.5, "box": [10, 100, 30, 30]}
    doubts = ["a white die at (25, 115) may show a key", "something at (200, 60) that may be a die"]
    plain = np.zeros_like(roll)
    drawn = draw_readings(plain, {"accepted": False, "dice": [die], "doubts": doubts})
    ringed = draw_readings(plain, {"accepted": False, "dice": [die], "doubts": doubts[1:]})
    assert (drawn[:240] == ringed[:240]).all()
    ys, xs = np.nonzero((drawn[:240, 100:] == ASKED_BGR).all(axis=2))
    assert (xs.min() + xs.max()) / 2 + 100 == pytest.approx(200, abs=1)
    assert (ys.min() + ys.max()) / 2 == pytest.approx(60, abs=1)


@pytest.mark.parametrize(
    "boxes",
    [
        [(60, 60, 40, 40), (85, 64, 40, 40)],  # side by side, with words longer than a die is wide
        [(60, 60, 40, 40), (62, 90, 40, 40), (64, 120, 40, 40)],
        [(280, 0, 38, 38), (240, 4, 38, 38)],  # in a corner of the picture
        [(0, 200, 38, 38), (30, 196, 38, 38)],
    ],
)
def test_words_are_whole_and_do_not_lie_over_each_other(monkeypatch, boxes):
    written = []
    put = cv2.putText

    def noted(drawn, text, foot, font, size, ink, thick):
        wide, high = cv2.getTextSize(text, font, size, 1)[0]
        written.append(Area(foot[0], foot[1] - high, wide, high))
        return put(drawn, text, foot, font, size, ink, thick)

    monkeypatch.setattr("camera.reading_drawing.cv2.putText", noted)
    die = {"kind": "white", "face": "diamond", "certainty": 0.99}
    dice = [{**die, "box": list(box)} for box in boxes]
    draw_readings(np.zeros((240, 320, 3), np.uint8), {"accepted": True, "dice": dice})
    assert len(written) == len(boxes)
    for number, area in enumerate(written):
        assert area.left >= 0
        assert area.left + area.width <= 320
        assert area.top >= 0
        assert area.top + area.height <= 240
        assert not any(area.shared(other) for other in written[:number])
