"""Games that are written down, and what damages their journals."""

from room import random_entries

from companion.games import GAMES
from companion.journal import engine_for
from companion.players import some_players
from companion.referee import Referee

TROLL = GAMES["troll_and_dragon"]
OWN_DICE = {"dice": {"white": ["troll"] * 5 + ["key"], "red-2": ["dragon"] * 6}}


def written(journal, referee, reports):
    """Play these reports, each into the journal as it is accepted; return the game's number."""
    number = journal.begin(referee)
    for report in reports:
        journal.append(number, referee.apply(report), referee)
    return number


def random_reports(game, seed, count, options=None):
    return list(random_entries(Referee(game, some_players(3), options), seed, count))


def change(path, statement):
    """Tamper with a journal behind its back."""
    engine = engine_for(path)
    with engine.begin() as connection:
        connection.execute(statement)
    engine.dispose()
