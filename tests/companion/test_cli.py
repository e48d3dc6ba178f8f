"""The command line as a person or a program meets it."""

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner, Result
from forked import Forked

from companion.actions import Adjusted, Report
from companion.bench.kills import Warm
from companion.cli import main
from companion.games import GAMES
from companion.journal import Journal
from companion.players import some_players
from companion.referee import Referee

GOLD = 2  # left in the cavern of a game that is nearly over
SEED = ("--seed", "2")  # both parties throw: white, gold and red dice


def companion(*words, given=b"", cwd=None):
    """Run the real command in a process of its own."""
    command = [sys.executable, "-m", "companion.cli", *words]
    return subprocess.run(command, input=given, capture_output=True, timeout=300, cwd=cwd)


def here(*words: str) -> Result:
    """The same command in this process, which has imported it already."""
    return CliRunner().invoke(main, list(words))


def lines(output):
    return [json.loads(line) for line in output.splitlines()]


def commands(group=main, path=()):
    context = Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name)
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))


@pytest.fixture(scope="module")
def warm():
    with Warm() as warm:
        yield warm


def nearly_over(path: Path) -> None:
    """A game in the journal with hardly any gold left in the cavern: it is over in a few turns."""
    referee = Referee(GAMES["troll_and_dragon"], some_players(2))
    journal = Journal(path)
    step = referee.apply(Report(Adjusted("supply.gold", GOLD)))
    journal.append(journal.begin(referee), step, referee)
    journal.close()


def play_to_the_end(warm: Warm, path: Path, *words: str) -> str:
    nearly_over(path)
    table = Forked(warm, "play", "--until-end", "--no-web", "--journal", str(path), *words)
    return table.ends()


@pytest.fixture(scope="module")
def finished(tmp_path_factory, warm):
    """A game to its end through camera, serial port, journal and lamps."""
    journal = tmp_path_factory.mktemp("finished") / "journal.sqlite"
    return journal, play_to_the_end(warm, journal, "--simulated", "--speed", "1000", *SEED)


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_help_has_words_and_examples(words):
    result = CliRunner().invoke(main, [*words, "--help"])
    assert result.exit_code == 0
    assert f"companion {' '.join(words)}" in result.output.split("Examples:")[1]


def test_play_prints_the_outcome_when_the_game_is_over(finished):
    _, said = finished
    assert "goes on after step 1" in said
    assert any(word in said.splitlines()[-1] for word in ("wins", "share the victory"))


def test_finished_game_is_in_the_journal(finished):
    journal = Journal(finished[0])
    (row,) = journal.games()
    reports = [step.report for step in journal.steps(1)]
    journal.close()
    assert row.over
    assert {"camera:adventurer", "serial:dice", "simulated"} <= {r.source for r in reports}
    assert not any(report.source == "table" for report in reports), "the camera had to ask"


def test_same_seed_gives_the_same_steps_at_any_speed(finished, tmp_path, warm):
    again = tmp_path / "again.sqlite"
    play_to_the_end(warm, again, "--speed", "300", *SEED)
    first, second = (
        here("replay", "--json", "--journal", str(path)).output for path in (finished[0], again)
    )
    assert lines(first) == lines(second)


def test_replay_has_the_form_of_the_line_protocol(finished):
    played = lines(here("replay", "--json", "--journal", str(finished[0])).output)
    fields = {"step", "active", "phase", "told", "counters", "offers", "outcome"}
    assert all(set(line) == fields for line in played)
    assert [line["step"] for line in played] == list(range(len(played)))
    assert played[-1]["outcome"]["winners"]


def test_games_lists_what_the_journal_has(finished):
    (row,) = lines(here("games", "--json", "--journal", str(finished[0])).output)
    assert row["key"] == "troll_and_dragon"
    assert row["over"] is True


def test_replay_for_people_names_steps_and_sources(finished):
    said = companion("replay", "--journal", str(finished[0])).stdout.decode()
    assert "camera:adventurer" in said


def test_referee_answers_a_line_for_each_line():
    told = companion(
        *["referee", "troll_and_dragon", "--players", "ann,bo", "--option", "end_mode=both"],
        given=b'{"type":"chose","player":"ann","choice":"leave"}\nnonsense\n',
    )
    opening, refused, broken = lines(told.stdout)
    assert opening["step"] == 0
    assert refused["refused"]["code"] == "nothing_rolled"
    assert broken["refused"]["code"] == "not_json"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("referee chess --players a,b", "troll_and_dragon"),
        ("referee troll_and_dragon --players ann", "2 to 5"),
        ("referee troll_and_dragon --players ann,Ann", "different names"),
        ("referee troll_and_dragon --players a,b --option end_mode=neither", "end_mode"),
        ("referee troll_and_dragon --players a,b --option dragons=3", "end_mode"),
        ("referee troll_and_dragon --players a,b --option dice.white=troll", "six faces"),
        ("replay --journal nowhere.sqlite", "nowhere.sqlite"),
        ("play --config missing.toml", "missing.toml"),
    ],
)
def test_bad_input_says_what_to_write(words, hint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = here(*words.split())
    assert done.exit_code == 2
    assert hint in " ".join(done.stderr.split())
    assert done.stdout == ""


def test_bad_input_ends_the_process_without_a_traceback(tmp_path):
    done = companion("replay", "--journal", "nowhere.sqlite", cwd=tmp_path)
    assert done.returncode == 2
    assert b"nowhere.sqlite" in done.stderr
    assert b"Traceback" not in done.stderr


def test_doctor_gives_every_finding_a_code_and_every_fault_a_fix(tmp_path):
    done = here("doctor", "--json", "--journal", str(tmp_path / "none.sqlite"))
    found = lines(done.stdout)
    assert len({row["code"] for row in found}) == len(found) >= 15
    assert all(row["fix"] for row in found if row["state"] == "bad")


def test_doctor_names_a_journal_that_is_none(tmp_path):
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"no database at all, but long enough to be looked at" * 50)
    done = companion("doctor", "--json", "--journal", str(broken))
    found = {row["code"]: row for row in lines(done.stdout)}
    assert done.returncode == 1
    assert found["journal"]["state"] == "bad"


@pytest.mark.parametrize(
    "what", ["rules --games 1", "games --games 3", "journal --kills 0 --steps 30"]
)
def test_bench_prints_one_flat_json_object(what):
    (figures,) = lines(here("bench", *what.split(), "--json").stdout)
    assert all(isinstance(value, int | float | str) for value in figures.values())


def test_bench_latency_counts_what_it_measured():
    (figures,) = lines(here(*["bench", "latency", "--rolls", "3", "--json"]).stdout)
    assert figures["rolls"] + figures.get("race_rolls", 0) == 3


def test_an_unfinished_game_goes_on_and_new_begins_another(tmp_path, warm):
    journal = tmp_path / "journal.sqlite"
    words = ["--speed", "1000", "--seed", "5", "--journal", str(journal)]
    begin_and_stop(warm, 4, *words)
    before = Journal(journal)
    steps = before.games()[0].steps
    before.close()
    assert steps >= 2
    assert f"game 1 goes on after step {steps}" in begin_and_stop(warm, 2, *words)
    assert "game 2 goes on after step 2" in begin_and_stop(warm, 2, *words, "--up-to", "2")
    assert "game 3" in begin_and_stop(warm, 2, *words, "--new")


def begin_and_stop(warm: Warm, heard: int, *words: str) -> str:
    """Play until so many lines were told, then stop tidily as Ctrl-C does."""
    table = Forked(warm, "play", "--no-web", *words)
    said = [table.said.readline() for _ in range(heard)]
    return "".join([*said, table.stop()])


def test_up_to_needs_an_unfinished_game(tmp_path):
    done = here("play", "--no-web", "--journal", str(tmp_path / "none.sqlite"), "--up-to", "2")
    assert done.exit_code == 2
    assert "no game is unfinished" in done.stderr


def test_two_tables_cannot_share_a_journal(tmp_path, warm):
    words = ["play", "--no-web", "--seed", "5", "--journal", str(tmp_path / "journal.sqlite")]
    first = Forked(warm, *words)
    assert "game 1" in first.said.readline()
    second = here(*words)
    first.said.readline()
    first.stop()
    assert second.exit_code == 2
    assert "another companion is playing" in second.stderr


def test_command_starts_without_what_it_does_not_need():
    large = {"cv2", "numpy", "flask", "asyncio"}
    code = f"import sys, companion.cli; print({large} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.stdout == b"set()\n"


def test_installed_command_is_there():
    assert (Path(sys.executable).parent / "companion").is_file()


@pytest.mark.parametrize(
    ("words", "simulated"), [([], True), (["--simulated"], True), (["--real"], False)]
)
def test_service_is_simulated_or_real_as_it_is_told(monkeypatch, tmp_path, words, simulated):
    settings = []
    monkeypatch.setattr("companion.service.run", lambda setting, console: settings.append(setting))
    config = tmp_path / "table.toml"
    config.write_text("")
    result = CliRunner().invoke(main, ["serve", "--config", str(config), *words])
    assert result.exit_code == 0, result.output
    [setting] = settings
    assert (setting.simulated, setting.config) == (simulated, config)


def test_full_disk_is_told_in_a_line(tmp_path, mocker):
    (tmp_path / "roll.jpg").write_bytes(b"")
    full = OSError(errno.ENOSPC, "No space left on device")
    mocker.patch("companion.reading.read_all", side_effect=full)
    done = CliRunner().invoke(main, ["read", str(tmp_path / "roll.jpg")])
    assert done.exit_code == 2
    assert done.stderr == "companion: output: cannot be written: No space left on device\n"
