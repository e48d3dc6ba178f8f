"""What people settle beside the rules: tiles that are to be covered, tiles that were mixed up."""

from collections.abc import Callable

from companion.actions import Action, Chose, Waited
from companion.games.schatz_der_drachen.pieces import TreasureTable
from companion.games.schatz_der_drachen.words import PLEASE_COVER, SWAPPED, in_words
from companion.offers import Choose, Offer, Wait
from companion.scripts import SubScript

Offers = tuple[Offer, ...]


def ask(table: TreasureTable, hero: str, offers: Callable[[], Offers]) -> SubScript[Action]:
    """Wait for what the rules ask for; covering and mixed-up tiles are settled on the way."""
    while True:
        match (yield lambda: (*offers(), *beside_the_rules(table, hero))):
            case Chose(choice="covered"):
                table.all_is_covered()
            case Chose(choice="swapped"):
                forget_the_tiles(table)
            case Waited(until_s) if table.cover_by_s is not None and until_s >= table.cover_by_s:
                remind_to_cover(table)
            case action:
                return action


def beside_the_rules(table: TreasureTable, hero: str) -> Offers:
    """What people may say at any time about how the tiles lie."""
    offers: list[Offer] = []
    if table.to_cover:
        offers.append(Choose(hero, "covered"))
    if table.cover_by_s is not None:
        offers.append(Wait(table.cover_by_s))
    if table.remembered:
        offers.append(Choose(hero, "swapped"))
    return tuple(offers)


def forget_the_tiles(table: TreasureTable) -> None:
    """Tiles were swapped: what was seen before tells nothing about where it lies now."""
    lying_open = {table.tiles[square]: face for square, face in table.up.items()}
    table.remembered = {tile: face for tile, face in lying_open.items() if tile is not None}
    table.turned_in = {s: n for s, n in table.turned_in.items() if s in table.up}
    table.tell(SWAPPED, "Tiles were mixed up. What lay where counts no more.")


def remind_to_cover(table: TreasureTable) -> None:
    """Tiles of an earlier turn still lie open; say which squares, not what lies there."""
    table.cover_by_s = None
    squares = in_words(table.squares, table.to_cover)
    table.tell(PLEASE_COVER, "Please cover {squares}.", squares=squares)
