"""A table with smart dice: offers that await them, and verbs of the dice."""

from companion.actions import Report, Rolled
from companion.dice import Die
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMessage,
    DieMoved,
    DieSettled,
)
from hardware.rolls import RollCollector

WHITE = [Die(f"white-{n}", "white", ("troll", "diamond", "key", "door")) for n in range(1, 5)]
GOLD = [Die(f"gold-{n}", "gold", ("blank", "gold1", "gold2")) for n in (1, 2)]
RED = [Die(f"red-{n}", "red", ("dragon", "blank")) for n in (1, 2)]


class Table:
    """Hands at a table of smart dice; each verb takes a tenth of a second."""

    def __init__(self) -> None:
        self.collector = RollCollector([*WHITE, *GOLD, *RED], source="serial:test")
        self.now_s = 0.0

    def does(self, message: DieMessage) -> list[Report]:
        return self.collector.take(message)

    def _later(self) -> float:
        self.now_s = round(self.now_s + 0.1, 3)
        return self.now_s

    def moves(self, *dice: str) -> list[Report]:
        return [r for die in dice for r in self.does(DieMoved(die, self._later(), 0.005))]

    def settles(self, die: str, face: str, within_s: float = 0.005) -> list[Report]:
        return self.does(DieSettled(die, face, self._later(), within_s))

    def holds(self, *dice: str) -> list[Report]:
        return [r for die in dice for r in self.does(DieHeld(die, self._later(), 0.005))]

    def lies(self, die: str, face: str) -> list[Report]:
        return self.does(DieLies(die, face, self._later(), 0.005))

    def crooked(self, die: str) -> list[Report]:
        return self.does(DieCrooked(die, self._later(), 0.005))

    def rolls(self, **faces: str) -> list[Report]:
        dice = {name.replace("_", "-"): face for name, face in faces.items()}
        told = self.moves(*dice)
        return told + [r for die, face in dice.items() for r in self.settles(die, face)]


def faces_of(reports: list[Report]) -> list[dict[str, str]]:
    return [report.action.faces for report in reports if isinstance(report.action, Rolled)]
