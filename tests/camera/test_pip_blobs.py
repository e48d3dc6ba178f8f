"""Marks that could be pips: those that stand out clearly, and beside them the fainter ones."""

import cv2
import numpy as np
import pytest

from camera import pip_blobs
from camera.pip_blobs import COLUMNS, LEVEL, SHARE, SHARES, SIGN, Marks, Pyramid, find_marks

DARK, LIGHT = 1, -1
FAINT = SHARES[-1]


def mark(level: int, sign: int, share: float) -> np.ndarray:
    row = np.zeros(COLUMNS, np.float32)
    row[:2], row[LEVEL], row[SIGN], row[SHARE] = (100, 50), level, sign, share
    return row


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("sign", [DARK, LIGHT])
def test_faint_mark_is_dropped_for_a_clear_one_of_its_level_and_sign_only(
    level: int, sign: int
) -> None:
    faint = mark(1, DARK, FAINT)
    clear = mark(level, sign, SHARES[0])
    left = pip_blobs._without_known(Marks(np.stack([faint, clear]), []))
    assert len(left) == (1 if (level, sign) == (1, DARK) else 2)


def test_pip_is_found_among_more_specks_than_can_be_numbered_in_16_bits() -> None:
    grey = np.full((530, 530), 40, np.uint8)
    grey[::2, ::2] = 220
    grey[200:320, 200:320] = 40
    cv2.circle(grey, (260, 260), 4, (220,), -1)
    found = find_marks(Pyramid(grey))
    assert any(np.abs(at - 260).max() < 0.5 for at in found.at[found.number == 0])
