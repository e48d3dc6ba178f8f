"""Which dice of one tray lean, by how they look from the side, whatever they show.

Other slants are tried for fewer dice than among those of a learnt set, which takes half as long. Of
165 rasterised pip dice that lean one more is read as flat for that, and of 618 flat ones eight more
are.
"""

import numpy as np

from camera.halves import Halves
from camera.leaning import LeanVoter
from camera.seek import Floats
from camera.standing import Sight, Standing
from camera.stills import known_under
from camera.upper_sides import SURELY_HEAT, Tops

FLAT = -0.5  # vote up to which no other slant is tried


class TrayLeaning:
    """Asks the network that knows no dice set, and remembers how the camera looks at the tray."""

    def __init__(self) -> None:
        self._voter, self._standing = LeanVoter(surely_flat=FLAT), Standing()

    def chances(self, picture: Halves, found: Tops, turns: int) -> Floats:
        """How likely each of these upper sides belongs to a die that leans, 0 to 1.

        turns  quarter turns to the left after which the picture stands upright.
        """
        if found.slant is None:
            return np.zeros(len(found.tops))
        middles = np.array([top.corners.mean(axis=0) for top in found.tops])
        sure = np.array([top.seen.heat >= SURELY_HEAT for top in found.tops])
        hints = np.array([top.seen.leans for top in found.tops])
        known = known_under(self._standing.slant, found.tops, found.slant)
        told = self._voter.leaning(
            picture, known or found.slant, middles, sure,
            is_known=known is not None, hints=hints, turns=turns,
        )  # fmt: skip
        if sure.any():
            sight = Sight(middles[sure], told.downs[sure], told.slant)
            self._standing.saw(sight, picture.pixels.shape[:2])
        return told.chances
