"""The dice of a game: names, kinds, colours and faces."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec


class Die(msgspec.Struct, frozen=True):
    """One die.

    name    as everybody calls it, from the sensor to the screen (`white-1`).
    kind    dice of one kind look alike and are interchangeable to people (`white`).
    faces   what its sides show, one entry a side.
    colour  of its body, as `#rrggbb`, for drawing; sensors learn the real one.
    """

    name: str
    kind: str
    faces: tuple[str, ...]
    colour: str = "#f4f1e8"


class DiceSet(msgspec.Struct, frozen=True):
    """All dice of a game, by name."""

    dice: dict[str, Die]

    @classmethod
    def of(cls, dice: Iterable[Die]) -> "DiceSet":
        """Collect dice under their names."""
        return cls({die.name: die for die in dice})

    def __iter__(self) -> Iterator[Die]:
        return iter(self.dice.values())

    def __contains__(self, name: object) -> bool:
        return name in self.dice

    def __getitem__(self, name: str) -> Die:
        return self.dice[name]

    def kinds(self) -> Mapping[str, tuple[Die, ...]]:
        """The dice grouped by kind, in the order of the set."""
        grouped: dict[str, tuple[Die, ...]] = {}
        for die in self:
            grouped[die.kind] = (*grouped.get(die.kind, ()), die)
        return grouped
