"""Thrown dice are found and read right, or not at all."""

import math
import random
from collections import Counter

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from camera.calibrate import Zone, ZoneView
from camera.dice_sets import DiceLooks
from camera.enrolment import enrol_simulated
from camera.find import Body, Finder
from camera.simulated import SimulatedTray
from camera.symbols import FaceReader, Likeness
from camera.watch import CERTAIN
from companion.dice import DiceSet, Die
from companion.errors import PictureError

ZONES = {
    "adventurer": ["white-1", "white-2", "white-3", "white-4", "gold-1", "gold-2"],
    "dragon": ["red-1", "red-2"],
}


def read_all(
    zone: Zone, pixels: np.ndarray, empty: np.ndarray, looks: DiceLooks
) -> list[tuple[Body, Likeness]]:
    view = ZoneView(zone)
    reader = FaceReader(looks.patches)
    return [(b, reader.read(view, pixels, b)) for b in Finder(view, empty).find(pixels).bodies]


def faces_in(told: list[tuple[Body, Likeness]]) -> Counter[tuple[str, str]]:
    return Counter((like.kind, like.face) for _, like in told)


@pytest.mark.parametrize("seed", range(4))
def test_every_thrown_die_is_read_right(
    grotto_dice: DiceSet, grotto_looks: DiceLooks, seed: int
) -> None:
    tray, chance, at_s = SimulatedTray(grotto_dice, ZONES, seed=seed), random.Random(seed), 0.0
    finders = {name: Finder(ZoneView(z), tray.empty()) for name, z in tray.zones().items()}
    reader = FaceReader(grotto_looks.patches)
    for _ in range(4):
        faces = {die.name: chance.choice(sorted(set(die.faces))) for die in grotto_dice}
        at_s = tray.throw(faces, at_s)
        pixels = tray.frame(at_s).pixels
        for zone, finder in finders.items():
            found = finder.find(pixels)
            assert found.is_clear
            told = [(body, reader.read(finder.view, pixels, body)) for body in found.bodies]
            sure = faces_in([(b, like) for b, like in told if like.certainty >= CERTAIN])
            expected = Counter((grotto_dice[n].kind, faces[n]) for n in ZONES[zone])
            assert sure <= expected  # nothing is guessed
            assert len(told) == len(ZONES[zone])
            assert sum(expected.values()) - sum(sure.values()) <= 1  # hardly anything is doubted


def test_coloured_pip_dice_are_read_too() -> None:
    colours = {"blue": "#2458b8", "black": "#202024", "white": "#f4f1e8"}
    dice = DiceSet.of(
        Die(f"{kind}-{n}", kind, tuple("123456"), colour)
        for kind, colour in colours.items()
        for n in (1, 2)
    )
    looks, at_s = enrol_simulated(dice, seed=3), 0.0
    tray, chance = SimulatedTray(dice, {"tray": list(dice.dice)}, seed=3), random.Random(3)
    right = Counter[str]()
    for _ in range(4):
        faces = {name: chance.choice("123456") for name in dice.dice}
        at_s = tray.throw(faces, at_s)
        told = read_all(tray.zones()["tray"], tray.frame(at_s).pixels, tray.empty(), looks)
        sure = faces_in([(b, like) for b, like in told if like.certainty >= CERTAIN])
        expected = Counter((dice[n].kind, face) for n, face in faces.items())
        assert sure <= expected
        right.update(read=sum(sure.values()), thrown=len(faces))
    assert right["read"] >= 0.95 * right["thrown"]


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_readings_are_the_same_when_the_picture_is_turned(
    grotto_dice: DiceSet, grotto_looks: DiceLooks, quarter_turns: int
) -> None:
    tray = SimulatedTray(grotto_dice, ZONES, seed=21)
    rest_s = tray.throw({"white-1": "troll", "white-2": "key", "gold-1": "gold2"}, 0.0)
    zone, pixels, empty = tray.zones()["adventurer"], tray.frame(rest_s).pixels, tray.empty()
    upright = read_all(zone, pixels, empty, grotto_looks)
    turned = _turned_zone(zone, quarter_turns)
    told = read_all(
        turned, np.rot90(pixels, quarter_turns).copy(), np.rot90(empty, quarter_turns).copy(),
        grotto_looks,
    )  # fmt: skip
    assert faces_in(told) == faces_in(upright) != Counter()
    assert min(like.certainty for _, like in told) >= CERTAIN
    for (one, _), (other, _) in zip(upright, told, strict=True):
        assert math.dist((one.x, one.y), (other.x, other.y)) < 0.1


def _turned_zone(zone: Zone, quarter_turns: int) -> Zone:
    """The same zone in a picture that np.rot90 has turned anticlockwise."""
    corners, (width, height) = zone.corners, zone.picture_px
    for _ in range(quarter_turns):
        corners = tuple((y, width - x) for x, y in corners)
        width, height = height, width
    return Zone(zone.name, corners, zone.size_sides, (width, height))


@pytest.mark.parametrize("gain", [0.7, 0.85, 1.15])
def test_readings_are_the_same_when_the_exposure_changes(
    grotto_dice: DiceSet, grotto_looks: DiceLooks, gain: float
) -> None:
    tray = SimulatedTray(grotto_dice, ZONES, seed=22)
    rest_s = tray.throw({"white-1": "door", "white-2": "diamond", "gold-1": "blank"}, 0.0)
    pixels = cv2.convertScaleAbs(tray.frame(rest_s).pixels, alpha=gain)
    told = read_all(tray.zones()["adventurer"], pixels, tray.empty(), grotto_looks)
    assert faces_in(told) == Counter(
        {("white", "door"): 1, ("white", "diamond"): 1, ("gold", "blank"): 1}
    )
    assert min(like.certainty for _, like in told) >= CERTAIN


def test_mirrored_symbol_is_not_taken_for_the_real_one(
    grotto_dice: DiceSet, grotto_looks: DiceLooks
) -> None:
    tray = SimulatedTray(grotto_dice, ZONES, seed=23)
    rest_s = tray.throw({"white-1": "key"}, 0.0)
    zone = tray.zones()["adventurer"]
    right, mirrored = (
        read_all(
            Zone(zone.name, corners, zone.size_sides, zone.picture_px),
            picture(tray.frame(rest_s).pixels), picture(tray.empty()), grotto_looks,
        )[0][1].certainty
        for corners, picture in (
            (zone.corners, lambda p: p),
            (_mirrored_corners(zone), lambda p: p[:, ::-1].copy()),
        )
    )  # fmt: skip
    assert right >= CERTAIN
    assert mirrored < right


def _mirrored_corners(zone: Zone) -> tuple[tuple[float, float], ...]:
    width = zone.picture_px[0]
    a, b, c, d = ((width - x, y) for x, y in zone.corners)
    return (b, a, d, c)


def test_kind_that_was_not_learnt_is_not_read(
    grotto_dice: DiceSet, grotto_looks: DiceLooks
) -> None:
    tray = SimulatedTray(grotto_dice, ZONES, seed=24)
    rest_s = tray.throw({"red-1": "dragon", "red-2": "blank"}, 0.0)
    only_white = DiceLooks(grotto_looks.kinds, {"white": grotto_looks.patches["white"]})
    told = read_all(tray.zones()["dragon"], tray.frame(rest_s).pixels, tray.empty(), only_white)
    assert len(told) == 2
    assert max(like.certainty for _, like in told) < 0.5


def test_face_that_was_not_learnt_is_doubted(grotto_looks: DiceLooks) -> None:
    strange = DiceSet.of([Die("white-1", "white", tuple("456") + ("stone",))])
    tray = SimulatedTray(strange, {"tray": ["white-1"]}, seed=25)
    at_s = 0.0
    for face in strange["white-1"].faces:
        at_s = tray.throw({"white-1": face}, at_s)
        told = read_all(tray.zones()["tray"], tray.frame(at_s).pixels, tray.empty(), grotto_looks)
        assert [like.certainty < CERTAIN for _, like in told] == [True]


def test_a_hand_is_no_die(grotto_dice: DiceSet) -> None:
    tray = SimulatedTray(grotto_dice, ZONES, seed=26)
    gone_s = tray.reach_in("adventurer", 0.0)
    finder = Finder(ZoneView(tray.zones()["adventurer"]), tray.empty())
    assert not finder.find(tray.frame(gone_s / 2).pixels).is_clear


PICTURES = npst.arrays(
    st.sampled_from([np.uint8, np.uint16, np.float64]),
    st.sampled_from([(1, 1, 3), (36, 64), (36, 64, 3), (36, 64, 4), (0, 0, 3), (64, 36, 3)]),
)


@settings(max_examples=25)
@given(pixels=PICTURES)
def test_odd_picture_gives_an_error_or_a_reading_but_no_crash(pixels: np.ndarray) -> None:
    zone = Zone("tray", ((12.0, 6.0), (50.0, 6.0), (56.0, 33.0), (4.0, 33.0)), (9.0, 7.0), (64, 36))
    finder = Finder(ZoneView(zone), np.full((36, 64, 3), 90, np.uint8))
    if pixels.shape == (36, 64, 3) and pixels.dtype == np.uint8:
        assert all(math.isfinite(v) for body in finder.find(pixels).bodies for v in body)
    else:
        with pytest.raises(PictureError, match="expected a picture of 36 x 64 x 3 bytes"):
            finder.find(pixels)


@pytest.mark.parametrize("seed", range(3))
def test_picture_of_noise_is_never_read(
    grotto_dice: DiceSet, grotto_looks: DiceLooks, seed: int
) -> None:
    tray = SimulatedTray(grotto_dice, ZONES, seed=27)
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 256, (9 * (seed + 1), 16 * (seed + 1), 3), dtype=np.uint8)
    pixels = np.asarray(cv2.resize(small, (640, 360), interpolation=cv2.INTER_CUBIC))
    told = read_all(tray.zones()["adventurer"], pixels, tray.empty(), grotto_looks)
    assert all(like.certainty < CERTAIN for _, like in told)
