"""Cut upper sides of dice out of pictures, turned upright, and tell the colours of their bodies."""

import functools
import math

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.halves import Halves, Picture, halvings
from camera.seek import ONE_MAP, Floats, sides_of, ways_of

Singles = npt.NDArray[np.float32]
PATCH_PX = 40
FACE_PX = 34  # a face's edge in a patch; the rest is around it
_SPARE = (PATCH_PX - FACE_PX) / 2
SHARP = 1.7  # times its size in a patch up to which a face is sampled as it is
_RIM = slice(5, 8)  # of a patch: inside the edge, where no symbol reaches
_RIM_END = slice(PATCH_PX - 8, PATCH_PX - 5)
INNER = slice(5, PATCH_PX - 5)  # of a patch: all but its edges
DARK = 10.0  # grey levels; the hues of what is darker are compared as if it had so much light
LEAST_LIGHT = np.float32(25.0)  # grey levels; darker dice are described as if they had so much
CONTRAST, MOST_GAIN = 140.0, 3.5  # of a symbol and its body, grey levels; by stretching


def cut_top(pixels: Pixels, corners: Floats) -> Pixels:
    """Cut out the upper side with these corners (4, 2): (PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    return np.asarray(cut_tops(pixels, corners[None])[0], np.uint8)


def cut_tops(picture: Picture, corners: Floats) -> Pixels:
    """Cut out upper sides, parallelograms (N, 4, 2) of about one size: (N, 40, 40, 3) uint8 BGR.

    In memory the same place of all of them is side by side, as `features` wants them.
    """
    side_px = float(np.median(sides_of(corners)))
    return _cut(picture, corners, _grid(PATCH_PX, _SPARE), halvings(side_px / SHARP / FACE_PX) + 1)


def cut_whole(picture: Picture, corners: Floats, size_px: int) -> Pixels:
    """Cut out just these parallelograms: (N, size_px, size_px, 3), as `cut_tops` does."""
    times = halvings(float(np.median(sides_of(corners))) / size_px)
    return _cut(picture, corners, _grid(size_px, 0.0), times)


@functools.cache
def _grid(size_px: int, spare_px: float) -> Singles:
    """Places (size_px ** 2, 2), along and down, in sides that have so much to spare around them."""
    places = (np.arange(size_px) + 0.5 - spare_px) / (size_px - 2 * spare_px)
    return np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 2).astype(np.float32)


def _cut(picture: Picture, corners: Floats, grid: Singles, times: int) -> Pixels:
    """Cut out what is at the places of a grid (K * K, 2), in sides: (N, K, K, 3)."""
    part, low, shrink = _halved_around(picture, corners, times)
    begin = (corners[:, 0] - low + 0.5) * shrink - 0.5
    ways = ways_of(corners).transpose(1, 0, 2).reshape(2, -1) * shrink
    at = grid @ ways.astype(np.float32)
    at += begin.reshape(-1).astype(np.float32)
    at = at.reshape(len(grid), -1, 2)
    seen = cv2.remap(part, at, ONE_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    side = math.isqrt(len(grid))
    return np.asarray(seen, np.uint8).reshape(side, side, -1, 3).transpose(2, 0, 1, 3)


def _halved_around(picture: Picture, corners: Floats, times: int) -> tuple[Pixels, Floats, float]:
    """A picture halved so often, or the part of it that is wanted: where it begins, its scale."""
    if isinstance(picture, Halves):
        part, shrink = picture.near(times)
        return part, np.zeros(2), shrink
    size = np.array(picture.shape[1::-1])
    low = np.clip(np.floor(corners.min(axis=(0, 1))) - 2**times, 0, size - 1)
    high = np.ceil(corners.max(axis=(0, 1))) + 2 + 2**times
    left, top, right, bottom = np.concatenate([low, np.maximum(high, low + 1)]).astype(int)
    part, shrink = Halves(picture[top:bottom, left:right]).near(times)
    return part, low, shrink


def rims_of(patches: Pixels) -> Singles:
    """Colours of the bodies (N, 3): medians of a ring inside the edges."""
    whole = side_by_side(patches)
    parts = (
        whole[_RIM, INNER], whole[_RIM_END, INNER], whole[INNER, _RIM], whole[INNER, _RIM_END]
    )  # fmt: skip
    ring = np.concatenate([part.reshape(-1, whole.shape[2]) for part in parts])
    middle = len(ring) // 2
    return np.asarray(np.partition(ring, middle, axis=0)[middle].reshape(-1, 3), np.float32)


def light_on(bodies: Singles, seen: Pixels | Singles) -> Singles:
    """How bright the light is on dice (N), in grey levels, by what is brightest of each.

    bodies  (N, 3) their colours.
    seen    (K, N) grey levels of what they show.
    """
    brightest = np.partition(seen, -10, axis=0)[-10].astype(np.float32)
    return np.asarray(np.maximum(np.maximum(bodies.max(axis=1), brightest), LEAST_LIGHT))


def side_by_side(patches: Pixels) -> Pixels:
    """Patches (N, 40, 40, 3) as a picture (40, 40, 3 N): numpy is slow where rows are short."""
    return np.ascontiguousarray(patches.transpose(1, 2, 0, 3)).reshape(PATCH_PX, PATCH_PX, -1)


def hues_of(rims: Singles, dark: float = DARK) -> Floats:
    """Two numbers for the hue of each body (N, 3), one for its brightness; natural logarithms.

    dark  grey levels that are added, so that noise tells little of dark ones.
    """
    blue, green, red = np.log(rims.astype(np.float64) + dark).T
    return np.column_stack((blue - green, green - red, (blue + green + red) / 3))


def stretched(
    patches: Pixels, bodies: Singles | None = None, most_gain: float = MOST_GAIN
) -> Pixels:  # fmt: skip
    """Patches (N, 40, 40, 3) with as much contrast as dice have that mirror no lamp.

    bodies  (N, 3) colours on which to put what they show; their own by default.
    """
    own = rims_of(patches)[:, None, None]
    apart = patches.astype(np.float32) - own
    inner = np.abs(apart[:, INNER, INNER]).max(axis=3).reshape(len(patches), -1)
    most = np.quantile(inner, 0.95, axis=1)
    gain = np.clip(CONTRAST / np.maximum(most, 1.0), 1.0, most_gain)[:, None, None, None]
    body = own if bodies is None else bodies[:, None, None]
    return np.asarray(np.clip(body + gain * apart, 0, 255), np.uint8)


def resized(patch: Pixels) -> Pixels:
    """A patch of another size, brought to PATCH_PX."""
    if patch.shape[0] == PATCH_PX:
        return patch
    return np.asarray(cv2.resize(patch, (PATCH_PX, PATCH_PX)), np.uint8)
