"""The house rules of Roll for Adventure."""

from typing import Any, Literal

import msgspec

from companion.errors import ConfigError
from companion.games.roll_for_adventure.pack import TERRITORIES, Pack
from companion.words import say

SPECIALS = ("dragons", "phantoms", "giants", "blanks")
BOARDS_BY_SPECIALS = {  # types of special enemies: boards that the rule book allows for them
    0: ("book_of_magic", "sword_of_saints", "crown_of_kings", "jewel_of_light"),
    1: ("sword_of_saints", "crown_of_kings"),
    2: ("crown_of_kings", "jewel_of_light"),
    3: ("crown_of_kings", "jewel_of_light"),
}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house rules of Roll for Adventure.

    board               the adventure board: how many power stones win.
    sides               A or B for desert, fortress, forest and ice cave, in this order.
    specials            special enemies in the deck: dragons, phantoms, giants, blanks.
    heroes              a hero of the pack for each seat, in order; `none` for none.
    pack                what an owner read off the real boards and cards; see `pack.toml`.
    forest_repeat_last  the forest's task of nine dice can be done again and again.
    excess              dice that do not fit are rolled again, or `chain` into freed spaces.
    empty_vortex        the Vortex of Resurrection takes dice though Oblivion is empty.
    attack_order        lower-ranking enemies attack in a fixed order, or as people `choose`.
    ice_claim           the ice cave's rewards are claimed after a placement, or any time.
    ally_in_ice         whom ally dice in the ice cave entitle to a bonus die.
    bonus_in_desert     bonus dice may be kept (and devoured) in the desert.
    permanent_loss      a marker that reaches the skull loses at once, or at the next damage.
    ice_bonus_return    bonus dice of a claimed row go back before the others are dealt, or after.
    first_player        key of who begins; empty for the player named first.
    """

    board: Literal["book_of_magic", "sword_of_saints", "crown_of_kings", "jewel_of_light"] = (
        "book_of_magic"
    )
    sides: str = "aaaa"
    specials: str | tuple[str, ...] = ""
    heroes: str | tuple[str, ...] = ""
    pack: dict[str, Any] = {}
    forest_repeat_last: bool = False
    excess: Literal["reroll", "chain"] = "reroll"
    empty_vortex: Literal["allow", "forbid"] = "allow"
    attack_order: Literal["auto", "choose"] = "auto"
    ice_claim: Literal["on_placement", "any_own_turn"] = "on_placement"
    ally_in_ice: Literal["nobody", "active_player"] = "nobody"
    bonus_in_desert: Literal["allow", "forbid"] = "allow"
    permanent_loss: Literal["at_once", "next_damage"] = "at_once"
    ice_bonus_return: Literal["before", "after"] = "before"
    first_player: str = ""


def words_in(setting: str | tuple[str, ...]) -> tuple[str, ...]:
    """The parts of a setting that is a list, or a list written with commas."""
    if not isinstance(setting, str):
        return setting
    return tuple(part.strip() for part in setting.split(",")) if setting.strip() else ()


def sides_of(options: Options) -> dict[str, str]:
    """Which side of each territory lies up; ConfigError for anything but four letters."""
    letters = options.sides.lower()
    if len(letters) != 4 or not set(letters) <= {"a", "b"}:
        raise ConfigError(
            say(
                "sides: expected four letters a or b, for desert, fortress, forest and ice cave, "
                "got {sides!r}",
                sides=options.sides,
            )
        )
    return dict(zip(TERRITORIES, letters, strict=True))


def specials_of(options: Options) -> tuple[str, ...]:
    """The special enemies in the deck; ConfigError if the adventure board is not made for them."""
    named = [name for words in words_in(options.specials) for name in words.split()]
    for name in named:
        if name not in SPECIALS:
            raise ConfigError(
                say(
                    "specials: expected some of {known}, got {name!r}",
                    known=", ".join(SPECIALS),
                    name=name,
                )
            )
    chosen = tuple(name for name in SPECIALS if name in named)
    types = len([name for name in chosen if name != "blanks"])
    allowed = BOARDS_BY_SPECIALS[types]
    if options.board not in allowed:
        raise ConfigError(
            say(
                "board: expected {allowed} with {chosen}, got {board!r}",
                allowed=" or ".join(allowed),
                chosen=", ".join(chosen),
                board=options.board,
            )
        )
    return chosen


def heroes_of(options: Options, pack: Pack, seats: tuple[str, ...]) -> dict[str, str]:
    """The key of the hero at each seat, `none` for none."""
    named = words_in(options.heroes)
    if len(named) > len(seats):
        raise ConfigError(
            say("heroes: expected {most} at most, got {got}", most=len(seats), got=len(named))
        )
    for name in named:
        if name not in ("", "none", *pack.heroes):
            raise ConfigError(
                say(
                    "heroes: expected some of none, {heroes}, got {name!r}",
                    heroes=", ".join(pack.heroes),
                    name=name,
                )
            )
    chosen = [name for name in named if name not in ("", "none")]
    if len(set(chosen)) < len(chosen):
        raise ConfigError(
            say("heroes: expected different heroes, got {chosen}", chosen=", ".join(chosen))
        )
    padded = [*named, *["none"] * (len(seats) - len(named))]
    return {seat: name or "none" for seat, name in zip(seats, padded, strict=True)}
