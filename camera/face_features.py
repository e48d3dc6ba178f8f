"""Describe what faces of dice show, so that the same face is alike in any light.

A *patch* is the upper side of a die, cut out of the picture and turned upright in one of four ways.
It is described by the directions in which brightness changes, in 7 x 7 cells and for each colour,
and by the picture itself in coarse; both relative to the colour of the body along the rim, so that
light matters little, and a blank face is simply nothing.
Source of the cells: Dalal and Triggs, "Histograms of oriented gradients for human detection", 2005.
"""

import math

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.patches import INNER, PATCH_PX, light_on, rims_of, side_by_side

Features = npt.NDArray[np.float32]
_CELLS, _WAYS = 7, 8
_AT_A_TIME = 10  # patches: they stay in the cache of the processor, and cv2 has channels for 42
_COARSE_WEIGHT = 0.6


def described(patches: Pixels) -> tuple[Features, Features]:
    """Describe what faces show, relative to their bodies: a row for each of (N, 40, 40, 3).

    The bodies' colours (N, 3) are given, too. So many at a time as cv2 has channels for.
    """
    batches = [patches[k : k + _AT_A_TIME] for k in range(0, len(patches), _AT_A_TIME)]
    rims = [rims_of(batch) for batch in batches]
    rows = [_features(batch, body) for batch, body in zip(batches, rims, strict=True)]
    return np.concatenate(rows), np.concatenate(rims)


def _features(patches: Pixels, body: Features) -> Features:
    n = len(patches)
    whole = np.asarray(cv2.GaussianBlur(side_by_side(patches), (0, 0), 0.8))
    soft = whole.reshape(PATCH_PX, PATCH_PX, -1)[INNER, INNER]
    sample = soft[::2, ::2].reshape(-1, n, 3).max(axis=2)
    light = light_on(body, sample)
    shown = soft.astype(np.float32)
    shown -= body.reshape(-1)
    shown *= np.repeat(1 / light, 3)
    np.clip(shown, -1.0, 1.0, out=shown)
    inner = shown[1:-1, 1:-1]
    coarse = inner[::2] + inner[1::2]
    coarse = np.float32(_COARSE_WEIGHT / 4) * (coarse[:, ::2] + coarse[:, 1::2])
    by_place = coarse.reshape(-1, n, 3).transpose(1, 0, 2).reshape(n, -1)
    return np.concatenate([_directions(shown, n), by_place], axis=1)


def _blend() -> Features:
    """What gives cells (49) a little of their neighbours."""
    mix = 0.7 * np.eye(_CELLS) + 0.15 * (np.eye(_CELLS, k=1) + np.eye(_CELLS, k=-1))
    mix[0, 0] += 0.15
    mix[-1, -1] += 0.15
    return np.asarray(np.kron(mix, mix), np.float32)


_BLEND = _blend()


def _directions(shown: Features, n: int) -> Features:
    """Share out changes of colour (S, S, 3 N) to cells and directions: (N, cells * ways * 3)."""
    half, slanted = np.float32(0.5), np.float32(math.sqrt(0.5))
    across = half * (shown[1:-1, 2:] - shown[1:-1, :-2])
    down = half * (shown[2:, 1:-1] - shown[:-2, 1:-1])
    strength = across * across
    strength += down * down
    strength += np.float32(1e-8)
    inverse = 1 / strength
    side = len(across)
    cells = np.empty((_WAYS, _CELLS, _CELLS, 3 * n), np.float32)
    there = np.empty((side, across[0].size), np.float32)
    ways = (across, slanted * (across + down), down, slanted * (down - across))
    for number, along in enumerate(ways):
        sharp = along * along
        sharp *= along
        sharp *= inverse
        flat = sharp.reshape(side, -1)
        for way in (number, number + _WAYS // 2):
            cv2.threshold(flat, 0, 0, cv2.THRESH_TOZERO, dst=there)
            rows = np.add.reduce(there.reshape(_CELLS, side // _CELLS, -1), axis=1)
            columns = rows.reshape(_CELLS, _CELLS, side // _CELLS, -1)
            np.add.reduce(columns, axis=2, out=cells[way])
            np.negative(flat, out=flat)
    mixed = np.matmul(_BLEND, cells.reshape(_WAYS, _CELLS * _CELLS, -1))
    np.sqrt(mixed, out=mixed)
    by_face = mixed.reshape(_WAYS, -1, n, 3).transpose(2, 1, 0, 3)
    return np.asarray(by_face, np.float32).reshape(n, -1)


def split(rows: Features) -> tuple[Features, Features]:
    """The two descriptions: directions of change, and the picture in coarse."""
    end = _CELLS * _CELLS * _WAYS * 3
    return rows[:, :end], rows[:, end:]
