"""A sample of the measurement: every flip exact, nothing wrong, no flips from hands."""

from camera.bench_tiles import FLIPS_A_SQUARE, STRANGE_A_SQUARE, bench_squares


def test_tiles_are_read_in_lights_and_perspectives_of_their_own():
    seen = []
    figures = bench_squares(1, 0.2, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert figures["flips"] == FLIPS_A_SQUARE
    assert figures["exact_faces_share"] >= 0.9
    assert figures["certain_but_wrong_share"] == 0
    assert figures["strange_faces"] == STRANGE_A_SQUARE
    assert figures["strange_faces_taken_for_certain"] == 0
    assert figures["false_flips"] == 0
    assert all(isinstance(value, int | float) for value in figures.values())
