"""Tell faces of dice by a few pictures of each: what was learnt once, in whatever light.

A *patch* is the upper side of a die, cut out of the picture and turned upright in one of four ways.
It is described by the directions in which brightness changes, in 7 x 7 cells and for each colour,
and by the picture itself in coarse; both relative to the colour of the body along the rim, so that
light matters little, and a blank face is simply nothing. The body's colour tells the kind. The
nearest learnt patch of each face, in any of its four turns, tells how well the face fits.
Source of the cells: Dalal and Triggs, "Histograms of oriented gradients for human detection", 2005.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels

Floats = npt.NDArray[np.float64]
Features = npt.NDArray[np.float32]
PATCH_PX = 40
FACE_PX = 34  # a face's edge in a patch; the rest is around it
_SPARE = (PATCH_PX - FACE_PX) / 2
_SQUARE: Floats = np.array([(0.0, 0), (1, 0), (1, 1), (0, 1)]) * FACE_PX + _SPARE - 0.5
_RIM = slice(5, 8)  # of a patch: inside the edge, where no symbol reaches
_RIM_END = slice(PATCH_PX - 8, PATCH_PX - 5)
_LONG = slice(5, PATCH_PX - 5)
_WIDER = slice(5, PATCH_PX - 5)  # what is compared, and a pixel around it
_CELLS, _COARSE, _WAYS = 7, 14, 8
_COARSE_WEIGHT = 0.6
_LEAST_NOISE = 1.0  # as if learnt patches never fitted better
HUE_SPREAD, LIGHT_SPREAD = 0.22, 0.9  # of a body's colour from light to light, natural logarithms
STEEP = 1.6  # how fast a face becomes unlikely as it fits worse
UNFAMILIAR = 3.6  # times the noise of learnt patches: from there on a face is an unknown one
MOST_CERTAIN = 0.999


class Likeness(NamedTuple):
    """What a die is taken for: certainty 0 to 1, and all faces with their chance, best first.

    strange  how badly the best face fits, in units of how well learnt patches fit each other.
    agree    True if both descriptions, each by itself, say the same.
    """

    kind: str
    face: str
    certainty: float
    choices: tuple[tuple[str, str, float], ...]
    strange: float
    agree: bool


def cut_top(pixels: Pixels, corners: Floats) -> Pixels:
    """Cut out the upper side with these corners (4, 2): (PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    low, high = np.floor(corners.min(axis=0)) - 12, np.ceil(corners.max(axis=0)) + 13
    x0, y0 = (int(v) for v in np.clip(low, 0, np.array(pixels.shape[1::-1]) - 1))
    x1, y1 = (int(v) for v in np.maximum(high, (x0 + 1, y0 + 1)))
    part = pixels[y0:y1, x0:x1]
    side_px = max(1.0, float(np.hypot(*(corners[1] - corners[0]))))
    shrink = 1.3 * FACE_PX / side_px
    if shrink < 0.8:  # or small details flicker
        part = np.asarray(
            cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    else:
        shrink = 1.0
    there = (corners - (x0, y0) + 0.5) * shrink - 0.5
    to_part = cv2.getPerspectiveTransform(_SQUARE.astype(np.float32), there.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(
        part, to_part, (PATCH_PX, PATCH_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8)


def rims_of(patches: Pixels) -> npt.NDArray[np.float32]:
    """Colours of the bodies (N, 3): medians of a ring inside the edges."""
    n = len(patches)
    parts = [
        patches[:, _RIM, _LONG], patches[:, _RIM_END, _LONG],
        patches[:, _LONG, _RIM], patches[:, _LONG, _RIM_END],
    ]  # fmt: skip
    ring = np.concatenate([part.reshape(n, -1, 3) for part in parts], axis=1)
    middle = ring.shape[1] // 2
    return np.asarray(np.partition(ring, middle, axis=1)[:, middle], np.float32)


def body_colours(patches: Pixels) -> Floats:
    """Two numbers for the hue of each body and one for its brightness, natural logarithms."""
    blue, green, red = np.log(rims_of(patches).astype(np.float64) + 10.0).T
    return np.column_stack((blue - green, green - red, (blue + green + red) / 3))


def features(patches: Pixels) -> Features:
    """Describe what faces show, relative to their bodies: a row for each of (N, 40, 40, 3)."""
    n = len(patches)
    body = rims_of(patches)[:, None, None]
    tall = cv2.GaussianBlur(patches.reshape(-1, PATCH_PX, 3), (0, 0), 0.8)
    soft = np.asarray(tall, np.float32).reshape(patches.shape)[:, _WIDER, _WIDER]
    sample = soft[:, ::2, ::2].max(axis=3).reshape(n, -1)
    brightest = np.partition(sample, -10, axis=1)[:, -10]
    light = np.maximum(np.maximum(body.max(axis=(1, 2, 3)), brightest), 25.0)
    shown = np.clip((soft - body) / light[:, None, None, None], -1.0, 1.0)
    across = (shown[:, 1:-1, 2:] - shown[:, 1:-1, :-2]) / 2
    down = (shown[:, 2:, 1:-1] - shown[:, :-2, 1:-1]) / 2
    inner = shown[:, 1:-1, 1:-1]
    coarse = inner.reshape(n, _COARSE, 2, _COARSE, 2, 3).mean(axis=(2, 4))
    cells = _directions(across, down)
    both = [np.sqrt(cells).reshape(n, -1), _COARSE_WEIGHT * coarse.reshape(n, -1)]
    return np.asarray(np.concatenate(both, axis=1), np.float32)


def _directions(across: Features, down: Features) -> Features:
    """Share out gradients (N, S, S, 3) to directions and cells: (N, cells, cells, ways * 3)."""
    n, side = len(across), across.shape[1] // _CELLS
    square = across * across + down * down + np.float32(1e-8)
    found = []
    for way in range(_WAYS):
        angle = 2 * math.pi * way / _WAYS
        along = across * np.float32(math.cos(angle)) + down * np.float32(math.sin(angle))
        sharp = np.maximum(along, 0) ** 3 / square
        found.append(sharp.reshape(n, _CELLS, side, _CELLS, side, 3).sum(axis=(2, 4)))
    cells = np.concatenate(found, axis=3)
    for axis in (1, 2):
        wide = np.concatenate([cells.take([0], axis), cells, cells.take([-1], axis)], axis)
        before, after = (wide.take(range(k, k + _CELLS), axis) for k in (0, 2))
        cells = np.float32(0.7) * cells + np.float32(0.15) * (before + after)
    return np.asarray(cells, np.float32)


class FaceMatcher:
    """Tells which learnt face a patch shows.

    patches  kind -> face -> (N, S, S, 3) uint8 BGR, N at least 1.
    kinds    the only kinds that may lie there; all that were learnt by default.
    """

    def __init__(
        self,
        patches: Mapping[str, Mapping[str, Pixels]],
        kinds: Collection[str] | None = None,
    ) -> None:
        self.faces = tuple(
            (kind, face) for kind in patches if kinds is None or kind in kinds
            for face in patches[kind]
        )  # fmt: skip
        learnt = [resized(patch) for kind, face in self.faces for patch in patches[kind][face]]
        sizes = [len(patches[kind][face]) for kind, face in self.faces]
        self.labels = np.repeat(np.arange(len(sizes)), 4 * np.array(sizes, int))
        whole = np.array(learnt, np.uint8).reshape(-1, PATCH_PX, PATCH_PX, 3)
        rows = [features(np.ascontiguousarray(np.rot90(whole, k, (1, 2)))) for k in range(4)]
        self.rows = np.stack(rows, axis=1).reshape(4 * len(whole), -1)
        self._parts = _parts_of(self.rows)
        self._own_colours = body_colours(whole)
        self.colours = self._mean_colours(self._own_colours)
        self.noise = self._typical_distance() if len(whole) else _LEAST_NOISE

    def _mean_colours(self, colours: Floats) -> dict[str, Floats]:
        kinds = [self.faces[label][0] for label in self.labels[::4]]
        return {
            kind: np.asarray(colours[[k == kind for k in kinds]].mean(axis=0), np.float64)
            for kind in dict.fromkeys(kinds)
        }

    def _typical_distance(self) -> float:
        """How far patches of one face are from each other, left out one by one."""
        nearest = [self.left_out(n)[0][self.labels[4 * n]] for n in range(len(self.rows) // 4)]
        known = [far for far in nearest if math.isfinite(far)]
        return max(_LEAST_NOISE, float(np.quantile(known, 0.8)) if known else 0.0)

    def left_out(self, number: int) -> tuple[Floats, Floats]:
        """How far each face is from learnt patch `number`, without it; and each turned patch."""
        apart = np.sum(self._apart(self.rows[4 * number][None]), axis=0)[0]
        apart[4 * number : 4 * number + 4] = math.inf
        return self._by_face(apart[None])[0], apart

    def colour_gaps(self, number: int) -> Floats:
        """How much worse each face fits learnt patch `number` for the colour of its kind."""
        colour = self._own_colours[number]
        far = {kind: colour_distance(colour, own) for kind, own in self.colours.items()}
        return self.noise / STEEP * 0.5 * np.array([far[kind] for kind, _ in self.faces])

    def _apart(self, tried: Features) -> list[Floats]:
        """Squared distances (N, rows), for each of the two descriptions."""
        apart = []
        for (part, squares), mine in zip(self._parts, _split(tried), strict=True):
            own = np.einsum("ij,ij->i", mine, mine)
            far = own[:, None] + squares[None] - 2 * mine @ part.T
            apart.append(np.maximum(far, 0.0).astype(np.float64))
        return apart

    def _by_face(self, apart: Floats) -> Floats:
        """The nearest patch of every face: (N, faces)."""
        starts = np.searchsorted(self.labels, np.arange(len(self.faces)))
        return np.asarray(np.minimum.reduceat(apart, starts, axis=1), np.float64)

    def match(self, dice: Sequence[Sequence[Pixels]]) -> list[Likeness]:
        """Tell which face each die shows; a die is given as patches, cut out in several ways."""
        if not dice:
            return []
        if not self.faces:
            return [Likeness("", "", 0.0, (), math.inf, False) for _ in dice]
        patches = np.array([patch for die in dice for patch in die])
        apart = [self._by_face(part) for part in self._apart(features(patches))]
        colours, found, begin = body_colours(patches), [], 0
        for die in dice:
            mine = slice(begin, begin + len(die))
            begin += len(die)
            parts = [part[mine].min(axis=0) for part in apart]
            both = (apart[0] + apart[1])[mine].min(axis=0) / self.noise
            found.append(self._judged(both, parts, colours[mine].mean(axis=0)))
        return found

    def _judged(self, off: Floats, parts: Sequence[Floats], colour: Floats) -> Likeness:
        """Weigh how well every face fits, and the colour of every kind."""
        far = {kind: colour_distance(colour, own) for kind, own in self.colours.items()}
        hues = 0.5 * np.array([far[kind] for kind, _ in self.faces])
        worse = STEEP * off + hues
        chances = np.exp(np.maximum(-60.0, worse.min() - worse))
        chances = chances / chances.sum()
        order = np.argsort(-chances, kind="stable")
        choices = tuple((*self.faces[n], float(chances[n])) for n in order)
        votes = {int(np.argmin(STEEP * part / self.noise + 0.5 * hues)) for part in parts}
        strange = float(off[order[0]])
        foreign = 0.25 * max(0.0, far[choices[0][0]] - 9.0)
        familiar = 1 / (1 + math.exp(min(50.0, 3 * (strange - UNFAMILIAR) + foreign)))
        certainty = min(MOST_CERTAIN, choices[0][2] * familiar)
        agree = votes == {int(order[0])}
        return Likeness(choices[0][0], choices[0][1], certainty, choices, strange, agree)


def _split(rows: Features) -> tuple[Features, Features]:
    """The two descriptions: directions of change, and the picture in coarse."""
    end = _CELLS * _CELLS * _WAYS * 3
    return rows[:, :end], rows[:, end:]


def _parts_of(rows: Features) -> list[tuple[Features, Features]]:
    return [(part, np.asarray(np.einsum("ij,ij->i", part, part))) for part in _split(rows)]


def colour_distance(one: Floats, other: Floats) -> float:
    """How far colours are apart, squared, in units of what light does to them."""
    hue, light = one[:2] - other[:2], one[2] - other[2]
    return float((hue @ hue) / HUE_SPREAD**2 + light**2 / LIGHT_SPREAD**2)


def resized(patch: Pixels) -> Pixels:
    """A patch of another size, brought to PATCH_PX."""
    if patch.shape[0] == PATCH_PX:
        return patch
    return np.asarray(cv2.resize(patch, (PATCH_PX, PATCH_PX)), np.uint8)
