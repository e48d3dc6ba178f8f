"""What a Bluetooth die says, whoever made it; how its maker writes it is for other modules."""

from typing import Protocol

import msgspec


class Moves(msgspec.Struct, frozen=True):
    """The die left its rest; `is_held`: it is handled, not thrown yet."""

    is_held: bool = False


class Rests(msgspec.Struct, frozen=True):
    """The die lies still; `how` is `settled` (after a throw), `lies` (without one) or `crooked`.

    code  the number that is up; empty if the die lies crooked.
    """

    how: str
    code: str = ""


class Battery(msgspec.Struct, frozen=True):
    """What is left in the die."""

    percent: int


class About(msgspec.Struct, frozen=True):
    """Which die it is; what a maker does not tell is empty or 0."""

    firmware: str = ""
    shape: str = ""
    sides: int = 0


Said = Moves | Rests | Battery | About


class BleTalk(Protocol):
    """A conversation with one die of some maker, without any I/O."""

    @property
    def channels(self) -> tuple[tuple[str, str], ...]:
        """Pairs of characteristics (we are notified by, we write to), the newest first."""
        ...

    def greet(self) -> list[bytes]:
        """What to write as soon as the die is connected; begins the conversation anew."""
        ...

    def hear(self, data: bytes) -> list[Said] | None:
        """What a notification says; None if it says nothing that is known here. Never raises."""
        ...

    def blink(self) -> bytes:
        """What to write so that the die shows which one it is."""
        ...
