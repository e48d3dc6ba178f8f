"""Watch a tray of dice, frame by frame, and tell each roll once.

Theory of operation. While something changes in the picture, dice are sought in every frame and
followed (camera/tracks.py). Once all that are found lie still, whatever shadows, lamps and hands do
around them, they are read, frame after frame, and what several looks agree upon counts
(camera/ballot.py). The time of rest is the first frame in which all rolled dice lay as they do, and
those that they struck.
Dice that never moved, or lie where dice lay before with the same faces, were not touched. The
others were rolled, unless one shows the face of a die that vanished beside it, and a hand or
another die may have pushed it. While dice are missing and something still moves, others are waited
for: perhaps they are in a hand. A roll that leaves fewer dice than lay here, or anything like a die
that nobody could read, is told, but not accepted; nor is one beside which something new lies that
the empty tray lacks.
"""

import math
from collections import deque
from collections.abc import Sequence

from camera.ballot import counted
from camera.canvas import Pixels
from camera.changes import Changes
from camera.clutter import Clutter
from camera.dice_sets import DiceLooks
from camera.faces import CERTAIN
from camera.halves import Halves
from camera.hand_signs import COVERED_S, HandSigns
from camera.lying import rest_of
from camera.overlooked import Overlooked
from camera.rolled import (
    SOMEHOW,
    UNREAD,
    Compared,
    LaidDie,
    LyingDie,
    Throw,
    are_dice,
    came_to_lie,
    count,
    gap_before,
    is_among,
    is_hardly_read,
    is_often_read,
    is_read,
    may_be_told,
    unread,
    why_doubted,
)
from camera.seek import Floats, Seeker
from camera.seen_gone import SeenGone
from camera.settle import Phase
from camera.slant import Slant
from camera.source import Frame
from camera.stills import DieReading
from camera.sway import Sway
from camera.tracks import (
    SAME_DIE_SIDES,
    Track,
    Tracks,
    hangs_on_nothing,
    is_within,
    nearest,
    none_until,
)
from camera.tray_readers import Reader, reader_for
from camera.unseen import Unseen
from camera.upper_sides import find_tops

SETTLE_S = 0.05  # so long dice must lie: three frames of 30 a second
DOUBT_S = 0.11  # so long after rest what cannot be read is looked at again; four frames of 30
CALM_S = 0.39  # so long nothing may move before what is missing is taken for gone
MISSING_S = 1.5  # the same where a lamp never lets the picture be calm
HOT = 0.5  # of the seeker, from which something is taken for a die
KEPT = 12  # frames that are looked back at
LAG = 4  # frames; rest may be found to have begun so long before it was noticed
MOST_VOTES = 9  # looks at a die; more tell nothing new


class LiveTray:
    """Tells the rolls of one camera's pictures.

    looks   the learnt set of the dice; without one, dice with pips are read.
    empty   the tray without dice, if there is a picture of it.
    expect  how many dice lie here after a roll; learnt from what lay here before if not given.
    reader  who reads the dice, if not one for `looks`.
    within  outline (N, 2) of the tray in pixels; dice outside it are none of ours.
    """

    def __init__(
        self, looks: DiceLooks | None, empty: Pixels | None = None, seeker: Seeker | None = None, *,
        expect: int | None = None, reader: Reader | None = None, within: Floats | None = None,
    ) -> None:  # fmt: skip
        self._seeker = seeker or Seeker()
        self.reader = reader or reader_for(looks, seeker=self._seeker)
        self._empty, self.expect = None if empty is None else Halves(empty), expect
        self._overlooked = Overlooked(self._empty, self._seeker)
        self.within = within
        self._past: deque[tuple[float, Pixels]] = deque(maxlen=KEPT)
        self._picture: Halves  # of the newest frame, held still
        self._changes, self._sway, self._clutter = Changes(), Sway(), Clutter(self._empty)
        self._unseen, self._signs = Unseen(), HandSigns(self._empty)
        self._seen_gone = SeenGone(self._empty)
        self._changed_s = -1.0
        self._tracks = Tracks()
        self._phase = Phase.MOVING
        self._watermark_s = -math.inf
        self._scale = 1.0  # of the grey pictures that are kept
        self._turns = 0  # to the left, after which pictures stand upright
        self._slant: Slant | None = None  # of the newest frame that tells it
        self.is_idle = False  # nothing moved in the last frame, and nothing was sought in it
        self.start_anew()

    def start_anew(self) -> None:
        """Forget how the dice lay: what lies there at the next rest was not seen to be rolled."""
        self._known: list[LaidDie] | None = None  # at the last rest
        self._gone: list[LaidDie] = []  # lay here, and were taken away
        self._unseen.forget()
        self._clutter.forget()
        self._overlooked.forget()
        self._phase = Phase.MOVING

    @property
    def phase(self) -> Phase:
        """What the tray does, as of the last frame."""
        return self._phase

    @property
    def watermark_s(self) -> float:
        """Up to here every rest has been told; never goes back."""
        return self._watermark_s

    @property
    def steadied(self) -> Pixels:
        """The newest picture, as it were if the camera stood still: readings are told in it."""
        return self._picture.pixels

    @property
    def dice(self) -> tuple[DieReading, ...]:
        """The dice as they lay at the last rest."""
        return tuple(die.reading for die in self._known or ())

    def see(self, frame: Frame) -> Throw | None:
        """Take in one frame; give the roll that came to rest, once that is known."""
        rest = self.look(frame)
        return rest if rest is not None and any(die.moved for die in rest.dice) else None

    def look(self, frame: Frame) -> Throw | None:
        """Take in one frame; give every rest after something moved, also without any roll."""
        picture, grey, self._scale = self._sway.steadied(frame.pixels)
        if self._past and self._picture.size_px != picture.size_px:
            self._past.clear()
            self._tracks.all = []
            self.start_anew()
        is_changed = self._changes.sees(grey)
        if is_changed:
            self._changed_s = frame.at_s
        before = self._past[-1][1] if self._past else None
        self._past.append((frame.at_s, grey))
        self._picture = picture
        is_calm = frame.at_s - self._changed_s > CALM_S
        is_quiet = self._is_resting and not is_changed and not self._gone
        if is_quiet and self._turns != self.reader.turns:
            self._turns = self._overlooked.turns = self.reader.turns  # all lie a little beside
            self.start_anew()  # not under a hand: dice that it covers would come in as rolled
        self.is_idle = self._is_resting and not is_changed and is_calm
        if self.is_idle:
            self._clutter.keep(picture)
            self._signs.keep(picture, self._known or ())
            self._tracks.lie(frame.at_s)
            self._watermark_s = frame.at_s
            return None
        self._follow(frame, before, grey)
        lay = [*(self._known or ()), *self._gone]
        self._seen_gone.see(frame.at_s, picture, lay)
        self._clutter.note_old(self._strange(), picture, lay)
        if self._is_resting and self._is_as_known():
            self._watermark_s = max(self._watermark_s, self._look_closer(frame))
            return None
        self._phase = Phase.SETTLING if self._lie_since(self._previous_s) else Phase.MOVING
        rest = self._settle(frame, is_calm) if self._phase is Phase.SETTLING else None
        self._move_watermark(frame.at_s)
        return rest

    @property
    def _is_resting(self) -> bool:
        return self._phase in (Phase.STILL, Phase.EMPTY)

    @property
    def _previous_s(self) -> float:
        return self._past[-2][0] if len(self._past) > 1 else -math.inf

    def _follow(self, frame: Frame, before: Pixels | None, grey: Pixels) -> None:
        found = find_tops(
            self._seeker, self._picture, self._empty, precise=False, turns=self._turns
        )
        self._slant = found.slant or self._slant
        self._signs.see(frame.at_s, self._picture, self._slant)
        known = [die.track for die in self._known or ()]
        tops = [top for top in found.tops if is_within(self.within, top.corners)]
        self._tracks.follow(frame.at_s, before, grey, tops, known, scale=self._scale)
        shadows = (nearest(one.corners, self._strange(), SAME_DIE_SIDES) for one in found.shadows)
        self._clutter.note_shadows(filter(None, shadows))

    def _present(self) -> list[Track]:
        """What lies here and is taken for dice."""
        known = [die.track for die in self._known or ()]
        return [
            track for track in self._tracks.all
            if track in known
            or ((is_read(track) or track.heat >= HOT) and not self._clutter.holds(track))
        ]  # fmt: skip

    def _look_closer(self, frame: Frame) -> float:
        """Read what is there while nothing seems to happen: a die that the seeker hardly saw.

        Returns up to when none came to lie there, as far as is known.
        """
        fresh = self._read_new(frame)
        things = [t for t in self._strange() if not is_among(t, self._known or [])]
        # A known die may be found anew in its place.
        self._clutter.note([t for t in things if t not in fresh], frame.at_s)
        return none_until([t for t in things if t in fresh], frame.at_s)

    def _strange(self) -> list[Track]:
        """What may be a die, and is neither known nor known to be none."""
        known = [die.track for die in self._known or ()]
        return [t for t in self._tracks.all if t not in known and not self._clutter.holds(t)]

    def _read_new(self, frame: Frame) -> list[Track]:
        """Give what was hardly read yet, and read it, if some of that lies still."""
        fresh = [track for track in self._strange() if is_hardly_read(track)]
        if any(frame.at_s - track.since_s > SETTLE_S for track in fresh):
            self._vote(frame)
        return fresh

    def _fresh(self) -> list[Track]:
        """What lies where no die is known; else all: a shadow's edge may make known ones new."""
        here, known = self._present(), self._known or ()
        return [track for track in here if not is_among(track, known)] or here

    def _lie_since(self, at_s: float) -> bool:
        """True if all dice that are seen lay so at that moment already."""
        return at_s > -math.inf and all(track.since_s <= at_s for track in self._present())

    def _is_as_known(self) -> bool:
        """True if nothing lies where nothing lay, and nothing is missing."""
        here, known = self._here(), self._known or []
        return len(here) == len(known) and all(is_among(track, known) for track in here)

    def _move_watermark(self, at_s: float) -> None:
        up_to_s = at_s
        if not self._is_resting:
            late_s = self._past[-LAG][0] if len(self._past) >= LAG else self._past[0][0]
            since_s = max((track.since_s for track in self._fresh()), default=at_s)
            up_to_s = math.nextafter(min(since_s, late_s), -math.inf)
        hardly_seen = [track for track in self._strange() if track.heat < HOT]
        open_ones = [one for one in hardly_seen if may_be_told(one, self._known or (), at_s)]
        self._watermark_s = max(self._watermark_s, none_until(open_ones, up_to_s))

    def _settle(self, frame: Frame, is_calm: bool) -> Throw | None:
        """Read what lies still, and judge it as soon as that is possible."""
        if self._is_bare(is_calm):
            self._read_new(frame)
            return None
        self._vote(frame)
        if not self._lie_since(frame.at_s - SETTLE_S + 0.0005):
            return None
        dice = self._dice_here()
        found = self._unseen.compared(
            self._known or [], self._gone, dice, self._picture, self._signs.came_alone
        )
        if self._known is None or not any(found.moved):
            if self._known is None or is_calm or count(dice) >= count(self._known):
                return self._taken(frame, dice, found, ())
            return None
        left_over = self.reader.left_over
        doubts = why_doubted(
            dice, found.moved, self._wanted, left_over, is_known=self.expect is not None
        )
        if self._is_to_wait(frame.at_s, dice, found, bool(doubts), is_calm=is_calm):
            return None
        return self._taken(frame, dice, found, doubts)

    def _is_bare(self, is_calm: bool) -> bool:
        """True if dice that lay here are all out of sight, for the moment."""
        return bool(self._known) and not self._present() and not is_calm

    def _vote(self, frame: Frame) -> None:
        """Read all dice once more, where there is something new to be read."""
        is_told = all(len(track.votes) >= MOST_VOTES for track in self._strange())
        if self._known is not None and is_told:
            return
        asked = [*self._present(), *self._strange()]
        readings = self.reader.read(self._picture, self._empty)
        self._tracks.vote(frame.at_s, readings, asked, self.within)

    def _dice_here(self) -> list[LaidDie]:
        """All that lies here, with what most looks say of it; left to right."""
        known, dice = {id(die.track): die.reading for die in self._known or ()}, []
        for track in self._here():
            seen, old = counted(track.votes), known.get(id(track))
            if old is not None and (seen is None or old.certainty >= min(CERTAIN, seen.certainty)):
                seen = old
            if seen is not None or self._lies(track.corners):
                dice.append(LaidDie(track, seen or unread(track.corners)))
        return sorted(dice, key=lambda die: die.reading.box[:2])

    def _here(self) -> list[Track]:
        """What is present, or was hardly seen, but read: well, or where fewer lie than lay here."""
        present = self._present()
        least = 0.0 if len(present) < self._wanted else SOMEHOW
        hardly = [t for t in self._strange() if t not in present and is_often_read(t, least)]
        return [*present, *hardly]

    def _is_to_wait(
        self, at_s: float, dice: Sequence[LaidDie], found: Compared, in_doubt: bool, *,
        is_calm: bool,
    ) -> bool:  # fmt: skip
        """True if a later frame may tell more."""
        rolled = [die for die, is_moved in zip(dice, found.moved, strict=True) if is_moved]
        waited_s = at_s - max(die.track.since_s for die in rolled)
        if found.lost and self._signs.may_hide(found.lost, rolled, dice, waited_s):
            return True
        is_one_more = in_doubt and bool(self._known) and len(dice) > self._wanted
        if is_one_more and waited_s < COVERED_S and self._signs.may_look_like(rolled, dice):
            return True
        if is_calm or waited_s > MISSING_S:
            return False
        least = self._wanted
        if self.expect is None and count(rolled) <= count(found.lost):
            least = count(self._known or ())  # what was taken out before has nothing to do with it
        if count(dice) < least or not count(rolled):
            may_be_all = len(dice) >= least and waited_s >= DOUBT_S
            if not may_be_all or self._signs.may_be_beside(dice):
                return True  # some are in a hand, or under it; or there is nothing but fingers
        if (
            self.expect is None
            and waited_s < CALM_S
            and self._changes.fly_beside([self._scale * die.track.corners for die in dice])
            and self._signs.may_be_beside(dice)  # else the edge of a shadow moves
        ):
            return True
        if not in_doubt or waited_s < DOUBT_S:
            return in_doubt
        unsure = [die for die in rolled if die.reading.certainty < CERTAIN]
        return not all(self._lies(die.track.corners) for die in unsure)

    @property
    def _wanted(self) -> int:
        """How many dice lie here after a roll, as far as is known."""
        if self.expect is not None:
            return self.expect
        return count(self._known or ()) + count(self._gone)

    def _lies_here(self, at: Floats) -> bool:
        return is_within(self.within, at) and self._lies(at, 2)

    def _lies(self, at: Floats, frames: int = 3) -> bool:
        """True if nothing has moved around there for some frames: no finger holds it."""
        greys = [grey for _, grey in list(self._past)[-frames:]]
        pairs = zip(greys, greys[1:], strict=False)
        return all(hangs_on_nothing(one, other, self._scale * at) for one, other in pairs)

    def _taken(
        self, frame: Frame, dice: Sequence[LaidDie], found: Compared, doubts: tuple[str, ...]
    ) -> Throw:  # fmt: skip
        """Take what lies here for known from now on, and tell it."""
        rolled = [die for die, is_moved in zip(dice, found.moved, strict=True) if is_moved]
        corners = [die.reading.corners for die in dice]
        hints = [track.corners for track in self._strange()]
        beside = self._overlooked.new(self._picture, self._slant, corners, self._lies_here, hints)
        beside = beside if rolled else []
        doubts = (*doubts, *map(self._overlooked.told, beside))
        tracks = came_to_lie(dice, found.moved, self._known or ())
        times_s = [rest_of(self._past, self._scale * t.corners, t.since_s) for t in tracks]
        at_s = max(times_s, default=frame.at_s)
        if self._watermark_s >= at_s:
            at_s = min(frame.at_s, math.nextafter(self._watermark_s, math.inf))
        is_first, moved = self._known is None, found.moved
        if is_first:
            dice = [die for die in dice if die.reading.kind != UNREAD]
            moved = [False] * len(dice)
        if is_first or are_dice(rolled):
            self._unseen.keep(self._picture, found.lost)
        self._gone = [] if are_dice(rolled) else found.lost
        self._known = list(dice)
        strange = [t for t in self._strange() if is_first or not is_hardly_read(t)]
        self._clutter.note(strange, frame.at_s, at_once=is_first)
        for die in dice:
            die.track.votes.clear()
            die.track.came_from = None
        self._phase = Phase.STILL if dice else Phase.EMPTY
        told = tuple(LyingDie(d.reading, m) for d, m in zip(dice, moved, strict=True))
        accepted, within_s = bool(rolled) and not doubts, gap_before(at_s, self._past)
        return Throw(at_s, frame.at_s, accepted, told, doubts, tuple(beside), within_s)
