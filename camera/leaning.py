"""Tell by a small network whether a die leans, from how it looks beside one that lies flat.

Theory of operation. Each die is shown as one that lies flat would always look: its upper side is a
square of one size, and what is seen of its other sides lies below it. A die that leans shows other
sides than it should, a side that is no square, and a shadow beside itself. The network was trained
by camera/learn_leaning.py on drawn scenes; it knows no dice set.

It tells how likely a die leans, if the slant is right, and which way down the die really shows.
The finder tells the slant to several degrees only, hardly better than a die leans. But the ways
down of all dice tell it better (camera/agreed_slant.py), and each die is shown again, under the
slant that all others agree on, until that stays. Where a die may lean, slants beside that one are
tried too, and count the more, the better the others fit. The finder, which saw the whole picture,
has a say as well, where it was asked. A die that no other can be compared with, under a camera
that nobody knows, looks flat under one slant or another: there the finder, which saw what it
stands on, says more than the network, and so does a slant under which hardly any camera looks.
"""

import math
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from camera.agreed_slant import KNOWN, Earlier, Ways
from camera.canvas import Pixels
from camera.edges import stretches
from camera.halves import Picture
from camera.patches import cut_whole
from camera.seek import Floats, chances_of, log_odds
from camera.slant import Slant, Slants, level_axes

WEIGHTS = Path(__file__).with_name("leaning.onnx")
PLANES, SHOWN_PX = 4, 64  # of what the network sees
AT_ONCE = 4  # no slower than all of them together; what a network holds grows with their number
REACH = 1.9  # half diagonals of an upper side, from its middle to the edge of what is cut out
STRAIGHT = 0.02  # of a half diagonal; a shorter way down has no direction
LONGEST = 3.0  # half diagonals; what is seen more from the side is told no better
FOUND = 0.18  # radians, how well the finder tells a slant
RINGS_DEG, AROUND = (3.5, 7.0), 6  # around a slant, of others that are tried; how many
LOOKS = 3  # at most, under slants that are told better and better
CLEAREST, POOREST = -4.5, 1.5  # logarithms of how well a way down can be told
TRUST = math.sqrt(4 / math.pi)  # of a side, how far ways are off, each way, where that is 0
UNLIKELY = 4.0  # minus the logarithm of how likely a slant is beside the best; then it is not tried
SAME = math.cos(math.radians(2.0))  # between slants under which dice look alike
FLAT = -4.0  # vote up to which no other slant has to be tried
COUNTS, ADDED = 0.95, -1.6  # what a vote counts in the log-odds that a die leans, what is added
HINT_COUNTS, HINT_ADDED = 0.3, 1.2  # the same for what the finder tells of it
MOST_HINT = 6.0  # log-odds with which it is heard at most
ALONE = -1.0  # is added to those of a die that nothing can be compared with, if nobody hints
ALONE_COUNTS, ALONE_HINT_COUNTS, ALONE_ADDED = 0.15, 0.75, 0.6  # instead of all these, if one does
STEEP, STEEP_COUNTS = 0.6, 20.0  # sine of a camera's angle to straight down; what more counts
ASKEW, ASKEW_COUNTS = 0.2, 10.0  # the same of what it looks to a side
Singles = npt.NDArray[np.float32]
_BRIGHTNESS = np.log(np.arange(256, dtype=np.float32) + 12)


class Upright(NamedTuple):
    """How dice are shown: what is cut out, (N, 4, 2) corners, and the way back from there.

    stretch        (N, 2, 2) symmetric, from half diagonals to pixels.
    across, below  (N, 2) directions in what is cut out.
    lengths        (N) of the ways down, in half diagonals.
    """

    corners: Floats
    stretch: Floats
    across: Floats
    below: Floats
    lengths: Floats

    def shown(self, picture: Picture) -> tuple[Pixels, Floats]:
        """Cut dice out as if seen alike: (N, 64, 64, 3), and how long each way down is (N)."""
        return cut_whole(picture, self.corners, SHOWN_PX), self.lengths

    def ways(self, gaps: Floats) -> Floats:
        """Ways down (N, 2) in pixels, by how far they are from those expected, in half diagonals.

        gaps  (N, 2) across and below.
        """
        below = gaps[:, 1:] + self.lengths[:, None]
        way = gaps[:, :1] * self.across + below * self.below
        return np.asarray(np.einsum("ni,nij->nj", way, self.stretch), np.float64)

    def gaps(self, ways: Floats) -> Floats:
        """How far ways down (N, 2) in pixels are from those expected."""
        way = np.einsum("ni,nij->nj", ways, np.linalg.inv(self.stretch))
        across, below = (way * self.across).sum(axis=1), (way * self.below).sum(axis=1)
        return np.column_stack([across, below - self.lengths])


class Told(NamedTuple):
    """What the network tells of dice.

    votes  (N) log-odds that they lean.
    ways   (N, 2) down, in pixels; `offs`, (N) of a side, how far those are off, each way.
    """

    votes: Floats
    ways: Floats
    offs: Floats


class Leaning(NamedTuple):
    """Log-odds that dice lean (N); the slant that most agree on; ways down (N, 2) in pixels.

    by_sight  the same log-odds, without what the finder tells of it.
    """

    odds: Floats
    slant: Slant
    downs: Floats
    by_sight: Floats

    @property
    def chances(self) -> Floats:
        """How likely dice lean (N)."""
        return chances_of(self.odds)


class LeanVoter:
    """Loads its network once."""

    def __init__(self, weights: Path = WEIGHTS, *, surely_flat: float = FLAT) -> None:
        self._surely_flat = surely_flat
        self._net = cv2.dnn.readNetFromONNX(str(weights), cv2.dnn.ENGINE_CLASSIC)

    def leaning(
        self, picture: Picture, slant: Slant, middles: Floats, sure: npt.NDArray[np.bool_], *,
        is_known: bool = False, earlier: Earlier | None = None, hints: Floats | None = None,
        turns: int = 0,
    ) -> Leaning:  # fmt: skip
        """Tell which dice lean.

        slant    as the finder tells it or, if `is_known`, as earlier rolls do.
        middles  (N, 2) of upper sides, in pixels; `sure`, (N), which are dice for sure.
        earlier  what is known of dice that lay flat in earlier pictures by the same camera.
        hints    (N) how likely each leans, 0 to 1, as the finder tells it.
        turns    to the left, by quarters, after which the picture stands upright.
        """
        if not len(middles):
            return Leaning(np.zeros(0), slant, np.zeros((0, 2)), np.zeros(0))
        looked, spread = slant.for_each(len(middles)), KNOWN if is_known else FOUND
        for _ in range(LOOKS):
            told = _told(self._net, picture, looked, middles)
            heard = Ways(slant, spread, middles, told.ways, told.offs, sure, earlier)
            agreed = heard.agreed()
            before, looked = looked, agreed.beside
            if _are_same(before, looked) or (told.votes <= self._surely_flat).all():
                break
        votes = self._rated(picture, heard, before, middles, told)
        is_alone = (sure.sum() == sure) & (not is_known and earlier is None)
        odd = _oddness(agreed.slant.normal, turns)
        odds = _odds(votes, hints, is_alone, odd)
        return Leaning(odds, agreed.slant, told.ways, COUNTS * votes + ADDED)

    def ways(self, picture: Picture, slant: Slant, middles: Floats) -> Floats:
        """Tell which ways down (N, 2) dice show, in pixels, one at least; seen once."""
        return _told(self._net, picture, slant.for_each(len(middles)), middles).ways

    def _rated(
        self, picture: Picture, heard: Ways, looked: Slants, middles: Floats, told: Told
    ) -> Floats:  # fmt: skip
        """Log-odds (N) that dice lean: as told and, in doubt, as told under slants around."""
        votes = told.votes.copy()
        for die in np.flatnonzero(votes > self._surely_flat).tolist():
            slants = heard.around(die, around(looked.normals[die]), looked.focal)
            tried = np.concatenate([looked.normals[die : die + 1], slants.normals])
            doubts = heard.doubts(tried, looked.focal, die)
            likely = np.flatnonzero(doubts[1:] < doubts.min() + UNLIKELY)
            if len(likely):
                there = np.tile(middles[die], (len(likely), 1))
                beside = _told(self._net, picture, slants.only(likely), there)
                doubts = doubts[np.append(0, likely + 1)]
                votes[die] = weighed(np.append(votes[die], beside.votes), doubts)
        return votes


def _odds(
    votes: Floats, hints: Floats | None, is_alone: npt.NDArray[np.bool_], odd: float
) -> Floats:
    """Log-odds (N) that dice lean, by the network's votes and the finder's hints.

    is_alone  (N) which have no other beside them that is surely a die, and no known slant.
    odd       log-odds against a camera that looks so that these lie flat.
    """
    odds = COUNTS * votes + ADDED
    if hints is None:
        return np.asarray(odds + ALONE * (is_alone & (len(votes) == 1)), np.float64)
    heard = np.clip(log_odds(hints), -MOST_HINT, MOST_HINT)
    odds += HINT_COUNTS * heard + HINT_ADDED
    alone = ALONE_COUNTS * votes + ALONE_HINT_COUNTS * heard + ALONE_ADDED + odd
    return np.where(is_alone, alone, odds)


def _oddness(normal: Floats, turns: int) -> float:
    """Log-odds against a camera that sees the floor so (3,): few look so steeply, or so askew."""
    steep, askew = float(np.hypot(*normal[:2])), abs(float(normal[turns % 2]))
    return STEEP_COUNTS * max(0.0, steep - STEEP) + ASKEW_COUNTS * max(0.0, askew - ASKEW)


def _are_same(some: Slants, others: Slants) -> bool:
    """True if slants hardly differ from others."""
    return bool(((some.normals * others.normals).sum(axis=1) > SAME).all())


def _told(net: Any, picture: Picture, slants: Slants, middles: Floats) -> Told:
    """Look at dice with these middles (N, 2), each under its own slant."""
    shown = upright(slants, middles)
    cuts, lengths = shown.shown(picture)
    looks = []
    for begin in range(0, len(cuts), AT_ONCE):
        few = slice(begin, begin + AT_ONCE)
        net.setInput(planes(cuts[few], lengths[few]))
        looks.append(np.asarray(net.forward(), np.float64))
    seen = np.concatenate(looks)
    offs = TRUST * np.exp(np.clip(seen[:, 3], CLEAREST, POOREST))
    return Told(seen[:, 0], shown.ways(seen[:, 1:3]), offs)


def weighed(votes: Floats, doubts: Floats) -> float:
    """Log-odds that a die leans, by those under several slants (K).

    doubts  (K) how unlikely each slant is: minus the logarithm of that.
    """
    weights = np.exp(doubts.min() - doubts)
    for_it, against_it = ((weights / (1 + np.exp(way * votes))).sum() for way in (-1, 1))
    return float(np.log(for_it) - np.log(against_it))


def around(normal: Floats) -> Floats:
    """Normals (K, 3) of slants around one, the nearer ones first."""
    turns = np.arange(AROUND) * 2 * np.pi / AROUND
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    return tilted(normal, np.concatenate([far_deg * ring for far_deg in RINGS_DEG]))


def tilted(normal: Floats, by_deg: Floats) -> Floats:
    """Normals (K, 3) like one (3,), tilted across and along by so many degrees (K, 2)."""
    normals = normal + np.tan(np.radians(by_deg)) @ np.stack(level_axes(normal))
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float64)


def upright(slant: Slant | Slants, middles: Floats) -> Upright:
    """How dice with these middles (N, 2) are shown upright."""
    stretch, down = stretches(slant, middles), slant.down(middles)
    way = np.einsum("ni,nij->nj", down, np.linalg.inv(stretch))
    lengths = np.hypot(*way.T)
    angles = np.where(lengths > STRAIGHT, np.arctan2(way[:, 1], way[:, 0]), np.pi / 2)
    across = np.stack([np.sin(angles), -np.cos(angles)], axis=-1)
    below = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    square = REACH * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = square[None, :, :1] * across[:, None] + square[None, :, 1:] * below[:, None]
    return Upright(middles[:, None] + corners @ stretch, stretch, across, below, lengths)


def planes(cuts: Pixels, lengths: Floats) -> Singles:
    """What the network sees (N, 4, 64, 64): colours, evenly bright, and the way down all over."""
    whole = np.empty((len(cuts), PLANES, SHOWN_PX, SHOWN_PX), np.float32)
    rows = np.ascontiguousarray(cuts.transpose(0, 3, 1, 2)).reshape(-1, SHOWN_PX)
    whole[:, :3] = cv2.LUT(rows, _BRIGHTNESS).reshape(whole[:, :3].shape)
    seen = whole[:, :3].reshape(len(cuts), 3, -1)
    seen -= seen.mean(axis=2, keepdims=True)
    spread = np.sqrt(np.einsum("nck,nck->n", seen, seen) / seen[0].size)
    seen /= (spread + np.float32(0.15))[:, None, None]
    whole[:, 3] = np.minimum(lengths, LONGEST)[:, None, None]
    return whole
