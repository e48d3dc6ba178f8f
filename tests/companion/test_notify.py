"""What systemd hears: ready, alive, stopping; from a real service in a process of its own too."""

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

import pytest

from companion.errors import CompanionError
from companion.journal import Journal
from companion.notify import answers, beat_s, notify, signs_of_life

LIMIT_S = 60.0


@pytest.fixture
def systemd(tmp_path):
    """The socket on which systemd listens."""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(LIMIT_S)
        yield listening


def heard(systemd, wanted):
    """What was told up to and with the first message that has this line in it."""
    told = []
    while not any(wanted in lines for lines in told):
        told.append(systemd.recv(4096).decode().splitlines())
    return told


def watched(tmp_path, every_s=0.05):
    return {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": str(int(every_s * 3e6))}


def test_lines_reach_systemd(systemd, tmp_path):
    assert notify("READY=1", "STATUS=fine", env=watched(tmp_path))
    assert systemd.recv(100) == b"READY=1\nSTATUS=fine"


def test_name_without_a_file_is_understood():
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(f"\0companion-test-{os.getpid()}")
        assert notify("READY=1", env={"NOTIFY_SOCKET": f"@companion-test-{os.getpid()}"})
        assert listening.recv(100) == b"READY=1"


def test_nothing_is_told_where_nobody_listens(tmp_path):
    assert not notify("READY=1", env={})
    assert not notify("READY=1", env={"NOTIFY_SOCKET": str(tmp_path / "none")})


@pytest.mark.parametrize(
    ("env", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_signs_are_given_three_times_as_often_as_asked(env, seconds):
    assert beat_s(env) == seconds


def at_once(ask, timeout_s):
    return ask()


def never(ask, timeout_s):
    raise CompanionError("the table does not answer")


def test_deciding_thread_that_hangs_gives_no_sign(systemd, tmp_path):
    asked = queue.SimpleQueue()

    def hangs(ask, timeout_s):
        asked.put(ask)
        never(ask, timeout_s)

    with signs_of_life(hangs, "game 1", env=watched(tmp_path)):
        assert heard(systemd, "READY=1") == [["READY=1", "STATUS=game 1"]]
        for _ in range(3):
            asked.get(timeout=LIMIT_S)
    systemd.setblocking(False)
    with pytest.raises(BlockingIOError):
        systemd.recv(100)
    assert not answers(never)


def test_signs_are_given_while_the_table_decides_and_end_with_it(systemd, tmp_path):
    with signs_of_life(at_once, "game 1", env=watched(tmp_path)):
        assert heard(systemd, "WATCHDOG=1")[0] == ["READY=1", "STATUS=game 1"]
    assert "signs of life" not in [thread.name for thread in threading.enumerate()]


def test_no_thread_runs_where_nobody_waits_for_signs():
    with signs_of_life(never, "game 1", env={}):
        assert "signs of life" not in [thread.name for thread in threading.enumerate()]


def test_real_service_is_ready_lives_and_stops_tidily(systemd, tmp_path):
    journal = tmp_path / "journal.sqlite"
    words = ["serve", "--port", "0", "--journal", str(journal)]
    env = os.environ | watched(tmp_path, 0.2)
    env.pop("WATCHDOG_PID", None)
    command = [sys.executable, "-m", "companion.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        told = heard(systemd, "WATCHDOG=1")
        assert "READY=1" in told[0]
        said = process.stdout.readline()
        port = int(said.split("http://127.0.0.1:")[1].split()[0].rstrip("/"))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/doctor", timeout=LIMIT_S) as page:
            assert "journal_integrity" in page.read().decode()
        process.send_signal(signal.SIGTERM)
        assert "STOPPING=1" in heard(systemd, "STOPPING=1")[-1]
        assert process.wait(LIMIT_S) == 0
    with socket.socket() as trial, pytest.raises(ConnectionRefusedError):
        trial.connect(("127.0.0.1", port))
    kept = Journal(journal)
    (row,) = kept.games()
    assert kept.resume(row.number).number == row.steps
    kept.close()
