"""Tell by a small network whether a die leans, from how it looks beside one that lies flat.

Theory of operation. Each die is shown as one that lies flat would always look: its upper side is a
square of one size, and what is seen of its other sides lies below it. A die that leans shows other
sides than it should, a side that is no square, and a shadow beside itself. The network was trained
by camera/learn_leaning.py on drawn scenes; it knows no dice set.

How the camera looks at the floor is known to a few degrees only, hardly better than a die leans. So
every die is shown under several slants, and a slant counts the more, the flatter all the *other*
dice look under it.
"""

import math
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.edges import stretches
from camera.halves import Picture
from camera.patches import cut_whole
from camera.seek import Floats
from camera.slant import Slant

WEIGHTS = Path(__file__).with_name("leaning.onnx")
PLANES, SHOWN_PX = 4, 64  # of what the network sees
REACH = 1.9  # half diagonals of an upper side, from its middle to the edge of what is cut out
STRAIGHT = 0.02  # of a half diagonal; a shorter way down has no direction
RINGS_DEG, AROUND = (8.0, 16.0), 6  # around the likeliest slant, of others that are tried; how many
SPREAD_DEG = 10.0  # how well dice tell a slant
USUAL = 2.0  # doubt, at most, that a camera looks straight down
FLAT = -0.5  # vote up to which no other slant has to be tried
MOST = 2.0  # that one die says against a slant: it may lean
COUNTS, ADDED = 0.95, -2.67  # what a vote counts in the log-odds that a die leans, what is added
DOWN = np.array([0.0, 0.0, -1.0])
Singles = npt.NDArray[np.float32]
_BRIGHTNESS = np.log(np.arange(256, dtype=np.float32) + 12)


class LeanVoter:
    """Loads its network once."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights), cv2.dnn.ENGINE_CLASSIC)

    def chances(
        self, picture: Picture, slant: Slant, middles: Floats, sure: npt.NDArray[np.bool_]
    ) -> Floats:
        """How likely dice with these middles (N, 2) lean (N).

        slant  as these dice tell it, or those of earlier rolls.
        sure   (N) which of them are dice for sure.
        """
        if not len(middles):
            return np.zeros(0)
        votes, doubts = np.zeros((0, len(middles))), np.zeros(0)
        told = np.zeros(len(middles))
        for slants in slants_beside(slant):
            more = [self.votes(picture, one, middles) for one in slants]
            votes = np.concatenate([votes, more])
            doubts = np.concatenate([doubts, doubts_of(slant, slants)])
            told = weighed(votes, doubts, sure)
            if (told <= FLAT).all():
                break
        odds = COUNTS * told + ADDED
        return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float64)

    def votes(self, picture: Picture, slant: Slant, middles: Floats) -> Floats:
        """Log-odds (N) that dice with these middles lean, under a slant."""
        self._net.setInput(planes(*upright(picture, slant, middles)))
        return np.asarray(self._net.forward().reshape(-1), np.float64)


def weighed(votes: Floats, doubts: Floats, sure: npt.NDArray[np.bool_]) -> Floats:
    """Log-odds (N) that dice lean, by those under several slants (K, N).

    doubts  (K) how unlikely each slant is, beforehand: minus the logarithm of that.
    sure    (N) whose votes tell how likely it is then.
    """
    against = np.minimum(np.logaddexp(0, votes), MOST) * sure
    cost = against.sum(axis=1, keepdims=True) - against + doubts[:, None]
    weights = np.exp(cost.min(axis=0) - cost)
    weights /= weights.sum(axis=0)
    for_it, against_it = ((weights / (1 + np.exp(way * votes))).sum(axis=0) for way in (-1, 1))
    return np.asarray(np.log(for_it) - np.log(against_it), np.float64)


def slants_beside(slant: Slant) -> list[list[Slant]]:
    """What to try, one after the other: a slant, those around it, those farther away.

    Among the nearer ones is the straight look down that many a camera has.
    """
    turns = (np.arange(AROUND) * 2 * math.pi / AROUND).tolist()
    rings = [
        [tilted_by(slant, far_deg * math.cos(turn), far_deg * math.sin(turn)) for turn in turns]
        for far_deg in RINGS_DEG
    ]
    return [[slant], [*rings[0], slant._replace(normal=DOWN)], *rings[1:]]


def doubts_of(slant: Slant, slants: list[Slant]) -> Floats:
    """How unlikely others are, where dice tell this slant: minus the logarithm of their chances."""
    cosines = [float(one.normal @ slant.normal) for one in slants]
    apart_deg = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    most = [USUAL if one.normal is DOWN else math.inf for one in slants]
    return np.asarray(np.minimum((apart_deg / SPREAD_DEG) ** 2 / 2, most), np.float64)


def tilted_by(slant: Slant, across_deg: float, along_deg: float) -> Slant:
    """The same slant, tilted a little."""
    across = np.cross(slant.normal, (0.0, 1.0, 0.0))
    across /= np.linalg.norm(across)
    along = np.cross(slant.normal, across)
    normal = slant.normal + math.tan(math.radians(across_deg)) * across
    normal = normal + math.tan(math.radians(along_deg)) * along
    return slant._replace(normal=normal / np.linalg.norm(normal))


def upright(picture: Picture, slant: Slant, middles: Floats) -> tuple[Pixels, Floats]:
    """Cut dice out as if seen alike: (N, 64, 64, 3), and how long each way down is (N)."""
    stretch, down = stretches(slant, middles), slant.down(middles)
    way = np.einsum("ni,nij->nj", down, np.linalg.inv(stretch))
    lengths = np.hypot(*way.T)
    angles = np.where(lengths > STRAIGHT, np.arctan2(way[:, 1], way[:, 0]), np.pi / 2)
    across = np.stack([np.sin(angles), -np.cos(angles)], axis=-1)
    below = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    square = REACH * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = square[None, :, :1] * across[:, None] + square[None, :, 1:] * below[:, None]
    return cut_whole(picture, middles[:, None] + corners @ stretch, SHOWN_PX), lengths


def planes(cuts: Pixels, lengths: Floats) -> Singles:
    """What the network sees (N, 4, 64, 64): colours, evenly bright, and the way down all over."""
    whole = np.empty((len(cuts), PLANES, SHOWN_PX, SHOWN_PX), np.float32)
    whole[:, :3] = _BRIGHTNESS[cuts.transpose(0, 3, 1, 2)]
    seen = whole[:, :3].reshape(len(cuts), 3, -1)
    seen -= seen.mean(axis=2, keepdims=True)
    spread = np.sqrt(np.einsum("nck,nck->n", seen, seen) / seen[0].size)
    seen /= (spread + np.float32(0.15))[:, None, None]
    whole[:, 3] = lengths[:, None, None]
    return whole
