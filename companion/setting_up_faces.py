"""Teaches dice and tiles on the set-up page: "show me the Troll, 3 of 8", with a live score.

Pictures come from the table's camera once nothing moves in it, from files, or, in a simulated room,
from a hand that lays one die after the other. What is learnt of real dice is saved where `companion
enrol` saves it, and counts from the moment in which a game is taken up with it. The game in play
stands still while somebody is at it.
"""

import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from camera.answers import keep, replace
from camera.calibrate import Pixels, load_zones
from camera.pictures import load_picture
from camera.shown import has_moved, picture_from
from camera.simulated import SimulatedTray
from camera.simulated_square import FACES, SimulatedSquare
from camera.square import COLUMNS
from camera.tile_art import BACK
from companion.apart import Showing
from companion.calibrating import empty_of
from companion.dice import DiceSet
from companion.errors import IllegalAction, PictureError
from companion.lesson import DiceSubject, Face, Lesson, Picture, Subject, TileSubject
from companion.setting_up_zones import refusing
from companion.simulated_square import has_square
from companion.table_eyes import SQUARE, TRAYS, TableEyes
from companion.taking_up import TakesUp
from companion.words import face_word, say

DICE, TILES = "dice", "tiles"
STILL_S, WAIT_S, LOOK_S = 0.4, 5.0, 0.1  # so long nothing must move; so long that is waited for
SHOWN_AT = ("1,1", "1,5", "3,3", "5,2", "4,5")  # squares on which a simulated hand lays tiles
LAMPS = ((1.0, 1.0, 1.0), (0.82, 0.95, 1.0), (1.0, 0.92, 0.80))


class FaceBench(TakesUp):
    """Everything about teaching that the set-up page can do; safe from any thread."""

    def __init__(self, eyes: TableEyes) -> None:
        super().__init__(eyes.desk, simulated=eyes.simulated)
        self.eyes = eyes
        self._lesson: Lesson | None = None
        self._what, self._saved = "", False
        self._has_replaced = False  # a set, which is kept: the lesson may be saved again
        self._hand: SimulatedHandOver | None = None
        self._last: Pixels | None = None
        self._taking = threading.Lock()
        self._showing = Showing(eyes.desk, "faces")

    # --- looking ----------------------------------------------------------------------------------

    def look(self) -> dict[str, Any]:
        """What can be taught, and how far the lesson is."""
        lesson = self._lesson
        if lesson is not None and not self._showing.was_let_go:
            self._showing.begin()
        return {
            "simulated": self.eyes.simulated,
            "may_teach": self._subjects(),
            "camera": self._camera() if self._what else "",
            "lesson": None if lesson is None else self._rows(lesson),
            "changed": self.is_changed,
            "may_take_up": self.may_take_up,
            "game_waits": self._showing.is_on,
        }

    def thumb(self, picture: str) -> bytes:
        """A small JPEG of a picture that was learnt."""
        return self._picture(picture).thumb

    def _rows(self, lesson: Lesson) -> dict[str, Any]:
        now, a_face = lesson.now, lesson.subject.a_face
        return {
            "what": self._what,
            "a_face": a_face,
            "now": None if now is None else face_row(now) | {
                "number": min(len(lesson.of(now)) + 1, a_face),
            },
            "faces": [
                face_row(face) | {
                    "pictures": [one.id for one in lesson.of(face)],
                    "odd": [one.id for one in lesson.of(face) if one.id in lesson.odd],
                    "turned": lesson.turns.get(face, ""),
                }
                for face in lesson.subject.faces
            ],
            "score": lesson.score,
            "learning": lesson.is_learning,
            "saved": self._saved,
            "may_save": not lesson.missing,
        }  # fmt: skip

    def _subjects(self) -> list[str]:
        table = self._table()
        dice = getattr(table, "dice", DiceSet.of(()))
        found = [DICE] if dice.dice else []
        return [*found, TILES] if table is not None and has_square(table) else found

    def _table(self) -> Any:
        try:
            return self._desk.companion.referee.table
        except IllegalAction:
            return None

    def _camera(self) -> str:
        name = SQUARE if self._what == TILES else TRAYS
        return name if name in self.eyes.names() else ""

    # --- doing ------------------------------------------------------------------------------------

    def begin(self, what: str) -> dict[str, Any]:
        """Begin a lesson in dice or tiles; an earlier one is forgotten."""
        if what not in self._subjects():
            raise IllegalAction("nothing_to_teach", "This game has nothing of that kind.")
        with refusing():
            subject = self._subject(what)
        self.close()
        self._what, self._saved, self._last = what, False, None
        self._has_replaced = False
        self._lesson = Lesson(subject)
        self._showing.begin()
        return self.look()

    def take(self, kind: str, face: str) -> dict[str, Any]:
        """Take a picture with the camera once nothing moves, and learn it."""
        lesson = self._running()
        self._showing.begin()
        if not self._taking.acquire(blocking=False):
            raise IllegalAction("taking", "A picture is being taken just now.")
        try:
            self._last = self._shown((kind, face))
            lesson.show((kind, face), self._last)
        finally:
            self._taking.release()
        self._saved = False
        return self.look()

    def bring(self, kind: str, face: str, data: bytes) -> dict[str, Any]:
        """Learn from a picture that was sent in."""
        lesson = self._running()
        try:
            pixels = picture_from(data)
        except PictureError as error:
            raise IllegalAction("no_picture", str(error)) from error
        lesson.show((kind, face), pixels)
        self._saved = False
        return self.look()

    def take_back(self, picture: str) -> dict[str, Any]:
        """Forget a picture."""
        self._running().take_back(picture)
        self._saved = False
        return self.look()

    def choose(self, kind: str, face: str) -> dict[str, Any]:
        """Teach this face now."""
        self._running().choose((kind, face))
        return self.look()

    def save(self) -> dict[str, Any]:
        """Save what was learnt; of simulated dice nothing is kept."""
        lesson = self._running()
        if lesson.missing:
            faces = ", ".join(" ".join(face) for face in lesson.missing)
            raise IllegalAction("missing", say("No picture yet of: {faces}.", faces=faces))
        if not self.eyes.simulated:
            is_dice = self._what == DICE
            where = self.eyes.camera.looks if is_dice else self.eyes.square.tiles
            with refusing():
                write = keep if self._has_replaced else replace
                write(lesson.looks(), Path(where))
            self._has_replaced = True
            self.is_changed = True
        self._saved = True
        return self.look()

    def go_on(self) -> dict[str, Any]:
        """Let the game in play go on, until something is shown again."""
        self._showing.let_go()
        return self.look()

    def end(self) -> dict[str, Any]:
        """End the lesson; what was not saved is forgotten."""
        self.close()
        return self.look()

    def close(self) -> None:
        """Stop learning; may be called twice."""
        self._showing.end()
        lesson, self._lesson, self._what = self._lesson, None, ""
        if lesson is not None:
            lesson.close()

    def _make_way(self) -> None:
        self._showing.let_go()  # the game that is taken up is to be played

    def _running(self) -> Lesson:
        if self._lesson is None:
            raise IllegalAction("no_lesson", "Begin a lesson first.")
        return self._lesson

    def _picture(self, name: str) -> Picture:
        known = self._running().pictures
        if name not in known:
            raise IllegalAction("no_picture", "There is no such picture.")
        return known[name]

    # --- what is shown ----------------------------------------------------------------------------

    def _subject(self, what: str) -> Subject:
        """What is taught; ConfigError or PictureError where a square was not set yet."""
        table = self._table()
        if self.eyes.simulated:
            self._hand = SimulatedHandOver(what, table)
            return self._hand.subject()
        if what == DICE:
            empty = Path(self.eyes.camera.empty) if self.eyes.camera.empty else None
            is_there = empty is not None and empty.is_file()
            return DiceSubject(faces_of(table.dice), load_picture(str(empty)) if is_there else None)
        path = Path(self.eyes.square.square)
        [zone] = load_zones(path)[:1] or [None]
        if zone is None:
            raise PictureError(say("{path}: expected a square; set its corners first", path=path))
        return TileSubject((*FACES, BACK), zone, load_picture(empty_of(path)), table.columns)

    def _shown(self, face: Face) -> Pixels:
        """What lies before the camera, once it lies still and is not what it was before."""
        if self.eyes.simulated and self._hand is not None:
            if face not in self._running().subject.faces:
                raise IllegalAction("no_face", "There is no such face to be taught.")
            return self._hand.show(face)
        return self._still(self._camera())

    def _still(self, camera: str) -> Pixels:
        until_s, since_s = time.monotonic() + WAIT_S, time.monotonic()
        pause, before = threading.Event(), self.eyes.frame(camera)
        while time.monotonic() < until_s:
            pause.wait(LOOK_S)
            now = self.eyes.frame(camera)
            if has_moved(before.pixels, now.pixels):
                since_s, before = time.monotonic(), now
            elif time.monotonic() - since_s >= STILL_S:
                self._check_new(now.pixels)
                return now.pixels
        raise IllegalAction("moves", "Something moves in the picture; take your hands away.")

    def _check_new(self, pixels: Pixels) -> None:
        if self._last is not None and not has_moved(self._last, pixels):
            raise IllegalAction(
                "nothing_new", "This was taken already; turn it, or lay it elsewhere."
            )


class SimulatedHandOver:
    """A hand that lays simulated dice or tiles before a camera of their own, one by one."""

    def __init__(self, what: str, table: Any) -> None:
        self._at_s, self._count = 0.0, 0
        self._lies: list[str] = []
        self._dice: DiceSet = table.dice if what == DICE else DiceSet.of(())
        self._tray = (
            SimulatedTray(self._dice, {"lesson": [die.name for die in self._dice]}, seed=7)
            if what == DICE
            else None
        )
        self._squares = () if what == DICE else tuple(
            SimulatedSquare(seed=70 + n, lamp=lamp) for n, lamp in enumerate(LAMPS)
        )  # fmt: skip

    def subject(self) -> Subject:
        """What this hand shows."""
        if self._tray is not None:
            return DiceSubject(faces_of(self._dice), self.empty())
        zone = self._squares[0].zones()["square"]
        return TileSubject((*FACES, BACK), zone, self.empty(), COLUMNS)

    def empty(self) -> Pixels:
        """Picture of the tray, or the square, before anything lies there."""
        return self._squares[0].empty() if self._tray is None else self._tray.empty()

    def show(self, face: Face) -> Pixels:
        """Lay something with this face up, and take its picture."""
        self._count += 1
        if self._tray is None:
            return self._tiles(face[1])
        kind, up = face
        die = next(one for one in self._dice.kinds()[kind] if up in one.faces)
        self._at_s = self._tray.take_out(self._lies, self._at_s + 1.0)
        self._at_s = self._tray.throw({die.name: up}, self._at_s)
        self._lies = [die.name]
        return self._tray.frame(self._at_s + 0.5).pixels

    def _tiles(self, face: str) -> Pixels:
        square = self._squares[self._count % len(self._squares)]
        gaps = set(square.squares) - set(SHOWN_AT)
        square.lay({} if face == BACK else dict.fromkeys(SHOWN_AT, face), gaps)
        return square.frame(float(self._count)).pixels


def faces_of(dice: DiceSet) -> Iterable[Face]:
    """Every face of every kind, once."""
    for kind, members in dice.kinds().items():
        for face in dict.fromkeys(face for die in members for face in die.faces):
            yield kind, face


def face_row(face: Face) -> dict[str, Any]:
    """A face as the page shows it."""
    kind, name = face
    return {"kind": kind, "face": name, "label": face_word(name)}
