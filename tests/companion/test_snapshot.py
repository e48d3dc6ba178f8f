"""What screens show: plain JSON, the words of the game, and nothing that is not on the table."""

import msgspec
import pytest
from adventure import Adventure
from hypothesis import given, settings
from hypothesis import strategies as st
from room import Play
from verbs import GOLD, WHITE, Troll

from companion.actions import Adjusted, Chose, Correct, Flipped, Report, Rolled, Undo
from companion.asking import Asked
from companion.games import GAMES
from companion.offers import Choose, Flip, Roll, Wait
from companion.players import anything, play_out, some_players
from companion.referee import Referee
from companion.snapshot import (
    describe_report,
    key_of,
    label_of,
    offer_row,
    recent_rows,
    table_fields,
    told_rows,
    undoable_row,
)
from companion.steps import FAMILIES

WORDS = st.sampled_from(["face", "count", "where", "to", "3", "ann", "desert", "enemy-ice-1a"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_table_is_plain_json_at_every_moment_of_a_game(game):
    def look(referee):
        if referee.number % 10:
            return
        fields = table_fields(referee, 3)
        assert msgspec.json.decode(msgspec.json.encode(fields))["step"] == referee.number
        assert fields["heading"] == game.phases[referee.table.phase]
        assert fields["active"] in referee.table.seats
        for row in fields["offers"]:
            assert row["label"]
            assert 0 <= row["since"] <= referee.number

    options = {"troll_and_dragon": {"sharing": "choose", "auto_take_gold": False}}
    chosen = msgspec.convert(options.get(game.key, {}), game.options)
    over = play_out(game, some_players(2), seed=2, options=chosen, policy=anything, watch=look)
    fields = table_fields(over, 3)
    assert fields["outcome"]["why"]
    assert fields["offers"] == []
    assert fields["game"] == {"key": game.key, "title": game.title, "number": 3}


def test_told_rows_carry_what_lamps_sounds_and_styles_go_by():
    at = Troll("ann", "bo")
    at.white("D D T K")
    rows = told_rows(at.step.told, at.step.number)
    assert [row["cue"] for row in rows] == at.cues
    assert {row["family"] for row in rows} <= set(FAMILIES)
    assert {row["step"] for row in rows} == {1}
    assert rows[0]["text"] == at.step.told[0].text


def test_faces_are_those_that_can_be_tapped_once_each():
    faces = table_fields(Troll().referee, 1)["faces"]
    assert set(faces["white-1"]) == {"troll", "diamond", "key", "door"}
    assert len(faces["white-1"]) == 4
    assert len(faces) == 8


def test_button_says_what_it_does():
    at = Troll("ann", "bo")
    referee = at.referee
    assert label_of(referee, Roll("ann", WHITE)) == "Roll 4 white dice"
    assert label_of(referee, Roll("ann", GOLD[:1])) == "Roll 1 gold die"
    assert label_of(referee, Roll("ann", (WHITE[0], GOLD[0]))) == "Roll 2 white and gold dice"
    assert label_of(referee, Choose("ann", "leave")) == "I'm leaving!"
    assert label_of(referee, Choose("ann", "jump_up")) == "jump up"
    assert label_of(referee, Flip("ann", ("1,1",))) == "Turn one up"
    assert label_of(referee, Wait(1.0)) == "Wait"


def test_values_of_a_choice_are_shown_by_what_they_are():
    at = Troll("ann", "bo")
    at.white("D D T K")
    [offer] = [o for o in at.open_offers(Choose) if o.choice == "set_aside"]
    row = offer_row(at.referee, offer)
    assert list(row["values"]) == ["white-4"]
    assert "white-4" in row["value_labels"]["white-4"]
    assert row["button"] is False


@pytest.mark.parametrize(("value", "key"), [("gold", "gold"), (3, "3"), ([1, 2], "[1,2]")])
def test_value_is_a_key_of_json(value, key):
    assert key_of(value) == key


def test_closed_offer_says_why_not():
    fields = table_fields(Troll().referee, 1)
    [leave] = [row for row in fields["offers"] if row.get("choice") == "leave"]
    assert leave["closed"]["code"] == "nothing_rolled"
    assert leave["closed"]["message"].endswith(".")


def test_undo_says_what_it_takes_back():
    at = Troll("ann", "bo")
    assert undoable_row(at.referee) is None
    at.white("D D T K")
    row = undoable_row(at.referee)
    assert row["step"] == 1
    assert row["text"].startswith("Roll: white-1 diamond")
    at.leave()
    assert row["by"] is None  # no person did that
    assert undoable_row(at.referee) == {"step": 2, "text": "Ann: I'm leaving!", "by": "ann"}
    at.undo()
    assert undoable_row(at.referee)["step"] == 1


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Rolled({"red-1": "dragon"}), "Roll: red-1 dragon"),
        (Chose("ann", "set_aside", "white-1"), "Ann: "),
        (Chose("zed", "jump"), "zed: jump"),
        (Adjusted("supply.gold", 3), "Gold in the cavern set to 3"),
        (Undo(), "undo"),
        (Correct(2, Chose("ann", "leave")), "step 2 corrected"),
        (Flipped("1,1", "ring"), "Turned up: ring"),
        (Chose("ann", "set_aside", "bo"), "Ann: Set aside (Bo)"),
    ],
)
def test_report_is_described_in_words(action, text):
    assert describe_report(Troll().referee, Report(action)).startswith(text)


def test_placement_is_described_in_words_when_it_can_be_undone():
    at = Adventure()
    at.throw("3 3 4 5 6")
    at.place("3", 2, "fortress-3")
    assert undoable_row(at.referee)["text"] == "Ann: Place 2 x 3: fortress, the 3s"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=25)
@given(value=JSON)
def test_any_value_has_a_name_although_nobody_offered_it(game, value):
    referee = Referee(game, some_players(2))
    for choice in (*game.choices, "flip", "nothing"):
        assert isinstance(game.labels(referee.table, choice, value), str)
        assert describe_report(referee, Report(Chose("ann", choice, value)))


def test_snapshot_shows_sentences_lamps_sensors_and_people():
    play = Play("ann", "bo")
    play.rolls(*(f"{die} D" for die in WHITE), at_s=1.0)
    play.goes_on(2.0)
    play.companion.seat("bo", person=True)
    play.companion.ask(Asked("q1", "?", 2.0, "red", ("dragon",), lambda face: None, ("red-1",)))
    snapshot = play.companion.snapshot()
    assert [row["text"] for row in snapshot["told"]] == [
        "Ann, it is your turn.",
        "Ann finds 4 diamonds.",
    ]
    assert snapshot["lamps"] == play.alerts.lamps()
    assert [row["name"] for row in snapshot["sources"]] == ["white", "gold", "red"]
    assert [(row["key"], row["person"], row["score"]) for row in snapshot["players"]] == [
        ("ann", False, 0),
        ("bo", True, 0),
    ]
    assert snapshot["questions"][0]["die"] == "red-1"
    assert snapshot["clock_s"] == 2.0
    assert msgspec.json.encode(snapshot)


def test_snapshot_is_a_copy_that_the_caller_may_keep():
    play = Play("ann", "bo")
    before = play.companion.snapshot()
    kept = msgspec.json.encode(before)
    play.rolls(*(f"{die} D" for die in WHITE), at_s=1.0)
    play.goes_on(2.0)
    assert msgspec.json.encode(before) == kept


def test_only_the_latest_sentences_are_kept():
    play = Play("ann", "bo")
    for n in range(60):
        play.inbox.put(Report(Adjusted("supply.gold", n), source="web"))
    play.goes_on(1.0)
    told = play.companion.snapshot()["told"]
    assert len(told) == 40
    assert told[-1]["step"] == 60


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.public is not None], ids=lambda game: game.key
)
def test_sentences_and_undo_are_shown_only_as_far_as_they_may_still_be_said(game):
    """While something lies hidden again, the past is told as the referee makes it public."""
    differs = []

    def look(referee):
        latest = referee.history[-40:]
        if referee.number % 20:
            return
        shown = [row["text"] for row in recent_rows(referee, 20)]
        said = [one.text for step in latest for one in referee.public(step).told][-20:]
        assert shown[-len(said) :] == said or not said
        differs.append(said != [one.text for step in latest for one in step.told][-20:])
        if referee.undoable is not None:
            public = referee.public(referee.step(referee.undoable))
            assert undoable_row(referee)["text"] == describe_report(referee, public.report)

    play_out(game, some_players(2), seed=2, policy=anything, watch=look)
    assert any(differs)


def test_sentences_from_before_a_restart_are_shown_again():
    at = Troll("ann", "bo")
    at.white("D D T K")
    at.leave()
    rows = recent_rows(at.referee, 40)
    assert [row["text"] for row in rows][0] == "Ann, it is your turn."
    assert [row["step"] for row in rows] == [0, 1, 1, 1, 2, 2]
    assert recent_rows(at.referee, 3) == rows[-3:]
