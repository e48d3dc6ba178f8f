"""Read symbol dice in one picture: where they lie, which kind and face, how sure that is.

Theory of operation. The seeker (camera/seek.py) finds upper sides. All dice stand on one floor and
are equally large, so together they tell how the camera looks at it (camera/slant.py); each die is
then measured again as the square that it must be. What does not agree with the others leans, and
its face does not count. The faces are compared with what was learnt (camera/faces.py). Whatever is
not certain is said, not guessed.
"""

import math
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.edges import fitted
from camera.faces import FaceMatcher, Likeness, cut_top
from camera.seek import Floats, Seeker, Seen, corners_from
from camera.slant import Slant, is_cut, slant_of, whole_box
from companion.errors import PictureError

CERTAIN = 0.9  # readings below are asked about
NOTHING_LIKE = 0.3  # certainty below which something is no die that was learnt
SURE_HEAT = 0.5  # from which something is taken for a die
LEANING = 0.19  # of shape that differs from the other dice, from which a die leans
SEEMS_TO_LEAN = 0.25  # of the seeker's own opinion, which is weak: flat dice stay below
SURELY_LEANS = 0.5  # of the seeker's own opinion
FLAT = 0.96  # of a side that is looked at: the rest is the rounded edge
VIEWS = (1.0, 0.93)  # sizes in which an upper side is cut out


class DieReading(NamedTuple):
    """One die of a picture.

    kind, face  what it is taken for; the face of a die that leans is `cocked`.
    certainty   0 to 1, that kind and face are right.
    box         left, top, width, height in pixels, around the whole die.
    corners     (4, 2) of its upper side, in pixels.
    choices     faces it may show, likeliest first.
    doubt       why it has to be asked about: "", `cocked`, `cut`, `unsure`.
    """

    kind: str
    face: str
    certainty: float
    box: tuple[int, int, int, int]
    corners: Floats
    choices: tuple[str, ...]
    doubt: str


class StillLook(NamedTuple):
    """What was read in one picture, left to right; `doubts` tell why the table is asked."""

    readings: tuple[DieReading, ...]
    accepted: bool
    doubts: tuple[str, ...]
    slant: Slant | None


class StillReader:
    """Reads dice of a learnt set, in any tray, with any camera that looks down.

    kinds  the only kinds that may lie there; all that were learnt by default.
    """

    def __init__(
        self, looks: DiceLooks, kinds: Collection[str] | None = None, seeker: Seeker | None = None
    ) -> None:
        self._seeker = seeker or Seeker()
        self._matcher = FaceMatcher(looks.patches, kinds)

    def read(
        self, pixels: Pixels, *, expect: int | None = None, empty: Pixels | None = None
    ) -> StillLook:
        """Read a picture (H, W, 3) uint8 BGR; raise PictureError if `empty` has another size.

        expect  how many dice the table waits for; another number is not accepted.
        empty   the tray without dice: what looks the same in it is none.
        """
        found = find_tops(self._seeker, pixels, empty)
        if not found.tops:
            return StillLook((), False, tuple(_surplus(0, expect)), None)
        likes = self._matcher.match([_views(pixels, top.corners) for top in found.tops])
        size = (pixels.shape[1], pixels.shape[0])
        readings, left_over = [], list(found.doubts)
        for top, like in zip(found.tops, likes, strict=True):
            hopeless = like.certainty < NOTHING_LIKE
            if hopeless or (top.seen.heat < SURE_HEAT and like.certainty < CERTAIN):
                left_over += ["something that may be a die"] if top.seen.heat > 0.4 else []
                continue
            readings.append(_reading(top, like, found.slant, size))
        readings.sort(key=lambda reading: (reading.box[0], reading.box[1]))
        doubts = _surplus(len(readings), expect) + left_over
        doubts += [_named(reading) for reading in readings if reading.doubt]
        accepted = bool(readings) and not doubts
        return StillLook(tuple(readings), accepted, tuple(doubts), found.slant)


class Top(NamedTuple):
    """An upper side: as it was seen, its corners measured again, and how odd its shape is."""

    seen: Seen
    corners: Floats
    odd: float


class Tops(NamedTuple):
    """All upper sides of a picture, how the camera looks at them, and what is left over."""

    tops: list[Top]
    slant: Slant | None
    doubts: list[str]


def find_tops(
    seeker: Seeker, pixels: Pixels, empty: Pixels | None = None, *, precise: bool = True
) -> Tops:
    """Find the upper sides of dice and measure them as squares of one size on one plane.

    precise  measure them by their edges too; takes most of the time.
    """
    if empty is not None and empty.shape != pixels.shape:
        raise PictureError(
            f"expected a picture of the empty tray of {pixels.shape[1]} x {pixels.shape[0]} "
            f"pixels, got {empty.shape[1]} x {empty.shape[0]}"
        )
    seen = [die for die in seeker.seek(pixels) if not _is_bare(pixels, empty, die)]
    flat = [die for die in seen if die.heat >= SURE_HEAT and die.leans < SURELY_LEANS] or seen
    if not flat:
        return Tops([], None, [])
    size = (pixels.shape[1], pixels.shape[0])
    slant = slant_of([die.corners for die in flat], size)
    kept = _without_sides(seen, slant)
    squares = [square_at(slant, die.corners) for die in kept]
    if precise:
        squares = fitted(pixels, slant, squares)
    odd = [slant.disagrees(die.corners) for die in kept]
    tops = [Top(*top) for top in zip(kept, squares, odd, strict=True)]
    return Tops(tops, slant, [])


def square_at(slant: Slant, corners: Floats) -> Floats:
    """The square of the usual size that lies where these corners are, (4, 2)."""
    middle = corners.mean(axis=0)
    spread, axes = np.linalg.eigh(slant.shapes(middle[None])[0])
    logs = axes @ np.diag(0.5 * np.log(np.maximum(spread, 1e-9))) @ axes.T
    inverse = axes @ np.diag(np.maximum(spread, 1e-9) ** -0.5) @ axes.T
    ways = (corners[:2] - corners[2:]) / 2 @ inverse
    first = ways[0] + ways[1] @ np.array([(0.0, -1.0), (1.0, 0.0)])
    angle = 4 * math.atan2(first[1], first[0])
    numbers = np.array([logs[0, 0], logs[0, 1], logs[1, 1], math.cos(angle), math.sin(angle)])
    return np.asarray(middle + corners_from(numbers), np.float64)


def _without_sides(seen: Sequence[Seen], slant: Slant) -> list[Seen]:
    """Leave out what is the visible side of a die that is surer."""
    kept: list[Seen] = []

    def middle_of(die: Seen) -> tuple[float, float]:
        return float(die.middle[0]), float(die.middle[1])

    for die in sorted(seen, key=lambda one: -one.heat):
        is_side = any(
            cv2.pointPolygonTest(_hull(other, slant), middle_of(die), True)
            > -0.02 * other.side_px
            and die.heat < 0.8 * other.heat
            for other in kept
        )  # fmt: skip
        if not is_side:
            kept.append(die)
    return kept


def _hull(die: Seen, slant: Slant) -> Pixels:
    """Outline of a whole die, a little smaller."""
    points = np.vstack([die.corners, die.corners + 0.9 * slant.down(die.corners)])
    return np.asarray(cv2.convexHull(points.astype(np.float32)))


def _views(pixels: Pixels, corners: Floats) -> list[Pixels]:
    middle = corners.mean(axis=0)
    return [cut_top(pixels, middle + FLAT * view * (corners - middle)) for view in VIEWS]


def _is_bare(pixels: Pixels, empty: Pixels | None, die: Seen) -> bool:
    """True if the empty tray looks the same here, whatever the light."""
    if empty is None:
        return False
    now, before = (cut_top(p, die.corners).astype(np.float32) for p in (pixels, empty))
    gain = np.median((now + 4) / (before + 4), axis=(0, 1))
    apart = np.abs(now - gain * before).mean() / max(20.0, float(now.mean()))
    return bool(apart < 0.05 and np.abs(np.log(gain / gain.mean())).max() < 0.12)


def _reading(
    top: Top, like: Likeness, slant: Slant | None, size: tuple[int, int]
) -> DieReading:  # fmt: skip
    assert slant is not None
    box = whole_box(slant, top.corners, size)
    choices = tuple(face for kind, face, _ in like.choices if kind == like.kind)
    seems = top.seen.leans if top.seen.leans > SEEMS_TO_LEAN else 0.0
    cocked = max(seems, 1 / (1 + math.exp(-60 * (top.odd - LEANING))))
    certainty = like.certainty * (1 - cocked)
    if is_cut(top.corners, size):
        return DieReading(
            like.kind, like.face, min(certainty, 0.5), box, top.corners, choices, "cut"
        )
    if cocked > 0.5:
        half = cocked / 2  # of no use for a roll, however sure it is
        return DieReading(like.kind, "cocked", half, box, top.corners, choices, "cocked")
    certainty *= 1.0 if like.agree else 0.85
    doubt = "" if certainty >= CERTAIN else "unsure"
    return DieReading(like.kind, like.face, certainty, box, top.corners, choices, doubt)


def as_values(readings: Sequence[DieReading]) -> list[dict[str, Any]]:
    """Give readings as plain values, ready for JSON; a die to ask about says why."""
    return [
        {
            "kind": reading.kind,
            "face": reading.face,
            "certainty": math.floor(reading.certainty * 1000) / 1000,
            "box": list(reading.box),
            **({"doubt": reading.doubt} if reading.doubt else {}),
        }
        for reading in readings
    ]


def _named(reading: DieReading) -> str:
    """A doubt about one die, in words."""
    x, y = reading.box[0] + reading.box[2] // 2, reading.box[1] + reading.box[3] // 2
    words = {
        "cocked": f"a {reading.kind} die that leans at ({x}, {y}): throw this one again",
        "cut": f"a {reading.kind} die cut by the edge at ({x}, {y}): throw this one again",
        "unsure": f"a {reading.kind} die at ({x}, {y}) that may show {_either(reading.choices)}",
    }
    return words[reading.doubt]


def _either(faces: Sequence[str]) -> str:
    return " or ".join(faces[:2]) or "anything"


def _surplus(seen: int, expect: int | None) -> list[str]:
    if expect is None or seen == expect:
        return []
    return [f"expected {expect} dice, saw {seen}"]
