"""Whatever happens, in whatever order: nothing is lost, late for long, or unfairly decided."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from verbs import GOLD, RED, WHITE

from companion.actions import Chose, Report, Rolled, Undo
from companion.clock import SimulatedClock
from companion.inbox import ROLLING_S, SILENT_S, Inbox, Passed
from companion.offers import Choose, Roll, Wait

DICE = {"white": WHITE, "gold": GOLD, "red": RED}
OFFERS = [
    Roll("ann", WHITE),
    Roll("ann", GOLD),
    Roll("bo", RED),
    Choose("ann", "claim"),
    Choose("ann", "leave", overtakes=True),
]
unhurried = settings(suppress_health_check=[HealthCheck.too_slow])

moments_s = st.integers(0, 60).map(lambda tenths: tenths / 10)
sources = st.sampled_from(sorted(DICE))


def a_roll(source, at_s):
    return Report(Rolled(dict.fromkeys(DICE[source], "blank")), at_s=at_s, source=source)


def an_inbox(start_s=0.0):
    clock = SimulatedClock(start_s)
    inbox = Inbox(clock)
    for name, dice in DICE.items():
        inbox.add_source(name, dice)
    return clock, inbox


def everything_due(inbox, offers=OFFERS, decided_s=0.0):
    while (due := inbox.take(offers, decided_s)) is not None:
        yield due


# --- nothing is lost ------------------------------------------------------------------------------

happenings = st.one_of(
    st.tuples(st.just("roll"), sources, moments_s),
    st.tuples(st.just("say"), st.sampled_from(["claim", "leave", "dance"]), moments_s),
    st.tuples(st.just("undo"), st.none(), moments_s),
    st.tuples(st.just("heard"), sources, moments_s),
    st.tuples(st.just("rolling"), sources, moments_s),
    st.tuples(st.just("hold"), st.sampled_from("pq"), moments_s),
    st.tuples(st.just("answered"), st.sampled_from("pq"), st.none()),
    st.tuples(st.just("take"), st.none(), moments_s),
    st.tuples(st.just("later"), st.none(), moments_s),
)


@unhurried
@given(st.lists(happenings, max_size=60))
def test_every_ticket_is_taken_exactly_once_whatever_happens(story):
    clock, inbox = an_inbox()
    put, taken = [], []
    for what, who, at_s in story:
        match what:
            case "roll":
                put.append(inbox.put(a_roll(who, at_s)))
            case "say":
                put.append(inbox.put(Report(Chose("ann", who), at_s=at_s, source="web:ann")))
            case "undo":
                put.append(inbox.put(Report(Undo(), at_s=at_s, source="web")))
            case "heard":
                inbox.heard(who, at_s)
            case "rolling":
                inbox.heard(who, at_s, at_s)
            case "hold":
                inbox.hold(who, at_s, ["gold-1"])
            case "answered":
                inbox.answered(who)
            case "later":
                clock.advance(at_s)
            case "take":
                taken += everything_due(inbox, decided_s=at_s)
        assert len(inbox.waiting()) + len(taken) == len(put)
    inbox.answered("p")
    inbox.answered("q")
    clock.advance(60 + ROLLING_S)
    taken += everything_due(inbox)
    assert sorted(ticket.arrived for ticket in taken) == [ticket.arrived for ticket in put]
    assert inbox.waiting() == []


# --- nothing waits too long -----------------------------------------------------------------------


@unhurried
@given(
    st.lists(st.tuples(sources, st.floats(0, 3)), min_size=1, max_size=8),
    st.floats(0, 1e5),
    st.sampled_from([None, 0.05, 2.0]),
)
def test_table_comes_to_rest_by_itself_when_all_fall_silent(rolls, start_s, wait_s):
    """Moving the clock from one due moment to the next is enough to get everything decided."""
    clock, inbox = an_inbox(start_s)
    offers = OFFERS if wait_s is None else [*OFFERS, Wait(start_s + wait_s)]
    for source, after_s in rolls:
        inbox.put(a_roll(source, start_s + after_s))
    taken = 0
    while (due_s := inbox.next_due_s(offers)) is not None:
        assert due_s > clock.now_s()
        clock.move_to(due_s)
        while (due := inbox.take(offers, 0.0)) is not None:
            if isinstance(due, Passed):
                offers = OFFERS
            else:
                taken += 1
    assert taken == len(rolls)
    assert clock.now_s() <= start_s + max(SILENT_S, wait_s or 0.0) + 1e-9


@unhurried
@given(st.floats(0, 1e4), st.floats(0, 0.4), st.floats(0, 2), st.sampled_from(["claim", "dance"]))
def test_choice_is_decided_within_three_seconds_however_long_dice_roll(
    start_s, thrown_s, after_s, choice
):
    clock, inbox = an_inbox(start_s)
    at_s = start_s + thrown_s + after_s
    ticket = None
    while ticket is None or (due := inbox.take(OFFERS, 0.0)) is None:
        now_s = clock.now_s()
        for name in DICE:
            inbox.heard(name, now_s, start_s + thrown_s if now_s >= start_s + thrown_s else None)
        if ticket is None and now_s >= at_s:
            ticket = inbox.put(Report(Chose("ann", choice), at_s=now_s, source="web:ann"))
        clock.advance(0.25)
    assert due is ticket
    assert clock.now_s() <= ticket.at_s + ROLLING_S + 0.5


# --- nobody is favoured ---------------------------------------------------------------------------


@st.composite
def arrivals(draw):
    """Rolls of three sensors, each told in its own order, woven into each other anyhow."""
    streams = []
    for source in DICE:
        times = sorted(draw(st.lists(st.integers(1, 9).map(lambda n: n / 100), max_size=4)))
        told = [("roll", source, at_s) for at_s in times]
        marks = [("heard", source, at_s) for at_s in times if draw(st.booleans())]
        streams.append(sorted([*told, *marks], key=lambda one: (one[2], one[0] == "heard")))
        streams[-1].append(("heard", source, 0.1))
    woven = []
    while any(streams):
        woven.append(draw(st.sampled_from([s for s in streams if s])).pop(0))
    return woven


@unhurried
@given(arrivals())
def test_order_of_decision_is_that_of_capture_however_reports_arrive(woven):
    clock, inbox = an_inbox()
    clock.move_to(0.1)
    decided, decided_s = [], 0.0
    for what, source, at_s in woven:
        if what == "heard":
            inbox.heard(source, at_s)
        else:
            inbox.put(a_roll(source, at_s))
        for ticket in everything_due(inbox, decided_s=decided_s):
            assert not ticket.late
            decided.append((ticket.at_s, ticket.report.source))
            decided_s = max(decided_s, ticket.at_s)
    assert decided == sorted((at_s, source) for what, source, at_s in woven if what == "roll")


@pytest.mark.parametrize("order", [*itertools.permutations(DICE)], ids="-".join)
def test_simultaneous_rolls_are_decided_alike_in_every_order_of_arrival(order):
    clock, inbox = an_inbox()
    clock.move_to(0.2)
    for source in order:
        inbox.put(a_roll(source, 0.1))
    for source in order:
        inbox.heard(source, 0.2)
    assert [t.report.source for t in everything_due(inbox)] == ["gold", "red", "white"]
