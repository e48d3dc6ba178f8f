"""The line protocol: what goes out, numbers, time, and the options of the command."""

import json

import msgspec
import pytest
from program import CHOSE, GOLD, RED, TROLL, WHITE, Program, awake, cues, refused
from verbs import everything

from companion.errors import ConfigError, IllegalAction
from companion.offers import Flip
from companion.players import play_out, some_players
from companion.protocol import (
    offer_fields,
    options_from,
    replayed,
    report_from,
)
from companion.referee import Referee

# --- what goes out --------------------------------------------------------------------------------


def test_first_line_is_step_zero_when_a_game_begins():
    opening = json.loads(Program("ann", "bo").protocol.opening())
    assert opening == {
        "step": 0,
        "active": "ann",
        "phase": "grotto",
        "told": [{"cue": "your_turn", "text": "Ann, it is your turn."}],
        "counters": {
            "supply.diamonds": 60,
            "supply.gold": 50,
            "troll_hand.diamonds": 0,
            "pouch.diamonds": 0,
            "pouch.gold": 0,
            "pack.ann.diamonds": 0,
            "pack.ann.gold": 0,
            "pack.bo.diamonds": 0,
            "pack.bo.gold": 0,
            "grotto.blocked": 0,
            "dragon.awake": 0,
        },
        "offers": opening["offers"],
        "outcome": None,
    }
    assert opening["offers"][0] == {
        "type": "roll",
        "player": "ann",
        "dice": WHITE,
        "at_least": 4,
        "since": 0,
    }


def test_step_has_exactly_these_fields_when_a_line_is_accepted():
    answer = Program().rolled(WHITE, ["diamond", "diamond", "troll", "key"])
    assert set(answer) == {"step", "active", "phase", "told", "counters", "offers", "outcome"}
    assert (answer["step"], answer["active"], answer["phase"]) == (1, "ann", "grotto")
    assert answer["outcome"] is None
    assert answer["counters"]["pouch.diamonds"] == 2
    assert answer["counters"]["grotto.blocked"] == 1
    assert all(set(told) == {"cue", "text"} for told in answer["told"])


def test_offers_have_exactly_these_fields_when_open_and_closed():
    answer = Program().rolled(WHITE, ["diamond", "diamond", "troll", "key"])
    free = ["white-1", "white-2", "white-4"]
    roll = {"type": "roll", "player": "ann", "dice": free, "at_least": 1, "since": 1}
    aside = {"type": "choose", "player": "ann", "choice": "set_aside", "since": 1}
    assert roll in answer["offers"]
    assert {**aside, "values": ["white-4"]} in answer["offers"]
    assert {**aside, "choice": "leave", "values": []} in answer["offers"]
    blocked = {"code": "die_blocked", "message": "That die is blocked; it stays as it lies."}
    assert {**aside, "values": ["white-3"], "closed": blocked} in answer["offers"]
    assert {**roll, "dice": ["white-3"], "closed": blocked} in answer["offers"]


def test_since_stays_when_an_offer_stays_on_the_table():
    program = Program()
    entered = program.enter()
    raced = program.rolled(GOLD, ["blank", "blank"])
    leave = [
        [o for o in answer["offers"] if o.get("choice") == "leave"] for answer in (entered, raced)
    ]
    assert leave[0] == leave[1]
    assert leave[0][0]["since"] == 3
    assert [o["since"] for o in raced["offers"] if o.get("dice") == RED][0] == 4


def test_outcome_has_exactly_these_fields_when_the_game_is_over():
    program = Program("ann", "bo")
    program.send(type="adjusted", counter="supply.diamonds", value=2)
    program.rolled(WHITE, ["diamond", "diamond", "diamond", "troll"])
    answer = program.chose("ann", "leave")
    assert answer["outcome"] == {
        "winners": ["ann"],
        "scores": {"ann": 2, "bo": 0},
        "why": "Ann wins with treasure worth 2.",
    }
    assert answer["phase"] == "over"
    assert answer["offers"] == []
    assert refused(program.chose("bo", "leave"), "game_over")
    assert program.send(type="undo")["outcome"] is None


def test_wait_is_offered_when_the_verdict_has_to_wait():
    program = Program()
    program.enter(at_s=1)
    program.rolled(GOLD, ["gold1", "blank"], at_s=5)
    answer = program.rolled(RED, ["dragon", "dragon"], at_s=10)
    assert {"type": "wait", "until_s": 10.1, "since": 5} in answer["offers"]


def test_flip_says_which_squares_when_it_is_offered():
    fields = offer_fields(Flip("ann", ("1,1", "2,3")), 4)
    assert (fields["type"], fields["player"], list(fields["squares"]), fields["since"]) == (
        "flip",
        "ann",
        ["1,1", "2,3"],
        4,
    )


def test_told_steps_are_the_same_lines_when_a_game_is_replayed():
    players = some_players(2)
    program = Program("ann", "bo")
    played = play_out(TROLL, players, seed=3)
    lines = [json.loads(program.protocol.opening())]
    lines += [program.line(json_line(step.report)) for step in played.history]
    again = replayed(Referee(TROLL, players), [step.report for step in played.history])
    assert json.loads(json.dumps(again)) == lines


def json_line(report):
    """The line that reports this."""
    return msgspec.json.encode(report.action)


# --- numbers --------------------------------------------------------------------------------------


def test_every_accepted_line_takes_the_next_number_when_others_are_refused():
    program = Program()
    numbers = [
        program.rolled(WHITE, ["diamond", "diamond", "troll", "key"])["step"],
        program.chose("ann", "leave")["step"],
        program.line(b"nonsense")["step"],
        program.send(type="undo")["step"],
        program.send(type="adjusted", counter="supply.gold", value=49)["step"],
        program.chose("bo", "leave")["step"],
        program.send(
            type="correct",
            step=1,
            action={"type": "rolled", "faces": dict.fromkeys(WHITE, "diamond")},
            drop_later=False,
        )["step"],
        program.send(type="undo")["step"],
    ]
    assert numbers == [1, 2, 2, 3, 4, 4, 5, 6]


def test_correction_replays_the_later_lines_when_they_fit():
    program = Program()
    program.rolled(WHITE, ["diamond", "diamond", "troll", "key"])
    program.chose("ann", "leave")
    faces = {"white-1": "diamond", "white-2": "diamond", "white-3": "diamond", "white-4": "key"}
    answer = program.send(type="correct", step=1, action={"type": "rolled", "faces": faces})
    assert (answer["step"], cues(answer)) == (3, ["corrected"])
    assert answer["counters"]["pack.ann.diamonds"] == 3


def test_correction_names_the_step_when_a_later_line_does_not_fit():
    program = Program()
    program.rolled(WHITE, ["diamond", "diamond", "troll", "key"])
    program.chose("ann", "set_aside", "white-4")
    faces = {"white-1": "diamond", "white-2": "diamond", "white-3": "troll", "white-4": "troll"}
    correction = {"type": "correct", "step": 1, "action": {"type": "rolled", "faces": faces}}
    answer = program.send(**correction)
    assert refused(answer, "later_steps_do_not_fit")
    assert answer["refused"]["step"] == 2
    answer = program.send(**correction, drop_later=True)
    assert answer["step"] == 3
    assert answer["counters"]["grotto.blocked"] == 2
    assert refused(program.send(**{**correction, "step": 2}), "not_correctable")
    assert program.send(type="undo")["counters"]["grotto.blocked"] == 2
    assert refused(program.chose("ann", "set_aside", "white-4"), "die_blocked")


# --- time -----------------------------------------------------------------------------------------


def test_waits_pass_within_the_answer_when_lines_carry_no_time():
    program = Program()
    program.enter()
    program.rolled(GOLD, ["gold1", "blank"])
    answer = program.rolled(RED, ["dragon", "dragon"])
    assert cues(answer) == ["dragon", "dragon_awake", "shared", "shared", "your_turn"]
    assert (answer["step"], answer["active"], answer["phase"]) == (5, "bo", "grotto")


def test_line_without_time_passes_the_wait_when_one_lies_there():
    program = awake()
    answer = program.rolled(WHITE, ["troll", "key", "door", "diamond"])
    assert cues(answer)[:1] == ["dragon_awake"]
    assert (answer["step"], answer["active"]) == (6, "bo")


@pytest.mark.parametrize(("at_s", "safe"), [(9.5, True), (10, True), (10.1, True), (10.11, False)])
def test_leave_counts_by_its_time_when_the_dragon_is_up(at_s, safe):
    program = awake()
    answer = program.chose("ann", "leave", at_s=at_s)
    if safe:
        assert answer["counters"]["pack.ann.gold"] == 1
        assert ("photo_finish" in cues(answer)) is (at_s >= 10)
    else:
        assert refused(answer, "not_offered")


def test_line_passes_the_wait_first_when_it_lies_beyond():
    program = awake()
    answer = program.rolled(WHITE, ["troll", "key", "door", "diamond"], at_s=10.2)
    assert cues(answer)[0] == "dragon_awake"
    assert (answer["step"], answer["active"], answer["phase"]) == (6, "bo", "grotto")


def test_nothing_changes_when_a_line_beyond_the_wait_is_refused():
    program = awake()
    before = everything(program.referee)
    for at_s in (10.2, None):
        more = {} if at_s is None else {"at_s": at_s}
        assert refused(program.chose("ann", "leave", **more), "not_offered")
        assert refused(program.rolled(GOLD, ["blank", "blank"], **more), "cavern_shut")
        assert refused(program.rolled(WHITE[:1], ["moon"], **more), "unknown_face")
        assert everything(program.referee) == before
    assert refused(program.rolled(GOLD, ["blank", "blank"], at_s=10.1), "dragon_is_awake")


def test_waited_is_a_line_like_others_when_it_is_sent():
    program = awake()
    assert refused(program.send(type="waited", until_s=10.05), "not_offered")
    answer = program.send(type="waited", until_s=10.1)
    assert (answer["step"], answer["active"]) == (6, "bo")
    answer = program.send(type="undo")
    assert (answer["step"], answer["phase"], answer["active"]) == (7, "cavern", "ann")


@pytest.mark.parametrize("fields", [CHOSE, {"type": "undo"}])
def test_time_is_optional_when_it_is_null(fields):
    program = Program()
    program.rolled(WHITE, ["diamond", "diamond", "troll", "key"], at_s=None)
    assert program.send(**fields, at_s=None)["step"] == 2


# --- options --------------------------------------------------------------------------------------


def test_options_are_read_when_they_are_named():
    settings_ = ("end_mode=both", "tie_window_s=0.25", "auto_take_gold=false", "first_player=bo")
    dice = (
        "dice.white=troll,troll,troll,diamond,key,door",
        "dice.red-2=dragon, blank,blank,blank,blank,blank",
    )
    options = options_from(TROLL.options, settings_ + dice)
    assert (options.end_mode, options.tie_window_s, options.auto_take_gold) == ("both", 0.25, False)
    assert options.dice["white"] == ("troll", "troll", "troll", "diamond", "key", "door")
    assert options.dice["red-2"] == ("dragon", *["blank"] * 5)
    assert options_from(TROLL.options, ()) == TROLL.options()


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("end_mode", "expected name=value, got 'end_mode'"),
        ("end_mode=never", "end_mode"),
        ("tie_window_s=long", "tie_window_s"),
        ("tie_window_s=-1", "tie_window_s"),
        ("colour=red", "the options are end_mode"),
        ("dice=troll", "dice"),
        ("dice.white.top=troll", "dice"),
        ("=", "option"),
    ],
)
def test_option_is_refused_when_it_does_not_fit(setting, words):
    with pytest.raises(ConfigError, match=words):
        options_from(TROLL.options, (setting,))


def test_option_is_refused_when_it_is_a_value_and_a_table():
    with pytest.raises(ConfigError, match="is a value already"):
        options_from(TROLL.options, ("end_mode=both", "end_mode.x=1"))


def test_line_is_refused_when_it_is_read_alone():
    with pytest.raises(IllegalAction, match="not_json"):
        report_from(b"x")
