"""Commands to single dice, without any I/O: asked until they are answered, one a die at a time.

The receiver forwards a command to its die and answers with the number of the line that asked. A
line or an answer may be lost; every command may be done twice without harm, so it is asked again
with another number until an answer comes, or `TRIES` times.
"""

import threading
from collections.abc import Callable, Collection

from firmware import wire
from hardware.dice_messages import WiredDie

ANSWER_S = 1.0
TRIES = 5
NO_ANSWER = "no_answer"
DONE = "done"


class Asked:
    """One command to one die; any thread may wait for its answer."""

    def __init__(self, kind: str, die: str, *words: object) -> None:
        self.kind, self.die, self.words = kind, die, words
        self.tries = 0
        self.number = 0
        self.asked_at_s = float("-inf")
        self._answer = ""
        self._answered = threading.Event()

    @property
    def answer(self) -> str:
        """Empty while it is under way; then `done`, `no_answer` or one of `wire.REASONS`."""
        return self._answer

    @property
    def is_done(self) -> bool:
        """True once the die has done it."""
        return self._answer == DONE

    @property
    def why(self) -> str:
        """Why it was not done, in words for people."""
        unknown = "the receiver does not answer; is it plugged in?"
        return "" if self._answer in ("", DONE) else wire.REASONS.get(self._answer, unknown)

    def end(self, answer: str) -> None:
        """Take the answer."""
        self._answer = answer
        self._answered.set()

    def wait(self, limit_s: float) -> bool:
        """Wait for the answer, in real time; False if none came within `limit_s`."""
        return self._answered.wait(limit_s)


class Commands:
    """The commands of one conversation, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._waiting: list[Asked] = []

    def ask(self, asked: Asked) -> Asked:
        """Put a command in line; ValueError (WireError) if a word of it does not fit the wire."""
        wire.encode(asked.kind, wire.HOST, wire.HOST_RUN, 1, 0, asked.die, *asked.words)
        self._waiting.append(asked)
        return asked

    def begin_anew(self) -> None:
        """Another conversation: what was sent has to be sent again, under new numbers."""
        for asked in self._waiting:
            asked.number, asked.asked_at_s = 0, float("-inf")

    def due(self, at_s: float, say: Callable[..., int]) -> None:
        """Say what is due; `say(kind, at_s, *words)` returns the number of the line."""
        busy: set[str] = set()
        for asked in list(self._waiting):
            if asked.die not in busy and at_s >= asked.asked_at_s + ANSWER_S:
                self._say(asked, at_s, say)
            busy.add(asked.die)

    def _say(self, asked: Asked, at_s: float, say: Callable[..., int]) -> None:
        if asked.tries >= TRIES:
            self._waiting.remove(asked)
            asked.end(NO_ANSWER)
            return
        asked.tries += 1
        asked.number, asked.asked_at_s = say(asked.kind, at_s, asked.die, *asked.words), at_s

    def answered(self, number: int, answer: str) -> Asked | None:
        """Take an answer to the line of this number; None if it answers nothing that waits."""
        for asked in self._waiting:
            if asked.number == number:
                self._waiting.remove(asked)
                asked.end(answer)
                return asked
        return None

    def time_set_back(self) -> None:
        """The clock of the game begins anew; answers are waited for from now."""
        for asked in self._waiting:
            asked.asked_at_s = float("-inf")


class Teacher:
    """Teaches dice the words on their sides, once it is heard that one does not know them.

    Faces that are numbers are not taught: the companion keeps those to itself.
    """

    def __init__(self) -> None:
        self._lessons: dict[str, list[Asked]] = {}

    def heard(self, die: str, code: str, wired: WiredDie) -> list[Asked]:
        """Hear a die tell a face by this code; return the lessons that it needs."""
        words = _words_of(wired)
        if not words or code in words.values() or not self._may_begin(die):
            return []
        self._lessons[die] = [Asked("LEARN", die, int(side), face) for side, face in words.items()]
        return self._lessons[die]

    def _may_begin(self, die: str) -> bool:
        # A die that was asleep or out of reach is taught when it is heard the next time; one that
        # has learnt everything and still says numbers is not taught for ever.
        lessons = self._lessons.get(die, [])
        return all(one.answer for one in lessons) and not (lessons and _all_done(lessons))


def _all_done(lessons: Collection[Asked]) -> bool:
    return all(one.is_done for one in lessons)


def _words_of(wired: WiredDie) -> dict[str, str]:
    sides = {code: face for code, face in wired.faces.items() if code.isdigit()}
    fit = all(_fits(face) for face in sides.values())
    return sides if fit and not any(face.isdigit() for face in sides.values()) else {}


def _fits(face: str) -> bool:
    try:
        wire.encode("LEARN", wire.HOST, wire.HOST_RUN, 1, 0, "x", 1, face)
    except wire.WireError:
        return False
    return True
