"""What happened at the table: five kinds of action, and the report that brings one in.

Actions are values: frozen, comparable, and the same in memory, in the journal and in JSON, where
the field `type` tells them apart (`{"type": "chose", "player": "ann", "choice": "leave"}`).
"""

from typing import Any

import msgspec


class _Entry(
    msgspec.Struct,
    frozen=True,
    tag=str.lower,
    tag_field="type",
    forbid_unknown_fields=True,
    gc=False,
):
    # What all entries have in common: strict values, named in JSON by the field `type`.
    pass


class Rolled(_Entry, frozen=True):
    """Dice came to rest: name of each die that was rolled, and the face that is up."""

    faces: dict[str, str]


class Flipped(_Entry, frozen=True):
    """A tile or card was turned up: where it lies (`2,3`, `enemy_deck`) and what it shows."""

    square: str
    face: str


class Chose(_Entry, frozen=True):
    """A person decided: the choice, and its value where there are several."""

    player: str
    choice: str
    value: Any = None


class Waited(_Entry, frozen=True):
    """Everything up to this moment of the game is known, in seconds since its start."""

    until_s: float


class Adjusted(_Entry, frozen=True):
    """A person set a public count by hand."""

    counter: str
    value: int


Action = Rolled | Flipped | Chose | Waited | Adjusted


class Undo(_Entry, frozen=True):
    """Take back what was accepted last."""


class Correct(_Entry, frozen=True):
    """Replace the action of an earlier step; the later steps are played again."""

    step: int
    action: Action
    drop_later: bool = False


Entry = Action | Undo | Correct


class Report(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An entry with its provenance: who saw what, when, and how sure they are.

    at_s       when it happened, in seconds since the start of the game; None where nobody knows.
    within_s   uncertainty of `at_s`, in seconds, to either side.
    source     the sensor, screen or program that says so, such as `camera:adventurer`.
    certainty  0 to 1; 1 for what a person said.
    evidence   name of the picture that shows it, or None.
    """

    action: Entry
    at_s: float | None = None
    within_s: float = 0.0
    source: str = ""
    certainty: float = 1.0
    evidence: str | None = None
