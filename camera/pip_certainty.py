"""How sure a reading is: the opinions of both readers, turned into a chance that holds.

The map from opinions to chances is monotone. Its knots come from `train_certainty.py`: from made-up
pictures and from the half of the photographs that the weights were trained on. Where a roll
leaves any doubt, the same opinion is right less often, so there are two maps.
"""

import numpy as np

from camera.pip_blobs import Floats
from camera.pip_faces import Face

# (opinion, share of right readings); the shares are a little lower than what was counted:
# 734 of 734 right in accepted rolls of 112 photographs and 300 made-up tables, 632 in doubtful
IN_ACCEPTED = ((0.0, 0.3), (0.8, 0.9), (0.9, 0.96), (0.95, 0.985), (0.97, 0.99), (1.0, 0.996))
IN_DOUBTFUL = ((0.0, 0.0), (0.3, 0.1), (0.48, 0.2), (0.68, 0.5), (0.85, 0.68), (0.91, 0.8),
               (0.946, 0.9), (0.975, 0.95), (0.99, 0.97), (1.0, 0.98))  # fmt: skip


def opinion(top: Face, chances: Floats) -> float:
    """Join both readers' opinions, 0 to 1: neither alone makes a reading certain."""
    return float(chances[top.value] * (0.9 + 0.1 * top.quality))


def certainties(tops: list[Face], chances: Floats, *, accepted: bool) -> list[float]:
    """Give the chances that readings are right, in a roll that is accepted or not."""
    opinions, shares = zip(*(IN_ACCEPTED if accepted else IN_DOUBTFUL), strict=True)
    own = [opinion(top, chance) for top, chance in zip(tops, chances, strict=True)]
    return [float(share) for share in np.interp(own, opinions, shares)]
