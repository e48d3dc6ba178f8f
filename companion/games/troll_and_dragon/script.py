"""The rules of Troll & Dragon, heading by heading, as the rule book tells them.

The race in the cavern is the one place where two parties act at once. Nothing special is needed
for it: the offers of both lie on the table together, and reports arrive in the order in which
things happened.
"""

from functools import cache, lru_cache, partial

from companion.actions import Chose, Rolled, Waited
from companion.games.troll_and_dragon.pieces import (
    GOLDEN,
    LOW,
    NUGGETS,
    RED,
    WHITE,
    Cavern,
    Grotto,
    Treasure,
    TrollTable,
)
from companion.games.troll_and_dragon.words import (
    CAVERN,
    CAVERN_SHUT,
    DIE_BLOCKED,
    DRAGON,
    DRAGON_AWAKE,
    DRAGON_IS_AWAKE,
    GAME_OVER,
    GOLD,
    GROTTO_LEFT,
    KEY_DOOR,
    LEFT,
    MUST_ROLL_ALL_FOUR,
    MUST_ROLL_ALL_FREE,
    MUST_ROLL_BOTH,
    NO_KEY_NO_DOOR,
    NOTHING_ROLLED,
    NOTHING_TO_CLAIM,
    NOTHING_TO_SET_ASIDE,
    PHOTO_FINISH,
    RACE,
    RACE_NOT_STARTED,
    REMINDER,
    ROOM_EMPTY,
    ROOM_LOW,
    SHARED,
    TREASURE,
    TROLL,
    TROLL_NEAR,
    WARNING,
    YOUR_TURN,
)
from companion.offers import Choose, Offer, Roll, Wait
from companion.scripts import Script, SubScript
from companion.table import Outcome

Dice = tuple[str, ...]


def play(table: TrollTable) -> Script:
    """Take turns until the agreed rooms are empty; return who brings the King most."""
    while True:
        hero = table.active
        begin_turn(table, hero)
        if (yield from diamond_grotto(table, hero)):
            yield from treasure_cavern(table, hero)
        if rooms_are_empty(table):
            return end_of_the_game(table)
        table.active = table.seat_after(hero)


def begin_turn(table: TrollTable, hero: str) -> None:
    """Gather all dice; what they showed last turn counts for nothing."""
    table.grotto, table.pouch = Grotto(), Treasure()
    if table.cavern.roller:
        table.cavern = Cavern()
    table.phase = "grotto"
    table.tell(YOUR_TURN, "{player}, it is your turn.", player=table.names[hero])


# --- Enter the Diamond Grotto ---------------------------------------------------------------------


def diamond_grotto(table: TrollTable, hero: str) -> SubScript[bool]:
    """Roll the white dice as often as you dare; True when the cavern opens."""
    grotto = table.grotto
    all_free = table.options.reroll_policy == "all_free"
    offers = first_offers(hero)
    while True:
        match (yield lambda now=offers: now):  # type: ignore[misc]
            case Rolled(faces):
                look_at_the_roll(table, faces)
            case Chose(choice="set_aside", value=die):
                set_aside(table, die)
                if grotto.opens_the_cavern():
                    return True
            case Chose(choice="leave"):
                leave(table, hero)
                return False
        if not grotto.free:
            the_troll(table, hero)
            return False
        keys, blocked = grotto.keys_and_doors(), tuple(grotto.blocked)
        offers = grotto_offers(hero, grotto.free, keys, blocked, all_free)


@cache
def first_offers(hero: str) -> tuple[Offer, ...]:
    """What may happen when a turn begins."""
    return (
        Roll(hero, WHITE, at_least=4),
        Choose(hero, "leave", closed=NOTHING_ROLLED, button=True),
        Choose(hero, "set_aside", closed=NOTHING_TO_SET_ASIDE),
        *dice_of_the_cavern(hero),
        Roll(hero, WHITE, closed=MUST_ROLL_ALL_FOUR),
    )


@lru_cache(maxsize=4096)
def grotto_offers(
    hero: str, free: Dice, keys: Dice, blocked: Dice, all_free: bool
) -> tuple[Offer, ...]:
    """What may happen after a roll in the grotto."""
    offers: list[Offer] = [Roll(hero, free, at_least=len(free) if all_free else 1)]
    if keys:
        offers.append(Choose(hero, "set_aside", values=keys))
    offers.append(Choose(hero, "leave", button=True))
    if blocked:
        offers.append(Roll(hero, blocked, closed=DIE_BLOCKED))
        offers.append(Choose(hero, "set_aside", values=blocked, closed=DIE_BLOCKED))
    if all_free:
        offers.append(Roll(hero, free, closed=MUST_ROLL_ALL_FREE))
    offers.append(Choose(hero, "set_aside", closed=NO_KEY_NO_DOOR))
    offers.extend(dice_of_the_cavern(hero))
    return tuple(offers)


def dice_of_the_cavern(hero: str) -> tuple[Offer, Offer]:
    """Why gold and red dice rest as long as the adventurer is in the grotto."""
    return Roll(hero, GOLDEN, closed=CAVERN_SHUT), Roll(hero, RED, closed=RACE_NOT_STARTED)


def look_at_the_roll(table: TrollTable, faces: dict[str, str]) -> None:
    """Resolve one settled roll as a whole: trolls block, diamonds are gathered."""
    grotto, shown = table.grotto, list(faces.values())
    grotto.faces.update(faces)
    if "troll" in shown:
        for die, face in faces.items():
            if face == "troll":
                grotto.block(die)
        tell_the_troll_is_near(table)
    if diamonds := shown.count("diamond"):
        gather_diamonds(table, diamonds)
    if "key" in shown or "door" in shown:
        table.tell(KEY_DOOR, "A key or a door lies there. Set it aside, or roll on?")


def tell_the_troll_is_near(table: TrollTable) -> None:
    """Say how many dice are blocked; the fourth is the Troll's own cue."""
    n = len(table.grotto.blocked)
    if n < len(WHITE):
        table.tell(
            TROLL_NEAR,
            "The Troll comes closer: {n} die is blocked.",
            "The Troll comes closer: {n} dice are blocked.",
            n=n,
        )


def gather_diamonds(table: TrollTable, shown: int) -> None:
    """Each diamond face is one diamond, as long as the grotto has any."""
    n = min(shown, table.supply.diamonds)
    if n == 0:
        table.tell(WARNING, "The grotto is empty: a diamond on a die gives nothing.")
        return
    table.supply.diamonds -= n
    table.pouch.diamonds += n
    table.tell(
        TREASURE,
        "{player} finds {n} diamond.",
        "{player} finds {n} diamonds.",
        n=n,
        player=table.names[table.active],
    )
    tell_what_is_left(table, n, table.supply.diamonds, "diamond")


def tell_what_is_left(table: TrollTable, taken: int, left: int, kind: str) -> None:
    """Say it when a room runs low, and when it is empty."""
    if left > LOW:
        return
    if left == 0:
        table.tell(ROOM_EMPTY, "That was the last {kind}!", kind=kind)
    elif left + taken > LOW:
        table.tell(ROOM_LOW, "Only {left} left: {kind}.", left=left, kind=kind)


def set_aside(table: TrollTable, die: str) -> None:
    """A key or door put aside is blocked, and half of what opens the cavern."""
    grotto = table.grotto
    face = grotto.faces[die]
    if face in grotto.blocked.values():
        table.tell(WARNING, "A second {face} opens nothing.", face=face)
    grotto.block(die)


def leave(table: TrollTable, hero: str) -> None:
    """Everything gathered goes into the pack and is safe for good."""
    gathered, pack = table.pouch, table.packs[hero]
    pack.diamonds += gathered.diamonds
    pack.gold += gathered.gold
    table.tell(
        LEFT,
        "{player} leaves; {n} point is safe in the pack.",
        "{player} leaves; {n} points are safe in the pack.",
        n=gathered.worth,
        player=table.names[hero],
    )
    table.pouch = Treasure()


# --- The threat of the Troll ----------------------------------------------------------------------


def the_troll(table: TrollTable, hero: str) -> None:
    """All dice are blocked: the Troll takes this turn's diamonds into his hand."""
    n = table.pouch.diamonds
    table.troll_hand.diamonds += n
    table.supply.gold += table.pouch.gold  # only there if somebody put it there by hand
    table.pouch = Treasure()
    table.tell(
        TROLL,
        "The Troll! He grabs {n} diamond from {player}.",
        "The Troll! He grabs {n} diamonds from {player}.",
        n=n,
        player=table.names[hero],
    )


# --- Enter the Treasure Cavern --------------------------------------------------------------------


def treasure_cavern(table: TrollTable, hero: str) -> SubScript[None]:
    """Roll the gold dice as fast as you like, while the others wake the Dragon."""
    enter_the_cavern(table, hero)
    cavern = table.cavern
    while True:
        match (yield lambda: cavern_offers(table, hero)):
            case Rolled(faces) if GOLDEN[0] in faces:
                roll_for_gold(table, faces)
            case Rolled(faces):
                roller, woken = cavern.roller, roll_for_the_dragon(table, hero, faces)
                if not cavern.asleep:
                    yield from the_dragon_wakes(table, hero, roller, woken)
                    return
            case Chose(choice="claim"):
                claim(table)
            case Chose(choice="leave"):
                claim(table)
                leave(table, hero)
                return
            case Waited():
                cavern_remind(table, hero)


def enter_the_cavern(table: TrollTable, hero: str) -> None:
    """The white dice are put away; the gold ones lie ready, the Dragon sleeps."""
    table.grotto, table.cavern = Grotto(), Cavern(roller=table.seat_after(hero))
    table.phase = "cavern"
    table.tell(CAVERN, "The door creaks open. {player} is in!", player=table.names[hero])
    if table.supply.gold == 0:
        table.tell(WARNING, "There is no gold left in the cavern. Better leave.")


def cavern_offers(table: TrollTable, hero: str) -> tuple[Offer, ...]:
    """What both parties may do in the race."""
    cavern, by_itself = table.cavern, table.options.auto_take_gold
    claims = None if by_itself else cavern.unclaimed > 0
    return race_offers(
        hero, cavern.roller, cavern.asleep, cavern.race_is_on, claims, reminder_due_s(table)
    )


@lru_cache(maxsize=4096)
def race_offers(
    hero: str, roller: str, asleep: Dice, race: bool, claims: bool | None, due_s: float | None
) -> tuple[Offer, ...]:
    """What may happen in the cavern; `claims` is None where gold is taken by itself."""
    offers: list[Offer] = [Roll(hero, GOLDEN, at_least=2)]
    if race:
        offers.append(Roll(roller, asleep, at_least=len(asleep)))
    if claims is not None:
        offers.append(Choose(hero, "claim", closed=None if claims else NOTHING_TO_CLAIM))
    offers.append(Choose(hero, "leave", overtakes=True, button=True))
    if due_s is not None:
        offers.append(Wait(due_s))
    offers.append(Roll(hero, GOLDEN, closed=MUST_ROLL_BOTH))
    offers.append(Roll(hero, WHITE, closed=GROTTO_LEFT))
    if awake := tuple(die for die in RED if die not in asleep):
        offers.append(Roll(roller, awake, closed=DIE_BLOCKED))
    offers.append(Roll(roller, asleep, closed=MUST_ROLL_BOTH if race else RACE_NOT_STARTED))
    return tuple(offers)


def roll_for_gold(table: TrollTable, faces: dict[str, str]) -> None:
    """Nuggets that the dice show are gathered at once, or wait to be taken."""
    cavern = table.cavern
    if not cavern.race_is_on:
        cavern.race_is_on = True
        table.tell(RACE, "Go! {player}, wake the Dragon!", player=table.names[cavern.roller])
    cavern.faces = dict(faces)
    cavern.gold_at_s, cavern.reminded = table.at_s, False
    cavern.unclaimed = sum(NUGGETS[face] for face in faces.values())
    if table.options.auto_take_gold:
        claim(table)


def claim(table: TrollTable) -> None:
    """Take the nuggets that the gold dice show, as long as the cavern has any."""
    shown, table.cavern.unclaimed = table.cavern.unclaimed, 0
    if not shown:
        return
    n = min(shown, table.supply.gold)
    if n == 0:
        table.tell(WARNING, "The cavern is empty: gold on a die gives nothing.")
        return
    table.supply.gold -= n
    table.pouch.gold += n
    table.tell(
        GOLD,
        "{player} grabs {n} gold nugget.",
        "{player} grabs {n} gold nuggets.",
        n=n,
        player=table.names[table.active],
    )
    tell_what_is_left(table, n, table.supply.gold, "gold nugget")


def reminder_due_s(table: TrollTable) -> float | None:
    """When to ask whether somebody is still there; None if never, or where there is no clock."""
    cavern, timeout_s = table.cavern, table.options.cavern_timeout_s
    if not timeout_s or cavern.gold_at_s is None or cavern.reminded:
        return None
    return round(cavern.gold_at_s + timeout_s, 6)


def cavern_remind(table: TrollTable, hero: str) -> None:
    """Ask once per roll of the gold dice."""
    table.cavern.reminded = True
    table.tell(REMINDER, "{player}, roll or leave!", player=table.names[hero])


# --- The threat of the Dragon ---------------------------------------------------------------------


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


# --- End of the game ------------------------------------------------------------------------------


def rooms_are_empty(table: TrollTable) -> bool:
    """True when one room, or both as agreed, hold nothing more at the end of a turn."""
    empty = (table.supply.diamonds == 0, table.supply.gold == 0)
    return any(empty) if table.options.end_mode == "either" else all(empty)


def end_of_the_game(table: TrollTable) -> Outcome:
    """Most valuable treasure wins, then most nuggets, then the victory is shared."""
    table.phase = "over"
    rank = {seat: (pack.worth, pack.gold) for seat, pack in table.packs.items()}
    best = max(rank.values())
    winners = tuple(seat for seat in table.seats if rank[seat] == best)
    names = " and ".join(table.names[seat] for seat in winners)
    runners_up = [worth for seat, (worth, _) in rank.items() if seat not in winners]
    if len(winners) > 1:
        why = "{names} share the victory with {worth} points and {gold} gold each."
    elif best[0] in runners_up:
        why = "{names} wins the tie at {worth} points with more gold."
    else:
        why = "{names} wins with treasure worth {worth}."
    table.tell(GAME_OVER, why, names=names, worth=best[0], gold=best[1])
    scores = {seat: worth for seat, (worth, _) in rank.items()}
    return Outcome(winners, scores, table.told[-1].text)
