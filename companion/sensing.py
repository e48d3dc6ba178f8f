"""The sensors of one table, joined to the inbox: what they await, bring, and how they fare."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

from camera.cutouts import cut_out, drawn_live
from camera.dice_sets import DiceLooks
from camera.source import Frame
from camera.tiles import TileWatcher
from camera.watch import Question, Sighting, ZoneWatcher
from companion.actions import Chose, Flipped, Report, Rolled
from companion.asking import Asked
from companion.inbox import Inbox
from companion.learning import Learner
from companion.offers import Choose, Flip, Offer, Roll
from companion.sensor_rows import STIRRING, source_of
from hardware.ble_dice import BleDice
from hardware.dice_messages import Message, Watermark
from hardware.rolls import RollCollector, RollInDoubt
from hardware.serial_port import SerialPort

UP_ALREADY = "already_face_up"  # why a tile that is up is not turned up
COVERED = "covered"  # what people say when they have covered what they were asked to cover


class Asks(Protocol):
    """Whoever puts a sensor's question to the table.

    learners   by source: who learns from the answers.
    withdraws  by source: who takes it that dice were not rolled.
    """

    learners: dict[str, Learner]
    withdraws: dict[str, Callable[[], None]]

    def __call__(self, source: str, question: Question | None) -> None:
        """Ask what lies there, or (None) take the question back; in the sensor's thread."""
        ...

    def open_ones(self) -> Sequence[Asked]:
        """The questions that wait for an answer."""
        ...

    def answer(self, question: str, face: str) -> None:
        """Answer one, in the deciding thread."""
        ...

    @property
    def game_waits(self) -> bool:
        """True while the screens say that the game waits, whatever is thrown."""
        ...

    def witness(self, report: Report, picture: Callable[[], bytes | None]) -> Report:
        """Keep the picture of a roll; return the report that names it, in the sensor's thread."""
        ...


class Watcher(Protocol):
    """Whoever looks at one zone of a camera's pictures."""

    name: str

    def see(self, frame: Frame) -> Sighting:
        """Take in one frame."""
        ...

    def answered(self, faces: Mapping[str, str]) -> None:
        """The table knows what these dice or tiles show."""
        ...

    def start_anew(self) -> None:
        """What lies there at the next rest was not seen to come: it is no news."""
        ...


W = TypeVar("W", bound=Watcher)


def awaited_rolls(offers: Iterable[Offer], dice: Iterable[str]) -> list[Roll]:
    """The open rolls that some of these dice could answer, with those dice only."""
    mine = frozenset(dice)
    rolls = []
    for offer in offers:
        if isinstance(offer, Roll) and offer.closed is None:
            here = tuple(die for die in offer.dice if die in mine)
            if here:
                rolls.append(Roll(offer.player, here, min(offer.at_least, len(here))))
    return rolls


class Live(NamedTuple):
    """A picture of a camera: when it was taken, what draws it as JPEG, what was seen in it."""

    at_s: float
    draw: Callable[[], bytes]
    seen: tuple[Sighting, ...]


class Watching(Generic[W]):
    """One camera over one or more zones; each zone is a source of its own.

    dice  zone -> the dice, or the squares, of which it can tell.
    """

    def __init__(
        self,
        watchers: Sequence[W],
        dice: Mapping[str, Sequence[str]],
        inbox: Inbox,
        ask: Asks,
    ) -> None:
        self.watchers = tuple(watchers)
        self.sightings: dict[str, Sighting] = {}
        self._dice = dict(dice)
        self._inbox = inbox
        self._ask = ask
        self._moving: dict[str, float | None] = {}
        self._asked: dict[str, tuple[str, float, tuple[str, ...]] | None] = {}
        self._lock = threading.Lock()
        self.reading: Callable[[bool], None] = lambda is_reading: None  # the light must be steady
        self._is_reading = False
        self._is_blind = self._has_missed = False
        self._newest: Frame | None = None
        for watcher in watchers:
            inbox.add_source(source_of(watcher.name), dice[watcher.name])

    def answered(self, faces: Mapping[str, str]) -> None:
        """The table knows what these dice show; what lies there is not reported again."""
        self._has_missed = self._has_missed or self._is_blind
        for watcher in self.watchers:
            here = {die: faces[die] for die in self._dice[watcher.name] if die in faces}
            if here:
                with self._lock:
                    watcher.answered(here)

    def start_anew(self) -> None:
        """What lies there once all rests was laid there for something else: it is no news."""
        with self._lock:
            for watcher in self.watchers:
                watcher.start_anew()

    def blind(self) -> None:
        """The camera shows nothing that can be trusted, until the next frame."""
        self._is_blind = True

    def _open_eyes(self) -> None:
        """What was decided unseen has left dice that nobody may take for a new roll."""
        if self._has_missed:
            self.start_anew()
        self._is_blind = self._has_missed = False

    def see(self, frame: Frame) -> None:
        """Show one frame to every zone and hand on what they report."""
        if self._is_blind:
            self._open_eyes()
        for watcher in self.watchers:
            with self._lock:
                sighting = watcher.see(frame)
            source = source_of(watcher.name)
            for report in sighting.reports:
                self._inbox.put(self._witnessed(report, frame, sighting))
            self._ask_once(source, sighting.question)
            self._inbox.heard(source, sighting.watermark_s, self._since(watcher.name, sighting))
            self.sightings[watcher.name] = sighting
        self._newest = frame
        self._keep_light_steady()

    def _witnessed(self, report: Report, frame: Frame, sighting: Sighting) -> Report:
        """The report with the picture of its dice; a tile is covered again, and leaves none."""
        if not isinstance(report.action, Rolled):
            return report
        rolled = report.action.faces
        boxes = [reading.box for reading in sighting.readings if reading.name in rolled]
        return self._ask.witness(report, partial(cut_out, frame.pixels, boxes))

    def live(self) -> "Live | None":
        """The newest picture, to be drawn with all that was seen in it; None before the first."""
        newest, seen = self._newest, tuple(self.sightings.copy().values())
        if newest is None:
            return None
        return Live(newest.at_s, partial(drawn_live, newest.pixels, seen), seen)

    @property
    def newest(self) -> Frame | None:
        """The newest picture as it was taken; None before the first."""
        return self._newest

    @property
    def is_blind(self) -> bool:
        """True while the camera shows nothing that can be trusted."""
        return self._is_blind

    def _keep_light_steady(self) -> None:
        """Say when dice begin to move, and when all have been read."""
        if self._is_reading == self.is_quiet:
            self._is_reading = not self._is_reading
            self.reading(self._is_reading)

    def _ask_once(self, source: str, question: Question | None) -> None:
        """A question stays with the sighting for as long as it is open; it is put once."""
        what = None if question is None else (question.reason, question.at_s, question.names)
        if what != self._asked.get(source):
            self._asked[source] = what
            self._ask(source, question)

    @property
    def is_quiet(self) -> bool:
        """True if nothing moves or settles in any zone."""
        return not any(s.state in STIRRING for s in self.sightings.values())

    def _since(self, zone: str, sighting: Sighting) -> float | None:
        if sighting.state not in STIRRING:
            self._moving[zone] = None
        elif self._moving.get(zone) is None:
            self._moving[zone] = sighting.watermark_s
        return self._moving.get(zone)


class CameraSensor(Watching[ZoneWatcher]):
    """One camera over trays of dice."""

    _awaited: Sequence[Sequence[Roll]] = ()

    def __init__(
        self,
        watchers: Sequence[ZoneWatcher],
        dice: Mapping[str, Sequence[str]],
        inbox: Inbox,
        ask: Asks,
    ) -> None:
        super().__init__(watchers, dice, inbox, ask)
        ask.withdraws |= {source_of(w.name): partial(self._no_roll, w) for w in watchers}

    def _open_eyes(self) -> None:
        """Whatever was thrown unseen, no die was only pushed."""
        with self._lock:
            for watcher in self.watchers:
                watcher.unseen()
        super()._open_eyes()

    def _no_roll(self, watcher: ZoneWatcher) -> None:
        """Nobody rolled the dice that this zone asks about; in any thread."""
        with self._lock:
            watcher.no_roll()

    def expect(self, offers: Sequence[Offer]) -> None:
        """Tell each zone which dice the table awaits there, and from whom."""
        awaited = [awaited_rolls(offers, self._dice[watcher.name]) for watcher in self.watchers]
        self._has_missed = self._has_missed or (self._is_blind and awaited != self._awaited)
        self._awaited = awaited
        for watcher, rolls in zip(self.watchers, awaited, strict=True):
            dice = tuple(die for roll in rolls for die in roll.dice)
            with self._lock:
                watcher.expect(dice, max((roll.at_least for roll in rolls), default=1))


class TileSensor(Watching[TileWatcher]):
    """One camera over a square of tiles."""

    def __init__(
        self, watcher: TileWatcher, squares: Sequence[str], inbox: Inbox, ask: Asks
    ) -> None:
        super().__init__([watcher], {watcher.name: squares}, inbox, ask)
        self._up: frozenset[str] = frozenset()  # as the table knows
        self._to_cover: Choose | None = None

    def expect(self, offers: Sequence[Offer]) -> None:
        """Tell the watcher which tiles are up; notice when people are asked to cover others."""
        closed = [o for o in offers if isinstance(o, Flip) and o.closed is not None]
        up = [s for o in closed if o.closed and o.closed.code == UP_ALREADY for s in o.squares]
        asks = (o for o in offers if isinstance(o, Choose) and o.choice == COVERED)
        self._up, self._to_cover = frozenset(up), next(asks, None)
        with self._lock:
            self.watchers[0].expect(up)

    def see(self, frame: Frame) -> None:
        """Show the watcher a frame; say so when all is covered that was to be covered."""
        super().see(frame)
        if self._to_cover is not None and self.is_quiet and self._up.issuperset(self.still_up):
            chose = Chose(self._to_cover.player, COVERED)
            self._to_cover = None
            self._inbox.put(Report(chose, at_s=frame.at_s, source=source_of(self.watchers[0].name)))

    def relearn(self, looks: DiceLooks) -> None:
        """Read tiles with this from now on."""
        with self._lock:
            self.watchers[0].relearn(looks)

    @property
    def still_up(self) -> tuple[str, ...]:
        """Squares whose tiles lie face up, as far as the camera has seen."""
        return self.watchers[0].up


class DiceSensor:
    """Smart dice behind one serial port, or behind the Bluetooth radio: one source."""

    def __init__(self, collector: RollCollector, dice: Iterable[str], inbox: Inbox) -> None:
        self.collector = collector
        self.dice = tuple(dice)
        self.port: SerialPort | None = None
        self.radio: BleDice | None = None
        self.ask: Callable[[RollInDoubt | None], None] = lambda doubt: None
        self._asked: RollInDoubt | None = None
        self._lock = threading.Lock()
        self._inbox = inbox
        inbox.add_source(collector.source, self.dice)

    @property
    def carrier(self) -> SerialPort | BleDice | None:
        """Which way the dice are heard."""
        return self.port or self.radio

    def expect(self, offers: Sequence[Offer]) -> None:
        """Tell the collector which rolls the table awaits."""
        self.collector.expect_rolls(awaited_rolls(offers, self.dice))
        self._ask_once()

    def answered(self, faces: Mapping[str, str]) -> None:
        """The table knows what these dice show; what was collected of them counts no more."""
        if not set(self.dice).isdisjoint(faces):
            self.collector.forget()
            self._ask_once()

    def take(self, messages: list[Message]) -> None:
        """Hand on what the link told; called in the port's thread."""
        for message in messages:
            for report in self.collector.take(message):
                self._inbox.put(report)
            self._ask_once()
            if isinstance(message, Watermark):
                since_s = min(self.collector.rolling.values(), default=None)
                self._inbox.heard(self.collector.source, message.at_s, since_s)

    def settle_doubt(self, die: str, *, was_rolled: bool) -> Report | None:
        """The table says whether a die in doubt was rolled; the roll, if no other is in doubt."""
        collector = self.collector
        told = collector.was_rolled(die) if was_rolled else collector.was_put_back(die)
        self._ask_once()
        return next(iter(told), None)

    def _ask_once(self) -> None:
        """Put what is in doubt to the table once, and take it back when it is settled."""
        with self._lock:
            doubt = self.collector.in_doubt
            if doubt != self._asked:
                self._asked = doubt
                self.ask(doubt)


def faces_of(report: Report | None) -> dict[str, str]:
    """What dice or tiles show, by their names or squares, as this report says."""
    match report:
        case Report(action=Rolled(faces=faces)):
            return faces
        case Report(action=Flipped(square=square, face=face)):
            return {square: face}
    return {}
