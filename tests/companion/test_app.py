"""The deciding loop and the desk: who hears what, in which order, and who may ask."""

import pytest
from room import Play, ask_about

from companion.actions import Adjusted, Correct, Report, Rolled, Undo
from companion.asking import Asked, question_row
from companion.errors import IllegalAction
from companion.games.troll_and_dragon import cavern

FOUR = ("white-1", "white-2", "white-3", "white-4")
DIAMONDS = tuple(f"{die} D" for die in FOUR)
TROLLS = tuple(f"{die} T" for die in FOUR)


@pytest.fixture
def play():
    return Play()


# --- one report -----------------------------------------------------------------------------------


def test_step_is_durable_before_lamps_and_lamps_shine_before_screens(play):
    play.rolls(*DIAMONDS, at_s=1.0)
    play.goes_on(2.0)
    assert play.calls == [("journal", 1), ("alerts", 1), ("screens", 1)]


def test_answer_comes_after_the_screens_are_drawn(play):
    """Who gets the answer and then looks must see the step."""
    play.rolls(*DIAMONDS, at_s=1.0)
    play.room.until_s = 2.0
    play.room.advance(None)
    publish, answered = play.screens.publish, []

    def note(kind, data, number, **past):
        answered.append(play.tickets[0]._done.is_set())
        publish(kind, data, number, **past)

    play.screens.publish = note
    play.companion.decide()
    assert answered == [False]
    assert play.tickets[0].wait(0.0).number == 1
    assert play.companion.snapshot()["step"] == 1


def test_sensors_hear_what_is_awaited_after_every_step(play):
    play.rolls(*DIAMONDS, at_s=1.0)
    play.goes_on(2.0)
    assert play.room.expected == list(play.referee.offers)
    assert play.room.reports == [None, play.tickets[0].report]


def test_lamps_follow_counters_and_turn(play):
    assert play.alerts.seat == 0
    play.rolls(*TROLLS, at_s=1.0)
    play.goes_on(2.0)
    assert play.alerts.seat == 1
    assert play.alerts.counters == play.referee.table.counters


def test_nobody_is_shown_as_active_when_the_game_is_over(play):
    play.inbox.put(Report(Adjusted("supply.diamonds", 0), source="web"))
    play.rolls(*TROLLS, at_s=1.0)
    play.goes_on(2.0)
    assert play.referee.outcome is not None
    assert play.alerts.seat is None
    assert play.cues[-1] == "game_over"


def test_report_without_a_time_is_written_down_with_the_time_it_was_ordered_by(play):
    play.clock.move_to(1.5)
    play.room._live()
    play.inbox.put(Report(Rolled(dict.fromkeys(FOUR, "diamond")), source="white"))
    play.goes_on(2.0)
    [row] = play.journal.steps(play.number)
    assert row.report.at_s == 1.5


def test_refused_report_is_shown_and_sounded_and_not_written_down(play):
    play.says("bo", "leave", at_s=1.0)
    play.goes_on(2.0)
    assert play.calls == [("alerts", "refused"), ("screens", "refused")]
    assert play.screens.refusals[0]["source"] == "web:bo"
    assert play.screens.refusals[0]["message"].endswith(".")
    assert play.room.reports[-1] == play.tickets[0].report
    assert list(play.journal.steps(play.number)) == []
    with pytest.raises(IllegalAction) as refusal:
        play.tickets[0].wait(0.0)
    assert refusal.value.code == play.codes[0]


def test_undo_correction_and_adjustment_are_written_down_like_all_steps(play):
    play.rolls(*DIAMONDS, at_s=1.0)
    play.goes_on(2.0)
    trolls = Rolled(dict.fromkeys(FOUR, "troll"))
    for entry in (Adjusted("pouch.diamonds", 2), Undo(), Correct(1, trolls)):
        play.inbox.put(Report(entry, source="web"))
    play.goes_on(3.0)
    assert play.cues[1:] == ["adjusted", "audit", "undo", "corrected"]
    assert [row.number for row in play.journal.steps(play.number)] == [1, 2, 3, 4]
    assert play.referee.table.active == "bo"


def test_lamps_are_right_again_after_undo(play):
    play.rolls("white-1 T", "white-2 T", "white-3 D", "white-4 D", at_s=1.0)
    play.goes_on(2.0)
    assert play.alerts.counters["grotto.blocked"] == 2
    play.inbox.put(Report(Undo(), source="web"))
    play.goes_on(3.0)
    assert play.alerts.counters["grotto.blocked"] == 0


def test_roll_after_an_undo_is_not_late(play):
    """Undo happened later than what it took back; dice that are thrown now count."""
    play.rolls(*DIAMONDS, at_s=1.0)
    play.goes_on(2.0)
    play.inbox.put(Report(Undo(), at_s=9.0, source="web"))
    play.goes_on(3.0)
    play.rolls(*TROLLS, at_s=4.0)
    play.goes_on(5.0)
    assert play.companion.questions == {}
    assert play.cues[-1] == "your_turn"


def test_loop_ends_by_itself_when_the_game_is_over_and_nobody_wants_another(play):
    play.inbox.put(Report(Adjusted("supply.diamonds", 0), source="web"))
    play.rolls(*TROLLS, at_s=1.0)
    play.companion.run(until_end=True)
    assert play.referee.outcome is not None


def test_loop_stops_when_it_is_told(play):
    play.companion.stop()
    play.companion.run()
    assert play.calls == []


def test_table_goes_on_when_the_rules_fail_at_a_wait(monkeypatch):
    play = Play(cavern_timeout_s=3.0)
    play.into_the_cavern()
    monkeypatch.setattr(cavern, "cavern_remind", None)  # a bug that nobody has found yet
    play.rolls("gold-1 g1", "gold-2 g0", at_s=5.0)
    play.goes_on(10.0)
    assert play.codes == ["rules_failed"]
    play.reports(Report(Undo(), at_s=11.0), 11.0)
    play.says("ann", "leave", at_s=12.0)
    play.goes_on(13.0)
    assert play.cues[-1] == "your_turn"
    assert play.codes == ["rules_failed"]


# --- questions ------------------------------------------------------------------------------------


def test_screens_hear_of_a_question_without_any_step(play):
    asked = ask_about(play)
    play.goes_on(2.0)
    assert play.screens.tables[-1]["snapshot"]["questions"] == [question_row(asked)]
    assert play.referee.number == 0


def test_screens_hear_when_a_question_has_settled_itself(play):
    asked = ask_about(play)
    play.goes_on(2.0)
    play.companion.settle(asked.id)
    play.goes_on(3.0)
    assert play.screens.tables[-1]["snapshot"]["questions"] == []


def test_answer_becomes_a_step_that_happened_when_it_was_asked(play):
    asked = ask_about(play)
    play.clock.move_to(5.0)
    ticket = play.companion.answer(asked.id, "troll")
    play.goes_on(6.0)
    assert ticket.wait(0.0).report.at_s == 1.0
    assert play.cues == ["troll_near", "treasure"]
    assert play.companion.questions == {}


@pytest.mark.parametrize(("name", "face", "code"), [("q9", "troll", "unknown_question"),
                                                    ("q1", "dragon", "bad_answer")])  # fmt: skip
def test_answer_that_does_not_fit_is_refused_and_the_question_stays(play, name, face, code):
    ask_about(play)
    with pytest.raises(IllegalAction) as refusal:
        play.companion.answer(name, face)
    assert refusal.value.code == code
    assert list(play.companion.questions) == ["q1"]


def test_roll_that_is_entered_by_hand_settles_the_question(play):
    ask_about(play)
    play.clock.move_to(5.0)
    entered = Report(Rolled(dict.fromkeys(FOUR, "key")), at_s=5.0, source="web:ann")
    ticket = play.inbox.put(entered)
    play.goes_on(6.0)
    assert play.companion.questions == {}
    assert ticket.wait(0.0).report.at_s == 1.0
    play.says("ann", "leave", at_s=7.0)
    play.goes_on(8.0)
    assert play.cues[-1] == "your_turn"


@pytest.mark.parametrize("entry", [Adjusted("supply.gold", 7), Undo()])
def test_entry_by_hand_leaves_questions_open(play, entry):
    asked = ask_about(play)
    play.inbox.put(Report(entry, source="web"))
    play.goes_on(2.0)
    assert list(play.companion.questions) == [asked.id]


def test_question_that_does_not_hold_stops_nobody(play):
    asked = Asked("q1", "A die was turned.", 1.0, "white", (), lambda face: None)
    play.companion.ask(asked, holds=False)
    play.rolls(*DIAMONDS, at_s=2.0)
    play.goes_on(3.0)
    assert play.cues == ["treasure"]
