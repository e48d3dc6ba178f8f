"""Every public count of Roll for Adventure, and how a person sets one by hand."""

import functools
from collections.abc import Collection
from typing import TYPE_CHECKING

from companion.errors import IllegalAction
from companion.games.roll_for_adventure import words
from companion.games.roll_for_adventure.pack import FACES, TERRITORIES
from companion.table import not_adjustable
from companion.words import say, word

if TYPE_CHECKING:
    from companion.games.roll_for_adventure.pieces import AdventureTable

ENEMY = "enemy-"


def counters(table: "AdventureTable") -> dict[str, int]:
    """Stones, tracks, tiles and the deck; then dice by place, colour, and face where it matters."""
    counts = {"stones": table.stones, "stones_needed": table.stones_needed}
    counts.update((f"damage.{t}", table.damage[t]) for t in TERRITORIES)
    counts.update((f"permanent.{t}", table.permanent[t]) for t in TERRITORIES)
    counts["forest_boundary"] = table.forest_boundary if table.sides["forest"] == "a" else 0
    counts.update((f"barriers.{section}", n) for section, n in table.barriers.items())
    counts.update((f"chain_done.{i}", int(done)) for i, done in enumerate(table.chain_done))
    counts["deck"] = len(table.deck)
    counts.update((f"dice.{seat}", 0) for seat in table.seats)
    counts.update((f"oblivion.{colour}", 0) for colour in table.colours)
    counts["bonus_pool"] = counts["hand"] = 0
    counts.update(dict.fromkeys(names_of_places(table), 0))
    for die in table.lies:
        counts[counter_of(table, die)] += 1
    return counts


def names_of_places(table: "AdventureTable") -> list[str]:
    """The counters of all places, also of those where nothing lies."""
    names: list[str] = []
    for place, faces in faces_by_place(table).items():
        names += names_of_place(place, faces, table.colours)
    return names


@functools.lru_cache(1024)
def names_of_place(place: str, faces: tuple[str, ...], colours: tuple[str, ...]) -> tuple[str, ...]:
    """The counters of one place: by colour, and by face where several may lie there."""
    if len(faces) > 1:
        return tuple(f"at.{place}.{f}.{colour}" for f in faces for colour in colours)
    return tuple(f"at.{place}.{colour}" for colour in colours)


def faces_by_place(table: "AdventureTable") -> dict[str, tuple[str, ...]]:
    """Which faces may lie on each place: territories, the vortex, the enemies that are face up."""
    return table.faces_of_places | {ENEMY + card: FACES for card in table.enemies}


def counter_of(table: "AdventureTable", die: str) -> str:
    """The counter that counts this die where it lies."""
    place, colour = table.lies[die], table.colour_of[die]
    if place in ("hand", "bonus_pool"):
        return place
    if place == "oblivion":
        return f"oblivion.{colour}"
    if place.startswith("board."):
        return f"dice.{place.removeprefix('board.')}"
    several = place.startswith(ENEMY) or len(table.faces_of_places[place]) > 1
    return f"at.{place}.{table.shows[die]}.{colour}" if several else f"at.{place}.{colour}"


def label(table: "AdventureTable", counter: str) -> str:
    """What people call a count."""
    match counter.split("."):
        case ["damage", territory]:
            return say("{territory}: damage", territory=word(words.TITLE[territory]))
        case ["permanent", territory]:
            place = word(words.TITLE[territory])
            return say("{territory}: permanent damage", territory=place)
        case ["barriers", section]:
            return say("Barriers before the {section}s", section=section)
        case ["chain_done", chain]:
            return say("Chain {chain} of the desert", chain=int(chain) + 1)
        case ["oblivion", colour]:
            return say("Oblivion: {colour}", colour=word(colour))
        case ["dice", seat]:
            return say("{player}: dice on the hero board", player=table.names[seat])
        case ["at", place, face, colour]:
            where = words.place_name(place)
            return say("{place}: {colour}, {face}s", place=where, colour=word(colour), face=face)
        case ["at", place, colour]:
            where = words.place_name(place)
            return say("{place}: {colour}", place=where, colour=word(colour))
    return NAMES[counter]


NAMES = {
    "stones": "Power stones won",
    "stones_needed": "Power stones needed",
    "forest_boundary": "Forest boundary",
    "deck": "Cards in the enemy deck",
    "bonus_pool": "Bonus dice ready",
    "hand": "Dice in hand",
}


# --- by hand --------------------------------------------------------------------------------------


def adjust(table: "AdventureTable", counter: str, value: int) -> None:
    """Set one count; raise IllegalAction where pieces, spaces or holes do not allow it."""
    match counter.split("."):
        case ["stones"]:
            table.stones = within(value, range(table.stones_needed + 1))
        case ["damage", territory]:
            table.damage[territory] = within(value, range(table.pack.holes(territory) + 1))
        case ["permanent", territory]:
            table.permanent[territory] = within(value, range(table.pack.holes(territory) + 1))
        case ["barriers", section]:
            table.barriers[section] = barriers_by_hand(table, section, value)
        case ["forest_boundary"] if table.sides["forest"] == "a":
            table.forest_boundary = boundary_by_hand(table, value)
        case ["chain_done", chain] if table.sides["desert"] == "b":
            table.chain_done[int(chain)] = bool(within(value, range(2)))
        case ["oblivion", colour]:
            move_by_hand(table, "oblivion", None, colour, value)
        case ["bonus_pool"]:
            pool_by_hand(table, value)
        case ["at", place, *face, colour]:
            only_face = faces_by_place(table)[place][0]
            move_by_hand(table, place, face[0] if face else only_face, colour, value)
        case _:
            raise not_adjustable(counter)


def within(value: int, allowed: Collection[int]) -> int:
    """The value, if there is such a count."""
    if value not in allowed:
        numbers = sorted(allowed)
        raise IllegalAction(
            "count_does_not_fit",
            say(
                "Expected {numbers} or {last}, got {value}.",
                numbers=", ".join(map(str, numbers[:-1])),
                last=numbers[-1],
                value=value,
            )
            if len(numbers) > 1
            else say("Expected {last}, got {value}.", last=numbers[0], value=value),
        )
    return value


def barriers_by_hand(table: "AdventureTable", section: str, value: int) -> int:
    """Barriers before a section, unless more dice lie there than it would then have spaces."""
    within(value, range(table.full_barriers + 1))
    lying = len(table.at(f"fortress-{section}"))
    spaces = 5 - value if table.sides["fortress"] == "b" else 4 * value
    if lying > spaces:
        raise IllegalAction("dice_in_the_way", "Take dice off that section of the fortress first.")
    return value


def boundary_by_hand(table: "AdventureTable", value: int) -> int:
    """The boundary behind the sixth to the ninth space, or 0 when the forest has no task left."""
    lying = len(table.at("forest"))
    return within(value, {n for n in (0, 6, 7, 8, 9) if n >= lying})


def pool_by_hand(table: "AdventureTable", value: int) -> None:
    """Bonus dice move between the pool and the active player's hero board."""
    board, pool = f"board.{table.active}", table.at("bonus_pool")
    given = [die for die in table.at(board) if table.colour_of[die] == "grey"]
    within(value, range(len(pool) + len(given) + 1))
    table.put_away(given[: max(0, value - len(pool))], "bonus_pool")
    table.put_away(pool[value:], board)


def move_by_hand(
    table: "AdventureTable", place: str, face: str | None, colour: str, value: int
) -> None:
    """Move dice of a colour between a place and the hero board (or pool) they return to."""
    lying = [
        die
        for die in table.at(place)
        if table.colour_of[die] == colour and table.shows[die] == face
    ]
    if value <= len(lying):
        table.put_away(lying[value:])
        return
    more = value - len(lying)
    spare = spare_dice(table, colour)
    if more > len(spare):
        raise IllegalAction(
            "no_die_to_move",
            say("So many dice do not lie where they return to: {colour}.", colour=word(colour)),
        )
    if face is not None:
        check_room(table, place, face, more)
    for die in spare[len(spare) - more :]:
        table.put([die], place)
        table.shows[die] = face


def spare_dice(table: "AdventureTable", colour: str) -> list[str]:
    """Dice of a colour that lie where they return to; allies on any board, the nearest last."""
    if colour == "grey":
        return table.at("bonus_pool")
    if colour in table.seat_of:
        return [d for d in table.at(f"board.{table.seat_of[colour]}") if d.startswith(colour)]
    boards = [f"board.{seat}" for seat in table.seats_from(table.active)]
    return [d for b in reversed(boards) for d in table.at(b) if table.colour_of[d] == colour]


def check_room(table: "AdventureTable", place: str, face: str, more: int) -> None:
    """Raise the reason why so many dice of a face have no space there."""
    territory = place.split("-")[0]
    if territory not in TERRITORIES or place == "desert-3":
        return
    if place == "desert-2":
        room, refusal = 3 - len(table.at(place)), None
    else:
        rules = table.rules[territory]
        refusal, room = rules.refuses(table, place, face), rules.room(table, place, face)
    if refusal is not None:
        raise IllegalAction(refusal.code, refusal.message)
    if more > room:
        raise IllegalAction(words.NO_ROOM.code, "That place has no space for so many dice.")
