import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from companion.cli import main
from companion.config import load_dice
from companion.dice_table import shown
from companion.errors import DeviceError
from hardware.dice_health import DieHealth, Health, LinkCounts


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["dice", *words])


def simulated(*words: str) -> str:
    result = run("--simulated", *words)
    assert result.exit_code == 0, result.output
    return result.output


def test_snapshot_shows_all_dice_of_the_game_to_programs() -> None:
    (receiver,) = json.loads(simulated("--json"))["receivers"]
    assert (receiver["who"], receiver["state"]) == ("simulated", "connected")
    assert len(receiver["dice"]) == 8
    first = receiver["dice"][0]
    assert first["name"] == "gold-1"
    assert first["battery_percent"] > 0
    assert first["signal_dbm"] < 0
    assert "nobody has said which die" in " ".join(receiver["troubles"])


def test_table_shows_them_to_people() -> None:
    told = simulated()
    for word in ("die-a1c300", "white-1", "battery", "signal", "lost", "nothing"):
        assert word in told


def test_dice_of_another_game_are_shown_by_its_names() -> None:
    (receiver,) = json.loads(simulated("--game", "roll_for_adventure", "--json"))["receivers"]
    assert "white-1" not in {die["name"] for die in receiver["dice"]}


def test_calibration_asks_for_each_face_and_says_the_side() -> None:
    told = simulated("calibrate", "die-a1c300")
    assert told.count("Put the die down with the") == 6
    assert told.count("  side ") == 6
    assert "calibrated as white-1" in told
    assert "nothing is kept" in told
    assert not Path("dice.toml").exists()


def test_body_without_sides_is_told_which_one_is_up() -> None:
    assert "calibrated as red-1" in simulated("calibrate", "die-a1c306", "--shape", "any")


def test_simulated_die_blinks_and_takes_a_name() -> None:
    assert "die-a1c300 blinks" in simulated("blink", "die-a1c300")
    assert "is called ruby now" in simulated("name", "die-a1c300", "ruby")


def refused(*words: str) -> str:
    result = run(*words)
    assert result.exit_code != 0
    return " ".join(result.output.split())


def test_die_that_is_not_there_is_said_with_those_that_are() -> None:
    assert "nobody is not heard (in reach: die-a1c3" in refused("--simulated", "blink", "nobody")


def test_name_that_is_taken_is_refused_with_the_reason() -> None:
    told = refused("--simulated", "name", "die-a1c300", "die-a1c301")
    assert "another die has that name" in told


def test_receiver_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.dice_case.LISTEN_S", 0.2)
    told = refused("--port", "/nowhere/at/all", "blink", "d1")
    assert "/nowhere/at/all cannot be opened" in told


def test_mapping_is_kept_in_a_file_beside_the_settings() -> None:
    assert run("map", "die-94a1c3", "red-1").exit_code == 0
    assert run("map", "ruby", "red-2", "--bluetooth", "godice GoDice_1").exit_code == 0
    learnt = load_dice(Path("dice.toml"))
    assert learnt.names == {"die-94a1c3": "red-1", "ruby": "red-2"}
    assert learnt.bluetooth == {"ruby": "godice GoDice_1"}


def test_mapping_to_a_die_that_the_game_has_not_is_refused() -> None:
    assert "expected a die of Troll & Dragon (" in refused("map", "d1", "purple-1")
    assert 'write for example "pixels' in refused("map", "d1", "red-1", "--bluetooth", "dnd X")
    assert not Path("dice.toml").exists()


def test_die_that_plays_nothing_cannot_be_calibrated() -> None:
    assert "say --as red-1" in refused("calibrate", "stranger")


def test_troubles_and_noise_are_shown() -> None:
    console = Console(width=140, record=True, file=io.StringIO())
    die = DieHealth("d1", "red-1", "moving", battery_percent=4, heard_at_s=1.0, unknown_faces=2)
    lost: dict[str, Any] = {"why": "/dev/x is gone; plug the receiver in again"}
    healths = [
        Health(
            "/dev/rx", "connected", who="rx-1", version=9, counts=LinkCounts(lines=7, foreign=3)
        ),
        Health("/dev/x", "lost", dice=(die,), **lost),
    ]
    console.print(shown(healths, 3.0))
    told = console.export_text()
    for words in (
        "3 foreign",
        "speaks version 9 of the wire format",
        "plug the receiver in again",
        "battery is at 4 %",
        "faces that nobody named",
    ):
        assert words in told


def test_table_is_live_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = io.StringIO()
    console = Console(file=seen, force_terminal=True, width=120)
    monkeypatch.setattr("companion.dice_command.OUT", console)
    assert run("--simulated", "--seconds", "0.5").exit_code == 0
    assert seen.getvalue().count("die-a1c300") > 1  # drawn anew each time


def test_radio_that_cannot_be_used_leaves_the_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails() -> Any:
        raise DeviceError("Bluetooth cannot be used (no such file)")

    monkeypatch.setattr("companion.dice_command.bluetooth_nearby", fails)
    result = run("nearby", "--json")
    assert result.exit_code == 0
    assert "Bluetooth cannot be used" in result.stderr
    assert isinstance(json.loads(result.stdout)["nearby"], list)


def test_ports_nearby_are_listed() -> None:
    result = run("nearby", "--no-bluetooth", "--json")
    assert isinstance(json.loads(result.output)["nearby"], list)
