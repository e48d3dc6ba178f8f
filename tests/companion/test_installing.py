"""The service of systemd: its unit, and the commands that install and remove it."""

import grp
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import installing
from companion.cli import main
from companion.config import load_config
from companion.errors import CompanionError, ConfigError
from companion.installing import Act, carry_out, install_acts, uninstall_acts
from companion.outside import Ran
from companion.service_unit import UNIT, Plan, plan, quoted, unit, version_from

PLAN = Plan(
    "nobody", ("video",), Path("/opt/companion"), Path("/etc/companion/companion.toml"), 8000, 252
)


class Systemd:
    """Answers like systemctl: what was asked for, and how the service is."""

    def __init__(self, version=252):
        self.version, self.enabled, self.active = version, "disabled", "inactive"
        self.asked = []

    def __call__(self, words):
        self.asked.append(" ".join(words))
        match words[1:]:
            case ["--version"]:
                return Ran(0, f"systemd {self.version} ({self.version}.1-1)\n+PAM")
            case ["is-enabled", _]:
                return Ran(int(self.enabled != "enabled"), f"{self.enabled}\n")
            case ["is-active", _]:
                return Ran(int(self.active != "active"), f"{self.active}\n")
            case ["enable", _]:
                self.enabled = "enabled"
            case ["restart", _]:
                self.active = "active"
        return Ran(0, "")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Said:
    def __init__(self):
        self.lines = []

    def print(self, text, **_):
        self.lines.append(str(text))


def install(root, systemd, user="nobody", **more):
    acts = install_acts(root, systemd, user, None)
    said = Said()
    carry_out(acts, systemd, said, **({"yes": True, "dry_run": False} | more))
    return acts, "\n".join(said.lines)


def test_installing_writes_settings_and_unit_and_starts_it(here):
    systemd = Systemd()
    install(here, systemd)
    text = (here / UNIT).read_text()
    assert load_config(here / "etc/companion/companion.toml").table.game == "troll_and_dragon"
    assert "User=nobody" in text
    assert (systemd.enabled, systemd.active) == ("enabled", "active")
    assert systemd.asked[-3:] == [
        "systemctl daemon-reload",
        "systemctl enable companion",
        "systemctl restart companion",
    ]


def test_installing_again_changes_nothing(here):
    systemd = Systemd()
    install(here, systemd)
    acts, said = install(here, systemd)
    assert acts == []
    assert "Nothing to do" in said


def test_other_user_or_stopped_service_changes_only_that(here):
    systemd = Systemd()
    install(here, systemd)
    systemd.active = "failed"
    assert [act.command for act in install_acts(here, systemd, "nobody", None)] == [
        ("systemctl", "restart", "companion")
    ]
    systemd.active = "active"
    assert [str(act) for act in install_acts(here, systemd, "daemon", None)] == [
        f"write {here / UNIT}",
        "run    systemctl daemon-reload",
        "run    systemctl restart companion",
    ]


def test_it_is_said_and_asked_before_anything_is_done(here, monkeypatch):
    systemd = Systemd()
    _, said = install(here, systemd, dry_run=True)
    assert "ExecStart=" in said
    assert "run    systemctl enable companion" in said
    assert not (here / UNIT).exists()
    monkeypatch.setattr(installing.click, "confirm", lambda question: False)
    with pytest.raises(ConfigError, match="nothing was done"):
        install(here, systemd, yes=False)
    assert not (here / UNIT).exists()
    assert systemd.enabled == "disabled"


def test_uninstalling_removes_the_unit_and_keeps_the_settings(here):
    systemd = Systemd()
    install(here, systemd)
    carry_out(uninstall_acts(here), systemd, Said(), yes=True, dry_run=False)
    assert not (here / UNIT).exists()
    assert (here / "etc/companion/companion.toml").is_file()
    assert systemd.asked[-2:] == ["systemctl disable --now companion", "systemctl daemon-reload"]
    assert uninstall_acts(here) == []


def test_settings_in_this_folder_are_used(here):
    (here / "companion.toml").write_text("[web]\nport = 80\n")
    install(here, Systemd())
    text = (here / UNIT).read_text()
    assert f"--config {here}/companion.toml" in text
    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE" in text
    assert not (here / "etc/companion").exists()


def test_who_may_not_is_told_what_to_write(here, mocker):
    mocker.patch("pathlib.Path.write_text", side_effect=PermissionError(13, "Permission denied"))
    with pytest.raises(ConfigError, match="only root may do this; write sudo"):
        installing.do(Act(here / UNIT, "text"), Systemd())


def test_command_that_fails_says_why():
    def refusing(words):
        return Ran(1, "Job for companion.service failed.\n")

    with pytest.raises(CompanionError, match=r"Job for companion.*journalctl -u companion"):
        installing.do(Act(command=("systemctl", "restart", "companion")), refusing)


@pytest.mark.parametrize(
    ("user", "words"), [("root", "ordinary user, got root"), ("no-such-user", "'no-such-user'")]
)
def test_user_must_be_there_and_ordinary(user, words):
    with pytest.raises(ConfigError, match=words):
        plan(user, Path("x.toml"), 8000, 252)


def test_machine_without_systemd_is_refused(here):
    with pytest.raises(ConfigError, match="found no systemctl"):
        install_acts(here, lambda words: None, "nobody", None)


def test_commands_speak_to_this_machine(monkeypatch):
    systemd = Systemd()
    monkeypatch.setattr(installing, "patiently", systemd)
    told = CliRunner().invoke(main, ["install-service", "--user", "nobody", "--dry-run"])
    assert told.exit_code == 0
    assert "/etc/systemd/system/companion.service" in told.output
    told = CliRunner().invoke(main, ["uninstall-service", "--dry-run"])
    assert told.exit_code == 0


# --- the unit -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Type=notify",
        "WatchdogSec=30",
        "Restart=on-failure",
        "StateDirectory=companion",
        "StandardOutput=journal",
        "SupplementaryGroups=video",
        "WantedBy=multi-user.target",
        "StartLimitIntervalSec=0",
    ],
)
def test_unit_says(line):
    assert line in unit(PLAN).splitlines()


def test_lamps_are_switched_off_however_the_service_ended():
    line = next(line for line in unit(PLAN).splitlines() if line.startswith("ExecStopPost="))
    ran, *words = line.removeprefix("ExecStopPost=").split(" ")
    assert ran == f"-{PLAN.program}"  # a lamp that cannot be reached is no failure of the service
    assert words == ["pins", "--dark", "--config", str(PLAN.config)]
    parsed = main.commands[words[0]].make_context("pins", [words[1]])
    assert parsed.params["dark"] is True


def test_pauses_between_restarts_grow_in_old_and_new_systemds():
    old = unit(PLAN)
    assert "RestartSteps" not in old
    assert "NRestarts" in old
    new = unit(Plan(**(PLAN.__dict__ | {"systemd": 257})))
    assert "RestartSteps=6\nRestartMaxDelaySec=60" in new
    assert "ExecStartPre" not in new


@pytest.mark.parametrize(("restarts", "pause_s"), [("0", "0"), ("7", "7"), ("400", "60")])
def test_pause_of_old_systemds_grows_with_the_restarts(tmp_path, restarts, pause_s):
    for name, script in (("systemctl", f"echo {restarts}"), ("sleep", 'echo "$1"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    line = next(line for line in unit(PLAN).splitlines() if line.startswith("ExecStartPre="))
    script = line.partition("'")[2].rstrip("'").replace("$$", "$")
    env = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", script], env=env, capture_output=True, text=True)
    assert done.stdout.strip() == pause_s


def test_only_groups_of_this_machine_are_named():
    there = {group.gr_name for group in grp.getgrall()}
    assert set(plan("nobody", Path("x"), 8000, 252).groups) <= there


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("/opt/companion", "/opt/companion"),
        ("/home/ann/my games/x", '"/home/ann/my games/x"'),
        ("100%", "100%%"),
        ("$HOME", "$$HOME"),
        ('a"b', '"a\\"b"'),
    ],
)
def test_words_of_the_command_are_quoted_for_systemd(word, written):
    assert quoted(word) == written


def test_version_is_read():
    assert version_from("systemd 257 (257.7-1)\n+PAM") == 257
    assert version_from("") == 0


def systemd_analyze():
    found = shutil.which("systemd-analyze")
    if found is None:
        why = "needs systemd-analyze (apt install systemd)"
        (pytest.fail if os.environ.get("COMPANION_REQUIRE_TOOLS") == "1" else pytest.skip)(why)
    return found


@pytest.mark.parametrize("port", [80, 8000])
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path, port):
    tool = systemd_analyze()
    said = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    user = pwd.getpwuid(1).pw_name
    given = plan(user, tmp_path / "companion.toml", port, version_from(said))
    path = tmp_path / "companion.service"
    path.write_text(unit(given))
    done = subprocess.run([tool, "verify", str(path)], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "companion.service" in line]
    assert (done.returncode, ours) == (0, [])
    path.write_text(unit(given).replace("Type=notify", "Tpye=notify"))
    done = subprocess.run([tool, "verify", str(path)], capture_output=True, text=True)
    assert "Tpye" in done.stderr, "what is wrong would have been found"


def test_program_of_the_unit_is_the_one_that_runs():
    given = plan("nobody", Path("x"), 8000, 252)
    assert given.program == Path(sys.executable).with_name("companion")
