"""One lesson: pictures of every face of a set of dice or tiles, and how well they are told apart.

A lesson says which face is to be shown next, takes pictures, takes them back, and learns in a
thread of its own after every change. What is learnt is the same as by `companion enrol`.
"""

import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

from camera.calibrate import Pixels, Zone
from camera.dice_sets import DiceLooks, Kind, joined
from camera.enrol_dice import Apart, Teacher, odd_ones, taught_together, tell_apart
from camera.seek import Seeker
from camera.shown import thumbnail
from camera.tiles_looks import by_rim, learn_tiles
from camera.upright import UprightByOne
from companion.errors import IllegalAction, PictureError
from companion.words import word

A_FACE, A_TILE = 8, 3  # pictures that are asked for; one of tiles shows several
MOST = 16  # pictures of one face
LEAST = 2  # with fewer of a face, nothing can be said about how well it is told
SEEKING = threading.Lock()  # one seeker for all lessons, in one thread at a time
seeker = cache(Seeker)
Face = tuple[str, str]


class Subject(Protocol):
    """What is taught: how a picture of it is learnt, and how pictures make a set."""

    faces: tuple[Face, ...]
    a_face: int

    def learn(self, face: Face, pixels: Pixels) -> "Learnt":
        """Learn from one picture; PictureError if it is of no use."""
        ...

    def together(self, pictures: Iterable[DiceLooks]) -> DiceLooks:
        """The set that these pictures make."""
        ...

    def whole(self, pictures: Sequence["Learnt"]) -> DiceLooks:
        """The set to be kept, which may take longer to make."""
        ...

    def odd(self, looks: DiceLooks) -> list[tuple[Face, int]]:
        """Pictures of a set that look like no other of their face: the face, and which of them."""
        ...


class Learnt(NamedTuple):
    """What was learnt from one picture by itself; and of a die also who can measure it anew."""

    looks: DiceLooks
    teacher: Teacher | None = None


class DiceSubject:
    """Dice, one alone in the picture. `empty` is a picture of the tray without dice, or None."""

    a_face = A_FACE

    def __init__(self, faces: Iterable[Face], empty: Pixels | None) -> None:
        self.faces = tuple(faces)
        self._empty, self._upright = empty, UprightByOne()

    def learn(self, face: Face, pixels: Pixels) -> Learnt:
        """Find the die, and cut out its upper side."""
        with SEEKING:
            teacher = Teacher(self._empty, seeker(), self._upright)
            if not teacher.show(*face, pixels, word("this picture")):
                raise PictureError(teacher.skipped[-1])
            return Learnt(teacher.learnt([face]), teacher)

    def together(self, pictures: Iterable[DiceLooks]) -> DiceLooks:
        """Kinds with all their faces, of the colour in the middle of what was seen."""
        listed = list(pictures)
        patches = joined(listed).patches
        kinds = {}
        for kind, faces in patches.items():
            colours = sorted(one.kinds[kind].colour for one in listed if kind in one.kinds)
            kinds[kind] = Kind(tuple(faces), colours[len(colours) // 2])
        return DiceLooks(kinds, patches)

    def whole(self, pictures: Sequence[Learnt]) -> DiceLooks:
        """All dice together tell how the camera stood; each is measured again under that."""
        return taught_together(one.teacher for one in pictures if one.teacher is not None)

    def odd(self, looks: DiceLooks) -> list[tuple[Face, int]]:
        """What `companion enrol` would leave out, too."""
        return [((kind, face), number) for kind, face, number in odd_ones(looks.patches)]


class TileSubject:
    """Tiles in a square, all with the same face up."""

    a_face = A_TILE

    def __init__(
        self, faces: Iterable[str], zone: Zone, empty: Pixels, columns: int, kind: str = "tile"
    ) -> None:
        self.faces = tuple((kind, face) for face in faces)
        self._zone, self._empty, self._columns = zone, empty, columns

    def learn(self, face: Face, pixels: Pixels) -> Learnt:
        """Cut out some of the tiles in the square."""
        shown = [(face[1], pixels)]
        return Learnt(learn_tiles(shown, self._zone, self._empty, columns=self._columns))

    def together(self, pictures: Iterable[DiceLooks]) -> DiceLooks:
        """Faces with equal rims are one kind."""
        found = joined(pictures).patches
        return by_rim(
            {face: patches for faces in found.values() for face, patches in faces.items()}
        )

    def whole(self, pictures: Sequence[Learnt]) -> DiceLooks:
        """The square was measured once; nothing is to be measured again."""
        return self.together(one.looks for one in pictures)

    def odd(self, looks: DiceLooks) -> list[tuple[Face, int]]:
        """None: one picture shows several tiles."""
        return []


@dataclass(frozen=True)
class Picture:
    """A picture that was learnt: of which face, what was learnt, and a small JPEG of it."""

    id: str
    face: Face
    learnt: Learnt
    thumb: bytes


class Lesson:
    """The pictures that were taken so far; safe from any thread.

    odd  names of pictures that look like no other of their face: nothing is learnt from them.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.pictures: dict[str, Picture] = {}
        self.now: Face | None = subject.faces[0] if subject.faces else None
        self.score: dict[str, Any] | None = None
        self.turns: Mapping[Face, str] = {}
        self.odd: frozenset[str] = frozenset()
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._version = self._learnt = 0
        self._over = False
        self._thread = threading.Thread(target=self._learn, name="lesson", daemon=True)
        self._thread.start()

    # --- pictures ---------------------------------------------------------------------------------

    def show(self, face: Face, pixels: Pixels) -> Picture:
        """Learn from a picture; raises IllegalAction `no_use` with the reason."""
        if face not in self.subject.faces:
            raise IllegalAction("no_face", "There is no such face to be taught.")
        if len(self.of(face)) >= MOST:
            raise IllegalAction("enough", "There are enough pictures of this face.")
        try:
            learnt = self.subject.learn(face, pixels)
        except PictureError as error:
            raise IllegalAction("no_use", str(error)) from error
        patches = next(iter(next(iter(learnt.looks.patches.values())).values()))
        with self._changed:
            picture = Picture(f"p{next(self._numbers)}", face, learnt, thumbnail(patches[0]))
            self.pictures[picture.id] = picture
            self._go_on()
            self._touch()
        return picture

    def take_back(self, name: str) -> None:
        """Forget a picture; raises IllegalAction for one that there is not."""
        with self._changed:
            if name not in self.pictures:
                raise IllegalAction("no_picture", "There is no such picture.")
            self.now = self.pictures.pop(name).face
            self._touch()

    def choose(self, face: Face) -> None:
        """Teach this face now."""
        if face not in self.subject.faces:
            raise IllegalAction("no_face", "There is no such face to be taught.")
        self.now = face

    def of(self, face: Face) -> list[Picture]:
        """The pictures of a face, oldest first."""
        with self._lock:
            return [one for one in self.pictures.values() if one.face == face]

    @property
    def missing(self) -> list[Face]:
        """Faces of which there is no picture yet."""
        return [face for face in self.subject.faces if not self.of(face)]

    def looks(self) -> DiceLooks:
        """The set that was learnt."""
        with self._lock:
            every = list(self.pictures.values())
        odd = self._odd_among(every)
        return self.subject.whole([one.learnt for one in every if one.id not in odd])

    def _go_on(self) -> None:
        """On to the next face that lacks pictures, once this one has enough."""
        if self.now is not None and len(self.of(self.now)) < self.subject.a_face:
            return
        left = (f for f in self.subject.faces if len(self.of(f)) < self.subject.a_face)
        self.now = next(left, None)

    # --- learning ---------------------------------------------------------------------------------

    @property
    def is_learning(self) -> bool:
        """True until what was shown last has been learnt."""
        with self._lock:
            return self._learnt != self._version

    def close(self) -> None:
        """End it; may be called twice."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _touch(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _learn(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._over or self._learnt != self._version)
                if self._over:
                    return
                version, told = self._version, self._worth_telling()
            odd = self._odd_among(told)
            fine = [one.learnt.looks for one in told if one.id not in odd]
            score, turns = scored(self.subject.together(fine)) if fine else (None, {})
            with self._changed:
                self.score, self.turns, self.odd, self._learnt = score, turns, odd, version

    def _odd_among(self, pictures: Sequence[Picture]) -> frozenset[str]:
        """Names of those that look like no other of their face."""
        if not pictures:
            return frozenset()
        found = self.subject.odd(self.subject.together([one.learnt.looks for one in pictures]))
        by_face = {face: [one for one in pictures if one.face == face] for face, _ in found}
        return frozenset(by_face[face][number].id for face, number in found)

    def _worth_telling(self) -> list[Picture]:
        """The pictures of faces that have enough of them; none while there is one such face."""
        ready = [face for face in self.subject.faces if patches_of(self.of(face)) >= LEAST]
        if len(ready) < 2:
            return []
        return [one for one in self.pictures.values() if one.face in ready]


def patches_of(pictures: Iterable[Picture]) -> int:
    """How many cut-outs these pictures gave."""
    return sum(
        len(found)
        for one in pictures
        for faces in one.learnt.looks.patches.values()
        for found in faces.values()
    )


def scored(looks: DiceLooks) -> tuple[dict[str, Any], Mapping[Face, str]]:
    """How well the faces are told apart, and after which turns they look the same."""
    apart: Apart = tell_apart(looks)
    share = apart.right / max(1, apart.patches)
    how = "clear" if apart.closeness < 0.7 else "alike" if apart.closeness < 1 else "confused"
    return {
        "share": round(share, 4),
        "right": apart.right,
        "pictures": apart.patches,
        "closest": None if apart.closest is None else [list(face) for face in apart.closest],
        "closeness": round(apart.closeness, 3),
        "how": how,
    }, apart.turns
