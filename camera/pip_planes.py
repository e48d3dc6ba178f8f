"""Which dice lean: upper faces that do not lie in the plane which the others share.

Theory of operation. Seen along its ray, a circle on a face is an ellipse; its smaller half axis
says how far the face is turned from the ray, and about which line. So each face has two possible
normals, mirrored at the ray. All dice that lie flat have one normal in common; the picture's most
likely one is what most faces agree on, the sure ones most exactly. The four corners of a 4 or a 5
give the ellipse to a hundredth; the pips of the other faces to a tenth only. Dice that lay flat in
earlier pictures by a camera that stands still have a say in it too (camera/pip_floor.py).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from camera.pip_blobs import Floats
from camera.pip_faces import Face
from camera.pip_lattice import unlike_parts
from camera.pip_shapes import inverses

FOCAL = 1.2  # focal length in longer sides of the picture; webcams and phones have 0.8 to 1.6
ODD = {1: 0.16, 2: 0.13, 3: 0.10, 4: 0.07, 5: 0.07, 6: 0.10}
"""Difference of ellipses from which a face tells nothing any more of where the table lies."""
LEANS = {1: 0.125, 2: 0.10, 3: 0.054, 4: 0.05, 5: 0.034, 6: 0.065}
"""The same from which a face leans: what 98 in 100 flat dice on photographs stay below, and drawn
ones with the six pips of one die."""
SMALL_PX = 4.0  # radius of pips below which ellipses are measured less exactly
FOCALS = (FOCAL, 0.9, 1.6, 2.2)  # the same, tried on many dice; a tray may be a part of a picture
MUCH_BETTER = 0.15  # of what does not fit, by which another focal length is more likely
FIRM = 9  # dice, from which a few more hardly change the plane that they tell
TOGETHER = 3  # dice that agree, from which a picture tells the plane better than earlier ones
AGREED = 0.5  # share of a leaning die's difference, up to which they agree
FINER = (0.06, 0.03, 0.015, 0.008)  # steps, as tangents, by which the plane of many dice is found
_AROUND = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])


class Plane(NamedTuple):
    """The plane that most upper faces share, and how they differ from it.

    normal  (3,) as the camera sees it: x to the right, y down, z away from it.
    apart   (N,) how unlike each face's ellipse is to that of a flat one.
    blur    (N,) how much less exactly it is measured than that of a large one, 1 or more.
    focal   focal length in longer sides of the picture.
    """

    normal: Floats
    apart: Floats
    blur: Floats
    focal: float = FOCAL


class Floor(NamedTuple):
    """What dice tell that lay flat in earlier pictures by a camera that stands still.

    tops    their upper faces, in pictures of one size.
    ways    (N, 2) where they show their lower sides, seen from the upper ones.
    normal  (3,) of the floor; focal, the focal length, as in `Plane`.
    """

    tops: tuple[Face, ...]
    ways: Floats
    normal: Floats
    focal: float


class _Rays(NamedTuple):
    """Faces as an eye sees them along rays, how far each may be off, and `Plane`'s blur, focal."""

    shapes: Floats
    frames: Floats
    odd: Floats
    blur: Floats
    focal: float

    def on_plane(self, normal: Floats) -> Plane:
        """Compare them with flat ones on the plane of a normal (3,)."""
        return Plane(normal, self.apart(normal[None])[0], self.blur, self.focal)

    def misfits(self, normals: Floats) -> Floats:
        """Rate planes (M, 3): 1 for each die that does not lie in them, less for nearly flat."""
        # one that leans spoils it no further
        misfit = np.minimum((self.apart(normals) / self.odd) ** 2, 1).sum(axis=1)
        return np.asarray(misfit - 0.2 * np.abs(normals[:, 2]))

    def apart(self, normals: Floats) -> Floats:
        """Tell how unlike (M, N) each ellipse is to that of a circle on planes (M, 3)."""
        x, y = (normals @ self.frames[:, axis].T for axis in (0, 1))
        circles = 1.001 - x * x, -x * y, 1.001 - y * y
        shapes = self.shapes[:, 0, 0], self.shapes[:, 0, 1], self.shapes[:, 1, 1]
        area, flat = (a * d - b * b for a, b, d in (shapes, circles))
        scale = np.sqrt(area / np.maximum(flat, 1e-6))
        a, b, d = circles
        return unlike_parts(shapes, (scale * a, scale * b, scale * d))


def shared_plane(tops: Sequence[Face], shape: tuple[int, ...], floor: Floor | None = None) -> Plane:
    """Find the plane of the table in a picture (height, width); one die alone tells its own.

    floor  what is known of it from earlier pictures; their dice count as much as these.
    """
    focal = FOCAL if floor is None else floor.focal
    rays = _rays(tops, shape, focal)
    normals = _normals(rays.shapes, rays.frames)
    every = rays if floor is None else _rays([*tops, *floor.tops], shape, focal)
    if floor is not None:
        normals = np.concatenate([floor.normal[None], normals])
    normal = normals[int(every.misfits(normals).argmin())]
    if floor is not None and len(floor.tops) < FIRM:
        normal = _refined(every, normal)
    return rays.on_plane(normal)


def floor_under(tops: Sequence[Face], shape: tuple[int, ...]) -> Plane:
    """Find the plane of many dice of several pictures, and with which focal length it was seen."""
    found: list[tuple[float, Floats, _Rays]] = []
    for focal in FOCALS:
        rays = _rays(tops, shape, focal)
        normals = _normals(rays.shapes, rays.frames)
        misfits = rays.misfits(normals)
        best = int(misfits.argmin())
        found.append((float(misfits[best]), normals[best], rays))
    usual, likely = found[0], min(found, key=lambda one: one[0])
    _, normal, rays = likely if likely[0] < usual[0] - MUCH_BETTER else usual
    return rays.on_plane(_refined(rays, normal))


def fits_floor(tops: Sequence[Face], shape: tuple[int, ...], floor: Floor) -> bool:
    """False if several dice agree with each other and not with a floor: the camera was moved."""
    if len(tops) < TOGETHER:
        return True
    known = _rays(tops, shape, floor.focal).on_plane(floor.normal)
    if np.median(lean_shares(tops, known)) <= 1:
        return True
    return bool(np.median(lean_shares(tops, shared_plane(tops, shape))) > AGREED)


def _refined(rays: _Rays, normal: Floats) -> Floats:
    """Turn a plane step by step until it fits dice best."""
    for step in FINER:
        right = np.cross(normal, (0.0, 1.0, 0.0))
        ways = np.stack([right, np.cross(right, normal)])
        near = normal + step * _AROUND @ ways
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        normal = near[int(rays.misfits(near).argmin())]
    return normal


def _rays(tops: Sequence[Face], shape: tuple[int, ...], focal: float) -> _Rays:
    at = on_rays(np.array([top.at for top in tops]), shape, focal)
    frames = _frames(at)
    shapes = _along_rays(np.array([_ellipse(top) for top in tops]), at, frames)
    blur = np.array([max(1.0, SMALL_PX / top.radius_px) for top in tops])
    return _Rays(shapes, frames, blur * [ODD[top.value] for top in tops], blur, focal)


def lean_shares(tops: Sequence[Face], plane: Plane) -> Floats:
    """Tell by their ellipses how far faces (N,) are from lying flat; from 1 on they lean."""
    return np.asarray(plane.apart / (plane.blur * [LEANS[top.value] for top in tops]))


def _ellipse(top: Face) -> Floats:
    """Give the ellipse (2, 2) of a circle on a face: of its lattice, where that is square."""
    return np.asarray(top.axes @ top.axes.T if top.value in (4, 5) else top.shape)


def on_rays(places: Floats, shape: tuple[int, ...], focal: float = FOCAL) -> Floats:
    """Give where the rays to places (N, 2) cross a picture whose focal length is 1."""
    middle = (np.array(shape[1::-1]) - 1) / 2
    return np.asarray((places - middle) / (focal * max(shape[:2])))


def _frames(at: Floats) -> Floats:
    """Give unit vectors (N, 3, 3): two across the ray through each place, and the ray itself."""
    x, y = at.T
    frames = np.empty((len(at), 3, 3))
    frames[:, 0] = np.stack([np.ones(len(at)), np.zeros(len(at)), -x], axis=1)
    frames[:, 1] = np.stack([-x * y, 1 + x * x, -y], axis=1)
    frames[:, 2] = np.stack([x, y, np.ones(len(at))], axis=1)
    return np.asarray(frames / np.sqrt((frames * frames).sum(axis=2, keepdims=True)))


def _along_rays(shapes: Floats, at: Floats, frames: Floats) -> Floats:
    """Turn ellipses in the picture (N, 2, 2) into those that an eye sees along each ray."""
    across = frames[:, :2]
    to_picture = across[..., :2] - at[:, None] * across[..., 2:]
    back = inverses(to_picture.transpose(0, 2, 1))
    return np.asarray(back @ shapes @ back.transpose(0, 2, 1))


def _normals(shapes: Floats, frames: Floats) -> Floats:
    """Give the two possible normals of each face (2 N, 3)."""
    axes, directions = np.linalg.eigh(shapes)
    small, large = axes.T
    sine = np.sqrt(1 - np.clip(small / large, 0, 1))[:, None]
    across = ((directions[:, :, 0] * sine)[:, None] @ frames[:, :2])[:, 0]
    along = np.sqrt(1 - sine**2) * frames[:, 2]
    return np.concatenate([across + along, along - across])
