"""What the table is asked when no sensor can tell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.actions import Report
from companion.words import mark

COUNT_IT, IGNORE_IT = mark("count it"), mark("ignore it")


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
