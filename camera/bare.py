"""Tell by a picture of the empty tray what is bare floor, and what may be floor in shadow."""

import numpy as np
import numpy.typing as npt

from camera.halves import Picture
from camera.leftover import BLACKEST, Singles, apart_in_shade, coarse
from camera.seek import Floats

TINTED = 0.12  # logarithm of light, from which it has another colour
SAME = 0.05  # share of light by which a floor differs from itself at most
SHADY = 0.9  # of light that is left in a shadow, at most
DIMMER, BRIGHTER = 0.5, 1.6  # of the empty tray's light, in which a die would be told from it
GLARE = 240.0  # grey levels, from which nothing is told apart
PATCHY, NO_TINT = 0.02, 0.04  # the same of each part by itself, for most parts; and of their hue
PLAIN = 0.06  # the same of most parts, where a sharp shadow may fall on them
Which = npt.NDArray[np.bool_]


def is_bare(
    picture: Picture, empty: Picture, corners: Floats, faint: Which | None = None
) -> Which:  # fmt: skip
    """Which upper sides (N, 4, 2) show what the empty tray shows there, whatever the light.

    faint  which of them are hardly seen: those may be lit otherwise from part to part, where the
           edges of shadows make a square of the floor; none where not given.
    """
    now, before = (coarse(p, corners) for p in (picture, empty))
    gain = _gain(now, before)
    tint = _tint(gain)
    bare = np.asarray((_apart(now, before, gain) < SAME) & (tint < TINTED), np.bool_)
    if faint is not None and (doubtful := np.flatnonzero(faint & ~bare & (tint < NO_TINT))).size:
        bare[doubtful] = _is_patchy(now[doubtful], before[doubtful])
    return bare


def unlike(picture: Picture, empty: Picture, corners: Floats) -> Singles:
    """By which share of their light upper sides (N, 4, 2) differ from the empty tray there (N).

    Without bound where they have another colour, or so much or so little light falls on them that
    a die might look like the floor.
    """
    now, before = (coarse(p, corners) for p in (picture, empty))
    gain = _gain(now, before)
    is_lit = (gain.min(axis=1) > DIMMER) & (gain.max(axis=1) < BRIGHTER)
    is_lit &= (now.max(axis=2).mean(axis=1) < GLARE) & (_tint(gain) < TINTED)
    return np.where(is_lit, _apart(now, before, gain), np.float32(np.inf))


def _is_patchy(now: Singles, before: Singles) -> Which:
    """Which places (N, parts, 3) are the empty tray, each part in light of its own."""
    apart = apart_in_shade(now, before)
    return np.asarray(np.quantile(apart, 0.8, axis=1) < PATCHY, np.bool_)


def may_be_shade(picture: Picture, empty: Picture, corners: Floats) -> Which:
    """Which upper sides (N, 4, 2) are the empty tray with less light, if one looks at light only.

    A dark die without a symbol on a floor of its colour looks just so.
    """
    gain = _gain(*(coarse(p, corners) for p in (picture, empty)))
    return np.asarray((gain.max(axis=1) < SHADY) & (_tint(gain) < TINTED), np.bool_)


def may_be_shadow(picture: Picture, empty: Picture, corners: Floats) -> Which:
    """Which upper sides (N, 4, 2) are the empty tray with less light, each part by itself.

    The edge of a shadow may lie on them, however dark it is, and a die on some.
    """
    now, before = (coarse(p, corners) for p in (picture, empty))
    dark = _gain(now, before).max(axis=1) < SHADY
    apart = np.median(apart_in_shade(now, before, BLACKEST), axis=1)
    return np.asarray(dark & (apart < PLAIN), np.bool_)


def _apart(now: Singles, before: Singles, gain: Singles) -> Singles:
    """By which share of its light each place differs from the empty tray in the same light (N)."""
    apart = np.abs(now - gain[:, None] * before).mean(axis=(1, 2))
    return np.asarray(apart / np.maximum(20.0, now.mean(axis=(1, 2))), np.float32)


def _gain(now: Singles, before: Singles) -> Singles:
    """How much brighter each channel is: (N, 3)."""
    return np.asarray(np.median((now + 4) / (before + 4), axis=1), np.float32)


def _tint(gain: Singles) -> Singles:
    return np.asarray(np.abs(np.log(gain / gain.mean(axis=1, keepdims=True))).max(axis=1))
