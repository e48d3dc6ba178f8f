"""Watch one zone: frames in, reports out.

Frame by frame: does anything move (motion)? since when does everything lie still (settle)? Then,
once: where are the dice (find), what do they show (symbols), which of them were rolled (naming)?
Sans-I/O: the only clock is that of the frames.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from camera.calibrate import Pixels, Zone, ZoneView
from camera.dice_sets import DiceLooks
from camera.find import Body, Finder, Found
from camera.naming import Named, Reading, blocked_again, name_dice, never_left
from camera.rolled import PUSHED_S
from camera.settle import Phase, Settled
from camera.source import Frame
from camera.stillness import Stillness, Stir
from camera.symbols import CROOKED_FIT, FaceReader
from camera.taken_up import TakenUp
from companion.actions import Report, Rolled
from companion.dice import DiceSet

__all__ = ["Question", "Reading", "Sighting", "ZoneWatcher", "shown_in"]

CERTAIN = 0.85  # readings below are asked about
COVERED_S = 1.0  # under what lies here for so long dice may be thrown
BLOCKED_S = 0.2  # a thing that lies there and does not move is looked at so often
RESTING = (Phase.STILL, Phase.EMPTY)
_LOOKS = 4  # so many frames are looked at before the table is asked


class Question(NamedTuple):
    """What the table has to say, because the camera cannot.

    reason   `unreadable`, `crooked` or `cut` by the edge of what the camera sees (throw it again),
             `too_few` (throw those that are missing), `too_many` (nobody can tell which were
             rolled, such as when too many were moved), `turned` (a die shows another face, and was
             not rolled), `at_once` (tiles were turned up together: which of them counts?).
    at_s     capture time of the roll.
    names    the dice in question, or the squares of tiles.
    faces    the dice of the same roll that were read.
    choices  faces that the first one in question may show, likeliest first.
    crop     its picture, (H, W, 3) uint8 BGR; None if there is none.
    patch    its upper side as faces are learnt, so that an answer can be; None if there is none.
    """

    reason: str
    at_s: float
    names: tuple[str, ...]
    faces: dict[str, str]
    choices: tuple[str, ...]
    crop: Pixels | None
    patch: Pixels | None = None


class Sighting(NamedTuple):
    """What one frame told.

    reports      rolls that are complete since this frame.
    watermark_s  up to here everything has been reported.
    state        `empty`, `moving`, `settling` or `still`.
    readings     the dice as they lay at the last rest.
    question     what the table has to be asked, for as long as it is open.
    corners      of the zone in picture pixels, for drawing.
    """

    reports: tuple[Report, ...]
    watermark_s: float
    state: str
    readings: tuple[Reading, ...]
    question: Question | None
    corners: tuple[tuple[float, float], ...] = ()


class ZoneWatcher:
    """Reports the rolls of one zone.

    zone      where it lies in the picture.
    looks     how the dice look.
    dice      the dice that may be thrown here.
    empty     a picture of the tray without dice; by default the first frame is taken for it.
    settle_s  so long must the dice lie still.
    certain   certainty from which on a reading is reported.
    """

    def __init__(
        self,
        zone: Zone,
        looks: DiceLooks,
        dice: DiceSet,
        empty: Pixels | None = None,
        *,
        settle_s: float = 0.1,
        certain: float = CERTAIN,
    ) -> None:
        self.name = zone.name
        self._view, self._dice, self._certain = ZoneView(zone), dice, certain
        self._reader = FaceReader(looks.patches, set(dice.kinds()))
        self._finder: Finder | None = None
        self._awaited: tuple[str, ...] = ()
        self._at_least = 1
        self._rested: Pixels | None = None  # small picture of the last rest
        self._readings: tuple[Reading, ...] | None = None  # None before the first rest
        self._left: dict[str, float] = {}  # dice that are away from their place, and since when
        self._pending: dict[str, Reading] = {}  # of a roll that is not complete or not certain
        self._among: dict[str, Reading] = {}  # more than are awaited; see camera/naming.py
        self._missing: set[str] = set()  # of a roll; picked up before it was reported
        self._taken_up = TakenUp()
        self._pending_at_s = self._pending_gap_s = 0.0
        self._looks_left = _LOOKS
        self._question: Question | None = None
        self._is_to_judge, self._settle_s = False, settle_s
        self._glance: tuple[Found, list[Reading]] | None = None  # taken before rest is declared
        self._is_anew, self._blocked_s = False, -math.inf
        self._is_blind = self._is_unseen = False
        self._seen_s = self._covered_s = math.inf
        if empty is not None:
            self._take_empty(empty)

    def start_anew(self) -> None:
        """Forget how the dice lay: what lies there at the next rest was not seen to be rolled."""
        self._readings, self._rested, self._glance = None, None, None
        self._left, self._is_anew = {}, True
        self._taken_up.forget()
        if self._finder is not None:
            self._stillness.start_anew()
        self._drop_roll()

    def unseen(self) -> None:
        """What was shown up to now could not be trusted: dice may have been thrown meanwhile."""
        self._is_blind = True

    def no_roll(self) -> None:
        """Take note that nobody rolled what lies here anew; it is not reported any more."""
        if self._readings is not None:
            among, awaited = self._among.keys(), self._awaited
            self._readings = blocked_again(self._readings, among, awaited, self._dice)
        self._drop_roll()

    def _drop_roll(self) -> None:
        self._pending, self._among, self._missing = {}, {}, set()
        self._question, self._is_to_judge = None, False

    def expect(self, dice: Sequence[str], at_least: int = 1) -> None:
        """Say which dice a roll may consist of now, and how many it takes; () for no roll."""
        awaited = tuple(name for name in dice if name in self._dice)
        if (awaited, at_least) != (self._awaited, self._at_least):
            self._awaited, self._at_least = awaited, at_least
            self._missing &= set(awaited)
            self._sort(self._among | self._pending)
            self._question = None
            self._is_to_judge = bool(self._pending or self._among)

    def _sort(self, lying: dict[str, Reading]) -> None:
        """Which dice of an open roll are the roll, now that others are awaited.

        Dice of a kind are alike: where only some of them are awaited, nobody can tell which.
        """
        awaited = lying.keys() & set(self._awaited)
        is_all = len(awaited) == len(lying)
        if self._among and len(lying) < self._at_least:
            is_all = False  # no roll of its own; who throws next may have picked up others of them
        self._pending = lying if is_all else {}
        self._among = lying if awaited and not is_all else {}

    def answered(self, faces: Mapping[str, str] | None = None) -> None:
        """Take note that the table answered: what lies here is not reported any more.

        Where something moves or covers the zone just now, nobody can tell later which of the dice
        that come to light were answered and which were thrown since: none of them is reported.

        faces   what the table said that dice show; they are shown with it from now on.
        """
        said = faces or {}
        if self._finder is not None and self._stillness.settler.phase not in RESTING:
            self.start_anew()
            return
        self._readings = tuple(
            r._replace(face=said[r.name], certainty=1.0, choices=())
            if r.name is not None and r.name in said
            else r
            for r in self._readings or ()
        )
        self._drop_roll()

    def see(self, frame: Frame) -> Sighting:
        """Take in one frame; raise PictureError for one that is not this camera's."""
        self._view.check(frame.pixels)
        if self._finder is None:
            self._take_empty(frame.pixels)
        stir = self._stillness.see(frame)
        if stir.differs:
            self._looks_left, self._question, self._glance = _LOOKS, None, None
            self._blocked_s = -math.inf
            self._note_absent(stir.small, frame.at_s)
            if self._is_blind or frame.at_s - self._seen_s >= PUSHED_S:
                self._is_unseen = True
        elif self._is_settling(frame, stir.settled):
            self._glance = self._glance or self._find_and_read(frame.pixels)
        self._is_blind, self._seen_s = False, frame.at_s
        reports: tuple[Report, ...] = ()
        if stir.settled.is_due and frame.at_s >= self._blocked_s + BLOCKED_S:
            reports = self._look(frame, stir)
        elif self._is_to_judge and stir.settled.phase is Phase.STILL:
            reports = self._judge(frame.pixels)
        return Sighting(
            reports,
            self._stillness.settler.watermark_s,
            str(self._stillness.settler.phase),
            self._readings or (),
            self._question,
            self._view.zone.corners,
        )

    def _take_empty(self, empty: Pixels) -> None:
        self._finder = Finder(self._view, empty, len(self._dice.dice))
        self._stillness = Stillness(self._view, empty, self._settle_s)

    def _note_absent(self, small: Pixels, at_s: float) -> None:
        """Note which dice are not where they lay: they were picked up."""
        if self._rested is None or not self._readings:
            return
        lying = [r for r in self._readings if r.name is not None and r.name not in self._left]
        bodies = [reading.body for reading in lying]
        for number in self._stillness.motion.empty_places(small, bodies, self._rested):
            name = lying[number].name
            assert name is not None
            self._left[name] = at_s

    def _look(self, frame: Frame, stir: Stir) -> tuple[Report, ...]:
        """Find and read what lies here now that nothing moves, and judge it."""
        found, seen = self._glance or self._find_and_read(frame.pixels)
        self._glance = None
        if not found.is_clear:
            self._blocked_s, self._covered_s = frame.at_s, min(frame.at_s, self._covered_s)
            self._is_unseen = self._is_unseen or frame.at_s - self._covered_s >= COVERED_S
            return ()  # a hand, or a thing: no rest as long as it lies here
        for name in never_left(self._readings or (), seen, self._left):
            del self._left[name]
        rest_s = stir.settled.since_s
        picked_up = {name for name, at_s in self._left.items() if rest_s - at_s >= PUSHED_S}
        named = self._named(seen, self._left, picked_up)
        self._looks_left -= 1
        if self._looks_left > 0 and any(
            reading.certainty < self._certain for reading in named.readings
            if reading.name in named.rolled
        ):  # fmt: skip
            return ()  # perhaps the next frame is clearer
        if self._readings is None and (self._is_anew or not self._stillness.has_moved):
            named = name_dice((), seen, (), (), DiceSet({}))
        self._is_anew = self._is_unseen = False
        self._covered_s = math.inf
        turned, not_back = self._turned(named, self._left), self._not_back(named, rest_s)
        self._readings, self._rested, self._left = named.readings, stir.small, {}
        self._stillness.settler.declare(empty=not found.bodies)
        self._gather(named, rest_s, stir.gap_s, not_back)
        reports = self._judge(frame.pixels)
        if turned and not reports and self._question is None:
            self._question = self._ask("turned", turned, frame.pixels)
        return reports

    def _named(
        self,
        seen: Sequence[Reading],
        left: Collection[str],
        picked_up: Collection[str],
        still: Collection[int] = (),
    ) -> Named:
        """Name what lies here; dice that are missing in an open roll come first."""
        awaited = sorted(self._awaited, key=lambda name: name not in self._missing)
        before, loose = self._readings or (), self._among
        return name_dice(
            before, seen, left, awaited, self._dice, loose, still, picked_up,
            self._taken_up.among(awaited), unseen=self._is_unseen,
        )  # fmt: skip

    def _not_back(self, named: Named, rest_s: float) -> set[str]:
        """Awaited dice that were taken up with those that were rolled, and do not lie here."""
        lay, here = (
            {reading.name for reading in readings if reading.name is not None}
            for readings in (self._readings or (), named.readings)
        )
        return self._taken_up.not_back(lay, here, named.rolled, self._awaited, rest_s)

    def _gather(self, named: Named, since_s: float, gap_s: float, not_back: set[str]) -> None:
        """Put what was rolled to what is not reported yet; what was picked up of it is missing."""
        by_name = {r.name: r for r in named.readings if r.name is not None}
        before, anew = self._pending, named.rolled | named.among
        names = dict.fromkeys((*before, *sorted(named.rolled)))
        self._pending = {n: by_name[n] for n in names if n in by_name and n not in named.among}
        if anew:
            self._pending_at_s, self._pending_gap_s = since_s, gap_s
        among = named.among if anew else self._among  # what was thrown since counts instead
        self._among = {n: by_name[n] for n in sorted(among) if n in by_name}
        missing = (self._missing | before.keys() | not_back) - by_name.keys()
        self._missing = missing & set(self._awaited) if self._pending else set()

    def _is_settling(self, frame: Frame, settled: Settled) -> bool:
        """True half-way through the rest: what is read now need not be read when it is declared."""
        if settled.phase is not Phase.SETTLING or settled.is_due:
            return False
        return frame.at_s - settled.since_s >= self._settle_s / 2

    def _find_and_read(self, pixels: Pixels) -> tuple[Found, list[Reading]]:
        assert self._finder is not None
        found = self._finder.find(pixels)
        return found, self._read(pixels, found) if found.is_clear else []

    def _read(self, pixels: Pixels, found: Found) -> list[Reading]:
        readings = []
        for body in found.bodies:
            like = self._reader.read(self._view, pixels, body)
            faces = tuple(face for kind, face, _ in like.choices if kind == like.kind)
            box = box_of(self._view, body)
            readings.append(Reading(None, like.kind, like.face, like.certainty, body, box, faces))
        return readings

    def _turned(self, named: Named, left: Collection[str]) -> list[Reading]:
        """Dice that were not rolled, and that show another face than before."""
        before = {r.name: r.face for r in self._readings or () if r.name is not None}
        anew = {*named.rolled, *named.among, *self._among, *left}
        return [
            reading
            for reading in named.readings
            if reading.name in before
            and reading.face != before[reading.name]
            and reading.name not in anew
        ]

    def _judge(self, pixels: Pixels) -> tuple[Report, ...]:
        """Report the roll if it is complete, or ask."""
        self._is_to_judge, self._question = False, None
        if self._among:
            self._question = self._ask("too_many", [], pixels)
            return ()
        if not self._pending:
            return ()
        doubtful = [r for r in self._pending.values() if r.certainty < self._certain]
        if doubtful:
            worst = min(doubtful, key=lambda reading: reading.certainty)
            reason = "crooked" if worst.body.fit < CROOKED_FIT else "unreadable"
            doubtful.sort(key=lambda reading: reading is not worst)
            self._question = self._ask(reason, doubtful, pixels)
            return ()
        if len(self._pending) < self._at_least or self._missing:
            self._question = self._ask("too_few", [], pixels)
            return ()
        report = Report(
            Rolled({name: reading.face for name, reading in sorted(self._pending.items())}),
            at_s=self._pending_at_s,
            within_s=self._pending_gap_s,
            source=f"camera:{self.name}",
            certainty=min(reading.certainty for reading in self._pending.values()),
        )
        self._pending = {}
        return (report,)

    def _ask(self, reason: str, doubtful: Sequence[Reading], pixels: Pixels) -> Question:
        names = tuple(r.name for r in doubtful if r.name is not None)
        if reason in ("too_few", "too_many"):
            names = tuple(name for name in self._awaited if name not in self._pending)
        if reason == "too_few" and len(self._pending) >= self._at_least:
            names = tuple(sorted(self._missing))
        sure = {n: r.face for n, r in self._pending.items() if n not in names}
        first = doubtful[0] if doubtful else None
        picture = None if first is None else crop(pixels, first.box)
        choices = () if first is None else first.choices
        return Question(reason, self._pending_at_s, names, sure, choices, picture)


def box_of(view: ZoneView, body: Body) -> tuple[int, int, int, int]:
    """Left, top, width and height in picture pixels of a box around what lies there."""
    corners = body.corners()
    points = np.vstack([view.to_px(corners), view.to_px(corners, 0.0)])
    left, top = np.floor(points.min(axis=0)).astype(int)
    right, bottom = np.ceil(points.max(axis=0)).astype(int)
    return int(left), int(top), int(right - left), int(bottom - top)


def crop(pixels: Pixels, box: tuple[int, int, int, int]) -> Pixels:
    """Cut out a die, with a third of its size around it."""
    left, top, width, height = box
    pad = max(width, height) // 3
    rows = slice(max(0, top - pad), max(1, top + height + pad))
    columns = slice(max(0, left - pad), max(1, left + width + pad))
    return pixels[rows, columns].copy()


def shown_in(sighting: Sighting) -> tuple[Reading, ...]:
    """What is drawn of a sighting: nothing while its dice move."""
    return () if sighting.state in (Phase.EMPTY, Phase.MOVING) else tuple(sighting.readings)
