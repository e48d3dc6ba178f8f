"""How a camera looks at a tray, told by the straight edges in its picture.

Theory of operation. Most of what is long and straight on a table goes along the tray: its floor,
its rim and its corners, the table's own edge, the squares or planks of a pattern. So most long
edges point to one of three vanishing points, whose directions are at right angles. All ways in
which a tray may lie are tried, and the one is told to which most of the edges' length points, for
each lens that the camera may have. Where too little points there, or edges do not lie on all four
sides of something large, nothing is told: other things on a table are no tray.
Source: Coughlan and Yuille, "Manhattan World", 1999; edges by von Gioi et al., "LSD", 2012.
"""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.seek import Floats
from camera.slant import Outline, Slant, level_axes, normals_of

FOCALS = (0.75, 1.0, 1.35)  # focal length, in longer sides of the picture: of wide to narrow lenses
USUAL = FOCALS[1]
LONGER_PX = 400.0  # of the picture in which edges are sought: finer ones are grain, or noise
SHORTEST = 0.06  # longer sides of the picture, of an edge
FEWEST, MOST = 8, 60  # edges that tell something; of more, the longest ones: others are patterns
GROWN = 1.2  # times as large as a die, what is left out for it
LARGEST, STEP = 0.95, 0.1  # of tangents of slants that are tried
TURN_DEG = 3.0  # between turns of a tray
COARSE_DEG, FINE_DEG = 3.0, 1.0  # how far off edges are
STARTS, FINER, TIMES = 6, 0.6, 5  # best ways that are measured more finely; how, how often
ENOUGH = 0.5  # of the edges' length that must point along the tray
ALONG, APART = 0.6, 0.3  # longer sides, of edges in each direction; between the outermost of them
AT_ONCE = 400  # ways; more take no less time, but more memory
BESIDE = np.array([STEP, STEP, np.radians(TURN_DEG)]) / 2
_AROUND = np.stack(np.meshgrid(*3 * [np.arange(-1, 2)]), axis=-1).reshape(-1, 3)


class Edges(NamedTuple):
    """Straight edges: middles (N, 2), directions (N, 2) and lengths (N).

    middles  seen from the picture's middle; all in its longer sides.
    """

    middles: Floats
    ways: Floats
    lengths: Floats


def slants_seen(pixels: Pixels, dice: Sequence[Outline] = ()) -> tuple[Slant, ...]:
    """Tell how the floor in a picture (H, W, 3) lies, for each lens; nothing if that is not clear.

    dice  outlines (K, 2) of what lies there and has edges of its own, in pixels.
    The scale, which edges do not tell, is 1.
    """
    edges = edges_in(pixels, dice)
    if len(edges.lengths) < FEWEST:
        return ()
    starts = np.argsort(-_told(edges, _all_ways(), USUAL, COARSE_DEG))[:STARTS]
    found = [_finer(edges, start, USUAL) for start in _all_ways()[starts]]
    best, share = max(found, key=lambda one: one[1])
    if share < ENOUGH or not _goes_around(edges, best):
        return ()
    height, width = pixels.shape[:2]
    longer, centre = max(width, height), np.array([width, height]) / 2
    return tuple(
        Slant(normals_of(_under(edges, best, focal)[:2]), 1.0, focal * longer, centre)
        for focal in FOCALS
    )


def edges_in(pixels: Pixels, dice: Sequence[Outline] = ()) -> Edges:
    """The longest straight edges of a picture, without those of dice."""
    height, width = pixels.shape[:2]
    longer = max(height, width)
    scale = min(1.0, LONGER_PX / longer)
    size_px = max(1, round(scale * width)), max(1, round(scale * height))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, size_px, interpolation=cv2.INTER_AREA)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(small)[0]
    ends = np.asarray([] if found is None else found, np.float64).reshape(-1, 2, 2) / scale
    ways, middles = ends[:, 1] - ends[:, 0], ends.mean(axis=1)
    lengths = np.hypot(*ways.T) / longer
    around = [GROWN * (one - one.mean(axis=0)) + one.mean(axis=0) for one in dice]
    lengths[[_is_on(middle, around) for middle in middles.tolist()]] = 0
    kept = np.argsort(-lengths)[:MOST]
    kept = kept[lengths[kept] > SHORTEST]
    centre = np.array([width, height]) / 2
    units = ways[kept] / (longer * lengths[kept, None])
    return Edges((middles[kept] - centre) / longer, units, lengths[kept])


def _is_on(place: Sequence[float], dice: Sequence[Outline]) -> bool:
    return any(cv2.pointPolygonTest(one, place, False) >= 0 for one in dice)


@functools.cache
def _all_ways() -> Floats:
    """Ways (K, 3) in which trays lie: tangents of the slant (2), and a turn in radians."""
    steps = np.arange(-LARGEST, LARGEST + STEP, STEP)
    turns = np.radians(np.arange(-45.0, 45.0, TURN_DEG))  # a quarter looks the same
    ways = np.stack(np.meshgrid(steps, steps, turns), axis=-1).reshape(-1, 3)
    return np.asarray(ways[np.hypot(ways[:, 0], ways[:, 1]) < LARGEST], np.float64)


def _axes(ways: Floats) -> Floats:
    """Directions (3, K, 3) along a tray's sides, and upwards."""
    normals = normals_of(ways[:, :2])
    across, along = level_axes(normals)
    cosines, sines = np.cos(ways[:, 2:]), np.sin(ways[:, 2:])
    return np.stack([cosines * across + sines * along, cosines * along - sines * across, normals])


def _off(edges: Edges, ways: Floats, focal: float) -> Floats:
    """Sines (3, K, N) of the angles between edges and the directions of trays that lie so."""
    axes = _axes(ways)
    x = focal * axes[..., :1] - edges.middles[:, 0] * axes[..., 2:]
    y = focal * axes[..., 1:2] - edges.middles[:, 1] * axes[..., 2:]
    across = x * edges.ways[:, 1] - y * edges.ways[:, 0]
    return np.asarray(np.abs(across) / np.maximum(np.hypot(x, y), 1e-9), np.float64)


def _fits(off: Floats, off_deg: float) -> Floats:
    """How well edges point somewhere, 0 to 1, by sines of angles."""
    return np.asarray(np.exp(-((off / np.sin(np.radians(off_deg))) ** 2) / 2), np.float64)


def _told(edges: Edges, ways: Floats, focal: float, off_deg: float) -> Floats:
    """Shares (K) of the edges' length that point along trays that lie so."""
    parts = (ways[begin : begin + AT_ONCE] for begin in range(0, len(ways), AT_ONCE))
    fits = [_fits(_off(edges, part, focal).min(axis=0), off_deg) @ edges.lengths for part in parts]
    return np.asarray(np.concatenate(fits) / edges.lengths.sum(), np.float64)


def _finer(edges: Edges, way: Floats, focal: float) -> tuple[Floats, float]:
    """The best way beside one, and the share of the edges that point along it."""
    told = np.zeros(1)
    for number in range(TIMES):
        beside = way + FINER**number * BESIDE * _AROUND
        told = _told(edges, beside, focal, FINE_DEG)
        way = beside[told.argmax()]
    return way, float(told.max())


def _under(edges: Edges, way: Floats, focal: float) -> Floats:
    """The same way, if the camera has another lens."""
    return _finer(edges, way * (focal / USUAL, focal / USUAL, 1.0), focal)[0]


def _goes_around(edges: Edges, way: Floats) -> bool:
    """True if edges along both directions of a tray lie far apart, as those of its sides do."""
    off = _off(edges, way[None], USUAL)[:, 0]
    nearest, fits = off.argmin(axis=0), _fits(off, FINE_DEG)
    return all(
        _are_sides(edges, np.flatnonzero((nearest == axis) & (fits[axis] > 0.5))) for axis in (0, 1)
    )


def _are_sides(edges: Edges, rows: npt.NDArray[np.intp]) -> bool:
    if edges.lengths[rows].sum() < ALONG:
        return False
    x, y = edges.ways[rows[0]]  # of the longest one
    return float(np.ptp(edges.middles[rows] @ (-y, x))) > APART
