"""Several looks at a die are counted as one reading, and never for more than they are worth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from camera.ballot import counted
from camera.faces import CERTAIN
from camera.stills import DieReading

SQUARE = ((0.0, 0), (9, 0), (9, 9), (0, 9))


def saw(face: str, certainty: float, doubt: str = "") -> DieReading:
    return DieReading("white", face, certainty, (0, 0, 9, 9), np.array(SQUARE), (face,), doubt)


def test_die_that_one_look_missed_counts_when_the_others_agree():
    reading = counted([saw("key", 0.98), None, saw("key", 0.97)])
    assert reading is not None
    assert (reading.face, reading.doubt) == ("key", "")
    assert reading.certainty >= CERTAIN


@pytest.mark.parametrize(
    "votes",
    [
        [saw("key", 0.99)],
        [saw("key", 0.99), None],
        [saw("key", 0.99), saw("door", 0.99), saw("key", 0.99)],
        [saw("key", 0.99), saw("key", 0.5), saw("key", 0.6)],
    ],
)
def test_die_is_in_doubt_when_looks_are_few_or_differ(votes):
    reading = counted(votes)
    assert reading is not None
    assert (reading.face, reading.doubt) == ("key", "unsure")
    assert reading.certainty < CERTAIN


def test_die_that_leans_in_some_looks_leans():
    leans = saw("cocked", 0.45, "cocked")
    reading = counted([saw("key", 0.99), leans, saw("key", 0.99)])
    assert reading is leans


def test_looks_that_are_the_same_in_all_are_counted_each():
    cut, whole = (0.4, "cut"), (0.99, "")
    reading = counted([saw("key", *look) for look in (cut, cut, *[whole] * 6)])
    assert reading is not None
    assert (reading.face, reading.doubt) == ("key", "")


def test_die_that_nobody_read_has_no_reading():
    assert counted([]) is None
    assert counted([None, None]) is None


looks = st.one_of(
    st.none(),
    st.builds(saw, st.sampled_from(("key", "door")), st.floats(0, 0.999)),
    st.builds(saw, st.just("cocked"), st.just(0.4), st.just("cocked")),
)


@given(st.lists(looks, max_size=9), st.randoms())
def test_order_of_looks_does_not_matter_to_what_is_certain(votes, chance):
    one = counted(votes)
    mixed = list(votes)
    chance.shuffle(mixed)
    other = counted(mixed)
    assert (one is None) == (other is None)
    if one is not None and other is not None and one.certainty >= CERTAIN:
        assert (one.face, one.certainty) == (other.face, other.certainty)
        assert one.certainty <= max(v.certainty for v in votes if v is not None)
