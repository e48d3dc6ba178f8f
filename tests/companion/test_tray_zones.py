"""Which dice each tray watches, and where it lies, as the settings say."""

import pytest
from real_table import referee_of

from companion.config import CameraSettings, Config, ZoneSettings, load_config
from companion.errors import ConfigError
from companion.tray_zones import dice_by_zone, zone_in


def test_one_zone_over_the_whole_picture_watches_all_dice_where_none_is_named():
    dice = referee_of().table.dice
    settings = CameraSettings("0", die_px=32)
    assert dice_by_zone(settings, dice) == {"tray": tuple(die.name for die in dice)}
    assert dice_by_zone(settings, dice, {"red-1", "red-2"})["tray"][-1] == "gold-2"
    zone = zone_in((640, 480), "tray", settings)
    assert (zone.size_sides, zone.corners[2]) == ((20, 15), (640, 480))


def test_zone_without_dice_watches_those_that_no_other_zone_watches():
    zones = {"dragon": ZoneSettings(dice=("red",)), "rest": ZoneSettings()}
    found = dice_by_zone(CameraSettings("0", die_px=30, zones=zones), referee_of().table.dice)
    assert found["dragon"] == ("red-1", "red-2")
    assert "gold-1" in found["rest"]
    assert "red-1" not in found["rest"]


def test_zone_outside_the_picture_is_named():
    zones = {"dragon": ZoneSettings(rectangle=(600, 10, 100, 100))}
    with pytest.raises(ConfigError, match=r"\[camera.zones\] dragon: .* 640 x 480"):
        zone_in((640, 480), "dragon", CameraSettings("0", die_px=30, zones=zones))


def test_table_is_real_as_soon_as_a_camera_is_named(tmp_path):
    path = tmp_path / "companion.toml"
    path.write_text(
        '[camera]\ndevice = "0"\ndie_px = 34\n[camera.zones.dragon]\nrectangle = [1, 2, 30, 40]\n'
    )
    config = load_config(path)
    assert config.is_real
    assert not Config().is_real
    assert config.camera.zones["dragon"].rectangle == (1, 2, 30, 40)
