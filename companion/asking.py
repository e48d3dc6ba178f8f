"""What the table is asked when no sensor can tell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from companion.actions import Report, Rolled
from companion.words import mark, say

JOURNAL = "journal"
LATE = mark("{what}. It lay there before the last decision, but was learned too late. Count it?")
GO_ON = mark("go on without the journal")
COUNT_IT, IGNORE_IT = mark("count it"), mark("ignore it")
NO_ROLL = mark("that was no roll")  # of dice that nobody threw, or not for the table


@dataclass
class Asked:
    """A question to the table: its answers, likeliest first, and what each of them reports.

    names    what people call the answers, where that differs.
    picture  address of a picture that goes with it, for as long as the question is open.
    late     the report that came too late, where that is what is asked about.
    settled  called once, when the question is answered or taken back.
    """

    id: str
    text: str
    at_s: float
    source: str
    faces: tuple[str, ...]
    answer: Callable[[str], Report | None]
    dice: tuple[str, ...] = ()
    picture: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    late: Report | None = None
    settled: Callable[[], None] = lambda: None

    def is_settled_by(self, report: Report) -> bool:
        """True for a roll of these dice, but not for one from before what is asked about."""
        action, at_s = report.action, report.at_s
        if not isinstance(action, Rolled) or (at_s is not None and at_s < self.at_s):
            return False
        return not set(self.dice).isdisjoint(action.faces)


def about_late(name: str, what: str, report: Report, decided_s: float) -> Asked:
    """Ask whether a roll counts that was learned of after a later decision."""
    counted = msgspec.structs.replace(report, at_s=None)
    return Asked(
        name,
        say(LATE, what=what),
        decided_s,
        report.source,
        (COUNT_IT, IGNORE_IT),
        lambda answer: counted if answer == COUNT_IT else None,
        tuple(report.action.faces) if isinstance(report.action, Rolled) else (),
        late=report,
    )


def about_journal(why: str, decided_s: float, go_on: Callable[[], None]) -> Asked:
    """Ask whether the game goes on although it cannot be written down."""

    def answer(said: str) -> None:
        go_on()

    text = say("The journal fails, so the game waits. {why}", why=why)
    return Asked(JOURNAL, text, decided_s, JOURNAL, (GO_ON,), answer)


def question_row(asked: Asked) -> dict[str, Any]:
    """A question as screens show it, likeliest answer first."""
    return {
        "id": asked.id,
        "text": asked.text,
        "die": asked.dice[0] if asked.dice else None,
        "dice": list(asked.dice),
        "picture": asked.picture,
        "faces": list(asked.faces),
        "labels": dict(asked.names),
    }
