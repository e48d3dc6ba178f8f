"""Asks for the faces of a die on a page: what is asked now, what was said, what has to be answered.

The calibration runs in a thread of its own and waits here; the page looks and answers from others.
"""

import threading
from typing import Any

from companion.calibration import FaceCalibration
from companion.errors import DeviceError
from companion.words import mark

FLAT, STILL = "flat", "still"
QUESTIONS = {
    FLAT: mark("It feels crooked, as a die does whose sensor sits askew. Does it lie flat?"),
    STILL: mark("Lay it down like that. Does it lie still?"),
}
WAIT_S = 120.0  # for an answer
LINES = 8  # that are shown


class PageAsker:
    """One calibration as the page shows it."""

    def __init__(self, own: str, plays: str, *, simulated: bool) -> None:
        self.own, self.plays = own, plays
        self.is_over = False
        self._simulated = simulated
        self._asks, self._error, self._question = "", "", ""
        self._shown = self._of = 0
        self._lines: list[dict[str, Any]] = []
        self._stopping = False
        self._answered = threading.Condition()
        self._yes: bool | None = None

    def row(self) -> dict[str, Any]:
        """How far it is, for the page."""
        return {
            "die": self.own,
            "plays": self.plays,
            "asks": self._asks,
            "shown": self._shown,
            "of": self._of,
            "lines": list(self._lines[-LINES:]),
            "question": QUESTIONS.get(self._question, ""),
            "over": self.is_over,
            "error": self._error,
        }

    # --- in the thread of the calibration ---------------------------------------------------------

    def ask(self, asked: FaceCalibration) -> None:
        """Ask for the next face."""
        self.look_up()
        self._asks, self._shown, self._of = asked.asks, len(asked.sides), asked.count

    def tell(self, text: str, *, good: bool) -> None:
        """Say how it went."""
        self._lines.append({"text": text, "good": good})
        if good:
            self._shown += 1

    def lies_flat(self) -> bool:
        """Ask whether a die that feels crooked lies flat all the same."""
        return self._simulated or self._wait_for(FLAT)

    def wait_until_still(self) -> None:
        """Wait until somebody says that the die lies still."""
        if not self._simulated:
            self._wait_for(STILL)

    def look_up(self) -> None:
        """End it where somebody has said so."""
        if self._stopping:
            raise DeviceError(mark("stopped"))

    def end(self, error: str) -> None:
        """It is done, or went wrong."""
        self._asks, self._question, self._error = "", "", error
        self.is_over = True

    def _wait_for(self, question: str) -> bool:
        with self._answered:
            self._yes, self._question = None, question
            self._answered.wait_for(lambda: self._yes is not None or self._stopping, WAIT_S)
            self._question = ""
            self.look_up()
            if self._yes is None:
                raise DeviceError(mark("nobody has answered; begin again"))
            return self._yes

    # --- from the page ----------------------------------------------------------------------------

    def answer(self, *, yes: bool) -> bool:
        """Answer what is asked; False if nothing is."""
        with self._answered:
            if not self._question:
                return False
            self._yes = yes
            self._answered.notify_all()
            return True

    def stop(self) -> None:
        """End it as soon as it looks up."""
        with self._answered:
            self._stopping = True
            self._answered.notify_all()
