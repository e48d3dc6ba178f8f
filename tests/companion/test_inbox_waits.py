"""What the inbox holds back: choices behind rolling dice, questions, and what passes in time."""

import pytest
from inbox_queue import GROTTO, LEAVE, RACE, SHOUT, Queue
from verbs import RED, WHITE

from companion.actions import Report, Rolled
from companion.inbox import Passed
from companion.offers import NOT_OFFERED, Roll, Wait


@pytest.fixture
def queue():
    return Queue()


def rolling_since(queue, source, since_s):
    queue.inbox.heard(source, queue.clock.now_s(), since_s)


# --- dice that roll cannot be taken back ----------------------------------------------------------


def test_choice_goes_behind_the_roll_of_the_same_player():
    queue = Queue(GROTTO)
    queue.clock.move_to(1.0)
    rolling_since(queue, "white", 0.9)
    leave = queue.say("leave", 1.0)
    assert queue.take() == []
    queue.clock.move_to(1.4)
    rolling_since(queue, "white", 0.9)
    queue.clock.move_to(1.6)
    roll = queue.roll("white", 1.5)
    assert queue.take() == [roll]
    queue.live("white")
    assert queue.take() == [leave]


def test_choice_goes_behind_a_roll_that_has_arrived_and_is_held_back():
    """The roll lies in the inbox already, held back by an earlier thing that is not known yet."""
    queue = Queue([*GROTTO, RACE[1]])
    queue.clock.move_to(1.0)
    rolling_since(queue, "white", 0.9)
    leave = queue.say("leave", 1.0)
    queue.clock.move_to(1.3)
    roll = queue.roll("white", 1.2)
    queue.inbox.heard("white", 1.3)
    queue.inbox.heard("red", 1.1)
    assert queue.take() == []
    queue.live("red")
    assert queue.take() == [roll, leave]


def test_choice_does_not_wait_for_dice_that_were_thrown_after_it():
    queue = Queue(GROTTO)
    queue.clock.move_to(1.0)
    rolling_since(queue, "white", 0.9)
    leave = queue.say("leave", 0.85)
    assert queue.take() == [leave]


def test_choice_does_not_wait_for_the_dice_of_others():
    queue = Queue([Roll("bo", RED), LEAVE])
    queue.clock.move_to(1.0)
    rolling_since(queue, "red", 0.5)
    leave = queue.say("leave", 0.9)
    assert queue.take() == [leave]


def test_choice_waits_no_longer_than_three_seconds():
    queue = Queue(GROTTO)
    queue.clock.move_to(1.1)
    leave = queue.say("leave", 1.1)
    while queue.clock.now_s() < 4.1:
        rolling_since(queue, "white", 0.9)
        assert queue.take() == []
        due_s = queue.inbox.next_due_s(queue.offers)
        queue.clock.move_to(min(queue.clock.now_s() + 0.3, due_s))
    assert queue.clock.now_s() == 1.1 + 3.0
    rolling_since(queue, "white", 0.9)
    assert queue.take() == [leave]


def test_choice_does_not_wait_for_dice_of_a_silent_sensor():
    queue = Queue(GROTTO)
    queue.clock.move_to(1.0)
    rolling_since(queue, "white", 0.9)
    leave = queue.say("leave", 1.0)
    queue.clock.move_to(queue.inbox.next_due_s(queue.offers))
    assert queue.take() == [leave]


def test_leave_overtakes_rolling_dice_when_its_offer_says_so(queue):
    queue.clock.move_to(1.0)
    queue.live()
    rolling_since(queue, "gold", 0.8)
    leave = queue.say("leave", 1.0)
    assert queue.take() == [leave]


def test_other_choices_do_not_overtake_rolling_dice_in_the_race(queue):
    queue.clock.move_to(1.0)
    queue.live()
    rolling_since(queue, "gold", 0.8)
    queue.say("claim", 1.0)
    assert queue.take() == []


def test_nobody_waits_for_a_choice_that_waits_for_dice(queue):
    """Ann's claim waits for her gold dice; her leave and Bo's dice do not wait for the claim."""
    queue.clock.move_to(1.2)
    queue.live("red")
    rolling_since(queue, "gold", 0.8)
    claim, leave, red = queue.say("claim", 1.0), queue.say("leave", 1.1), queue.roll("red", 1.15)
    assert queue.take() == [leave, red]
    queue.clock.move_to(1.4)
    queue.live("red")
    gold = queue.roll("gold", 1.3)
    queue.live("gold")
    assert queue.take() == [gold, claim]


# --- questions ------------------------------------------------------------------------------------


def test_question_holds_what_was_captured_later(queue):
    queue.clock.move_to(2.0)
    queue.inbox.hold("q1", 1.5, ["red-1"])
    before, at_once, after = (queue.say("leave", at_s) for at_s in (1.4, 1.5, 1.6))
    queue.live()
    assert queue.take() == [before, at_once]
    assert queue.inbox.waiting() == [after.report]
    queue.inbox.answered("q1")
    assert queue.take() == [after]


def test_question_holds_for_as_long_as_it_takes(queue):
    queue.inbox.hold("q1", 1.0)
    queue.clock.move_to(2.0)
    ticket = queue.say("leave", 2.0)
    queue.clock.move_to(600.0)
    assert queue.take() == []
    queue.inbox.answered("q1")
    assert queue.take() == [ticket]


def test_earliest_of_several_questions_holds(queue):
    queue.clock.move_to(2.0)
    queue.live()
    queue.inbox.hold("q1", 1.0)
    queue.inbox.hold("q2", 1.5)
    first, second = queue.say("leave", 1.2), queue.say("leave", 1.8)
    assert queue.take() == []
    queue.inbox.answered("q1")
    assert queue.take() == [first]
    queue.inbox.answered("q2")
    queue.inbox.answered("q2")
    assert queue.take() == [second]


def test_roll_that_a_person_enters_takes_the_place_of_the_question(queue):
    """Who reads the die for the camera reads what lay there when it was asked."""
    queue.clock.move_to(2.0)
    queue.live()
    queue.inbox.hold("q1", 1.5, ["gold-1"])
    shout = queue.say("leave", 1.6)
    entered = Report(Rolled({"gold-1": "gold1", "gold-2": "blank"}), at_s=2.0, source="web:ann")
    ticket = queue.inbox.put(entered)
    assert queue.take() == [ticket]
    assert ticket.at_s == 1.5
    queue.inbox.answered("q1")
    assert queue.take() == [shout]


def test_roll_of_other_dice_waits_behind_the_question(queue):
    queue.clock.move_to(2.0)
    queue.live()
    queue.inbox.hold("q1", 1.5, ["gold-1"])
    entered = Report(Rolled({"red-1": "blank", "red-2": "blank"}), at_s=1.9, source="web:bo")
    queue.inbox.put(entered)
    queue.roll("gold", 1.8)  # thrown anew, seen by the sensor that asked: later than the question
    assert queue.take() == []


# --- waits ----------------------------------------------------------------------------------------


def test_wait_passes_when_everything_up_to_it_is_known():
    queue = Queue([*RACE, Wait(1.1)])
    queue.clock.move_to(1.0)
    queue.live()
    assert queue.take() == []
    assert queue.inbox.next_due_s(queue.offers) == 1.1
    queue.clock.move_to(1.1)
    assert queue.take() == []
    queue.live("gold")
    assert queue.take() == []
    queue.live("red")
    assert queue.take() == [Passed(1.1)]


def test_wait_passes_at_once_when_nobody_could_change_it():
    queue = Queue([SHOUT, Wait(1.1)])
    queue.clock.move_to(1.1)
    assert queue.take() == [Passed(1.1)]


def test_wait_does_not_wait_for_the_silent():
    queue = Queue([*RACE, Wait(1.1)])
    queue.clock.move_to(0.9)
    queue.live()
    for _ in range(10):
        if queue.take():
            break
        queue.clock.move_to(queue.inbox.next_due_s(queue.offers))
    assert queue.clock.now_s() == 0.9 + 0.5
    assert queue.inbox.silent() == ["white", "gold", "red"]


@pytest.mark.parametrize("captured_s", [1.0, 1.05, 1.1])
def test_report_from_within_the_window_comes_before_the_wait(captured_s):
    queue = Queue([SHOUT, Wait(1.1)])
    queue.clock.move_to(1.3)
    leave = queue.say("leave", captured_s)
    assert queue.take() == [leave, Passed(1.1)]


def test_report_from_beyond_the_window_comes_after_the_wait():
    queue = Queue([SHOUT, Wait(1.1)])
    queue.clock.move_to(1.3)
    leave = queue.say("leave", 1.1001)
    assert queue.take() == [Passed(1.1), leave]


def test_wait_does_not_pass_while_an_earlier_report_is_held_back():
    queue = Queue([LEAVE, Roll("ann", WHITE), Wait(1.1)])
    queue.clock.move_to(1.2)
    rolling_since(queue, "white", 0.5)
    leave = queue.say("leave", 1.0)
    assert queue.take() == []
    roll = queue.roll("white", 1.2)
    queue.live("white")
    assert queue.take() == [roll, leave, Passed(1.1)]


def test_wait_does_not_pass_while_a_die_from_before_its_end_is_asked_about():
    queue = Queue([SHOUT, Wait(1.1)])
    queue.clock.move_to(1.3)
    queue.inbox.hold("q1", 1.05, ["gold-1"])
    assert queue.take() == []
    queue.inbox.answered("q1")
    assert queue.take() == [Passed(1.1)]


def test_earliest_of_several_waits_passes_first():
    queue = Queue([Wait(2.0), Wait(1.1), Wait(1.0, closed=NOT_OFFERED)])
    queue.clock.move_to(3.0)
    assert queue.inbox.take(queue.offers, 0.0) == Passed(1.1)
