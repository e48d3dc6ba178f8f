from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.errors import ConfigError
from hardware.ports import check_setting, find_ports, ports_for, what_was_looked_for


def port(device: str, vid: int | None = None, pid: int | None = None, number: str = "") -> Any:
    return SimpleNamespace(
        device=device, vid=vid, pid=pid, serial_number=number, description="a port"
    )


LISTED = [
    port("/dev/ttyS0"),
    port("/dev/ttyUSB0", 0x10C4, 0xEA60, "0001"),
    port("/dev/ttyACM1", 0x303A, 0x1001, "94:A1:C3"),
    port("/dev/ttyACM0", 0x303A, 0x1001, "94:A1:C4"),
    port("/dev/ttyACM7", 0x2341, 0x0043, "mouse"),
]


def listed() -> list[Any]:
    return LISTED


def test_boards_that_receivers_are_made_of_come_first(tmp_path: Path) -> None:
    found = find_ports(listed, tmp_path)
    assert [one.device for one in found if one.may_be_receiver] == [
        "/dev/ttyACM0",
        "/dev/ttyACM1",
        "/dev/ttyUSB0",
    ]
    assert [one.usb_id for one in found[3:]] == ["2341:0043", ""]


def test_path_that_keeps_its_name_is_preferred(tmp_path: Path) -> None:
    (tmp_path / "usb-Espressif_94A1C4-if00").symlink_to("/dev/ttyACM0")
    first = find_ports(listed, tmp_path)[-1]
    assert first.device == "/dev/ttyS0"
    paths = {one.device: one.path for one in find_ports(listed, tmp_path)}
    assert paths["/dev/ttyACM0"] == str(tmp_path / "usb-Espressif_94A1C4-if00")
    assert paths["/dev/ttyACM1"] == "/dev/ttyACM1"


def test_setting_says_where_to_look(tmp_path: Path) -> None:
    assert ports_for("auto", listed, tmp_path)[0] == "/dev/ttyACM0"
    assert ports_for("usb:10C4:ea60", listed, tmp_path) == ["/dev/ttyUSB0"]
    assert ports_for("usb:303a:1001:94:a1:c3", listed, tmp_path) == ["/dev/ttyACM1"]
    assert ports_for("usb:dead:beef", listed, tmp_path) == []
    assert ports_for("/dev/serial/by-id/x", listed, tmp_path) == ["/dev/serial/by-id/x"]
    assert "usb:dead:beef" in what_was_looked_for("usb:dead:beef")


@pytest.mark.parametrize("setting", ["auto", "usb:303a:1001", "/dev/ttyACM0", "loop://"])
def test_settings_that_name_a_port_are_accepted(setting: str) -> None:
    check_setting(setting)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("usb:303a", "usb:303a:1001"),
        ("usb:zzzz:1001", "four hex digits"),
        ("smoke://signals", "/dev/ttyACM0"),
    ],
)
def test_other_settings_are_errors_that_say_what_to_write(setting: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        check_setting(setting)


def test_ports_of_this_machine_can_be_listed() -> None:
    assert isinstance(find_ports(), list)
