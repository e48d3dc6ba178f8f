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
from camera.patches import INNER, PATCH_PX, body_colours, hues_of, resized, rims_of, side_by_side
from camera.seek import Floats

Features = npt.NDArray[np.float32]
_CELLS, _WAYS = 7, 8
_AT_A_TIME = 40  # patches, three channels each; cv2 has 128
_COARSE_WEIGHT = 0.6
LEAST_NOISE = 4.0  # as if learnt patches never fitted better: other trays and lights differ
HUE_SPREAD, LIGHT_SPREAD = 0.22, 0.9  # of a body's colour from light to light, natural logarithms
STEEP = 4.0  # how fast a face becomes unlikely as it fits worse than the best one ...
MISFIT = 0.4  # ... compared with how badly that fits, and this share of the noise
UNFAMILIAR = 3.6  # times the noise of learnt patches: from there on a face is an unknown one
PLAIN = 60.0  # squared length of what describes a face; below it, it shows nothing
GRAINED, HARDLY = 120.0, 0.5  # or below this, if it is less than such a share of the next face's
MOST_CERTAIN = 0.999
CERTAIN = 0.9  # readings below are asked about
AT_ONCE = 200_000  # multiplications that one core does by itself
SURELY = 0.95  # certainty from which a die tells how this light changes colours


class Likeness(NamedTuple):
    """What a die is taken for: certainty 0 to 1, and all faces with their chance, best first.

    strange  how badly the best face fits, in units of how well learnt patches fit each other.
    gap      how much worse than its best face either description, by itself, finds this one.
    colour   of its body, see `body_colours`.
    """

    kind: str
    face: str
    certainty: float
    choices: tuple[tuple[str, str, float], ...]
    strange: float
    gap: float
    colour: tuple[float, ...] = ()


class Fits(NamedTuple):
    """How badly each face fits patches, by either description (N, faces), and colours (N, 3)."""

    by_change: Floats
    by_colour: Floats
    colours: Floats

    def of(self, dice: Sequence[int], views: int) -> "Fits":
        """Those of some dice, where so many patches in a row are one die."""
        width = self.by_change.shape[1]
        first, second = (part.reshape(-1, views, width)[dice] for part in self[:2])
        colours = self.colours.reshape(-1, views, 3)[dice]
        return Fits(first.reshape(-1, width), second.reshape(-1, width), colours.reshape(-1, 3))

    def joined(self, other: "Fits", count: int) -> "Fits":
        """Put other patches of the same dice, so many, beside these."""
        return Fits(*(_joined(*parts, count) for parts in zip(self, other, strict=True)))


def _joined(one: Floats, other: Floats, count: int) -> Floats:
    """Join rows of two arrays (count * N, W) and (count * M, W), N and M in turn."""
    rows = [part.reshape(count, -1, one.shape[1]) for part in (one, other)]
    return np.concatenate(rows, axis=1).reshape(-1, one.shape[1])


def features(patches: Pixels) -> Features:
    """Describe what faces show, relative to their bodies: a row for each of (N, 40, 40, 3)."""
    return _described(patches)[0]


def _described(patches: Pixels) -> tuple[Features, Features]:
    """The same, and the colours of the bodies (N, 3); so many at a time as cv2 has channels for."""
    batches = [patches[k : k + _AT_A_TIME] for k in range(0, len(patches), _AT_A_TIME)]
    rims = [rims_of(batch) for batch in batches]
    rows = [_features(batch, body) for batch, body in zip(batches, rims, strict=True)]
    return np.concatenate(rows), np.concatenate(rims)


def _features(patches: Pixels, body: Features) -> Features:
    n = len(patches)
    whole = np.asarray(cv2.GaussianBlur(side_by_side(patches), (0, 0), 0.8))
    soft = whole.reshape(PATCH_PX, PATCH_PX, -1)[INNER, INNER]
    sample = soft[::2, ::2].reshape(-1, n, 3).max(axis=2)
    brightest = np.partition(sample, -10, axis=0)[-10].astype(np.float32)
    light = np.maximum(np.maximum(body.max(axis=1), brightest), np.float32(25.0))
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
        self._kind_colours = np.array(list(self.colours.values())).reshape(-1, 3)
        kinds = list(self.colours)
        self._kind_numbers = np.array([kinds.index(kind) for kind, _ in self.faces], np.intp)
        self.noise = self._typical_distance() if len(whole) else LEAST_NOISE
        self.plain = self._plain_faces()
        self._is_plain = np.array([face in self.plain for face in self.faces], np.bool_)

    def _plain_faces(self) -> frozenset[tuple[str, str]]:
        """Faces that show nothing, one of a kind at most: a faint symbol shows little more.

        Marble and grain show something too, but much less than the other faces of their kind.
        """
        lengths = self._parts[0][1] + self._parts[1][1]
        kinds: dict[str, list[tuple[float, tuple[str, str]]]] = {}
        for number, face in enumerate(self.faces):
            shown = float(np.median(lengths[self.labels == number]))
            kinds.setdefault(face[0], []).append((shown, face))
        return frozenset(face for faces in kinds.values() for face in _plain_of(faces))

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
        return max(LEAST_NOISE, float(np.quantile(known, 0.8)) if known else 0.0)

    def left_out(self, number: int) -> tuple[Floats, Floats]:
        """How far each face is from learnt patch `number`, without it; and each turned patch."""
        apart = np.sum(self._apart(self.rows[4 * number][None]), axis=0)[0]
        apart[4 * number : 4 * number + 4] = math.inf
        return self._by_face(apart[None])[0], apart

    def colour_gaps(self, number: int) -> Floats:
        """How much worse each face fits learnt patch `number` for the colour of its kind."""
        far = colour_distances(self._own_colours[number : number + 1], self._kind_colours)[0]
        scale = (0.5 + MISFIT) * self.noise  # pictures fit half as badly as the worst of them do
        return np.asarray(scale / STEEP * 0.5 * far[self._kind_numbers], np.float64)

    def colours_apart(self, colours: Floats) -> list[dict[str, float]]:
        """How far each colour (N, 3) is from that of each kind, see `colour_distances`."""
        far = colour_distances(colours, self._kind_colours)
        return [dict(zip(self.colours, row, strict=True)) for row in far.tolist()]

    def _apart(self, tried: Features) -> list[Floats]:
        """Squared distances (N, rows), for each of the two descriptions."""
        apart = []
        for (columns, squares), mine in zip(self._parts, _split(tried), strict=True):
            own = np.einsum("ij,ij->i", mine, mine)
            far = own[:, None] + squares[None] - 2 * _products(mine, columns)
            apart.append(np.maximum(far, 0.0).astype(np.float64))
        return apart

    def _by_face(self, apart: Floats) -> Floats:
        """The nearest patch of every face: (N, faces)."""
        starts = np.searchsorted(self.labels, np.arange(len(self.faces)))
        return np.asarray(np.minimum.reduceat(apart, starts, axis=1), np.float64)

    def match(
        self, patches: Pixels, views: int = 1, beside: Sequence[Likeness] = ()
    ) -> list[Likeness]:
        """Tell which face each die shows; so many patches in a row are one die, cut out anew.

        beside  what dice show that were told before, in the same light.
        """
        return self.told(self.fits(patches), views, beside)

    def fits(self, patches: Pixels) -> "Fits":
        """How well each face fits patches (N, 40, 40, 3)."""
        if not len(patches) or not self.faces:
            nothing = np.zeros((len(patches), len(self.faces)))
            return Fits(nothing, nothing, np.zeros((len(patches), 3)))
        rows, rims = _described(patches)
        first, second = (self._by_face(part) for part in self._apart(rows))
        return Fits(first, second, hues_of(rims))

    def told(
        self, fits: "Fits", views: int, beside: Sequence[Likeness] = ()
    ) -> list[Likeness]:  # fmt: skip
        """Tell which face each die shows, as `match`, by how well faces fit its patches."""
        count = len(fits.colours) // views
        if not self.faces:
            return [Likeness("", "", 0.0, (), math.inf, 0.0)] * count
        if not count:
            return []
        parts = [part.reshape(count, views, -1) for part in fits[:2]]
        off = (parts[0] + parts[1]).min(axis=1)
        votes = [part.min(axis=1) for part in parts]
        colours = fits.colours.reshape(count, views, 3).mean(axis=1)
        found = self._judged(off, votes, colours)
        shift = self._shift([*found, *beside])
        if shift is None:
            return found
        again = self._judged(off, votes, colours - shift)
        return [
            one if one.certainty >= SURELY else other
            for one, other in zip(found, again, strict=True)
        ]

    def _shift(self, found: Sequence[Likeness]) -> Floats | None:
        """What this light does to the colours of dice that are known for sure; None for too few."""
        apart = [
            np.array(like.colour) - self.colours[like.kind]
            for like in found if like.certainty >= SURELY
        ]  # fmt: skip
        if len(apart) < 2 or len(apart) == len(found):
            return None
        return np.asarray(np.median(np.array(apart), axis=0), np.float64)

    def _judged(self, off: Floats, parts: Sequence[Floats], colours: Floats) -> list[Likeness]:
        """Weigh how well every face fits dice (N, faces), and the colour of every kind.

        What spoils a picture makes all faces fit worse, so others are compared with the best one.
        Which of several blank faces fits best is chance: there the colour alone tells the kind.
        """
        far = colour_distances(colours, self._kind_colours)[:, self._kind_numbers]
        hues, dice = 0.5 * far, np.arange(len(off))
        least = np.min(off, axis=1, initial=math.inf, where=self._is_plain, keepdims=True)
        scale = off.min(axis=1, keepdims=True) + MISFIT * self.noise
        worse = STEEP * np.where(self._is_plain, least, off) / scale + hues
        chances = np.exp(np.maximum(-60.0, worse.min(axis=1, keepdims=True) - worse))
        chances /= chances.sum(axis=1, keepdims=True)
        order = np.argsort(-chances, axis=1, kind="stable")
        first = order[:, 0]
        votes = [STEEP * part / scale + 0.5 * hues for part in parts]
        gaps = np.max([vote[dice, first] - vote.min(axis=1) for vote in votes], axis=0)
        strange = off[dice, first] / self.noise
        foreign = 0.25 * np.maximum(0.0, far[dice, first] - 9.0)
        familiar = 1 / (1 + np.exp(np.minimum(50.0, 3 * (strange - UNFAMILIAR) + foreign)))
        certain = np.minimum(MOST_CERTAIN, chances[dice, first] * familiar)
        ranked = np.take_along_axis(chances, order, axis=1)
        rows = (order, ranked, certain, strange, gaps, colours)
        return [self._likeness(*row) for row in zip(*(row.tolist() for row in rows), strict=True)]

    def _likeness(
        self, order: list[int], chances: list[float], certainty: float, strange: float,
        gap: float, colour: list[float],
    ) -> Likeness:  # fmt: skip
        choices = tuple((*self.faces[n], p) for n, p in zip(order, chances, strict=True))
        kind, face = self.faces[order[0]]
        return Likeness(kind, face, certainty, choices, strange, gap, tuple(colour))


def _plain_of(faces: list[tuple[float, tuple[str, str]]]) -> list[tuple[str, str]]:
    """The face of one kind that shows nothing, if there is one; `faces`: how much each shows."""
    (least, face), *others = sorted(faces)
    grained = len(others) > 0 and least < min(GRAINED, HARDLY * others[0][0])
    return [face] if least < PLAIN or grained else []


def _split(rows: Features) -> tuple[Features, Features]:
    """The two descriptions: directions of change, and the picture in coarse."""
    end = _CELLS * _CELLS * _WAYS * 3
    return rows[:, :end], rows[:, end:]


def _parts_of(rows: Features) -> list[tuple[Features, Features]]:
    """Both descriptions as columns, and their squared lengths."""
    return [
        (np.ascontiguousarray(part.T), np.asarray(np.einsum("ij,ij->i", part, part)))
        for part in _split(rows)
    ]


def _products(rows: Features, columns: Features) -> Features:
    """Inner products, summed up bit by bit: one large product would be shared out to all cores.

    Waiting for a core that is busy takes longer than the whole product.
    """
    found = np.zeros((len(rows), columns.shape[1]), np.float32)
    step = max(8, AT_ONCE // max(1, found.size))
    for begin in range(0, len(columns), step):
        found += rows[:, begin : begin + step] @ columns[begin : begin + step]
    return found


def colour_distances(ones: Floats, others: Floats) -> Floats:
    """How far colours (N, 3) are from others (K, 3), squared, in units of what light does."""
    apart = (ones[:, None] - others) / (HUE_SPREAD, HUE_SPREAD, LIGHT_SPREAD)
    return np.asarray((apart * apart).sum(axis=-1), np.float64)
