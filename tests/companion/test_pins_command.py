import io
import json

import pytest
from click.testing import CliRunner
from rich.console import Console

from companion.cli import main
from companion.header_picture import light_each
from hardware.header import BOARDS
from hardware.pins import AS_SHIPPED, choose_pins


def run(*words):
    result = CliRunner().invoke(main, ["pins", *words])
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_header_is_drawn_with_forty_pins_and_what_they_carry():
    code, said = run()
    assert code == 0
    assert all(f"({number:2})" in said for number in range(1, 41))
    for pin, name in AS_SHIPPED.uses():
        [line] = [line for line in said.splitlines() if f"GPIO{pin} " in line and name in line]
        assert "(" in line


@pytest.mark.parametrize("board", BOARDS)
def test_pin_numbers_are_those_of_the_docstring_on_every_board(board):
    code, said = run("--board", board, "--json")
    rows = json.loads(said)["rows"]
    carried = {pin["bcm"]: pin["number"] for row in rows for pin in row if pin["carries"]}
    assert code == 0
    assert (carried[17], carried[26], carried[18], carried[21]) == (11, 37, 12, 40)
    assert len(carried) == 19


def test_settings_say_how_this_table_is_wired(tmp_path):
    (tmp_path / "companion.toml").write_text("[pins]\nbuzzer = 2\nbuttons = []\n")
    rows = json.loads(run("--json")[1])["rows"]
    carries = {pin["bcm"]: pin["carries"] for row in rows for pin in row}
    assert (carries[2], carries[18], carries[4]) == ("Buzzer", "", "")


def test_pin_that_would_carry_two_things_is_one_clear_line(tmp_path):
    (tmp_path / "companion.toml").write_text("[pins]\nbuzzer = 17\n")
    code, said = run()
    assert code == 2
    assert "got BCM 17 for Buzzer and for Table lamp red" in " ".join(said.split())


def test_each_led_is_lit_alone_and_the_buzzer_sounds_then_all_is_dark():
    choice = choose_pins(real=False)
    seen, said = [], io.StringIO()

    def look(for_s):
        pins = choice.factory.pins
        seen.append(int(max(pins, key=lambda pin: pins[pin].state).name.removeprefix("GPIO")))

    light_each(AS_SHIPPED, choice, Console(file=said), look)
    lamps = [pin for pin, name in AS_SHIPPED.uses() if "utton" not in name and name != "Buzzer"]
    assert seen == [*lamps, 18, 18, 18]  # red comes with a little green and blue, never alone
    assert "These pins are simulated" in said.getvalue()
    assert not any(pin.state for pin in choice.factory.pins.values())


def test_dark_switches_off_or_says_that_there_is_nothing():
    assert "nothing to switch off" in run("--dark")[1]


def test_unknown_board_is_one_clear_line():
    code, said = run("--board", "9Z")
    assert code == 2
    assert "board: expected one of 3B, 3B+, 4B, 400, 5B, Zero2W, got '9Z'" in " ".join(said.split())
