"""What the table is asked when no sensor can tell."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.actions import Report


@dataclass
class Asked:
    """A question to the table: its answers, likeliest first, and what each of them reports."""

    id: str
    text: str
    at_s: float
    source: str
    faces: tuple[str, ...]
    answer: Callable[[str], Report | None]
    dice: tuple[str, ...] = ()
    picture: str | None = None


def question_row(asked: Asked) -> dict[str, Any]:
    """A question as screens show it, likeliest answer first."""
    return {
        "id": asked.id,
        "text": asked.text,
        "die": asked.dice[0] if asked.dice else None,
        "dice": list(asked.dice),
        "picture": asked.picture,
        "faces": list(asked.faces),
    }
