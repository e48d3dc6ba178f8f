"""Rest is the first of many equal frames, and is declared a little later."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from camera.settle import Phase, Settler


def follow(settler: Settler, frames: list[tuple[float, bool]]) -> list[float]:
    """Feed frames; declare every rest that is due; return the capture times."""
    rests = []
    for at_s, differs in frames:
        settled = settler.update(at_s, differs=differs)
        if settled.is_due:
            settler.declare(empty=False)
            rests.append(settled.since_s)
    return rests


def test_rest_is_captured_with_the_first_still_frame_when_declared_later() -> None:
    settler = Settler(settle_s=0.1)
    frames = [(0.0, True), (0.05, True), (0.1, True), (0.15, False), (0.2, False), (0.25, False)]
    assert follow(settler, frames) == [0.1]
    assert settler.phase is Phase.STILL


def test_watermark_lies_just_before_the_first_still_frame_when_dice_settle() -> None:
    settler = Settler(settle_s=0.1)
    settler.update(1.0, differs=True)
    settler.update(1.05, differs=False)
    assert settler.phase is Phase.SETTLING
    assert settler.watermark_s == math.nextafter(1.0, 0.0)


def test_watermark_is_the_last_frame_when_everything_is_still() -> None:
    settler = Settler(settle_s=0.1)
    follow(settler, [(1.0, True), (1.1, False), (1.2, False), (1.3, False)])
    assert settler.watermark_s == 1.3


def test_watermark_stays_before_the_anchor_when_a_rest_that_is_due_is_not_declared() -> None:
    settler = Settler(settle_s=0.1)
    for at_s in (1.0, 1.1, 1.2, 1.3):
        settled = settler.update(at_s, differs=at_s == 1.0)
    assert settled.is_due
    assert settler.watermark_s < 1.0


def test_empty_zone_is_told_apart_when_rest_is_declared() -> None:
    settler = Settler()
    settler.update(0.0, differs=True)
    settler.declare(empty=True)
    assert settler.phase is Phase.EMPTY
    assert settler.update(0.1, differs=False).phase is Phase.EMPTY
    assert settler.update(0.2, differs=True).phase is Phase.MOVING


def test_one_slow_frame_is_no_rest_when_two_are_asked_for() -> None:
    settler = Settler(settle_s=0.1, at_least=2)
    assert follow(settler, [(0.0, True), (0.5, False)]) == []
    assert follow(settler, [(0.6, False)]) == [0.0]


def test_first_frame_is_the_anchor_when_it_is_said_not_to_differ() -> None:
    settler = Settler(settle_s=0.1)
    assert follow(settler, [(5.0, False), (5.1, False), (5.2, False)]) == [5.0]


@pytest.mark.parametrize("at_s", [1.0, 0.5, math.nan])
def test_frame_is_refused_when_it_is_not_later_than_the_one_before(at_s: float) -> None:
    settler = Settler()
    settler.update(1.0, differs=True)
    with pytest.raises(ValueError, match="expected a frame after 1.0 s"):
        settler.update(at_s, differs=False)


@pytest.mark.parametrize(("settle_s", "at_least"), [(0.0, 2), (math.nan, 2), (0.1, 0)])
def test_settler_is_refused_when_it_could_never_wait(settle_s: float, at_least: int) -> None:
    with pytest.raises(ValueError, match="expected settle_s above 0"):
        Settler(settle_s, at_least)


GAPS = st.lists(st.tuples(st.floats(0.001, 0.2), st.booleans()), min_size=1, max_size=60)


@given(gaps=GAPS, settle_s=st.floats(0.02, 0.5))
def test_watermark_never_goes_back_nor_past_a_rest_for_any_frames(
    gaps: list[tuple[float, bool]], settle_s: float
) -> None:
    settler, at_s, last_s = Settler(settle_s), 0.0, -math.inf
    for gap_s, differs in gaps:
        before_s = settler.watermark_s
        at_s += gap_s
        settled = settler.update(at_s, differs=differs)
        assert last_s <= settler.watermark_s <= at_s
        if settled.is_due:
            assert before_s < settled.since_s <= at_s - settle_s + 0.001
            settler.declare(empty=False)
            assert settler.watermark_s == at_s
        last_s = settler.watermark_s


@given(gaps=GAPS)
def test_each_rest_is_due_once_for_any_frames(gaps: list[tuple[float, bool]]) -> None:
    at_s, frames = 0.0, []
    for gap_s, differs in gaps:
        at_s += gap_s
        frames.append((at_s, differs))
    rests = follow(Settler(), frames)
    assert rests == sorted(set(rests))
    starts = {frames[0][0]} | {at for at, differs in frames if differs}
    assert set(rests) <= starts
