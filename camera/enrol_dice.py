"""Learn symbol dice from pictures of one die at a time; tell how well they can be told apart.

One die tells little of how the camera looks at the tray, so its upper side is measured badly. But
the camera stands still while faces are shown: all dice together tell its slant, as if they lay in
one picture, and each is measured again under that.
"""

import contextlib
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks, Kind
from camera.edges import fitted
from camera.faces import LEAST_NOISE, FaceMatcher
from camera.halves import Halves, Picture
from camera.lesson_trays import LessonTrays
from camera.lying import is_in
from camera.patches import cut_top, resized, rims_of
from camera.pictures import load_picture
from camera.seek import Floats, Seeker
from camera.slant import slant_of
from camera.source import PICTURE_SUFFIXES
from camera.top_faces import flat_part
from camera.upper_sides import SURE_HEAT, Top, find_tops
from camera.upright import LESSONS, UprightByOne
from companion.errors import ConfigError, PictureError
from companion.words import mark, say, word

SHADOW = mark("{n} dice, or one and its hard shadow: soften the light")
ALONE = 0.7  # what is hotter than this share of the hottest is a second die
SAME_TURNED = 1 / 3  # a turned face looks the same if it fits so much better than the next face ...
AT_MOST = 3.0  # ... and no worse than pictures of a face do, times this: the next may be far off
FEW = 4  # fewer pictures of a face are worth a warning
AROUND_SIDES = 1.0  # of what is kept of a picture, beside the upper side
TOGETHER = 3  # pictures that tell the slant together
ODD, ODDER = 2.5, 5.0  # times as badly as usual may a picture fit its face; if no other fits better
LEFT = 3  # pictures of a face are kept at least
AGREES = 0.3  # of shape and way down, by which a die differs at most if the camera stood still


class Apart(NamedTuple):
    """How well the faces of a learnt set can be told apart.

    right, patches  of so many pictures, each left out in turn, so many were told by the others; of
                    faces with one picture there are no others.
    closest         the two faces that are confused first: ((kind, face), (kind, face)).
    closeness       how near those come to being confused; above 1 some pictures were mistaken.
    turns           (kind, face) -> `any`, `half` or `none`: after which turns it looks the same.
    """

    right: int
    patches: int
    closest: tuple[tuple[str, str], tuple[str, str]] | None
    closeness: float
    turns: Mapping[tuple[str, str], str]


class Shown(NamedTuple):
    """An upper side that was shown: a part of the picture around it, and where that part was.

    size  width and height of the whole picture.
    """

    name: str
    pixels: Pixels
    at: Floats
    top: Top
    size: tuple[int, int]


def pictures_below(folder: Path) -> list[tuple[str, str, Path]]:
    """List the pictures of a folder KIND/FACE/*.jpg with their kind and face.

    Raises ConfigError when there are none, or none of a face that has a folder.
    """
    found = [
        (path.parent.parent.name, path.parent.name, path)
        for path in sorted(folder.glob("*/*/*"))
        if path.suffix.lower() in PICTURE_SUFFIXES
    ]
    if not found:
        raise ConfigError(
            say(
                "{folder}: expected folders KIND/FACE with pictures, such as white/troll/00.jpg; "
                "found none",
                folder=folder,
            )
        )
    _check_each_has_some(folder, {path.parent for _, _, path in found})
    return found


def _check_each_has_some(folder: Path, faces: Collection[Path]) -> None:
    """Raise ConfigError for the folder of a face in which there is no picture."""
    for face in sorted(folder.glob("*/*")):
        if face.is_dir() and face not in faces and "." not in (face.name[0], face.parent.name[0]):
            raise ConfigError(
                say(
                    "{folder}: expected pictures of this face ({suffixes}), found none; put some "
                    "there, or remove the folder",
                    folder=face,
                    suffixes=", ".join(sorted(PICTURE_SUFFIXES)),
                )
            )


class Teacher:
    """Takes pictures of one die each, and makes a learnt set of them.

    empty    a picture of the tray without dice, of the same size as the others.
    upright  knows which way up the camera hangs, or finds it out.
    shown    kind -> face -> what was shown of it, in that order.
    """

    def __init__(
        self,
        empty: Pixels | None = None,
        seeker: Seeker | None = None,
        upright: UprightByOne | None = None,
    ) -> None:
        self._seeker = seeker or Seeker()
        self._empty = None if empty is None else Halves(empty)
        self._upright = upright or UprightByOne()
        self.shown: dict[str, dict[str, list[Shown]]] = {}
        self.skipped: list[str] = []
        self.beside_empty = 0  # pictures of the size of `empty`

    def look(self, picture: Picture) -> None:
        """Find out from a picture which way up the camera hangs, as long as that is not known."""
        halves = Halves.of(picture)
        self._upright.look(lambda turns: self._seeker.seek(halves, turns=turns))

    def show(
        self, kind: str, face: str, pixels: Pixels, name: str,
        tray: Callable[[], Pixels | None] = lambda: None,
    ) -> bool:  # fmt: skip
        """Learn from one picture; False, and a line in `skipped`, if it is of no use.

        tray  tells what lies beneath the die, where more than one thing looks like a die.
        """
        same = self._empty is not None and self._empty.pixels.shape == pixels.shape
        self.beside_empty += same
        picture, bare = Halves(pixels), self._empty if same else None
        self.look(picture)
        dice = self._dice_in(picture, bare)
        if len(dice) > 1 and (told := tray()) is not None:
            dice = self._dice_in(picture, Halves(told)) or dice
        if len(dice) != 1:
            got = say(SHADOW, n=len(dice)) if dice else word("no die")
            self.skipped.append(
                say("{name}: expected one die alone in the tray, got {got}", name=name, got=got)
            )
            return False
        self.shown.setdefault(kind, {}).setdefault(face, []).append(_around(name, pixels, dice[0]))
        return True

    def _dice_in(self, picture: Halves, bare: Halves | None) -> list[Top]:
        """What may be the die that is shown, and no figure of the tray, the likeliest first."""
        found = find_tops(self._seeker, picture, bare, turns=self._upright.turns).tops
        tops = [top for top in found if not is_in(bare, top.corners, picture)]  # in any shadow
        tops.sort(key=lambda top: -top.seen.heat)
        if not tops or tops[0].seen.heat < SURE_HEAT / 2:
            return []
        least = max(SURE_HEAT, ALONE * tops[0].seen.heat)
        return [tops[0], *(top for top in tops[1:] if top.seen.heat > least)]

    def learnt(self, wanted: Iterable[tuple[str, str]]) -> DiceLooks:
        """Give the learnt set; raise PictureError if a wanted face was never seen."""
        for kind, face in wanted:
            if face not in self.shown.get(kind, {}):
                raise PictureError(
                    say(
                        "{kind} {face}: expected pictures of one die alone in the tray, found "
                        "none; take them again, with nothing else in the tray",
                        kind=kind,
                        face=face,
                    )
                )
        patches = _patches_of(self.shown)
        for kind, face, number in odd_ones(patches):
            self.skipped.append(
                say(
                    "{name}: looks like no other picture of {kind} {face}",
                    name=self.shown[kind][face][number].name,
                    kind=kind,
                    face=face,
                )
            )
            patches[kind][face] = np.delete(patches[kind][face], number, axis=0)
        return _looks_of(patches)


def taught_together(teachers: Iterable[Teacher]) -> DiceLooks:
    """What several teachers were shown, measured as if one had seen it all; nothing is left out."""
    every: dict[str, dict[str, list[Shown]]] = {}
    for teacher in teachers:
        for kind, faces in teacher.shown.items():
            for face, found in faces.items():
                every.setdefault(kind, {}).setdefault(face, []).extend(found)
    return _looks_of(_patches_of(every))


def _looks_of(patches: Mapping[str, Mapping[str, Pixels]]) -> DiceLooks:
    kinds = {kind: Kind(tuple(faces), _colour(faces)) for kind, faces in patches.items()}
    return DiceLooks(kinds, patches)


def _patches_of(shown: Mapping[str, Mapping[str, Sequence[Shown]]]) -> dict[str, dict[str, Pixels]]:
    """Cut out all upper sides, measured together."""
    cut = iter(_cut([one for faces in shown.values() for found in faces.values() for one in found]))
    return {
        kind: {face: np.array([next(cut) for _ in found]) for face, found in faces.items()}
        for kind, faces in shown.items()
    }


def _around(name: str, pixels: Pixels, top: Top) -> Shown:
    """Keep what is around an upper side, not the whole picture."""
    size = (pixels.shape[1], pixels.shape[0])
    spare = AROUND_SIDES * top.seen.side_px
    low = np.clip(np.floor(top.corners.min(axis=0) - spare), 0, np.array(size) - 1).astype(int)
    high = np.ceil(top.corners.max(axis=0) + spare).astype(int) + 1
    part = pixels[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)].copy()
    return Shown(name, part, low.astype(np.float64), top, size)


def _cut(shown: Sequence[Shown]) -> list[Pixels]:
    """Cut out upper sides, measured again where pictures of one size tell how the camera stood."""
    corners = [one.top.corners for one in shown]
    for size in {one.size for one in shown}:
        mine = [n for n, one in enumerate(shown) if one.size == size]
        if len(mine) >= TOGETHER:
            for n, measured in _measured_together([shown[n] for n in mine]).items():
                corners[mine[n]] = measured
    return [
        cut_top(one.pixels, flat_part(at) - one.at) for one, at in zip(shown, corners, strict=True)
    ]


def _measured_together(shown: Sequence[Shown]) -> dict[int, Floats]:
    """Upper sides (4, 2), by their number, where all together are measured better than one alone.

    Whoever disagrees was seen badly, unless the picture's edges say that the camera was moved.
    """
    seen = np.array([one.top.seen.corners for one in shown])
    downs = np.array([one.top.seen.down for one in shown])
    slant = slant_of(seen, downs, shown[0].size)
    odd = slant.disagrees(seen, downs).max(axis=1)
    measured = {}
    for number, one in enumerate(shown):
        here = slant._replace(centre=slant.centre - one.at)
        found = fitted(one.pixels, here, seen[number : number + 1] - one.at)
        alone = float(np.linalg.norm(one.top.warped))
        if odd[number] < AGREES or float(np.linalg.norm(found.warped)) < alone:
            measured[number] = found.corners[0] + one.at
    return measured


def odd_ones(patches: Mapping[str, Mapping[str, Pixels]]) -> list[tuple[str, str, int]]:
    """Pictures that show something else than their face: its kind, face and number, last first."""
    matcher = FaceMatcher(patches)
    fits = [matcher.left_out(number)[0] for number in range(len(matcher.rows) // 4)]
    labels = matcher.labels[::4]
    own = np.array([fit[label] for fit, label in zip(fits, labels, strict=True)])
    known = own[np.isfinite(own)]
    usual = max(LEAST_NOISE, float(np.median(known))) if len(known) else np.inf
    is_odd = (own > ODDER * usual) | ((own > ODD * usual) & (own > [fit.min() for fit in fits]))
    found = []
    for number, (kind, face) in enumerate(matcher.faces):
        mine = np.flatnonzero(labels == number)
        worst = sorted((n for n in mine if is_odd[n]), key=lambda n: -own[n])
        chosen = worst[: max(0, len(mine) - LEFT)]
        found += [(kind, face, int(n - mine[0])) for n in sorted(chosen, reverse=True)]
    return found


def learn_dice(
    folder: Path, teacher: Teacher, progress: Iterable[tuple[str, str, Path]]
) -> DiceLooks:
    """Learn from folders; `progress` is what `pictures_below` listed, perhaps with a bar around.

    A file that is no picture is left out and told, as one of no use is.
    """
    for path in some_of(folder):
        with contextlib.suppress(PictureError):
            teacher.look(load_picture(path))
    trays = LessonTrays(path for _, _, path in pictures_below(folder))
    wanted: dict[tuple[str, str], None] = {}
    for kind, face, path in progress:
        wanted[kind, face] = None
        name = str(path.relative_to(folder))
        try:
            teacher.show(kind, face, load_picture(path), name, partial(trays.empty_of, path))
        except PictureError as error:
            teacher.skipped.append(str(error).replace(str(path), name))
    return teacher.learnt(wanted)


def some_of(folder: Path) -> list[Path]:
    """A few pictures of all kinds and faces, from which a teacher knows how the camera hangs."""
    paths = [path for _, _, path in pictures_below(folder)]
    return paths[:: math.ceil(len(paths) / LESSONS)]


def _colour(faces: Mapping[str, Pixels]) -> str:
    """The body's colour as `#rrggbb`."""
    rims = np.concatenate(
        [rims_of(np.array([resized(p) for p in found])) for found in faces.values()]
    )
    blue, green, red = (int(v) for v in np.median(rims, axis=0))
    return f"#{red:02x}{green:02x}{blue:02x}"


def tell_apart(looks: DiceLooks) -> Apart:
    """Leave out each learnt picture in turn and see which face the others take it for."""
    matcher = FaceMatcher(looks.patches)
    right, judged, closest, closeness = 0, 0, None, 0.0
    turned: dict[tuple[str, str], list[list[float]]] = {face: [] for face in matcher.faces}
    for number in range(len(matcher.rows) // 4):
        own = int(matcher.labels[4 * number])
        off, apart = matcher.left_out(number)
        if not np.isfinite(off[own]):
            continue
        judged += 1
        others = np.where(np.arange(len(off)) == own, np.inf, off)
        by_turn = _by_turn(apart, matcher.labels == own)
        turned[matcher.faces[own]].append([*by_turn, float(others.min())])
        worse = matcher.unlikely(number)
        right += int(np.argmin(worse)) == own
        others = np.where(np.arange(len(worse)) == own, np.inf, worse)
        nearest = int(np.argmin(others))
        if worse[own] / max(1e-9, others[nearest]) > closeness:
            closeness = float(worse[own] / max(1e-9, others[nearest]))
            closest = (matcher.faces[own], matcher.faces[nearest])
    turns = {
        face: "any" if face in matcher.plain else _sameness(found, matcher.noise)
        for face, found in turned.items()
    }
    return Apart(right, judged, closest, closeness, turns)


def _by_turn(apart: np.ndarray, mine: np.ndarray) -> list[float]:
    """How badly the nearest picture fits as it is, and a quarter, half, three quarters further."""
    own = np.where(mine, apart, np.inf).reshape(-1, 4)
    nearest = own[int(np.argmin(own.min(axis=1)))]
    return [float(v) for v in np.roll(nearest, -int(np.argmin(nearest)))]


def _sameness(found: list[list[float]], noise: float) -> str:
    """After which turns a face looks the same: it fits as well as pictures of one face do.

    found  pictures, each with how badly it fits as it is, turned by quarters, and the next face.
    """
    if not found:
        return "none"
    _, quarter, half, last, other = np.median(np.array(found), axis=0)
    limit = max(noise, min(SAME_TURNED * other, AT_MOST * noise))
    if max(quarter, half, last) <= limit:
        return "any"
    return "half" if half <= limit else "none"
