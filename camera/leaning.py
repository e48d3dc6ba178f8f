"""Tell by a small network whether a die leans, from how it looks under a slant that is known.

Theory of operation. Each die is shown as one that lies flat would always look: its upper side is a
square of one size, and what is seen of its other sides lies below it. A die that leans shows other
sides than it should, a side that is no square, and a shadow beside itself. The network was trained
by camera/learn_leaning.py on drawn scenes; it knows no dice set.
"""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from camera.canvas import Pixels
from camera.edges import stretches
from camera.halves import Picture
from camera.patches import PATCH_PX, cut_tops
from camera.seek import Floats
from camera.slant import Slant

WEIGHTS = Path(__file__).with_name("leaning.onnx")
SHOWN_PX = 32  # of a picture that the network sees
REACH = 1.9  # half diagonals of an upper side, from its middle to the edge of what is cut out
STRAIGHT = 0.02  # of a half diagonal; a shorter way down has no direction
SOME = 4  # dice tell a slant together; more are no better
MANY, USUAL = 5, -1.5  # so many dice do not lean all; the vote on one that lies flat
KNOWN = 1.25  # what a slant counts that is known from other pictures
LEAST_ODD = np.array([0.05, 0.1, 0.03])  # of shape, way down, outline: what is less tells little
LEAST_FOUND = 0.08  # chance of the finder's: it hardly ever says more of a die that is alone
# log-odds that a die leans: of all, for the logarithms of how odd shape, way down and outline are,
# for the network's vote, and for the finder's; fitted to drawn scenes
LEANS = np.array([4.7, 0.0, 0.42, 1.2, 0.9, 1.65])
LEANS_KNOWN = np.array([1.4, 0.0, 1.7, 0.5, 0.77, 0.0])  # where the slant is known beforehand
Singles = npt.NDArray[np.float32]


class LeanVoter:
    """Loads its network once."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights), cv2.dnn.ENGINE_CLASSIC)

    def odds(self, picture: Picture, slant: Slant, middles: Floats, trust: float) -> Floats:
        """Log-odds (N) that dice with these middles (N, 2) lean; `trust` as `trust_in` says."""
        if not len(middles):
            return np.zeros(0)
        cuts, lengths = upright(picture, slant, middles)
        self._net.setInput(planes(cuts, lengths, np.full(len(cuts), trust)))
        return np.asarray(self._net.forward().reshape(-1), np.float64)


def trust_in(count: int) -> float:
    """How far a slant can be trusted that so many dice of the same picture tell."""
    return min(count, SOME) / SOME


def upright(picture: Picture, slant: Slant, middles: Floats) -> tuple[Pixels, Floats]:
    """Cut dice out as if seen alike: (N, 32, 32, 3), and how long each way down is (N)."""
    stretch, down = stretches(slant, middles), slant.down(middles)
    way = np.einsum("ni,nij->nj", down, np.linalg.inv(stretch))
    lengths = np.hypot(*way.T)
    angles = np.where(lengths > STRAIGHT, np.arctan2(way[:, 1], way[:, 0]), np.pi / 2)
    across = np.stack([np.sin(angles), -np.cos(angles)], axis=-1)
    below = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    square = REACH * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = square[None, :, :1] * across[:, None] + square[None, :, 1:] * below[:, None]
    spare = (PATCH_PX - SHOWN_PX) // 2
    shown = slice(spare, spare + SHOWN_PX)
    return cut_tops(picture, middles[:, None] + corners @ stretch)[:, shown, shown], lengths


def planes(cuts: Pixels, lengths: Floats, trust: Floats) -> Singles:
    """What the network sees (N, 5, 32, 32): colours, evenly bright, and two numbers all over."""
    whole = np.empty((len(cuts), 5, SHOWN_PX, SHOWN_PX), np.float32)
    whole[:, :3] = cuts.transpose(0, 3, 1, 2)
    seen = whole[:, :3].reshape(len(cuts), 3, -1)
    seen += np.float32(12.0)
    np.log(seen, out=seen)
    seen -= seen.mean(axis=2, keepdims=True)
    spread = np.sqrt(np.einsum("nck,nck->n", seen, seen) / seen[0].size)
    seen /= (spread + np.float32(0.15))[:, None, None]
    whole[:, 3] = lengths[:, None, None]
    whole[:, 4] = trust[:, None, None]
    return whole


def levelled(votes: Floats) -> Floats:
    """Votes (N) on sure dice, as they would be if most of many lay flat: else the slant is off."""
    if len(votes) < MANY:
        return votes
    return np.asarray(votes - max(0.0, float(np.median(votes)) - USUAL), np.float64)


def lean_chances(
    odd: Floats, warped: Floats, votes: Floats, found: Floats, *, is_known: bool
) -> Floats:
    """How likely each die leans (N), by its shape beside that of a flat one, and by the networks.

    odd     (N, 2) as `Slant.disagrees`; warped (N, 3) as `camera.edges.Fitted`; votes (N) log-odds.
    found   (N) how likely whoever found them takes it that they lean.
    """
    shapes = np.column_stack((odd, np.linalg.norm(warped, axis=1)))
    weights = LEANS_KNOWN if is_known else LEANS
    found = np.clip(found, LEAST_FOUND, 1 - LEAST_FOUND)
    odds = weights[0] + np.log(shapes + LEAST_ODD) @ weights[1:4]
    odds += weights[4] * votes + weights[5] * np.log(found / (1 - found))
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float64)
