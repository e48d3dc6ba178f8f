"""Read the upper side of a die by comparing it with pictures of each face that were learnt.

A *patch* is the upper side cut out of the picture, turned upright (in one of four ways), with a
little of what is around it. Patches are compared after taking away the colour of the body, seen
along their rim, so that light matters little; a blank face is then simply nothing. The kind is told
by the colour of the body. Certainty comes from how much worse every other face fits, and from
whether the best one fits as well as learnt patches fit each other: an unknown face fits none.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.calibrate import Pixels, ZoneView
from camera.find import Body

FACE_PX = 24  # a face's edge in a patch
SPARE_PX = 2  # around it, so that it may be shifted
PATCH_PX = FACE_PX + 2 * SPARE_PX
MOST_CERTAIN = 0.999
_TURNS = (-0.06, 0.0, 0.06)  # radians tried around the angle that was found
_BEVEL_PX = 2  # the rounded edge tells nothing
_INNER_PX = FACE_PX - 2 * _BEVEL_PX
_SHIFTS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
_LEAST_NOISE = 0.035  # as if learnt patches never fitted better: other cameras are noisier
_UNFAMILIAR = 2.9  # times the noise of learnt patches: from there on a face is an unknown one
CROOKED_FIT = 0.885  # upright dice are explained to 0.90 and more, most leaning ones to less
_SURE = 0.98  # readings above are not tried again
_MOVES = 3  # how often a die is moved to where it fits better
COLOUR_SPREAD = np.array([0.10, 0.10, 0.45])  # two of hue, one of brightness; natural logarithms

Patches = npt.NDArray[np.uint8]
Features = npt.NDArray[np.float32]


class Likeness(NamedTuple):
    """What a die is taken for: certainty 0 to 1, and all faces with their chance, best first."""

    kind: str
    face: str
    certainty: float
    choices: tuple[tuple[str, str, float], ...]


def cut_patch(view: ZoneView, pixels: Pixels, body: Body, turn: float = 0.0) -> Pixels:
    """Cut out the upper side of a die: (PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    cos, sin = math.cos(body.angle + turn) / FACE_PX, math.sin(body.angle + turn) / FACE_PX
    half = (PATCH_PX - 1) / 2
    to_zone = np.array(
        [
            [cos, -sin, body.x - half * (cos - sin)],
            [sin, cos, body.y - half * (sin + cos)],
            [0, 0, 1.0],
        ]
    )
    to_px = view.top_to_px @ to_zone
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (PATCH_PX, PATCH_PX)
    patch = cv2.warpPerspective(pixels, to_px, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


class _KindLook:
    """Learnt patches of one kind, ready to be compared with."""

    def __init__(self, faces: Mapping[str, Patches]) -> None:
        self.faces = tuple(faces)
        patches = [patch for face in faces for patch in faces[face]]
        self._patches: Patches = np.array(patches)
        self.colour = _body_colours(self._patches).mean(axis=0)
        upright = _features(self._patches, [(0, 0)]).reshape(-1, _INNER_PX, _INNER_PX, 3)
        turned = [np.rot90(upright, k, (1, 2)).reshape(len(patches), -1) for k in range(4)]
        self.rows: Features = np.stack(turned, axis=1).reshape(4 * len(patches), -1)
        self.labels = np.repeat(np.arange(len(faces)), [4 * len(f) for f in faces.values()])
        self.origins = np.repeat(np.arange(len(patches)), 4)

    @cached_property
    def squares(self) -> Features:
        return np.asarray(np.einsum("ij,ij->i", self.rows, self.rows), np.float32)

    @cached_property
    def noise(self) -> float:
        """How far learnt patches of one face are from each other, left out one by one."""
        shifted = _features(self._patches, _SHIFTS)
        apart = _distances(shifted, self.rows, self.squares)
        apart = apart.reshape(len(self._patches), len(_SHIFTS), -1).min(axis=1)
        own = self.labels[::4, None] == self.labels[None, :]
        same = self.origins[::4, None] == self.origins[None, :]
        apart[~own | same] = np.inf
        nearest = apart.min(axis=1)
        nearest = nearest[np.isfinite(nearest)]
        typical = float(np.quantile(nearest, 0.9)) if len(nearest) else 0.0
        return max(_LEAST_NOISE, typical)

    def distances(self, tried: Features) -> tuple[npt.NDArray[np.float64], int]:
        """How far the nearest patch of each face is, and the number of what was tried best."""
        middle = tried[len(tried) // 2 : len(tried) // 2 + 1]
        near = _distances(middle, self.rows, self.squares)[0]
        likely = []
        for number in range(len(self.faces)):
            own = np.flatnonzero(self.labels == number)
            likely.append(own[np.argsort(near[own])[:3]])
        chosen = np.concatenate(likely)
        apart = _distances(tried, self.rows[chosen], self.squares[chosen])
        nearest, labels = apart.min(axis=0), self.labels[chosen]
        by_face = [nearest[labels == number].min() for number in range(len(self.faces))]
        return np.array(by_face), int(np.argmin(apart.min(axis=1)))


class FaceReader:
    """Reads dice of some kinds whose faces were learnt.

    patches   kind -> face -> patches (N, PATCH_PX, PATCH_PX, 3) uint8, N at least 1.
    kinds     the only kinds that may lie there; all that were learnt by default.
    """

    def __init__(
        self,
        patches: Mapping[str, Mapping[str, Patches]],
        kinds: Collection[str] | None = None,
    ) -> None:
        chosen = [kind for kind in patches if kinds is None or kind in kinds]
        self._looks = {kind: _KindLook(patches[kind]) for kind in chosen}

    def read(self, view: ZoneView, pixels: Pixels, body: Body) -> Likeness:
        """Read one die; with nothing learnt the certainty is 0.

        A die that is not recognised at once was perhaps not found quite where it lies: it is moved
        to where it fits better, and read again.
        """
        best, better = self._read_at(view, pixels, body)
        for _ in range(_MOVES):
            if best.certainty > _SURE or better == body:
                break
            body = better
            again, better = self._read_at(view, pixels, body)
            best = max(best, again, key=lambda likeness: likeness.certainty)
        return best

    def _read_at(self, view: ZoneView, pixels: Pixels, body: Body) -> tuple[Likeness, Body]:
        """Read a die where it was found; return also where it fits better."""
        patches = [cut_patch(view, pixels, body, turn) for turn in _TURNS]
        chances = self._kind_chances(body_colour(patches[1]))
        choices: list[tuple[str, str, float]] = []
        certainty, better = 0.0, body
        tried = _features(np.array(patches), _SHIFTS)
        for kind in chances:
            faces, familiar, best = _face_chances(self._looks[kind], tried)
            choices += [(kind, f, p * chances[kind]) for f, p in faces.items()]
            if chances[kind] == max(chances.values()):
                certainty, better = familiar, _moved(body, best)
        choices.sort(key=lambda choice: -choice[2])
        if not choices:
            return Likeness("", "", 0.0, ()), body
        kind, face, chance = choices[0]
        certainty = min(MOST_CERTAIN, chance * certainty * upright_chance(body.fit))
        return Likeness(kind, face, certainty, tuple(choices)), better

    def _kind_chances(self, colour: npt.NDArray[np.float64]) -> dict[str, float]:
        """How likely each kind is, by the colour of its body; none if all are far off."""
        far = {
            kind: float((((colour - look.colour) / COLOUR_SPREAD) ** 2).sum())
            for kind, look in self._looks.items()
        }
        nearest = min(far.values(), default=math.inf)
        if nearest > 30.0:
            return {}
        weights = {kind: math.exp(-(value - nearest) / 2) for kind, value in far.items()}
        total = sum(weights.values())
        return {kind: w / total for kind, w in weights.items() if w / total > 0.02}


def _moved(body: Body, best: int) -> Body:
    """Where a die lies if the patch number `best` of all that were tried fits best."""
    turn, (x, y) = _TURNS[best // len(_SHIFTS)], _SHIFTS[best % len(_SHIFTS)]
    cos, sin = math.cos(body.angle + turn) / FACE_PX, math.sin(body.angle + turn) / FACE_PX
    return body._replace(
        x=body.x + cos * x - sin * y, y=body.y + sin * x + cos * y, angle=body.angle + turn
    )


def _face_chances(look: _KindLook, tried: Features) -> tuple[dict[str, float], float, int]:
    """Return the chance of each face, how familiar the likeliest one looks, and the best try."""
    apart, best = look.distances(tried)
    weights = np.exp(-(apart**2 - apart.min() ** 2) / look.noise**2)
    strange = float(apart.min()) / look.noise - _UNFAMILIAR
    familiar = 1 / (1 + math.exp(min(50.0, 6 * strange)))
    chances = (weights / weights.sum()).tolist()
    return dict(zip(look.faces, chances, strict=True)), familiar, best


def upright_chance(fit: float) -> float:
    """How likely a die lies flat: what a leaning die covers, no upright cube explains well."""
    return 1 / (1 + math.exp(-80 * (fit - CROOKED_FIT)))


def _rims(patches: Patches) -> npt.NDArray[np.float32]:
    """Colours of bodies (N, 3): medians of rings inside the edges, where no symbol reaches."""
    near, far = SPARE_PX + 2, SPARE_PX + 4
    end, number = PATCH_PX - near, len(patches)
    ring = np.concatenate(
        [
            patches[:, near:far, near:end].reshape(number, -1, 3),
            patches[:, PATCH_PX - far : end, near:end].reshape(number, -1, 3),
            patches[:, far : PATCH_PX - far, near:far].reshape(number, -1, 3),
            patches[:, far : PATCH_PX - far, PATCH_PX - far : end].reshape(number, -1, 3),
        ],
        axis=1,
    )
    middle = ring.shape[1] // 2
    return np.asarray(np.partition(ring, middle, axis=1)[:, middle], np.float32)


def body_colour(patch: Pixels) -> npt.NDArray[np.float64]:
    """Two numbers for the hue of the body and one for its brightness."""
    return np.asarray(_body_colours(patch[None])[0], np.float64)


def _body_colours(patches: Patches) -> npt.NDArray[np.float64]:
    blue, green, red = np.log(_rims(patches).astype(np.float64) + 12.0).T
    return np.column_stack([blue - green, green - red, (blue + green + red) / 3])


def _features(patches: Patches, shifts: Sequence[tuple[int, int]]) -> Features:
    """What faces show, relative to their bodies, one row for each shift of each patch.

    patches  (N, PATCH_PX, PATCH_PX, 3); the rows are (N * len(shifts), 3 * _INNER_PX ** 2).
    """
    bodies = _rims(patches)
    scales = 1 / np.maximum(bodies.max(axis=1), 20.0).astype(np.float64)
    inner = patches.astype(np.float32) - bodies[:, None, None]
    inner *= scales.astype(np.float32)[:, None, None, None]
    np.clip(inner, -1.5, 2.0, out=inner)
    near = SPARE_PX + _BEVEL_PX
    far = near + _INNER_PX
    shifted = [inner[:, near + y : far + y, near + x : far + x] for x, y in shifts]
    return np.stack(shifted, axis=1).reshape(len(patches) * len(shifts), -1)


def _distances(tried: Features, rows: Features, squares: Features) -> npt.NDArray[np.float64]:
    """Root mean square difference of every tried feature from every row."""
    own = np.einsum("ij,ij->i", tried, tried)
    apart = own[:, None] + squares[None, :] - 2 * (tried @ rows.T)
    return np.asarray(np.sqrt(np.maximum(apart, 0.0) / tried.shape[1]), np.float64)
