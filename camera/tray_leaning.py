"""Which dice of one tray lean, by how they look from the side, whatever they show.

Other slants are tried for fewer dice than among those of a learnt set, which takes half as long. Of
165 rasterised pip dice that lean one more is read as flat for that, and of 618 flat ones eight more
are.
"""

from collections.abc import Sequence

import numpy as np

from camera.halves import Halves
from camera.leaning import Leaning, LeanVoter
from camera.pip_standing import Asked
from camera.slant import Slant
from camera.standing import Sight, Standing, may_be_used
from camera.upper_sides import SURELY_HEAT, Top, Tops

FLAT = -0.5  # vote up to which no other slant is tried


class TrayLeaning:
    """Asks the network that knows no dice set, and remembers how the camera looks at the tray."""

    def __init__(self) -> None:
        self._voter, self._standing = LeanVoter(surely_flat=FLAT), Standing()

    def asked(self, picture: Halves, found: Tops, turns: int) -> Asked | None:
        """Which of these upper sides belong to dice that lean; none without any.

        turns  quarter turns to the left after which the picture stands upright.
        """
        if found.slant is None:
            return None
        told, sight = leaning_in(
            self._voter, picture, found.tops, found.slant, self._standing.slant, turns
        )
        if sight is not None:
            self._standing.saw(sight, picture.pixels.shape[:2])
        return Asked(np.array([top.corners for top in found.tops]), told)


def leaning_in(
    voter: LeanVoter, picture: Halves, tops: Sequence[Top], slant: Slant, standing: Slant | None,
    turns: int,
) -> tuple[Leaning, Sight | None]:  # fmt: skip
    """Ask which of the dice of a picture lean, and how its surer ones see the tray, if any do.

    slant     as the finder tells it; `standing`, what earlier pictures told.
    turns     quarter turns to the left after which the picture stands upright.
    """
    middles = np.array([top.corners for top in tops]).mean(axis=1)
    sure = np.array([top.seen.heat >= SURELY_HEAT for top in tops])
    hints = np.array([top.seen.leans for top in tops])
    known = _known(standing, tops, slant)
    told = voter.leaning(
        picture, known or slant, middles, sure,
        is_known=known is not None, hints=hints, turns=turns,
    )  # fmt: skip
    return told, Sight(middles[sure], told.downs[sure], told.slant) if sure.any() else None


def _known(standing: Slant | None, tops: Sequence[Top], slant: Slant) -> Slant | None:
    """What is known of a camera, unless surer dice tell together that it was moved."""
    sure = [top.seen for top in tops if top.seen.heat >= SURELY_HEAT]
    if standing is None or not sure:
        return standing
    middles, downs = np.array([one.middle for one in sure]), np.array([one.down for one in sure])
    return standing if may_be_used(standing, Sight(middles, downs, slant)) else None
