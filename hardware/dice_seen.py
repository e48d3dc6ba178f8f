"""Remembers how each die was heard last, strangers included, from the lines of a receiver."""

from collections.abc import Mapping

import msgspec

from firmware import wire
from hardware.dice_health import STRANGERS, DieHealth
from hardware.dice_messages import WiredDie

_MOTIONS = {
    "MOVE": "moving",
    "HELD": "held",
    "FACE": "lying",
    "LIES": "lying",
    "CROOKED": "crooked",
    "ASLEEP": "asleep",
    "SILENT": "silent",
}


class DiceSeen:
    """The dice of one receiver; `dice` maps ids on the wire to the dice of the game."""

    def __init__(self, dice: Mapping[str, WiredDie]) -> None:
        self._dice = dice
        self._seen = {die: DieHealth(die, wired.name) for die, wired in dice.items()}

    def hear(self, message: wire.Message, at_s: float) -> None:
        """Take in a line that is about a die; others are passed over."""
        if message.die in (wire.RECEIVER, wire.HOST):
            return
        die = self._die(message.die)
        if die is None:
            return
        die.heard_at_s = at_s
        self._note(die, message)

    def forget(self, die: str) -> None:
        """A die has another name now."""
        if die not in self._dice:
            self._seen.pop(die, None)

    def all(self) -> tuple[DieHealth, ...]:
        """Copies, those of the game first."""
        seen = sorted(self._seen.values(), key=lambda die: (not die.name, die.name, die.die))
        return tuple(msgspec.structs.replace(die) for die in seen)

    def _die(self, name: str) -> DieHealth | None:
        if name not in self._seen and len(self._seen) < len(self._dice) + STRANGERS:
            self._seen[name] = DieHealth(name)
        return self._seen.get(name)

    def _note(self, die: DieHealth, message: wire.Message) -> None:
        kind, words = message.kind, message.words
        awake = kind in ("BATTERY", "SIGNAL") and die.motion in ("asleep", "silent")
        die.motion = "lying" if awake else _MOTIONS.get(kind, die.motion)
        if kind in wire.REPORTS:
            self._note_report(die, message)
        elif kind == "BATTERY":
            die.battery_percent, die.millivolts = words
        elif kind == "SIGNAL":
            die.signal_dbm, die.lost = -words[0], words[1]
        elif kind == "ABOUT":
            die.firmware, die.shape, die.sides = words

    def _note_report(self, die: DieHealth, report: wire.Message) -> None:
        die.reports += 1
        if not report.words:
            return
        wired = self._dice.get(die.die)
        die.code = report.words[0]
        face = wired.face(die.code) if wired is not None else die.code
        die.face = face or ""
        die.unknown_faces += face is None
