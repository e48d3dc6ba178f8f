"""What was learnt is taken over in a thread of its own, the newest only."""

import threading

import pytest

from camera.dice_sets import DiceLooks, Kind
from companion.relearning import Relearning

LIMIT_S = 20.0


class Taker:
    """Takes what was learnt as slowly as the test likes."""

    def __init__(self):
        self.taken, self.threads = [], set()
        self.began, self.may_go_on = threading.Semaphore(0), threading.Semaphore(0)

    def take(self, looks):
        self.began.release()
        assert self.may_go_on.acquire(timeout=LIMIT_S)
        self.threads.add(threading.get_ident())
        self.taken.append(looks)

    def begins(self):
        assert self.began.acquire(timeout=LIMIT_S)


@pytest.fixture
def taker():
    return Taker()


@pytest.fixture
def relearning(taker):
    made = Relearning("trays", taker.take)
    yield made
    taker.may_go_on.release(9)
    made.close()


def looks_named(name):
    return DiceLooks({name: Kind(("blank",))}, {})


def test_whoever_hands_on_does_not_wait_until_it_is_taken(relearning, taker):
    relearning.hand_on(looks_named("one"))
    taker.begins()
    assert taker.taken == []
    taker.may_go_on.release()
    relearning.close()
    assert taker.taken == [looks_named("one")]
    assert threading.get_ident() not in taker.threads


def test_of_all_that_waits_only_the_newest_is_taken(relearning, taker):
    relearning.hand_on(looks_named("one"))
    taker.begins()
    for name in ("two", "three", "four"):
        relearning.hand_on(looks_named(name))
    taker.may_go_on.release()
    taker.begins()
    taker.may_go_on.release()
    relearning.close()
    assert taker.taken == [looks_named("one"), looks_named("four")]


def test_close_waits_for_what_is_being_taken_and_for_no_more(relearning, taker):
    relearning.hand_on(looks_named("one"))
    taker.begins()
    relearning.hand_on(looks_named("two"))
    closing = threading.Thread(target=relearning.close)
    closing.start()
    taker.may_go_on.release(2)
    closing.join(LIMIT_S)
    assert not closing.is_alive()
    assert taker.taken[0] == looks_named("one")
    before = list(taker.taken)
    relearning.hand_on(looks_named("three"))
    relearning.close()
    assert taker.taken == before


def test_what_cannot_be_taken_is_logged_and_the_next_one_is_taken(caplog):
    failed, taken = threading.Event(), threading.Event()

    def take(looks):
        if looks == looks_named("one"):
            failed.set()
            raise ValueError("no such face")
        taken.set()

    relearning = Relearning("trays", take)
    relearning.hand_on(looks_named("one"))
    assert failed.wait(LIMIT_S)
    relearning.hand_on(looks_named("two"))
    assert taken.wait(LIMIT_S)
    relearning.close()
    assert "the trays: what was learnt" in caplog.text
    assert "no such face" in caplog.text
