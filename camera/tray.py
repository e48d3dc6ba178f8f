"""Watch one real tray of a game: the live pipeline of clips, with the game's names and questions.

A tray is cut out of the camera's picture and shown to the same `LiveTray` that watches clips; what
came to rest gets its names as in every zone (camera/naming.py). Learnt dice and pip dice may lie in
one tray. Whatever was not certain is asked, with the upper side as faces are learnt, so that the
answer can be.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from camera.calibrate import MARGIN_SIDES, Floats, Pixels, Zone, ZoneView, map_points, scaled_by
from camera.dice_sets import DiceLooks
from camera.faces import CERTAIN
from camera.find import Body
from camera.live import LiveTray
from camera.naming import Reading, name_dice
from camera.outline import slants_drawn
from camera.rolled import PUSHED_S, UNREAD, LyingDie, Throw, unread
from camera.seek import Seeker
from camera.slant import Slant, are_cut
from camera.source import Frame
from camera.tracks import SAME_SIDES
from camera.tray_pips import has_pips
from camera.tray_readers import Reader, face_patch, reader_again, reader_for, tell_slant
from camera.vanishing import slants_seen
from camera.watch import RESTING, Question, Sighting, ZoneWatcher
from companion.actions import Report
from companion.dice import DiceSet

FLAT, CROOKED = 1.0, 0.0  # how well an upright die explains what is seen; see camera/find.py
OUTSIDE_SIDES = 0.3  # dice at the wall of the tray may be found so far outside its floor


class Eyes(NamedTuple):
    """Who finds the dice of a tray, and who reads them: slow to make, so made before they look."""

    seeker: Seeker
    reader: Reader

    @classmethod
    def of(cls, looks: DiceLooks | None, dice: DiceSet) -> "Eyes":
        """Make what reads these dice; a first look at nothing loads all that is loaded late."""
        seeker = Seeker()
        reader = reader_for(looks, dice, seeker)
        nothing = np.full((96, 96, 3), 90, np.uint8)
        seeker.seek(nothing)
        reader.read(nothing, None)
        return cls(seeker, reader)


class TrayWatcher(ZoneWatcher):
    """Reports the rolls of one real tray, of learnt dice and of pip dice.

    looks  what was learnt; None where only pip dice are thrown.
    empty  the whole camera's picture of the trays without dice, if there is one.
    eyes   who finds and who reads the dice, if they were made before.
    is_to_scale  False where the zone's size in dice is a guess: the first dice that lie here tell
                 it then.
    """

    def __init__(
        self,
        zone: Zone,
        looks: DiceLooks | None,
        dice: DiceSet,
        empty: Pixels | None = None,
        eyes: "Eyes | None" = None,
        *,
        is_to_scale: bool = True,
    ) -> None:
        super().__init__(zone, DiceLooks({}, {}), dice, certain=CERTAIN)
        self._is_to_scale = is_to_scale
        eyes = eyes or Eyes.of(looks, dice)
        self._seeker = eyes.seeker
        left, top, right, bottom = self._view.bounds_px()
        self._cut = slice(top, bottom), slice(left, right)
        self._size_px = (right - left, bottom - top)
        self._offset = np.array([left, top], np.float64)
        tell_slant(eyes.reader, self._slants(empty))
        self._to_sides: Floats = np.asarray(np.linalg.inv(self._view.top_to_px), np.float64)
        self._live = LiveTray(
            None,
            None if empty is None else self._part(empty),
            self._seeker,
            reader=eyes.reader,
            within=outline_of(self._view) - self._offset,
        )
        self._corners: dict[tuple[int, int, int, int], Floats] = {}  # of the dice at the last rest
        self._at_edge: set[tuple[int, int, int, int]] = set()  # boxes of those that it cuts
        self._last_s: float | None = None

    def relearn(self, looks: DiceLooks) -> None:
        """Read with this from the next picture on; from any thread."""
        self._live.reader = reader_again(self._live.reader, looks, self._dice, self._seeker)

    def start_anew(self) -> None:
        """Forget how the dice lay: what lies there at the next rest was not seen to be rolled."""
        super().start_anew()
        self._live.start_anew()

    def answered(self, faces: Mapping[str, str] | None = None) -> None:
        """Take note that the table answered; as every zone does."""
        if self._live.phase not in RESTING and self._last_s is not None:
            self.start_anew()
            return
        super().answered(faces)

    def see(self, frame: Frame) -> Sighting:
        """Take in one frame; raise PictureError for one that is not this camera's."""
        self._view.check(frame.pixels)
        gap_s = 0.0 if self._last_s is None else frame.at_s - self._last_s
        self._last_s = frame.at_s
        was_away, self._is_blind = self._is_blind or gap_s >= PUSHED_S, False
        self._is_unseen = self._is_unseen or was_away
        rest = self._live.look(Frame(frame.at_s, self._part(frame.pixels)))
        reports: tuple[Report, ...] = ()
        if rest is not None:
            reports = self._name(rest, frame)
        elif self._live.phase not in RESTING:
            self._question = None
        else:
            self._is_unseen = was_away  # where all lies as it lay, nothing was missed
            reports = self._judge(frame.pixels) if self._is_to_judge else ()
        return Sighting(
            reports,
            self._live.watermark_s,
            str(self._live.phase),
            self._readings or (),
            self._question,
            self._view.zone.corners,
        )

    def _slants(self, empty: Pixels | None) -> Sequence[Slant] | None:
        """What the empty tray tells of how its camera looks, or its outline; None if neither."""
        told = () if empty is None else slants_seen(empty)
        told = told or slants_drawn(self._view.zone)
        if empty is None and not told:
            return None
        return [one._replace(centre=one.centre - self._offset) for one in told]

    def _part(self, pixels: Pixels) -> Pixels:
        return np.ascontiguousarray(pixels[self._cut])

    def _name(self, rest: Throw, frame: Frame) -> tuple[Report, ...]:
        """Give names to what lies here now, and judge it."""
        if not self._is_to_scale:
            self._take_scale(rest)
        before = self._readings or ()
        self._corners, self._at_edge = {}, set()
        kinds = self._kinds_unread(rest)
        pairs = [(die, self._reading(die, before, kinds)) for die in rest.dice]
        kept = [reading.body for die, reading in pairs if not die.moved]
        left = {r.name for r in before if r.name is not None and not _is_near(r.body, kept)}
        unseen = self._unseen_among(rest, left)
        pairs += [(die, self._reading(die, before, kinds)) for die in unseen]
        seen = [reading for _, reading in pairs]
        still = {number for number, (die, _) in enumerate(pairs) if not die.moved}
        away: set[str] = set() if self._is_unseen else left  # nobody saw them away from their place
        named = self._named(seen, away, away, still)
        if self._readings is None:
            named = name_dice((), seen, (), (), DiceSet({}))
        self._is_anew = self._is_unseen = False
        turned, not_back = self._turned(named, left), self._not_back(named, rest.at_s)
        self._readings, self._left = named.readings, {}
        self._gather(named, rest.at_s, rest.within_s, not_back)
        reports = self._judge(frame.pixels)
        if turned and not reports and self._question is None:
            asked = self._ask("turned", turned, frame.pixels)
            self._question = asked._replace(at_s=rest.at_s)
        return reports

    def _take_scale(self, rest: Throw) -> None:
        """Learn from the dice that lie here how large the zone is in dice."""
        tops = [die.reading.corners + self._offset for die in rest.dice if _is_sure(die)]
        if not tops:
            return
        guessed, zone = self._view.zone, scaled_by(self._view.zone, tops)
        wider, deeper = np.divide(zone.size_sides, guessed.size_sides).tolist()
        self._view, self._is_to_scale = ZoneView(zone), True
        self._to_sides = np.asarray(np.linalg.inv(self._view.top_to_px), np.float64)
        self._live.within = outline_of(self._view) - self._offset
        self._readings = self._readings and tuple(
            r._replace(body=r.body._replace(x=wider * r.body.x, y=deeper * r.body.y))
            for r in self._readings
        )

    def _reading(self, die: LyingDie, before: Sequence[Reading], kinds: Iterator[str]) -> Reading:
        """A die as zones tell of it; one that was not touched lies exactly where it lay.

        kinds  for dice that nobody read.
        """
        seen, corners = die.reading, die.reading.corners + self._offset
        on_floor = map_points(self._to_sides, corners)
        x, y = on_floor.mean(axis=0)
        way = on_floor[1] - on_floor[0]
        angle = math.atan2(way[1], way[0]) % (math.pi / 2)
        body = Body(float(x), float(y), angle, CROOKED if seen.doubt in ("cocked", "cut") else FLAT)
        if not die.moved:
            old = next((r for r in before if _is_near(r.body, [body])), None)
            body = body if old is None else old.body._replace(fit=body.fit)
        kind, face = seen.kind, seen.face
        if kind == UNREAD:
            kind, face = next(kinds, self._kind_awaited()), ""
        left, top = (int(v) for v in self._offset)
        box = (seen.box[0] + left, seen.box[1] + top, seen.box[2], seen.box[3])
        self._corners[box] = corners
        if seen.doubt == "cut":
            self._at_edge.add(box)
        return Reading(None, kind, face, seen.certainty, body, box, seen.choices)

    def _unseen_among(self, rest: Throw, left: set[str]) -> list[LyingDie]:
        """What may be dice that nobody saw, as far as more are awaited than moved or stayed."""
        stayed = {reading.name for reading in self._readings or ()} - left
        moved = sum(die.moved for die in rest.dice)
        more = sum(name not in stayed for name in self._awaited) - moved
        beside = rest.beside[: max(0, more)]
        cut = are_cut(np.array(beside).reshape(-1, 4, 2), self._size_px)
        return [
            LyingDie(unread(corners)._replace(doubt="cut" if out else "unsure"), True)
            for corners, out in zip(beside, cut, strict=True)
        ]

    def _kinds_unread(self, rest: Throw) -> Iterator[str]:
        """Kinds of the awaited dice that are none of those which were read."""
        rolled, stayed = (
            Counter(die.reading.kind for die in rest.dice if die.moved is moved)
            for moved in (True, False)
        )
        blocked = Counter(r.kind for r in self._readings or () if r.name not in self._awaited)
        awaited = Counter(self._dice[name].kind for name in self._awaited)
        return (awaited - rolled - (stayed - blocked)).elements()

    def _kind_awaited(self) -> str:
        """What something unread is asked about as: the kind that most awaited dice have."""
        kinds = [self._dice[name].kind for name in self._awaited] or list(self._dice.kinds())
        return max(kinds, key=kinds.count, default="")

    def _ask(self, reason: str, doubtful: Sequence[Reading], pixels: Pixels) -> Question:
        """Ask as every zone does, with a picture to learn from where a face could not be told."""
        if reason == "crooked" and doubtful[0].box in self._at_edge:
            reason = "cut"
        question = super()._ask(reason, doubtful, pixels)
        corners = self._corners.get(doubtful[0].box) if doubtful else None
        if reason != "unreadable" or corners is None or not question.names:
            return question
        if has_pips(self._dice[question.names[0]]):
            return question  # they are read without teaching
        patch = face_patch(self._live.steadied, corners - self._offset)
        return question._replace(patch=patch)


def outline_of(view: ZoneView) -> Floats:
    """Around the floor of a zone and what stands on it, (N, 2) in pixels of the picture."""
    width, depth = view.zone.size_sides
    m = min(OUTSIDE_SIDES, MARGIN_SIDES)
    floor = np.array([(-m, -m), (width + m, -m), (width + m, depth + m), (-m, depth + m)])
    points = np.vstack([view.to_px(floor, 0.0), view.to_px(floor)]).astype(np.float32)
    return np.asarray(cv2.convexHull(points).reshape(-1, 2), np.float64)


def _is_sure(die: LyingDie) -> bool:
    return not die.reading.doubt and die.reading.certainty >= CERTAIN


def _is_near(body: Body, others: Sequence[Body]) -> bool:
    return any(math.hypot(body.x - o.x, body.y - o.y) < 2 * SAME_SIDES for o in others)
