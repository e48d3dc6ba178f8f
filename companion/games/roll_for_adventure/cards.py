"""The cards of the enemy deck."""

from typing import Literal

import msgspec

from companion.games.roll_for_adventure.pack import EFFECT, FACES, TERRITORIES, Blank, Pack
from companion.words import say, word

NORMAL = ("1a", "1b", "1c", "2a", "2b", "3a")  # rank and copy, in each territory
MASTER = "master"
ENOUGH = 6  # the sum of dice on an enemy that defeats it
NAMES = {"desert": "Desert", "fortress": "Fortress", "forest": "Forest", "ice": "Ice cave"}


class Card(msgspec.Struct, frozen=True):
    """One card of the enemy deck.

    effect     how it attacks.
    territory  which territory an attack of that effect strikes.
    number     which dice a dragon takes.
    lies_on    the territory on which it lies once revealed, or `side`, beside the adventure board.
    stays      False for what is discarded as soon as it has attacked.
    """

    id: str
    name: str
    rank: int | None
    effect: Literal["territory", "dragon", "phantom", "giant", "master"]
    territory: str = ""
    number: str = ""
    lies_on: str = "side"
    stays: bool = True

    @property
    def title(self) -> str:
        """What people call it: its name, and its rank where it has one."""
        if not self.rank:
            return word(self.name)
        return say("{enemy}, rank {rank}", enemy=word(self.name), rank=self.rank)


def enemy_cards(pack: Pack, specials: tuple[str, ...]) -> dict[str, Card]:
    """All cards that are played with, by their id, in an order that tells nothing."""
    cards = [*normal_enemies(), Card(MASTER, "Master of Shadows", None, "master", stays=False)]
    if "dragons" in specials:
        cards += [
            Card(f"dragon-{n}", f"Dragon {n}", None, "dragon", number=n, stays=False) for n in FACES
        ]
    if "phantoms" in specials:
        cards += phantoms(pack.phantom_ranks)
    if "giants" in specials:
        cards += [Card(f"giant-{n}", "Giant", 3, "giant") for n in FACES]
    if "blanks" in specials:
        cards += [made_by_owner(blank) for blank in pack.blanks]
    return {
        card.id: msgspec.structs.replace(card, name=pack.names.get(card.id, card.name))
        for card in cards
    }


def normal_enemies() -> list[Card]:
    """Three enemies of rank 1, two of rank 2 and one of rank 3 in each territory."""
    return [
        Card(
            f"{territory}-{copy}",
            f"{NAMES[territory]} enemy",
            int(copy[0]),
            "territory",
            territory=territory,
            lies_on=territory,
        )
        for territory in TERRITORIES
        for copy in NORMAL
    ]


def phantoms(ranks: tuple[int, ...]) -> list[Card]:
    """Six phantoms, called after rank and copy."""
    cards: list[Card] = []
    for at, rank in enumerate(ranks):
        copy = "abcdef"[ranks[:at].count(rank)]
        cards.append(Card(f"phantom-{rank}{copy}", "Phantom", rank, "phantom"))
    return cards


def made_by_owner(blank: Blank) -> Card:
    """The card that an owner has drawn on a blank one."""
    effect = EFFECT.fullmatch(blank.effect)
    assert effect is not None  # checked when the pack was read
    kind, _, _ = blank.effect.partition("(")
    return Card(
        blank.id,
        blank.name,
        None if blank.rank == "none" else blank.rank,
        kind,  # type: ignore[arg-type]  # one of the four that the pattern allows
        territory=effect[1] or "",
        number=effect[2] or "",
        stays=blank.stays,
    )
