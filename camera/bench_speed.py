"""What reading eight dice in a zone of 1280 x 720 px costs on one core, and how much memory.

Made-up tables with eight pip dice each, drawn with seeds that nothing was tuned on. Each is read
three ways: as a picture that nothing is known of, as a live table does (with its empty tray, and
the edge of its dice from an earlier look), and by the tutorial's reader. Then a process of its own
watches clips in which the dice appear and lie there, with the live pipeline: what its frames cost,
and the most memory that it ever took. Times are the processor's, so other programs do not count.
For symbol dice see camera/bench_symbols.py.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from camera.clips import throws_in
from camera.dice_sets import DiceLooks, load, save
from camera.figures import Figures as Costs
from camera.pictures import load_picture
from camera.pip_blobs import Pixels
from camera.pip_readings import Look
from camera.pips import read_dice
from camera.train_tables import make_picture

SIDES_PX = (60.0, 80.0)  # edges of the dice
GROUNDS = ("felt", "plain", "wood", "cloth")
TIMES = 5  # each picture is read so often
EMPTY_FRAMES, FULL_FRAMES = 8, 30  # of a clip, 30 a second
NOISES = 5  # frames, after which the noise comes again
CLIPS, LEARNT = "clips", "set"  # folders of what another process watches
Table = tuple[Pixels, Pixels]  # with the dice, and without


def speed(baseline: Callable[[Pixels], Any], tables: int = 12) -> dict[str, float | int]:
    """Give milliseconds and megabytes, with their units in the keys; `baseline` reads beside us."""
    rng = np.random.default_rng(720)
    made = [_table(rng, number) for number in range(tables)]
    with one_thread():
        return _times(made, baseline) | watched("720p", made[:2])


@contextmanager
def one_thread() -> Iterator[None]:
    """Let OpenCV work in one thread meanwhile."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def _table(rng: np.random.Generator, number: int) -> Table:
    picture = make_picture(
        rng,
        count=8,
        side_px=SIDES_PX[number % len(SIDES_PX)],
        ground=GROUNDS[number // len(SIDES_PX) % len(GROUNDS)],
        light="even",
        steep=True,
        with_empty=True,
    )
    assert picture.empty is not None
    return picture.pixels, picture.empty


def _times(made: list[Table], baseline: Callable[[Pixels], Any]) -> dict[str, float | int]:
    looks = [read_dice(pixels) for pixels, _ in made]
    first = [took_ms(partial(read_dice, pixels)) for pixels, _ in made]
    known = [
        took_ms(partial(read_dice, pixels, empty=empty, side_px=look.side_px or None))
        for (pixels, empty), look in zip(made, looks, strict=True)
    ]
    tutorial = [took_ms(partial(baseline, pixels)) for pixels, _ in made]
    return {
        "eight_dice_720p_tables": len(made),
        "eight_dice_720p_accepted": sum(_is_whole(look) for look in looks),
        "eight_dice_720p_min_ms": round(min(first), 2),
        "eight_dice_720p_median_ms": round(float(np.median(first)), 2),
        "eight_dice_720p_known_min_ms": round(min(known), 2),
        "eight_dice_720p_known_median_ms": round(float(np.median(known)), 2),
        "baseline_eight_dice_720p_median_ms": round(float(np.median(tutorial)), 2),
    }


def _is_whole(look: Look) -> bool:
    return look.accepted and len(look.readings) == 8


def took_ms(work: Callable[[], Any]) -> float:
    """Give the least time of several: what else the machine did meanwhile does not count."""
    times = []
    for _ in range(TIMES):
        begin_s = time.thread_time()
        work()
        times.append(1000 * (time.thread_time() - begin_s))
    return min(times)


def watched(
    name: str, made: Sequence[Table], looks: DiceLooks | None = None
) -> dict[str, float | int]:
    """Let another process watch clips of tables; give what frames cost it, and its memory.

    name   of the keys; `looks`, the learnt set of symbol dice, which are shown the empty trays too.
    """
    with tempfile.TemporaryDirectory() as folder:
        for number, (pixels, empty) in enumerate(made):
            clip = Path(folder) / CLIPS / str(number)
            clip.mkdir(parents=True)
            _write(clip, pixels, empty)
            cv2.imwrite(str(clip.with_suffix(".png")), empty)
        if looks is not None:
            save(looks, Path(folder) / LEARNT)
        done = subprocess.run(
            [sys.executable, "-m", "camera.bench_speed", folder],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    costs = json.loads(done.stdout)
    return {
        f"watching_{name}_idle_median_ms": costs["idle"].get("median_ms", 0.0),
        f"watching_{name}_busy_median_ms": costs["busy"].get("median_ms", 0.0),
        f"watching_{name}_peak_mb": costs["peak_mb"],
    }


def _write(clip: Path, pixels: Pixels, empty: Pixels) -> None:
    bare, full = (_noisy_jpegs(shown) for shown in (empty, pixels))
    shots = [bare[n % NOISES] for n in range(EMPTY_FRAMES)]
    shots += [full[n % NOISES] for n in range(FULL_FRAMES)]
    for number, shot in enumerate(shots):
        (clip / f"{number:03}.jpg").write_bytes(shot)
    times = "".join(f"{number:03}.jpg,{number / 30:.4f}\n" for number in range(len(shots)))
    (clip / "times.csv").write_text(times, encoding="utf-8")


def _noisy_jpegs(pixels: Pixels) -> list[bytes]:
    """The same picture with the noise of several frames."""
    rng, shots = np.random.default_rng(30), []
    for _ in range(NOISES):
        noise = rng.integers(-2, 3, pixels.shape[:2], dtype=np.int16)[..., None]
        frame = np.clip(pixels + noise, 0, 255).astype(np.uint8)
        shots.append(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())
    return shots


def watch(folder: Path) -> dict[str, Any]:
    """Watch the clips of a folder with the live pipeline; give what that cost."""
    cv2.setNumThreads(1)
    costs, learnt = Costs(), folder / LEARNT
    looks = load(learnt) if learnt.is_dir() else None
    for clip in sorted(path for path in (folder / CLIPS).iterdir() if path.is_dir()):
        empty = None if looks is None else load_picture(clip.with_suffix(".png"))
        for _ in throws_in(clip, looks, empty, figures=costs):
            pass
    return costs.values()


if __name__ == "__main__":
    print(json.dumps(watch(Path(sys.argv[1]))))
