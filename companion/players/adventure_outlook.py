"""How a table of Roll for Adventure looks to somebody who thinks one placement ahead.

An `Outlook` is what a person keeps in mind of a table: how many dice lie where and whose they are,
damage, enemies, what the deck may still bring. `after` imagines one placement with what follows
from it; how good the table looks then is said by `adventure_worth`.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from companion.games.roll_for_adventure.pack import TERRITORIES
from companion.games.roll_for_adventure.pieces import (
    BONUS,
    HAND,
    OBLIVION,
    POOL,
    RESURRECTION,
    AdventureTable,
)


@dataclass
class Outlook:
    """What a person keeps in mind of a table.

    dice     colours of the dice on each place; `forest.5` and `forest.6` apart.
    boards   dice on the hero boards, the next player's first, the active player's last.
    totals   sums of the dice on enemies and on the Vortex of Resurrection.
    attacks  expected attacks on each territory at the next card, without those on the table.
    higher   chance that the next card commands enemies of a rank to attack again.
    """

    table: AdventureTable
    dice: dict[str, tuple[str, ...]]
    boards: list[int]
    totals: dict[str, int]
    attacks: Mapping[str, float]
    higher: Mapping[int, float]
    hand: int
    stones: int
    damage: dict[str, int]
    barriers: dict[str, int]
    boundary: int
    chains: list[bool]
    enemies: list[str]
    bonus: int
    seen: dict[str, Any] = field(default_factory=dict)  # thoughts, until a territory changes

    @classmethod
    def of(cls, table: AdventureTable) -> "Outlook":
        """Look at a table."""
        dice: dict[str, tuple[str, ...]] = {}
        for die, place in table.lies.items():
            at = f"forest.{table.shows[die]}" if place == "forest" else place
            dice[at] = (*dice.get(at, ()), table.colour_of[die])
        seats = table.seats_from(table.seat_after(table.active))
        attacks, higher = expected_attacks(table)
        return cls(
            table,
            dice,
            [len(dice.get(f"board.{seat}", ())) for seat in seats],
            {place: table.total(place) for place in (RESURRECTION, *enemy_places(table.enemies))},
            attacks,
            higher,
            len(dice.get(HAND, ())),
            table.stones,
            dict(table.damage),
            dict(table.barriers),
            table.forest_boundary,
            list(table.chain_done),
            list(table.enemies),
            len(dice.get(POOL, ())),
        )

    # --- imagining --------------------------------------------------------------------------------

    def after(self, value: Mapping[str, Any]) -> "Outlook":
        """The table after a placement, if everybody decides as one would expect."""
        face, where = str(value["face"]), value["where"]
        then = self.imagined()
        colours = then.take_from_hand(face, int(value["count"]))
        if where == RESURRECTION:
            then.summon(face, colours)
        elif isinstance(where, list):
            for space, colour in zip(where, colours, strict=True):
                then.put(space, (colour,))
            then.finish("desert")
        elif where.startswith("enemy-"):
            then.beset(where, face, colours)
        else:
            then.put(f"forest.{face}" if where == "forest" else where, colours)
            then.finish(where.split("-")[0])
        return then

    def imagined(self) -> "Outlook":
        """Another outlook, to be changed in mind."""
        then = copy(self)
        then.dice, then.boards, then.totals = {**self.dice}, [*self.boards], {**self.totals}
        then.damage, then.barriers = {**self.damage}, {**self.barriers}
        then.chains, then.enemies, then.seen = [*self.chains], [*self.enemies], {**self.seen}
        return then

    def take_from_hand(self, face: str, count: int) -> tuple[str, ...]:
        """The colours that are placed: bonus dice before ally dice before one's own."""
        showing = [self.table.colour_of[die] for die in self.table.showing(HAND, face)]
        self.hand -= count
        return tuple(sorted(showing, key=self.dearness)[:count])

    def dearness(self, colour: str) -> int:
        """Bonus dice are used once, ally dice return to anybody."""
        return 0 if colour == BONUS else 1 if colour == self.table.ally else 2

    def put(self, place: str, colours: tuple[str, ...]) -> None:
        """Lay dice on a place."""
        self.dice[place] = self.dice.get(place, ()) + colours

    def count(self, place: str) -> int:
        """How many dice lie on a place."""
        return len(self.dice.get(place, ()))

    def give_back(self, places: Iterable[str]) -> None:
        """Return all dice of these places to their owners."""
        for place in places:
            for colour in self.dice.pop(place, ()):
                if colour == BONUS:
                    self.bonus += 1
                else:
                    self.boards[self.distance(colour) - 1] += 1

    def distance(self, colour: str) -> int:
        """In how many turns the player comes who gets a die of this colour back."""
        table = self.table
        seat = table.seat_of.get(colour, table.active)
        return (table.seats.index(seat) - table.seats.index(table.active) - 1) % len(
            table.seats
        ) + 1

    def summon(self, face: str, colours: tuple[str, ...]) -> None:
        """Dice go to the vortex; the others in hand return to the board."""
        self.put(RESURRECTION, colours)
        self.totals[RESURRECTION] += int(face) * len(colours)
        self.boards[-1] += self.hand
        self.hand = 0
        if self.totals[RESURRECTION] >= 10:
            self.give_back((OBLIVION, RESURRECTION))
            self.totals[RESURRECTION] = 0

    def beset(self, place: str, face: str, colours: tuple[str, ...]) -> None:
        """Dice go to an enemy, which falls to six."""
        self.put(place, colours)
        self.totals[place] += int(face) * len(colours)
        if self.totals[place] >= 6:
            self.defeat(place.removeprefix("enemy-"))

    def defeat(self, card: str) -> None:
        """An enemy is gone."""
        self.enemies.remove(card)
        self.give_back((f"enemy-{card}",))

    def finish(self, territory: str) -> None:
        """What follows when a subtask or a task of a territory is done."""
        self.seen.pop(territory, None)
        getattr(self, f"finish_{territory}_{self.table.sides[territory]}")()

    def finish_desert_a(self) -> None:
        """Three dice: one goes on; three of those: one is devoured."""
        for section, following in (("desert-1", "desert-2"), ("desert-2", "desert-3")):
            if self.count(section) < 3:
                return
            kept = furthest(self, self.dice[section])
            left = list(self.dice[section])
            left.remove(kept)
            self.dice[section] = tuple(left)
            self.give_back((section,))
            self.put(following, (kept,))
        self.stones += 1

    def finish_desert_b(self) -> None:
        """A single die may close chains too."""
        self.close_chains()

    def close_chains(self) -> None:
        """Chains with a die on every space are closed; the fifth wins a stone."""
        for chain, line in enumerate(self.table.pack.desert_b.lines):
            if all(self.count(f"desert-b-{space}") for space in line):
                self.chains[chain] = True
        if all(self.chains):
            self.chains = [False] * len(self.chains)
            self.give_back(self.table.pack.desert_b.places)
            self.stones += 1

    def finish_fortress_a(self) -> None:
        """Four dice take a barrier away, the third is worth a stone."""
        for section, standing in self.barriers.items():
            if standing and self.count(f"fortress-{section}") >= 4:
                self.barriers[section] = 0
                self.give_back((f"fortress-{section}",))
        if not any(self.barriers.values()):
            self.barriers = dict.fromkeys(self.barriers, 1)
            self.stones += 1

    def finish_fortress_b(self) -> None:
        """Three dice, four, then five for a stone."""
        for section, standing in self.barriers.items():
            if self.count(f"fortress-{section}") >= 5 - standing:
                self.give_back((f"fortress-{section}",))
                self.stones += standing == 0
                self.barriers[section] = standing - 1 if standing else 2

    def finish_forest_a(self) -> None:
        """The path reaches the boundary."""
        if 0 < self.boundary <= self.on_path:
            self.give_back(("forest.5", "forest.6"))
            self.boundary = self.boundary + 1 if self.boundary < 9 else 0
            self.stones += 1

    def finish_forest_b(self) -> None:
        """A die at the boundary is lost, and wins a stone."""
        if sacrificed := self.dice.pop("forest-boundary", ()):
            self.put(OBLIVION, sacrificed)
            self.give_back(("forest.5", "forest.6"))
            self.stones += 1

    def finish_ice_a(self) -> None:
        """Six dice are claimed at once; with four or five the table is asked."""
        if self.in_the_ice == 6:
            self.__dict__.update(self.claimed().__dict__)

    def finish_ice_b(self) -> None:
        """Lines are claimed when the table is asked."""

    @property
    def on_path(self) -> int:
        """Dice on the forest's path."""
        return self.count("forest.5") + self.count("forest.6")

    @property
    def in_the_ice(self) -> int:
        """Dice in the ice cave."""
        return sum(self.count(place) for place in ice_places(self))

    def claimed(self) -> "Outlook":
        """The table after the row of the ice cave has been claimed."""
        then, places = self.imagined(), ice_places(self)
        colours = [colour for place in places for colour in self.dice.get(place, ())]
        then.give_back(places)
        then.seen.pop("ice", None)
        owners = {self.distance(c) for c in colours if c in self.table.seat_of}
        for distance in sorted(owners)[: then.bonus]:
            then.boards[distance - 1] += 1
            then.bonus -= 1
        if len(colours) >= 5 and then.enemies:
            then.defeat(worst_enemy(self))
        if len(colours) >= 6:
            healed = most_damaged(self.table)
            then.damage[healed] = 0
            then.seen.pop(healed, None)
        return then


# --- looking around -------------------------------------------------------------------------------


def expected_attacks(table: AdventureTable) -> tuple[dict[str, float], dict[int, float]]:
    """From the cards that are left: attacks by the next one, and chances to command each rank."""
    left = [table.cards[card] for card in table.deck]
    attacks = dict.fromkeys(TERRITORIES, 0.0)
    for card in left:
        if card.effect == "territory":
            attacks[card.territory] += 1 / len(left)
        elif card.effect == "phantom":
            for territory in TERRITORIES:
                attacks[territory] += 1 / 3 / len(left)
    master = sum(card.effect == "master" for card in left)
    above = {rank: sum((card.rank or 0) > rank for card in left) for rank in (1, 2, 3)}
    return attacks, {rank: (n + master) / max(1, len(left)) for rank, n in above.items()}


def enemy_places(enemies: Iterable[str]) -> list[str]:
    """Where dice on enemies lie."""
    return [f"enemy-{card}" for card in enemies]


def ice_places(outlook: Outlook) -> tuple[str, ...]:
    """The spaces of the ice cave."""
    return outlook.table.rules["ice"].targets(outlook.table)


def furthest(outlook: Outlook, colours: Iterable[str]) -> str:
    """The colour whose player can use a die last; bonus dice are kept for their one use."""
    return max(colours, key=lambda c: -1 if c == BONUS else outlook.distance(c))


def worst_enemy(outlook: Outlook) -> str:
    """The enemy that is likely to attack most often; nearly defeated ones can wait."""
    ranks = {card: outlook.table.cards[card].rank or 3 for card in outlook.enemies}
    return min(ranks, key=lambda card: ranks[card] + 0.3 * outlook.totals[f"enemy-{card}"])


def most_damaged(table: AdventureTable) -> str:
    """The territory that is nearest to falling."""
    return min(TERRITORIES, key=lambda t: (table.holes(t) - table.damage[t], -table.damage[t]))
