"""What programs send to the set-up's part of the interface, checked strictly."""

from typing import Annotated, Literal

import msgspec

Text = Annotated[str, msgspec.Meta(max_length=200)]
OptionText = Annotated[str, msgspec.Meta(max_length=8000)]
Small = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class SeatSetUp(msgspec.Struct, forbid_unknown_fields=True):
    """A seat: a name, and a colour from 0 to 5 (the next that is free for null)."""

    name: Text
    colour: Small | None = None


class GameSetUp(msgspec.Struct, forbid_unknown_fields=True):
    """A game to begin.

    options  house rules as text, as they stand in the form.
    begins   the place of the seat that begins, from 0.
    aside    the number of the running game that may be set aside.
    """

    game: Text
    seats: Annotated[list[SeatSetUp], msgspec.Meta(max_length=20)]
    options: dict[str, OptionText] = {}
    begins: Small = 0
    aside: Small | None = None


class GameResumed(msgspec.Struct, forbid_unknown_fields=True):
    """Go on with an unfinished game; `aside` as for one that begins."""

    aside: Small | None = None


# --- smart dice -----------------------------------------------------------------------------------


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """A write that says everything by its address."""


class DieMapped(msgspec.Struct, forbid_unknown_fields=True):
    """Which die of the game a smart die plays; empty for none."""

    name: Text


class DieNamed(msgspec.Struct, forbid_unknown_fields=True):
    """Another id of its own for a smart die."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z0-9_-]{1,16}$")]


class DieCalibrated(msgspec.Struct, forbid_unknown_fields=True):
    """Show all faces of a die; `shape` is empty for what the die says of itself."""

    shape: Literal["", "d6", "d8", "any"] = ""


class CalibrationAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """The answer to what a calibration asks."""

    yes: bool


# --- cameras --------------------------------------------------------------------------------------

Pixel = Annotated[float, msgspec.Meta(ge=0, le=100_000)]
Side = Annotated[float, msgspec.Meta(gt=0, le=1000)]


class ZoneSet(msgspec.Struct, forbid_unknown_fields=True):
    """Where a zone lies in the picture.

    corners  far left, far right, near right, near left, in pixels.
    sides    width and depth of its floor in die edges; null where the size of dice tells it.
    dice     kinds or names of what is thrown there; empty for all that no other zone watches.
    """

    corners: Annotated[list[tuple[Pixel, Pixel]], msgspec.Meta(min_length=4, max_length=4)]
    sides: tuple[Side, Side] | None = None
    dice: Annotated[list[Text], msgspec.Meta(max_length=60)] = []


class CameraSet(msgspec.Struct, forbid_unknown_fields=True):
    """How many pixels wide a die is in the middle of the picture."""

    die_px: Annotated[float, msgspec.Meta(ge=4, le=2000)]


# --- faces that are taught ------------------------------------------------------------------------


class LessonBegun(msgspec.Struct, forbid_unknown_fields=True):
    """What is taught: dice, or tiles."""

    what: Literal["dice", "tiles"]


class FaceShown(msgspec.Struct, forbid_unknown_fields=True):
    """A face of a kind."""

    kind: Text
    face: Text
