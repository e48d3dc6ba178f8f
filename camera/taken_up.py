"""Awaited dice that somebody took up: those that do not come back with the others are missing."""

from collections.abc import Collection


class TakenUp:
    """Remembers, from rest to rest, which awaited dice lay in a zone and lie there no more."""

    def __init__(self) -> None:
        self._since_s: dict[str, float] = {}

    def forget(self) -> None:
        """Forget all of them."""
        self._since_s = {}

    def among(self, awaited: Collection[str]) -> set[str]:
        """Which of these dice were taken up before, and have not come back."""
        return self._since_s.keys() & set(awaited)

    def not_back(
        self,
        lay: Collection[str],
        here: Collection[str],
        rolled: Collection[str],
        awaited: Collection[str],
        rest_s: float,
    ) -> set[str]:
        """Which dice were taken up together with those that were rolled, and do not lie here.

        They fell off the table, or are still in a hand. Dice that were taken up before, or after,
        are none of this roll: people may keep them elsewhere.

        lay, here  names of dice at the rest before, and at this one, of `rest_s`.
        """
        gone = dict.fromkeys(set(lay) & set(awaited) - set(here), rest_s)
        since_s = gone | self._since_s
        together_s = {
            since_s.get(name, rest_s) for name in rolled if name in lay or name in since_s
        }
        self._since_s = {name: at_s for name, at_s in since_s.items() if name not in here}
        return {name for name, at_s in self._since_s.items() if at_s in together_s}
