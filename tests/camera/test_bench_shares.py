"""Shares come with intervals; readings are counted once each in ten bins of certainty."""

import pytest

from camera.bench_shares import interval_95, reliability, share_figures


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"), [(0, 0, 0, 1), (40, 40, 0.912, 1), (0, 100, 0, 0.037)]
)
def test_intervals_after_wilson(hits, trials, low, high):
    assert interval_95(hits, trials) == pytest.approx((low, high), abs=0.001)


def test_share_of_nothing_is_given_with_the_widest_interval():
    told = share_figures("exact", 0, 0)
    assert told == {"exact_share": 0.0, "exact_low95_share": 0.0, "exact_high95_share": 1.0}


def test_all_ten_bins_are_given_in_order_and_empty_ones_without_a_share():
    figures = reliability([(0.72, True), (0.75, False)])
    bins = [f"certainty_{tenth / 10:.1f}_readings" for tenth in range(10)]
    assert [key for key in figures if key.endswith("_readings")] == [*bins, "surest_readings"]
    assert [figures[key] for key in bins] == [0, 0, 0, 0, 0, 0, 0, 2, 0, 0]
    assert [key for key in figures if key.endswith("_right_share")] == ["certainty_0.7_right_share"]
    assert figures["certainty_0.7_right_share"] == 0.5
    assert figures["certainty_0.7_right_low95_share"] < 0.5


@pytest.mark.parametrize(
    ("certainty", "least"),
    [(0.0, "0.0"), (0.0999, "0.0"), (0.3, "0.3"), (0.6, "0.6"), (0.7, "0.7"), (0.985, "0.9"),
     (1.0, "0.9")],
)  # fmt: skip
def test_reading_is_in_one_bin_only(certainty, least):
    figures = reliability([(certainty, True)])
    bins = {key: n for key, n in figures.items() if "certainty" in key and "readings" in key}
    assert sum(bins.values()) == bins[f"certainty_{least}_readings"] == 1


def test_surest_tell_again_of_what_is_given_as_0_99():
    figures = reliability([(0.98, False), (0.985, True), (1.0, True)])
    assert (figures["certainty_0.9_readings"], figures["surest_readings"]) == (3, 2)
    assert figures["surest_right_share"] == 1.0
