"""How quiet and how loud a table is, as a referee of the house has set it; kept beside the journal.

What was set holds in every game until the owner changes the settings file, which then holds again.
"""

from pathlib import Path
from typing import Protocol

import msgspec

from companion.whole_file import keep, kept
from hardware.cues import Manner


class Mannered(Protocol):
    """What can be quiet or loud: the alerts of a table."""

    @property
    def manner(self) -> Manner:
        """How it is."""
        ...

    def be(self, manner: Manner) -> None:
        """Be so from now on."""
        ...


class Kept(msgspec.Struct):
    """What was set, and what the settings file said then: quiet, and volume from 0 to 1."""

    quiet: bool
    volume: float
    settings: tuple[bool, float]


class HouseManner:
    """Quiet mode and volume of one house.

    path  file that keeps them; None for a house without memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._alerts: Mannered | None = None
        self._usual = Manner()  # what the settings file says
        self._now = Manner()

    def begin(self, alerts: Mannered) -> None:
        """A game begins with these alerts, which are as the settings file says."""
        self._alerts, self._usual, self._now = alerts, alerts.manner, alerts.manner
        before = kept(self._path, Kept, "what the settings say holds")
        if before is not None and before.settings == (self._usual.quiet, self._usual.volume):
            self._be(before.quiet, before.volume)

    def now(self) -> dict[str, bool | float]:
        """`{"quiet": bool, "volume": 0 to 1}`."""
        return {"quiet": self._now.quiet, "volume": self._now.volume}

    def change(self, quiet: bool | None, volume: float | None) -> dict[str, bool | float]:
        """Set one of them or both, at once and for the games to come; None leaves it."""
        now = self._now
        self._be(now.quiet if quiet is None else quiet, now.volume if volume is None else volume)
        usual = (self._usual.quiet, self._usual.volume)
        keep(self._path, Kept(self._now.quiet, self._now.volume, usual))
        return self.now()

    def _be(self, quiet: bool, volume: float) -> None:
        self._now = msgspec.structs.replace(self._now, quiet=quiet, volume=volume)
        if self._alerts is not None:
            self._alerts.be(self._now)
