"""What each side of each territory has to say about itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.offers import Refusal
from companion.scripts import SubScript

if TYPE_CHECKING:
    from companion.games.roll_for_adventure.pieces import AdventureTable


@dataclass(frozen=True)
class Side:
    """One side of a territory: where dice may lie, what happens then, and how it is attacked.

    targets   places that dice may be placed on, in order.
    faces     which faces may lie on a place; more than one makes the face part of counters.
    refuses   why a place takes no die of a face just now, or None when it takes one.
    room      how many dice of a face one placement may bring there.
    resolve   what follows when dice have been placed on these places.
    attack    one attack by an enemy of this territory.
    exposed   dice that a dragon can reach.
    spread    True where each die has a space of its own, so that several dice need several places.
    refills   True where spaces may be free again at once, when a subtask is done.
    """

    targets: Callable[["AdventureTable"], tuple[str, ...]]
    faces: Callable[["AdventureTable"], dict[str, tuple[str, ...]]]
    refuses: Callable[["AdventureTable", str, str], Refusal | None]
    room: Callable[["AdventureTable", str, str], int]
    resolve: Callable[["AdventureTable", tuple[str, ...]], SubScript[None]]
    attack: Callable[["AdventureTable"], SubScript[None]]
    exposed: Callable[["AdventureTable"], list[str]]
    spread: bool = False
    refills: bool = False
