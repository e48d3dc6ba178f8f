"""What watching costs: time for each frame, apart for frames in which nothing moves, and memory."""

import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Answer = TypeVar("Answer")


class Figures:
    """Takes the processor's time for frame after frame; other programs do not count."""

    def __init__(self) -> None:
        self._idle_ms: list[float] = []
        self._busy_ms: list[float] = []

    def take(self, work: Callable[[], Answer], is_idle: Callable[[], bool]) -> Answer:
        """Do the work of a frame; `is_idle` tells afterwards whether there was little to do."""
        begin_s = time.thread_time()
        answer = work()
        took_ms = 1000 * (time.thread_time() - begin_s)
        (self._idle_ms if is_idle() else self._busy_ms).append(took_ms)
        return answer

    def values(self) -> dict[str, Any]:
        """Medians and 99th percentiles in ms of one core, and the most memory so far in MB."""
        return {
            "idle": _told(self._idle_ms), "busy": _told(self._busy_ms), "peak_mb": peak_mb()
        }  # fmt: skip


def peak_mb() -> int:
    """Give the most memory that this process ever had in use, its libraries included, in MB.

    Where Linux tells it, by what it tells of this program alone: the figure of `getrusage` begins
    with the size of the process that started this one.
    """
    try:
        told = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return round(int(told.split("VmHWM:")[1].split()[0]) / 1024)
    except (OSError, IndexError, ValueError):
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _told(times_ms: list[float]) -> dict[str, float]:
    if not times_ms:
        return {"frames": 0}
    median, slow = np.quantile(times_ms, [0.5, 0.99])
    return {
        "frames": len(times_ms), "median_ms": round(float(median), 2),
        "p99_ms": round(float(slow), 2),
    }  # fmt: skip
