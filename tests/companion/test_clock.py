"""The one clock, real and simulated."""

import threading

from companion.clock import RealClock, SimulatedClock


def test_real_clock_goes_on_from_where_the_game_was_left():
    clock = RealClock(100.0)
    first_s, second_s = clock.now_s(), clock.now_s()
    assert 100.0 <= first_s <= second_s < 160.0


def test_real_clock_runs_with_the_monotonic_clock(monkeypatch):
    now = iter([5.0, 5.0, 7.5])
    monkeypatch.setattr("companion.clock.time.monotonic", lambda: next(now))
    clock = RealClock()
    assert clock.now_s() == 0.0
    assert clock.now_s() == 2.5


def test_simulated_clock_stands_still_until_it_is_moved():
    clock = SimulatedClock(3.0)
    assert clock.now_s() == clock.now_s() == 3.0
    clock.advance(0.5)
    assert clock.now_s() == 3.5
    clock.move_to(10.0)
    assert clock.now_s() == 10.0


def test_simulated_clock_never_goes_back():
    clock = SimulatedClock(3.0)
    clock.move_to(1.0)
    clock.advance(-1.0)
    assert clock.now_s() == 3.0


def test_simulated_clock_ends_at_the_latest_moment_when_threads_move_it_at_once():
    clock = SimulatedClock()
    threads = [
        threading.Thread(target=lambda n=n: [clock.move_to(n + i / 100) for i in range(100)])
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clock.now_s() == 7.99
