"""What tiles look like: a few pictures of each face, and of the back, learnt as dice are.

Learnt tiles are a `DiceLooks`, so they are kept, joined and read like learnt dice. Faces whose rims
have the same colour are one kind; where the rims differ, the colour tells them apart already.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from camera.calibrate import Pixels, Zone
from camera.dice_sets import DiceLooks, Kind, joined
from camera.simulated_square import FACES, SimulatedSquare
from camera.source import PICTURE_SUFFIXES, read_picture
from camera.square import COLUMNS, Lattice, square_names, square_view
from camera.symbols import COLOUR_SPREAD, Patches, body_colour, cut_patch
from camera.tile_art import BACK
from camera.tiles_find import SquareFinder
from companion.errors import PictureError
from companion.words import say

ALIKE = 12.0  # squared distance of rims, in spreads of the light: closer ones look the same
MOST_A_PICTURE = 6  # tiles learnt from one picture; backs come by the dozen
_LAMPS = ((1.0, 1.0, 1.0), (0.82, 0.95, 1.0), (1.0, 0.92, 0.80))
_SHOWN = ("1,1", "1,5", "3,3", "5,2", "4,5")


def learn_tiles(
    pictures: Iterable[tuple[str, Pixels]], zone: Zone, empty: Pixels, *, columns: int = COLUMNS
) -> DiceLooks:
    """Learn from pictures (face, pixels) in which all tiles in the square show the same face.

    The back is learnt like a face, under the name `back`. All pictures show the zone as it was
    calibrated. Raises PictureError for a picture without tiles, or with something else in it.
    """
    view, lattice = square_view(zone), Lattice(zone, columns)
    finder, squares = SquareFinder(view, lattice, empty), frozenset(square_names(columns))
    patches: dict[str, list[Pixels]] = {}
    for number, (face, pixels) in enumerate(pictures):
        laid = finder.find(pixels)
        finder.forget(squares)
        if not laid.bodies or not laid.is_clear:
            raise PictureError(
                say(
                    "picture {number} of {face}: expected tiles in the square and nothing else, "
                    "got {n} tiles; take it again",
                    number=number,
                    face=face,
                    n=len(laid.bodies),
                )
            )
        bodies = [laid.bodies[square] for square in sorted(laid.bodies)]
        chosen = bodies[:: -(-len(bodies) // MOST_A_PICTURE)]
        patches.setdefault(face, []).extend(cut_patch(view, pixels, body) for body in chosen)
    return by_rim({face: np.array(found) for face, found in patches.items()})


def by_rim(faces: Mapping[str, Patches]) -> DiceLooks:
    """Put faces with equal rims together into kinds, called after the first face of each."""
    colours = {face: rim_colour(found) for face, found in faces.items()}
    kinds: dict[str, list[str]] = {}
    for face, colour in colours.items():
        apart = {
            kind: min(float((((colour - colours[f]) / COLOUR_SPREAD) ** 2).sum()) for f in members)
            for kind, members in kinds.items()
        }
        nearest = min(apart, key=lambda kind: apart[kind], default=None)
        if nearest is not None and apart[nearest] < ALIKE:
            kinds[nearest].append(face)
        else:
            kinds[face] = [face]
    return DiceLooks(
        {kind: Kind(tuple(members)) for kind, members in kinds.items()},
        {kind: {face: faces[face] for face in members} for kind, members in kinds.items()},
    )


def rim_colour(patches: Patches) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Colour of the rim of a face, in the terms of the reader."""
    return np.asarray(np.mean([body_colour(patch) for patch in patches], axis=0), np.float64)


def pictures_in(folder: Path) -> list[tuple[str, Pixels]]:
    """Read enrolment pictures from a folder with a folder for each face, and one for `back`.

    Raises PictureError, naming what is missing.
    """
    found = []
    for face in (*FACES, BACK):
        here = folder / face
        names = sorted(p for p in here.glob("*") if p.suffix.lower() in PICTURE_SUFFIXES)
        if not names:
            raise PictureError(
                say(
                    "{folder}: expected a few pictures of tiles that show {face}",
                    folder=here,
                    face=face,
                )
            )
        found += [(face, read_picture(path)) for path in names]
    return found


def enrol_simulated_tiles(*, seed: int = 0) -> DiceLooks:
    """Learn how simulated tiles look: each face under three lamps, as a person would show them."""
    looks = []
    for number, lamp in enumerate(_LAMPS):
        square = SimulatedSquare(seed=seed + 7_000_000 + number, lamp=lamp)
        gaps = set(square.squares) - set(_SHOWN)
        pictures = []
        for turn, face in enumerate((*FACES, BACK)):
            square.lay({} if face == BACK else dict.fromkeys(_SHOWN, face), gaps)
            pictures.append((face, square.frame(float(turn)).pixels))
        looks.append(learn_tiles(pictures, square.zones()["square"], square.empty()))
    return joined(looks)
