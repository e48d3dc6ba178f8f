"""Which dice lean: upper faces that do not lie in the plane which the others share.

Theory of operation. Seen along its ray, a circle on a face is an ellipse; its smaller half axis
says how far the face is turned from the ray, and about which line. So each face has two possible
normals, mirrored at the ray. All dice that lie flat have one normal in common; the picture's most
likely one is what most faces agree on, the sure ones most exactly. The four corners of a 4 or a 5
give the ellipse to a hundredth; the pips of the other faces to a tenth only.
"""

from typing import NamedTuple

import numpy as np

from camera.pip_blobs import Floats
from camera.pip_faces import Face
from camera.pip_lattice import inverses, unlike

FOCAL = 1.2  # focal length in longer sides of the picture; webcams and phones have 0.8 to 1.6
ODD = {1: 0.16, 2: 0.13, 3: 0.10, 4: 0.07, 5: 0.07, 6: 0.10}
"""Difference of ellipses from which a face tells nothing any more of where the table lies."""
LEANS = {1: 0.125, 2: 0.10, 3: 0.054, 4: 0.05, 5: 0.034, 6: 0.065}
"""The same from which a face leans: what 98 in 100 flat dice on photographs stay below, and drawn
ones with the six pips of one die."""
SMALL_PX = 4.0  # radius of pips below which ellipses are measured less exactly


class Plane(NamedTuple):
    """The plane that most upper faces share, and how they differ from it.

    normal  (3,) as the camera sees it: x to the right, y down, z away from it.
    apart   (N,) how unlike each face's ellipse is to that of a flat one.
    blur    (N,) how much less exactly it is measured than that of a large one, 1 or more.
    """

    normal: Floats
    apart: Floats
    blur: Floats


def shared_plane(tops: list[Face], shape: tuple[int, ...]) -> Plane:
    """Find the plane of the table in a picture (height, width); one die alone tells its own."""
    blur = np.array([max(1.0, SMALL_PX / top.radius_px) for top in tops])
    odd = blur * [ODD[top.value] for top in tops]
    at = on_rays(np.array([top.at for top in tops]), shape)
    frames = _frames(at)
    shapes = _along_rays(np.array([_ellipse(top) for top in tops]), at, frames)
    normals = _normals(shapes, frames)
    apart = _apart(normals, shapes, frames)
    misfit = np.minimum((apart / odd) ** 2, 1).sum(axis=1)  # one that leans spoils it no further
    best = int((misfit - 0.2 * np.abs(normals[:, 2])).argmin())
    return Plane(normals[best], apart[best], blur)


def lean_shares(tops: list[Face], plane: Plane) -> Floats:
    """Tell by their ellipses how far faces (N,) are from lying flat; from 1 on they lean."""
    return np.asarray(plane.apart / (plane.blur * [LEANS[top.value] for top in tops]))


def _ellipse(top: Face) -> Floats:
    """Give the ellipse (2, 2) of a circle on a face: of its lattice, where that is square."""
    return np.asarray(top.axes @ top.axes.T if top.value in (4, 5) else top.shape)


def on_rays(places: Floats, shape: tuple[int, ...]) -> Floats:
    """Give where the rays to places (N, 2) cross a picture whose focal length is 1."""
    middle = (np.array(shape[1::-1]) - 1) / 2
    return np.asarray((places - middle) / (FOCAL * max(shape[:2])))


def _frames(at: Floats) -> Floats:
    """Give unit vectors (N, 3, 3): two across the ray through each place, and the ray itself."""
    ray = np.column_stack([at, np.ones(len(at))])
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    right = np.column_stack([ray[:, 2], np.zeros(len(ray)), -ray[:, 0]])
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    return np.stack([right, np.cross(ray, right), ray], axis=1)


def _along_rays(shapes: Floats, at: Floats, frames: Floats) -> Floats:
    """Turn ellipses in the picture (N, 2, 2) into those that an eye sees along each ray."""
    across = frames[:, :2]
    to_picture = across[..., :2] - at[:, None] * across[..., 2:]
    back = inverses(to_picture.transpose(0, 2, 1))
    return np.asarray(back @ shapes @ back.transpose(0, 2, 1))


def _normals(shapes: Floats, frames: Floats) -> Floats:
    """Give the two possible normals of each face (2 N, 3)."""
    small, large = np.linalg.eigvalsh(shapes).T
    directions = np.linalg.eigh(shapes)[1][:, :, 0]
    sine = np.sqrt(1 - np.clip(small / large, 0, 1))[:, None]
    across = np.einsum("ni,nij->nj", directions * sine, frames[:, :2])
    along = np.sqrt(1 - sine**2) * frames[:, 2]
    return np.concatenate([across + along, along - across])


def _apart(normals: Floats, shapes: Floats, frames: Floats) -> Floats:
    """Tell how unlike (M, N) each ellipse is to that of a circle on a plane of each normal."""
    leans = np.einsum("nij,mj->mni", frames[:, :2], normals)
    circles = np.eye(2) - leans[..., :, None] * leans[..., None, :]
    circles += 1e-3 * np.eye(2)
    scale = np.sqrt(np.linalg.det(shapes) / np.maximum(np.linalg.det(circles), 1e-6))[
        ..., None, None
    ]
    return unlike(shapes[None], circles * scale)
