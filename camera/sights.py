"""What a camera's newest frame shows, for people who set a table up: zones, their dice, how sure.

Real dice are looked at by the pipeline of a live game (camera/live.py), simulated ones by that of
a simulated game. Both answer alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from camera.calibrate import Pixels, Zone, ZoneView
from camera.dice_sets import DiceLooks
from camera.enrolment import enrol_simulated
from camera.settle import Phase
from camera.simulated import SimulatedTray
from camera.source import Frame
from camera.watch import ZoneWatcher
from companion.dice import DiceSet

if TYPE_CHECKING:
    from camera.live import LiveTray

FRAMES_PER_S = 30.0
EVERY_S = 3.0  # the simulated people throw as often
WHOLE = "tray"
WHOLE_CUT = slice(None), slice(None)


class Sight(NamedTuple):
    """One zone: `empty`, `moving`, `settling` or `still`; its dice as at the last rest.

    dice   plain values: `kind`, `face`, `certainty` from 0 to 1, `box` in pixels.
    asked  why the table is asked, in a few words; "" when it is not.
    """

    zone: str
    state: str
    dice: tuple[dict[str, Any], ...]
    asked: str = ""


class Eyes(Protocol):
    """A pipeline that takes in frame after frame."""

    def see(self, frame: Frame) -> tuple[Sight, ...]:
        """Take in one frame; tell of every zone."""
        ...


Looked = tuple[str, tuple[slice, slice], "LiveTray"]  # a zone, where it is cut out, who looks
Places = Callable[[tuple[int, int]], Sequence[Zone]]


class LiveEyes:
    """Reads real dice: those of a learnt set, or without one those with pips.

    empty  the trays without dice, if there is a picture of them.
    zones  gives the trays in pictures of a size; the whole picture is one where that is missing.
    """

    def __init__(
        self, looks: DiceLooks | None, empty: Pixels | None = None, zones: Places | None = None
    ) -> None:
        self._looks, self._empty, self._zones = looks, empty, zones
        self._trays: list[Looked] = []

    def see(self, frame: Frame) -> tuple[Sight, ...]:
        """Take in one frame."""
        if not self._trays:
            self._trays = list(self._made((frame.pixels.shape[1], frame.pixels.shape[0])))
        return tuple(self._sight(frame, *tray) for tray in self._trays)

    def _made(
        self, size_px: tuple[int, int]
    ) -> Iterator[tuple[str, tuple[slice, slice], "LiveTray"]]:
        # the networks are loaded only where they are wanted
        from camera.live import LiveTray
        from camera.seek import Seeker
        from camera.tray import outline_of
        from camera.tray_readers import reader_for

        seeker = Seeker()
        if self._zones is None:
            yield WHOLE, WHOLE_CUT, LiveTray(self._looks, self._empty, seeker)
            return
        for zone in self._zones(size_px):
            view = ZoneView(zone)
            left, top, right, bottom = view.bounds_px()
            cut = slice(top, bottom), slice(left, right)
            empty = None if self._empty is None else np.ascontiguousarray(self._empty[cut])
            within = outline_of(view) - (left, top)
            reader = reader_for(self._looks, seeker=seeker)  # it gets to know this tray
            yield zone.name, cut, LiveTray(None, empty, seeker, reader=reader, within=within)

    def _sight(self, frame: Frame, name: str, cut: tuple[slice, slice], tray: "LiveTray") -> Sight:
        tray.see(Frame(frame.at_s, np.ascontiguousarray(frame.pixels[cut])))
        left, top = cut[1].start or 0, cut[0].start or 0
        dice = [
            _die(r.kind, r.face, r.certainty, (r.box[0] + left, r.box[1] + top, *r.box[2:]))
            for r in tray.dice
        ]
        asked = "; ".join(dict.fromkeys(r.doubt for r in tray.dice if r.doubt))
        return Sight(name, str(tray.phase), tuple(dice), asked)


class SimulatedThrows:
    """A source: simulated people throw all dice of each zone every few seconds, for ever."""

    def __init__(self, dice: DiceSet, zones: Mapping[str, tuple[str, ...]], seed: int = 1) -> None:
        self._dice, self._zones, self._seed = dice, zones, seed
        self.tray = SimulatedTray(dice, zones, seed=seed)

    def frames(self) -> Iterator[Frame]:
        """Hand out pictures, 30 a second, in the time of the source."""
        names = [name for thrown in self._zones.values() for name in thrown]
        number, next_s, turn = 0, 0.5, self._seed
        while True:
            at_s = number / FRAMES_PER_S
            if at_s >= next_s:
                turn += 1
                faces = {n: self._dice[n].faces[(turn * (i + 2)) % len(self._dice[n].faces)]
                         for i, n in enumerate(names)}  # fmt: skip
                next_s = self.tray.throw(faces, at_s) + EVERY_S
            yield self.tray.frame(at_s)
            number += 1


class SimulatedEyes:
    """The watchers of a live game, over simulated trays."""

    def __init__(
        self, source: SimulatedThrows, dice: DiceSet, zones: Mapping[str, tuple[str, ...]]
    ) -> None:
        looks, places, empty = enrol_simulated(dice), source.tray.zones(), source.tray.empty()
        self._watchers = [
            ZoneWatcher(places[zone], looks, DiceSet.of(dice[n] for n in names), empty)
            for zone, names in zones.items()
        ]
        for watcher, names in zip(self._watchers, zones.values(), strict=True):
            watcher.expect(names)

    def see(self, frame: Frame) -> tuple[Sight, ...]:
        """Take in one frame."""
        return tuple(self._sight(watcher, frame) for watcher in self._watchers)

    def _sight(self, watcher: ZoneWatcher, frame: Frame) -> Sight:
        seen = watcher.see(frame)
        gone = seen.state == Phase.EMPTY
        dice = [_die(r.kind, r.face, r.certainty, r.box) for r in (() if gone else seen.readings)]
        return Sight(
            watcher.name, seen.state, tuple(dice), seen.question.reason if seen.question else ""
        )


def _die(kind: str, face: str, certainty: float, box: tuple[int, int, int, int]) -> dict[str, Any]:
    return {"kind": kind, "face": face, "certainty": int(certainty * 1000) / 1000, "box": list(box)}
