"""Which dice of one tray lean, by how they look from the side, whatever they show.

A die that nothing can be compared with looks flat under one slant or another. Where somebody drew
the tray's outline, that tells the slant, if not the lens: of 280 rasterised flat dice, each alone
under a camera that nobody knew, 133 were asked about without an outline, and 8 with one whose
corners were off by a hundredth of the tray's width (by two hundredths 18, by five 124); of 280 that
lean 7 were not doubted without, and 2 with it (2, and 9).

Other slants are tried for fewer dice than among those of a learnt set, which takes half as long. Of
165 rasterised pip dice that lean one more is read as flat for that, and of 618 flat ones eight more
are.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from camera.halves import Halves
from camera.leaning import Leaning, LeanVoter
from camera.pip_standing import Asked
from camera.seek import Floats
from camera.slant import Slant
from camera.standing import TOGETHER, Known, Sight, Standing, may_be_used
from camera.upper_sides import SURELY_HEAT, Top, Tops

FLAT = -0.5  # vote up to which no other slant is tried
ASKED = 1.0  # log-odds of a die that is asked about, and not said to lean


class TrayLeaning:
    """Asks the network that knows no dice set, and remembers how the camera looks at the tray."""

    def __init__(self) -> None:
        self._voter, self.standing = LeanVoter(surely_flat=FLAT), Standing()

    def asked(self, picture: Halves, found: Tops, turns: int) -> Asked | None:
        """Which of these upper sides belong to dice that lean; none without any.

        turns  quarter turns to the left after which the picture stands upright.
        """
        if found.slant is None:
            return None
        told, sight = leaning_in(
            self._voter, picture, found.tops, found.slant, self.standing.known, turns
        )
        if sight is not None:
            self.standing.saw(sight, picture.pixels.shape[:2])
        return Asked(np.array([top.corners for top in found.tops]), told)


def leaning_in(
    voter: LeanVoter, picture: Halves, tops: Sequence[Top], slant: Slant, known: Known, turns: int,
) -> tuple[Leaning, Sight | None]:  # fmt: skip
    """Ask which of the dice of a picture lean, and how its surer ones see the tray, if any do.

    slant     as the finder tells it.
    turns     quarter turns to the left after which the picture stands upright.
    """
    middles = np.array([top.corners for top in tops]).mean(axis=1)
    sure = np.array([top.seen.heat >= SURELY_HEAT for top in tops])
    hints = np.array([top.seen.leans for top in tops])
    standing = _standing(known.slant, tops, slant)
    ask = partial(voter.leaning, picture, middles=middles, sure=sure, hints=hints, turns=turns)
    told = ask(standing or slant, is_known=standing is not None)
    if standing is None and known.drawn and sure.sum() < TOGETHER:
        lenses = (one.as_large_as(slant, middles) for one in known.drawn)
        drawn = np.min([ask(one, is_known=True).odds for one in lenses], axis=0)
        told = told._replace(odds=_as_drawn(drawn, told.odds))
    return told, Sight(middles[sure], told.downs[sure], told.slant) if sure.any() else None


def _as_drawn(drawn: Floats, odds: Floats) -> Floats:
    """Log-odds (N) that dice lean: as a drawn outline has it, with the best lens, and without it.

    What lies flat in the tray as it was drawn does. What leans there is asked about, for the
    outline may be wrong; it is only said to lean where the dice alone tell so, too.
    """
    return np.minimum(drawn, np.maximum(odds, ASKED))


def _standing(standing: Slant | None, tops: Sequence[Top], slant: Slant) -> Slant | None:
    """What is known of a camera, unless surer dice tell together that it was moved."""
    sure = [top.seen for top in tops if top.seen.heat >= SURELY_HEAT]
    if standing is None or not sure:
        return standing
    middles, downs = np.array([one.middle for one in sure]), np.array([one.down for one in sure])
    return standing if may_be_used(standing, Sight(middles, downs, slant)) else None
