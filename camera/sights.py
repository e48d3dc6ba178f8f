"""What a camera's newest frame shows, for people who set a table up: zones, their dice, how sure.

One of three pipelines looks: that of the simulated trays, that of symbol dice with a learnt set, or
that of pip dice, which need no teaching. All of them answer alike.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from camera.calibrate import Pixels, Zone, ZoneView
from camera.dice_sets import DiceLooks
from camera.enrolment import enrol_simulated
from camera.pips import read_dice
from camera.settle import Phase
from camera.simulated import SimulatedTray
from camera.source import Frame
from camera.stillness import Stillness
from camera.watch import ZoneWatcher
from companion.dice import DiceSet

SETTLE_S = 0.1
FRAMES_PER_S = 30.0
EVERY_S = 3.0  # the simulated people throw as often
WHOLE = "tray"


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


class PipEyes:
    """Reads pip dice anywhere in the picture once nothing moves; `empty` as for `read_dice`."""

    def __init__(self, empty: Pixels | None = None) -> None:
        self._empty = empty
        self._stillness: Stillness | None = None
        self._seen: tuple[tuple[dict[str, Any], ...], str] = ((), "")

    def see(self, frame: Frame) -> tuple[Sight, ...]:
        """Take in one frame."""
        if self._stillness is None:
            self._stillness = Stillness(ZoneView(whole_of(frame.pixels)), frame.pixels, SETTLE_S)
        stir = self._stillness.see(frame)
        if stir.settled.is_due:
            self._read(frame.pixels)
            self._stillness.settler.declare(empty=not self._seen[0])
        return (Sight(WHOLE, str(self._stillness.settler.phase), *self._seen),)

    def _read(self, pixels: Pixels) -> None:
        look = read_dice(pixels, empty=self._empty)
        dice = [_die("pips", str(r.face), r.certainty, r.box) for r in look.readings]
        self._seen = tuple(dice), "; ".join(look.doubts)


class SymbolEyes:
    """Reads symbol dice of a learnt set anywhere in the picture."""

    def __init__(self, looks: DiceLooks, empty: Pixels | None = None) -> None:
        from camera.live import LiveTray  # its network is loaded only where it is wanted

        self._tray = LiveTray(looks, empty)

    def see(self, frame: Frame) -> tuple[Sight, ...]:
        """Take in one frame."""
        self._tray.see(frame)
        dice = tuple(_die(r.kind, r.face, r.certainty, r.box) for r in self._tray.dice)
        asked = "; ".join(dict.fromkeys(r.doubt for r in self._tray.dice if r.doubt))
        return (Sight(WHOLE, str(self._tray.phase), dice, asked),)


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


def whole_of(pixels: Pixels) -> Zone:
    """Make a zone of the whole picture."""
    height, width = pixels.shape[:2]
    corners = ((0.0, 0.0), (width - 1.0, 0.0), (width - 1.0, height - 1.0), (0.0, height - 1.0))
    return Zone(WHOLE, corners, (width / 40, height / 40), (width, height))


def _die(kind: str, face: str, certainty: float, box: tuple[int, int, int, int]) -> dict[str, Any]:
    return {"kind": kind, "face": face, "certainty": int(certainty * 1000) / 1000, "box": list(box)}
