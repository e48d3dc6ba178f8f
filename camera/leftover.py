"""What lies in a tray and no die explains, so that no accepted roll lacks a die.

The seeker may overlook a die, such as a dark blank one in little light. With a picture of the empty
tray, whatever is about as large as a die, lies beside those that were found, and is neither the
tray nor its floor in shadow, is named. A grey die looks just like a shadow: see camera/shade.py.
Light may differ from that of the empty picture, and from place to place: lamps glow, exposure
changes. Without one, what the seeker hardly saw is looked at: a body differs from what is around it
by more than less light.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera import left_parts
from camera.canvas import Pixels
from camera.halves import Halves, Picture, halvings
from camera.left_parts import DIFFERENT, Left
from camera.patches import PATCH_PX, cut_tops
from camera.seek import ONE_MAP, Floats, sides_of, ways_of
from camera.shade import Shade
from camera.slant import Slant

SIDE_PX = 8.0  # a die's side where pictures are compared, at most twice as long
SOFT_SIDES, DIE_SIDES, NEAR_SIDES = 0.08, 0.55, 3.0  # blur, part of a body, where light is alike
AROUND_SIDES = 0.22  # of a die that is found: rims, and what it throws beside itself
DEEPEST, BRIGHTEST = 0.3, 1.3  # light that is left in a shadow, or is thrown on the floor
BLACKEST = 0.05  # the same in shadows that are known to be some
HINTED, AWAY = 0.1, 0.06  # so strange is a die that the seeker hardly saw; beside others, and away
SHOWN = 0.5  # of such a part; where dice that are known cover more, the rest tells less
DARKER = 0.25  # share of light that something lacks there, beyond any shadow, from which it is told
AWAY_SIDES = 1.3  # from a die's middle, where neither side nor shadow of it looks like a die
HINT_SIDES = 0.3  # around the middle of what the seeker hardly saw
DARKEST, LITTLE = 40.0, 12.0  # sum of the channels, one channel: below that noise tells nothing
CELLS, SPARE = 10, 0.09  # across an upper side that is compared, and a part of it around
WIDE = 2.0  # sides that are cut out around what the seeker hardly saw
STANDS_OUT, SHADE = 0.2, 0.3  # share of light, and of logarithms by which shadows change hue
SHADED = 0.1  # logarithm of light that a shadow takes away at least
Singles = npt.NDArray[np.float32]
_ALONG = (np.arange(CELLS) + 0.5) / CELLS * (1 + 2 * SPARE) - SPARE
_CELLS_AT = np.stack(np.meshgrid(_ALONG, _ALONG), axis=-1).reshape(-1, 2).astype(np.float32)
_ALL = np.ones(3, np.float32)


def unexplained(
    picture: Picture,
    empty: Picture,
    slant: Slant,
    dice: Sequence[Floats],
    hints: Sequence[Floats] = (),
    *,
    with_cut: bool = False,
) -> list[tuple[int, int]]:
    """Places (x, y) of what is neither the empty tray nor one of the dice, as `lying`."""
    left = lying(picture, empty, slant, dice, hints, with_cut=with_cut)
    return [(one.x, one.y) for one in left]


def lying(
    picture: Picture,
    empty: Picture,
    slant: Slant,
    dice: Sequence[Floats],
    hints: Sequence[Floats] = (),
    *,
    with_cut: bool = False,
) -> list[Left]:
    """What is neither the empty tray nor one of the dice, (4, 2) corners each.

    hints  the same of what the seeker hardly saw: there, less strangeness is enough, and even less
           away from all dice, where it is no side or shadow of theirs.
    with_cut  also what is thinner and less strange, but perhaps what an edge has left of a die.
    """
    pair = _pair(picture, empty, slant, dice)
    now, before, free, times, side = pair
    lit = in_same_light(now, before, free, side)
    strange = strangeness(now, lit, free, side) * free
    found = left_parts.large(strange, times, side)
    if with_cut:
        found += left_parts.cut(strange, partial(_steps, now, lit, free), times, side)
    if not found and not hints:
        return []
    shade = _shade(pair, lit, slant, dice)
    hinted = [_hinted(strange, hint, times, side) for hint in hints]
    least = [AWAY if _is_away(hint, dice, _side_px(slant)) else HINTED for hint in hints]
    found += filter(None, map(_enough, hinted, least, _lacking(shade, hints)))
    shadows = _are_shadows(pair, lit, shade, [np.array([(one.x, one.y)]) for one in found])
    return [one for one, is_one in zip(found, shadows, strict=True) if not is_one]


def are_shadows(
    picture: Picture, empty: Picture, slant: Slant, dice: Sequence[Floats], places: Sequence[Floats]
) -> list[bool]:
    """Which places (4, 2) show the empty tray in a shadow that one of the dice throws."""
    pair = _pair(picture, empty, slant, dice)
    lit = in_same_light(pair.now, pair.before, pair.free, pair.side)
    return _are_shadows(pair, lit, _shade(pair, lit, slant, dice), places)


def _are_shadows(
    pair: "_Pair", lit: Singles, shade: Shade, places: Sequence[Floats]
) -> list[bool]:  # fmt: skip
    """The same, of places (N, 2) or (4, 2), in two pictures that are compared already."""
    if not places:
        return []
    now, _, free, times, side = pair
    strange = strangeness(now, lit, free, side, BLACKEST) * free
    return [
        _hinted(strange, place, times, side).strange < AWAY and shade.is_thrown(place.mean(axis=0))
        for place in places
    ]


def is_covered(
    picture: Picture, empty: Picture, slant: Slant, dice: Sequence[Floats], places: Sequence[Floats]
) -> bool:
    """True if one of these places (4, 2) shows neither the empty tray nor one of the dice.

    A hand that covers half of a tray may pass for light, so all of it is taken to be alike.
    """
    now, before, free, times, side = _pair(picture, empty, slant, dice)
    gain = np.median(np.divide(*((p + 4).reshape(-1, 3) for p in (now, before))), axis=0)
    strange = strangeness(now, np.asarray(before * gain, np.float32), free, side) * free
    return any(_hinted(strange, place, times, side).strange > DIFFERENT for place in places)


def is_bare_at(
    small: Pixels, empty: Pixels, times: int, slant: Slant, dice: Sequence[Floats],
    places: Floats,
) -> bool:  # fmt: skip
    """True if at all these places (N, 2), in pixels, the tray or one of the dice is seen for sure.

    small, empty  the picture and the empty tray, halved so many times.
    """
    now, before, free, _, side = _paired(small, empty, times, slant, dice)
    strange = strangeness(now, in_same_light(now, before, free, side), free, side) * free
    x, y = np.round((places + 0.5) / 2**times - 0.5).astype(int).T
    is_inside = (x >= 0) & (y >= 0) & (x < strange.shape[1]) & (y < strange.shape[0])
    return bool(strange[y[is_inside], x[is_inside]].max(initial=0.0) < AWAY)


class _Pair(NamedTuple):
    """Two pictures (H, W, 3) where a die's side is SIDE_PX or a little more, and what is free."""

    now: Singles
    before: Singles
    free: Singles  # (H, W), 0 where dice are
    times: int  # halved so often
    side: float


def _pair(picture: Picture, empty: Picture, slant: Slant, dice: Sequence[Floats]) -> _Pair:
    times = halvings_for(slant)
    now, before = (Halves.of(p).at(times) for p in (picture, empty))
    return _paired(now, before, times, slant, dice)


def _paired(
    small: Pixels, empty: Pixels, times: int, slant: Slant, dice: Sequence[Floats]
) -> _Pair:  # fmt: skip
    side = _side_px(slant) / 2**times
    now, before = _soft(small, side), _soft(empty, side)
    known = _covered(slant, dice, now.shape[:2], times, side)
    return _Pair(now, before, (known == 0).astype(np.float32), times, side)


def _shade(pair: _Pair, lit: Singles, slant: Slant, dice: Sequence[Floats]) -> Shade:
    """What dice throw on the floor, beside the empty tray in the light of now."""
    return Shade(_sums(pair.now), _sums(lit), pair.free, slant, dice, 0.5**pair.times)


def _side_px(slant: Slant) -> float:
    return float(slant.scale * abs(float(slant.normal[2])) ** 0.5)


def halvings_for(slant: Slant) -> int:
    """How often pictures are halved before they are compared."""
    return halvings(_side_px(slant) / SIDE_PX)


def _lacking(shade: Shade, hints: Sequence[Floats]) -> list[float]:
    return [shade.lacking(hint.mean(axis=0)) for hint in hints]


def _enough(hinted: Left, least: float, lacking: float) -> Left | None:
    """What may be a die where the seeker hardly saw one, if it is not strange all over anyway."""
    if hinted.strange > DIFFERENT:
        return None
    if lacking > DARKER:
        return hinted._replace(strange=lacking, is_dark=True)
    return hinted if hinted.strange > least else None


def _is_away(hint: Floats, dice: Sequence[Floats], side_px: float) -> bool:
    gaps = (np.hypot(*(hint.mean(axis=0) - die.mean(axis=0))) for die in dice)
    return bool(min(gaps, default=0.0) > AWAY_SIDES * side_px)


def _hinted(strange: Singles, hint: Floats, times: int, side: float) -> Left:
    """How strange it is where a die (4, 2) may lie."""
    x, y = (float(v) for v in hint.mean(axis=0))
    reach = max(1, round(HINT_SIDES * side))
    left, top = (max(0, round((v + 0.5) / 2**times - 0.5) - reach) for v in (x, y))
    part = strange[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
    return Left(round(x), round(y), float(part.max(initial=0.0)))


def in_same_light(now: Singles, before: Singles, free: Singles, side: float) -> Singles:
    """The empty tray in the light of now (H, W, 3), by what is free of dice, 0 or 1, around."""
    return np.asarray(before * _light(now, before, free, side), np.float32)


def strangeness(
    now: Singles, lit: Singles, free: Singles, side: float, deepest: float = DEEPEST
) -> Singles:
    """By which share of its light each place differs from the empty tray in shade: (H, W).

    deepest  share of the light that a shadow leaves at least.
    """
    reach = max(3, round(DIE_SIDES * side) | 1)
    whole = cv2.blur(apart_in_shade(now, lit, deepest) * free, (reach, reach))
    return np.asarray(whole / np.maximum(cv2.blur(free, (reach, reach)), SHOWN), np.float32)


def apart_in_shade(now: Singles, lit: Singles, deepest: float = DEEPEST) -> Singles:
    """By which share of its light each part (H, W, 3) differs from another, in its shade: (H, W).

    deepest  share of the light that a shadow leaves at least.
    """
    dim = np.clip(_sums(now * lit) / (_sums(lit * lit) + 30), deepest, BRIGHTEST)
    apart = _sums(cv2.absdiff(now, lit * _thrice(dim)))
    return np.asarray(apart / (_sums(lit) * np.minimum(dim, 1) + DARKEST), np.float32)


def _steps(now: Singles, lit: Singles, free: Singles) -> Singles:
    """Logarithms by which light changes, against the empty tray's, from pixel to pixel: (H, W)."""
    light = np.log((now + LITTLE) / (lit + LITTLE))
    across, down = (np.diff(light, axis=n, prepend=light.take([0], axis=n)) for n in (1, 0))
    steps = np.hypot(*(np.abs(step).mean(axis=2) for step in (across, down)))
    return np.asarray(steps * cv2.erode(free, np.ones((3, 3), np.uint8)), np.float32)


def _soft(pixels: Pixels, side: float) -> Singles:
    singles = pixels.astype(np.float32)
    return np.asarray(cv2.GaussianBlur(singles, (0, 0), max(0.5, SOFT_SIDES * side)), np.float32)


def _light(now: Singles, before: Singles, free: Singles, side: float) -> Singles:
    """How much brighter each channel is than in the empty picture, around each place."""
    some = ((p[::4, ::4] + 4).reshape(-1, 3).T for p in (now, before))
    gain = np.median(np.divide(*some), axis=1)
    reach = round(NEAR_SIDES * side / 2) | 1
    weight = _thrice(free)
    half = [_smaller(p) for p in (now * weight, before * weight, free)]  # light is smooth
    sums = [cv2.blur(p, (reach, reach)) for p in half]
    enough = np.asarray(4.0 * sums[2] + 0.2, np.float32)
    brighter = cv2.merge([enough * part for part in gain])
    light = (sums[0] + brighter) / (sums[1] + _thrice(enough))
    return np.asarray(cv2.resize(light, free.shape[::-1]), np.float32)


def _smaller(values: Singles) -> Singles:
    size = (max(1, values.shape[1] // 2), max(1, values.shape[0] // 2))
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float32)


def _sums(values: Any) -> Singles:
    """Sums over the channels of a picture: numpy takes far longer for so few."""
    sums = values.reshape(-1, 3) @ _ALL
    return np.asarray(sums, np.float32).reshape(values.shape[:2])


def _thrice(values: Singles) -> Singles:
    """The same for three channels: numpy takes far longer to spread it over them."""
    return np.asarray(cv2.merge([values] * 3), np.float32)


def _covered(
    slant: Slant, dice: Sequence[Floats], shape: tuple[int, ...], times: int, side: float
) -> Pixels:
    """Mark what dice cover, from their upper sides to the floor, and a little around."""
    marks = np.zeros(shape, np.uint8)
    upper = np.array(dice).reshape(-1, 2)
    whole = np.stack([upper, upper + slant.down(upper)]).reshape(2, -1, 4, 2)
    for points in ((whole + 0.5) / 2**times - 0.5).astype(np.float32).swapaxes(0, 1):
        hull = cv2.convexHull(points.reshape(-1, 2))
        cv2.fillConvexPoly(marks, np.round(hull).astype(np.int32), (255,))
    reach = 2 * round(AROUND_SIDES * side) + 1
    return np.asarray(cv2.dilate(marks, np.ones((reach, reach), np.uint8)), np.uint8)


def coarse(picture: Picture, dice: Floats) -> Singles:
    """Colours (N, CELLS ** 2, 3) of upper sides (N, 4, 2) of one size, and a little around."""
    cell_px = float(np.median(sides_of(dice))) * (1 + 2 * SPARE) / CELLS
    part, shrink = Halves.of(picture).near(halvings(cell_px))
    at = _CELLS_AT @ (shrink * ways_of(dice)).astype(np.float32)
    at += ((dice[:, :1] + 0.5) * shrink - 0.5).astype(np.float32)
    seen = cv2.remap(part, at, ONE_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def stand_out(picture: Picture, dice: Floats) -> npt.NDArray[np.bool_]:
    """Which of these upper sides (N, 4, 2) look like a body: all around differs, and not as shade.

    One neighbour may look the same, and one may be the sunny side of a shadow.
    """
    middles = dice.mean(axis=1, keepdims=True)
    cuts = cut_tops(picture, middles + WIDE * (dice - middles)).astype(np.float32)
    near, far = slice(PATCH_PX // 2 - 6, PATCH_PX // 2 + 6), slice(12, PATCH_PX - 12)
    low, high = slice(3, 7), slice(PATCH_PX - 7, PATCH_PX - 3)
    body = _medians(cuts[:, near, near])[:, None]
    around = np.stack(
        [_medians(cuts[:, rows, columns]) for rows, columns in
         ((low, far), (high, far), (far, low), (far, high))], axis=1,
    )  # fmt: skip
    light = np.maximum(body.sum(axis=2), around.sum(axis=2)) + 30
    contrast = np.sort(np.abs(body - around).sum(axis=2) / light, axis=1)[:, 1]
    change = np.log((body + 8) / (around + 8))
    is_shade = (np.ptp(change, axis=2) < SHADE) & (change.mean(axis=2) < -SHADED)
    return np.asarray((contrast > STANDS_OUT) & (is_shade.sum(axis=1) < 2), np.bool_)


def _medians(parts: Singles) -> Singles:
    """The colours in the middle of parts (N, h, w, 3)."""
    return np.asarray(np.median(parts.reshape(len(parts), -1, 3), axis=1), np.float32)
