"""The dice of all games of a house together."""

from companion.actions import Chose, Correct, Report, Rolled
from companion.games import GAMES
from companion.house_dice import HouseDice
from companion.journal import Journal
from companion.players import some_players
from companion.referee import Referee

WHITE = ("white-1", "white-2", "white-3", "white-4")


def plays(journal, key, *entries, **options):
    """A game of these entries, in the journal; its number and its referee."""
    game = GAMES[key]
    referee = Referee(game, some_players(2), game.options(**options))
    number = journal.begin(referee)
    for entry in entries:
        journal.append(number, referee.apply(Report(entry)), referee)
    return number, referee


def rows(told, key):
    part = next(part for part in told["parts"] if part["key"] == key)
    return part, {row["die"]: row for row in part["dice"]}


def test_games_of_a_house_are_counted_together():
    journal, house = Journal(None), HouseDice()
    keys = Rolled(dict.fromkeys(WHITE, "key"))
    plays(journal, "troll_and_dragon", keys)
    number, referee = plays(journal, "troll_and_dragon", keys)
    diamonds = Rolled(dict.fromkeys(WHITE, "diamond"))
    journal.append(number, referee.apply(Report(Correct(1, diamonds))), referee)
    plays(journal, "schatz_der_drachen")
    part, dice = rows(house.fairness(journal), "troll_and_dragon")
    assert (part["games"], part["title"]) == (2, "Troll & Dragon")
    assert {row["rolls"] for row in dice.values()} == {2}
    assert {row["righted"] for row in dice.values()} == {1}
    faces = {face["face"]: (face["read"], face["lay"]) for face in dice["white-1"]["faces"]}
    assert faces["key"] == (2, 1)
    assert faces["diamond"] == (0, 1)
    assert [part["key"] for part in house.fairness(journal)["parts"]] == ["troll_and_dragon"]


def test_what_a_running_game_adds_is_counted_once():
    journal, house = Journal(None), HouseDice()
    number, referee = plays(journal, "troll_and_dragon", Rolled(dict.fromkeys(WHITE, "diamond")))
    first = house.fairness(journal)
    assert house.fairness(journal) == first
    player = referee.table.active
    journal.append(number, referee.apply(Report(Chose(player, "leave"))), referee)
    roll = Rolled(dict.fromkeys(WHITE, "diamond"))
    journal.append(number, referee.apply(Report(roll)), referee)
    _, dice = rows(house.fairness(journal), "troll_and_dragon")
    assert dice["white-1"]["rolls"] == 2


def test_die_with_other_sides_is_another_die():
    journal, house = Journal(None), HouseDice()
    keys = Rolled(dict.fromkeys(WHITE, "key"))
    other = {"white": ("troll", "diamond", "diamond", "diamond", "key", "door")}
    plays(journal, "troll_and_dragon", keys)
    plays(journal, "troll_and_dragon", keys, dice=other)
    _, dice = rows(house.fairness(journal), "troll_and_dragon")
    assert len(dice) == 8
    assert {row["rolls"] for row in dice.values()} == {1}


def test_game_of_other_rules_is_left_out(monkeypatch):
    journal = Journal(None)
    plays(journal, "troll_and_dragon", Rolled(dict.fromkeys(WHITE, "key")))
    monkeypatch.delitem(GAMES, "troll_and_dragon")
    assert HouseDice().fairness(journal) == {"parts": [], "left_out": 1}
