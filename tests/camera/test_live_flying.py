"""Dice that still fly while others lie: a roll is told once all lie, and no shadow delays it."""

import cv2
import numpy as np
import pytest
from watched_tray import FRAME_S, WHITE, faces_of, is_soon

from camera.throws import Glide, Resting

SHADE, SMEAR = 0.6, np.array((250.0, 150.0, 230.0))
CROSSING_S = 0.3


def crossed(tray, from_s, look):
    """Frames in which something as large as a die crosses the tray from then on, as it looks."""
    plain = tray.frame

    def frame():
        now, past_s = plain(), tray.now_s - from_s
        if not 0 <= past_s < CROSSING_S:
            return now
        y = round(60 + 130 * past_s / CROSSING_S)
        spot = cv2.ellipse(np.zeros(now.pixels.shape[:2]), (400, y), (11, 16), 0, 0, 360, 1.0, -1)
        soft = cv2.GaussianBlur(spot, (0, 0), 2)[..., None]
        return now._replace(pixels=look(now.pixels, soft).astype(np.uint8))

    return frame


def shade(pixels, spot):
    return pixels * (1 - SHADE * spot)


def smear(pixels, spot):
    return pixels + 0.6 * spot * (SMEAR - pixels)


@pytest.mark.parametrize(("look", "is_awaited"), [(shade, False), (smear, True)])
def test_roll_waits_for_what_flies_beside_it_but_for_no_shadow(watched, look, is_awaited):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    rest_s = tray.tray.throw({"white-1": "troll"}, tray.now_s)
    tray.frame = crossed(tray, rest_s - FRAME_S, look)
    [throw] = tray.run(rest_s - tray.now_s + 0.6)
    assert faces_of(throw) == ["troll"]
    assert abs(throw.at_s - rest_s) <= FRAME_S
    assert is_soon(throw, rest_s) is not is_awaited


def struck(tray, name, way, from_s, until_s):
    """A thrown die strikes one that lies there: it slides so far, in sides."""
    begin = tray.tray._motion_at(name, from_s).lies
    x, y, z = begin.centre
    to = (x + way[0], y + way[1])
    there = Resting(begin._replace(centre=(*to, z)))
    tray.tray._ways[name] += [(from_s, Glide(begin, to, from_s, until_s)), (until_s, there)]


def test_die_that_was_struck_far_away_was_not_rolled_and_all_rest_once_it_does(watched):
    """For longer than a hand needs to pick it up and throw it, but it is seen all the way."""
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key", "white-2": "door"})
    lies_s = tray.tray.throw({"white-1": "troll"}, tray.now_s)
    struck(tray, "white-2", (1.5, 0.4), lies_s - 0.5, lies_s + 0.3)
    [throw] = tray.run(lies_s - tray.now_s + 1.0)
    assert (faces_of(throw), faces_of(throw, moved=False)) == (["troll"], ["door"])
    assert is_soon(throw, lies_s + 0.3)
