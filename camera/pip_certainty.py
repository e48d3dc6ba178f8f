"""How sure a reading is: the opinions of both readers, turned into a chance that holds.

The map from opinions to chances is monotone. Its knots come from `train_certainty.py`: from made-up
pictures and from one half of the photographs that the weights were trained on. Where a roll
leaves any doubt, the same opinion is right less often, so there are two maps.
"""

import numpy as np

from camera.pip_blobs import Floats
from camera.pip_faces import Face

# (opinion, share of right readings); the shares are a little lower than what was counted
IN_ACCEPTED = ((0.0, 0.3), (0.8, 0.6), (0.88, 0.87), (0.95, 0.91), (0.97, 0.95), (0.982, 0.97),
               (0.985, 0.99), (1.0, 0.997))  # fmt: skip
IN_DOUBTFUL = ((0.0, 0.0), (0.3, 0.13), (0.55, 0.25), (0.73, 0.45), (0.86, 0.63), (0.92, 0.72),
               (0.96, 0.83), (0.982, 0.87), (0.99, 0.95), (1.0, 0.97))  # fmt: skip


def opinion(top: Face, chances: Floats) -> float:
    """Join both readers' opinions, 0 to 1: neither alone makes a reading certain."""
    return float(chances[top.value] * (0.9 + 0.1 * top.quality))


def certainty(top: Face, chances: Floats, *, accepted: bool) -> float:
    """Give the chance that a reading is right, in a roll that is accepted or not."""
    opinions, shares = zip(*(IN_ACCEPTED if accepted else IN_DOUBTFUL), strict=True)
    return float(np.interp(opinion(top, chances), opinions, shares))
