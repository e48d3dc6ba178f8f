"""From how the upper sides of dice look, tell how the camera looks at the floor.

The camera has square pixels, its axis goes through the middle of the picture, and it sees about
as much as small cameras do. Then the plane of the upper sides has three unknowns: two for its
slant, one for how large a side is. Every die tells five numbers: three of the shape of its upper
side, and two of where its lower side is. One die is enough, several are better, and one that
disagrees does not lie flat.
"""

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.seek import Floats

Box = tuple[int, int, int, int]
Outline = npt.NDArray[np.float32]  # (K, 2)
FOCALS = (1.15, 0.9, 1.5)  # focal length, in longer sides of the picture: usual, wide, narrow
STEEPEST = 1.3  # tangent of the largest slant
MOST_OFF, MOST_OFF_DOWN = 0.08, 0.12  # what is further off counts no more: it leans
STEP = 0.1  # of tangents, around a first guess
SPARE = 0.06  # of a side that may lie beyond the picture's edge before that cuts it
FARTHEST = 0.02  # of a camera's height over where a ray meets the floor
_AROUND = np.stack(np.meshgrid(np.arange(-2, 3), np.arange(-2, 3)), axis=-1).reshape(-1, 2)
_PRIOR = 0.004  # of nearly equal slants the smaller one


class Slant(NamedTuple):
    """How the camera looks at the plane of the upper sides.

    normal  (3,) upwards, as the camera sees it: x to the right, y down, z away from it.
    scale   focal length in pixels times a side over the camera's height.
    focal   focal length in pixels; centre, (2,), the middle of the picture.
    """

    normal: Floats
    scale: float
    focal: float
    centre: Floats

    def rays(self, points: Floats) -> Floats:
        """Directions (..., 2) of pixels (..., 2): across and down for each step ahead."""
        return np.asarray((points - self.centre) / self.focal, np.float64)

    def shapes(self, points: Floats) -> Floats:
        """Inner products (N, 2, 2) of a side's half diagonals, as `moments_of`."""
        return shapes_under(self.normal, self.rays(points), self.scale)

    def down(self, points: Floats) -> Floats:
        """Where lower ends of upright edges are, seen from their upper ends, (..., 2) pixels."""
        ways = ways_under(self.normal, self.rays(points), self.scale / self.focal)
        return np.asarray(self.scale * ways, np.float64)

    def for_each(self, count: int) -> "Slants":
        """The same slant for so many dice."""
        normals, scales = np.tile(self.normal, (count, 1)), np.full(count, self.scale)
        return Slants(normals, scales, self.focal, self.centre)

    def sides(self, points: Floats) -> Floats:
        """How long the sides of dice look there, (N) pixels: the root of their area."""
        return np.asarray(self.scale * nears_under(self.normal, self.rays(points)) ** 1.5)

    def as_large_as(self, other: "Slant", points: Floats) -> "Slant":
        """The same, with the scale under which dice there look as large as under another."""
        nears = nears_under(self.normal, self.rays(points))
        return self._replace(scale=float(_median(other.sides(points) / nears**1.5)))

    def disagrees(self, corners: Floats, downs: Floats) -> Floats:
        """How much dice (N, 4, 2) and ways down (N, 2) differ from flat ones there: (N, 2).

        First the shape of the upper side, then the way down; about 0.04 each for flat dice, and
        the sine of the angle by which one leans.
        """
        middles = corners.sum(axis=1) / 4
        shapes = self.shapes(middles)
        expected = shapes[:, 0, 0], shapes[:, 0, 1], shapes[:, 1, 1]
        shape = _apart(_moments(corners), expected)
        size = _sides(expected)
        gaps = downs - self.down(middles)
        return np.stack((shape, np.hypot(gaps[:, 0], gaps[:, 1]) / size), axis=1)


class Slants(NamedTuple):
    """Slants of one camera, one for each of several dice: normals (N, 3) and scales (N)."""

    normals: Floats
    scales: Floats
    focal: float
    centre: Floats

    def only(self, rows: npt.NDArray[np.intp]) -> "Slants":
        """Those of some of the dice."""
        return self._replace(normals=self.normals[rows], scales=self.scales[rows])

    def rays(self, points: Floats) -> Floats:
        """As those of one slant: (N, 2)."""
        return np.asarray((points - self.centre) / self.focal, np.float64)

    def shapes(self, points: Floats) -> Floats:
        """The same, each die's under its own: (N, 2, 2)."""
        return shapes_under(self.normals, self.rays(points), self.scales)

    def down(self, points: Floats) -> Floats:
        """The same: (N, 2) pixels."""
        scales = self.scales[:, None]
        ways = ways_under(self.normals, self.rays(points), scales / self.focal)
        return np.asarray(scales * ways, np.float64)


Moments = tuple[Floats, Floats, Floats]  # xx, xy, yy of symmetric matrices


def _moments(corners: Floats) -> Moments:
    """Inner products (N) of the half diagonals of parallelograms (N, 4, 2)."""
    ways = (corners[:, :2] - corners[:, 2:]) / 2
    (a, b), (c, d) = ways[:, 0].T, ways[:, 1].T
    return a * a + c * c, a * b + c * d, b * b + d * d


def _determinant(moments: Moments) -> Floats:
    return moments[0] * moments[2] - moments[1] ** 2


def _sides(moments: Moments) -> Floats:
    """How long edges (N) of squares with these moments look, on the average."""
    return np.asarray(np.sqrt(2 * np.sqrt(_determinant(moments))), np.float64)


def _shapes(normals: Floats, rays: Floats) -> Moments:
    """Moments (..., K, N) of unit squares on planes.

    normals  of the planes, (..., K, 3); `rays`, (..., N, 2), say where they are seen.
    """
    x, y = rays[..., None, :, 0], rays[..., None, :, 1]
    a = normals[..., :1] - normals[..., 2:] * x
    b = normals[..., 1:2] - normals[..., 2:] * y
    near = (normals[..., :2] @ np.swapaxes(rays, -1, -2) + normals[..., 2:]) ** 2
    return near * (1 + x * x - a * a), near * (x * y - a * b), near * (1 + y * y - b * b)


def _apart(one: Moments, other: Moments) -> Floats:
    """How different shapes are: 0 for equal ones, about the share that they are longer."""
    (a, b, c), (d, e, f) = one, other
    both = np.maximum(d * f - e * e, 1e-12)
    # one @ inverse(other) - 1, multiplied with itself, its trace
    xx, xy = (a * f - b * e) / both - 1, (b * d - a * e) / both
    yx, yy = (b * f - c * e) / both, (c * d - b * e) / both - 1
    return np.asarray(np.sqrt(np.maximum(xx * xx + 2 * xy * yx + yy * yy, 0) / 2) / 2)


def slant_of(corners: Floats, downs: Floats, size_px: tuple[int, int]) -> Slant:
    """Tell the slant from upper sides (N, 4, 2) and ways down (N, 2); `size_px`: width, height."""
    centre, longer = np.array(size_px) / 2, max(size_px)
    moments = _moments(corners)
    ways = downs / _sides(moments)[:, None]
    beside = (corners.mean(axis=1) - centre) / longer
    focals = np.array(FOCALS)
    rays = beside / focals[:, None, None]
    guesses = np.array([_median(_tangents(ways, one).T) for one in rays])
    tried = _best(guesses, STEP, moments, ways, rays, focals * longer)
    costs = [fit.cost + (_PRIOR if number else 0.0) for number, fit in enumerate(tried)]
    chosen = int(np.argmin(costs))
    fit, focal = tried[chosen], focals[chosen : chosen + 1]
    for part in (0.4, 0.16):
        guess = fit.tangents[None]
        (fit,) = _best(guess, part * STEP, moments, ways, rays[chosen][None], focal * longer)
    normal = np.array([*fit.tangents, -1.0]) / np.sqrt(fit.tangents @ fit.tangents + 1)
    return Slant(normal, fit.scale, FOCALS[chosen] * longer, centre)


class _Fit(NamedTuple):
    """A slant as tangents (2,), the scale, and how badly dice fit."""

    tangents: Floats
    scale: float
    cost: float


def _median(values: Floats) -> Floats:
    """Medians along the last axis: of few values, numpy's own takes many times longer."""
    ordered, count = np.sort(values, axis=-1), values.shape[-1]
    return np.asarray((ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2, np.float64)


def _tangents(ways: Floats, rays: Floats) -> Floats:
    """A first guess (N, 2) of the slant, from each die's way down alone, in its sizes."""
    lengths = np.minimum(np.hypot(ways[:, 0], ways[:, 1]), 1.6)
    # a side shrinks with the root of the cosine: sine over that root is the length of the way
    squares = lengths**2
    cosines = (np.sqrt(squares**2 + 4) - squares) / 2
    sines = np.sqrt(np.maximum(1 - cosines**2, 0))
    tangents = -ways / np.maximum(lengths, 1e-6)[:, None] * (sines / cosines)[:, None]
    return np.asarray(np.clip(tangents - rays, -STEEPEST, STEEPEST), np.float64)


def _best(
    guesses: Floats, step: float, moments: Moments, ways: Floats, rays: Floats, focals_px: Floats
) -> list[_Fit]:
    """The slants, of those around guesses (F, 2), that explain most dice best.

    rays, focals_px  (F, N, 2) and (F,), as they are for each guess.
    """
    tangents = guesses[:, None] + step * _AROUND
    normals = normals_of(tangents)
    up = normals[..., 2:]
    expected = _shapes(normals, rays)
    roots = np.sqrt(np.maximum(_determinant(expected), 1e-12))
    size = _median(np.sqrt(_determinant(moments)) / roots)
    xx, xy, yy = (size[..., None] * part for part in expected)
    off = _apart(moments, (xx, xy, yy))
    scale = np.sqrt(2 * size)[..., None]
    near = -(normals[..., :2] @ np.swapaxes(rays, -1, -2) + up)
    # as in Slant.down: the lower side is farther away, by a side over the camera's distance
    farther = near / np.sqrt(roots) / (1 - near * up * scale / focals_px[:, None, None])
    x = farther * (up * rays[:, None, :, 0] - normals[..., :1])
    y = farther * (up * rays[:, None, :, 1] - normals[..., 1:2])
    off_down = np.hypot(ways[:, 0] - x, ways[:, 1] - y)
    cost = (np.minimum(off, MOST_OFF) + np.minimum(off_down, MOST_OFF_DOWN)).mean(axis=-1)
    cost = cost + _PRIOR * np.hypot(tangents[..., 0], tangents[..., 1])
    return [
        _Fit(tangents[n, row], float(np.sqrt(2 * size[n, row])), float(cost[n, row]))
        for n, row in enumerate(cost.argmin(axis=-1).tolist())
    ]


def shapes_under(normals: Floats, rays: Floats, scale: float | Floats) -> Floats:
    """Inner products (N, 2, 2) of the half diagonals of sides, all on one plane or each on its own.

    normals  (3,) or (N, 3) of the planes; `scale`, one or (N), as that of a slant.
    rays     (N, 2) say where the sides are seen.
    """
    each = np.broadcast_to(normals, (len(rays), 3))
    xx, xy, yy = (part[:, 0, 0] for part in _shapes(each[:, None], rays[:, None]))
    shapes = np.stack((xx, xy, xy, yy), axis=-1).reshape(-1, 2, 2)
    return np.asarray(np.asarray(scale)[..., None, None] ** 2 / 2 * shapes, np.float64)


def nears_under(normals: Floats, rays: Floats) -> Floats:
    """How near planes are (...) where rays (..., 2) meet them, beside a camera's height.

    normals  (..., 3) of the planes; rays that hardly meet them, or do not, count as the farthest.
    """
    nears = -(normals[..., :2] * rays).sum(axis=-1) - normals[..., 2]
    return np.asarray(np.maximum(nears, FARTHEST), np.float64)


def ways_under(normals: Floats, rays: Floats, share: float | Floats) -> Floats:
    """Where dice on planes show their lower sides: (..., 2), in sides of a die right below.

    normals  (..., 3) of the planes; `rays`, (..., 2), say where dice are seen.
    share    of the camera's height that a side is.
    """
    up, near = normals[..., 2:], nears_under(normals, rays)[..., None]
    # an edge that goes down goes away from the camera: it looks a little shorter at its end
    return np.asarray(near * (up * rays - normals[..., :2]) / (1 - share * near * up), np.float64)


def normals_of(tangents: Floats) -> Floats:
    """Unit normals (..., 3) of planes with these tangents (..., 2), upwards as cameras see them."""
    whole = np.concatenate([tangents, np.full((*tangents.shape[:-1], 1), -1.0)], axis=-1)
    return np.asarray(whole / np.sqrt((whole * whole).sum(axis=-1, keepdims=True)), np.float64)


def level_axes(normals: Floats) -> tuple[Floats, Floats]:
    """Two directions (..., 3) along planes with these normals (..., 3), at right angles."""
    across = np.cross(normals, (0.0, 1.0, 0.0))
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    return np.asarray(across, np.float64), np.asarray(np.cross(normals, across), np.float64)


def hulls(slant: Slant, corners: Floats) -> list[Outline]:
    """Outlines of whole dice with these upper sides (N, 4, 2)."""
    return hulls_of(corners, slant.down(corners))


def hulls_of(corners: Floats, downs: Floats) -> list[Outline]:
    """The same, by ways to their lower ends: of each corner (N, 4, 2), or of all (N, 1, 2)."""
    whole = np.concatenate([corners, corners + downs], axis=1).astype(np.float32)
    return [np.asarray(cv2.convexHull(one).reshape(-1, 2), np.float32) for one in whole]


def whole_boxes(slant: Slant, corners: Floats, size_px: tuple[int, int]) -> list[Box]:
    """Left, top, width and height around whole dice, by upper sides (N, 4, 2), in the picture."""
    lower = corners + slant.down(corners)
    return boxes_around(np.concatenate([corners, lower], axis=1), size_px)


def boxes_around(points: Floats, size_px: tuple[int, ...]) -> list[Box]:
    """Left, top, width and height around points (N, K, 2), what of it lies in the picture."""
    size = np.array(size_px)
    low = np.clip(np.floor(points.min(axis=1)), 0, size - 1)
    high = np.clip(np.ceil(points.max(axis=1)), low + 1, size)
    boxes = np.concatenate([low, high - low], axis=1).astype(int)
    return [(left, top, width, height) for left, top, width, height in boxes.tolist()]


def box_around(corners: Floats) -> tuple[int, int, int, int]:
    """Left, top, width and height in pixels around corners (N, 2)."""
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def are_cut(corners: Floats, size_px: tuple[int, int]) -> list[bool]:
    """Which upper sides (N, 4, 2) the picture's edge cuts."""
    along = corners[:, 1] - corners[:, 0]
    spare_px = SPARE * np.hypot(along[:, 0], along[:, 1])[:, None]
    low, high = corners.min(axis=1), corners.max(axis=1) - np.array(size_px)
    cut = (low < -spare_px) | (high > spare_px)
    return [bool(one) for one in cut.any(axis=1).tolist()]
