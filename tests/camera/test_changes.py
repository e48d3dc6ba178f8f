"""What changes in a tray's picture, however noisy the camera is."""

import numpy as np
import pytest

from camera.changes import ENOUGH, Changes

SIZE = (240, 320)


def noisy(rng, spread, shown=None):
    """A grey frame of a camera with so much noise, more of it where there is more light."""
    frame = np.full(SIZE, 60.0)
    frame[:, 200:] = 170
    if shown is not None:
        y, x = shown
        frame[y : y + 24, x : x + 24] += 60
    frame += rng.normal(0, spread, SIZE) * np.where(frame > 100, 2.0, 1.0)
    return np.clip(frame, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("spread", [0.5, 3.0, 5.0])
def test_noise_is_no_change_and_what_moves_is_one(spread):
    rng, changes = np.random.default_rng(3), Changes()
    assert changes.sees(noisy(rng, spread))
    calm = [changes.sees(noisy(rng, spread)) for _ in range(ENOUGH + 20)]
    assert not any(calm[ENOUGH:])
    assert changes.sees(noisy(rng, spread, (100, 60)))
    assert changes.sees(noisy(rng, spread, (100, 90)))


def test_what_moves_slowly_is_no_noise():
    rng, changes = np.random.default_rng(3), Changes()
    for _ in range(ENOUGH):
        changes.sees(noisy(rng, 1.0, (100, 5)))
    assert all(changes.sees(noisy(rng, 1.0, (100, 7 + 2 * n))) for n in range(2 * ENOUGH))
