import json

from click.testing import CliRunner

from companion.cli import main


def test_dice_bench_prints_flat_figures_with_units():
    words = ["bench", "dice", "--rolls", "5", "--messages", "400", "--schedules", "2"]
    result = CliRunner().invoke(main, [*words, "--throws", "0", "--handfuls", "0", "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout.splitlines()[-1])
    assert all(isinstance(value, int | float | str) for value in figures.values())
    assert figures["byte_to_inbox_p99_ms"] > 0
    assert figures["messages_per_s"] >= 500
    assert figures["messages_missing"] == figures["messages_lost"] == 0
    assert (figures["schedule_wrong_faces"], figures["schedule_hangs"]) == (0, 0)


def test_parts_can_be_left_out():
    words = ["bench", "dice", "--rolls", "0", "--messages", "0", "--schedules", "0"]
    result = CliRunner().invoke(main, [*words, "--throws", "0", "--handfuls", "0", "--json"])
    assert set(json.loads(result.stdout)) == {"machine_spin_median_ms", "machine_noise_share"}
