"""The doctor: every check is shown a machine that is well and one that is not."""

import io
import json
import os
import sqlite3
import threading
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from doctor_cases import CASES, NAMED, OTHERWISE_TESTED, ClosedPin, absent, nothing
from pseudo import bare
from rich.console import Console

from camera.health import CameraTrouble
from camera.source import Frame
from companion import doctor
from companion.actions import Chose, Report, Rolled
from companion.clock import SimulatedClock
from companion.config import AlertSettings, Config, game_named
from companion.config import players_named as named
from companion.dice_station import SimulatedHand
from companion.doctor import devices, joined, libraries, storage, system
from companion.doctor.finding import Finding, looked_at, ok
from companion.doctor.listening import listen_to_dice
from companion.doctor.looks import FRAMES, CameraLooks, first_camera, looks_of
from companion.doctor.machine import Machine, fetch
from companion.journal import GAME_ROWS, STEP_ROWS, Journal
from companion.outside import Ran, run_command
from companion.referee import Referee
from companion.wiring import dice_of
from hardware.buttons import stuck
from hardware.dice_findings import DiceFinding
from hardware.pins import PinChoice, mock_pins
from hardware.simulated_wled import SimulatedWled


@pytest.fixture
def machine(tmp_path):
    """Make a machine out of files, answers to commands, and whatever else a check looks at."""

    def make(*, files=None, said=None, **more):
        root = tmp_path / "root"
        for name, text in (files or {}).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        answers = said or {}

        def run(words):
            text = answers.get(" ".join(words))
            return None if text is None else Ran(0, text)

        usual = {
            "root": root,
            "run": run,
            "env": {},
            "groups": frozenset({"ann"}),
            "python": (3, 11, 2),
            "bits": 64,
            "release": "6.1.0",
            "cores": 4,
            "encoding": "utf-8",
            "can_bind": lambda host, port: "",
            "fetch": lambda url: (0, ""),
            "addresses": list,
            "prefixes": ("/opt/venv", "/usr"),
        }
        return Machine(tmp_path / "journal.sqlite", tmp_path / "companion.toml", **usual | more)

    return make


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


# --- what is joined to the table ------------------------------------------------------------------


def test_doctor_listens_to_a_receiver_and_its_dice(machine):
    hand = SimulatedHand(dice_of(game_named("troll_and_dragon")))
    settings = Config(dice=hand.settings())
    with hand:
        told = listen_to_dice(settings)
    listened = machine(settings=settings, dice=lambda: told)
    assert joined.check_greeting(listened).state == "ok"
    assert "firmware simulated" in joined.check_greeting(listened).finding
    assert "nobody has said which die" in joined.check_smart_dice(listened).finding
    assert joined.check_line(listened).state == "ok"


def test_nothing_is_opened_while_a_game_may_be_in_play(tmp_path):
    table = Machine.here(tmp_path / "j", None, Config(dice=NAMED), eyes=False)
    for check in (joined.check_greeting, joined.check_line, joined.check_smart_dice):
        assert check(table).state == "none"
    assert joined.check_buttons(table).state == "none"


def test_several_things_that_were_heard_are_one_finding_as_bad_as_the_worst():
    heard = [
        DiceFinding("smart_dice", "ok", "1 of 2 heard"),
        DiceFinding("smart_dice", "note", "d1: low"),
        DiceFinding("smart_dice", "bad", "d2: odd", "charge it"),
    ]
    assert joined.told("dice", heard) == Finding("dice", "bad", "d1: low; d2: odd", "charge it")


def test_button_that_is_pressed_for_a_moment_is_not_stuck():
    factory = mock_pins()
    opens = threading.Timer(0.05, factory.pin(4, pin_class=ClosedPin).drive_high)
    factory.pin(7, pin_class=ClosedPin)
    opens.start()
    assert stuck(PinChoice(factory, True, ""), [4, 8], for_s=5.0) == []
    opens.join()
    assert stuck(PinChoice(factory, True, ""), [7, 8], for_s=0.01) == [7]


def test_strip_on_the_network_is_found(machine):
    with SimulatedWled() as wled:
        settings = Config(alerts=AlertSettings(wled=wled.url))
        found = joined.check_strip(machine(settings=settings, fetch=fetch))
    assert found.state == "ok"
    assert "WLED 0.14.4" in found.finding


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

    from companion.doctor.machine import can_bind, fetch

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert "in use" in can_bind("127.0.0.1", port)
    assert can_bind("127.0.0.1", 0) == ""
    assert fetch(f"http://127.0.0.1:{port}/") == (0, "")


# --- looking through a camera ---------------------------------------------------------------------


class Lens:
    """A camera that gives so many pictures before it is unplugged."""

    def __init__(self, count):
        self.count, self.is_closed = count, False

    def read(self):
        if self.count == 0:
            raise CameraTrouble("lost", "no picture any more")
        self.count -= 1
        return Frame(1.0 / (self.count + 1), np.full((8, 8, 3), self.count % 256, np.uint8))

    def close(self):
        self.is_closed = True


@pytest.mark.parametrize(("count", "seen", "why"), [(100, FRAMES, ""), (3, 3, "no picture")])
def test_camera_is_looked_through_and_given_back(count, seen, why):
    lens = Lens(count)
    found = looks_of(lambda: lens, SimulatedClock())
    assert len(found.looks) == seen
    assert found.why.startswith(why)
    assert lens.is_closed


def test_camera_that_cannot_be_opened_says_why():
    def busy():
        raise CameraTrouble("busy", "another program has the camera")

    assert looks_of(busy, SimulatedClock()) == CameraLooks(why="another program has the camera")


@pytest.mark.parametrize(
    ("files", "has_picamera", "name"),
    [
        ([], True, ""),
        (["video10", "video0"], True, "picamera"),
        (["video0"], False, "{dev}/video0"),
        (
            ["video0", "v4l/by-id/usb-Cam-video-index0", "v4l/by-id/usb-Cam-video-index1"],
            True,
            "{dev}/v4l/by-id/usb-Cam-video-index0",
        ),
    ],
)
def test_camera_that_a_table_would_take_is_found(tmp_path, files, has_picamera, name):
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert first_camera(tmp_path, has_picamera=has_picamera) == name.format(dev=tmp_path)
