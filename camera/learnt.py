"""Learnt dice for the watchers of a tray: checked against the game, framed as readers want them."""

from collections.abc import Collection, Mapping

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.patches import FACE_PX as EDGE_PX
from camera.patches import PATCH_PX as LEARNT_PX
from camera.symbols import FACE_PX, PATCH_PX, Patches
from camera.top_faces import FLAT
from companion.dice import Die
from companion.errors import ConfigError
from companion.words import say


def learnt_for(looks: DiceLooks, kinds: Mapping[str, Collection[Die]], where: str) -> DiceLooks:
    """What was learnt of these kinds, as readers of trays compare it.

    where  the folder that it comes from, for errors.
    Raises ConfigError where a kind or a face is missing.
    """
    patches: dict[str, dict[str, Patches]] = {}
    for kind, dice in kinds.items():
        faces = sorted({face for die in dice for face in die.faces})
        known = looks.patches.get(kind, {})
        missing = [face for face in faces if face not in known]
        if missing:
            found = ", ".join(f"{k} {face}" for k, one in looks.patches.items() for face in one)
            raise ConfigError(
                say(
                    "{where}: expected learnt pictures of {kind} dice with {missing}, found "
                    "{found}; learn them with `companion enrol`",
                    where=where,
                    kind=kind,
                    missing=", ".join(missing),
                    found=found or "none",
                )
            )
        patches[kind] = {face: np.array([as_learnt(one) for one in known[face]]) for face in faces}
    return DiceLooks({kind: looks.kinds[kind] for kind in kinds}, patches)


def as_learnt(patch: Pixels) -> Pixels:
    """A picture of a face, (S, S, 3) uint8, framed as `companion enrol` frames it.

    Pictures of simulated trays show more of what is around the face.
    """
    if patch.shape[0] != PATCH_PX:
        return patch
    scale = EDGE_PX / FLAT / FACE_PX
    shift = LEARNT_PX / 2 - 0.5 - scale * (PATCH_PX / 2 - 0.5)
    move = np.array([[scale, 0, shift], [0, scale, shift]])
    size = (LEARNT_PX, LEARNT_PX)
    cut = cv2.warpAffine(patch, move, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
