"""What smart dice tell, whichever way they came: over a receiver's cable or by Bluetooth."""

import msgspec


class WiredDie(msgspec.Struct, frozen=True):
    """What the companion calls a die of the wire.

    name   the game's die (`red-1`).
    faces  face code on the wire -> face of the game (`"6" -> "dragon"`); empty: the same.
    """

    name: str
    faces: dict[str, str] = {}

    def face(self, code: str) -> str | None:
        """The face of the game that a code stands for; None if nobody named it.

        A die that has been taught its faces says the words themselves. Numbers are always codes:
        a die whose side 1 shows a 3 must not be taken for one that says "3" already.
        """
        if not self.faces or (not code.isdigit() and code in self.faces.values()):
            return code
        return self.faces.get(code)


class DieMoved(msgspec.Struct, frozen=True):
    """A die left its rest: it tumbles, or a hand has taken it or thrown it."""

    die: str
    at_s: float
    within_s: float


class DieHeld(msgspec.Struct, frozen=True):
    """A die is in a hand and has not been thrown yet."""

    die: str
    at_s: float
    within_s: float


class DieSettled(msgspec.Struct, frozen=True):
    """A die has tumbled and came to rest at `at_s`, this face up."""

    die: str
    face: str
    at_s: float
    within_s: float


class DieLies(msgspec.Struct, frozen=True):
    """A die lies still without having been rolled: put back, or told after a start."""

    die: str
    face: str
    at_s: float
    within_s: float


class DieCrooked(msgspec.Struct, frozen=True):
    """A die came to rest, but no face of the game is up."""

    die: str
    at_s: float
    within_s: float


class Watermark(msgspec.Struct, frozen=True):
    """Everything that happened up to `at_s` has been told."""

    at_s: float


class Greeting(msgspec.Struct, frozen=True):
    """A receiver said who it is; `is_understood` is False if it speaks another version."""

    who: str
    firmware: str
    version: int
    is_understood: bool


class LinesLost(msgspec.Struct, frozen=True):
    """So many reports are lost for good (0: nobody knows); what was rolling is in doubt.

    die  the only die that is in doubt; empty for all of them.
    """

    lost: int
    why: str
    die: str = ""


DieMessage = DieMoved | DieHeld | DieSettled | DieLies | DieCrooked
Message = DieMessage | Watermark | Greeting | LinesLost
