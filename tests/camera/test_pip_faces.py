import numpy as np

from camera.pip_faces import Face


def a_two(x):
    axes = np.array([(9.0, 0), (0, 9)])
    return Face(2, np.array([x, 40.0]), np.eye(2), axes, 3.0, frozenset(), 0, 0, 0, 0, 90.0)


def test_as_many_other_faces_are_told_apart_when_they_show_the_same():
    one, other = a_two(30.0), a_two(90.0)
    assert [one] != [other]
    assert [one] == [one]
    assert one in [other, one]
    assert {one, other} == {other, one}
