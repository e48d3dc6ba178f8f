import sys
import types
from pathlib import Path

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory
from pytest_mock import MockerFixture

from companion.config import PinSettings
from companion.errors import ConfigError, DeviceError
from hardware import pins
from hardware.pins import choose_pins


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    model = tmp_path / pins.MODEL
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "gpiochip0").touch()
    return tmp_path


def test_machine_that_is_no_pi_gets_mock_pins(tmp_path: Path) -> None:
    choice = choose_pins(root=tmp_path)
    assert isinstance(choice.factory, MockFactory)
    assert (choice.is_real, choice.why) == (False, "this is no Raspberry Pi")


def test_real_pins_that_cannot_be_had_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="expected a Raspberry Pi's, but this is no Raspberry Pi"):
        choose_pins(real=True, root=tmp_path)


def test_pi_without_gpiochip_is_told_what_to_do(pi: Path) -> None:
    (pi / "dev" / "gpiochip0").unlink()
    assert "update Raspberry Pi OS" in choose_pins(root=pi).why


def test_empty_placeholder_of_lgpio_is_seen_through(pi: Path, mocker: MockerFixture) -> None:
    mocker.patch.dict(sys.modules, {"lgpio": types.ModuleType("lgpio")})
    choice = choose_pins(root=pi)
    assert not choice.is_real
    assert "empty placeholder; apt install python3-lgpio" in choice.why


def test_missing_lgpio_is_told(pi: Path, mocker: MockerFixture) -> None:
    mocker.patch.dict(sys.modules, {"lgpio": None})
    assert "lgpio is missing" in choose_pins(root=pi).why


def test_pi_with_lgpio_gets_real_pins(pi: Path, mocker: MockerFixture) -> None:
    lgpio = types.ModuleType("lgpio")
    lgpio.gpiochip_open = lambda chip: 1  # type: ignore[attr-defined]
    ours = types.ModuleType("gpiozero.pins.lgpio")
    ours.LGPIOFactory = lambda: "real pins"  # type: ignore[attr-defined]
    mocker.patch.dict(sys.modules, {"lgpio": lgpio, "gpiozero.pins.lgpio": ours})
    choice = choose_pins(root=pi)
    assert (choice.factory, choice.is_real) == ("real pins", True)
    assert not choose_pins(real=False, root=pi).is_real


def test_pins_without_permission_fall_back_and_say_so(pi: Path, mocker: MockerFixture) -> None:
    def refuse() -> None:
        raise PermissionError("can not open gpiochip")

    lgpio = types.ModuleType("lgpio")
    lgpio.gpiochip_open = lambda chip: 1  # type: ignore[attr-defined]
    ours = types.ModuleType("gpiozero.pins.lgpio")
    ours.LGPIOFactory = refuse  # type: ignore[attr-defined]
    mocker.patch.dict(sys.modules, {"lgpio": lgpio, "gpiozero.pins.lgpio": ours})
    assert "add the user to the group gpio" in choose_pins(root=pi).why
    with pytest.raises(DeviceError, match="group gpio"):
        choose_pins(real=True, root=pi)


def test_no_pin_carries_two_things() -> None:
    used = [pin for pin, _ in pins.AS_SHIPPED.uses()]
    assert len(used) == len(set(used)) == 19
    assert not set(used) & {0, 1, 2, 3, 9, 10, 11, 14, 15}


def test_wiring_in_the_docstring_names_every_pin() -> None:
    assert pins.__doc__ is not None
    for pin, _ in pins.AS_SHIPPED.uses():
        assert f" {pin} " in pins.__doc__


def test_header_numbers_in_the_docstring_are_right() -> None:
    assert pins.__doc__ is not None
    board = pins.mock_pins().board_info
    for row in pins.__doc__.splitlines():
        cells = [cell.split() for cell in row.split("|")]
        if len(cells) == 6 and cells[2][:1] and cells[2][0].isdigit():
            for bcm, header in zip(cells[2], cells[3], strict=True):
                found = {str(pin.number) for _, pin in board.find_pin(f"GPIO{bcm}")}
                assert header in found


def test_wiring_may_differ_from_the_one_that_is_shipped() -> None:
    wired = pins.wiring(buzzer=2, buttons=[4])
    assert (wired.buzzer, wired.buttons, wired.table) == (2, (4,), pins.TABLE.pins)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"buzzer": 17}, "got BCM 17 for Buzzer and for Table lamp red"),
        ({"buttons": [4, 4]}, "got BCM 4 for Button 2 and for Button 1"),
        ({"dragon": 28}, r"\[pins\]: .*up to 27"),
        ({"table": [1, 2]}, r"\[pins\]: .*length 3"),
        ({"lamp": 4}, r"\[pins\]: .*`lamp`; there is table, troll"),
    ],
)
def test_wiring_that_cannot_be_is_an_error(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        pins.wiring(**wrong)


def test_settings_are_wired_as_shipped_unless_they_say_otherwise() -> None:
    assert pins.wiring(**msgspec.structs.asdict(PinSettings())) == pins.AS_SHIPPED
