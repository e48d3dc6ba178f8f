"""What programs send to the interface: one struct for each write, checked strictly.

`step` is the step that the sender saw when it decided; it belongs to every write to the table.
"""

from typing import Annotated, Any

import msgspec

from companion.actions import Action, Entry

Step = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]
Url = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


class Answers(msgspec.Struct, forbid_unknown_fields=True):
    """A write that says nothing but which step it answers: undo, pause, resume, end."""

    step: Step


class Act(msgspec.Struct, forbid_unknown_fields=True):
    """An action, with who does it and how long a message takes to the table and back."""

    action: Entry
    step: Step
    player: str | None = None
    round_trip_s: Seconds = 0.0


class Throw(msgspec.Struct, forbid_unknown_fields=True):
    """Throw simulated dice."""

    player: str
    dice: list[str]
    step: Step


class Turn(msgspec.Struct, forbid_unknown_fields=True):
    """Turn up a simulated tile or card."""

    player: str
    square: str
    step: Step


class Sit(msgspec.Struct, forbid_unknown_fields=True):
    """Sit down at a seat, or leave it to the simulated player."""

    person: bool
    step: Step


class EnteredRoll(msgspec.Struct, forbid_unknown_fields=True):
    """A roll that somebody enters by hand: the face of each die."""

    faces: Annotated[dict[str, str], msgspec.Meta(min_length=1)]
    step: Step
    player: str | None = None


class Correction(msgspec.Struct, forbid_unknown_fields=True):
    """Put another action in the place of an earlier step's.

    at          the step to correct.
    drop_later  cut the game off where later steps no longer fit.
    """

    at: Step
    action: Action
    step: Step
    drop_later: bool = False


class Adjustment(msgspec.Struct, forbid_unknown_fields=True):
    """Set a public count by hand."""

    counter: str
    value: Count
    step: Step


class SeatPlayed(msgspec.Struct, forbid_unknown_fields=True):
    """Who plays a seat from now on: a person, or the simulated player.

    new_code  also unpair every phone, when one person hands the seat to another.
    """

    person: bool
    step: Step
    new_code: bool = False


class MannerWished(msgspec.Struct, forbid_unknown_fields=True):
    """How quiet and how loud the table is from now on; what is left out stays as it was.

    quiet   no sound, no voice, no blinking, and lamps half as bright.
    volume  of the buzzer, 0 to 1.
    """

    step: Step
    quiet: bool | None = None
    volume: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None


class AnswerGiven(msgspec.Struct, forbid_unknown_fields=True):
    """What a die shows that a sensor asked about, or another answer that the question lists.

    question  its id, as it stands in the snapshot.
    face      one of its `faces`; "that was no roll" where dice lie anew that nobody threw, or not
              for this table: nothing is reported, and what waited for the question goes on.
    """

    question: str
    face: str
    step: Step


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """Play again, or something else; what is left out stays as it was."""

    step: Step
    game: str | None = None
    players: Annotated[list[str], msgspec.Meta(min_length=1, max_length=20)] | None = None
    options: dict[str, Any] | None = None


class Hook(msgspec.Struct, forbid_unknown_fields=True):
    """Ask for every message of some kinds at an address."""

    url: Url
    kinds: tuple[str, ...] = ("table",)
