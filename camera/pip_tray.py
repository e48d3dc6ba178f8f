"""Coloured pip dice in a watched tray, read without teaching; beside learnt dice or alone.

The upper side of each die is cut out, seen from straight above, and shown to both readers of pip
dice (camera/pips.py). A face counts when both say the same. Which kind it is, the colour of the
body says: the nearest of the colours in the game's box, and only where no other is near.
"""

import math
from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from camera.calibrate import Floats, Pixels, Zone, ZoneView
from camera.dice_sets import DiceLooks
from camera.find import Body
from camera.pip_blobs import Pyramid
from camera.pip_votes import face_patch, votes
from camera.pips import read_dice
from camera.symbols import FaceReader, Likeness, body_colour, cut_patch, upright_chance
from camera.watch import CERTAIN, ZoneWatcher
from companion.dice import DiceSet, Die

PIPS = ("1", "2", "3", "4", "5", "6")
SIDE_PX = 64  # a die's edge in the picture that is read
AROUND_SIDES = 0.4  # of floor that is cut out with it
_SIZE_PX = round(SIDE_PX * (1 + 2 * AROUND_SIDES))
NEAR = 0.35  # sides; what lies farther from the middle is another die
UNSURE = 0.4  # what a face is worth at most where the readers differ
OFFERED = 0.02  # chance from which a face is offered to the table as an answer
COLOUR_SPREAD = np.array([0.30, 0.30, 0.60])  # two of hue, one of brightness; see camera/symbols.py
FAR = 12.0  # squared distance from which a body is of no known colour


def has_pips(die: Die) -> bool:
    """True for a die that can be read without teaching."""
    return set(die.faces) <= set(PIPS)


class PipDice:
    """Reads those dice of a set that have pips."""

    def __init__(self, dice: Iterable[Die]) -> None:
        self._kinds = {
            die.kind: (nominal_colour(die.colour), frozenset(die.faces))
            for die in dice
            if has_pips(die)
        }

    def read(self, view: ZoneView, pixels: Pixels, body: Body) -> Likeness:
        """Read one die: its kind, its face, how certain both are, and what else they may be."""
        kinds = self._kind_chances(body_colour(cut_patch(view, pixels, body)))
        if not kinds:
            return Likeness("", "", 0.0, ())
        kind = max(kinds, key=lambda name: kinds[name])
        face, certainty, chances = read_face(cut_upper_side(view, pixels, body))
        possible = {str(f): p for f, p in enumerate(chances) if str(f) in self._kinds[kind][1]}
        certainty *= kinds[kind] * upright_chance(body.fit)
        order = sorted(possible, key=lambda one: -(possible[one] + (one == face)))
        choices = [(kind, one, possible[one]) for one in order if possible[one] > OFFERED]
        if face not in possible:
            face, certainty = order[0], min(certainty, UNSURE)
        return Likeness(kind, face, certainty, tuple(choices) or ((kind, face, certainty),))

    def _kind_chances(self, colour: Floats) -> dict[str, float]:
        """How likely each kind is, by the colour of its body; none if all are far off."""
        if len(self._kinds) == 1:
            return dict.fromkeys(self._kinds, 1.0)
        far = {
            kind: float((((colour - nominal) / COLOUR_SPREAD) ** 2).sum())
            for kind, (nominal, _) in self._kinds.items()
        }
        nearest = min(far.values(), default=math.inf)
        if nearest > FAR:
            return {}
        weights = {kind: math.exp((nearest - value) / 2) for kind, value in far.items()}
        total = sum(weights.values())
        return {kind: weight / total for kind, weight in weights.items()}


def read_face(upper: Pixels) -> tuple[str, float, list[float]]:
    """What an upper side shows in its middle, how certain that is, and the chances of 0 to 6."""
    middle = np.array([_SIZE_PX / 2, _SIZE_PX / 2])
    grey = np.asarray(cv2.cvtColor(upper, cv2.COLOR_BGR2GRAY), np.uint8)
    patch = face_patch(Pyramid(grey, None).levels, middle, SIDE_PX)
    chances = votes(patch[None])[0]
    seen = int(np.argmax(chances[1:])) + 1
    here = [
        reading
        for reading in read_dice(upper).readings
        if math.dist(_middle(reading.box), middle) < NEAR * SIDE_PX
    ]
    if len(here) == 1 and here[0].face == seen:
        return str(seen), here[0].certainty * float(1 - chances[0]), chances.tolist()
    return str(seen), min(UNSURE, float(chances[seen])), chances.tolist()


def _middle(box: tuple[int, int, int, int]) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def cut_upper_side(view: ZoneView, pixels: Pixels, body: Body) -> Pixels:
    """Cut out an upper side with some floor around it, seen from straight above."""
    cos, sin = math.cos(body.angle) / SIDE_PX, math.sin(body.angle) / SIDE_PX
    half = (_SIZE_PX - 1) / 2
    to_zone = np.array(
        [
            [cos, -sin, body.x - half * (cos - sin)],
            [sin, cos, body.y - half * (sin + cos)],
            [0, 0, 1.0],
        ]
    )
    upper = cv2.warpPerspective(
        pixels,
        view.top_to_px @ to_zone,
        (_SIZE_PX, _SIZE_PX),
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(upper, np.uint8)


def nominal_colour(colour: str) -> npt.NDArray[np.float64]:
    """A colour `#rrggbb` as the colour of a body is measured."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    patch = np.full((28, 28, 3), (blue, green, red), np.uint8)
    return body_colour(patch)


class TrayReader(FaceReader):
    """Reads learnt dice and pip dice that lie in one tray."""

    def __init__(self, looks: DiceLooks, kinds: Iterable[str], pips: PipDice | None) -> None:
        super().__init__(looks.patches, set(kinds))
        self._pips = pips

    def read(self, view: ZoneView, pixels: Pixels, body: Body) -> Likeness:
        """Read one die; where it may be of both sorts, neither is certain."""
        learnt = super().read(view, pixels, body)
        if self._pips is None or learnt.certainty >= CERTAIN:
            return learnt
        plain = self._pips.read(view, pixels, body)
        best, other = (plain, learnt) if plain.certainty >= learnt.certainty else (learnt, plain)
        return best._replace(certainty=best.certainty * (1 - other.certainty))


class TrayWatcher(ZoneWatcher):
    """Reports the rolls of one real tray, of learnt dice and of pip dice."""

    def __init__(
        self, zone: Zone, looks: DiceLooks | None, dice: DiceSet, empty: Pixels | None = None
    ) -> None:
        learnt = looks or DiceLooks({}, {})
        super().__init__(zone, learnt, dice, empty)
        pips = PipDice(dice) if any(map(has_pips, dice)) else None
        self._reader = TrayReader(learnt, dice.kinds(), pips)
