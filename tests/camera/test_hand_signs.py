"""Whether a hand is in a tray, and whether it pushed a die, is told by the tray without it."""

import cv2
import numpy as np
import pytest
from die_drawing import SIDE_PX, WIDTH, floor, lay
from watched_tray import WHITE, faces_of, is_soon

from camera.halves import Halves
from camera.hand_signs import HandSigns
from camera.live import LiveTray
from camera.rolled import UNREAD, LaidDie
from camera.slant import Slant
from camera.stills import DieReading
from camera.tracks import Track

ABOVE = Slant(np.array([0.0, 0.0, -1.0]), SIDE_PX, 550.0, np.array([WIDTH / 2, 180.0]))
SQUARE = SIDE_PX / 2 * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)])
THERE, BESIDE = (300, 180), (110, 120)


def tray(*places, arm=None):
    """Dice lie at these places, and an arm reaches from below to one."""
    pixels = floor(2)
    for place in places:
        lay(pixels, "blank", place, 0)
    if arm:
        cv2.line(pixels, arm, (arm[0], 400), (120, 150, 205), 40)
    return Halves(pixels)


def laid(place, certainty=0.99, since_s=2 / 30):
    corners = SQUARE + place
    reading = DieReading("white", "key", certainty, (0, 0, 9, 9), corners, ("key", "door"), "")
    return LaidDie(Track(corners, 0.9, since_s), reading)


FROM = (180, 180)


def seen(*frames, empty=True, calm=False, slant=ABOVE):
    """What frames tell beside the empty tray, or a calm one in which a die lay elsewhere."""
    signs = HandSigns(Halves(floor(1)) if empty else None)
    if calm:
        signs.keep(tray(FROM, BESIDE), [laid(FROM), laid(BESIDE)])
    for number, frame in enumerate(frames):
        signs.see(number / 30, frame, slant)
    return signs


NEARLY = (THERE[0] - 9, THERE[1])


@pytest.mark.parametrize("known", [{"empty": True}, {"empty": False, "calm": True}])
@pytest.mark.parametrize(
    ("arms", "came_alone"),
    [
        ((None, None, None), True),
        (((200, 240), None, None), True),
        ((None, (220, 240), None), False),
    ],
)
def test_hand_that_is_gone_before_a_die_lies_did_not_push_it(arms, came_alone, known):
    places = (FROM, NEARLY, THERE)
    frames = [tray(one, BESIDE, arm=arm) for one, arm in zip(places, arms, strict=True)]
    die = laid(THERE)
    assert seen(*frames, **known).came_alone(die, [die, laid(BESIDE)]) is came_alone


def test_nobody_knows_how_a_die_came_without_a_tray_to_compare_with_or_frames_of_it():
    frames, die = [tray(NEARLY), tray(NEARLY), tray(THERE)], laid(THERE)
    assert seen(*frames, empty=False).came_alone(die, [die]) is None
    assert seen(*frames, slant=None).came_alone(die, [die]) is None
    assert seen(*frames[2:]).came_alone(laid(THERE, since_s=0.0), [die]) is None


def shadow_at(place):
    pixels = floor(2).astype(float)
    x, y = place
    pixels[y - 39 : y + 39, x - 39 : x + 39] *= 0.5
    return Halves(lay(pixels.astype(np.uint8), "blank", BESIDE, 0))


def test_what_is_hardly_read_may_be_a_hand_or_its_shadow_unless_it_stands_there_alone():
    known, doubtful = laid(BESIDE), laid(THERE, certainty=0.5)
    dice = [known, doubtful]
    assert not seen(tray(BESIDE, THERE)).may_look_like([doubtful], dice)
    assert seen(tray(BESIDE, THERE, arm=(300, 220))).may_look_like([doubtful], dice)
    assert seen(shadow_at(THERE)).may_look_like([doubtful], dice)
    assert seen(tray(BESIDE, THERE), empty=False).may_look_like([doubtful], dice)
    sure = laid(THERE, certainty=0.8)
    assert not seen(tray(BESIDE, THERE), empty=False).may_look_like([sure], [known, sure])


def test_a_hand_may_hide_dice_while_it_is_there_and_what_is_seen_is_hardly_a_die():
    lost, doubtful, sure = laid(FROM), laid(THERE, certainty=0.5), laid(THERE)
    arm = seen(tray(BESIDE, THERE, arm=(220, 200)), empty=False, calm=True)
    assert arm.may_hide([lost], [doubtful], [laid(BESIDE), doubtful], for_s=1.0)
    assert not arm.may_hide([lost], [doubtful], [laid(BESIDE), doubtful], for_s=2.5)
    assert not arm.may_hide([lost], [sure], [laid(BESIDE), sure], for_s=1.0)
    finger = laid(THERE, certainty=0.2)
    for for_s in (4.0, 5.0):
        assert arm.may_hide([lost], [finger], [laid(BESIDE), finger], for_s=for_s) is (for_s < 4.5)
    bare = seen(tray(BESIDE, THERE), empty=False, calm=True)
    assert not bare.may_hide([lost], [doubtful], [laid(BESIDE), doubtful], for_s=1.0)


def test_die_that_lies_half_where_one_lay_hides_none_if_it_is_no_finger():
    at = (FROM[0] + 15, FROM[1])
    picture, lost = seen(tray(BESIDE, at)), laid(FROM)
    for certainty, is_finger in ((0.5, False), (0.2, True)):
        rolled = laid(at, certainty=certainty)
        assert picture.may_hide([lost], [rolled], [laid(BESIDE), rolled], for_s=1.0) is is_finger


@pytest.mark.parametrize("is_given", [True, False])
def test_doubtful_die_that_comes_alone_is_told_soon(watched, is_given):
    tray = watched(names=WHITE[:2])
    if not is_given:
        tray.live = LiveTray(None, reader=tray.oracle)
    tray.throw({"white-1": "key"}, after_s=1.0)
    tray.oracle.sure = 0.5
    rest_s, [throw] = tray.throw({"white-2": "door"})
    assert is_soon(throw, rest_s)
    assert (faces_of(throw), throw.accepted) == (["door"], False)


@pytest.mark.parametrize("face", ["door", UNREAD])
@pytest.mark.parametrize("is_hand", [True, False])
def test_one_die_more_in_doubt_is_waited_for_while_it_may_be_a_hand_that_rests(
    watched, mocker, is_hand, face
):
    tray = watched(names=WHITE[:2])
    tray.throw({"white-1": "key"}, after_s=1.0)
    tray.oracle.sure = 0.5
    tray.oracle.misses["white-2"] = range(9999) if face == UNREAD else ()
    mocker.patch.object(HandSigns, "may_look_like", return_value=is_hand)
    rest_s, told = tray.throw({"white-2": "door"}, after_s=4.0)
    assert len(told) == (not is_hand)
    told += tray.run(1.0)  # who rests a hand there for longer may have laid a die there
    assert [(faces_of(throw), throw.accepted) for throw in told] == [([face], False)]
    assert abs(told[0].at_s - rest_s) < 0.05
