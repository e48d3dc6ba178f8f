from companion.bench.dice_physics import HANDLINGS, measure


def test_figures_of_a_few_throws_and_handlings() -> None:
    figures = measure(throws=20, handlings=16, seed=3)
    assert figures["throws"] == 20
    assert figures["handlings"] == 2 * len(HANDLINGS)
    assert figures["wrong_faces"] == figures["told_before_thrown"] == 0
    assert figures["missed_rolls"] <= 2
    assert figures["false_rolls"] == 0
    assert 85 <= figures["rest_to_report_median_ms"] < 150


def test_handlings_follow_the_throws_when_nothing_is_said() -> None:
    assert measure(throws=8, seed=4)["handlings"] == 8
