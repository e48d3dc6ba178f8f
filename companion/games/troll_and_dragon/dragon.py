"""The threat of the Dragon: waking it, the photo finish, and sharing what was dropped."""

from functools import partial

from companion.actions import Chose, Rolled, Waited
from companion.games.troll_and_dragon.gathering import claim, leave
from companion.games.troll_and_dragon.pieces import GOLDEN, RED, WHITE, Treasure, TrollTable
from companion.games.troll_and_dragon.words import (
    DIE_BLOCKED,
    DRAGON,
    DRAGON_AWAKE,
    DRAGON_IS_AWAKE,
    GROTTO_LEFT,
    MUST_ROLL_BOTH,
    PHOTO_FINISH,
    SHARED,
)
from companion.offers import Choose, Offer, Roll, Wait
from companion.scripts import SubScript


def roll_for_the_dragon(table: TrollTable, hero: str, faces: dict[str, str]) -> list[str]:
    """Dragons stay up, the red dice go on to the next; return the dice that woke in this roll."""
    cavern = table.cavern
    cavern.dragons.update(faces)
    woken = [die for die, face in faces.items() if face == "dragon"]
    if woken:
        cavern.awake += woken
        both = "Dragon! Both are up!" if not cavern.asleep else "Dragon! One eye is open."
        table.tell(DRAGON, both)
    cavern.roller = next(seat for seat in others_from(table, table.seat_after(cavern.roller), hero))
    return woken


def others_from(table: TrollTable, first: str, hero: str) -> list[str]:
    """Everybody but the adventurer, in playing order from `first` on."""
    return [seat for seat in table.seats_from(first) if seat != hero]


def the_dragon_wakes(table: TrollTable, hero: str, waker: str, woken: list[str]) -> SubScript[None]:
    """The second Dragon is up: whoever left in time escapes, else the treasure is dropped.

    The verdict waits for the tie window, because a "leave" may be learned later than the Dragon.
    """
    if (yield from photo_finish(table, hero, waker, woken)):
        claim(table)
        leave(table, hero)
        return
    awake = "The Dragon is awake! {player} drops everything."
    table.tell(DRAGON_AWAKE, awake, player=table.names[hero])
    yield from share(table, hero, waker)


def photo_finish(table: TrollTable, hero: str, waker: str, woken: list[str]) -> SubScript[bool]:
    """Wait until every "leave" of the tie window is known; True if the adventurer escapes."""
    table.phase = "photo_finish"
    awake_s = table.at_s if table.at_s is not None else 0.0
    offers = (
        Wait(round(awake_s + table.options.tie_window_s, 6)),
        Choose(hero, "leave", overtakes=True, button=True),
        Roll(hero, GOLDEN, closed=DRAGON_IS_AWAKE),
        Roll(waker, RED, closed=DRAGON_IS_AWAKE),
        Roll(hero, WHITE, closed=GROTTO_LEFT),
    )
    match (yield lambda: offers):
        case Waited():
            return False
    if table.at_s is not None and table.at_s < awake_s:
        return True
    photo = "Photo finish between {player} and the Dragon!"
    table.tell(PHOTO_FINISH, photo, player=table.names[hero])
    if table.options.tie_goes_to == "reroll":
        return (yield from roll_again(table, hero, waker, woken))
    return table.options.tie_goes_to == "adventurer"


def roll_again(table: TrollTable, hero: str, waker: str, woken: list[str]) -> SubScript[bool]:
    """The dice of the photo finish are rolled once more; True if a Dragon stays away."""
    cavern, dice = table.cavern, tuple(woken)
    cavern.awake = [die for die in cavern.awake if die not in dice]
    offers = (
        Roll(waker, dice, at_least=len(dice)),
        Roll(waker, RED, closed=MUST_ROLL_BOTH if len(dice) > 1 else DIE_BLOCKED),
        Roll(hero, GOLDEN, closed=DRAGON_IS_AWAKE),
        Roll(hero, WHITE, closed=GROTTO_LEFT),
    )
    match (yield lambda: offers):
        case Rolled(faces):
            cavern.dragons.update(faces)
            cavern.awake += [die for die, face in faces.items() if face == "dragon"]
    return bool(cavern.asleep)


def share(table: TrollTable, hero: str, waker: str) -> SubScript[None]:
    """The others share what the adventurer and the Troll drop, beginning with the waker."""
    table.phase = "sharing"
    takers = others_from(table, waker, hero)
    dropped, table.pouch = table.pouch, Treasure()
    cap = table.options.two_player_hand_cap if len(takers) == 1 else table.troll_hand.diamonds
    from_hand = min(cap, table.troll_hand.diamonds)
    table.troll_hand.diamonds -= from_hand
    dropped.diamonds += from_hand
    shares = {taker: Treasure() for taker in takers}
    if table.options.sharing == "choose" and len(takers) > 1:
        takers = yield from pick(table, dropped, takers, shares)
    deal(table, dropped, takers, shares)
    tell_the_shares(table, shares)


def pick(
    table: TrollTable, dropped: Treasure, takers: list[str], shares: dict[str, Treasure]
) -> SubScript[list[str]]:
    """Everybody takes one treasure in turn, while there is a choice; return who would be next.

    What nobody has taken yet lies in the pouch, so that it can be seen and counted.
    """
    table.pouch = dropped
    while dropped.gold > 0 and dropped.diamonds > 0:
        match (yield partial(treasures_to_take, takers[0], dropped)):
            case Chose(player=taker, value="gold"):
                dropped.gold -= 1
                hand_over(table, shares, taker, gold=1)
            case Chose(player=taker, value="diamond"):
                dropped.diamonds -= 1
                hand_over(table, shares, taker, diamonds=1)
        takers = takers[1:] + takers[:1]
    return takers


def treasures_to_take(taker: str, dropped: Treasure) -> tuple[Offer, ...]:
    """What lies there; nothing, if a person has just taken it all away by hand."""
    kinds = {"gold": dropped.gold, "diamond": dropped.diamonds}
    lying = tuple(kind for kind, n in kinds.items() if n)
    return (Choose(taker, "take", values=lying or ("nothing",)),)


def hand_over(
    table: TrollTable, shares: dict[str, Treasure], taker: str, *, diamonds: int = 0, gold: int = 0
) -> None:
    """Put a part of what was dropped into a pack, where it is safe."""
    for place in (table.packs[taker], shares[taker]):
        place.diamonds += diamonds
        place.gold += gold


def deal(
    table: TrollTable, dropped: Treasure, takers: list[str], shares: dict[str, Treasure]
) -> None:
    """Deal one by one, gold before diamonds, as a division instead of a long loop."""
    k = len(takers)
    for i, taker in enumerate(takers):
        golds, all_pieces = (
            (n + k - 1 - i) // k for n in (dropped.gold, dropped.gold + dropped.diamonds)
        )
        hand_over(table, shares, taker, diamonds=all_pieces - golds, gold=golds)
    table.pouch = Treasure()


def tell_the_shares(table: TrollTable, shares: dict[str, Treasure]) -> None:
    """Tell everybody what they got."""
    for taker, share_of_it in shares.items():
        if share_of_it.worth:
            table.tell(
                SHARED,
                "{player} takes gold: {gold}, diamonds: {diamonds}.",
                player=table.names[taker],
                diamonds=share_of_it.diamonds,
                gold=share_of_it.gold,
            )
