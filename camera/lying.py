"""Whether a die lies as it lay in another frame, whatever the light did in between.

Between two frames a die may have moved a little, turned a little, become brighter or darker. These
five numbers are fitted at once to the pixels around it. Small movements in spite of all light is
rest; and where the fit explains little, the die tumbled, or something covers it.
Source: Lucas and Kanade, "An iterative image registration technique", 1981.
"""

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.halves import Halves
from camera.patches import cut_whole
from camera.seek import Floats, side_px

MOST_PX = 40  # a cut-out is shrunk to this, for speed
FLOOR = 5.0  # grey levels of noise that tell nothing
GONE = 0.8  # of what could be seen there; what loses more has not got darker, but is gone
SHADE_SHARE = 0.1  # of a cut-out; light that changes in steps wider than this is taken out
EXPLAINED, ALIKE = 0.55, 0.8  # of a die's picture; by less it lies not, by more light is the same
EDGE_SHARE, EDGE_SIDES = 0.05, 0.01  # as above for the edge of a shadow; it moves a die by so much
FIGURES, EXPLAINED_FIGURES = 100.0, 0.6  # as if grey levels; by less figures are not the same
DARK = 10.0  # grey levels; what is darker is compared as if it had so much light
SEEN_PX = 24  # so large is compared what an upper side covers
SAME = 0.6  # likeness from which it shows the same
REST_SIDES = 0.006  # farther from where it lies now, a die still moved, ...
SURE = 6  # ... and so many standard errors: more than the noise of the camera makes of it, ...
SWAY_PX = 0.2  # ... and so many pixels: so exactly pictures of a camera that sways are moved back

Singles = npt.NDArray[np.float32]


class Drift(NamedTuple):
    """How far the corners moved, in sides; how much of the picture that explains, 0 to 1.

    error_sides  standard error of `sides`, as far as noise in the pictures makes it.
    """

    sides: float
    explained: float
    error_sides: float = 0.0


def cut_around(grey: Pixels, corners: Floats, spare: float = 0.22) -> Singles:
    """Cut out an upper side with a little around it, at most MOST_PX wide."""
    middle = corners.mean(axis=0)
    reach = (1 + spare) * np.abs(corners - middle).max(axis=0)
    low = np.clip(np.floor(middle - reach), 0, np.array(grey.shape[::-1]) - 4).astype(int)
    high = np.maximum(np.ceil(middle + reach).astype(int), low + 4)
    part = grey[low[1] : high[1], low[0] : high[0]]
    shrink = MOST_PX / max(part.shape)
    if shrink < 1:
        size = [max(2, round(shrink * length)) for length in part.shape[::-1]]
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(part, np.float32)


def drift(before: Singles, now: Singles) -> Drift:
    """Tell how far what is in two equally large cut-outs moved."""
    mean = (before + now) / 2
    down, across = np.gradient(mean)
    rows, columns = np.indices(mean.shape, np.float32)
    half = max(mean.shape) / 2
    y, x = (rows - mean.shape[0] / 2) / half, (columns - mean.shape[1] / 2) / half
    spin = x * down - y * across
    basis = np.stack([across, down, spin, before, np.ones_like(mean)], axis=-1).reshape(-1, 5)
    wanted = (now - before).reshape(-1)
    scale = np.sqrt((basis**2).mean(axis=0)) + 1e-6
    shape = basis / scale
    spread = np.linalg.inv(shape.T @ shape + 1e-4 * len(wanted) * np.eye(5))
    fitted = spread @ (shape.T @ wanted)
    moved, left = fitted / scale, float(np.sqrt(((wanted - shape @ fitted) ** 2).mean()))
    errors = left * np.sqrt(np.diag(spread)) / scale
    sides = 1 / (2 * half * 0.8)
    way, error = (float(np.hypot(one[0], one[1]) + abs(one[2])) * sides for one in (moved, errors))
    if moved[3] < -GONE:
        return Drift(way, 0.0, error)
    return Drift(way, 1 - min(1.0, left / (float(now.std()) + FLOOR)), error)


def has_moved(before: Singles, now: Singles, most_sides: float) -> bool | None:
    """Whether what is in two cut-outs moved by more; none where light hides that.

    The edge of a shadow may have moved meanwhile.
    """
    seen = drift(before, now)
    if seen.sides <= most_sides and seen.explained > EXPLAINED:
        return False
    shown = drift(*(FIGURES * _figures(cut, EDGE_SHARE) for cut in (before, now)))
    if seen.explained > ALIKE:  # a lamp's glow that grows on one side looks like a little motion
        return shown.sides > most_sides or shown.explained <= ALIKE
    if shown.explained <= EXPLAINED_FIGURES:
        return None
    return shown.sides > max(most_sides, EDGE_SIDES)


def lies_as(before: Singles, now: Singles, most_sides: float) -> bool:
    """True if what is in two cut-outs moved by less for sure."""
    return has_moved(before, now, most_sides) is False


def rest_of(frames: Iterable[tuple[float, Pixels]], corners: Floats, found_s: float) -> float:
    """Time of the first frame since which a die lies as it does in the last one.

    frames   times in seconds and grey pictures, oldest first.
    corners  (4, 2) of its upper side in them, in pixels.
    found_s  since when it lay still from frame to frame: that counts where light hides the rest.
    """
    *before, (since_s, grey) = frames
    now = cut_around(grey, corners)
    limit = max(REST_SIDES, SWAY_PX / max(1.0, side_px(corners)))
    for number, (at_s, past) in enumerate(reversed(before)):
        then = cut_around(past, corners)
        if number == 0:  # what the noise of this camera looks like
            limit = max(limit, min(3 * REST_SIDES, SURE * drift(then, now).error_sides))
        moved = has_moved(then, now, limit)
        if moved:
            return since_s
        if moved is None and at_s < found_s:
            break
        since_s = at_s
    return min(since_s, found_s)


def is_in(past: Halves | None, corners: Floats, now: Halves) -> bool:
    """True if there is such a picture, and it shows the same at corners (4, 2) in pixels as now."""
    if past is None or past.size_px != now.size_px:
        return False
    shown, seen = (cut_whole(one, corners[None], SEEN_PX)[0] for one in (past, now))
    return likeness(shown, seen) > SAME


def likeness(one: Pixels, other: Pixels) -> float:
    """How alike the figures in two cut-outs (K, K, 3) are, whatever shadows lie on them: -1 to 1.

    Where there are no figures only noise is compared, and that is about 0.
    """
    mine, theirs = _figures(one), _figures(other)
    norm = float(np.linalg.norm(mine) * np.linalg.norm(theirs))
    return float((mine * theirs).sum()) / max(norm, 1e-6)


def _figures(pixels: Pixels | Singles, share: float = SHADE_SHARE) -> Singles:
    lit = pixels.astype(np.float32) + np.float32(DARK)
    light = cv2.GaussianBlur(lit, (0, 0), share * max(pixels.shape[:2]))
    return np.asarray(lit / light - 1, np.float32)
