"""The real room: people at a table, their dice behind a receiver, and taps for everything else."""

from typing import Any

from companion.actions import Report, Rolled
from companion.clock import Clock
from companion.config import DiceSettings
from companion.errors import ConfigError
from companion.inbox import Inbox
from companion.offers import Offer
from companion.referee import Referee
from companion.sensing import DiceSensor, receiver_row, wired_die
from hardware.dice_link import DiceLink
from hardware.rolls import RollCollector
from hardware.serial_port import SerialPort

LOOK_S = 0.25  # real time after which the loop looks around even if nothing stirred


class RealRoom:
    """Where real people play; dice that no receiver reports are entered by tapping their faces."""

    def __init__(self, referee: Referee, inbox: Inbox, clock: Clock, dice: DiceSettings) -> None:
        self.people = set(referee.table.seats)
        self._inbox = inbox
        self._clock = clock
        self.receiver: DiceSensor | None = None
        if dice.port:
            self._listen(referee, dice)

    def _listen(self, referee: Referee, dice: DiceSettings) -> None:
        known = referee.table.dice
        strange = [name for name in dice.names.values() if name not in known]
        if strange or not dice.names:
            raise ConfigError(
                f"companion.toml [dice.names]: expected dice of {referee.game.title} "
                f"({', '.join(die.name for die in known)}), got {', '.join(strange) or 'none'}; "
                'write for example d1 = "red-1"'
            )
        wired = {wire_id: wired_die(known[name]) for wire_id, name in dice.names.items()}
        names = list(dice.names.values())
        collector = RollCollector([known[name] for name in names])
        self.receiver = DiceSensor(collector, names, self._inbox)
        port = SerialPort(dice.port, DiceLink(wired), self.receiver.take, self._clock)
        self.receiver.port = port.start()

    def expect(self, offers: list[Offer]) -> None:
        """Tell the receiver which rolls are awaited."""
        if self.receiver is not None:
            self.receiver.expect(offers)

    def decided(self, referee: Referee, report: Report | None) -> None:
        """People see it for themselves; a roll that was tapped is not reported once more."""
        if report is None or not isinstance(report.action, Rolled) or self.receiver is None:
            return
        if report.source != self.receiver.collector.source:
            self.receiver.answered(report.action.faces)

    def advance(self, due_s: float | None) -> None:
        """Sleep until something stirs, or until the table has something to decide."""
        left_s = LOOK_S if due_s is None else max(0.0, due_s - self._clock.now_s())
        self._inbox.wait(min(left_s, LOOK_S))

    def sources(self) -> list[dict[str, Any]]:
        """How the receiver fares."""
        if self.receiver is None:
            return []
        return [receiver_row(self.receiver, self._inbox.silent())]

    def throw(self, player: str, dice: list[str]) -> None:
        """Real dice are thrown by hand; the desk refuses this before it gets here."""

    def turn_up(self, player: str, square: str) -> None:
        """Real tiles are turned up by hand; the desk refuses this before it gets here."""

    def now_s(self) -> float:
        """The moment of the game."""
        return self._clock.now_s()

    def close(self) -> None:
        """Close the port."""
        if self.receiver is not None and self.receiver.port is not None:
            self.receiver.port.close()
