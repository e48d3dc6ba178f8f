"""A sample of the measurement: every flip exact, nothing wrong, no flips from hands."""

from camera.bench_tiles import bench_squares


def test_tiles_are_read_in_lights_and_perspectives_of_their_own():
    seen = []
    figures = bench_squares(1, 0.05, lambda done, total: seen.append((done, total)), flips=5)
    assert seen == [(1, 2), (2, 2)]
    assert figures["flips"] == 5
    assert figures["exact_faces_share"] >= 0.85
    assert figures["certain_but_wrong_share"] == 0
    assert figures["strange_faces"] == 1
    assert figures["strange_faces_taken_for_certain"] == 0
    assert figures["false_flips"] == 0
    assert all(isinstance(value, int | float) for value in figures.values())
