import pytest

from companion.bench.dice_physics import HANDLINGS, at_most_per_1000, measure


@pytest.mark.parametrize(
    ("found", "of", "per_1000"),
    [(0, 5000, 0.599), (1, 5000, 0.948), (3, 10, 606.6), (10, 10, 1000)],
)
def test_upper_end_is_that_of_the_exact_interval(found: int, of: int, per_1000: float) -> None:
    assert at_most_per_1000(found, of) == pytest.approx(per_1000, rel=2e-3)


def test_figures_of_a_few_throws_and_handlings() -> None:
    figures = measure(throws=20, handlings=16, seed=3)
    assert figures["throws"] == 20
    assert figures["handlings"] == 2 * len(HANDLINGS)
    assert figures["wrong_faces"] == figures["told_before_thrown"] == 0
    assert figures["missed_rolls"] <= 2
    assert figures["false_rolls"] == 0
    assert 0 < figures["false_rolls_at_most_per_1000"] < 1000
    assert 85 <= figures["rest_to_report_median_ms"] < 150


def test_handlings_follow_the_throws_when_nothing_is_said() -> None:
    assert measure(throws=8, seed=4)["handlings"] == 8
