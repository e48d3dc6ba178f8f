"""The doctor: every check is shown a machine that is well and one that is not."""

import io
import json
import os
import sqlite3
from functools import partial
from types import SimpleNamespace

import pytest
from doctor_cases import CASES, OTHERWISE_TESTED
from doctor_parts import absent, machines_in, nothing
from pseudo import bare
from rich.console import Console

from companion import doctor
from companion.actions import Chose, Report, Rolled
from companion.config import game_named
from companion.config import players_named as named
from companion.doctor import devices, libraries, storage, system
from companion.doctor.finding import looked_at, ok
from companion.doctor.machine import fetch
from companion.journal import GAME_ROWS, STEP_ROWS, Journal
from companion.outside import Ran, run_command
from companion.referee import Referee


@pytest.fixture
def machine(tmp_path):
    return machines_in(tmp_path)


def function(check):
    return check.func if isinstance(check, partial) else check


WELL = [(check, one) for check, (well, _) in CASES.items() for one in well]
ILL = [(check, *one) for check, (_, ill) in CASES.items() for one in ill]


def label(value):
    return function(value).__name__ if callable(value) else ""


@pytest.mark.parametrize(("check", "changes"), WELL, ids=label)
def test_check_finds_nothing_wrong_with_a_machine_that_is_well(machine, check, changes):
    finding = check(machine(**changes))
    assert finding.state == "ok"
    assert finding.finding
    assert not finding.fix
    assert bare(finding.finding) == []


@pytest.mark.parametrize(("check", "state", "changes"), ILL, ids=label)
def test_check_names_what_is_wrong_and_what_to_do(machine, check, state, changes):
    finding = check(machine(**changes))
    assert finding.state == state
    assert finding.finding
    assert finding.fix or state == "note"
    assert bare(finding.finding) == bare(finding.fix) == []


def test_every_check_is_shown_both_kinds_of_machines():
    checked = {function(check) for checks in doctor.SUBJECTS.values() for check in checks}
    well, ill = ({function(row[0]) for row in rows} for rows in (WELL, ILL))
    tested = (well & ill) | OTHERWISE_TESTED | {devices.check_pseudo_terminal}
    assert checked == tested


def test_there_are_many_checks_with_a_code_each(machine):
    found = doctor.findings(machine())
    assert len({one.code for one in found}) == len(found) >= 60
    assert [text for one in found for text in bare(one.finding)] == []


def test_every_library_that_is_required_is_looked_at():
    required = libraries.required()
    assert {"cv2": "opencv-python-headless", "serial": "pyserial"}.items() <= required.items()
    assert "sqlalchemy" in required
    assert not {"pytest", "lgpio"} & set(required)


# --- the disk and what is on it -------------------------------------------------------------------


def test_full_disk_is_found(machine, mocker):
    usage = mocker.patch("companion.doctor.storage.shutil.disk_usage")
    usage.return_value = SimpleNamespace(free=5 * 2**20)
    assert storage.check_space(machine()).state == "bad"
    usage.return_value = SimpleNamespace(free=5 * 2**30)
    assert storage.check_space(machine()).state == "ok"


def test_disk_full_of_small_files_is_found(machine, mocker):
    about = mocker.patch("companion.doctor.storage.os.statvfs")
    about.return_value = SimpleNamespace(f_files=1000, f_favail=3)
    assert storage.check_inodes(machine()).state == "bad"
    about.return_value = SimpleNamespace(f_files=0, f_favail=0)  # btrfs counts none
    assert storage.check_inodes(machine()).state == "ok"


@pytest.mark.parametrize(("ms", "state"), [(3.0, "ok"), (120.0, "note"), (900.0, "bad")])
def test_slow_disk_is_found(machine, mocker, ms, state):
    mocker.patch("companion.doctor.storage.write_times_ms", return_value=[ms])
    assert storage.check_speed(machine()).state == state


def test_write_speed_is_measured_on_the_real_disk(tmp_path):
    times = storage.write_times_ms(tmp_path)
    assert len(times) == storage.TRIALS
    assert min(times) > 0
    assert list(tmp_path.iterdir()) == []


def test_settings_are_read(machine):
    here = machine()
    assert storage.check_settings(here).state == "none"
    here.config.write_text("[web]\nport = 80")
    assert storage.check_settings(here).state == "ok"
    here.config.write_text("[web]\nprot = 80")
    finding = storage.check_settings(here)
    assert finding.state == "bad"
    assert "`prot`" in finding.finding


@pytest.fixture
def begun(machine):
    """A machine with a journal in which a game has begun."""
    here = machine()
    journal = Journal(here.journal)
    journal.begin(Referee(game_named("troll_and_dragon"), named(("Ann", "Bo"))))
    yield here, journal
    journal.close()


def test_journal_that_is_well_is_found_well(begun):
    here, _ = begun
    for check in (storage.check_journal, storage.check_integrity, storage.check_unfinished):
        assert check(here).state == "ok"


def test_game_of_other_rules_is_found(begun):
    here, journal = begun
    with journal._writing() as connection:
        connection.execute(GAME_ROWS.update().values(revision=99))
    assert storage.check_unfinished(here).state == "note"
    assert storage.check_journal(here).state == "bad"


def test_clock_that_was_put_back_is_found(begun):
    here, journal = begun
    referee = Referee(game_named("troll_and_dragon"), named(("Ann", "Bo")))
    dice = ("white-1", "white-2", "white-3", "white-4")
    for action in (Rolled(dict.fromkeys(dice, "diamond")), Chose("ann", "leave")):
        journal.append(1, referee.apply(Report(action)), referee)
    assert storage.check_clock_jumps(here).state == "ok"
    with journal._writing() as rows:
        rows.execute(STEP_ROWS.update().where(STEP_ROWS.c.number == 2).values(written_at=1000.0))
    finding = storage.check_clock_jumps(here)
    assert finding.state == "note"
    assert finding.finding.startswith("1 in the latest game")


def test_damaged_page_is_found(begun):
    here, journal = begun
    journal.close()
    whole = here.journal.read_bytes()
    with sqlite3.connect(here.journal) as db:
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name='games'").fetchone()[0]
    db.close()
    size = int.from_bytes(whole[16:18], "big")
    here.journal.write_bytes(whole[: (page - 1) * size] + os.urandom(size) + whole[page * size :])
    finding = storage.check_integrity(here)
    assert finding.state == "bad"
    assert "restore" in finding.fix


def test_journal_that_is_none_is_found(machine):
    here = machine()
    here.journal.write_bytes(b"no database at all, but long enough to be looked at" * 50)
    assert storage.check_integrity(here).state == "bad"
    assert storage.check_journal(here).state == "bad"


def test_camera_without_a_name_that_stays_is_found(machine, tmp_path):
    here = machine(files={"sys/bus/usb/drivers/uvcvideo/x": ""})
    driver = here.root / "sys/class/video4linux/video0/device/driver"
    driver.parent.mkdir(parents=True)
    driver.symlink_to(here.root / "sys/bus/usb/drivers/uvcvideo")
    assert devices.check_camera_links(here).state == "note"
    machine(files={"dev/v4l/by-id/usb-Camera-video-index0": ""})
    assert devices.check_camera_links(here).state == "ok"


def test_time_zone_is_read_from_the_link(machine):
    here = machine(files={"etc/x": ""})
    (here.root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Europe/Vienna")
    assert system.check_time_zone(here).finding == "Europe/Vienna"


def test_missing_pseudo_terminal_is_found(machine):
    def none():
        raise OSError(2, "No such file or directory")

    assert devices.check_pseudo_terminal(machine(), opened=none).state == "note"


# --- the examination ------------------------------------------------------------------------------


def test_check_that_fails_itself_ends_nothing(machine):
    finding = looked_at("system_memory", lambda: system.check_memory(machine()))
    assert (finding.code, finding.state) == ("system_memory", "note")
    assert "could not be looked at" in finding.finding
    assert looked_at("x", lambda: ok("x", "fine")) == ok("x", "fine")


def test_machine_without_anything_is_examined_to_the_end(machine):
    here = machine(load=absent, access=nothing)
    found = doctor.findings(here)
    assert {one.state for one in found} == {"ok", "note", "bad", "none"}
    assert all(one.fix for one in found if one.state == "bad")


def test_page_holds_the_same_by_subject(machine):
    here = machine()
    rows = [row for rows in doctor.page(here).values() for row in rows]
    assert [row["code"] for row in rows] == [one.code for one in doctor.findings(here)]
    assert set(rows[0]) == {"code", "state", "finding", "fix"}
    assert json.dumps(doctor.page(here))


def test_broken_settings_are_a_finding_and_end_nothing(tmp_path):
    config = tmp_path / "companion.toml"
    config.write_text("[web\n")
    said = io.StringIO()
    found = doctor.examine(
        tmp_path / "none.sqlite", config, Console(file=said, width=200), as_json=False
    )
    assert {one.code: one.state for one in found}["settings"] == "bad"
    assert f"{len(found)} checks" in said.getvalue()


def test_command_that_is_not_there_or_hangs_gives_nothing():
    assert run_command(["no-such-command-here"]) is None
    assert run_command(["sh", "-c", "while :; do :; done"], 0.05) is None
    assert run_command(["sh", "-c", "echo out; echo err >&2; exit 3"]) == Ran(3, "out\nerr\n")


def test_two_programs_cannot_have_one_port(machine):
    import socket

    from companion.doctor.machine import can_bind

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert "in use" in can_bind("127.0.0.1", port)
    assert can_bind("127.0.0.1", 0) == ""
    assert fetch(f"http://127.0.0.1:{port}/") == (0, "")
