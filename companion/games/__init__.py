"""The games, one module or package each, in the order of their rule books.

A game sees actions, offers and its own table: no clock, no chance, no device. `GAMES` lists them.
"""

from companion.games import roll_for_adventure, schatz_der_drachen, troll_and_dragon
from companion.scripts import Game

GAMES: dict[str, Game] = {
    game.key: game
    for game in (troll_and_dragon.GAME, roll_for_adventure.GAME, schatz_der_drachen.GAME)
}
