"""Eight drawn symbol dice in a large picture: taught, read, watched, and timed."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from camera.bench_symbols import COUNT, SIZE_PX, draw_table
from companion.cli import main


@pytest.fixture
def no_pips(monkeypatch):
    """Pip dice are timed in another test, and here everything is done once."""
    monkeypatch.setattr("camera.bench_speed.TIMES", 1)
    monkeypatch.setattr("camera.bench_speed.FULL_FRAMES", 16)
    monkeypatch.setattr("camera.bench_speed.speed", lambda baseline, tables: {"pips": tables})


@pytest.mark.usefixtures("no_pips")
def test_drawn_symbol_dice_are_read_and_timed_without_any_folder():
    done = CliRunner().invoke(main, ["bench", "camera", "--tables", "1", "--json"])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    for key in ("tables", "right", "accepted"):
        assert figures[f"eight_symbol_dice_720p_{key}"] == 1
    assert figures["eight_symbol_dice_720p_min_ms"] > 0
    assert figures["eight_symbol_dice_720p_known_min_ms"] > 0
    assert figures["watching_symbols_720p_busy_median_ms"] > 0
    assert 20 < figures["watching_symbols_720p_peak_mb"] < 400
    assert figures["pips"] == 1
    assert figures["eight_pip_dice_in_game_720p_tables"] == 1
    assert figures["eight_pip_dice_in_game_720p_min_ms"] > 0


def test_tables_are_drawn_as_their_number_says():
    drawn, again = draw_table(1), draw_table(1)
    pixels, empty = drawn.table
    assert pixels.shape == empty.shape == (SIZE_PX[1], SIZE_PX[0], 3)
    assert len(drawn.lies) == COUNT
    assert drawn.lies == again.lies
    assert np.array_equal(pixels, again.table[0])


def test_photographs_and_symbol_dice_are_measured_one_at_a_time(tmp_path):
    folder = str(tmp_path)
    done = CliRunner().invoke(main, ["bench", "camera", "--photos", folder, "--dice", folder])
    assert done.exit_code == 2
    assert "not both" in done.output
