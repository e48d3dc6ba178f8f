"""Whether a die with pips lies flat: by its pips, and by what is seen of its other sides.

Theory of operation. Nearly upright, the ellipse of a pip changes with the square of a slope, and
what is seen of a die's other sides with the slope itself: so those tell small slopes that pips do
not. The network of camera/leaning.py looks at each die as if it lay flat on the plane that the pips
tell (camera/pip_planes.py), and tells which way down it shows. All dice of the picture, and those
that lay flat in earlier ones, say with their ways down what that plane is really like.
"""

import math
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.agreed_slant import Earlier
from camera.halves import Halves
from camera.leaning import Leaning, LeanVoter
from camera.pip_blobs import Floats
from camera.pip_faces import Face
from camera.pip_planes import Floor, Plane, floor_under, lean_shares, shared_plane
from camera.pip_shapes import axes_squared, median
from camera.seek import Seeker, Seen, sides_of
from camera.slant import Slant, hulls, hulls_of
from camera.standing import TOGETHER
from camera.upper_sides import SAME_SIDES, SURE_HEAT
from camera.vanishing import slants_seen

ENOUGH = 2  # dice of earlier pictures, beside which one die alone can be said to lean
SURELY_FLAT = -1.5  # vote up to which no other slants have to be tried: pips have a say, too
VOTED, ADDED = 0.35, 0.4  # what the network's log-odds count beside ellipses, what is added
LEAST_ODDS = -4.0  # on a floor that is known, where ellipses tell more by themselves
MOST_SHARES = 3.0  # of a leaning die's ellipse; more of them tell nothing more
HINTED = 1.5  # what the seeker's hint counts of a die that nothing can be compared with
HINTED_LESS = 0.4  # what less it counts of any other
SAME = 0.25  # of a side, up to which a die that is found again lies where it lay
ALIKE = 1.5  # times as large, below which a die that is found again is as large as it was
HEARD = 16  # dice of earlier pictures that are heard, the newest ones
TRAY_VOTED, TRAY_ADDED = 0.2, 1.0  # what log-odds count in the tray as it is seen, what is added
NEARLY = math.cos(math.radians(15.0))  # between the floor of a tray and a plane that dice tell
DOUBTED = 0.05  # of what makes a die lean, from which the tray is asked about one of several


class Asked(NamedTuple):
    """Upper sides (N, 4, 2) of dice in a picture, and what the network tells of these."""

    corners: Floats
    told: Leaning

    @property
    def middles(self) -> Floats:
        """Where they are (N, 2)."""
        return np.asarray(self.corners.mean(axis=1), np.float64)


class Scaled:
    """A picture in which dice were found, and what is told of their sides: asked for once.

    picture  (H, W, 3) BGR.
    scale    of the copy of it in which places of dice are given.
    seeker   finds dice in it too, where there is one; `turns`, how often it is turned for that,
             by a quarter to the left.
    asked    what was asked of some of its dice before, when the tray was heard as well.
    empty    the tray without dice, if it is known.
    """

    def __init__(
        self, picture: Halves, scale: float, seeker: Seeker | None = None, turns: int = 0,
        asked: Asked | None = None, empty: Halves | None = None,
    ) -> None:  # fmt: skip
        self.picture, self.scale, self._seeker, self._turns = picture, scale, seeker, turns
        self._empty = empty
        self._asked = asked
        self._told = [] if asked is None else [(asked.middles, asked.told)]

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the copy."""
        width, height = self.picture.size_px
        return round(height * self.scale), round(width * self.scale)

    def are_dice(self, tops: Sequence[Face]) -> bool:
        """True if all of these were asked about before: as dice, and of the same size."""
        return self._asked_of(tops) is not None

    def covers(self, places: Floats, tops: Sequence[Face]) -> npt.NDArray[np.bool_]:
        """Which places (N, 2) are on one of these dice, its sides as well, as was asked before."""
        mine = self._asked_of(tops)
        if mine is None:
            return np.zeros(len(places), np.bool_)
        wholes, there = hulls(mine.told.slant, mine.corners), (places / self.scale).tolist()
        inside = [any(cv2.pointPolygonTest(one, at, False) >= 0 for one in wholes) for at in there]
        return np.array(inside, np.bool_)

    def _asked_of(self, tops: Sequence[Face]) -> Asked | None:
        """Upper sides that were asked about for these dice; none if one of them was not."""
        if self._asked is None:
            return None
        corners, told = self._asked
        sides_px = told.slant.sides(self._asked.middles)
        rows = _same(_middles(self, tops), self._asked.middles, float(sides_px.min()))
        if rows is None:
            return None
        larger = np.array([top.side_px for top in tops]) / self.scale / sides_px[rows]
        is_alike = larger.max() < ALIKE and larger.min() > 1 / ALIKE
        return Asked(corners[rows], told) if is_alike else None

    def hint(self, top: Face, least: float = 0.0) -> float:
        """How likely a die leans, 0 to 1, as the seeker tells it; 0 where it sees none.

        least  heat that it must have.
        """
        if not len(self._places[0]):
            return 0.0
        middles, sides_px = self._places
        away = np.hypot(*(middles - top.at / self.scale).T)
        near = np.flatnonzero(away < SAME_SIDES * sides_px).tolist()
        best = max((self._seen[number] for number in near), key=lambda one: one.heat, default=None)
        return best.leans if best is not None and best.heat >= least else 0.0

    @cached_property
    def tray(self) -> Sequence[Slant]:
        """How the tray tells by its straight edges that it is looked at, for each lens.

        Nothing if it was heard before, or nobody knows which edges are those of dice.
        """
        if self._asked is not None:
            return ()
        if self._empty is not None:
            return slants_seen(self._empty.pixels)
        if self._seeker is None:
            return ()
        corners = np.array([one.corners for one in self._seen]).reshape(-1, 4, 2)
        downs = np.array([one.down for one in self._seen]).reshape(-1, 1, 2)
        return slants_seen(self.picture.pixels, hulls_of(corners, downs))

    @cached_property
    def _seen(self) -> list[Seen]:
        """What the seeker sees."""
        if self._seeker is None:
            return []
        return self._seeker.seek(self.picture, turns=self._turns)

    @cached_property
    def _places(self) -> tuple[Floats, Floats]:
        """Where that is: middles (N, 2), and how long its sides are (N)."""
        corners = np.array([one.corners for one in self._seen]).reshape(-1, 4, 2)
        return corners.mean(axis=1), sides_of(corners)

    def odds(self, slant: Slant, middles: Floats, earlier: Earlier | None) -> Floats:
        """Log-odds (N) that dice with these middles (N, 2), in the picture, lean on a plane."""
        for places, told in self._told:
            rows = _same(middles, places, slant.scale)
            if len(places) == len(middles) and rows is not None:
                return np.asarray(told.by_sight[rows])
        sure = np.ones(len(middles), np.bool_)
        new = _voter().leaning(self.picture, slant, middles, sure, earlier=earlier)
        self._told.append((middles, new))
        return new.by_sight

    def ways(self, slant: Slant, middles: Floats) -> Floats:
        """Ways down (N, 2) that these dice show, in pixels of the picture."""
        for places, told in self._told:
            rows = _same(middles, places, slant.scale)
            if rows is not None:
                return np.asarray(told.downs[rows])
        return _voter().ways(self.picture, slant, middles)


def _same(middles: Floats, places: Floats, side_px: float) -> npt.NDArray[np.intp] | None:
    """Which of some places (M, 2) dice (N, 2) lie at; None if one of them lies elsewhere."""
    apart = np.hypot(*(middles[:, None] - places).transpose(2, 0, 1))
    return apart.argmin(axis=1) if apart.min(axis=1).max() < SAME * side_px else None


def off_plane(
    seen: Scaled, tops: Sequence[Face], side_px: float, floor: Floor | None = None
) -> Floats:
    """Tell how far dice (N,) of a picture lie in another plane than the others; from 1 they lean.

    side_px  edge of the dice, seen from straight above, where they were found.
    floor    what earlier pictures told.
    One die alone has no others: a leaning one looks like any die seen from the side, but for what
    it stands on. The seeker has seen that: what it does not take for flat is asked about, and of
    several dice what it is sure of. The tray says more, where its edges tell how it is looked at.
    """
    is_known = floor is not None and len(floor.tops) >= ENOUGH
    if len(tops) < 2 and not is_known:
        off = np.array([min(1.0, HINTED * seen.hint(top)) for top in tops])
    else:
        off = _off_others(seen, tops, side_px, floor, is_known=is_known)
    return off if is_known else _in_tray(seen, tops, side_px, off)


def _off_others(
    seen: Scaled, tops: Sequence[Face], side_px: float, floor: Floor | None, *, is_known: bool
) -> Floats:
    """The same, beside the other dice of this picture and of those before.

    is_known  whether those before are enough to compare a die with.
    """
    plane = shared_plane(tops, seen.shape, floor)
    shares = np.minimum(lean_shares(tops, plane), MOST_SHARES)
    slant = slant_under(seen, tops, side_px, plane)
    earlier = None if floor is None else _heard(floor, seen.scale)
    odds = seen.odds(slant, _middles(seen, tops), earlier)
    if is_known:
        odds = np.maximum(odds, LEAST_ODDS)
    hints = np.array([seen.hint(top, SURE_HEAT) for top in tops])
    return np.maximum(shares + VOTED * odds + ADDED, hints - HINTED_LESS)


def _in_tray(seen: Scaled, tops: Sequence[Face], side_px: float, off: Floats) -> Floats:
    """The same, with what the tray has to say of dice that may lean; it tells none to do so."""
    is_few = len(tops) < TOGETHER
    doubted = np.flatnonzero((off <= 1) & (is_few | (off > DOUBTED)))
    if not len(doubted) or not seen.tray:
        return off
    slant = slant_under(seen, tops, side_px, shared_plane(tops, seen.shape))
    fitting = [one for one in seen.tray if is_few or float(slant.normal @ one.normal) > NEARLY]
    middles = _middles(seen, tops)[doubted]
    told = [
        _voter().leaning(
            seen.picture, lens.as_large_as(slant, middles), middles,
            np.ones(len(middles), np.bool_), is_known=True,
        ).by_sight
        for lens in fitting
    ]  # fmt: skip
    if told:
        off[doubted] += TRAY_VOTED * np.min(told, axis=0) + TRAY_ADDED
        off[doubted] = np.minimum(off[doubted], 1.0)
    return off


def seen_floor(seen: Scaled, tops: Sequence[Face], side_px: float, before: Floor | None) -> Floor:
    """Give what dice that lie flat tell of the floor, the last ones of `tops` seen in a picture.

    before  what was told without them: the first ones of `tops` are all of its.
    """
    plane = floor_under(tops, seen.shape)
    new = tops[0 if before is None else len(before.tops) :]
    slant = slant_under(seen, new, side_px, plane)
    ways = seen.ways(slant, _middles(seen, new)) * seen.scale
    known = ways if before is None else np.concatenate([before.ways, ways])
    return Floor(tuple(tops), known, plane.normal, plane.focal)


def slant_under(seen: Scaled, tops: Sequence[Face], side_px: float, plane: Plane) -> Slant:
    """Tell how the camera looks at a plane, in the picture's size, if dice have this edge.

    tops, side_px  one die at least, and the edge, as seen from straight above, where they were
                   found.
    """
    size = np.array(seen.picture.size_px)
    toward = plane.normal if plane.normal[2] < 0 else -plane.normal
    slant = Slant(toward, 1.0, plane.focal * float(size.max()), (size - 1) / 2)
    _, longest = axes_squared(2 * slant.shapes(_middles(seen, tops)))
    return slant._replace(scale=side_px / seen.scale / median(np.sqrt(longest)))


class _Own(threading.local):
    """What each thread has by itself: a network answers one at a time."""

    @cached_property
    def voter(self) -> LeanVoter:
        return LeanVoter(surely_flat=SURELY_FLAT)


_OWN = _Own()


def _voter() -> LeanVoter:
    return _OWN.voter


def _heard(floor: Floor, scale: float) -> Earlier:
    middles = np.array([top.at for top in floor.tops[-HEARD:]])
    return Earlier(middles / scale, floor.ways[-HEARD:] / scale)


def _middles(seen: Scaled, tops: Sequence[Face]) -> Floats:
    return np.array([top.at for top in tops]) / seen.scale
