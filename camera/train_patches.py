"""Patches of whole pictures, to train the second reader of pip dice on.

From made-up tables, where it is known what lies where; and from labelled photographs, where the
first reader says where the dice lie, and only those count that it reads as the label does. Beside
upper faces, patches of what is none: sides, the rims of faces, marks on the ground, bare ground.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from camera.bench import is_tuned_on, labels_in
from camera.pictures import load_picture
from camera.pip_blobs import Floats, Pixels, Pyramid, find_marks
from camera.pip_ellipses import measure_pips
from camera.pip_faces import find_faces
from camera.pip_tops import find_tops
from camera.pip_votes import face_patches
from camera.pips import working_copy
from camera.train_grounds import THINGS
from camera.train_tables import make_picture

Labelled = tuple[list[Pixels], list[int]]
TABLE_PX = (400, 300)
SCALES = (0.8, 1.25)  # of the edge of a die that the first reader may err by
APART = 0.32  # edges of a die from the middle of a face to where it counts as none
EACH_TOP, BESIDE_EACH, MOST_MARKS, AT_RANDOM = 3, 2, 4, 2


def table_patches(rng: np.random.Generator) -> Labelled:
    """Draw a small table with dice, and often with other things; cut it up."""
    side_px = float(np.exp(rng.uniform(np.log(22), np.log(90))))
    made = make_picture(
        rng,
        size=TABLE_PX,
        count=int(rng.integers(1, 6)),
        side_px=side_px,
        touching=bool(rng.random() < 0.35),
        things=str(rng.choice(THINGS)) if rng.random() < 0.4 else "",
    )
    tops = np.array([die.top for die in made.dice]).reshape(-1, 2)
    sides = [side for die in made.dice for side in die.sides]
    others = np.array(sides).reshape(-1, 2)
    return _cut(rng, made.pixels, tops, [die.face for die in made.dice], others, side_px)


def photo_patches(rng: np.random.Generator, folder: Path) -> Iterator[Labelled]:
    """Cut up the photographs of a folder, those that may be trained on."""
    for path, wanted in labels_in(folder):
        if not is_tuned_on(path):
            continue
        pixels, _ = working_copy(load_picture(folder / path))
        pyramid = Pyramid(pixels)
        faces = find_faces(pixels, measure_pips(pyramid, find_marks(pyramid)))
        tops, more, sides, others = find_tops(faces)
        if not tops or sorted(str(top.value) for top in tops) != sorted(wanted.elements()):
            continue
        side_px = float(np.median([top.side_px for top in tops]))
        at = np.array([top.at for top in tops])
        rest = np.array([face.at for face in sides + others + more]).reshape(-1, 2)
        yield _cut(rng, pixels, at, [top.value for top in tops], rest, side_px)


def _cut(
    rng: np.random.Generator,
    pixels: Pixels,
    tops: Floats,
    faces: list[int],
    others: Floats,
    side_px: float,
) -> Labelled:
    """Cut patches around upper faces (N, 2), and around other places that are none."""
    grey = pixels if pixels.ndim == 2 else working_copy(pixels)[0]
    pyramid = Pyramid(grey)
    near = [top + rng.normal(0, 0.04 * side_px, 2) for top in tops for _ in range(EACH_TOP)]
    none = [*others, *_beside(rng, tops, side_px), *_marks(rng, pyramid)]
    none += list(rng.uniform((0, 0), grey.shape[::-1], (AT_RANDOM, 2)))
    none = [
        at for at in none if (np.hypot(*(tops - at).T) > APART * side_px).all() and _in(at, grey)
    ]
    patches = [
        face_patches(pyramid.levels, at[None], side_px * rng.uniform(*SCALES))[0]
        for at in near + none
    ]
    return patches, [face for face in faces for _ in range(EACH_TOP)] + [0] * len(none)


def _beside(rng: np.random.Generator, tops: Floats, side_px: float) -> list[Floats]:
    angles = rng.uniform(0, 2 * np.pi, (len(tops), BESIDE_EACH))
    reach = rng.uniform(APART, 1.0, angles.shape) * side_px
    steps = np.stack([np.cos(angles) * reach, np.sin(angles) * reach], axis=2)
    return list((tops[:, None] + steps).reshape(-1, 2))


def _marks(rng: np.random.Generator, pyramid: Pyramid) -> list[Floats]:
    """Pick marks of the picture: what the first reader takes for pips, wrongly where no die is."""
    places = find_marks(pyramid).places()
    return list(places[rng.permutation(len(places))[:MOST_MARKS]])


def _in(at: Floats, grey: Pixels) -> bool:
    return bool((at >= 0).all() and (at < grey.shape[::-1]).all())


def joined(parts: list[Labelled]) -> tuple[Pixels, Floats]:
    """Stack what was cut: patches (N, 48, 48) uint8 and classes (N,)."""
    patches = [patch for some, _ in parts for patch in some]
    labels = [label for _, some in parts for label in some]
    return np.stack(patches), np.array(labels, dtype=np.int64)
