"""Tell faces of dice by a few pictures of each: what was learnt once, in whatever light.

A *patch* is the upper side of a die, cut out of the picture and turned upright in one of four ways.
Two readers that work differently compare it with learnt ones, in any of their four turns: one by
how colours change and where (camera/face_features.py), the other is a small network that learnt
what light and lenses do to a picture (camera/face_voter.py). What each finds unlikely counts. The
body's colour tells the kind, in the light that dice with symbols tell of. Whatever is like no
learnt patch to the network is an unknown face; a blank one, which has nothing to be like, must fit
as well as learnt ones fit each other.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.face_features import Features, described, split
from camera.face_voter import FaceVoter
from camera.patches import PATCH_PX, hues_of, resized
from camera.seek import Floats

Places = npt.NDArray[np.intp]
LEAST_NOISE = 4.0  # as if learnt patches never fitted better: other trays and lights differ
HUE_SPREAD, LIGHT_SPREAD = 0.22, 0.9  # of a body's colour from light to light, natural logarithms
STEEP = 4.0  # how fast a face becomes unlikely as it fits worse than the best one ...
MISFIT = 0.4  # ... compared with how badly that fits, and this share of the noise
UNFAMILIAR = 3.6  # times the noise of learnt patches: from there on a face is an unknown one
UNSEEN, UNSEEN_STEEP = 14.6, 1.6  # the same by the network, in log-odds, and how surely
BY_FIT, BY_SIGHT = 0.5, 1.0  # what either counts of how unlikely a face is
PLAIN = 60.0  # squared length of what describes a face; below it, it shows nothing
GRAINED, HARDLY = 120.0, 0.5  # or below this, if it is less than such a share of the next face's
MOST_CERTAIN = 0.999
CERTAIN = 0.9  # readings below are asked about
AT_ONCE = 200_000  # multiplications that one core does by itself
SURELY = 0.95  # certainty from which a die tells how this light changes colours
DISPUTED = 0.85  # what a blank die is worth that would be of another kind in other light


class Likeness(NamedTuple):
    """What a die is taken for: certainty 0 to 1, and all faces with their chance, best first.

    strange  how badly the best face fits, in units of how well learnt patches fit each other.
    gap      how much worse than its best face either description, by itself, finds this one.
    colour   of its body, see `hues_of`.
    """

    kind: str
    face: str
    certainty: float
    choices: tuple[tuple[str, str, float], ...]
    strange: float
    gap: float
    colour: tuple[float, ...] = ()


class Fits(NamedTuple):
    """How badly each face fits patches, by either description (N, faces), and colours (N, 3).

    by_sight  (N, faces) the same by the network, in log-odds.
    """

    by_change: Floats
    by_colour: Floats
    by_sight: Floats
    colours: Floats

    @property
    def by_face(self) -> tuple[Floats, Floats, Floats]:
        """How well faces fit, in three ways."""
        return self.by_change, self.by_colour, self.by_sight

    def of(self, dice: Sequence[int], views: int) -> "Fits":
        """Those of some dice, where so many patches in a row are one die."""
        width = self.by_change.shape[1]
        change, colour, sight = (
            part.reshape(-1, views, width)[dice].reshape(-1, width) for part in self.by_face
        )
        return Fits(change, colour, sight, self.colours.reshape(-1, views, 3)[dice].reshape(-1, 3))

    def joined(self, other: "Fits", count: int) -> "Fits":
        """Put other patches of the same dice, so many, beside these."""
        return Fits(*(_joined(*parts, count) for parts in zip(self, other, strict=True)))


def _joined(one: Floats, other: Floats, count: int) -> Floats:
    """Join rows of two arrays (count * N, W) and (count * M, W), N and M in turn."""
    rows = [part.reshape(count, -1, one.shape[1]) for part in (one, other)]
    return np.concatenate(rows, axis=1).reshape(-1, one.shape[1])


class _Dice(NamedTuple):
    """How badly each face fits dice, in all (N, faces) and in three ways; their colours (N, 3)."""

    off: Floats
    votes: tuple[Floats, ...]
    colours: Floats

    def without(self, shift: Floats) -> "_Dice":
        """The same without what light does to the colours."""
        return self._replace(colours=self.colours - shift)


def _dice_of(fits: Fits, count: int, views: int) -> _Dice:
    """What fits so many dice best, where so many patches in a row are one die."""
    parts = [part.reshape(count, views, -1) for part in fits.by_face]
    votes = tuple(part.min(axis=1) for part in parts)
    colours = fits.colours.reshape(count, views, 3).mean(axis=1)
    return _Dice((parts[0] + parts[1]).min(axis=1), votes, colours)


class FaceMatcher:
    """Tells which learnt face a patch shows.

    patches  kind -> face -> (N, S, S, 3) uint8 BGR, N at least 1.
    kinds    one at least, the only ones that may lie there; all that were learnt by default.
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
        turned = [np.ascontiguousarray(np.rot90(whole, k, (1, 2))) for k in range(4)]
        seen, self._voter = [described(some) for some in turned], FaceVoter()
        rims = seen[0][1]
        self.rows = _in_turns([rows for rows, _ in seen])
        self._parts = _parts_of(self.rows)
        sights = _in_turns([self._voter.described(some, rims) for some in turned])
        self._sights = np.ascontiguousarray(sights.T)
        self._own_colours = hues_of(rims)
        self.colours = self._mean_colours(self._own_colours)
        self._kind_colours = np.array(list(self.colours.values())).reshape(-1, 3)
        kinds = list(self.colours)
        self._kind_numbers = np.array([kinds.index(kind) for kind, _ in self.faces], np.intp)
        self.noise = self._typical_distance()
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

    def unlikely(self, number: int) -> Floats:
        """How unlikely each face is for learnt patch `number`, told without it; 0 for the same."""
        mine = self._sights[:, 4 * number].astype(np.float64)
        apart = mine @ mine - mine @ self._sights
        apart[4 * number : 4 * number + 4] = math.inf
        far = colour_distances(self._own_colours[number : number + 1], self._kind_colours)[0]
        scale = (0.5 + MISFIT) * self.noise  # pictures fit half as badly as the worst of them do
        worse = BY_FIT * STEEP * self.left_out(number)[0] / scale
        worse += BY_SIGHT * self._by_face(apart[None])[0] + 0.5 * far[self._kind_numbers]
        return np.asarray(worse, np.float64)

    def colours_apart(self, colours: Floats) -> list[dict[str, float]]:
        """How far each colour (N, 3) is from that of each kind, see `colour_distances`."""
        far = colour_distances(colours, self._kind_colours)
        return [dict(zip(self.colours, row, strict=True)) for row in far.tolist()]

    def _apart(self, tried: Features) -> list[Floats]:
        """Squared distances (N, rows), for each of the two descriptions."""
        apart = []
        for (columns, squares), mine in zip(self._parts, split(tried), strict=True):
            own = np.einsum("ij,ij->i", mine, mine)
            far = own[:, None] + squares[None] - 2 * _products(mine, columns)
            apart.append(np.maximum(far, 0.0).astype(np.float64))
        return apart

    def _by_face(self, apart: Floats) -> Floats:
        """The nearest patch of every face: (N, faces)."""
        starts = np.searchsorted(self.labels, np.arange(len(self.faces)))
        return np.asarray(np.minimum.reduceat(apart, starts, axis=1), np.float64)

    def match(self, patches: Pixels, views: int = 1) -> list[Likeness]:
        """Tell which face each die shows; so many patches in a row are one die, cut out anew."""
        return self.told(self.fits(patches), views)

    def fits(self, patches: Pixels) -> "Fits":
        """How well each face fits patches (N, 40, 40, 3)."""
        if not len(patches):
            nothing = np.zeros((len(patches), len(self.faces)))
            return Fits(nothing, nothing, nothing, np.zeros((len(patches), 3)))
        rows, rims = described(patches)
        first, second = (self._by_face(part) for part in self._apart(rows))
        alike = _products(self._voter.described(patches, rims), self._sights)
        return Fits(first, second, self._by_face(-alike.astype(np.float64)), hues_of(rims))

    def told(
        self, fits: "Fits", views: int, beside: Sequence[Likeness] = ()
    ) -> list[Likeness]:  # fmt: skip
        """Tell which face each die shows, as `match`, by how well faces fit its patches.

        beside  what dice show that were told before, in the same light.
        """
        count = len(fits.colours) // views
        if not count:
            return []
        dice = _dice_of(fits, count, views)
        found = self._judged(dice)
        sure = [like for like in (*found, *beside) if like.certainty >= SURELY]
        shown = [like for like in sure if self._shows(like)]
        if len(sure) > 1 and len(sure) < len(found) + len(beside):
            found = self._in_light(dice, found, sure)
        return self._checked(dice, found, shown)

    def _shows(self, like: Likeness) -> bool:
        return (like.kind, like.face) not in self.plain

    def _in_light(
        self, dice: _Dice, found: Sequence[Likeness], sure: Sequence[Likeness]
    ) -> list[Likeness]:
        """Tell what those that are not sure show, in the light that the sure ones tell."""
        again = self._judged(dice.without(self._shift(sure)))
        return [
            one if one.certainty >= SURELY else other._replace(colour=one.colour)
            for one, other in zip(found, again, strict=True)
        ]

    def _checked(
        self, dice: _Dice, found: Sequence[Likeness], shown: Sequence[Likeness]
    ) -> list[Likeness]:
        """Be sure of blank dice only where they are the same in the light that symbols tell.

        Their colour alone tells the kind, and light may give one kind the colour of another.
        """
        if not shown or all(self._shows(like) for like in found):
            return list(found)
        again = self._judged(dice.without(self._shift(shown)))
        return [
            one if self._shows(one) else _disputed(one, lit)
            for one, lit in zip(found, again, strict=True)
        ]

    def _shift(self, sure: Sequence[Likeness]) -> Floats:
        """What this light does to the colours of dice (at least one) that are known for sure."""
        apart = [np.array(like.colour) - self.colours[like.kind] for like in sure]
        return np.asarray(np.median(np.array(apart), axis=0), np.float64)

    def _judged(self, seen: _Dice) -> list[Likeness]:
        """Weigh how well every face fits dice (N, faces), and the colour of every kind.

        What spoils a picture makes all faces fit worse, so others are compared with the best one.
        Which of several blank faces fits best is chance: there the colour alone tells the kind.
        """
        off, parts, colours = seen
        far = colour_distances(colours, self._kind_colours)[:, self._kind_numbers]
        hues, dice = 0.5 * far, np.arange(len(off))
        scale = off.min(axis=1, keepdims=True) + MISFIT * self.noise
        sight = self._alike_if_plain(parts[2])
        worse = BY_FIT * STEEP * self._alike_if_plain(off) / scale + BY_SIGHT * sight + hues
        chances = np.exp(np.maximum(-60.0, worse.min(axis=1, keepdims=True) - worse))
        chances /= chances.sum(axis=1, keepdims=True)
        order = np.argsort(-chances, axis=1, kind="stable")
        first = order[:, 0]
        votes = [STEEP * part / scale + 0.5 * hues for part in parts[:2]] + [sight + 0.5 * hues]
        at = (dice, first)
        gaps = np.max([vote[at] - vote.min(axis=1) for vote in votes], axis=0)
        strange = off[at] / self.noise
        familiar = self._familiar(first, strange, parts[2][at], far[at])
        certain = np.minimum(MOST_CERTAIN, chances[at] * familiar)
        ranked = np.take_along_axis(chances, order, axis=1)
        rows = (order, ranked, certain, strange, gaps, colours)
        return [self._likeness(*row) for row in zip(*(row.tolist() for row in rows), strict=True)]

    def _familiar(self, first: Places, strange: Floats, sight: Floats, far: Floats) -> Floats:
        """How likely dice (N) show a learnt face at all, if they are taken for these faces."""
        unknown = np.where(
            self._is_plain[first], 3 * (strange - UNFAMILIAR), UNSEEN_STEEP * (UNSEEN + sight)
        )
        foreign = 0.25 * np.maximum(0.0, far - 9.0)
        return np.asarray(1 / (1 + np.exp(np.minimum(50.0, unknown + foreign))), np.float64)

    def _alike_if_plain(self, worse: Floats) -> Floats:
        """The same (N, faces) with what blank faces fit best, for all of those."""
        least = np.min(worse, axis=1, initial=math.inf, where=self._is_plain, keepdims=True)
        return np.where(self._is_plain, least, worse)

    def _likeness(
        self, order: list[int], chances: list[float], certainty: float, strange: float,
        gap: float, colour: list[float],
    ) -> Likeness:  # fmt: skip
        choices = tuple((*self.faces[n], p) for n, p in zip(order, chances, strict=True))
        kind, face = self.faces[order[0]]
        return Likeness(kind, face, certainty, choices, strange, gap, tuple(colour))


def _disputed(found: Likeness, lit: Likeness) -> Likeness:
    """What a blank die is taken for that was told by itself, and in the light on the others."""
    if (lit.kind, lit.face) == (found.kind, found.face):
        return found._replace(certainty=min(found.certainty, lit.certainty))
    return lit._replace(certainty=DISPUTED * lit.certainty, colour=found.colour)


def _plain_of(faces: list[tuple[float, tuple[str, str]]]) -> list[tuple[str, str]]:
    """The face of one kind that shows nothing, if there is one; `faces`: how much each shows."""
    (least, face), *others = sorted(faces)
    grained = len(others) > 0 and least < min(GRAINED, HARDLY * others[0][0])
    return [face] if least < PLAIN or grained else []


def _in_turns(rows: Sequence[Features]) -> Features:
    """Rows of the same patches (N, W) in four turns: (4 N, W), all turns of a patch together."""
    return np.stack(rows, axis=1).reshape(4 * len(rows[0]), -1)


def _parts_of(rows: Features) -> list[tuple[Features, Features]]:
    """Both descriptions as columns, and their squared lengths."""
    return [
        (np.ascontiguousarray(part.T), np.asarray(np.einsum("ij,ij->i", part, part)))
        for part in split(rows)
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
