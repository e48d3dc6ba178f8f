"""How well tiles are read, on simulated squares that nothing was tuned on.

Every square has its own lamp, perspective, places and angles of the tiles, drawn from seeds that
enrolment and settings have never seen. Flips go through the whole watcher, hand and all.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from camera.bench_shares import Figures, interval_95
from camera.dice_sets import DiceLooks
from camera.simulated_square import FACES, SimulatedSquare
from camera.source import use_one_core
from camera.square import ZONE
from camera.tiles import TileWatcher
from camera.tiles_looks import enrol_simulated_tiles
from camera.watch import Question, Sighting
from companion.actions import Flipped, Report

FIRST_SEED = 40_000_000  # far from every seed that was looked at while settings were chosen
FRAME_S = 1 / 25
FLIPS_A_SQUARE = 16
STRANGE = ("troll", "key", "door", "diamond")  # faces that no tile has, and nobody enrolled
HANDS_ON_A_SQUARE_S = 60.0
LAMP = (0.70, 1.15)  # each of blue, green and red, against the lamp of the scene
TILT_DEG, SWING_DEG = (4.0, 34.0), (-18.0, 18.0)


class Tally(NamedTuple):
    """What came of one tile that was turned up."""

    reported: bool
    right: bool
    asked: bool


class Watched:
    """One simulated square and its watcher, with a clock that is told what to do."""

    def __init__(self, square: SimulatedSquare, watcher: TileWatcher) -> None:
        self.square, self.watcher = square, watcher
        self.now_s = 0.0
        self.frames_ms: list[float] = []
        self.sighting: Sighting | None = None

    def until(self, at_s: float) -> tuple[list[Report], Question | None]:
        """Look on until a moment, and until everything lies still."""
        reports: list[Report] = []
        question = None
        while self.now_s < at_s or self.is_stirring:
            self.now_s += FRAME_S
            frame = self.square.frame(self.now_s)
            begun_s = time.perf_counter()
            self.sighting = self.watcher.see(frame)
            self.frames_ms.append((time.perf_counter() - begun_s) * 1000)
            reports += self.sighting.reports
            question = self.sighting.question or question
        return reports, question

    @property
    def is_stirring(self) -> bool:
        """True while something moves, for three seconds after the last hand at most."""
        stirs = self.sighting is None or self.sighting.state in ("moving", "settling")
        return stirs and self.now_s < self.square.quiet_after_s() + 3.0


def bench_squares(
    squares: int,
    minutes: float,
    progress: Callable[[int, int], None] | None = None,
    *,
    flips: int = FLIPS_A_SQUARE,
) -> Figures:
    """Turn up tiles on so many squares, move hands about for so long; give flat figures.

    flips  on every square; a quarter as many more show faces that nobody enrolled.
    """
    use_one_core()
    looks = enrol_simulated_tiles()
    tallies: list[Tally] = []
    strange: list[Tally] = []
    frames_ms: list[float] = []
    false_flips = 0
    hands = max(1, round(minutes * 60 / HANDS_ON_A_SQUARE_S))
    for number in range(squares + hands):
        watched = _watched(number, looks)
        if number < squares:
            rng = np.random.default_rng([FIRST_SEED, number, 1])
            tallies += _flips(watched, rng, FACES, flips)
            strange += _flips(watched, rng, STRANGE, flips // 4)
        else:
            false_flips += _hands(watched, minutes * 60 / hands)
        frames_ms += watched.frames_ms
        if progress is not None:
            progress(number + 1, squares + hands)
    return _figures(tallies) | {
        "strange_faces": len(strange),
        "strange_faces_taken_for_certain": sum(tally.reported for tally in strange),
        "hands_minutes": minutes,
        "false_flips": false_flips,
        "false_flips_per_10_minutes": round(false_flips * 10 / minutes, 2),
        "frames": len(frames_ms),
        "frame_median_ms": round(float(np.median(frames_ms)), 2),
        "frame_p99_ms": round(float(np.percentile(frames_ms, 99)), 2),
    }


def _watched(number: int, looks: DiceLooks) -> Watched:
    rng = np.random.default_rng([FIRST_SEED, number])
    lamp = rng.uniform(*LAMP) * rng.uniform(0.88, 1.12, 3)
    square = SimulatedSquare(
        seed=FIRST_SEED + number,
        faces=(*FACES, *STRANGE),
        tilt_deg=float(rng.uniform(*TILT_DEG)),
        swing_deg=float(rng.uniform(*SWING_DEG)),
        lamp=(float(lamp[0]), float(lamp[1]), float(lamp[2])),
    )
    watcher = TileWatcher(square.zones()[ZONE], looks, square.empty())
    watched = Watched(square, watcher)
    watched.until(0.4)
    return watched


def _flips(
    watched: Watched, rng: np.random.Generator, faces: Sequence[str], count: int
) -> list[Tally]:
    """Turn up tiles one after the other; some of them stay up for a while."""
    tallies = []
    covered = [square for square, lies in watched.square.lies().items() if lies == "covered"]
    for name in rng.permutation(covered)[:count].tolist():
        face = str(rng.choice(faces))
        gone_s = watched.square.turn_up(name, face, watched.now_s)
        reports, question = watched.until(gone_s + 0.4)
        tallies.append(_tally(reports, question, Flipped(name, face)))
        watched.watcher.answered({name: face})
        for up in watched.square.squares if rng.random() < 0.3 else ():
            if watched.square.lies()[up] == "up":
                watched.square.cover(up, watched.now_s)
        watched.until(watched.square.quiet_after_s() + 0.2)
    return tallies


def _tally(reports: list[Report], question: Question | None, wanted: Flipped) -> Tally:
    right = [report.action for report in reports] == [wanted]
    return Tally(bool(reports), right, question is not None)


def _hands(watched: Watched, seconds: float) -> int:
    """Let hands pass over the square, and stop above it; count what is reported all the same."""
    rng, reports = np.random.default_rng([FIRST_SEED, 2]), 0
    end_s = watched.now_s + seconds
    while watched.now_s < end_s:
        stays_s = float(rng.choice([0.12, 0.5, 1.5]))
        gone_s = watched.square.reach_in(watched.now_s, stays_s=stays_s)
        reports += len(watched.until(gone_s + float(rng.uniform(0, 0.5)))[0])
    return reports


def _figures(tallies: list[Tally]) -> Figures:
    flips = len(tallies)
    exact = sum(tally.right for tally in tallies)
    reported = sum(tally.reported for tally in tallies)
    wrong = sum(tally.reported and not tally.right for tally in tallies)
    low, high = interval_95(exact, flips)
    return {
        "flips": flips,
        "exact_faces_share": round(exact / flips, 4),
        "exact_faces_low95_share": low,
        "exact_faces_high95_share": high,
        "certain_but_wrong_share": round(wrong / max(1, reported), 4),
        "certain_but_wrong_high95_share": interval_95(wrong, reported)[1],
        "asked_share": round(sum(tally.asked for tally in tallies) / flips, 4),
        "unnoticed_share": round(
            sum(not tally.reported and not tally.asked for tally in tallies) / flips, 4
        ),
    }
