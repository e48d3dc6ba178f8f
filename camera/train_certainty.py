"""Learn how certain readings may call themselves: `python -m camera.train_certainty`.

Reads made-up pictures (`train_tables`), and photographs with `--photos DIR` (the half of them
that `bench.is_tuned_on` names), and prints knots for `pip_certainty.py`: mean opinion, share of
right readings, how many there were. Shares never fall with the opinion (pool adjacent violators,
Ayer et al. 1955).
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from camera import pip_certainty, pips
from camera.bench import is_tuned_on, labels_in
from camera.pictures import load_picture
from camera.pip_blobs import Pixels
from camera.pip_readings import Look
from camera.train_tables import make_picture

NEAR = 0.4  # edges of a die that a reading may lie from the die that it reads
Judged = tuple[float, bool]  # opinion, whether it was right
Knot = tuple[float, float, int]


def opinions_of(pixels: Pixels) -> tuple[Look, list[float]]:
    """Read a picture; give the raw opinions in the order of the readings."""
    plain = ((0.0, 0.0), (1.0, 1.0))
    kept = pip_certainty.IN_ACCEPTED, pip_certainty.IN_DOUBTFUL
    pip_certainty.IN_ACCEPTED = pip_certainty.IN_DOUBTFUL = plain  # type: ignore[assignment]
    try:
        look = pips.read_dice(pixels)
    finally:
        pip_certainty.IN_ACCEPTED, pip_certainty.IN_DOUBTFUL = kept
    return look, [reading.certainty for reading in look.readings]


def judged_made(rng: np.random.Generator) -> tuple[bool, list[Judged]]:
    """Draw a picture and read it; a reading is right where such a die lies."""
    side_px = float(np.exp(rng.uniform(np.log(22), np.log(150))))
    made = make_picture(rng, size=(960, 540), count=int(rng.integers(1, 7)), side_px=side_px)
    look, opinions = opinions_of(made.pixels)
    free = list(made.dice)
    judged = []
    for reading, raw in zip(look.readings, opinions, strict=True):
        x, y, w, h = reading.box
        apart = [np.hypot(die.top[0] - x - w / 2, die.top[1] - y - h / 2) for die in free]
        own = int(np.argmin(apart)) if apart else -1
        right = own >= 0 and apart[own] < NEAR * side_px and free[own].face == reading.face
        judged.append((raw, bool(right)))
        if right:
            del free[own]
    return look.accepted, judged


def judged_photo(path: Path, faces: Counter[str]) -> tuple[bool, list[Judged]]:
    """Read a labelled photograph; a face is right as often as the label has it left."""
    look, opinions = opinions_of(load_picture(path))
    left, judged = faces.copy(), []
    for reading, raw in sorted(zip(look.readings, opinions, strict=True), key=lambda row: -row[1]):
        right = left[str(reading.face)] > 0
        left[str(reading.face)] -= right
        judged.append((raw, right))
    return look.accepted, judged


def knots(judged: list[Judged]) -> list[Knot]:
    """Pool opinions until the share of right readings never falls."""
    pools: list[tuple[float, int, int]] = []
    for raw, right in sorted(judged):
        pools.append((raw, int(right), 1))
        while len(pools) > 1 and pools[-2][1] * pools[-1][2] >= pools[-1][1] * pools[-2][2]:
            last, before = pools.pop(), pools.pop()
            pools.append(tuple(a + b for a, b in zip(before, last, strict=True)))  # type: ignore[arg-type]
    return [(round(raw / n, 3), round(right / n, 4), n) for raw, right, n in pools]


def main() -> None:
    """Read, pool, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--photos", type=Path)
    asked = parser.parse_args()
    rng = np.random.default_rng(1)
    read = [judged_made(rng) for _ in range(asked.pictures)]
    for path, faces in labels_in(asked.photos) if asked.photos else []:
        if is_tuned_on(path):
            read.append(judged_photo(asked.photos / path, faces))
    for accepted in (True, False):
        judged = [reading for own, readings in read if own == accepted for reading in readings]
        print("accepted" if accepted else "doubtful", knots(judged))


if __name__ == "__main__":
    main()
