"""Setting up: boards, dice, heroes and the enemy deck."""

from companion.errors import ConfigError
from companion.games.roll_for_adventure.cards import enemy_cards
from companion.games.roll_for_adventure.options import Options, heroes_of, sides_of, specials_of
from companion.games.roll_for_adventure.pack import Hero, pack_from
from companion.games.roll_for_adventure.pieces import AdventureTable, dice_set
from companion.games.roll_for_adventure.territories import SIDES
from companion.table import Player
from companion.words import say

NOBODY = Hero("No hero")


def setup(players: tuple[Player, ...], options: Options) -> AdventureTable:
    """Lay out the table; ConfigError for options or an owner's pack that do not fit."""
    pack = pack_from(options.pack)
    sides = sides_of(options)
    seats = tuple(player.key for player in players)
    heroes = {
        seat: NOBODY if key == "none" else pack.heroes[key]
        for seat, key in heroes_of(options, pack, seats).items()
    }
    if options.first_player and options.first_player not in seats:
        raise ConfigError(
            say(
                "first_player: expected one of {seats}, got {first_player!r}",
                seats=", ".join(seats),
                first_player=options.first_player,
            )
        )
    return AdventureTable(
        players,
        dice_set(len(players), pack),
        active=options.first_player,
        options=options,
        pack=pack,
        sides=sides,
        rules={territory: SIDES[territory, side] for territory, side in sides.items()},
        cards=enemy_cards(pack, specials_of(options)),
        heroes=heroes,
    )
