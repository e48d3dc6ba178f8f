import multiprocessing
import threading

from companion.bench.alerts import measure


def test_decisions_are_timed_to_the_first_edge_and_the_load_ends():
    threads = threading.active_count()
    figures = measure(2)
    assert (figures["decisions"], figures["busy_decisions"]) == (2, 2)
    for name in ("calm_decision_to_edge_median_ms", "busy_decision_to_edge_p99_ms"):
        assert 0 < figures[name] < 60_000
    assert figures["goal_met"] is (figures["busy_decision_to_edge_p99_ms"] < 20)
    assert threading.active_count() == threads
    assert multiprocessing.active_children() == []
