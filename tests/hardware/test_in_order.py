from hypothesis import given
from hypothesis import strategies as st

from firmware import wire
from hardware.in_order import KEPT, InOrder


def report(number: int) -> wire.Message:
    return wire.Message("MOVE", "red-1", "7f3a", number, number, ())


def numbers(reports: list[wire.Message]) -> list[int]:
    return [one.number for one in reports]


@given(st.lists(st.integers(1, 20), max_size=60))
def test_each_report_comes_once_and_in_order_whatever_arrives(arriving: list[int]) -> None:
    order = InOrder(1)
    due = [n for number in arriving for n in numbers(order.take(report(number)))]
    assert due == list(range(1, len(due) + 1))
    assert set(due) <= set(arriving)
    assert order.is_complete == (len(due) == max(arriving, default=0))


@given(st.lists(st.integers(1, 20), max_size=60))
def test_giving_up_tells_all_that_arrived_and_counts_the_rest(arriving: list[int]) -> None:
    order = InOrder(1)
    due = [n for number in arriving for n in numbers(order.take(report(number)))]
    order.told_of(20)
    due += numbers(order.give_up(20))
    assert due == sorted(set(arriving))
    assert order.lost == 20 - len(due)
    assert order.is_complete


def test_gap_is_known_from_a_later_report_and_from_a_heartbeat() -> None:
    order = InOrder(5)
    assert order.is_complete
    order.told_of(6)
    assert (order.is_complete, order.first_gap_end()) == (False, 6)
    assert numbers(order.take(report(6))) == []
    assert order.first_gap_end() == 5
    assert numbers(order.take(report(5))) == [5, 6]
    assert order.late == 2
    assert order.is_complete


def test_repeated_reports_are_counted_wherever_they_come() -> None:
    order = InOrder(1)
    for number in (1, 1, 3, 3, 2, 3):
        order.take(report(number))
    assert order.repeated == 3
    assert order.next_number == 4


def test_absurd_number_costs_neither_time_nor_memory() -> None:
    order = InOrder(1)
    for number in range(10**12 - 2 * KEPT, 10**12):
        assert order.take(report(number)) == []
    assert len(order.give_up(10**12 - 1)) == KEPT
    assert order.next_number == 10**12
