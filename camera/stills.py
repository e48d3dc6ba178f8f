"""Read symbol dice in one picture: where they lie, which kind and face, how sure that is.

Theory of operation. The seeker (camera/seek.py) finds upper sides. All dice stand on one floor and
are equally large, so together they tell how the camera looks at it (camera/slant.py); each die is
then measured again as the square that it must be. What does not agree with the others leans, and
its face does not count. The faces are compared with what was learnt (camera/faces.py). Whatever is
not certain is said, not guessed.
"""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from camera.canvas import Pixels
from camera.closer_look import seek_closely
from camera.cut_off import cut_off
from camera.dice_sets import DiceLooks
from camera.faces import CERTAIN, Likeness
from camera.halves import Halves, Picture
from camera.leaning import LeanVoter
from camera.left_parts import Left, told_cut, told_left
from camera.leftover import lying, stand_out
from camera.seek import Floats, Seeker
from camera.slant import Box, Slant, are_cut, whole_boxes
from camera.standing import TOGETHER, Sight, Standing
from camera.top_faces import HOT, TopFaces
from camera.tray_leaning import leaning_in
from camera.upper_sides import SURE_HEAT, SURELY_HEAT, Top, Tops, find_tops, with_overlooked
from camera.upright import Upright

NOTHING_LIKE = 0.3  # certainty below which something is no die that was learnt
LIKE_SYMBOL = 0.5  # the same of a symbol on something that looks little like a die
MAY_LEAN = 1 - CERTAIN  # chance that it leans, from which a die is doubted, whatever it shows
COCKED = 0.94  # chance that it leans, from which a die is told as cocked; below it is asked about
NO_COLOURS = "a picture without colours, by which these dice are told apart"
VOWELS = tuple("aeiouAEIOU")
UNEASY = 0.09  # of the certainty, where the two descriptions of a face differ


class DieReading(NamedTuple):
    """One die of a picture.

    kind, face  what it is taken for; the face of a die that leans is `cocked`.
    certainty   0 to 1, that kind and face are right.
    box         left, top, width, height in pixels, around the whole die.
    corners     (4, 2) of its upper side, in pixels.
    choices     faces it may show, likeliest first.
    doubt       why it has to be asked about: "", `cocked`, `cut`, `unsure`.
    """

    kind: str
    face: str
    certainty: float
    box: tuple[int, int, int, int]
    corners: Floats
    choices: tuple[str, ...]
    doubt: str


class StillLook(NamedTuple):
    """What was read in one picture, left to right; `doubts` tell why the table is asked.

    sight  what its surer dice tell of how the camera looks at the tray; None without any.
    """

    readings: tuple[DieReading, ...]
    accepted: bool
    doubts: tuple[str, ...]
    slant: Slant | None
    sight: Sight | None = None

    @property
    def sure(self) -> int:
        """How many dice need not be asked about."""
        return _sure_of(self.readings)

    @property
    def in_doubt(self) -> int:
        """How much the table is asked about."""
        return len(self.doubts)


class Dice(NamedTuple):
    """The dice of a picture, left to right, and what looks like a die and shows no learnt face.

    sight  what its surer dice tell of how the camera looks at the tray; None without any.
    """

    readings: tuple[DieReading, ...]
    strange: tuple[Top, ...]
    slant: Slant | None
    sight: Sight | None = None

    @property
    def sure(self) -> int:
        """How many dice need not be asked about."""
        return _sure_of(self.readings)

    @property
    def in_doubt(self) -> int:
        """How much has to be asked about."""
        return len(self.readings) - self.sure + len(self.strange)


Told = TypeVar("Told", StillLook, Dice)


class StillReader:
    """Reads dice of a learnt set, in any tray, with any camera that looks down.

    Pictures that are read beside the same empty tray were taken by one camera that stood still.

    kinds  the only kinds that may lie there; all that were learnt by default.
    """

    def __init__(
        self, looks: DiceLooks, kinds: Collection[str] | None = None, seeker: Seeker | None = None
    ) -> None:
        self._seeker = seeker or Seeker()
        self._faces = TopFaces(looks, kinds)
        self._voter = LeanVoter()
        self._bare: Halves | None = None
        self.standing = Standing()
        self.upright = Upright()

    def read(
        self, pixels: Pixels, *, expect: int | None = None, empty: Pixels | None = None
    ) -> StillLook:
        """Read a picture (H, W, 3) uint8 BGR; raise PictureError if `empty` has another size.

        expect  how many dice the table waits for; another number is not accepted.
        empty   the tray without dice: what looks the same in it is none.
        """
        picture, bare = Halves(pixels), self._halves_of(empty)
        known = Standing() if bare is None else self.standing
        return self._remembered(
            picture,
            lambda turns: self._look(picture, bare, expect, known, turns),
            is_known=bare is not None,
        )

    def _remembered(
        self, picture: Halves, read: Callable[[int], Told], *, is_known: bool = True
    ) -> Told:
        """Read a picture in the ways that it may stand; keep which it was, and how it is seen.

        is_known  whether its camera is the one of the pictures before, for all that is told.
        """
        turns = self.upright.turns
        told = self.upright.best(read)
        if self.upright.turns != turns:
            self.standing.forget()
        if told.sight is not None and is_known:
            self.standing.saw(told.sight, picture.pixels.shape[:2])
        if told.sight is not None and len(told.sight.middles) >= TOGETHER:
            self.upright.hear(told.sight.slant.normal)
        return told

    def _look(
        self, picture: Halves, bare: Halves | None, expect: int | None, known: Standing,
        turns: int,
    ) -> StillLook:  # fmt: skip
        dice, left = self._seen(picture, bare, known, turns)
        doubts = _surplus(len(dice.readings), expect)
        doubts += [doubt_of(reading) for reading in dice.readings if reading.doubt]
        if not dice.sure and self._faces.lack_colours(picture):
            doubts.append(NO_COLOURS)
        doubts += _left_over(picture, bare, dice, left)
        if bare is None:  # it would have told
            doubts += self._cut_off(picture, dice, turns)
        accepted = bool(dice.readings) and not doubts
        return StillLook(dice.readings, accepted, tuple(doubts), dice.slant, dice.sight)

    def _cut_off(self, picture: Halves, dice: Dice, turns: int) -> list[str]:
        """Dice of which the edge has left too little to be read, in words."""
        told = [one.corners for one in dice.strange if one.seen.heat > HOT]
        places = cut_off(self._seeker, picture, [*_places(dice), *told], turns)
        return [told_cut(*place) for place in places]

    def _halves_of(self, empty: Pixels | None) -> Halves | None:
        """Keep what was made of a tray's picture: the next one read mostly lies in the same."""
        if empty is None:
            return None
        if self._bare is None or not np.array_equal(self._bare.pixels, empty):
            self._bare = Halves(empty)
            self.standing.forget()
            self.standing.drawn = None
        return self._bare

    def dice(self, picture: Picture, *, empty: Picture | None = None) -> Dice:
        """Read the dice alone, of a camera that stands still, and not what else lies there."""
        halves, bare = Halves.of(picture), None if empty is None else Halves.of(empty)
        known = self.standing
        return self._remembered(
            halves, lambda turns: self._seen(halves, bare, known, turns, is_alone=True)[0]
        )

    def _seen(
        self, picture: Halves, bare: Halves | None, known: Standing, turns: int, *,
        is_alone: bool = False,
    ) -> tuple[Dice, list[Left]]:  # fmt: skip
        """Read the dice, look closely at what else lies there, and tell what is left of that.

        is_alone  for the dice alone: only where something looked like one is looked closely.
        """
        found = find_tops(self._seeker, picture, bare, turns=turns)
        dice = self._dice(picture, bare, known, found, turns)
        left = [] if is_alone and not dice.strange else _left_of(picture, bare, dice)
        if not left or dice.slant is None:
            return dice, left
        closer = seek_closely(self._seeker, picture.pixels, dice.slant, left, _places(dice), turns)
        if closer.dice:
            found = with_overlooked(picture, found, closer.dice)
            dice = self._dice(picture, bare, known, found, turns)
            left = _left_of(picture, bare, dice)
        return dice, [one for one in left if not closer.is_nothing(one)]

    def _dice(
        self, picture: Halves, empty: Halves | None, known: Standing, found: Tops, turns: int,
    ) -> Dice:  # fmt: skip
        if found.slant is None:
            return Dice((), (), None)
        likes = self._faces.read(picture, empty, found.tops, found.slant)
        corners = np.array([top.corners for top in found.tops])
        leaning, told = leaning_in(
            self._voter, picture, empty, found.tops, found.slant, known, turns
        )  # fmt: skip
        boxes = whole_boxes(found.slant, corners, picture.size_px)
        cut = are_cut(corners, picture.size_px)
        readings, strange = [], []
        leans = leaning.chances.tolist()
        for top, like, *place in zip(found.tops, likes, leans, boxes, cut, strict=True):
            if _is_die(top, like, place[0], is_blank=self._faces.is_blank(like)):
                readings.append(_reading(top, like, *place))
            else:
                strange.append(top)
        readings.sort(key=lambda reading: (reading.box[0], reading.box[1]))
        return Dice(tuple(readings), tuple(strange), found.slant, told)


def _sure_of(readings: Sequence[DieReading]) -> int:
    """How many need not be asked about."""
    return sum(not one.doubt for one in readings)


def _left_of(picture: Halves, empty: Halves | None, dice: Dice) -> list[Left]:
    """What the empty tray has not, and none of the dice explains."""
    if empty is None or dice.slant is None:
        return []
    hints = [one.corners for one in dice.strange]
    return lying(picture, empty, dice.slant, _places(dice), hints, with_cut=True)


def _places(dice: Dice) -> list[Floats]:
    return [one.corners for one in dice.readings]


def _left_over(
    picture: Halves, empty: Halves | None, dice: Dice, left: Sequence[Left]
) -> list[str]:  # fmt: skip
    """What may be a die that was not read, in words."""
    told = [_may_be_one(top, picture) for top in dice.strange if top.seen.heat > HOT]
    if told or empty is not None:
        return told or [told_left(one) for one in left]
    if dice.strange:
        bodies = stand_out(picture, np.array([top.corners for top in dice.strange]))
        seen = [top for top, one in zip(dice.strange, bodies, strict=True) if one]
        return [_may_be_one(top, picture) for top in seen]
    return []


def _may_be_one(top: Top, picture: Halves) -> str:
    within = np.clip(top.corners.mean(axis=0), 0, np.array(picture.size_px) - 1)
    x, y = within.round().astype(int)
    if are_cut(top.corners[None], picture.size_px)[0]:
        return told_cut(x, y)
    return f"something at ({x}, {y}) that may be a die"


def _is_die(top: Top, like: Likeness, leans: float, *, is_blank: bool) -> bool:
    """Whether something is told as a die: it looks much like one, or shows a learnt face.

    A die that leans may show nothing that was learnt; no shadow leans as a die does. The floor may
    look like a blank face, but hardly like a symbol.
    """
    if top.seen.heat >= SURELY_HEAT:
        return True
    if top.seen.heat >= SURE_HEAT:
        return like.certainty >= NOTHING_LIKE or leans > COCKED
    return like.certainty >= (CERTAIN if is_blank else LIKE_SYMBOL)


def _reading(top: Top, like: Likeness, leans: float, box: Box, is_cut: bool) -> DieReading:
    choices = tuple(face for kind, face, _ in like.choices if kind == like.kind)
    flat = 1 - leans if leans > MAY_LEAN else 1.0
    certainty = like.certainty * (1 - UNEASY * min(1.0, like.gap)) * flat
    face, doubt = like.face, "" if certainty >= CERTAIN else "unsure"
    if is_cut:
        certainty, doubt = min(certainty, 0.5), "cut"
    elif leans > COCKED:  # of no use for a roll, however sure it is
        certainty, face, doubt = leans / 2, "cocked", "cocked"
    return DieReading(like.kind, face, certainty, box, top.corners, choices, doubt)


def as_values(readings: Sequence[DieReading]) -> list[dict[str, Any]]:
    """Give readings as plain values, ready for JSON; a die to ask about says why."""
    return [
        {
            "kind": reading.kind,
            "face": reading.face,
            "certainty": math.floor(reading.certainty * 1000) / 1000,
            "box": list(reading.box),
            **_asked(reading),
        }
        for reading in readings
    ]


def _asked(reading: DieReading) -> dict[str, Any]:
    """Why a die has to be asked about, and the faces to offer, the likeliest first."""
    if not reading.doubt:
        return {}
    return {"doubt": reading.doubt, "likeliest": list(reading.choices)}


def doubt_of(reading: DieReading, die: str = "") -> str:
    """Why a die is asked about, in words; `die`: what it is called if not by its kind."""
    x, y = reading.box[0] + reading.box[2] // 2, reading.box[1] + reading.box[3] // 2
    die = die or f"{'an' if reading.kind[:1] in VOWELS else 'a'} {reading.kind} die"
    if reading.doubt == "cocked":
        return f"{die} leans at ({x}, {y}): throw this one again"
    if reading.doubt == "cut":
        return f"{die} is cut by the edge at ({x}, {y}): throw this one again"
    return f"{die} at ({x}, {y}) may show {_either(reading.choices)}"


def _either(faces: Sequence[str]) -> str:
    return " or ".join(faces[:2]) or "anything"


def _surplus(seen: int, expect: int | None) -> list[str]:
    if expect is None or seen == expect:
        return []
    return [f"expected {expect} dice, saw {seen}"]
