"""Learnt dice for the watchers of a tray: checked against the game, cut as they cut.

`companion enrol` cuts pictures of faces larger than a watcher does; here they are brought to its
size and frame.
"""

from collections.abc import Collection, Mapping

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.symbols import FACE_PX, PATCH_PX, Patches
from companion.dice import Die
from companion.errors import ConfigError

EDGE_SHARE = 34 / 40 / 0.96  # of an enrolled picture's width: an edge of the die


def learnt_for(looks: DiceLooks, kinds: Mapping[str, Collection[Die]], where: str) -> DiceLooks:
    """What was learnt of these kinds, as watchers of trays compare it.

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
                f"{where}: expected learnt pictures of {kind} dice with {', '.join(missing)}, "
                f"found {found or 'none'}; learn them with `companion enrol`"
            )
        patches[kind] = {face: np.array([as_cut(one) for one in known[face]]) for face in faces}
    return DiceLooks({kind: looks.kinds[kind] for kind in kinds}, patches)


def as_cut(patch: Pixels) -> Pixels:
    """One picture of a face, (S, S, 3) uint8, at the size and in the frame of a watcher's."""
    size = patch.shape[0]
    if size == PATCH_PX:
        return patch
    scale = FACE_PX / (EDGE_SHARE * size)
    shift = PATCH_PX / 2 - 0.5 - scale * (size / 2 - 0.5)
    soft = cv2.GaussianBlur(patch, (0, 0), 0.4 / scale) if scale < 0.8 else patch
    move = np.array([[scale, 0, shift], [0, scale, shift]])
    cut = cv2.warpAffine(soft, move, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
