"""What a choice or a tile may really have been, as the game lay then."""

import pytest

from companion.actions import Chose, Correct, Flipped, Report, Rolled, Undo
from companion.alternatives import alternatives, key_of
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.players import some_players
from companion.referee import Referee
from companion.righting import review

WHITE = ("white-1", "white-2", "white-3", "white-4")
FIRST = dict(zip(WHITE, ("key", "troll", "diamond", "diamond"), strict=True))


def game(key, *actions):
    referee = Referee(GAMES[key], some_players(2))
    for action in actions:
        referee.apply(Report(action))
    return referee


@pytest.fixture
def left():
    """A game in which the first player rolled once and left."""
    referee = game("troll_and_dragon", Rolled(FIRST))
    player = referee.table.active
    referee.apply(Report(Chose(player, "leave")))
    return referee


def actions(rows):
    return [row["action"] for row in rows]


def test_other_choices_of_that_moment_are_offered(left):
    rows = alternatives(left, 2)
    player = left.players[0].key
    assert actions(rows)[0] == {"type": "chose", "player": player, "choice": "leave", "value": None}
    others = actions(rows)[1:]
    assert others
    assert {one["player"] for one in others} == {player}
    assert all(one != actions(rows)[0] for one in others)
    assert all(row["label"] for row in rows)


def test_every_alternative_is_accepted_by_the_rules(left):
    for row in alternatives(left, 2)[1:]:
        action = Chose(**{k: v for k, v in row["action"].items() if k != "type"})
        left.preview(Correct(2, action, drop_later=True))
    assert left.number == 2


def test_correction_of_an_earlier_roll_changes_what_was_possible(left):
    four_diamonds = dict.fromkeys(WHITE, "diamond")
    before = actions(alternatives(left, 2))
    left.correct(1, Rolled(four_diamonds))
    assert actions(alternatives(left, 2)) != before
    left.undo()
    assert actions(alternatives(left, 2)) == before


def test_rolls_and_steps_that_do_not_count_have_none(left):
    with pytest.raises(IllegalAction, match="no choice and no tile"):
        alternatives(left, 1)
    left.apply(Report(Undo()))
    with pytest.raises(IllegalAction, match="does not count"):
        alternatives(left, 2)
    assert [row["changeable"] for row in review(left, None, 9)] == ["", "", ""]


def test_review_tells_alternatives_of_opened_steps_only(left):
    closed, opened = review(left, None, 9), review(left, None, 9, {1, 2})
    assert [row["alternatives"] for row in closed] == [None, None]
    assert closed[0]["changeable"] == key_of(left.step(2).report.action)
    assert opened[0]["alternatives"] == alternatives(left, 2)
    assert opened[1]["alternatives"] is None  # of a roll every die tells its faces


def test_tile_that_lies_open_may_have_been_another():
    referee = game("schatz_der_drachen", Flipped("0,3", "ball"))
    rows = alternatives(referee, 1)
    assert actions(rows)[0] == {"type": "flipped", "square": "0,3", "face": "ball"}
    assert len(rows) > 3
    assert {one["square"] for one in actions(rows)} == {"0,3"}
    referee.correct(1, Flipped("0,3", "ring"))
    assert actions(alternatives(referee, 1))[0]["face"] == "ring"
    referee.correct(1, Flipped("0,3", "ball"))
    assert actions(alternatives(referee, 1))[1]["face"] == "ring"  # mistaken for each other before


def test_tile_that_lies_covered_tells_nothing():
    referee = game("schatz_der_drachen", Flipped("0,3", "spider"))
    at = 1
    while referee.public(referee.step(1)).report.action == referee.step(1).report.action:
        at += 1
        offer = next(o for o in referee.offers if o.closed is None)
        choice = getattr(offer, "choice", None)
        if choice is None:
            referee.apply(Report(Flipped(offer.squares[0], offer.faces[0])))
        else:
            value = offer.values[0] if offer.values else None
            referee.apply(Report(Chose(offer.player, choice, value)))
        assert at < 12
    assert next(r for r in review(referee, None, 99, {1}) if r["step"] == 1)["changeable"] == ""
    with pytest.raises(IllegalAction, match="not told"):
        alternatives(referee, 1)
