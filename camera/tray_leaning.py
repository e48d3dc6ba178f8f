"""Which dice of one tray lean, by how they look from the side, whatever they show.

A die that few others can be compared with looks flat under one slant or another. There the tray
itself has a say: by its straight edges (camera/vanishing.py), or by the outline that somebody drew
(camera/outline.py). Neither tells the lens, so a die that lies flat with any of three does. Whoever
throws things around a tray that are none, or draws an outline carelessly, is asked more, and not
told that dice lean.

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
from camera.slant import Slant, hulls
from camera.standing import TOGETHER, Sight, Standing, may_be_used
from camera.upper_sides import SURELY_HEAT, Top, Tops

FLAT = -0.5  # vote up to which no other slant is tried
AGREED = -5.0  # log-odds that dice lean, up to which the tray is not asked, which takes long
CLEAR = -6.0  # the same of a die, below which it lies flat in the tray as it is seen
ASKED = 1.0  # the same of one that is asked about, and not said to lean


class TrayLeaning:
    """Asks the network that knows no dice set, and remembers how the camera looks at the tray."""

    def __init__(self) -> None:
        self._voter, self.standing = LeanVoter(surely_flat=FLAT), Standing()

    def asked(
        self, picture: Halves, empty: Halves | None, found: Tops, turns: int
    ) -> Asked | None:  # fmt: skip
        """Which of these upper sides belong to dice that lean; none without any.

        empty  the tray without dice, if it is known.
        turns  quarter turns to the left after which the picture stands upright.
        """
        if found.slant is None:
            return None
        told, sight = leaning_in(
            self._voter, picture, empty, found.tops, found.slant, self.standing, turns
        )  # fmt: skip
        if sight is not None:
            self.standing.saw(sight, picture.pixels.shape[:2])
        return Asked(np.array([top.corners for top in found.tops]), told)


def leaning_in(
    voter: LeanVoter, picture: Halves, empty: Halves | None, tops: Sequence[Top], slant: Slant,
    standing: Standing, turns: int,
) -> tuple[Leaning, Sight | None]:  # fmt: skip
    """Ask which of the dice of a picture lean, and how its surer ones see the tray, if any do.

    empty     the tray without dice, if it is known.
    slant     as the finder tells it; `standing`, what is known of the camera.
    turns     quarter turns to the left after which the picture stands upright.
    """
    corners = np.array([top.corners for top in tops])
    middles, sure = corners.mean(axis=1), np.array([top.seen.heat >= SURELY_HEAT for top in tops])
    hints = np.array([top.seen.leans for top in tops])
    known = _known(standing.slant, tops, slant)
    ask = partial(voter.leaning, picture, middles=middles, sure=sure, hints=hints, turns=turns)
    told = ask(known or slant, is_known=known is not None)
    sight = Sight(middles[sure], told.downs[sure], told.slant) if sure.any() else None
    if known is None and (sure.sum() < TOGETHER or (told.odds > AGREED).any()):
        tray = standing.expected(picture, empty, hulls(slant, corners))
        lenses = [one.as_large_as(slant, middles) for one in tray]
        fitting = [one for one in lenses if sight is None or may_be_used(one, sight)]
        seen = [ask(one, is_known=True).odds for one in fitting]
        told = told._replace(odds=_in_tray(seen, told.odds)) if seen else told
    return told, sight


def _in_tray(seen: Sequence[Floats], odds: Floats) -> Floats:
    """Log-odds (N) that dice lean: in the tray as it is seen, with each lens, and without it.

    What clearly lies flat there with one of them does. What may lean there is asked about, or what
    may lean beside the other dice; it is only said to lean where the dice tell so themselves.
    """
    best = np.min(seen, axis=0)
    doubted = np.maximum(odds, np.minimum(best, ASKED))
    return np.asarray(np.where(best < CLEAR, best, doubted), np.float64)


def _known(standing: Slant | None, tops: Sequence[Top], slant: Slant) -> Slant | None:
    """What is known of a camera, unless surer dice tell together that it was moved."""
    sure = [top.seen for top in tops if top.seen.heat >= SURELY_HEAT]
    if standing is None or not sure:
        return standing
    middles, downs = np.array([one.middle for one in sure]), np.array([one.down for one in sure])
    return standing if may_be_used(standing, Sight(middles, downs, slant)) else None
