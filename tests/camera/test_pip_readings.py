"""Boxes around dice that were read."""

import numpy as np
import pytest
from pip_drawing import face_at

from camera.pip_readings import readings_of

PIXELS = np.full((240, 320, 3), 90, np.uint8)


def widths(*tops):
    chances = np.full((len(tops), 7), 1 / 7)
    return [one.box[2] for one in readings_of(PIXELS, 1.0, list(tops), chances, [""] * len(tops),
                                              accepted=True)]  # fmt: skip


@pytest.mark.parametrize("step", [6.0, 16.0])
def test_a_1_gets_a_box_as_large_as_those_of_the_other_dice(step):
    four, six, one = (
        face_at(60, 120, 4, 10.0),
        face_at(260, 120, 6, 10.0),
        face_at(160, 120, 1, step),
    )
    assert widths(four, one, six) == widths(four, face_at(160, 120, 5, 10.0), six)


def test_a_1_alone_gets_a_box_by_its_own_pip():
    small, large = widths(face_at(160, 120, 1, 6.0)), widths(face_at(160, 120, 1, 12.0))
    assert large[0] == pytest.approx(2 * small[0], abs=2)
