"""Looking back on a game of the journal."""

import pytest

from companion.actions import Chose, Correct, Flipped, Report, Rolled, Undo
from companion.chronicle import chronicle, past, remembered
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.journal import Journal
from companion.referee import Referee
from companion.table import Player

PLAYERS = (Player("ann", "Ann"), Player("bo", "Bo"))


def kept(entries, game="troll_and_dragon"):
    """The game of these entries, one a second, as the journal has it."""
    journal, referee = Journal(None), Referee(GAMES[game], PLAYERS)
    number = journal.begin(referee)
    for second, entry in enumerate(entries, start=1):
        step = referee.apply(Report(entry, at_s=float(second), source="test"))
        journal.append(number, step, referee)
    row, rows = journal.game(number), list(journal.steps(number))
    journal.close()
    return row, rows


def four(*faces):
    return Rolled({f"white-{n}": face for n, face in enumerate(faces, start=1)})


GAME = [
    four("diamond", "diamond", "key", "troll"),
    Chose("ann", "leave"),
    four("troll", "key", "key", "troll"),
    Chose("bo", "leave"),
]


def test_scores_luck_and_turns_of_a_game():
    told = chronicle(*kept(GAME))
    assert told["scores"] == {"ann": [[0, 0], [2, 2]], "bo": [[0, 0]]}
    each = 4 * 2 / 6
    assert told["luck"]["ann"] == [[1, pytest.approx(2 - each, abs=1e-5)]]
    assert told["luck"]["bo"] == [[3, pytest.approx(-each, abs=1e-5)]]
    assert told["turns"] == [
        {"player": "ann", "step": 1, "seconds": 2.0},
        {"player": "bo", "step": 3, "seconds": 2.0},
    ]
    [real] = told["fairness"]
    assert not real["simulated"]
    assert {row["die"]: row["rolls"] for row in real["dice"]} == {
        f"white-{n}": 2 for n in (1, 2, 3, 4)
    }


def test_what_was_corrected_counts_as_corrected_for_luck():
    game = [*GAME[:1], Correct(1, four("diamond", "diamond", "diamond", "diamond"))]
    told = chronicle(*kept(game))
    assert told["luck"]["ann"][-1][1] == pytest.approx(4 - 4 * 2 / 6, abs=1e-5)
    assert chronicle(*kept([*game, Undo()]))["luck"]["ann"][-1][1] == pytest.approx(
        2 - 4 * 2 / 6, abs=1e-5
    )


def test_game_without_dice_tells_why_there_is_no_luck():
    for game, why, words in (("roll_for_adventure", "", "a territory could take"),
                             ("schatz_der_drachen", "no dice", ""),
                             ("troll_and_dragon", "", "in points")):  # fmt: skip
        told = chronicle(*kept([], game))
        assert told["luck"] == {}
        assert why in told["no_luck"]
        assert bool(told["no_luck"]) == bool(why)
        assert words in told["luck_words"]


def test_luck_of_placed_dice_follows_from_where_they_could_lie():
    dice = [f"red-{n}" for n in range(1, 6)] + [f"green-{n}" for n in (1, 2)]
    told = chronicle(*kept([Rolled(dict.fromkeys(dice, "6"))], "roll_for_adventure"))
    [[step, more]] = told["luck"]["ann"]
    assert step == 1
    assert 3 < more < 6  # six of seven sixes fit into the forest; two or three is usual


def test_table_of_a_step_lies_as_it_lay_then():
    row, rows = kept(GAME)
    begun, then, now = (past(row, rows, number) for number in (0, 1, 4))
    assert (begun["step"], begun["shown"], begun["offers"]) == (0, None, [])
    assert then["shown"]["what"].startswith("Roll:")
    assert [player["score"] for player in then["players"]] == [0, 0]
    assert [player["score"] for player in now["players"]] == [2, 0]
    with pytest.raises(IllegalAction, match="no step 5"):
        past(row, rows, 5)


def test_past_of_a_running_game_with_secrets_stays_hidden():
    row, rows = kept([Flipped("0,3", "spider")], "schatz_der_drachen")
    with pytest.raises(IllegalAction) as refused:
        past(row, rows, 0)
    assert refused.value.code == "hidden"
    now = past(row, rows, 1)
    assert "0,3" not in str(now["shown"])
    assert chronicle(row, rows)["secret"]


def test_game_is_remembered_by_its_names():
    row, _ = kept(GAME)
    told = remembered(row)
    assert told["title"] == "Troll & Dragon"
    assert told["names"] == {"ann": "Ann", "bo": "Bo"}
    assert (told["steps"], told["over"]) == (4, False)
