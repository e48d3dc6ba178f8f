"""Which face is on which side of a smart die: asks people to show each once, without any I/O."""

from collections.abc import Sequence

from companion.words import face_word, say


class FaceCalibration:
    """The faces of one die, asked for in order, each on a side that has not been shown yet.

    faces  one entry a side, as the game lists them (`troll, diamond, diamond, diamond, ...`).
    """

    def __init__(self, faces: Sequence[str]) -> None:
        self._faces = tuple(faces)
        self.sides: dict[str, str] = {}

    @property
    def is_done(self) -> bool:
        """True once every face has been shown."""
        return len(self.sides) == len(self._faces)

    @property
    def count(self) -> int:
        """How many faces there are to show."""
        return len(self._faces)

    @property
    def wanted(self) -> str:
        """The face that is to be shown now; empty when all have been."""
        return "" if self.is_done else self._faces[len(self.sides)]

    @property
    def asks(self) -> str:
        """What people are asked, in a sentence."""
        face, alike = self.wanted, self._faces.count(self.wanted)
        if alike == 1:
            return say("Put the die down with the {face} up.", face=face_word(face))
        which = self._faces[: len(self.sides) + 1].count(face)
        return say(
            "Put the die down with the {face} up ({which} of {alike}; another side each time).",
            face=face_word(face),
            which=which,
            alike=alike,
        )

    def shown(self, side: str) -> str:
        """People have put the die down on this side; return what is wrong with it, or nothing."""
        wrong = self.repeats(side)
        if not wrong:
            self.sides[side] = self.wanted
        return wrong

    def repeats(self, side: str) -> str:
        """Say so if this side was shown before; empty otherwise."""
        if side not in self.sides:
            return ""
        return say(
            "that is side {side}, which you showed as the {face} already",
            side=side,
            face=face_word(self.sides[side]),
        )

    def take_back(self) -> None:
        """The last face was shown by mistake; it is asked for once more."""
        if self.sides:
            self.sides.popitem()
