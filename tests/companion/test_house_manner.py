"""Quiet mode and volume: what a referee sets holds at once and later, until the settings change."""

import msgspec
import pytest

from companion.house_manner import HouseManner
from hardware.cues import Manner


class Loudspeaker:
    """Alerts that only know how they are to be."""

    def __init__(self, manner):
        self.manner = manner

    def be(self, manner):
        self.manner = manner


USUAL = Manner(mute=("troll",))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.manner.json"


def begun(path, manner=USUAL):
    house, alerts = HouseManner(path), Loudspeaker(manner)
    house.begin(alerts)
    return house, alerts


def test_what_is_set_holds_at_once_and_leaves_the_rest(path):
    house, alerts = begun(path)
    assert house.now() == {"quiet": False, "volume": 1.0}
    assert house.change(True, None) == {"quiet": True, "volume": 1.0}
    assert house.change(None, 0.25) == {"quiet": True, "volume": 0.25}
    assert alerts.manner == Manner(quiet=True, volume=0.25, mute=("troll",))


def test_what_was_set_holds_in_the_next_game(path):
    begun(path)[0].change(True, 0.5)
    house, alerts = begun(path)
    assert house.now() == {"quiet": True, "volume": 0.5}
    assert alerts.manner == Manner(quiet=True, volume=0.5, mute=("troll",))


def test_settings_that_were_changed_since_hold_again(path):
    begun(path)[0].change(True, 0.5)
    house, alerts = begun(path, Manner(volume=0.8))
    assert house.now() == {"quiet": False, "volume": 0.8}
    assert alerts.manner == Manner(volume=0.8)


@pytest.mark.parametrize("content", [b"", b"{", b'{"quiet": "loud"}', msgspec.json.encode([])])
def test_file_that_is_broken_is_passed_over(path, content):
    path.write_bytes(content)
    house, alerts = begun(path)
    assert alerts.manner == USUAL
    house.change(True, None)
    assert begun(path)[0].now() == {"quiet": True, "volume": 1.0}


def test_house_without_memory_or_with_a_full_disk_obeys_all_the_same(path):
    assert begun(None)[0].change(True, None)["quiet"] is True
    assert begun(path / "no" / "folder")[0].change(True, None)["quiet"] is True
