"""Who reads the pip dice of a tray: pips need no teaching, and a kind is its nearest colour.

Where the whole picture (camera/pips.py) leaves a doubt, three looks at each die count: in it, cut
out and seen from straight above (camera/pip_anew.py), and by the network that knows pictures only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from camera.doubts import in_words
from camera.faces import CERTAIN
from camera.halves import Halves, Picture
from camera.measures import is_grey
from camera.patches import cut_tops, hues_of, rims_of
from camera.pictures import ANY_PIPS
from camera.pip_anew import Place, doubted, is_in, read_anew
from camera.pip_beside import off_dice, told_unread
from camera.pip_doubts import ONLY_CLOSELY, missed
from camera.pip_floor import ASKEW, KnownFloor
from camera.pip_readings import FLAWED, PipReading
from camera.pip_standing import Asked, Scaled
from camera.pips import read_dice, working_scale
from camera.seek import Floats, Seeker
from camera.slant import box_around
from camera.standing import Standing
from camera.stills import DieReading
from camera.tray_leaning import TrayLeaning
from camera.upper_sides import Top, find_tops
from companion.dice import Die

PIPS = ("1", "2", "3", "4", "5", "6")
COLOUR_SPREAD = np.array([0.30, 0.30, 0.60])  # two of hue, one of brightness; natural logarithms
BODY_DARK = 12.0  # grey levels; see camera/patches.py
FAR = 12.0  # squared distance from which a body is of no known colour
HOT = 0.5  # of the seeker, from which something is read by itself
ALONE = 0.95  # what a face is worth at most that one look saw only
SECONDED_ALONE = 0.5  # of the network, for a face that one look saw only
SECONDED = 0.9  # of the network, for a face that both looks saw ...
THRICE = 0.95  # ... and what that is worth then
MAY_LEAN = 0.5  # chance that a die leans, from which it is doubted ...
ALONE_MAY_LEAN = 0.2  # ... and of one that no other can be compared with
UNSURE = 0.5  # what a face is worth at most where the looks differ


class PipDice:
    """Reads dice with pips, of any colour or of those that a game names.

    The whole picture is read. Where that leaves any doubt, each upper side is looked at once more,
    cut out and seen from straight above. Where both looks are sure of the same face, that is
    enough; every other die is read by itself.

    dice  those of the game; any dice, all of one kind, where none are given.
    """

    def __init__(self, dice: Iterable[Die] = (), seeker: Seeker | None = None) -> None:
        self._seeker = seeker or Seeker()
        self._kinds = {
            die.kind: (colour_of(die.colour), frozenset(die.faces)) for die in dice if has_pips(die)
        }
        self._side_px: float | None = None  # of the dice, as far as earlier pictures told
        self.floor, self.leaning = KnownFloor(), TrayLeaning()
        self.left_over: tuple[str, ...] = ()

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which this camera's pictures stand upright."""
        return self.floor.turns

    @property
    def standing(self) -> Standing:
        """How this camera looks at its tray."""
        return self.leaning.standing

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture."""
        halves, bare = Halves.of(picture), None if empty is None else Halves.of(empty)
        found = find_tops(self._seeker, halves, bare, precise=False, turns=self.turns)
        asked = self.leaning.asked(halves, bare, found, self.turns)
        look = read_dice(
            halves, empty=bare, side_px=self._side_px, floor=self.floor, seeker=self._seeker,
            asked=asked,
        )  # fmt: skip
        self._side_px = look.side_px if look.accepted else self._side_px
        whole = list(look.readings)
        places, flat = _matched(found.tops, asked, whole)
        twice = self._looked_at_twice(halves, places, flat, accepted=look.accepted)
        seen = twice + [(one, square_in(one.box), 1.0) for one in whole]
        kinds = self._kinds_of(halves, np.array([corners for _, corners, _ in seen]))
        readings = [self._reading(*one, *kind) for one, kind in zip(seen, kinds, strict=True)]
        middles = np.array([one.corners.mean(axis=0) for one in readings])
        told = off_dice(missed(look.doubts), found.slant, [corners for _, corners, _ in twice])
        told += told_unread(found.tops, middles, knows_empty=bare is not None)
        self.left_over = in_words(told) if look.readings or not twice else (ONLY_CLOSELY,)
        return readings

    def _looked_at_twice(
        self, picture: Halves, places: Sequence[Place], flat: Sequence[float], *, accepted: bool
    ) -> list[tuple[PipReading, Floats, float]]:
        """What two looks say of the dice at some places, and how sure that is at most.

        accepted  True if nothing was in doubt in the first look.
        Nothing where neither sees a face.
        """
        readings = []
        in_doubt = doubted(picture, places, accepted=accepted)
        for row, ((corners, one), most) in enumerate(zip(places, flat, strict=True)):
            joint, at_most = one, 1.0
            if row in in_doubt:
                anew = read_anew(picture.pixels, corners)
                joint, at_most = _of_both(one, anew, in_doubt[row])
            if one is None and joint is not None:
                joint = self._as_it_lies(picture, joint)
            if joint is not None:
                readings.append((joint, corners, min(at_most, most)))
        return readings

    def _as_it_lies(self, picture: Halves, one: PipReading) -> PipReading:
        """Say of a die that was read by itself whether it lies flat on the floor that is known."""
        if one.upper is None or one.flaw:
            return one
        copied = Scaled(picture, working_scale(picture.pixels))
        top = one.upper.times(copied.scale)
        (flaw,) = self.floor.flaws(copied, [top], top.side_px)
        return replace(one, flaw=flaw, certainty=min(one.certainty, FLAWED if flaw else 1.0))

    def _reading(
        self, one: PipReading, corners: Floats, at_most: float, kind: str, sure: float
    ) -> DieReading:
        """A die of this kind, which is so sure."""
        faces = self._kinds[kind][1] if kind in self._kinds else frozenset(PIPS)
        likeliest = [str(face) for face, _ in one.likeliest]
        choices = tuple(dict.fromkeys(face for face in likeliest if face in faces))
        certainty, face = min(at_most, one.certainty) * sure, str(one.face)
        if face not in faces:
            face, certainty = (choices or tuple(sorted(faces)))[0], 0.0
        flaw = "unsure" if one.flaw == ASKEW else one.flaw
        doubt = flaw or ("" if certainty >= CERTAIN else "unsure")
        shown = "cocked" if one.flaw == "cocked" else face
        box = box_around(corners)
        return DieReading(kind, shown, certainty, box, corners, choices or (face,), doubt)

    def _kinds_of(self, picture: Halves, corners: Floats) -> list[tuple[str, float]]:
        """Kinds of upper sides (N, 4, 2) by the colours of bodies, and how sure these are."""
        if not len(corners):
            return []
        if len(self._kinds) < 2:
            return [(next(iter(self._kinds), ANY_PIPS), 1.0)] * len(corners)
        colours = hues_of(rims_of(cut_tops(picture, corners)), BODY_DARK)[:, None]
        nominal = np.array([colour for colour, _ in self._kinds.values()])
        far = (((colours - nominal) / COLOUR_SPREAD) ** 2).sum(axis=2)
        nearest = far.min(axis=1)
        sure = 1 / np.exp((nearest[:, None] - far) / 2).sum(axis=1)
        sure[(nearest > FAR) | is_grey(picture.pixels)] = 0.0
        names = list(self._kinds)
        kinds = [names[number] for number in far.argmin(axis=1).tolist()]
        return list(zip(kinds, sure.tolist(), strict=True))


def _of_both(
    whole: PipReading | None, cut: PipReading | None, chances: Floats
) -> tuple[PipReading | None, float]:
    """What two looks at a die say together, and how sure that is at most.

    chances  of none and of the faces (7), by the network that knows no pips: where all three agree,
             it does not matter what else there is in the picture.
    """
    if whole is None or cut is None:
        return _of_one(whole or cut, chances)
    if whole.face == cut.face:
        is_sure = chances[whole.face] >= SECONDED and not whole.flaw and not cut.flaw
        least = THRICE if is_sure else 0.0
        return replace(whole, certainty=max(whole.certainty, cut.certainty, least)), 1.0
    best = max(whole, cut, key=lambda one: one.certainty)
    both = tuple(dict.fromkeys((*best.likeliest, *whole.likeliest, *cut.likeliest)))
    return replace(best, likeliest=both), UNSURE


def _of_one(one: PipReading | None, chances: Floats) -> tuple[PipReading | None, float]:
    """What one look alone saw, if it saw anything: the network has to see the same."""
    if one is None or chances[one.face] >= SECONDED_ALONE:
        return one, ALONE
    other = 1 + int(chances[1:].argmax())
    return replace(one, likeliest=(*one.likeliest, (other, float(chances[other])))), UNSURE


def _matched(
    tops: Sequence[Top], asked: Asked | None, whole: list[PipReading]
) -> tuple[list[Place], list[float]]:
    """What was read at upper sides, and the chances that these lie flat, where it may be doubted.

    asked  which of them lean; `whole`, what was read in the picture: what lies there is taken out.
    """
    places: list[Place] = []
    flat: list[float] = []
    may_lean = MAY_LEAN if len(whole) > 1 else ALONE_MAY_LEAN
    leans = [] if asked is None else asked.told.chances.tolist()
    for top, chance in zip(tops, leans, strict=True):
        mine = next((one for one in whole if is_in(one, top.corners)), None)
        if mine is not None:
            whole.remove(mine)
        if mine is not None or top.seen.heat >= HOT:
            places.append((top.corners, mine))
            flat.append(1.0 - chance if chance > may_lean else 1.0)
    return places, flat


def has_pips(die: Die) -> bool:
    """True for a die that can be read without teaching."""
    return set(die.faces) <= set(PIPS)


def square_in(box: tuple[int, int, int, int]) -> Floats:
    """Corners (4, 2) of the square in the middle of a box, clockwise from the upper left."""
    left, top, width, height = box
    half = min(width, height) / 2
    x, y = left + width / 2, top + height / 2
    return np.array(
        [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    )


def colour_of(colour: str) -> Floats:
    """A colour `#rrggbb` as the colour of a body is measured."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    rims = np.array([(blue, green, red)], np.float32)
    return np.asarray(hues_of(rims, BODY_DARK)[0], np.float64)
