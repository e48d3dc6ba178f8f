"""Who reads the dice of a tray once they lie: learnt symbols, pips, or both in one tray.

All of them answer with the same readings, so that whoever waits for rest need not know which dice
are thrown. Dice with pips need no teaching: their face is read by camera/pips.py, their kind is the
nearest of the colours in the game's box.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from camera.calibrate import Zone
from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.doubts import in_words
from camera.faces import CERTAIN
from camera.halves import Halves, Picture
from camera.measures import is_grey
from camera.patches import cut_top, rims_of
from camera.pictures import ANY_PIPS
from camera.pip_anew import FROM_BOTH_SIDES, Place, doubts_about, is_in, read_anew, votes_on
from camera.pip_beside import off_dice, told_unread
from camera.pip_doubts import ONLY_CLOSELY, missed
from camera.pip_floor import ASKEW, KnownFloor
from camera.pip_readings import FLAWED, PipReading
from camera.pip_standing import Asked, Scaled
from camera.pips import read_dice, working_scale
from camera.seek import Floats, Seeker
from camera.standing import Standing
from camera.stills import DieReading, StillReader
from camera.top_faces import flat_part
from camera.tray_leaning import TrayLeaning
from camera.upper_sides import Top, find_tops
from companion.dice import Die

PIPS = ("1", "2", "3", "4", "5", "6")
COLOUR_SPREAD = np.array([0.30, 0.30, 0.60])  # two of hue, one of brightness; natural logarithms
FAR = 12.0  # squared distance from which a body is of no known colour
HOT = 0.5  # of the seeker, from which something is read by itself
ALONE = 0.95  # what a face is worth at most that one look saw only
SECONDED = 0.9  # of the network, for a face that both looks saw ...
THRICE = 0.95  # ... and what that is worth then
MAY_LEAN = 0.5  # chance that a die leans, from which it is doubted ...
ALONE_MAY_LEAN = 0.2  # ... and of one that no other can be compared with
UNSURE = 0.5  # what a face is worth at most where the looks differ


class Reader(Protocol):
    """Reads the dice of one picture."""

    @property
    def left_over(self) -> tuple[str, ...]:
        """What may be dice in the last picture that were not read, in words."""
        ...

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which this camera's pictures stand upright."""
        ...

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture (H, W, 3) uint8 BGR; `empty` is the tray without dice, if known."""
        ...


KnownTrays = dict[tuple[Zone, type[Reader]], Reader]
"""Who read the dice of each sort in a zone: readers of one sort share how its tray lies."""


class SymbolDice:
    """Reads dice of a learnt set in one tray, whose camera stands still."""

    left_over: tuple[str, ...] = ()  # the empty tray tells it better

    def __init__(self, looks: DiceLooks, kinds: Iterable[str] | None, seeker: Seeker) -> None:
        self._reader = StillReader(looks, None if kinds is None else set(kinds), seeker)

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which this camera's pictures stand upright."""
        return self._reader.upright.turns

    @property
    def standing(self) -> Standing:
        """How this camera looks at its tray."""
        return self._reader.standing

    def knows_with(self, other: "SymbolDice") -> None:
        """Share with another reader of the same tray what is known of it."""
        self._reader.standing = other._reader.standing
        self._reader.upright = other._reader.upright

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture."""
        return list(self._reader.dice(picture, empty=empty).readings)


class _WorkedOn:
    """A picture, and what of it is made for the first die that asks for it."""

    def __init__(self, picture: Halves) -> None:
        self.picture = picture

    @property
    def pixels(self) -> Pixels:
        """The picture itself."""
        return self.picture.pixels

    @cached_property
    def is_grey(self) -> bool:
        """True if it holds no colours."""
        return is_grey(self.pixels)

    @cached_property
    def copied(self) -> Scaled:
        """It with the scale of its working copy."""
        return Scaled(self.picture, working_scale(self.pixels))


class PipDice:
    """Reads dice with pips, of any colour or of those that a game names.

    The whole picture is read, and each upper side is looked at once more, cut out and seen from
    straight above. Where both looks are sure of the same face, that is enough; every other die is
    read by itself.

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

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture."""
        halves, bare = Halves.of(picture), None if empty is None else Halves.of(empty)
        found = find_tops(self._seeker, halves, bare, precise=False, turns=self.turns)
        asked = self.leaning.asked(halves, found, self.turns)
        look = read_dice(
            halves, empty=bare, side_px=self._side_px, floor=self.floor, seeker=self._seeker,
            asked=asked,
        )  # fmt: skip
        self._side_px = look.side_px if look.accepted else self._side_px
        whole = list(look.readings)
        places, flat = _matched(found.tops, asked, whole)
        worked_on = _WorkedOn(halves)
        twice = self._looked_at_twice(worked_on, places, flat)
        readings = twice + [self._reading(worked_on, one, square_in(one.box)) for one in whole]
        middles = np.array([one.corners.mean(axis=0) for one in readings])
        told = off_dice(missed(look.doubts), found.slant, [one.corners for one in twice])
        told += told_unread(found.tops, middles, knows_empty=bare is not None)
        self.left_over = in_words(told) if look.readings or not twice else (ONLY_CLOSELY,)
        return readings

    def _looked_at_twice(
        self, worked_on: _WorkedOn, places: Sequence[Place], flat: Sequence[float]
    ) -> list[DieReading]:
        """What two looks say of the dice at some places; none where neither sees a face."""
        readings, pixels = [], worked_on.pixels
        votes = votes_on(pixels, places)
        doubts = doubts_about(votes, places)
        for (corners, one), chances, in_doubt, most in zip(
            places, votes, doubts, flat, strict=True
        ):
            anew = read_anew(pixels, corners) if in_doubt else None
            joint, at_most = _of_both(one, anew, chances) if in_doubt else (one, 1.0)
            if one is None and joint is not None:
                joint = self._as_it_lies(worked_on, joint)
            if joint is not None:
                readings.append(self._reading(worked_on, joint, corners, min(at_most, most)))
        return readings

    def _as_it_lies(self, worked_on: _WorkedOn, one: PipReading) -> PipReading:
        """Say of a die that was read by itself whether it lies flat on the floor that is known."""
        if one.upper is None or one.flaw:
            return one
        top = one.upper.times(worked_on.copied.scale)
        (flaw,) = self.floor.flaws(worked_on.copied, [top], top.side_px)
        return replace(one, flaw=flaw, certainty=min(one.certainty, FLAWED if flaw else 1.0))

    def _reading(
        self, worked_on: _WorkedOn, one: PipReading, corners: Floats, at_most: float = 1.0
    ) -> DieReading:
        kind, sure = self._kind(worked_on, corners)
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

    def _kind(self, worked_on: _WorkedOn, corners: Floats) -> tuple[str, float]:
        """The nearest kind by the colour of the body, and how sure that is, 0 to 1."""
        if not self._kinds:
            return ANY_PIPS, 1.0
        if len(self._kinds) == 1:
            return next(iter(self._kinds)), 1.0
        colour = hues(cut_top(worked_on.pixels, corners))
        far = {
            kind: float((((colour - nominal) / COLOUR_SPREAD) ** 2).sum())
            for kind, (nominal, _) in self._kinds.items()
        }
        best = min(far, key=lambda kind: far[kind])
        if worked_on.is_grey:
            return best, 0.0
        total = sum(math.exp((far[best] - value) / 2) for value in far.values())
        return best, 1 / total if far[best] <= FAR else 0.0


def _of_both(
    whole: PipReading | None, cut: PipReading | None, chances: Floats
) -> tuple[PipReading | None, float]:
    """What two looks at a die say together, and how sure that is at most.

    chances  of none and of the faces (7), by the network that knows no pips: where all three agree,
             it does not matter what else there is in the picture.
    """
    if whole is None or cut is None:
        return whole or cut, ALONE
    if whole.face == cut.face:
        is_sure = chances[whole.face] >= SECONDED and not whole.flaw and not cut.flaw
        least = THRICE if is_sure else 0.0
        return replace(whole, certainty=max(whole.certainty, cut.certainty, least)), 1.0
    best = max(whole, cut, key=lambda one: one.certainty)
    both = tuple(dict.fromkeys((*best.likeliest, *whole.likeliest, *cut.likeliest)))
    return replace(best, likeliest=both), UNSURE


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


class MixedDice:
    """Reads learnt dice and pip dice that lie in one tray: for each die whoever is surer."""

    left_over: tuple[str, ...] = ()  # symbols may look like the pips of a die that was not read

    def __init__(self, readers: Sequence[Reader]) -> None:
        self.readers = tuple(readers)

    @property
    def turns(self) -> int:
        """Quarter turns to the left after which this camera's pictures stand upright."""
        return max(reader.turns for reader in self.readers)

    def read(self, picture: Picture, empty: Picture | None) -> list[DieReading]:
        """Read a picture; where both are sure of one die, neither is."""
        found: list[DieReading] = []
        halves = Halves.of(picture)
        for reader in self.readers:
            for one in reader.read(halves, empty):
                number = next((n for n, other in enumerate(found) if _is_same(one, other)), None)
                if number is None:
                    found.append(one)
                    continue
                rest, best = sorted((one, found[number]), key=lambda each: each.certainty)
                found[number] = _less(best, 1 - rest.certainty)
        return found


def _less(reading: DieReading, share: float) -> DieReading:
    certainty = reading.certainty * share
    doubt = reading.doubt or ("" if certainty >= CERTAIN else "unsure")
    return reading._replace(certainty=certainty, doubt=doubt)


def _is_same(one: DieReading, other: DieReading) -> bool:
    side_px = float(np.hypot(*(one.corners[1] - one.corners[0])))
    between = one.corners.mean(axis=0) - other.corners.mean(axis=0)
    return float(np.hypot(*between)) < FROM_BOTH_SIDES * max(1.0, side_px)


def reader_for(
    looks: DiceLooks | None, dice: Iterable[Die] = (), seeker: Seeker | None = None
) -> Reader:
    """Whoever reads these dice: learnt ones by what was learnt, those with pips without.

    dice  those that may lie there; all that were learnt where none are given, and without
          anything learnt, pip dice of any colour.
    """
    listed, seeker = list(dice), seeker or Seeker()
    pips = [die for die in listed if has_pips(die)]
    readers: list[Reader] = []
    kinds = {die.kind for die in listed if not has_pips(die)} if listed else None
    if looks is not None and (kinds is None or kinds):
        readers.append(SymbolDice(looks, kinds, seeker))
    if pips or looks is None:
        readers.append(PipDice(pips, seeker))
    return readers[0] if len(readers) == 1 else MixedDice(readers)


def reader_again(
    before: Reader, looks: DiceLooks | None, dice: Iterable[Die], seeker: Seeker
) -> Reader:
    """Whoever reads these dice after something was learnt; what is known of the tray is kept."""
    reader = reader_for(looks, dice, seeker)
    share_tray(before, reader)
    return reader


def share_tray(one: Reader, other: Reader) -> None:
    """Let another reader of the same tray know what one knows, and will know, of how it lies."""
    for old in parts_of(one):
        for new in parts_of(other):
            if isinstance(old, SymbolDice) and isinstance(new, SymbolDice):
                new.knows_with(old)
            if isinstance(old, PipDice) and isinstance(new, PipDice):
                new.floor, new.leaning = old.floor, old.leaning


def parts_of(reader: Reader) -> tuple[Reader, ...]:
    """Who reads the dice of each sort, where several do."""
    return reader.readers if isinstance(reader, MixedDice) else (reader,)


def has_pips(die: Die) -> bool:
    """True for a die that can be read without teaching."""
    return set(die.faces) <= set(PIPS)


def face_patch(pixels: Pixels, corners: Floats) -> Pixels:
    """The upper side of a die as faces are learnt, so that an answer can be."""
    return cut_top(pixels, flat_part(corners))


def box_around(corners: Floats) -> tuple[int, int, int, int]:
    """Left, top, width and height in pixels around corners (N, 2)."""
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def square_in(box: tuple[int, int, int, int]) -> Floats:
    """Corners (4, 2) of the square in the middle of a box, clockwise from the upper left."""
    left, top, width, height = box
    half = min(width, height) / 2
    x, y = left + width / 2, top + height / 2
    return np.array(
        [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    )


def hues(patch: Pixels) -> npt.NDArray[np.float64]:
    """Two numbers for the hue of a body and one for its brightness, natural logarithms."""
    blue, green, red = np.log(rims_of(patch[None])[0].astype(np.float64) + 12.0)
    return np.array([blue - green, green - red, (blue + green + red) / 3])


def colour_of(colour: str) -> npt.NDArray[np.float64]:
    """A colour `#rrggbb` as the colour of a body is measured."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return hues(np.full((40, 40, 3), (blue, green, red), np.uint8))
