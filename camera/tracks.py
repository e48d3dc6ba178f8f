"""Follow what may be dice from frame to frame: where each lies, and since when it does.

Theory of operation. A die that is seen once is a *track*. While its pixels stay as they are, but
for the light (camera/lying.py), the die lies there, whether the seeker finds it in every frame or
not. As soon as they do not, it moves, or something covers it, and the track ends; what is found
then begins anew.
"""

import math
from collections import deque
from collections.abc import Collection, Iterable, Sequence

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.faces import CERTAIN
from camera.halves import Halves, Picture
from camera.lying import EXPLAINED, cut_around, drift, lies_as
from camera.seek import Floats, side_px
from camera.stills import DieReading
from camera.upper_sides import Top

STILL_SIDES = 0.012  # from frame to frame; see camera/lying.py
SAME_SIDES = 0.16  # an untouched die is found again within half of that
SAME_DIE_SIDES = 0.4  # nearer than that no two dice lie
# Waits, here and in live.py, end between two frames of 30 a second: clips round their times.
UNFOUND_S = 0.28  # so long a die may lie unfound before it is taken for a mistake
LARGEST_PX = 1000  # of the longer side of a picture in which motion is looked for
MOST_HEATS = 9  # finds that are remembered
SURELY_BARE = 3  # frames in which a place looks bare, from which nothing lies there
KEPT_VOTES = 60  # the same for looks at what lies there
AROUND_SIDES = 0.8  # of a die that are looked at for something that it hangs on
STEP_SIDES, FASTEST = 0.9, 27.0  # from frame to frame, a second; what moves farther is not followed


class Track:
    """Something that may be a die.

    corners  (4, 2) of its upper side in pixels, as it was found last.
    since_s  first frame of which it is known that it lay so.
    seen_s   the last frame in which it was found.
    lay_s    the last frame in which it lay so, found or not.
    heats    how sure the seeker was, find by find.
    votes    what was read of it, look by look, since all dice lie; the newest ones.
    unlike_bare  share of light by which it differs from the bare tray; none if nobody looked.
    bare_frames    so many frames its place looked bare since it lay there.
    came_from  the known die that moved, and was seen on its way here in every frame; or none.
    """

    def __init__(self, corners: Floats, heat: float, at_s: float) -> None:
        self.corners, self.heats = corners, [heat]
        self.since_s = self.seen_s = self.lay_s = at_s
        self.votes: deque[DieReading | None] = deque(maxlen=KEPT_VOTES)
        self.unlike_bare: float | None = None
        self.bare_frames = 0
        self.came_from: Track | None = None

    @property
    def heat(self) -> float:
        """How sure the seeker is, most of the time."""
        return float(np.median(self.heats))

    @property
    def has_left(self) -> bool:
        """True if it does not lie there any more for sure: what lies there later came anew."""
        return self.bare_frames >= SURELY_BARE


def grey_of(picture: Picture) -> tuple[Pixels, float]:
    """Give a picture in grey, halved until it is small enough to see motion in, and its scale."""
    grey, scale = Halves.of(picture).grey, 1.0
    while max(grey.shape) > LARGEST_PX:  # halving is many times faster than other factors
        half = (grey.shape[1] // 2, grey.shape[0] // 2)
        grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
        scale /= 2
    return grey, scale


def apart(one: Floats, other: Floats) -> float:
    """How far two upper sides (4, 2) are from each other, in sides of the first."""
    between = one.mean(axis=0) - other.mean(axis=0)
    return float(np.hypot(*between)) / max(1.0, side_px(one))


def nearest(corners: Floats, tracks: Sequence[Track], within: float) -> Track | None:
    """The track that lies nearest, if one is so near, in sides."""
    best = min(tracks, key=lambda track: apart(corners, track.corners), default=None)
    if best is None or apart(corners, best.corners) > within:
        return None
    return best


def is_within(edge: Floats | None, corners: Floats) -> bool:
    """True if the middle of something lies within an outline (N, 2); in none, all does."""
    if edge is None:
        return True
    x, y = (float(v) for v in corners.mean(axis=0))
    return cv2.pointPolygonTest(edge.astype(np.float32), (x, y), False) >= 0


def none_until(tracks: Iterable[Track], at_s: float) -> float:
    """Give the last moment up to this one at which none of these lay there yet."""
    return min([at_s, *(math.nextafter(track.since_s, -math.inf) for track in tracks)])


def lies_still(before: Pixels, now: Pixels, corners: Floats) -> bool:
    """True if a die lies in both grey frames, in the same place."""
    return lies_as(cut_around(before, corners), cut_around(now, corners), STILL_SIDES)


def hangs_on_nothing(before: Pixels, now: Pixels, corners: Floats) -> bool:
    """True if what is around a die is still too, as it is not around a finger."""
    cuts = cut_around(before, corners, AROUND_SIDES), cut_around(now, corners, AROUND_SIDES)
    seen = drift(*cuts)
    return seen.sides < STILL_SIDES and seen.explained > EXPLAINED


class Tracks:
    """All tracks of one zone."""

    def __init__(self) -> None:
        self.all: list[Track] = []

    def lie(self, at_s: float) -> None:
        """Take in a frame in which nothing changed."""
        for track in self.all:
            track.lay_s = at_s

    def follow(
        self,
        at_s: float,
        before: Pixels | None,
        now: Pixels,
        tops: Sequence[Top],
        known: Collection[Track] = (),
        *,
        scale: float = 1.0,
    ) -> None:
        """Take in what was found in a frame; `before` and `now` are grey, `before` may be none.

        scale   of `before` and `now` against the picture that was sought in.
        known   those that are dice for sure: they may lie unfound for longer.
        """
        kept = [] if before is None else [
            track for track in self.all if lies_still(before, now, scale * track.corners)
        ]  # fmt: skip
        free, moving = list(kept), [track for track in self.all if track not in kept]
        for top in sorted(tops, key=lambda one: -one.seen.heat):
            track = nearest(top.corners, free, SAME_DIE_SIDES)
            if track is None:
                new = Track(top.corners, top.seen.heat, at_s)
                new.came_from = _followed(new, moving, known)
                kept.append(new)
                continue
            free.remove(track)
            if apart(top.corners, track.corners) > 2 * SAME_SIDES:  # it lies, but was not seen well
                kept.remove(track)
                new = Track(top.corners, top.seen.heat, at_s)
                new.since_s, new.came_from = track.since_s, track.came_from
                kept.append(new)
                continue
            if track not in known or apart(top.corners, track.corners) < SAME_SIDES:
                track.corners = top.corners  # else a finger beside it misled the seeker
            track.seen_s = at_s
            track.heats = [*track.heats[1 - MOST_HEATS :], top.seen.heat]
        kept = [t for t in kept if t in known or at_s - t.seen_s < UNFOUND_S]
        self.all = _one_a_die(kept, known)
        self.lie(at_s)
        for one in known:
            if one in self.all or one.has_left:
                continue
            if any(_lies_again(one, track) for track in self.all):
                one.lay_s = at_s

    def vote(
        self, at_s: float, readings: Iterable[DieReading], asked: Iterable[Track],
        within: Floats | None,
    ) -> None:  # fmt: skip
        """Take in what was read in a frame: of what was asked about, nothing where none of it is.

        within  outline (N, 2) beyond which nothing is taken for a die that nobody found.
        """
        voted: set[int] = set()
        for reading in readings:
            track = nearest(reading.corners, self.all, SAME_DIE_SIDES)
            is_sure = reading.certainty >= CERTAIN and is_within(within, reading.corners)
            if track is None and is_sure:
                track = Track(reading.corners, 1.0, at_s)
                self.all.append(track)
            if track is not None and id(track) not in voted:
                voted.add(id(track))
                track.votes.append(reading)
        for track in {id(t): t for t in asked}.values():
            if id(track) not in voted:
                track.votes.append(None)


def _followed(now: Track, moving: Sequence[Track], known: Collection[Track]) -> Track | None:
    """The known die that is here now, if one that moved since the last frame may be it."""
    gap_s = max((now.since_s - track.lay_s for track in moving), default=0.0)
    before = nearest(now.corners, moving, min(STEP_SIDES, FASTEST * gap_s))
    return before if before is None or before in known else before.came_from


def _one_a_die(tracks: Sequence[Track], known: Collection[Track]) -> list[Track]:
    """Leave out what was found twice: of two in one place a known one stays, or the newer find."""
    best = sorted(tracks, key=lambda t: (t not in known, -t.seen_s, -t.heat))
    own: list[Track] = []
    for track in best:
        if not any(_are_one(track, other) for other in own):
            own.append(track)
    return [track for track in tracks if track in own]


def _lies_again(one: Track, found: Track) -> bool:
    """True if something was found anew in the place of one that a hand hid, and lies there."""
    return found.since_s < found.lay_s and apart(one.corners, found.corners) < SAME_SIDES


def _are_one(one: Track, other: Track) -> bool:
    """True if they are nearer than two dice lie, by the larger one: a part of a die may be less."""
    sides = min(apart(one.corners, other.corners), apart(other.corners, one.corners))
    return sides < SAME_DIE_SIDES
