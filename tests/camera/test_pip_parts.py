import numpy as np
import pytest
from pip_drawing import BLACK, WHITE, DrawnDie, draw_dice

from camera import pip_parts
from camera.pip_blobs import CLEAR, FULL, Pyramid, find_marks
from camera.pip_ellipses import measure_pips
from camera.pips import working_copy


@pytest.mark.parametrize("width", [400, 403])
@pytest.mark.parametrize("depth", [CLEAR, FULL])
def test_marks_are_the_same_when_empty_rows_and_columns_are_left_out(monkeypatch, depth, width):
    places = [(90, 60, 3), (330, 80, 5), (100, 200, 6), (380, 190, 2)]
    dice = [DrawnDie(face, x, y, 44, 20 * face, WHITE, BLACK) for x, y, face in places]
    picture = draw_dice(np.random.default_rng(4), dice, (260, width), grain=0.5, noise=1.0)
    grey, found = working_copy(picture)[0], []
    for large in (0, grey.size):
        monkeypatch.setattr(pip_parts, "LARGE", large)
        pyramid = Pyramid(grey)
        marks = find_marks(pyramid, depth)
        found.append((marks.places(), marks.number, measure_pips(pyramid, marks, depth).at))
    assert len(found[0][2]) >= 16
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)


def test_parts_of_noise_are_numbered_though_16_bits_are_too_few() -> None:
    specks = np.zeros((530, 530), np.uint8)
    specks[::2, ::2] = 255
    names, stats, _ = pip_parts._numbered(specks)
    assert len(stats) == names.max() + 1 == 265 * 265 + 1
