"""Where a mirrored lamp hides what a die shows, and what can still be seen through it.

A mirrored lamp adds light to an upper side: its colour is lost, and its symbol grows faint. The
sides of the die mirror something else, so they tell what colour it has; on that colour, and with
more contrast, the symbol can be seen again.
"""

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.patches import INNER, Singles, resized, rims_of, stretched
from camera.seek import ONE_MAP, Floats
from camera.slant import Slant

BURNT = 248  # of the brightest colour, from which a camera tells nothing more
WASHED = 0.8  # of the brightest colour, that all have where a lamp is mirrored
PALE, LIGHT = 0.6, 100  # the same of a face that may look so in bright light, and its grey level
BOLD, BOLD_PART = 0.5, 0.01  # so dark against its body, and so large a part: no light hides that
SEEN = 0.12  # of an edge, that a side must look high to tell a colour
PALER, LIGHTER = 0.15, 1.3  # than its sides an upper side is that mirrors a lamp
MUCH_LIGHTER = 4.0  # the same of one that has hardly any colour to lose
BRIGHT = 120.0  # grey level, so that darker symbols can be told from a body as well as lighter ones
MOST_GAIN = 6.0  # of contrast, for what is seen through glare
_ALONG = np.array([0.1, 0.14, 0.18, 0.22, 0.78, 0.82, 0.86, 0.9])  # of a side: its upper corners,
_DEEP = np.linspace(0.14, 0.3, 6)  # to which symbols seldom reach
_PLACES = np.stack(np.meshgrid(_ALONG, _DEEP), axis=-1).reshape(-1, 2)


def is_burnt(pixels: Pixels) -> npt.NDArray[np.bool_]:
    """Where (..., 3) a lamp is mirrored, or so much light falls that colours are lost."""
    brightest = pixels.max(axis=-1)
    return np.asarray((brightest >= BURNT) & (pixels.min(axis=-1) >= WASHED * brightest))


def is_pale(patches: Pixels) -> bool:
    """True if a learnt face (N, S, S, 3) is light and has hardly any colour, as of a white die."""
    colour = np.median(rims_of(np.array([resized(one) for one in patches])), axis=0)
    return bool(colour.min() >= PALE * colour.max() and colour.max() >= LIGHT)


def is_bold(patches: Pixels) -> bool:
    """True if a learnt face (N, S, S, 3) shows something dark in every picture of it."""
    seen = np.array([resized(one) for one in patches])
    dark = seen.max(axis=3) < BOLD * rims_of(seen).max(axis=1)[:, None, None]
    return bool(dark[:, INNER, INNER].mean(axis=(1, 2)).min() >= BOLD_PART)


def side_colours(pixels: Pixels, slant: Slant, corners: Floats) -> Singles:
    """Colours (N, 3) of the sides below upper sides (N, 4, 2); nan where none is seen."""
    down = slant.down(corners)
    heights = _heights(corners, down)
    dice, first = np.arange(len(corners)), heights.argmax(axis=1)
    last = (first + 1) % 4
    along, deep = _PLACES[:, :1], _PLACES[:, 1:]
    begin, end = (
        (corners[dice, n][:, None] + deep * down[dice, n][:, None]) for n in (first, last)
    )
    at = (begin + along * (end - begin)).astype(np.float32)
    seen = cv2.remap(pixels, at, ONE_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = np.median(seen.reshape(len(corners), -1, 3), axis=1).astype(np.float32)
    return np.where(heights.max(axis=1, keepdims=True) < SEEN, np.float32(np.nan), colours)


def is_washed(tops: Singles, sides: Singles) -> npt.NDArray[np.bool_]:
    """Which upper sides a lamp makes pale, by their colours (N, 3) and those of sides below."""
    lighter = (tops.max(axis=1) + 5) / (sides.max(axis=1) + 5)
    paler = _greyness(tops) - _greyness(sides)
    return np.asarray((lighter > MUCH_LIGHTER) | (lighter > LIGHTER) & (paler > PALER), np.bool_)


def _greyness(colours: Singles) -> Floats:
    return np.asarray((colours.min(axis=1) + 5) / (colours.max(axis=1) + 5), np.float64)


def through_glare(patches: Pixels, sides: Singles) -> Pixels:
    """Patches (N, 40, 40, 3) as they would be without glare, on bodies with such sides (N, 3).

    Sides in shadow are taken to be as bright as upper sides are where symbols show.
    """
    brightest = sides.max(axis=1, keepdims=True)
    bodies = sides * np.maximum(1.0, BRIGHT / (brightest + 1.0))
    return stretched(patches, bodies.astype(np.float32), MOST_GAIN)


def _heights(corners: Floats, down: Floats) -> Floats:
    """How high the side below each edge (N, 4) looks, in edges; below 0 where it is not seen."""
    ways = np.roll(corners, -1, axis=1) - corners
    outwards = np.stack([ways[..., 1], -ways[..., 0]], axis=-1)
    middles = corners + ways / 2 - corners.mean(axis=1, keepdims=True)
    outwards *= np.sign((outwards * middles).sum(axis=-1, keepdims=True))
    return np.asarray((outwards * down).sum(axis=-1) / (ways * ways).sum(axis=-1), np.float64)
