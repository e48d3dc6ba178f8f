"""Says sentences aloud through espeak-ng, where that is installed (`apt install espeak-ng`).

Theory of operation. One thread speaks; each sentence is a process of its own, which gets the text
on its standard input. What has a higher priority than the sentence that is being said breaks that
off, so that "Dragon!" never waits; what was broken off, or has waited too long, is not said any
more. `say` returns at once, whatever the sound card does.
"""

import contextlib
import logging
import shutil
import subprocess
import threading
import time
from types import TracebackType
from typing import Any, Self

from companion.words import of_system, say

LOG = logging.getLogger(__name__)
PROGRAM = "espeak-ng"
SPEED_WPM = 165  # words a minute
STALE_S = 5.0  # a sentence that comes later than this belongs to nothing any more
WAITING = 4  # at most; the lowest are dropped
LONGEST_S = 20.0  # a sentence that takes longer hangs
MOST_CHARS = 300


class Voice:
    """One voice; `state` is `ok` or `lost`, and `why` says what is wrong.

    program   an espeak-ng, or what behaves like it: text on stdin, sound, end.
    language  as espeak-ng calls it, such as `en` or `de`.
    """

    def __init__(self, program: str = PROGRAM, *, language: str = "en") -> None:
        self._command = [program, "-v", language, "-s", str(SPEED_WPM), "--stdin"]
        self.state, self.why = "ok", ""
        self.said = self.broken_off = 0
        self._changed = threading.Condition()
        self._waiting: list[tuple[int, float, str]] = []  # priority, when, what
        self._speaking: tuple[int, Any] | None = None
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, priority: int) -> None:
        """Say it soon; a higher priority breaks off a lower one."""
        with self._changed:
            if self._is_closed:
                return
            self._waiting.append((priority, time.monotonic(), text[:MOST_CHARS]))
            self._waiting.sort(key=lambda one: (-one[0], one[1]))
            del self._waiting[WAITING:]
            if self._speaking is not None and priority > self._speaking[0]:
                self._break_off()
            self._changed.notify_all()

    def hush(self) -> None:
        """Be silent now, and forget what was to be said."""
        with self._changed:
            self._waiting.clear()
            self._break_off()

    def close(self) -> None:
        """Be silent for ever; may be called again."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._break_off()
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _break_off(self) -> None:
        if self._speaking is not None:
            self.broken_off += 1
            with contextlib.suppress(OSError):  # it may have ended by itself just now
                self._speaking[1].kill()

    def _run(self) -> None:
        while (begun := self._begin()) is not None:
            process, text = begun
            try:
                process.communicate(text.encode(), timeout=LONGEST_S)
            except subprocess.TimeoutExpired:
                self._fail(say("it took longer than {n} s for one sentence", n=round(LONGEST_S)))
                process.kill()
                process.communicate()
            except OSError as error:  # it was broken off before it had read everything
                LOG.debug("a sentence was not heard to its end: %s", error)
                process.wait()
            self._end(process)

    def _begin(self) -> tuple[Any, str] | None:
        """Start the next sentence, under the lock: nobody may break off what is not known yet."""
        with self._changed:
            while not self._is_closed:
                now_s = time.monotonic()
                self._waiting = [one for one in self._waiting if now_s - one[1] <= STALE_S]
                if not self._waiting:
                    self._changed.wait()
                    continue
                priority, _, text = self._waiting.pop(0)
                try:
                    process = subprocess.Popen(
                        self._command,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
                except OSError as error:
                    self._fail(of_system(error))
                    continue
                self._speaking = priority, process
                return process, text
        return None

    def _end(self, process: Any) -> None:
        with self._changed:
            self._speaking = None
            if process.returncode == 0:
                self.said += 1
                self.state, self.why = "ok", ""
            elif process.returncode > 0:
                program, code = self._command[0], process.returncode
                self._fail(say("{program} ended with {code}", program=program, code=code))

    def _fail(self, why: str) -> None:
        if self.state == "ok":
            LOG.warning("the voice fails: %s", why)
        self.state, self.why = "lost", why


def find_voice(language: str = "en") -> Voice | None:
    """The voice of this machine; None where espeak-ng is not installed."""
    program = shutil.which(PROGRAM)
    return None if program is None else Voice(program, language=language)
