"""Tell what upper sides of dice show, and how sure that is in this light."""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from camera.bare import may_be_shade
from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.faces import CERTAIN, FaceMatcher, Likeness
from camera.glare import is_bold, is_burnt, is_pale, is_washed, side_colours, through_glare
from camera.halves import Halves
from camera.measures import is_grey
from camera.patches import Singles, cut_tops, hues_of, rims_of, stretched
from camera.seek import Floats, ways_of
from camera.slant import Slant
from camera.upper_sides import SURELY_HEAT, Top

HOT = 0.6  # of the seeker, from which something that is no known die may be another, or badly seen
CLEAR = 0.99  # certainty from which a die is looked at in two views only
POOR, SECOND = 0.5, 0.85  # certainty below which a wider look is tried; what that is worth
NEAR = ((0, 0, 0), (-0.04, 0, 0), (0.04, 0, 0), (0, -0.04, 0), (0, 0.04, 0), (0, 0, -0.06),
        (0, 0, 0.06))  # fmt: skip
ASKEW = [(*place, size) for size in (1.0, 0.9) for place in NEAR]  # sides, radians, times
BESIDE = 0.13 * np.array([(x, y) for x in (-1.0, 0, 1) for y in (-1.0, 0, 1)])  # of a side
MAY_BE_SHADE = 0.5  # what is worth that may be a die or a shadow
INNER, BURNT_PART = slice(8, 32), 0.05  # of what is cut out; of that, what may be a symbol
MAY_BE_GLARE = 0.5  # what a blank face is worth that is burnt out in part
MAY_BE_OTHER = 0.5  # what is worth that has no colour
IN_SHADOW = 40  # grey level of a side, below which it hardly tells a colour
OTHER = 3.0  # so much further from the colour of its kind than from another's, it is of that
FLAT = 0.96  # of a side that is looked at: the rest is the rounded edge
VIEWS = (1.0, 0.93)  # sizes in which an upper side is cut out
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


class TopFaces:
    """Reads upper sides of dice of a learnt set.

    kinds  the only kinds that may lie there; all that were learnt by default.
    """

    def __init__(self, looks: DiceLooks, kinds: Collection[str] | None = None) -> None:
        self._matcher = FaceMatcher(looks.patches, kinds)
        self._need_colours = self._are_told_by_colours(looks)
        self._pale = {
            (kind, face) for kind, face in self._matcher.plain
            if is_pale(looks.patches[kind][face]) and self._would_others_show(looks, kind)
        }  # fmt: skip

    def _would_others_show(self, looks: DiceLooks, kind: str) -> bool:
        """True if all symbols of a kind are so dark that too much light leaves some of them."""
        symbols = set(self._matcher.faces) - self._matcher.plain
        return all(is_bold(looks.patches[one][face]) for one, face in symbols if one == kind)

    def _are_told_by_colours(self, looks: DiceLooks) -> bool:
        """True for dice of several kinds that were shown in colour."""
        known = self._matcher.faces
        if len({kind for kind, _ in known}) < 2:
            return False
        learnt = np.concatenate([looks.patches[kind][face].reshape(-1, 3) for kind, face in known])
        return not is_grey(learnt[None])

    def lack_colours(self, picture: Halves) -> bool:
        """True for a picture without the colours by which dice of several kinds are told apart."""
        return self._need_colours and is_grey(picture.pixels)

    def is_blank(self, like: Likeness) -> bool:
        """True for what shows nothing, or is taken for it."""
        return (like.kind, like.face) in self._matcher.plain

    def read(
        self, picture: Halves, empty: Halves | None, tops: Sequence[Top], slant: Slant
    ) -> list[Likeness]:  # fmt: skip
        """Tell what the upper sides of one picture show; `empty`: the tray without dice."""
        corners = np.array([top.corners for top in tops])
        cuts = cut_tops(picture, _views(corners).reshape(-1, 4, 2))
        likes = self._look(picture, corners, cuts)
        likes = self._look_again(picture, tops, likes)
        likes = self._less_in_shade(picture, empty, tops, likes)
        likes = self._less_in_glare(cuts[:: len(VIEWS)], likes)
        sides = side_colours(picture.pixels, slant, corners)
        sides[~is_washed(rims_of(cuts[:: len(VIEWS)]), sides)] = np.nan
        likes = self._through_glare(picture, tops, sides, likes)
        if self.lack_colours(picture):
            return [_less_sure(like, MAY_BE_OTHER) for like in likes]
        return likes

    def _look(self, picture: Halves, corners: Floats, cuts: Pixels) -> list[Likeness]:
        """Look at dice; at those that are not clear from a little beside too.

        Corners are seldom exact.
        """
        fits = self._matcher.fits(cuts)
        again = self._matcher.told(fits, len(VIEWS))
        unclear = [number for number, like in enumerate(again) if like.certainty < CLEAR]
        if not unclear:
            return again
        beside = _askew(corners[unclear])
        more = self._matcher.fits(cut_tops(picture, beside.reshape(-1, 4, 2)))
        both = fits.of(unclear, len(VIEWS)).joined(more, len(unclear))
        clear = [like for like in again if like.certainty >= CLEAR]
        closer = self._matcher.told(both, len(VIEWS) + beside.shape[1], clear)
        for number, like in zip(unclear, closer, strict=True):
            again[number] = like
        return again

    def _look_again(
        self, picture: Halves, tops: Sequence[Top], likes: Sequence[Likeness]
    ) -> list[Likeness]:
        """Look at dice that look like nothing known a little beside, and with more contrast."""
        poor = [
            number for number, (like, top) in enumerate(zip(likes, tops, strict=True))
            if like.certainty < POOR and top.seen.heat > HOT
        ]  # fmt: skip
        again = list(likes)
        if not poor:
            return again
        corners = np.array([tops[number].corners for number in poor])
        beside = (corners[:, None] + (BESIDE @ ways_of(corners))[:, :, None]).reshape(-1, 4, 2)
        plain = cut_tops(picture, flat_part(beside))
        both = np.stack([plain, stretched(plain)], axis=1).reshape(-1, *plain.shape[1:])
        for number, like in zip(poor, self._matcher.match(both, 2 * len(BESIDE)), strict=True):
            if SECOND * like.certainty > again[number].certainty:
                again[number] = _less_sure(like, SECOND)
        return again

    def _less_in_shade(
        self, picture: Halves, empty: Halves | None, tops: Sequence[Top], likes: Sequence[Likeness]
    ) -> list[Likeness]:
        """Be sure of no blank die that could be the floor in shadow: a dark one looks just so."""
        again = list(likes)
        doubtful = [
            number for number, (like, top) in enumerate(zip(likes, tops, strict=True))
            if self.is_blank(like) and top.seen.heat < SURELY_HEAT
        ]  # fmt: skip
        if empty is None or not doubtful:
            return again
        corners = np.array([tops[number].seen.corners for number in doubtful])
        for number, shady in zip(doubtful, may_be_shade(picture, empty, corners), strict=True):
            if shady:
                again[number] = _less_sure(again[number], MAY_BE_SHADE)
        return again

    def _less_in_glare(self, cuts: Pixels, likes: Sequence[Likeness]) -> list[Likeness]:
        """Be sure of no blank die that a mirrored lamp may hide the symbol of.

        One that is burnt out in part may show a light symbol, and a coloured one that is burnt out
        wholly may be any die.
        """
        again = list(likes)
        blank = [
            number for number, like in enumerate(likes)
            if self.is_blank(like) and like.certainty >= CERTAIN
        ]  # fmt: skip
        burnt = is_burnt(cuts[blank, INNER, INNER]).mean(axis=(1, 2))
        for number, share in zip(blank, burnt.tolist(), strict=True):
            may_be_so = (likes[number].kind, likes[number].face) in self._pale
            if share > BURNT_PART and (share < 1 - BURNT_PART or not may_be_so):
                again[number] = _less_sure(again[number], MAY_BE_GLARE)
        return again

    def _through_glare(
        self, picture: Halves, tops: Sequence[Top], sides: Singles, likes: Sequence[Likeness]
    ) -> list[Likeness]:
        """Read pale upper sides again that are not clear, or blank ones that may be others.

        sides  (N, 3) colours of the sides below, nan for all that are not pale.
        """
        again = list(likes)
        apart = self._matcher.colours_apart(hues_of(sides))
        lost = [
            side.max() >= IN_SHADOW and self._is_lost(like, far)
            for like, far, side in zip(likes, apart, sides, strict=True)
        ]
        pale = np.flatnonzero(~np.isnan(sides[:, 0])).tolist()
        tried = [number for number in pale if lost[number] or likes[number].certainty < CERTAIN]
        if not tried:
            return again
        corners = np.array([tops[number].corners for number in tried])
        found = self._seen_through(picture, corners, sides[tried])
        for number, like in zip(tried, found, strict=True):
            worth = POOR if lost[number] else likes[number].certainty
            if SECOND * like.certainty > worth or (
                lost[number] and likes[number].certainty < CERTAIN
            ):
                again[number] = _less_sure(like, SECOND)
            elif lost[number]:
                again[number] = _less_sure(likes[number], MAY_BE_GLARE)
        return again

    def _seen_through(self, picture: Halves, corners: Floats, sides: Singles) -> list[Likeness]:
        """Tell what is seen through glare on bodies with sides (N, 3) of these colours."""
        squares = np.concatenate([_views(corners), _askew(corners)], axis=1)
        cuts, views = cut_tops(picture, squares.reshape(-1, 4, 2)), squares.shape[1]
        clear = through_glare(cuts, np.repeat(sides, views, axis=0))
        return self._matcher.match(clear, views)

    def _is_lost(self, like: Likeness, far: Mapping[str, float]) -> bool:
        """Whether a pale upper side was taken for a blank one of a kind that its sides are not."""
        return self.is_blank(like) and far[like.kind] > min(far.values()) + OTHER


def _less_sure(like: Likeness, share: float) -> Likeness:
    """The same with so much of its certainty."""
    return like._replace(certainty=share * like.certainty)


def flat_part(corners: Floats, size: float = 1.0) -> Floats:
    """What is flat of upper sides (..., 4, 2), or so much of that."""
    middles = corners.mean(axis=-2, keepdims=True)
    return np.asarray(middles + FLAT * size * (corners - middles), np.float64)


def _views(corners: Floats) -> Floats:
    """What is cut out of upper sides (N, 4, 2): (N, views, 4, 2)."""
    return np.stack([flat_part(corners, view) for view in VIEWS], axis=1)


def _askew(corners: Floats) -> Floats:
    """The same of what lies a little beside, is turned or smaller: (N, len(ASKEW), 4, 2)."""
    middles = corners.mean(axis=1)
    ways = ways_of(corners)
    squares = []
    for x, y, turn, size in ASKEW:
        cos, sin = math.cos(turn), math.sin(turn)
        unit = FLAT * size * _SQUARE @ np.array([(cos, sin), (-sin, cos)]) + (x, y)
        squares.append(middles[:, None] + unit @ ways)
    return np.stack(squares, axis=1)
