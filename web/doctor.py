"""The doctor's page: what was examined, what was found, and what to do, for the referee."""

import threading
import time
from collections.abc import Callable
from typing import Any

from flask import Flask, render_template

FRESH_S = 5.0  # an examination takes about a second, and writes to the disk: not one for each tap
WORDS = {"bad": "To do", "note": "Worth knowing", "ok": "Well", "none": "Not here"}

Rows = dict[str, list[dict[str, Any]]]


class Examination:
    """What the doctor found last; examined again when that is some seconds old."""

    def __init__(self, examine: Callable[[], Rows], fresh_s: float = FRESH_S) -> None:
        self._examine, self._fresh_s = examine, fresh_s
        self._lock = threading.Lock()
        self._found: Rows = {}
        self._at_s = float("-inf")

    def rows(self) -> Rows:
        """Findings by subject; a second caller waits for the first one's."""
        with self._lock:
            if time.monotonic() - self._at_s > self._fresh_s:
                self._found, self._at_s = self._examine(), time.monotonic()
            return self._found


def show_doctor(app: Flask, examine: Callable[[], Rows]) -> None:
    """Serve `/doctor`; access keeps it for the referee.

    examine  looks at everything: findings (code, state, finding, fix) by subject.
    """
    examination = Examination(examine)

    @app.get("/doctor")
    def doctor() -> str:
        rows = examination.rows()
        counts = {state: sum(row["state"] == state for part in rows.values() for row in part)
                  for state in WORDS}  # fmt: skip
        return render_template("doctor.html", subjects=rows, words=WORDS, counts=counts)
