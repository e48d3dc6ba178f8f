"""A zone's four corners tell where its dice appear."""

import math
from pathlib import Path

import numpy as np
import pytest

from camera.calibrate import Zone, ZoneView, load_zones, save_zones, scaled_by
from camera.simulated import SimulatedTray
from companion.dice import DiceSet
from companion.errors import ConfigError, PictureError

CORNERS = ((100.0, 60.0), (500.0, 60.0), (560.0, 330.0), (40.0, 330.0))


def zone(corners: tuple[tuple[float, float], ...] = CORNERS) -> Zone:
    return Zone("tray", corners, (9.0, 7.0), (640, 360))


def test_upper_sides_are_found_where_the_camera_shows_them(grotto_dice: DiceSet) -> None:
    tray = SimulatedTray(grotto_dice, {"a": ["white-1"], "b": ["white-2"]}, seed=1)
    for name, found in tray.zones().items():
        floor = tray._scene.floors[name]
        view = ZoneView(found)
        for x, y in [(1.0, 1.0), (4.0, 6.0), (2.0, 7.5)]:
            above = np.array([(floor.left + x, floor.depth - y, 1.0)])
            expected = tray._scene.project(above)[0]
            assert view.to_px(np.array([(x, y)]))[0] == pytest.approx(expected, abs=0.3)


def test_top_plane_is_larger_than_the_floor_when_seen_from_straight_above() -> None:
    square = ((120.0, 30.0), (420.0, 30.0), (420.0, 330.0), (120.0, 330.0))
    view = ZoneView(Zone("tray", square, (8.0, 8.0), (540, 360)))
    points = np.array([(0.0, 0.0), (8.0, 0.0)])
    low, high = view.to_px(points, 0.0), view.to_px(points, 1.0)
    assert math.dist(*high) > math.dist(*low) == pytest.approx(300.0)


@pytest.mark.parametrize("turned", [0.0, 0.4, math.pi / 4])
@pytest.mark.parametrize("guessed", [(3.0, 3.0), (9.0, 7.0), (20.0, 15.0)])
def test_size_of_a_zone_is_told_by_dice_that_lie_in_it(guessed, turned) -> None:
    truth = ZoneView(zone())
    turns = turned + np.arange(4) * math.pi / 2
    square = np.stack([np.cos(turns), np.sin(turns)], axis=1) / math.sqrt(2)
    tops = [truth.to_px(square + middle) for middle in ((2.0, 1.5), (6.0, 6.0), (4.0, 3.0))]
    wrong = Zone("tray", CORNERS, guessed, (640, 360))
    assert scaled_by(wrong, tops).size_sides == pytest.approx((9.0, 7.0), rel=0.01)


def test_corners_that_are_no_squares_leave_the_size_of_a_zone_as_it_was():
    flat = np.array([(200.0, 200.0), (240.0, 200.0), (200.0, 200.0), (240.0, 200.0)])
    assert scaled_by(zone(), [flat]).size_sides == (9.0, 7.0)


@pytest.mark.parametrize(
    "corners",
    [
        CORNERS[:3],
        (CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]),
        ((1.0, 1.0),) * 4,
        ((math.nan, 1.0), *CORNERS[1:]),
    ],
)
def test_zone_is_refused_when_its_corners_are_no_tray(
    corners: tuple[tuple[float, float], ...],
) -> None:
    with pytest.raises(ConfigError, match="zone tray: expected"):
        zone(corners)


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((1, 1, 3), np.uint8),
        np.zeros((360, 640), np.uint8),
        np.zeros((360, 640, 4), np.uint8),
        np.zeros((360, 640, 3), np.uint16),
        np.zeros((720, 1280, 3), np.uint8),
    ],
)
def test_picture_is_refused_when_it_is_of_another_size_or_type(pixels: np.ndarray) -> None:
    with pytest.raises(PictureError, match="expected a picture of 360 x 640 x 3 bytes"):
        ZoneView(zone()).check(pixels)


def test_zones_are_equal_when_saved_and_loaded(tmp_path: Path) -> None:
    save_zones([zone()], tmp_path / "zones.toml")
    assert load_zones(tmp_path / "zones.toml") == (zone(),)


@pytest.mark.parametrize("text", ["[zones.a]\ncorners = 3", "[zones", "zones = 4"])
def test_zones_file_is_refused_with_its_name_when_damaged(tmp_path: Path, text: str) -> None:
    (tmp_path / "zones.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="zones.toml: expected zones"):
        load_zones(tmp_path / "zones.toml")


@pytest.mark.parametrize("side", [0.0, -3.0, math.nan, math.inf])
def test_zone_is_so_many_dice_large(side: float) -> None:
    with pytest.raises(ConfigError, match="expected sizes above 0"):
        Zone("tray", CORNERS, (side, 7.0), (640, 360))
