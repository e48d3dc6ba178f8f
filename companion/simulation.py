"""The simulated room: people who act, dice that are thrown, and the clock that waits for all.

Theory of operation. Everything that will happen has a moment: somebody acts, the camera takes the
next frame, a die has something to say. `advance` goes to the earliest of them, moves the clock
there, lets every sensor work off what it is given (the frame is read, the bytes have arrived), and
only then lets people act. So nothing depends on how fast this machine is, and a seed gives the
same game anywhere. Time in which nothing happens is skipped, except where real people sit: then,
and whenever a speed is set, the clock runs no faster than `speed` times real time.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from camera.simulated import SimulatedTray
from camera.source import Frame
from camera.spoilt import SpoiltCamera
from camera.stage import Stage
from companion.actions import Chose, Flipped, Report, Rolled
from companion.around import Nuisance
from companion.clock import SimulatedClock
from companion.config import CameraSettings
from companion.dice import DiceSet
from companion.inbox import Inbox
from companion.offers import Choose, Flip, Offer, Roll
from companion.players import Intent
from companion.referee import Referee
from companion.sensing import Asks, CameraSensor, DiceSensor, TileSensor, awaited_rolls, faces_of
from companion.sensor_rows import receiver_row, zone_row
from companion.simulated_fingers import FingersInRoom
from companion.simulated_people import Plan, SimulatedPeople
from companion.simulated_square import SquareInRoom, has_square
from companion.simulated_tray import places_of, smart_dice, tray_and_camera, wired_of
from hardware.simulated import SimulatedDice

FRAME_S = 1 / 25
GLANCE_S = 0.2  # so often the camera looks while nothing moves
IDLE_S = 0.1  # real time


class SimulatedRoom:
    """People, tray and smart dice of one simulated table.

    speed  ceiling, in seconds of the game per real second; None for as fast as it goes.
    zones  where people have set the zones of `trays` or `square`, if not where they are.
    """

    def __init__(
        self,
        referee: Referee,
        inbox: Inbox,
        clock: SimulatedClock,
        ask: Asks,
        *,
        seed: int,
        speed: float | None,
        zones: Mapping[str, CameraSettings] | None = None,
    ) -> None:
        self.clock = clock
        self.speed = speed
        self.people = set[str]()  # seats that real people have taken
        self._inbox = inbox
        self._referee = referee
        self.crowd = SimulatedPeople(referee, ask, seed, real=self.people, look=self.what_lies)
        self._chance = self.crowd.chance
        self._tapped: dict[str, str] = {}  # squares that real people want to be turned up
        self._shown: dict[str, str] = {}  # what chance has decided
        self._in_tray = set[str]()
        self._heading, self._is_untidy = ("", ""), False
        self._began = (time.monotonic(), clock.now_s())
        self.square: SquareInRoom | None = None
        self.camera: CameraSensor | TileSensor
        self.tray: SimulatedTray
        self._stage: Stage
        self.light: Callable[[], tuple[float, float, float]] | None = None  # what lamps add to it
        self.others: Callable[[], list[dict[str, Any]]] = list  # rows of lamps and voice
        self.tap: Callable[[Report], None] = self._tap  # how people say what they choose
        self.faults: Nuisance | None = None  # what goes wrong here on purpose
        self.eye: SpoiltCamera | None = None  # in place of a camera that is well
        self.fingers = FingersInRoom(referee.table.seats, inbox, seed)
        self._zones = zones or {}
        self._set_up_camera(referee.table, ask, seed)
        self._set_up_smart_dice(referee.table.dice, seed)
        self._frame_s = clock.now_s()

    def _set_up_camera(self, table: Any, ask: Asks, seed: int) -> None:
        """Put the camera over the square of tiles, where there is one, or over trays of dice."""
        if has_square(table):
            set_zone = self._zones.get("square")
            self.square = SquareInRoom(table, self._inbox, ask, seed, set_zone)
            self._stage, self.camera = self.square.tray, self.square.camera
            self._seen: frozenset[str] = frozenset()
        else:
            self._set_up_tray(table.dice, ask, seed)

    def _set_up_tray(self, dice: DiceSet, ask: Asks, seed: int) -> None:
        key = self._referee.game.key
        self._seen = frozenset(die.name for die in dice) - set(wired_of(key, dice))
        self.tray, self.camera = tray_and_camera(
            key, dice, self._seen, self._inbox, ask, seed, self._zones.get("trays")
        )
        self._stage = self.tray

    def _set_up_smart_dice(self, dice: DiceSet, seed: int) -> None:
        names = wired_of(self._referee.game.key, dice)
        self.smart: SimulatedDice | None = None
        self.receiver: DiceSensor | None = None
        if names:
            self.smart, self.receiver = smart_dice(dice, names, self._inbox, self.clock, seed)

    # --- what the deciding loop says --------------------------------------------------------------

    def set_apart(self, is_apart: bool) -> None:
        """Simulated dice are shown to a camera and a receiver of their own: nothing to do."""

    def expect(self, offers: list[Offer]) -> None:
        """Tell every sensor what is awaited; put away what nobody rolls any more."""
        self.camera.expect(offers)
        if self.receiver is not None:
            self.receiver.expect(offers)

    def decided(self, referee: Referee, report: Report | None) -> None:
        """Dice that were read are free again; everybody looks at the table anew."""
        self._referee = referee
        self.fingers.look(referee, self.clock.now_s())
        faces = faces_of(report)
        if report is not None and faces:
            at_s = self.clock.now_s() if report.at_s is None else report.at_s
            self.crowd.resolved(faces, at_s)
            if not report.source.startswith("camera:"):
                self.camera.answered(faces)
            if self.receiver is not None and report.source != self.receiver.collector.source:
                self.receiver.answered(faces)
        heading = (referee.table.active, referee.table.phase)
        if heading != self._heading:
            self._heading, self._is_untidy = heading, True
        if self._is_untidy and self._in_tray.isdisjoint(self.crowd.unread):
            self._tidy(referee.offers)
        self._tidy_square()
        self._plan()

    def sources(self) -> list[dict[str, Any]]:
        """How camera zones and receiver fare."""
        silent = self._inbox.silent()
        rolling = self.crowd.unread
        eye = self.eye
        trouble, advice = ("", "") if eye is None else (eye.trouble, eye.advice)
        seen = self.camera.sightings.copy()
        states = {
            w.name: seen[w.name].state if w.name in seen else "" for w in self.camera.watchers
        }
        rows = [
            zone_row(name, state, silent, sorted(rolling & self._seen), trouble, advice)
            for name, state in states.items()
        ]
        if self.receiver is not None and self.receiver.port is not None:
            one, health = self.receiver, self.receiver.port.health()
            rows.append(receiver_row(one.carrier, one.collector, health, silent))
        return [*rows, self.fingers.row(silent), *self.others()]

    # --- what people do ---------------------------------------------------------------------------

    def _plan(self) -> None:
        self.crowd.plan(self._referee, self.clock.now_s(), self.fingers.is_pressing)

    def _tidy(self, offers: Sequence[Offer]) -> None:
        """Take dice out of the tray that nobody will roll again soon, once all have been read."""
        self._is_untidy = False
        awaited = {die for roll in awaited_rolls(offers, self._seen) for die in roll.dice}
        idle = sorted(self._in_tray - awaited)
        if idle:
            self.tray.call_as_seen(places_of(self.camera.sightings.values()))
            self.tray.take_out(idle, self.clock.now_s())
            self._in_tray -= set(idle)

    def _tidy_square(self) -> None:
        """Cover, take and move tiles as the rules say."""
        if self.square is not None:
            table: Any = self._referee.table
            self.square.tidy(table, self.crowd.unread, self.clock.now_s())

    def throw(self, player: str, dice: Sequence[str]) -> None:
        """Throw dice for a player: chance decides, sensors find out."""
        now_s = self.clock.now_s()
        faces = self._chance.roll(self._referee.table, dice)
        self._shown.update(faces)
        self.crowd.threw(player, dice, now_s)
        seen = {die: face for die, face in faces.items() if die in self._seen}
        wired = {die: face for die, face in faces.items() if die not in self._seen}
        if seen:
            self.tray.call_as_seen(places_of(self.camera.sightings.values()))
            self.tray.throw(seen, now_s)
            self._in_tray |= set(seen)
        if wired and self.smart is not None:
            self.smart.throw(wired, now_s)

    def turn_up(self, player: str, square: str) -> None:
        """Turn up a card now, or a tile as soon as everybody's hands are off the square."""
        if self.square is None:
            face = self._chance.flip(self._referee.table, square)
            flipped = Flipped(square, face)
            self._inbox.put(Report(flipped, at_s=self.now_s(), source="simulated"))
        else:
            self._tapped[player] = square

    def _turn_what_was_tapped(self, square: SquareInRoom) -> None:
        """Let a hand turn up what a real person tapped, if the table still awaits it."""
        if not self._tapped or not square.is_at_rest(now_s := self.clock.now_s()):
            return
        player, name = self._tapped.popitem()
        awaits = any(
            isinstance(offer, Flip) and offer.closed is None and name in offer.squares
            for offer in self._referee.offers
        )
        if awaits and square.lets_turn_up(name, now_s):
            self._turn(square, player, name)
        elif awaits and square.tray.lies()[name] == "covered":
            self._tapped[player] = name

    def _turn(self, square: SquareInRoom, player: str, name: str) -> None:
        """A hand turns a tile up: chance decides what it is, the camera finds out."""
        now_s = self.clock.now_s()
        face = self._chance.flip(self._referee.table, name)
        self._shown[name] = face
        self.crowd.threw(player, [name], now_s)
        square.tray.turn_up(name, face, now_s)

    def what_lies(self, name: str) -> str | None:
        """What somebody sees who looks where the screens say that this die or tile lies."""
        if self.square is not None:
            return self._shown.get(name)
        place_px = places_of(self.camera.sightings.values()).get(name)
        if place_px is None:
            return self._shown.get(name)
        return self.tray.shows(self._referee.table.dice[name].kind, place_px)

    def _act(self, seat: str, intent: Intent) -> None:
        now_s = self.clock.now_s()
        match intent.offer:
            case Roll(player=player):
                self.throw(player, intent.dice)
            case Choose(player=player, button=True) if self.fingers.trusts(player):
                self.fingers.press(player, now_s)
            case Choose(player=player, choice=choice):
                chose = Chose(player, choice, intent.value)
                self.tap(Report(chose, at_s=now_s, source="simulated"))
            case Flip() if self.square is not None:
                self._turn_up(self.square, seat, intent)
            case Flip():
                face = self._chance.flip(self._referee.table, intent.value)
                flipped = Flipped(intent.value, face)
                self._inbox.put(Report(flipped, at_s=now_s, source="simulated"))

    def _tap(self, report: Report) -> None:
        self._inbox.put(report)

    @property
    def step_seen(self) -> int:
        """The latest step that people have seen."""
        return self._referee.number

    def _turn_up(self, square: SquareInRoom, seat: str, intent: Intent) -> None:
        """Turn a tile up once everybody's hands are off the square: chance decides what it is."""
        now_s = self.clock.now_s()
        if square.lets_turn_up(intent.value, now_s):
            self._turn(square, seat, intent.value)
        else:
            self.crowd.plans[seat] = Plan(now_s + FRAME_S, intent)

    # --- time -------------------------------------------------------------------------------------

    def now_s(self) -> float:
        """The moment of the game as a person in the room feels it, between two events too."""
        return self._paced_s() if self.people else self.clock.now_s()

    def advance(self, due_s: float | None) -> None:
        """Go on to the next thing that happens, or until somebody real does something.

        due_s  a moment at which the table itself has something to decide, or None.
        """
        moment_s = self._next_s(due_s)
        if moment_s is None:
            self._idle()
        elif self._pace(moment_s):
            self.clock.move_to(moment_s)
            self._sense()
            if self.square is not None:
                self._turn_what_was_tapped(self.square)
            self.crowd.answer_questions(moment_s)
            self._give_up(moment_s)
            if self.fingers.give_up(moment_s):
                self._plan()
            for seat, intent in self.crowd.due(moment_s):
                self._act(seat, intent)

    def _give_up(self, now_s: float) -> None:
        """What nobody has read for so long is thrown again, or read aloud at last."""
        is_late, aloud = self.crowd.give_up(now_s)
        for names in aloud:
            self._read_aloud(names, now_s)
        if is_late:
            self._plan()
            self._tidy_square()

    def _read_aloud(self, names: Sequence[str], now_s: float) -> None:
        """A person enters what lies there, for no sensor does."""
        seen = {name: self._shown[name] for name in names}
        entered = Rolled(seen) if self.square is None else Flipped(*next(iter(seen.items())))
        self._inbox.put(Report(entered, at_s=now_s, source="simulated"))

    def _idle(self) -> None:
        """Nothing will happen by itself; real people need a clock that goes on."""
        self._inbox.wait(IDLE_S)
        if self.people:
            self.clock.move_to(self._paced_s())
            self._sense()

    def _next_s(self, due_s: float | None) -> float | None:
        now_s = self.clock.now_s()
        moments = self.crowd.moments(now_s)
        if due_s is not None:
            moments.append(due_s)
        if self._stirs(now_s):
            moments.append(self._frame_s + FRAME_S)
        elif self.eye is not None or self._inbox.waiting():
            moments.append(self._frame_s + GLANCE_S)  # how a bad camera fares is seen at all times
        dues = [self.fingers.next_due_s(), self.smart.next_due_s() if self.smart else None]
        dues.append(self.faults.next_due_s() if self.faults else None)
        moments += [due for due in dues if due is not None]
        return max(now_s, min(moments)) if moments else None

    def _stirs(self, now_s: float) -> bool:
        """True while something moves, is about to, or has yet to be called still by the camera."""
        moves = now_s < self._stage.quiet_after_s() or not self.camera.is_quiet
        return moves or bool(self._tapped)

    def _sense(self) -> None:
        """Every sensor works off what there is to see and hear up to now."""
        now_s = self.clock.now_s()
        if self.faults is not None:
            self.faults.tick(now_s)
            now_s = self.clock.now_s()
        self.fingers.tick(now_s)
        if self.smart is not None and self.receiver is not None and self.receiver.port is not None:
            self.smart.tick(now_s)
            self.smart.deliver(self.receiver.port)
        if now_s >= self._frame_s + (FRAME_S if self._stirs(now_s) else GLANCE_S) - 1e-9:
            self._frame_s = now_s
            if self.light is not None:
                self._stage.shine(self.light())
            self._look_through(self.eye, now_s)

    def picture(self, at_s: float) -> Frame:
        """What a good camera would see at this moment."""
        return self._stage.frame(at_s)

    def plug_in_receiver(self) -> None:
        """Put the cable of the receiver in again."""
        assert self.smart is not None
        assert self.receiver is not None
        self.smart.plug_in(self.clock.now_s())
        if self.receiver.port is not None:
            self.smart.introduce(self.receiver.port, self.clock.now_s())

    def _look_through(self, eye: SpoiltCamera | None, now_s: float) -> None:
        """Show the camera's next picture to its sensor, if there is one that can be trusted."""
        frame = self._stage.frame(now_s) if eye is None else eye.read(now_s)
        if frame is not None:
            self.camera.see(frame)
        if eye is not None and eye.trouble:
            self.camera.blind()

    def _paced_s(self) -> float:
        real_s, game_s = self._began
        return game_s + (time.monotonic() - real_s) * (self.speed or 1.0)

    def _pace(self, moment_s: float) -> bool:
        """Let real time catch up; False if something came in meanwhile."""
        if self.speed is None and not self.people:
            return True
        while (left_s := moment_s - self._paced_s()) > 0:
            if self._inbox.wait(min(left_s / (self.speed or 1.0), 1.0)):
                self.clock.move_to(min(self._paced_s(), moment_s))
                return False
        self._began = (time.monotonic(), moment_s)
        return True

    def close(self) -> None:
        """Put everything away; may be called twice."""
        if self.receiver is not None and self.receiver.port is not None:
            self.receiver.port.close()
        if self.smart is not None:
            self.smart.close()
