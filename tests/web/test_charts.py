"""Geometry of charts."""

import re

from hypothesis import given
from hypothesis import strategies as st

from web.charts import BOTTOM, HEIGHT, LABELS_APART, TOP, apart, bars, lines, paces, round_marks


@given(st.floats(-1e6, 1e6), st.floats(0.001, 1e6))
def test_marks_are_few_round_and_within(low: float, span: float) -> None:
    marks = round_marks(low, low + span)
    assert 1 <= len(marks) <= 7
    assert all(low - 1e-3 <= mark <= low + span + 1e-3 for mark in marks)


def test_line_of_scores_is_a_staircase_to_the_end() -> None:
    chart = lines({"ann": [[0, 0], [5, 4]], "bo": [[0, 0]]}, 10, steps=True)
    assert chart is not None
    ann, bo = chart.lines
    assert re.fullmatch(r"M46\.0 226\.0H333\.0V14\.0H620\.0", ann.path)
    assert bo.path == "M46.0 226.0H620.0"
    assert ann.dash != bo.dash


def test_line_of_luck_goes_below_zero() -> None:
    chart = lines({"ann": [[1, -3.0], [2, 3.0]]}, 2, steps=False)
    assert chart is not None
    assert chart.zero == (TOP + HEIGHT - BOTTOM) / 2
    assert "L620.0 14.0" in chart.lines[0].path


def test_nothing_is_drawn_of_nothing() -> None:
    assert lines({}, 9, steps=True) is None
    assert lines({"ann": [[0, 0]]}, 0, steps=True) is None
    assert bars([]) is None


@given(st.lists(st.floats(TOP, HEIGHT - BOTTOM), min_size=1, max_size=6))
def test_names_never_stand_upon_each_other(ends: list[float]) -> None:
    places = sorted(apart({str(n): y for n, y in enumerate(ends)}).values())
    gaps = [after - before for before, after in zip(places, places[1:], strict=False)]
    assert all(gap >= LABELS_APART - 0.11 for gap in gaps)
    assert places[-1] <= HEIGHT - BOTTOM + 0.11


def test_bar_is_as_high_as_its_turn_was_long() -> None:
    turns = [{"player": "ann", "seconds": 10.0}, {"player": "bo", "seconds": 5.0}]
    chart = bars(turns)
    assert chart is not None
    assert chart.bars[0].height == 2 * chart.bars[1].height
    assert chart.bars[0].x < chart.bars[1].x
    assert paces(turns)["ann"] == {"turns": 1, "mean_s": 10.0, "most_s": 10.0}
