"""From how the upper sides of dice look, tell how the camera looks at the floor.

The camera has square pixels, its axis goes through the middle of the picture, and it sees about
as much as small cameras do. Then the plane of the upper sides has three unknowns: two for its
slant, one for how large a side is. Every die tells three numbers (its shape), so one die is
enough, several are better, and one that disagrees does not lie flat.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from camera.seek import Floats

FOCAL = 1.15  # focal length, in longer sides of the picture; its exact value matters little
STEEPEST = 1.3  # tangent of the largest slant
_PRIOR = (
    0.004  # people stand where the picture's lower edge is: their cameras rarely lean the other way
)


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
        """Directions (N, 2) of pixels (N, 2): across and down for each step ahead."""
        return np.asarray((points - self.centre) / self.focal, np.float64)

    def shapes(self, points: Floats) -> Floats:
        """Inner products (N, 2, 2) of a side's half diagonals, as `moments_of`."""
        return np.asarray(_shapes(self.normal[None], self.rays(points))[0] * self.scale**2 / 2)

    def down(self, points: Floats) -> Floats:
        """Where the lower end of an upright edge is, seen from its upper end, (N, 2) pixels."""
        rays = self.rays(points)
        near = -(rays @ self.normal[:2] + self.normal[2])
        ways = self.normal[2] * rays - self.normal[:2]
        # an edge that goes down goes away from the camera: it looks a little shorter at its end
        longer = 1 + self.scale / self.focal * near * -self.normal[2]
        return np.asarray(self.scale * near[:, None] * ways / longer[:, None], np.float64)

    def on_plane(self, points: Floats) -> Floats:
        """Places (N, 2) on the plane, in sides, of pixels (N, 2)."""
        rays = np.column_stack((self.rays(points), np.ones(len(points))))
        along = rays / (rays @ self.normal)[:, None]
        first = np.cross((0.0, 1.0, 0.0), self.normal)
        first /= np.linalg.norm(first)
        second = np.cross(self.normal, first)
        places = -along @ np.column_stack((first, second)) * self.focal / self.scale
        return np.asarray(places, np.float64)

    def disagrees(self, corners: Floats) -> float:
        """How much the shape of an upper side (4, 2) differs from what is expected there."""
        expected = self.shapes(corners.mean(axis=0)[None])[0]
        return float(_apart(moments_of(corners)[None], expected[None])[0])


def moments_of(corners: Floats) -> Floats:
    """Inner products (2, 2) of the half diagonals of a parallelogram (4, 2)."""
    ways = (corners[:2] - corners[2:]) / 2
    return np.asarray(ways.T @ ways, np.float64)


def _shapes(normals: Floats, rays: Floats) -> Floats:
    """Moments (K, N, 2, 2) of unit squares on planes with normals (K, 3), seen along rays."""
    seen = np.zeros((len(rays), 2, 3))
    seen[:, 0, 0] = seen[:, 1, 1] = 1.0
    seen[:, :, 2] = -rays
    flat = np.eye(3) - normals[:, :, None] * normals[:, None, :]
    near = normals[:, :2] @ rays.T + normals[:, 2:]
    moments = np.einsum("nab,kbc,ndc->knad", seen, flat, seen)
    return np.asarray(near[..., None, None] ** 2 * moments, np.float64)


def _apart(one: Floats, other: Floats) -> Floats:
    """How different shapes are: 0 for equal ones, about the share by which they are longer."""
    inverse = np.linalg.inv(other)
    ratio = one @ inverse - np.eye(2)
    return np.asarray(np.sqrt(np.einsum("...ab,...ba->...", ratio, ratio).clip(0) / 2) / 2)


def slant_of(tops: Sequence[Floats], size_px: tuple[int, int]) -> Slant:
    """Tell the slant from the corners (4, 2) of upper sides; `size_px` is width and height."""
    focal, centre = FOCAL * max(size_px), np.array(size_px) / 2
    moments = np.array([moments_of(corners) for corners in tops])
    rays = (np.array([corners.mean(axis=0) for corners in tops]) - centre) / focal
    best, step = np.zeros(2), STEEPEST / 6
    for reach in (6, 3, 3, 3, 3):
        steps = np.arange(-reach, reach + 1) * step
        tangents = best + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        best, scale = _best(tangents, moments, rays)
        step /= 2.5
    normal = np.array([*best, -1.0]) / np.sqrt(best @ best + 1)
    return Slant(normal, scale, focal, centre)


def _best(tangents: Floats, moments: Floats, rays: Floats) -> tuple[Floats, float]:
    """The slant, of those tried, that explains most dice best; and the scale."""
    normals = np.column_stack((tangents, -np.ones(len(tangents))))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    expected = _shapes(normals, rays)
    sizes = np.sqrt(np.linalg.det(moments)[None] / np.linalg.det(expected).clip(1e-12))
    size = np.median(sizes, axis=1)
    off = _apart(moments[None], expected * size[:, None, None, None])
    cost = np.minimum(off, 0.15).mean(axis=1) + _PRIOR * (tangents[:, 1] > 0)
    cost = cost + _PRIOR * np.hypot(*tangents.T)
    winner = int(np.argmin(cost))
    return tangents[winner], float(np.sqrt(2 * size[winner]))


def whole_box(slant: Slant, corners: Floats, size_px: tuple[int, int]) -> tuple[int, int, int, int]:
    """Left, top, width and height around a whole die, within the picture."""
    points = np.vstack([corners, corners + slant.down(corners)])
    low = np.clip(np.floor(points.min(axis=0)), 0, np.array(size_px) - 1)
    high = np.clip(np.ceil(points.max(axis=0)), low + 1, np.array(size_px))
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def is_cut(corners: Floats, size_px: tuple[int, int], spare: float = 0.06) -> bool:
    """True if the picture's edge cuts an upper side."""
    spare_px = spare * float(np.hypot(*(corners[1] - corners[0])))
    low, high = corners.min(axis=0), corners.max(axis=0) - np.array(size_px)
    return bool((low < -spare_px).any() or (high > spare_px).any())
