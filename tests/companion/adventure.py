"""What people do at a table of Roll for Adventure, as words that tests can say.

    at = Adventure("ann", "bo", "cy", "di", sides="abab")
    at.put("desert-1", "blue")           # a blue die, from its owner's board
    at.throw("1 1 4 5 6")                # all dice that are to be rolled, in the order of names
    at.place("1", 2, "desert-1")
    at.answer("keep", "red")
    at.flip("forest-2a")

At the end of a test `audit` counts the dice.
"""

from typing import Any

from verbs import AtTable

from companion.actions import Flipped, Rolled
from companion.games import roll_for_adventure

DICE = {2: 14, 3: 18, 4: 20}
BONUS_DICE = 4


class Adventure(AtTable):
    """A table of Roll for Adventure."""

    def __init__(self, *seats: str, **options: Any) -> None:
        seats = seats or ("ann", "bo", "cy", "di")
        super().__init__(roll_for_adventure.GAME, seats, options)

    def throw(self, faces: str) -> list[str]:
        """Roll all dice that are offered; faces in the order of the dice's names."""
        dice = self.rollers()[self.active]
        return self.apply(Rolled(dict(zip(dice, faces.split(), strict=True))))

    def place(self, face: str, count: int, where: Any) -> list[str]:
        """Place dice of the roll."""
        value = {"face": face, "count": count, "where": where}
        return self.choose(self.active, "place", value)

    def answer(self, choice: str, value: Any = None) -> list[str]:
        """The active player decides."""
        return self.choose(self.active, choice, value)

    def flip(self, card: str) -> list[str]:
        """Reveal the top card of the enemy deck."""
        return self.apply(Flipped("enemy_deck", card))

    def put(self, place: str, *colours: str) -> None:
        """Bring dice of these colours to a place (`desert-1`, `forest.5`) by hand."""
        for colour in dict.fromkeys(colours):
            name = f"at.{place}.{colour}" if place != "oblivion" else f"oblivion.{colour}"
            self.adjust(name, self.count(name) + colours.count(colour))

    def lies(self, place: str) -> dict[str, int]:
        """How many dice of each colour lie on a place."""
        prefix = "oblivion." if place == "oblivion" else f"at.{place}."
        counts = self.table.counters
        return {k.removeprefix(prefix): n for k, n in counts.items() if k.startswith(prefix) and n}

    def values(self, choice: str) -> list[Any]:
        """All open values of a choice."""
        from companion.offers import Choose

        offers = [o for o in self.open_offers(Choose) if o.choice == choice]
        return [value for offer in offers for value in offer.values]

    def spend(self) -> None:
        """Get rid of the dice in hand: one of them goes to the vortex, which ends the rolls."""
        if self.phase == "roll":
            self.throw(" ".join("1" * len(self.rollers()[self.active])))
        if self.phase == "place":
            face = next(iter(self.table.in_hand))
            self.place(face, 1, "resurrection")

    def pass_turn(self, card: str) -> list[str]:
        """A turn in which nothing is done but to reveal a card."""
        self.spend()
        return self.flip(card)

    def audit(self) -> None:
        """No die has appeared or vanished."""
        counts = self.table.counters
        of_dice = [
            name
            for name in counts
            if name.split(".")[0] in ("at", "oblivion", "dice", "bonus_pool", "hand")
        ]
        total = sum(counts[name] for name in of_dice)
        assert total == DICE[len(self.table.seats)] + BONUS_DICE
        assert min(counts.values()) >= 0
