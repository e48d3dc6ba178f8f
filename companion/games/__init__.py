"""The games, one module or package each, in the order of their rule books.

A game sees actions, offers and its own table: no clock, no chance, no device. `GAMES` lists them.
"""

from companion.games import troll_and_dragon
from companion.scripts import Game

GAMES: dict[str, Game] = {game.key: game for game in (troll_and_dragon.GAME,)}
