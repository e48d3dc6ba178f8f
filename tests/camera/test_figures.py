"""What watching costs is told of the watching process alone."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from camera.figures import Figures, peak_mb

TOLD = Path("/proc/self/status")


@pytest.mark.skipif(not TOLD.exists(), reason="only Linux tells the memory of one program alone")
def test_peak_leaves_out_the_process_that_started_it():
    held = np.ones(25_000_000)  # 200 MB
    child = "from camera.figures import peak_mb; print(peak_mb())"
    done = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True, check=True)
    assert peak_mb() > held.nbytes / 2**20
    assert 5 < int(done.stdout) < 150


def test_peak_is_still_told_where_linux_tells_nothing(mocker):
    mocker.patch.object(Path, "read_text", side_effect=OSError)
    assert peak_mb() > 10


def test_idle_and_busy_frames_are_told_apart():
    figures = Figures()
    for number in range(6):
        assert (
            figures.take(lambda number=number: number, lambda number=number: number > 3) == number
        )
    values = figures.values()
    assert (values["idle"]["frames"], values["busy"]["frames"]) == (2, 4)
    assert values["busy"]["p99_ms"] >= values["busy"]["median_ms"] >= 0
