"""The rules of Schatz der Drachen, heading by heading, as the rule book tells them.

No sentence here names a square together with what lies there: a tile is told by its face when it is
turned up, and by its square when it has to be covered, never by both.
"""

from collections import Counter
from functools import partial

from companion.actions import Chose, Flipped, Waited
from companion.games.schatz_der_drachen.pieces import (
    GUARD,
    KINDS,
    SETS,
    SPIDER,
    TREASURES,
    TreasureTable,
)
from companion.games.schatz_der_drachen.table_talk import Offers, ask
from companion.games.schatz_der_drachen.words import (
    ALREADY_UP,
    CLASH,
    CLOSE_EYES,
    COLLECTED,
    DRAGON,
    GAME_OVER,
    NO_DRAGON_UP,
    NO_SPIDER_UP,
    NO_SUCH_SQUARE,
    NO_TILE_THERE,
    NOT_FREE,
    NOTHING_COLLECTED,
    ONE_AT_A_TIME,
    ONLY_SPIDERS_LEFT,
    PLURALS,
    REVEAL_AT_LEAST_ONE,
    RING,
    SET_COMPLETE,
    SPIDER_BONUS,
    SPIDER_COVERED,
    STOP_FIRST,
    TIME_IS_UP,
    TURN_IS_OVER,
    TURNED_UP,
    WHICH_STAYS,
    YOUR_TURN,
)
from companion.games.schatz_der_drachen.words import KINDS as NAMES
from companion.games.schatz_der_drachen.words import SPIDER as SPIDER_CUE
from companion.offers import Choose, Flip, Offer, Wait
from companion.scripts import Script, SubScript
from companion.table import Outcome
from companion.words import listed, say, word


def play(table: TreasureTable) -> Script:
    """Take turns until only the spiders are left; return who has the highest pile."""
    while True:
        hero = table.active
        begin_turn(table, hero)
        yield from turn_up_tiles(table, hero)
        if table.only_spiders_left:
            return game_ends(table)
        table.active = table.seat_after(hero)


# --- Game play ------------------------------------------------------------------------------------


def begin_turn(table: TreasureTable, hero: str) -> None:
    """Everything lies face down; the sand timer is turned, where there is one and a clock."""
    table.kept, table.declined, table.votes = [], {}, {}
    table.advised, table.phase = False, "reveal"
    began_s, table.began_s, table.turn_ends_s = table.began_s, table.at_s, None
    if table.options.turn_s and table.at_s not in (None, began_s):
        table.turn_ends_s = round((table.at_s or 0.0) + table.options.turn_s, 6)
    table.tell(YOUR_TURN, "{player}, it is your turn.", player=table.names[hero])


def turn_up_tiles(table: TreasureTable, hero: str) -> SubScript[None]:
    """Turn up one tile at a time until you stop, or the spider or a dragon ends the turn."""
    while True:
        match (yield from ask(table, hero, partial(tiles_to_turn_up, table, hero))):
            case Flipped(square, face):
                if (yield from turn_up(table, hero, square, face)):
                    return
            case Chose(choice="stop"):
                yield from card_taking(table, hero)
                return
            case Waited():
                table.turn_ends_s = None
                table.tell(TIME_IS_UP, "Time is up, {player}!", player=table.names[hero])
                yield from card_taking(table, hero)
                return


def turn_up(table: TreasureTable, hero: str, square: str, face: str) -> SubScript[bool]:
    """One tile lies face up; True if that ends the turn."""
    if came_at_once(table):
        return two_at_once(table, hero, square, face)
    table.all_is_covered()
    table.turn_up(square, face)
    if face == SPIDER:
        yield from spider(table, hero, square)
        return True
    if dragon_meets_treasure(table):
        yield from small_dragon(table, hero)
        return True
    tell_what_is_up(table, hero, face)
    return False


def tiles_to_turn_up(table: TreasureTable, hero: str) -> Offers:
    """What may happen while tiles are turned up."""
    offers: list[Offer] = []
    squares = table.flippable
    if squares:
        offers.append(Flip(hero, squares, faces=table.faces))
    may_stop = table.up or table.options.allow_pass or not squares or table.only_spiders_left
    why = None if may_stop else REVEAL_AT_LEAST_ONE
    offers.append(Choose(hero, "stop", closed=why, button=True))
    if table.turn_ends_s is not None:
        offers.append(Wait(table.turn_ends_s))
    if table.up:
        offers.append(Flip(hero, tuple(table.up), closed=ALREADY_UP))
    if gaps := table.gaps:
        offers.append(Flip(hero, gaps, closed=NO_TILE_THERE))
    offers += [Choose(hero, choice, closed=STOP_FIRST) for choice in ("keep", "take", "decline")]
    offers.append(Choose(hero, "move_spider", closed=NO_SPIDER_UP))
    offers.append(Choose(hero, "move_dragon", closed=NO_DRAGON_UP))
    return tuple(offers)


def tell_what_is_up(table: TreasureTable, hero: str, face: str) -> None:
    """Say what was turned up, whether a set is complete, and when to stop."""
    player, n = table.names[hero], len(table.up_of(face))
    if face == "ring":
        table.tell(RING, "{player} finds a ring.", player=player)
    elif face == GUARD:
        table.tell(DRAGON, "A small dragon! It is harmless as long as no treasure lies open.")
    else:
        table.tell(TURNED_UP, "{player} turns up: {face}.", player=player, face=word(NAMES[face]))
    if SETS[face] > 1 and n % SETS[face] == 0:
        table.tell(SET_COMPLETE, "{faces}: a set is complete!", faces=word(PLURALS[face]))
    table.count_again(face)
    if table.only_spiders_down and not table.advised:
        table.advised = True
        table.tell(ONLY_SPIDERS_LEFT, "Only spiders are left face down. Better stop now!")


def came_at_once(table: TreasureTable) -> bool:
    """True if this tile was turned up together with the one before it."""
    before_s, table.flipped_s = table.flipped_s, table.at_s
    if before_s is None or table.at_s is None:
        return False
    return abs(table.at_s - before_s) < table.options.apart_s


def two_at_once(table: TreasureTable, hero: str, square: str, face: str) -> bool:
    """The second of two tiles is covered, though all have seen it; True if the turn is lost."""
    table.see(square, face)
    table.cover([square])
    table.at_once = square
    table.tell(ONE_AT_A_TIME, "One at a time! Please cover ({square}).", square=square)
    if table.options.two_at_once == "cover" or not table.up:
        return False
    table.cover(table.up)
    table.tell(NOTHING_COLLECTED, "{player} loses the turn.", player=table.names[hero])
    return True


# --- Spider ---------------------------------------------------------------------------------------


def spider(table: TreasureTable, hero: str, square: str) -> SubScript[None]:
    """The spider ends the turn; before it is covered it may go to a free place."""
    table.tell(SPIDER_CUE, "The spider! {player} gets nothing.", player=table.names[hero])
    table.cover([other for other in table.up if other != square])
    yield from put_somewhere(table, hero, square, "spider")
    table.tell(SPIDER_COVERED, "All tiles are covered again.")


def put_somewhere(table: TreasureTable, hero: str, square: str, what: str) -> SubScript[None]:
    """Move a tile to a free place, if those who decide about it want to; then cover it."""
    if free_places(table, square):
        table.phase = what
        if table.options.close_eyes:
            table.tell(
                CLOSE_EYES, "{player} looks, all others close their eyes!", player=table.names[hero]
            )
        to = yield from decide_where(table, hero, square, what)
        table.cover([square])
        if to != "stay":
            table.move(square, to)
            table.to_cover = tuple(to if s == square else s for s in table.to_cover)
    else:
        table.cover([square])


def free_places(table: TreasureTable, square: str) -> tuple[str, ...]:
    """Where a spider may go: gaps, or in some families the places of covered tiles too."""
    match table.options.spider_goes:
        case "gap":
            return table.gaps
        case "swap":
            return tuple(s for s in table.squares if s not in table.up)
    return ()


def decide_where(table: TreasureTable, hero: str, square: str, what: str) -> SubScript[str]:
    """Whoever may decide says where; most votes count, and among equals the player's own."""
    voters = table.seats if table.options.spider_mover == "vote" else (hero,)
    while len(table.votes) < len(voters):
        match (yield from ask(table, hero, partial(places, table, voters, square, what))):
            case Chose(player=voter, value=to):
                table.votes[voter] = to
    votes = Counter(table.votes.values())
    most = max(votes.values())
    return next(to for to in (table.votes[hero], *votes) if votes[to] == most)


def places(table: TreasureTable, voters: tuple[str, ...], square: str, what: str) -> Offers:
    """Where it may go, for everybody who has not said so yet."""
    free, choice = free_places(table, square), f"move_{what}"
    taken = tuple(s for s in table.squares if s not in free)
    offers: list[Offer] = []
    for voter in voters:
        if voter not in table.votes:
            offers.append(Choose(voter, choice, values=("stay", *free)))
            offers.append(Choose(voter, choice, values=taken, closed=NOT_FREE))
            offers.append(Choose(voter, choice, closed=NO_SUCH_SQUARE))
    return (*offers, *no_more_tiles(table))


def no_more_tiles(table: TreasureTable) -> Offers:
    """Why nothing is turned up after the end of a turn."""
    hero = table.active
    return Flip(hero, table.squares, closed=TURN_IS_OVER), Choose(hero, "stop", closed=TURN_IS_OVER)


# --- Treasures and small dragon -------------------------------------------------------------------


def dragon_meets_treasure(table: TreasureTable) -> bool:
    """True when a dragon and a treasure lie open, whichever came first; rings do not matter."""
    faces = table.up.values()
    return GUARD in faces and any(face in TREASURES for face in faces)


def small_dragon(table: TreasureTable, hero: str) -> SubScript[None]:
    """The dragon guards its treasure: nothing is collected, all is covered where it lies."""
    table.tell(CLASH, "Dragon and treasure! {player} gets nothing.", player=table.names[hero])
    dragon = table.up_of(GUARD)[-1]
    table.cover([square for square in table.up if square != dragon])
    if table.options.dragons_chase:
        yield from put_somewhere(table, hero, dragon, "dragon")
    else:
        table.cover([dragon])


# --- Card taking ----------------------------------------------------------------------------------


def card_taking(table: TreasureTable, hero: str) -> SubScript[None]:
    """Take all complete sets; what is left over is covered where it lies."""
    table.phase = "collect"
    if table.options.may_decline:
        yield from decline(table, hero)
    for kind in SETS:
        staying = len(table.up_of(kind)) - takeable(table, kind)
        if 0 < staying < len(table.up_of(kind)):
            yield from keep(table, hero, kind, staying)
    collect(table, hero)


def takeable(table: TreasureTable, kind: str) -> int:
    """How many tiles of a kind are taken: complete sets that nobody declines."""
    sets = len(table.up_of(kind)) // SETS[kind] - table.declined.get(kind, 0)
    return sets * SETS[kind]


def decline(table: TreasureTable, hero: str) -> SubScript[None]:
    """Where that is agreed on, a set may be left for later."""
    while any(takeable(table, kind) for kind in SETS):
        match (yield from ask(table, hero, partial(sets_to_leave, table, hero))):
            case Chose(choice="decline", value=kind):
                table.declined[kind] = table.declined.get(kind, 0) + 1
            case _:
                return


def sets_to_leave(table: TreasureTable, hero: str) -> Offers:
    """Which sets may be left lying."""
    kinds = tuple(kind for kind in SETS if takeable(table, kind))
    leave = Choose(hero, "decline", values=kinds)
    return (leave, Choose(hero, "take", button=True), *no_more_tiles(table))


def keep(table: TreasureTable, hero: str, kind: str, staying: int) -> SubScript[None]:
    """Choose which tiles of an incomplete set stay, or let those stay that came last."""
    lying = table.up_of(kind)
    if table.options.surplus == "choose":
        table.tell(WHICH_STAYS, "{player}, which tile stays?", player=table.names[hero])
    while table.options.surplus == "choose" and staying:
        match (yield from ask(table, hero, partial(tiles_to_keep, table, hero, lying))):
            case Chose(choice="keep", value=square):
                table.kept.append(square)
                lying.remove(square)
                staying -= 1
            case _:
                break
    if staying:
        table.kept += lying[-staying:]


def tiles_to_keep(table: TreasureTable, hero: str, lying: list[str]) -> Offers:
    """One of these stays; the button lets those stay that were turned up last."""
    stays = Choose(hero, "keep", values=tuple(lying))
    return (stays, Choose(hero, "take", button=True), *no_more_tiles(table))


def collect(table: TreasureTable, hero: str) -> None:
    """Complete sets go to the pile, everything else is covered."""
    staying = {square for kind in SETS if not takeable(table, kind) for square in table.up_of(kind)}
    staying.update(table.kept)
    taken = {square: face for square, face in table.up.items() if square not in staying}
    for square in taken:
        table.take(hero, square)
    table.cover(table.up)
    table.kept, table.declined = [], {}
    tell_what_is_taken(table, hero, Counter(taken.values()))


def tell_what_is_taken(table: TreasureTable, hero: str, taken: Counter[str]) -> None:
    """Say what goes to the pile; never what stays."""
    if not taken:
        nothing = "{player} takes nothing; no set is complete."
        table.tell(NOTHING_COLLECTED, nothing, player=table.names[hero])
        return
    kinds = [
        say("{what} {count}", what=word(NAMES[kind]), count=taken[kind])
        for kind in KINDS
        if taken[kind]
    ]
    table.tell(
        COLLECTED,
        "{player} takes {n} tile: {kinds}.",
        "{player} takes {n} tiles: {kinds}.",
        n=taken.total(),
        player=table.names[hero],
        kinds=listed(kinds),
    )


# --- Game ends ------------------------------------------------------------------------------------


def game_ends(table: TreasureTable) -> Outcome:
    """Most dragons take the spiders, the highest pile wins."""
    table.phase = "over"
    spiders_for_most_dragons(table)
    rank = {seat: (table.total(seat), tie_break(table, seat)) for seat in table.seats}
    best = max(rank.values())
    winners = tuple(seat for seat in table.seats if rank[seat] == best)
    names = listed([table.names[seat] for seat in winners], "{first} and {rest}")
    highest = [seat for seat in table.seats if rank[seat][0] == best[0]]
    if len(winners) > 1:
        why = "{names} share the victory with {n} tiles each."
    elif len(highest) > 1:
        why = "{names} wins the tie at {n} tiles with more {what}."
    else:
        why = "{names} wins with {n} tiles."
    table.tell(GAME_OVER, why, names=names, n=best[0], what=word(table.options.tiebreak))
    return Outcome(winners, table.scores, table.told[-1].text)


def tie_break(table: TreasureTable, seat: str) -> int:
    """What decides between piles of the same height; the same for all where ties are shared."""
    kind = table.options.tiebreak.removesuffix("s")
    return table.piles[seat].get(kind, 0)


def spiders_for_most_dragons(table: TreasureTable) -> None:
    """Whoever alone has most dragons takes the spiders; otherwise they stay where they are."""
    n, dragons = table.left(SPIDER), {seat: pile[GUARD] for seat, pile in table.piles.items()}
    most = max(dragons.values())
    first, *others = [seat for seat, count in dragons.items() if count == most]
    if others or not n:
        return
    table.piles[first][SPIDER] += n
    table.tiles = dict.fromkeys(table.squares)
    table.tell(
        SPIDER_BONUS,
        "{player} has most dragons and takes the spider.",
        "{player} has most dragons and takes {n} spiders.",
        n=n,
        player=table.names[first],
    )
