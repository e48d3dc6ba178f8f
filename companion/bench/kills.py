"""Games that are killed while they are played: what was announced must be in the journal.

The killed process is the real one (`companion play`, forked from one that has imported it), and
`kill -9` comes at any moment: most often while it plays, sometimes while it starts. What it
announced is read from its output. After each kill the journal must be sound and hold every
announced step in the same words, and the next process must go on exactly where it ends.
"""

import contextlib
import json
import os
import random
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from companion.bench.figures import progress
from companion.config import DEFAULT_GAME
from companion.errors import CompanionError
from companion.games import GAMES
from companion.journal import GameRow, Journal, engine_for

ANNOUNCED = re.compile(r"^ *(\d+)  (.+)$", re.MULTILINE)
GOES_ON = re.compile(r"goes on after step (\d+):")
START_S = 60.0  # a slow machine may take this long before it announces anything
PLAYS_S = 0.3  # mean time from the first announcement to the kill
STARTS_S = 1.0  # a kill while it starts comes within this time
AT_START = 0.2  # share of the kills that come while it starts
NUMBER = struct.Struct("!q")  # as processes tell each other process ids and exit codes
ENDED = b"?"  # how did it end?
MOST_BYTES = 65536  # of the words of a command


class Moment(NamedTuple):
    """When to kill: `after_s` from the start of the process, or from its first announcement."""

    after_s: float
    at_start: bool = False


def kill_again_and_again(
    path: Path, kills: int, seed: int, warm: "Warm | None" = None
) -> dict[str, Any]:
    """Kill a playing process at random moments; count what is missing or wrong afterwards."""
    rng = random.Random(seed)
    figures = dict.fromkeys(
        ("kills", "announced_steps", "lost_steps", "damaged_journals", "resumed_games",
         "wrong_resumes"), 0)  # fmt: skip
    with contextlib.ExitStack() as stack:
        step = stack.enter_context(progress("killing games"))
        started = stack.enter_context(Warm()) if warm is None else warm
        while figures["kills"] < kills:
            before = latest_game(path)
            output = play_and_kill(path, rng.randrange(2**32), random_moment(rng), started)
            for name, n in verdict(path, before, output).items():
                figures[name] += n
            figures["kills"] += 1
            step(figures["kills"], kills)
    return figures


def random_moment(rng: random.Random) -> Moment:
    """Most often while it plays, sometimes while it starts."""
    if rng.random() < AT_START:
        return Moment(rng.uniform(0, STARTS_S), at_start=True)
    return Moment(rng.expovariate(1 / PLAYS_S))


def latest_game(path: Path) -> GameRow | None:
    """The newest game of a journal that may not be there yet."""
    if not path.is_file():
        return None
    journal = Journal(path)
    rows = journal.games()
    journal.close()
    return rows[-1] if rows else None


def verdict(path: Path, before: GameRow | None, output: str) -> dict[str, int]:
    """What one killed process announced, and what of it is missing or wrong in the journal."""
    announced = [(int(number), text) for number, text in ANNOUNCED.findall(output)]
    goes_on = GOES_ON.search(output)
    expected = before.steps if before is not None and not before.over else None
    found = {
        "announced_steps": len(announced),
        "resumed_games": goes_on is not None,
        "wrong_resumes": goes_on is not None and int(goes_on[1]) != expected,
        "lost_steps": 0,
        "damaged_journals": not is_sound(path),
    }
    if (row := latest_game(path)) is not None:
        journal = Journal(path)
        told = {step.number: step.told for step in journal.steps(row.number)} | {0: ()}
        found["lost_steps"] = sum(text not in told.get(number, ()) for number, text in announced)
        found["damaged_journals"] |= journal.resume(row.number).number != row.steps
        journal.close()
    return {name: int(n) for name, n in found.items()}


def is_sound(path: Path) -> bool:
    """True if the database finds no fault with itself; a file that is not there has none."""
    if not path.is_file():
        return True
    engine = engine_for(path)
    with engine.connect() as connection:
        answer = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
    engine.dispose()
    return bool(answer == "ok")


def play_and_kill(path: Path, seed: int, moment: Moment, warm: "Warm | None" = None) -> str:
    """Play on, kill -9 at that moment, and return what was announced in whole lines.

    Raises CompanionError if the process ends by itself before, unless the game came to its end.
    """
    words = ["play", "--no-web", "--speed", "100", "--until-end"]
    words += ["--journal", str(path), "--seed", str(seed)]
    with contextlib.ExitStack() as stack:
        started = stack.enter_context(Warm()) if warm is None else warm
        complaints = stack.enter_context(tempfile.TemporaryFile())
        reads, writes = os.pipe()
        said = stack.enter_context(os.fdopen(reads, "rb"))
        process = started.start(words, writes, complaints.fileno())
        os.close(writes)
        try:
            output = read_until(reads, moment)
        finally:
            os.kill(process, signal.SIGKILL)
        output += said.read()
        if started.exit_code() > 0:
            complaints.seek(0)
            raise CompanionError(f"companion play ended by itself: {complaints.read().decode()}")
    return output.rpartition(b"\n")[0].decode()  # the last line may have been cut off


class Warm:
    """A process that has imported and learnt what `companion` needs, and forks into it when asked.

    What it forks into is `companion WORDS`, without the seconds that this takes.
    """

    def __init__(self) -> None:
        self._asks, answers = socket.socketpair()
        code = f"from companion.bench.kills import be_warm; be_warm({answers.fileno()})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            pass_fds=[answers.fileno()],
            env=os.environ | {"COLUMNS": "500", "PYTHONIOENCODING": "utf-8"},
        )
        answers.close()

    def start(self, words: list[str], says: int, complains: int) -> int:
        """Fork into `companion WORDS`, which writes to these two files; return its process id."""
        socket.send_fds(self._asks, [json.dumps(words).encode()], [says, complains])
        return self._answer()

    def exit_code(self) -> int:
        """Wait for the end of what was started last; negative for the signal that ended it.

        Until then its process id is that of no other process.
        """
        self._asks.sendall(ENDED)
        return self._answer()

    def __enter__(self) -> "Warm":
        return self

    def __exit__(self, *raised: object) -> None:
        self._asks.close()
        self._process.wait()

    def _answer(self) -> int:
        answer = self._asks.recv(NUMBER.size, socket.MSG_WAITALL)
        if len(answer) < NUMBER.size:
            raise CompanionError("the process that starts the games has ended by itself")
        number: int = NUMBER.unpack(answer)[0]
        return number


def be_warm(asked: int) -> None:
    """Fork into the command as often as the socket asks for it, until it is closed."""
    import companion.service  # noqa: F401 - what `companion play` imports once it runs
    from camera.enrolment import enrol_simulated
    from camera.source import use_one_core
    from companion.cli import main
    from companion.wiring import dice_of
    from hardware.cues import read_cues

    use_one_core()  # a fork has no threads but its own
    enrol_simulated(dice_of(GAMES[DEFAULT_GAME]))
    read_cues()
    Journal(None).close()
    with socket.socket(fileno=asked) as asks:
        while True:
            words, files, _, _ = socket.recv_fds(asks, MOST_BYTES, 2)
            if not words:
                return
            process = os.fork()
            if process == 0:
                asks.close()
                os.dup2(files[0], 1)
                os.dup2(files[1], 2)
                main(json.loads(words))
            for file in files:
                os.close(file)
            asks.sendall(NUMBER.pack(process))
            if not asks.recv(len(ENDED)):
                return
            asks.sendall(NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])))


def read_until(pipe: int, moment: Moment) -> bytes:
    """Read what the process says until its time has come."""
    output, has_begun = b"", moment.at_start
    until_s = time.monotonic() + (moment.after_s if moment.at_start else START_S)
    while (left_s := until_s - time.monotonic()) > 0:
        if not select.select([pipe], [], [], left_s)[0]:
            break
        piece = os.read(pipe, 4096)
        if not piece:
            break
        output += piece
        if not has_begun and ANNOUNCED.search(output.decode(errors="replace")):
            has_begun, until_s = True, time.monotonic() + moment.after_s
    return output
