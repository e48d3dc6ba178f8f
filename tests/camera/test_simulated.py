"""The simulated tray does what is asked of it, and shows it."""

import math

import numpy as np
import pytest

from camera.simulated import SimulatedTray
from camera.stage import EXPOSURE_S
from companion.dice import DiceSet

ZONES = {
    "adventurer": ["white-1", "white-2", "white-3", "white-4", "gold-1", "gold-2"],
    "dragon": ["red-1", "red-2"],
}
NOISE = 6.5  # mean difference of two equal pictures is below; a die in another place is far above


def tray(dice: DiceSet, seed: int = 1) -> SimulatedTray:
    return SimulatedTray(dice, ZONES, seed=seed)


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Largest mean difference over blocks of 8 x 8 pixels."""
    apart = np.abs(one.astype(int) - other.astype(int)).mean(axis=2)
    height, width = (n // 8 * 8 for n in apart.shape)
    blocks = apart[:height, :width].reshape(height // 8, 8, width // 8, 8)
    return float(blocks.mean(axis=(1, 3)).max())


def test_pictures_are_the_same_when_seed_and_calls_are(grotto_dice: DiceSet) -> None:
    pictures = []
    for _ in range(2):
        twin = tray(grotto_dice, seed=8)
        rest_s = twin.throw({"white-1": "troll", "red-2": "dragon"}, 0.5)
        pictures.append([twin.frame(at_s).pixels for at_s in (0.0, 0.7, rest_s)])
    assert all(np.array_equal(a, b) for a, b in zip(*pictures, strict=True))


def test_noise_differs_from_frame_to_frame_when_nothing_moves(grotto_dice: DiceSet) -> None:
    quiet = tray(grotto_dice)
    one, other = quiet.frame(1.0).pixels, quiet.frame(1.1).pixels
    assert 0 < difference(one, other) < NOISE


def test_pictures_stay_the_same_from_the_time_of_rest_on(grotto_dice: DiceSet) -> None:
    thrown = tray(grotto_dice)
    rest_s = thrown.throw({"white-1": "troll", "white-2": "key"}, 0.0)
    assert thrown.quiet_after_s() == rest_s
    at_rest = thrown.frame(rest_s).pixels
    assert difference(at_rest, thrown.frame(rest_s + 3.0).pixels) < NOISE
    assert difference(at_rest, thrown.frame(rest_s - 0.05 - EXPOSURE_S).pixels) > 2 * NOISE


def test_tray_is_empty_again_when_all_dice_are_taken_out(grotto_dice: DiceSet) -> None:
    thrown = tray(grotto_dice)
    rest_s = thrown.throw({"white-1": "troll", "red-1": "dragon"}, 0.0)
    assert difference(thrown.frame(rest_s).pixels, thrown.empty()) > 2 * NOISE
    gone_s = thrown.take_out(["white-1", "red-1"], rest_s + 1.0)
    assert difference(thrown.frame(gone_s).pixels, thrown.empty()) < NOISE


def test_hand_reaches_in_when_dice_lie_in_the_tray_already(grotto_dice: DiceSet) -> None:
    thrown = tray(grotto_dice)
    first_s = thrown.throw({"red-1": "blank"}, 0.0)
    again_s = thrown.throw({"red-1": "blank"}, 5.0)
    assert first_s < 1.0
    assert again_s - 5.0 > 0.9
    assert difference(thrown.frame(5.2).pixels, thrown.frame(4.9).pixels) > 4 * NOISE


def test_throws_overlap_in_time_when_they_are_in_different_zones(grotto_dice: DiceSet) -> None:
    thrown = tray(grotto_dice)
    left_s = thrown.throw({"white-1": "key"}, 0.0)
    right_s = thrown.throw({"red-1": "blank"}, 0.0)
    assert max(left_s, right_s) < 1.0


def test_throw_waits_when_its_tray_is_still_busy(grotto_dice: DiceSet) -> None:
    thrown = tray(grotto_dice)
    first_s = thrown.throw({"white-1": "key"}, 0.0)
    assert thrown.throw({"white-2": "key"}, 0.1) > first_s + 0.4


@pytest.mark.parametrize("seed", range(6))
def test_dice_never_lie_in_each_other_nor_outside(grotto_dice: DiceSet, seed: int) -> None:
    thrown, at_s = tray(grotto_dice, seed), 0.0
    for _ in range(10):
        at_s = thrown.throw({die.name: die.faces[0] for die in grotto_dice}, at_s) + 0.1
        for zone, names in ZONES.items():
            floor = thrown.zones()[zone].size_sides
            left = thrown._scene.floors[zone].left
            places = [thrown._pose_after(name, at_s) for name in names]
            spots = [place.centre for place in places if place is not None]
            assert len(spots) == len(names)
            assert all(0.5 < x - left < floor[0] - 0.5 for x, _, _ in spots)
            assert all(0.5 < y < floor[1] - 0.5 for _, y, _ in spots)
            apart = [math.dist(a[:2], b[:2]) for i, a in enumerate(spots) for b in spots[:i]]
            assert min(apart) > 0.95


def test_die_keeps_its_face_when_it_is_moved_aside(grotto_dice: DiceSet) -> None:
    thrown = tray(grotto_dice)
    rest_s = thrown.throw({"white-1": "door"}, 0.0)
    before = thrown._pose_after("white-1", rest_s)
    after = thrown._pose_after("white-1", thrown.move_aside(["white-1"], rest_s))
    assert before is not None
    assert after is not None
    assert after.top == before.top
    assert np.array_equal(after.turn, before.turn)
    assert math.dist(after.centre, before.centre) > 0.1


def test_names_follow_what_people_call_the_dice(grotto_dice: DiceSet) -> None:
    thrown = tray(grotto_dice)
    rest_s = thrown.throw({"white-1": "troll", "white-2": "key"}, 0.0)
    places = {}
    for name, called in (("white-1", "white-4"), ("white-2", "white-1")):
        pose = thrown._pose_after(name, rest_s)
        assert pose is not None
        x, y = thrown._scene.project(np.array([pose.centre]))[0]
        places[called] = (float(x), float(y))
    before = thrown.frame(rest_s + 1).pixels
    thrown.call_as_seen(places)
    tops = {name: thrown._pose_after(name, rest_s) for name in ZONES["adventurer"]}
    faces = {name: pose.top for name, pose in tops.items() if pose is not None}
    assert faces == {"white-4": "troll", "white-1": "key"}
    assert np.array_equal(thrown.frame(rest_s + 1).pixels, before)


def test_many_dice_get_a_tray_with_room(grotto_dice: DiceSet) -> None:
    from companion.dice import Die

    crowd = DiceSet.of([Die(f"pip-{n}", "pip", tuple("123456"), "#2050a0") for n in range(24)])
    full = SimulatedTray(crowd, {"tray": list(crowd.dice)}, seed=2)
    rest_s = full.throw({name: "5" for name in crowd.dice}, 0.0)
    assert len(full._lying_in("tray", rest_s, ())) == 24


def test_throw_is_refused_when_die_or_face_is_unknown(grotto_dice: DiceSet) -> None:
    with pytest.raises(ValueError, match="expected dice among white-1"):
        tray(grotto_dice).throw({"blue-1": "key"}, 0.0)
    with pytest.raises(ValueError, match="white-1: expected a face of diamond, door, key, troll"):
        tray(grotto_dice).throw({"white-1": "dragon"}, 0.0)
