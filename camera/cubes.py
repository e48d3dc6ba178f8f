"""Tell whether dice lean from the edges of the cubes that they are.

Theory of operation. A die that leans by 20 degrees shows its upper side hardly narrower, but much
more or less of its other sides. So each die is tried as a cube in many poses: tilted by so much
that way from how dice lie under the slant that is supposed. A pose is worth the length of the edges
that it would show, as far as the picture changes along them; an edge along which nothing changes
counts against it. Dice that lie flat are tilted alike, also where the slant was a little off; one
that another pose explains much better leans.
"""

import math

import cv2
import numpy as np
import numpy.typing as npt

from camera.halves import Halves, halvings
from camera.seek import ONE_MAP, Floats
from camera.slant import Slant

SIDE_PX, PATCH_PX = 28.0, 68  # a die's side in what is cut out, and how wide that is
COARSEST = 1.6  # pixels that one of what is cut out is wide, from which the picture's half serves
WAYS = 8  # of edges that are told apart
CLEAR = 42.0  # difference of colours, summed, from which an edge is seen wholly
NEEDED = 0.45  # part of an edge that has to be seen: less counts against a pose
SAMPLES = 6  # along an edge
RINGS = ((5, 6), (10, 8), (16, 10), (23, 10), (31, 12))  # degrees of tilt, and in how many ways
YAWS, SIZES = (-0.08, 0.0, 0.08), (0.88, 0.93, 0.98)  # tried: radians, and sides without rounding
STEP_SIDES, LIKE_SIZES = 0.06, (0.96, 1.04)  # tried aside and around the best of these
ALIKE_DEG, ELSE_DEG = 6.0, 9.0  # tilts that are the same, and others
FAR = 0.6  # of a pose's worth: a die that is worse explained by a tilt says no more against it
DEAR = 0.05  # what a common tilt of 5 degrees costs: the supposed slant is mostly right
HOT = 0.5  # of the seeker, from which a die has a say in that
Singles = npt.NDArray[np.float32]

_CORNERS = 0.5 * np.array(
    [(x, y, z) for z in (0, -2) for x, y in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
)
_EDGES = np.array(
    [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
)
_FACES = np.array(
    [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
)
_OF_FACES = np.array(
    [[set(edge) <= set(face) for edge in _EDGES.tolist()] for face in _FACES.tolist()], np.float32
)
_TURNS = np.array([1, 1j, -1, -1j])  # of corners, clockwise, back to the first
_NEXT = np.ones((3, 3), np.uint8)
_BESIDE = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)
_MIDDLE_PX, _LAST_PX = np.float32(PATCH_PX / 2), np.float32(PATCH_PX - 1)
_STEPS = np.arange(PATCH_PX) - (PATCH_PX - 1) / 2
_GRID = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1)
_ALONG = ((np.arange(SAMPLES) + 0.5) / SAMPLES).astype(np.float32)


def _tilts() -> Floats:
    """Rotations (K, 3, 3) that tilt what stands upright along the third axis."""
    found = [np.eye(3)]
    for degrees, count in RINGS:
        for way in np.arange(count) * 2 * math.pi / count:
            axis = math.radians(degrees) * np.array((-math.sin(way), math.cos(way), 0.0))
            found.append(np.asarray(cv2.Rodrigues(axis)[0], np.float64))
    return np.array(found)


_TILTS = _tilts()
_APART_DEG = np.degrees(np.arccos(np.clip(_TILTS[:, :, 2] @ _TILTS[:, :, 2].T, -1, 1)))
_SLIGHT = np.flatnonzero(_APART_DEG[0] < 11)


def lean_signs(picture: Halves, slant: Slant, corners: Floats, heats: Floats) -> Floats:
    """How much better (N) dice are explained as cubes that lean than as cubes that lie flat.

    corners  (N, 4, 2) of upper sides as they were found, px; heats (N) as the seeker's.
    Below 0 for most that lie flat, above 0.4 for hardly any; in sides of edges that are seen.
    """
    if not len(corners):
        return np.zeros(0)
    has_say = heats > min(HOT, heats.max() - 1e-6)
    worth = _Cubes(picture, slant, corners).worth(has_say)
    lost = np.minimum(worth.max(axis=1, keepdims=True) - worth, FAR)
    costs = lost[has_say].sum(axis=0) + DEAR * (_APART_DEG[0] / 5) ** 2
    apart = _APART_DEG[int(costs.argmin())]
    leaning, flat = worth[:, apart >= ELSE_DEG], worth[:, apart <= ALIKE_DEG]
    return np.asarray(leaning.max(axis=1) - flat.max(axis=1), np.float64)


class _Cubes:
    """Dice of one picture, to be tried in poses."""

    def __init__(self, picture: Halves, slant: Slant, corners: Floats) -> None:
        self._slant, self._middles = slant, corners.mean(axis=1)
        across = np.cross(slant.normal, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across)
        self._axes = np.stack([across, np.cross(slant.normal, across), slant.normal], axis=1)
        self._tops = self._on_plane(self._middles)
        ways = (self._on_plane(corners) - self._tops[:, None]) @ self._axes[:, :2]
        corner = ways[..., 0] + 1j * ways[..., 1]
        self._yaws = np.angle(corner @ _TURNS) - math.pi / 4
        self._zoom = slant.sides_px(self._middles) / SIDE_PX
        self._edges = _edges_in(picture, self._middles, self._zoom).reshape(-1)
        self._shown = _edges_shown(self._posed(0.0))

    def _on_plane(self, points: Floats) -> Floats:
        """Where the plane of upper sides is seen there (..., 3), in sides."""
        rays = np.concatenate([self._slant.rays(points), np.ones((*points.shape[:-1], 1))], axis=-1)
        height = self._slant.focal / self._slant.scale
        return np.asarray(rays * (-height / (rays @ self._slant.normal))[..., None], np.float64)

    def worth(self, sure: npt.NDArray[np.bool_]) -> Floats:
        """How well each tilt explains each die (N, K): the best turn, place and size of each.

        All dice of a picture are about as large; those that are `sure` say how large.
        """
        turned = np.stack([self._seen(yaw) for yaw in YAWS])
        sizes = [self._support(turned[:, :, _SLIGHT] * size, _SLIGHT) for size in SIZES]
        told = [one.max(axis=(0, 2))[sure].sum() for one in sizes]
        turned *= np.float32(SIZES[int(np.argmax(told))])
        seen, _ = self._best(turned)
        step = np.float32(STEP_SIDES * SIDE_PX)
        seen, worth = self._best(np.stack([seen, *(seen + step * way for way in _BESIDE)]))
        _, others = self._best(np.stack([seen * size for size in LIKE_SIZES]))
        return np.asarray(np.maximum(worth, others), np.float64)

    def _best(self, tried: Singles) -> tuple[Singles, Singles]:
        """The best of poses (V, N, K, 8, 2) of each die and tilt, and how much of it is seen."""
        worth = self._support(tried, np.arange(len(_TILTS)))
        best = worth.argmax(axis=0)[None, :, :, None, None]
        return np.take_along_axis(tried, best, axis=0)[0], worth.max(axis=0)

    def _support(self, seen: Singles, tilts: npt.NDArray[np.intp]) -> Singles:
        """How much of the edges of poses (V, N, K, 8, 2) is seen (V, N, K), in sides."""
        begin = seen[..., _EDGES[:, 0], :]
        ways = seen[..., _EDGES[:, 1], :] - begin
        across, down = ways[..., 0], ways[..., 1]
        turns = np.arctan2(across, -down) * np.float32(WAYS / math.pi)
        number = np.rint(turns).astype(np.int32) % WAYS
        dice = np.arange(seen.shape[1], dtype=np.int32)[:, None, None]
        first = (number * seen.shape[1] + dice) * PATCH_PX**2
        x, y = (
            np.clip(begin[..., n, None] + (ways[..., n, None] * _ALONG + _MIDDLE_PX), 0, _LAST_PX)
            for n in (0, 1)
        )
        places = y.astype(np.int32) * PATCH_PX + x.astype(np.int32) + first[..., None]
        clear = self._edges.take(places) @ np.full(SAMPLES, 1 / SAMPLES, np.float32)
        lengths = np.hypot(across, down) * self._shown[:, tilts]
        worth = (lengths * (clear - np.float32(NEEDED))).sum(axis=-1)
        return np.asarray(worth / np.float32(SIDE_PX), np.float32)

    def _seen(self, yaw: float) -> Singles:
        """Where corners are seen, from the middle of what is cut out (N, K, 8, 2)."""
        whole = self._posed(yaw)
        flat = whole[..., :2] / whole[..., 2:] * self._slant.focal + self._slant.centre
        flat -= self._middles[:, None, None]
        return np.asarray(flat / self._zoom[:, None, None, None], np.float32)

    def _posed(self, yaw: float) -> Floats:
        """Where corners are (N, K, 8, 3), as the camera sees it, in sides; for every tilt."""
        x, y, z = _CORNERS.T
        turns = (self._yaws + yaw)[:, None]
        cos, sin, down = np.cos(turns), np.sin(turns), np.broadcast_to(z, (len(turns), len(z)))
        turned = np.stack([cos * x - sin * y, sin * x + cos * y, down], axis=-1)
        tilted = turned[:, None] @ np.swapaxes(self._axes @ _TILTS, -1, -2)
        return np.asarray(tilted + self._tops[:, None, None], np.float64)


def _edges_shown(cubes: Floats) -> Singles:
    """Which edges (N, K, 12) of cubes (N, K, 8, 3) are seen: 1, others 0."""
    faces = cubes[:, :, _FACES].sum(axis=3)
    outwards = faces - cubes.sum(axis=2, keepdims=True) / 2
    towards = (np.einsum("nkfi,nkfi->nkf", outwards, faces) < 0).astype(np.float32)
    return np.asarray(np.minimum(towards @ _OF_FACES, 1), np.float32)


def _edges_in(picture: Halves, middles: Floats, zoom: Floats) -> Singles:
    """How clear edges are around dice, by their way and place: (WAYS, N * PATCH, PATCH)."""
    times = halvings(2 * float(np.median(zoom)) / COARSEST)
    part, shrink = picture.near(times)
    at = middles[:, None, None] + zoom[:, None, None, None] * _GRID
    at = ((at + 0.5) * shrink - 0.5).reshape(-1, PATCH_PX, 2).astype(np.float32)
    seen = cv2.remap(part, at, ONE_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.astype(np.float32)
    across, down = np.zeros_like(colours), np.zeros_like(colours)
    across[:, 1:-1] = colours[:, 2:] - colours[:, :-2]
    down[1:-1] = colours[2:] - colours[:-2]
    ones = np.full((1, 3), 3 / CLEAR**2, np.float32)
    xx, xy, yy = (
        cv2.transform(cv2.multiply(one, other), ones)
        for one, other in ((across, across), (across, down), (down, down))
    )
    mean, half = (xx + yy) / 2, (xx - yy) / 2
    clear = np.empty((WAYS, *xx.shape), np.float32)
    for number in range(WAYS // 2):
        turn = 2 * math.pi * number / WAYS
        more = np.float32(math.cos(turn)) * half + np.float32(math.sin(turn)) * xy
        clear[number], clear[number + WAYS // 2] = mean + more, mean - more
    np.clip(clear, 0, 1, out=clear)
    np.sqrt(clear, out=clear)
    wide = cv2.dilate(clear.reshape(-1, PATCH_PX), _NEXT).reshape(clear.shape)
    return np.asarray((clear + wide) / 2, np.float32)
