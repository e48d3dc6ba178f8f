"""Who is heard first: each promise about time and fairness, on a clock that the test owns."""

import itertools
import threading

import pytest
from inbox_queue import GROTTO, RACE, SHOUT, Queue
from verbs import RED, WHITE

from companion.actions import Adjusted, Chose, Correct, Flipped, Report, Rolled, Undo
from companion.errors import CompanionError, IllegalAction
from companion.inbox import Ticket, describe
from companion.offers import NOT_OFFERED, Flip, Roll, Wait
from companion.steps import Step


@pytest.fixture
def queue():
    return Queue()


def arrivals():
    """Gold, leave and red happened in this order; then every sensor has told all up to 1.4."""
    return {
        "gold": lambda q: q.roll("gold", 1.0),
        "leave": lambda q: q.say("leave", 1.1),
        "red": lambda q: q.roll("red", 1.2),
        "gold told": lambda q: q.live("gold", until_s=1.4),
        "red told": lambda q: q.live("red", until_s=1.4),
    }


def possible(order):
    """A sensor tells its report before its watermark; a shout may cross the air for a while."""
    at = order.index
    in_time = at("leave") < max(at("red"), at("gold told"))
    return in_time and at("gold") < at("gold told") and at("red") < at("red told")


ORDERS = [order for order in itertools.permutations(arrivals()) if possible(order)]


# --- the order of capture -------------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_decided_order_is_that_of_capture_in_every_order_of_arrival(order):
    queue = Queue(start_s=0.95)
    queue.clock.move_to(1.4)
    taken = []
    for arrival in order:
        arrivals()[arrival](queue)
        taken += queue.take()
    assert [ticket.at_s for ticket in taken] == [1.0, 1.1, 1.2]
    assert not any(ticket.late for ticket in taken)


def simultaneous():
    return {
        "gold": lambda q: q.roll("gold", 1.0),
        "leave": lambda q: q.say("leave", 1.0),
        "red": lambda q: q.roll("red", 1.0),
        "gold told": lambda q: q.live("gold", until_s=1.0),
        "red told": lambda q: q.live("red", until_s=1.0),
    }


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_decided_order_is_the_same_when_all_happened_in_one_instant(order):
    """Dice before words: a leave in the very instant of the Dragon is a photo finish."""
    queue = Queue(start_s=0.95)
    queue.clock.move_to(1.4)
    taken = []
    for arrival in order:
        simultaneous()[arrival](queue)
        taken += queue.take()
    assert [ticket.report.source for ticket in taken] == ["gold", "red", "web:ann"]


def test_reports_of_one_source_keep_their_order_when_they_bear_the_same_time(queue):
    queue.offers = GROTTO
    first, second = queue.roll("white", 1.0, WHITE[:1]), queue.roll("white", 1.0, WHITE[1:])
    assert queue.take() == [first, second]


def test_report_happened_now_when_it_bears_no_time(queue):
    queue.clock.move_to(3.0)
    queue.live()
    ticket = queue.inbox.put(Report(Chose("ann", "leave"), source="button:ann"))
    assert (ticket.at_s, queue.take()) == (3.0, [ticket])


# --- who waits for whom ---------------------------------------------------------------------------


def test_roll_waits_for_nobody_in_the_grotto():
    queue = Queue(GROTTO)
    queue.clock.move_to(0.4)
    ticket = queue.roll("white", 0.3)
    assert queue.take() == [ticket]


def test_choice_waits_for_the_dice_of_the_grotto_only():
    queue = Queue(GROTTO)
    queue.clock.move_to(0.4)
    ticket = queue.say("leave", 0.3)
    assert queue.take() == []
    queue.live("white", until_s=0.3)
    assert queue.take() == [ticket]


def test_roll_waits_until_the_other_party_has_told_everything_up_to_it(queue):
    queue.clock.move_to(0.45)
    queue.live("white", until_s=0.45)
    ticket = queue.roll("gold", 0.3)
    for watermark_s, taken in [(0.1, []), (0.2999, []), (0.3, [ticket])]:
        queue.live("red", until_s=watermark_s)
        assert queue.take() == taken


def test_nobody_waits_for_a_party_whose_offer_is_closed(queue):
    queue.offers = [RACE[0], Roll("bo", RED, closed=NOT_OFFERED), SHOUT]
    queue.clock.move_to(0.4)
    ticket = queue.roll("gold", 0.3)
    assert queue.take() == [ticket]


def test_tiles_compete_like_dice():
    queue = Queue([Flip("ann", ("1,1", "1,2"))])
    queue.inbox.add_source("camera", ("1,1",))
    queue.clock.move_to(0.3)
    report = Report(Flipped("1,2", "ring"), at_s=0.2, source="web:ann")
    ticket = queue.inbox.put(report)
    assert queue.take() == []
    queue.inbox.heard("camera", 0.2)
    assert queue.take() == [ticket]


def test_earlier_report_is_waited_for_although_a_later_one_is_known(queue):
    queue.clock.move_to(0.4)
    later = queue.say("leave", 0.3)
    queue.live("gold", until_s=0.35)
    assert queue.take() == []
    earlier = queue.roll("red", 0.2)
    queue.live("red", until_s=0.35)
    assert queue.take() == [earlier, later]


def test_watermark_never_goes_back(queue):
    queue.clock.move_to(0.4)
    queue.live("red", until_s=0.35)
    queue.live("red", until_s=0.1)
    ticket = queue.roll("gold", 0.3)
    assert queue.take() == [ticket]


# --- silence --------------------------------------------------------------------------------------


def test_silent_source_delays_the_table_by_half_a_second_at_most(queue):
    queue.clock.move_to(7.1)
    queue.live()
    ticket = queue.roll("gold", 7.1 + 1e-9)
    assert queue.take() == []
    assert queue.inbox.silent() == []
    queue.clock.move_to(7.59)
    queue.live("gold", "white")
    assert queue.take() == []
    assert queue.inbox.next_due_s(queue.offers) == 7.1 + 0.5
    queue.clock.move_to(queue.inbox.next_due_s(queue.offers))
    assert queue.inbox.silent() == ["red"]
    assert queue.take() == [ticket]


@pytest.mark.parametrize("now_s", [0.1, 0.7, 1.1, 3.3, 1234.567, 86400.1])
def test_table_goes_on_at_the_very_moment_that_was_foretold(now_s):
    """Sums of fractions must not leave the table waiting for a moment that has passed."""
    queue = Queue(start_s=now_s)
    queue.roll("gold", now_s + 1e-3)
    while (due_s := queue.inbox.next_due_s(queue.offers)) is not None and not queue.take():
        queue.clock.move_to(due_s)
    assert queue.inbox.waiting() == []
    assert queue.clock.now_s() == now_s + 0.5


def test_silent_source_is_waited_for_again_when_it_speaks(queue):
    queue.clock.move_to(2.0)
    queue.live("gold", "white")
    assert queue.inbox.silent() == ["red"]
    queue.live("red")
    assert queue.inbox.silent() == []
    queue.clock.move_to(2.1)
    queue.roll("gold", 2.1)
    assert queue.take() == []


def test_source_is_silent_when_its_watermark_stands_still(queue):
    """A camera that lives, but cannot tell because a hand lies in its zone, stops nobody."""
    queue.clock.move_to(1.0)
    queue.live()
    ticket = queue.roll("gold", 1.2)
    for now_s in (1.2, 1.3, 1.4, 1.49):
        queue.clock.move_to(now_s)
        queue.live("red", until_s=1.0)
        assert queue.take() == []
    queue.clock.move_to(1.5)
    queue.live("red", until_s=1.0)
    assert queue.inbox.silent() == ["white", "gold", "red"]
    assert queue.take() == [ticket]


def test_roll_is_late_when_a_later_thing_has_been_decided(queue):
    queue.clock.move_to(2.0)
    queue.live()
    queue.decided_s = 1.8
    early, late = queue.roll("red", 1.8), queue.roll("red", 1.7)
    assert queue.take() == [late, early]
    assert (late.late, early.late) == (True, False)


def test_only_what_sensors_bring_can_be_late(queue):
    queue.clock.move_to(2.0)
    queue.live()
    queue.decided_s = 1.8
    entered = queue.inbox.put(Report(Rolled({"gold-1": "gold1"}), at_s=1.0, source="web:ann"))
    shouted = queue.say("leave", 1.1)
    assert queue.take() == [entered, shouted]
    assert not entered.late
    assert not shouted.late


BY_HAND = [Undo(), Adjusted("supply.gold", 3), Correct(1, Chose("ann", "leave"))]


# --- by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", BY_HAND, ids=describe)
def test_entry_by_hand_waits_for_nobody(queue, entry):
    queue.clock.move_to(0.4)
    queue.inbox.hold("q1", 0.1)
    roll = queue.roll("gold", 0.3)
    by_hand = queue.inbox.put(Report(entry, at_s=0.4, source="web"))
    assert queue.take() == [by_hand]
    assert queue.inbox.waiting() == [roll.report]


# --- tickets and threads --------------------------------------------------------------------------


def test_ticket_answers_with_its_step(queue):
    ticket = queue.say("leave", 0.0)
    step = Step(1, ticket.report)
    threading.Thread(target=ticket.accept, args=(step,)).start()
    assert ticket.wait(5.0) is step


def test_ticket_raises_its_refusal(queue):
    ticket = queue.say("leave", 0.0)
    ticket.refuse(IllegalAction("nothing_rolled", "Roll first."))
    with pytest.raises(IllegalAction, match="Roll first"):
        ticket.wait(5.0)


def test_ticket_says_so_when_nobody_answers(queue):
    with pytest.raises(CompanionError, match="not answered yet"):
        queue.say("leave", 0.0).wait(0.0)


def test_inbox_wakes_who_waits_when_something_stirs(queue):
    assert not queue.inbox.wait(0.0)
    for stir in (
        lambda: queue.say("leave", 0.0),
        lambda: queue.live("red"),
        lambda: queue.inbox.hold("q1", 0.0),
        lambda: queue.inbox.answered("q1"),
        queue.inbox.stir,
    ):
        stir()
        assert queue.inbox.wait(0.0)
        assert not queue.inbox.wait(0.0)


def test_sensor_that_has_nothing_to_tell_wakes_only_who_waits_for_it(queue):
    queue.live()
    assert not queue.inbox.wait(0.0)
    queue.inbox.heard("red", 0.0, moving_since_s=0.0)
    assert queue.inbox.wait(0.0)
    queue.offers = [*RACE, Wait(5.0)]
    queue.take()
    queue.live("red")
    assert queue.inbox.wait(0.0)


def test_inbox_wakes_a_sleeping_thread(queue):
    woken = []
    sleeper = threading.Thread(target=lambda: woken.append(queue.inbox.wait(30.0)))
    sleeper.start()
    queue.inbox.stir()
    sleeper.join(10.0)
    assert woken == [True]


def test_inbox_keeps_everything_when_many_threads_put_at_once():
    queue = Queue(offers=())

    def put(source):
        for n in range(50):
            queue.inbox.put(Report(Rolled({"white-1": "key"}), at_s=float(n), source=source))

    threads = [threading.Thread(target=put, args=(name,)) for name in ("white", "a", "b", "c")]
    for thread in threads:
        thread.start()
    taken: list[Ticket] = []
    while any(thread.is_alive() for thread in threads) or queue.inbox.waiting():
        taken += queue.take()
    assert len(taken) == 200
    assert len({ticket.arrived for ticket in taken}) == 200


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Rolled({"red-1": "dragon", "red-2": "blank"}), "red-1 dragon, red-2 blank"),
        (Chose("ann", "set_aside", "white-1"), "ann: set_aside white-1"),
        (Chose("ann", "leave"), "ann: leave"),
        (Adjusted("supply.gold", 3), "supply.gold set to 3"),
        (Correct(4, Chose("ann", "leave")), "step 4 corrected"),
        (Undo(), "undo"),
        (Flipped("1,1", "ring"), "turned up"),
    ],
)
def test_description_says_what_a_report_says(action, words):
    assert describe(action) == words
